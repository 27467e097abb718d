"""The settlement of 怀化: who pays whom, and why. Source: C5."""

from __future__ import annotations

from collections import Counter

from ledger.outcome import (
    AfterKong,
    NotCounted,
    Outcome,
    Part,
    Payment,
    SeatOutcome,
    Settlement,
    Win,
    WinScore,
    robbed_kong,
    settlement,
    wins_in_turn,
)
from ledger.refusal import Refused
from ledger.rules.huaihua.legal import is_ready, kinds, mode_bar, small_bar
from ledger.rules.huaihua.options import Options
from ledger.rules.huaihua.patterns import Reading, Winning, best_reading
from ledger.rules.possible import (
    check_after_kong,
    check_facts,
    check_possible,
    first_tiles,
    giver,
    held,
)
from ledger.rules.ruleset import Bar
from ledger.tiles import ZHONG, Tile, parse_tile, parse_tiles, rank

KEY = "huaihua/1"
WIN = {"self_draw": f"{KEY} C5.1", "discard": f"{KEY} C5.2", "rob_kong": f"{KEY} C5.2"}
KONGS = f"{KEY} C5.4"
ROBBED = f"{KEY} C3.7"
FACTS = {"birds", "frozen", "touzi"}
"""What an outcome may tell here that not every ruleset knows."""
_BASE_OF_WIN = {"self_draw": 2, "discard": 1, "rob_kong": 1}


def settle(options: Options, outcome: Outcome) -> Settlement:
    """Who pays whom for a hand of 怀化; refuses an outcome that cannot be."""
    check(options, outcome)
    wins = wins_in_turn(outcome)
    scores = {win.seat: _reading(options, outcome, win) for win in wins}
    payments = [
        payment
        for win in wins
        for payment in _win_payments(options, outcome, win, scores[win.seat])
    ]
    kongs, void = _kongs(options, outcome)
    return settlement(
        options.players,
        (*payments, *kongs),
        tuple(WinScore(win.seat, scores[win.seat].patterns, scores[win.seat].fan) for win in wins),
        (*void, *robbed_kong(outcome, ROBBED)),
    )


def winning(outcome: Outcome, win: Win) -> Winning:
    """The winner's hand with the tile that completes it."""
    seat = outcome.seats[win.seat]
    after = outcome.after_kong
    return Winning(
        tiles=(*parse_tiles(seat.hand), parse_tile(win.tile)),
        melded=tuple(parse_tile(meld.tile) for meld in seat.melds),
        how=win.how,
        first_turn=win.first_turn,
        dealer=win.seat == outcome.dealer,
        dealt=first_tiles(outcome, win) if win.first_turn else (),
        touzi=after is not None and after.touzi,
    )


def _reading(options: Options, outcome: Outcome, win: Win) -> Reading:
    reading = best_reading(winning(outcome, win), options)
    assert reading is not None, "check refuses a hand that does not win"
    return reading


def _win_payments(options: Options, outcome: Outcome, win: Win, reading: Reading) -> list[Payment]:
    """The payments of one win: every other seat's for a self-draw, else the giver's alone."""
    others = [seat for seat in range(options.players) if seat != win.seat]
    payers = others if win.from_seat is None else [win.from_seat]
    hits = _birds(options, outcome, win)
    return [_win_payment(options, win, payer, reading, hits) for payer in payers]


def _win_payment(
    options: Options, win: Win, payer: int, reading: Reading, hits: Counter[int]
) -> Payment:
    base = _BASE_OF_WIN[win.how]
    doubled = hits.total() if options.bird_mode == "159" else hits[win.seat] + hits[payer]
    birds = 1 << doubled
    parts = [Part(win.how, points=base)]
    parts += [Part(name, factor=2) for name in reading.patterns if reading.k]
    if options.bird_count:
        parts.append(Part("birds", factor=birds))
    parts.append(Part("base_score", factor=options.base_score))
    points = base * reading.fan * birds * options.base_score
    return Payment(payer, win.seat, points, "win", tuple(parts), WIN[win.how])


def _birds(options: Options, outcome: Outcome, win: Win) -> Counter[int]:
    """How many birds hit each seat; in the 159 mode how many are 1, 5 or 9, told of the winner."""
    values = [bird_value(parse_tile(text)) for text in outcome.birds]
    if options.bird_mode == "159":
        return Counter({win.seat: sum(value in (1, 5, 9) for value in values)})
    several = len(outcome.wins) > 1 and win.from_seat is not None
    start = win.from_seat if several and win.from_seat is not None else win.seat
    return Counter((start + value - 1) % options.players for value in values)


def bird_value(tile: Tile) -> int:
    """The value of a bird: its number, 红中 1."""
    return 1 if tile == ZHONG else rank(tile)


def _kongs(options: Options, outcome: Outcome) -> tuple[list[Payment], list[NotCounted]]:
    """What each kong earns its owner, or why it does not: void on a drawn or dissolved hand."""
    owned = [
        (seat, place)
        for seat, player in enumerate(outcome.seats)
        for place, meld in enumerate(player.melds)
        if meld.kind == "kong"
    ]
    if options.void_kongs_on_draw and outcome.end != "win":
        return [], [_void(outcome, seat, place) for seat, place in owned]
    payments = [
        payment for seat, place in owned for payment in _kong(options, outcome, seat, place)
    ]
    return payments, []


def _void(outcome: Outcome, seat: int, place: int) -> NotCounted:
    meld = outcome.seats[seat].melds[place]
    why = "drawn_hand" if outcome.end == "exhausted" else "dissolved"
    return NotCounted(seat, f"{meld.how}_kong", meld.tile, why, KONGS)


def _kong(options: Options, outcome: Outcome, seat: int, place: int) -> list[Payment]:
    meld = outcome.seats[seat].melds[place]
    others = [other for other in range(options.players) if other != seat]
    scale = Part("base_score", factor=options.base_score)
    if meld.how == "exposed":
        assert meld.from_seat is not None
        shares = len(others) if options.bao_gang else 1
        parts = (Part("exposed_kong", points=1), Part("shares", factor=shares), scale)
        points = shares * options.base_score
        return [Payment(meld.from_seat, seat, points, "kong", parts, KONGS)]
    base = 2 if meld.how == "concealed" else 1
    points = base * options.base_score
    terms = (Part(f"{meld.how}_kong", points=base), scale)
    return [Payment(other, seat, points, "kong", terms, KONGS) for other in others]


def check(options: Options, outcome: Outcome) -> None:
    """Refuses an outcome that no hand of 怀化 could leave, and says where."""
    check_facts(outcome, KEY, FACTS)
    check_possible(outcome, options.players, kinds(options))
    for index, seat in enumerate(outcome.seats):
        _check_seat(options, index, seat)
    _check_birds(options, outcome)
    check_after_kong(outcome)
    if outcome.after_kong is not None:
        _check_touzi(outcome, outcome.after_kong)
    for index, win in enumerate(outcome.wins):
        _check_win(options, outcome, index, win)


def _check_seat(options: Options, index: int, seat: SeatOutcome) -> None:
    """红中 lies in no meld and no river; a frozen hand has konged and waits."""
    laid = {parse_tile(meld.tile) for meld in seat.melds} | set(parse_tiles(seat.river))
    if ZHONG in laid:
        raise Refused("zhong_not_played", pointer=f"/seats/{index}", rule=f"{KEY} C1")
    if seat.declared != "frozen":
        return
    konged = any(meld.kind == "kong" for meld in seat.melds)
    hand = parse_tiles(seat.hand)
    waiting = len(hand) % 3 != 1 or is_ready(options, hand, tuple(held(seat)))
    if not konged or not waiting:
        raise Refused("frozen_not_ready", pointer=f"/seats/{index}", rule=f"{KEY} C3.3")


def _check_birds(options: Options, outcome: Outcome) -> None:
    """A win turns the birds, at least one where the option is on; nothing else does."""
    most = options.bird_count if outcome.wins else 0
    least = min(most, 1)
    if not least <= len(outcome.birds) <= most:
        raise Refused(
            "birds_count", pointer="/birds", birds=len(outcome.birds), low=least, high=most
        )


def _check_touzi(outcome: Outcome, after: AfterKong) -> None:
    """A frozen hand has made its last kong by 骰; a robbed kong is never told as one."""
    first = outcome.wins[0]
    frozen = first.how != "rob_kong" and giver(outcome, first).declared == "frozen"
    if after.touzi != frozen:
        raise Refused("after_kong", pointer="/after_kong")


def _check_win(options: Options, outcome: Outcome, index: int, win: Win) -> None:
    """The winner's hand is a win, and may take that tile at this table."""
    pointer = f"/wins/{index}"
    if win.how != "self_draw" and parse_tile(win.tile) == ZHONG:
        raise Refused("zhong_not_played", pointer=pointer, rule=f"{KEY} C1")
    hand = winning(outcome, win)
    barred = mode_bar(options, win.how)
    if barred is None and best_reading(hand, options) is None:
        barred = Bar("hand_not_complete", f"{KEY} C4")
    barred = barred or small_bar(options, hand)
    if barred is not None:
        raise barred.refused(pointer, seat=win.seat, tile=win.tile)
