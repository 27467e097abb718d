"""Whether an outcome can be: what holds in every game, before a ruleset looks at its own.

Source: docs/formats.md, docs/rules/common.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import contextmanager

from ledger.outcome import Meld, Outcome, SeatOutcome, Win
from ledger.refusal import Refused
from ledger.tiles import COPIES, Tile, Tiles, parse_tile, parse_tiles, tile_text

CONCEALED = 13


def check_possible(outcome: Outcome, players: int, kinds: Tiles) -> None:
    """Refuses an outcome that no hand of this game could leave, and says where."""
    if len(outcome.seats) != players:
        raise Refused("seats_count", pointer="/seats", seats=len(outcome.seats), players=players)
    _check_number("/dealer", outcome.dealer, 0, players - 1)
    _check_number("/streak", outcome.streak, 1, 10_000)
    for index, seat in enumerate(outcome.seats):
        with _placed(f"/seats/{index}"):
            _check_seat(outcome, index, seat)
    for index, bird in enumerate(outcome.birds):
        _check_tile(f"/birds/{index}", bird)
    _check_lengths(outcome)
    _check_wins(outcome, players)
    _check_copies(_all_tiles(outcome), kinds)
    for index, seat in enumerate(outcome.seats):
        _check_dealt(outcome, index, seat)
    _check_copies((tile for seat in outcome.seats for tile in dealt(seat)), kinds)


def check_facts(outcome: Outcome, ruleset: str, known: Collection[str]) -> None:
    """Refuses a fact that is told and is not among those the ruleset knows, and says where.

    Facts go by the names of their keys, a declaration by its word ("ready", "frozen").
    """
    for name, pointer in _facts(outcome):
        if name not in known:
            raise Refused("fact_of_another_ruleset", pointer=pointer, ruleset=ruleset)


def check_after_kong(outcome: Outcome) -> None:
    """Refuses a kong behind a win that its owner does not have; robbed, it is his pung again."""
    after = outcome.after_kong
    if after is None:
        return
    if outcome.wins and outcome.wins[0].how == "rob_kong":
        fits = after.how == "added"
    else:
        fits = any(
            meld.how == after.how for win in outcome.wins for meld in giver(outcome, win).melds
        )
    if not fits:
        raise Refused("after_kong", pointer="/after_kong")


def giver(outcome: Outcome, win: Win) -> SeatOutcome:
    """The seat that the winning tile came from: the discarder, the robbed seat, the winner."""
    return outcome.seats[win.seat if win.from_seat is None else win.from_seat]


def held(seat: SeatOutcome) -> Iterator[Tile]:
    """Every tile a seat holds at the end, melds included."""
    yield from parse_tiles(seat.hand)
    for meld in seat.melds:
        yield from (parse_tile(meld.tile),) * (3 + (meld.kind == "kong"))


def dealt(seat: SeatOutcome) -> Tiles:
    """The tiles a seat was dealt, as far as they are told."""
    return parse_tiles(seat.dealt or "")


def single_bird_is_win(outcome: Outcome) -> bool:
    """Whether the only bird is the winning tile itself, of which it is no further copy."""
    return len(outcome.birds) == 1 and any(win.tile == outcome.birds[0] for win in outcome.wins)


def _facts(outcome: Outcome) -> Iterator[tuple[str, str]]:
    """What an outcome tells that not every ruleset knows: the name of each fact and its place."""
    for name in ("wilds", "weekday", "first_chickens", "flip", "birds"):
        if getattr(outcome, name):
            yield name, f"/{name}"
    for index, seat in enumerate(outcome.seats):
        for name, place in _seat_facts(seat):
            yield name, f"/seats/{index}/{place}"
    for name in ("late", "touzi"):
        if getattr(outcome.after_kong, name, False):
            yield name, f"/after_kong/{name}"


def _seat_facts(seat: SeatOutcome) -> Iterator[tuple[str, str]]:
    if seat.bet:
        yield "bet", "bet"
    if seat.void_suit:
        yield "void_suit", "void_suit"
    if seat.declared:
        yield seat.declared, "declared"
    if seat.self_draw_only:
        yield "self_draw_only", "self_draw_only"
    for place, meld in enumerate(seat.melds):
        if meld.late:
            yield "late", f"melds/{place}/late"
        if meld.feeder_declared:
            yield "feeder_declared", f"melds/{place}/feeder_declared"


def _all_tiles(outcome: Outcome) -> Iterator[Tile]:
    for seat in outcome.seats:
        yield from held(seat)
        yield from parse_tiles(seat.river)
    if outcome.wins:
        yield parse_tile(outcome.wins[0].tile)
    if not single_bird_is_win(outcome):
        yield from map(parse_tile, outcome.birds)


def _check_copies(tiles: Iterator[Tile], kinds: Tiles) -> None:
    for tile, copies in sorted(Counter(tiles).items()):
        if tile not in kinds:
            raise Refused("tile_not_in_game", tile=tile_text(tile))
        if copies > COPIES:
            raise Refused("tile_copies", tile=tile_text(tile), copies=copies)


def _check_number(pointer: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise Refused("number_range", pointer=pointer, value=value, low=low, high=high)


def _check_tile(pointer: str, text: str) -> None:
    with _placed(pointer):
        parse_tile(text)


@contextmanager
def _placed(pointer: str) -> Iterator[None]:
    """Checks whose refusals are told with the place in the outcome."""
    try:
        yield
    except Refused as refusal:
        raise refusal.at(pointer) from None


def _check_seat(outcome: Outcome, index: int, seat: SeatOutcome) -> None:
    for name, tiles in (("hand", seat.hand), ("river", seat.river), ("dealt", seat.dealt or "")):
        with _placed(f"/{name}"):
            parse_tiles(tiles)
    for place, meld in enumerate(seat.melds):
        with _placed(f"/melds/{place}"):
            _check_meld(meld, index, len(outcome.seats))
    kinds = [meld.tile for meld in seat.melds]
    if len(set(kinds)) != len(kinds):
        raise Refused("meld_twice", pointer="/melds")


def _check_meld(meld: Meld, owner: int, players: int) -> None:
    _check_tile("/tile", meld.tile)
    if (meld.kind == "kong") != (meld.how is not None):
        raise Refused("meld_how", pointer="/how")
    if (meld.from_seat is None) != (meld.how == "concealed"):
        raise Refused("meld_from", pointer="/from")
    if meld.from_seat is not None:
        _check_number("/from", meld.from_seat, 0, players - 1)
        if meld.from_seat == owner:
            raise Refused("meld_from", pointer="/from")


def _check_lengths(outcome: Outcome) -> None:
    """Thirteen tiles a seat, a meld for three; one more only where a turn was cut short."""
    over = 0
    for index, seat in enumerate(outcome.seats):
        tiles = len(parse_tiles(seat.hand)) + 3 * len(seat.melds)
        over += tiles - CONCEALED
        most = CONCEALED + (outcome.end == "dissolved")
        if not CONCEALED <= tiles <= most or over > 1:
            raise Refused(
                "hand_length",
                pointer=f"/seats/{index}/hand",
                tiles=len(parse_tiles(seat.hand)),
                expected=CONCEALED - 3 * len(seat.melds),
            )


def _check_wins(outcome: Outcome, players: int) -> None:
    if (outcome.end == "win") != bool(outcome.wins):
        raise Refused("end_and_wins", pointer="/end", end=outcome.end)
    for index, win in enumerate(outcome.wins):
        with _placed(f"/wins/{index}"):
            _check_win(outcome, win, players)
    if len({win.seat for win in outcome.wins}) != len(outcome.wins):
        raise Refused("winner_twice", pointer="/wins")
    if len({(win.tile, win.how, win.from_seat) for win in outcome.wins}) > 1:
        raise Refused("wins_differ", pointer="/wins")
    if len(outcome.wins) > 1 and outcome.wins[0].how == "self_draw":
        raise Refused("wins_differ", pointer="/wins")


def _check_win(outcome: Outcome, win: Win, players: int) -> None:
    _check_tile("/tile", win.tile)
    _check_number("/seat", win.seat, 0, players - 1)
    if (win.from_seat is None) != (win.how == "self_draw") or win.from_seat == win.seat:
        raise Refused("win_from", pointer="/from")
    if win.from_seat is not None:
        _check_number("/from", win.from_seat, 0, players - 1)
        if win.how == "rob_kong" and not _has_pung(outcome.seats[win.from_seat], win.tile):
            raise Refused("robbed_without_pung", pointer="/from", tile=win.tile)
    if win.first_turn and not _could_be_first_turn(outcome, win):
        raise Refused("not_first_turn", pointer="/first_turn")


def _has_pung(seat: SeatOutcome, tile: str) -> bool:
    return any((meld.kind, meld.tile) == ("pung", tile) for meld in seat.melds)


def _could_be_first_turn(outcome: Outcome, win: Win) -> bool:
    """No own river, no own meld, no own tile taken; for the dealer only a self-draw."""
    seat = outcome.seats[win.seat]
    taken = any(meld.from_seat == win.seat for other in outcome.seats for meld in other.melds)
    dealer = win.seat == outcome.dealer and win.how != "self_draw"
    return not (seat.melds or seat.river or taken or dealer)


def _check_dealt(outcome: Outcome, index: int, seat: SeatOutcome) -> None:
    """Dealt tiles are thirteen, the dealer's fourteen, and a first-turn winner still has them."""
    if seat.dealt is None:
        return
    tiles = sorted(dealt(seat))
    pointer = f"/seats/{index}/dealt"
    expected = CONCEALED + (index == outcome.dealer)
    if len(tiles) != expected:
        raise Refused("dealt_length", pointer=pointer, tiles=len(tiles), expected=expected)
    for win in outcome.wins:
        if win.seat == index and win.first_turn and tiles != sorted(first_tiles(outcome, win)):
            raise Refused("dealt_differs", pointer=pointer)


def first_tiles(outcome: Outcome, win: Win) -> Tiles:
    """The dealt tiles of a first-turn winner: what he holds, the dealer's winning tile too."""
    hand = parse_tiles(outcome.seats[win.seat].hand)
    return (*hand, parse_tile(win.tile)) if win.seat == outcome.dealer else hand
