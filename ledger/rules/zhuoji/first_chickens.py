"""Whether the first chickens told of an outcome fit the rivers, the melds and the wins.

Source: B5.3; docs/formats.md.
"""

from __future__ import annotations

from ledger.outcome import FirstChicken, Outcome, SeatOutcome
from ledger.refusal import Refused
from ledger.rules.zhuoji.booking import paragraph
from ledger.rules.zhuoji.chickens import default_kinds
from ledger.rules.zhuoji.options import Options
from ledger.tiles import Tile, parse_tile, parse_tiles, tile_text

RULE = paragraph("B5.3")


def check_first_chickens(options: Options, outcome: Outcome) -> None:
    """Refuses first chickens that are none, that did not go where they are said to have gone, or
    that are left out although somebody has discarded such a tile.
    """
    missing = list(default_kinds(options))
    for index, first in enumerate(outcome.first_chickens):
        pointer = f"/first_chickens/{index}"
        kind = _default_kind(options, first, f"{pointer}/tile")
        if kind not in missing:
            raise Refused("first_chicken_twice", pointer=pointer, tile=first.tile, rule=RULE)
        missing.remove(kind)
        _check_seats(outcome, first, pointer)
        if not _went_there(outcome, first, kind):
            raise Refused("first_chicken_place", pointer=pointer, tile=first.tile, rule=RULE)
    for kind in missing:
        if _lies_discarded(outcome, kind) or _won_from(outcome, kind) is not None:
            tile = tile_text(kind)
            raise Refused("first_chicken_missing", pointer="/first_chickens", tile=tile, rule=RULE)


def _default_kind(options: Options, first: FirstChicken, pointer: str) -> Tile:
    kinds = default_kinds(options)
    allowed = [tile_text(kind) for kind in kinds]
    if first.tile not in allowed:
        raise Refused(
            "first_chicken_kind",
            pointer=pointer,
            tile=first.tile,
            allowed=", ".join(allowed),
            rule=RULE,
        )
    return parse_tile(first.tile)


def _check_seats(outcome: Outcome, first: FirstChicken, pointer: str) -> None:
    """Who discarded it and who took it are seats of the table, and each another one."""
    last = len(outcome.seats) - 1
    for place, seat in (("by", first.by), *(("takers", taker) for taker in first.takers)):
        if not 0 <= seat <= last:
            raise Refused(
                "number_range", pointer=f"{pointer}/{place}", value=seat, low=0, high=last
            )
    if len({first.by, *first.takers}) != 1 + len(first.takers):
        raise Refused("first_chicken_place", pointer=pointer, tile=first.tile, rule=RULE)


def _went_there(outcome: Outcome, first: FirstChicken, kind: Tile) -> bool:
    """It stands in its discarder's river, or lies in one taker's meld, or all takers won it.

    A tile that was won ended the hand: no other of its kind was discarded before the first.
    """
    if not first.takers:
        return kind in parse_tiles(outcome.seats[first.by].river)
    if len(first.takers) == 1 and _melded_from(outcome.seats[first.takers[0]], first):
        return True
    won = _won_from(outcome, kind) == first.by and not _lies_discarded(outcome, kind)
    return won and set(first.takers) == {win.seat for win in outcome.wins}


def _melded_from(seat: SeatOutcome, first: FirstChicken) -> bool:
    return any((meld.tile, meld.from_seat) == (first.tile, first.by) for meld in seat.melds)


def _won_from(outcome: Outcome, kind: Tile) -> int | None:
    """Who discarded a tile of a kind that was won, if it was."""
    first = outcome.wins[0] if outcome.wins else None
    won = first is not None and first.how == "discard" and parse_tile(first.tile) == kind
    return first.from_seat if first is not None and won else None


def _lies_discarded(outcome: Outcome, kind: Tile) -> bool:
    """Whether a discarded tile of a kind lies in a river, or in a meld that was fed."""
    return any(
        kind in parse_tiles(seat.river)
        or any(meld.how != "concealed" and meld.tile == tile_text(kind) for meld in seat.melds)
        for seat in outcome.seats
    )
