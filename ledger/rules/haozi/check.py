"""Whether an outcome of 耗子 can be. Source: A1, A3."""

from __future__ import annotations

from ledger.outcome import Outcome, SeatOutcome, Win
from ledger.refusal import Refused
from ledger.rules.haozi.options import Options
from ledger.rules.haozi.patterns import (
    Waiting,
    best_dealt_tile,
    kinds,
    may_declare,
    not_ready,
    wild_choices,
)
from ledger.rules.haozi.wins import Claimant, win_bar
from ledger.rules.possible import check_after_kong, check_facts, check_possible
from ledger.tiles import Tiles, parse_tile, parse_tiles, tile_text, tiles_text

KEY = "haozi/1"
FACTS = {"wilds", "ready", "self_draw_only", "feeder_declared"}
"""What an outcome may tell here that not every ruleset knows."""


def check(options: Options, outcome: Outcome) -> None:
    """Refuses an outcome that no hand of 耗子 could leave, and says where."""
    check_facts(outcome, KEY, FACTS)
    check_possible(outcome, options.players, kinds(options))
    _check_wilds(options, outcome)
    wild_kinds = wilds(outcome)
    for index, seat in enumerate(outcome.seats):
        _check_seat(options, wild_kinds, index, seat)
        _check_feeders(outcome, index, seat)
    check_after_kong(outcome)
    if len(outcome.wins) > 1:
        raise Refused("several_winners", pointer="/wins", rule=f"{KEY} A3.6")
    for win in outcome.wins:
        _check_win(options, outcome, win)


def wilds(outcome: Outcome) -> Tiles:
    """The wild kinds of the hand 耗子."""
    return tuple(map(parse_tile, outcome.wilds))


def waiting(seat: SeatOutcome, wild_kinds: Tiles) -> Waiting:
    """A seat's hand as it waits for a tile."""
    melded = (
        parse_tile(meld.tile) for meld in seat.melds for _ in range(3 + (meld.kind == "kong"))
    )
    return Waiting(parse_tiles(seat.hand), tuple(melded), wild_kinds)


def _check_wilds(options: Options, outcome: Outcome) -> None:
    """As many wild kinds as the variant draws, each another, of those that it draws from."""
    choices, count = wild_choices(options)
    told = wilds(outcome)
    if len(told) != count or len(set(told)) != count or not set(told).issubset(choices):
        raise Refused(
            "wilds_drawn",
            pointer="/wilds",
            rule=f"{KEY} A1",
            count=count,
            allowed=tiles_text(choices),
        )


def _check_seat(options: Options, wild_kinds: Tiles, index: int, seat: SeatOutcome) -> None:
    """A declared hand waits, only it has passed a win, and wild kinds are melded if they may be."""
    pointer = f"/seats/{index}"
    if seat.declared is not None and not _could_declare(options, waiting(seat, wild_kinds)):
        raise not_ready(options).refused(pointer)
    if seat.self_draw_only and (seat.declared is None or options.must_win):
        raise Refused("no_win_passed", pointer=f"{pointer}/self_draw_only", rule=f"{KEY} A3.5")
    if options.wild_pung_kong_as_natural:
        return
    for place, meld in enumerate(seat.melds):
        if parse_tile(meld.tile) in wild_kinds:
            raise Refused("wild_not_melded", pointer=f"{pointer}/melds/{place}", rule=f"{KEY} A3.1")


def _could_declare(options: Options, hand: Waiting) -> bool:
    """Whether a hand waits as a declared one does; cut short, without some tile that it drew."""
    if len(hand.concealed) % 3 == 1:
        return may_declare(options, hand)
    places = range(len(hand.concealed))
    return any(may_declare(options, _without(hand, place)) for place in places)


def _without(hand: Waiting, place: int) -> Waiting:
    concealed = hand.concealed[:place] + hand.concealed[place + 1 :]
    return Waiting(concealed, hand.melded, hand.wild_kinds)


def _check_feeders(outcome: Outcome, index: int, seat: SeatOutcome) -> None:
    """Only who feeds an exposed kong can have declared by then, and he has declared still."""
    for place, meld in enumerate(seat.melds):
        if meld.feeder_declared and not (
            meld.how == "exposed"
            and meld.from_seat is not None
            and outcome.seats[meld.from_seat].declared is not None
        ):
            pointer = f"/seats/{index}/melds/{place}/feeder_declared"
            raise Refused("feeder_not_declared", pointer=pointer, rule=f"{KEY} A5.4")


def _check_win(options: Options, outcome: Outcome, win: Win) -> None:
    """The winner may take that tile, and nobody nearer had to."""
    pointer = "/wins/0"
    if win.first_turn and outcome.seats[win.seat].declared is not None:
        raise Refused("not_first_turn", pointer=f"{pointer}/first_turn")
    tile = parse_tile(win.tile)
    barred = win_bar(options, _claimant(outcome, win.seat), tile, win.how)
    if barred is not None:
        raise barred.refused(pointer, seat=win.seat, tile=win.tile)
    if win.first_turn and win.seat == outcome.dealer:
        _check_dealt_tile(options, outcome, win)
    if options.must_win and win.from_seat is not None:
        _check_nearer(options, outcome, win, win.from_seat)


def _claimant(outcome: Outcome, index: int) -> Claimant:
    seat = outcome.seats[index]
    hand = waiting(seat, wilds(outcome))
    return Claimant(hand, seat.declared is not None, seat.self_draw_only)


def _check_dealt_tile(options: Options, outcome: Outcome, win: Win) -> None:
    """A dealt win is told by the tile that makes it worth most."""
    dealt = (*parse_tiles(outcome.seats[win.seat].hand), parse_tile(win.tile))
    best = tile_text(best_dealt_tile(options, dealt, wilds(outcome)))
    if win.tile != best:
        raise Refused("dealt_win_tile", pointer="/wins/0/tile", rule=f"{KEY} A4", tile=best)


def _check_nearer(options: Options, outcome: Outcome, win: Win, source: int) -> None:
    """With 有胡必胡 the nearest seat that may win has won."""
    steps = (win.seat - source) % options.players
    for step in range(1, steps):
        nearer = (source + step) % options.players
        claimant = _claimant(outcome, nearer)
        if win_bar(options, claimant, parse_tile(win.tile), win.how) is None:
            raise Refused(
                "nearer_winner", pointer="/wins/0/seat", rule=f"{KEY} A3.5", nearer=nearer
            )
