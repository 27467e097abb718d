"""What the tests of 耗子 are written with: outcomes in words, and what they settle to.

Seats are the letters of the rule page, A to D. Hands that a test does not tell hold tiles that
are left and wait for nothing. Unless a test says otherwise, 1z is wild, in 双耗子 1z and 2z.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from msgspec.structs import replace

from ledger.outcome import AfterKong, Meld, Outcome, SeatOutcome, Settlement, Win
from ledger.refusal import Refused
from ledger.rules import haozi
from ledger.rules.options import read_options
from ledger.tiles import NUMBERS, Tile, parse_tiles, tile_set, tile_text, tiles_text

SEATS = "ABCD"
_SINGLES = (0, 3, 6, 9, 12, 15, 18, 21, 24, 1, 4, 7, 10, 13, 16, 19, 22, 25)
"""Numbers of which any thirteen, one of a kind, wait for nothing."""


def settle(outcome: Outcome) -> Settlement:
    """Who pays whom by the rules of 耗子."""
    return haozi.settle(read_options(haozi.Options, outcome.options), outcome)


def seat_of(letter: str) -> int:
    """The seat of a letter: "B" -> 1."""
    return SEATS.index(letter)


def melds(text: str) -> tuple[Meld, ...]:
    """Melds in words: "pung 9s C, exposed 1m B, exposed 2m B!, concealed 7p".

    Who fed it comes last, with "!" if he had declared.
    """
    return tuple(_meld(words.split()) for words in text.split(",") if words)


def _meld(words: list[str]) -> Meld:
    how, tile, *fed = words
    source = seat_of(fed[0][0]) if fed else None
    declared = bool(fed) and fed[0].endswith("!")
    if how == "pung":
        return Meld("pung", tile, None, source)
    return Meld("kong", tile, how, source, False, declared)  # type: ignore[arg-type]


def seat(hand: str = "", melded: str = "", *, declared: bool = True) -> SeatOutcome:
    """A seat at the end of a hand, which has declared 报听 unless a test says otherwise."""
    return SeatOutcome(hand, melds(melded), "", "ready" if declared else None)


def idle(melded: str = "") -> SeatOutcome:
    """A seat that has not declared and waits for nothing."""
    return seat("", melded, declared=False)


def passed(told: SeatOutcome) -> SeatOutcome:
    """The same seat after it has passed a win 过胡."""
    return replace(told, self_draw_only=True)


def ended(
    seats: dict[str, SeatOutcome],
    *wins: Win,
    end: str = "win",
    wilds: str = "",
    dealer: str = "A",
    after: AfterKong | None = None,
    **options: Any,
) -> Outcome:
    """An outcome; hands that are not told hold what is left and matter to nobody."""
    drawn = wilds or ("12z" if options.get("variant") == "double_rat" else "1z")
    return Outcome(
        ruleset="haozi/1",
        options=options,
        seats=_filled(seats, options.get("players", 4), [win.tile for win in wins[:1]]),
        dealer=seat_of(dealer),
        end=end,  # type: ignore[arg-type]
        wilds=tuple(map(tile_text, parse_tiles(drawn))),
        wins=wins,
        after_kong=after,
    )


def _filled(
    seats: dict[str, SeatOutcome], players: int, gone: list[str]
) -> tuple[SeatOutcome, ...]:
    left = tile_set((*NUMBERS, *parse_tiles("1234567z")))
    for told in seats.values():
        left.subtract(parse_tiles(told.hand + told.river))
        for meld in told.melds:
            left.subtract(parse_tiles(meld.tile) * (3 + (meld.kind == "kong")))
    left.subtract(parse_tiles("".join(gone)))
    return tuple(
        replace(one, hand=one.hand or _idle_tiles(left, 13 - 3 * len(one.melds)))
        for one in (seats.get(letter, idle()) for letter in SEATS[:players])
    )


def _idle_tiles(left: Counter[Tile], count: int) -> str:
    free = [tile for tile in _SINGLES if left[tile] > 0]
    free.sort(key=lambda tile: -left[tile])
    hand = free[:count]
    left.subtract(hand)
    return tiles_text(sorted(hand))


def self_draw(letter: str, tile: str, *, first_turn: bool = False) -> Win:
    """A win by the own draw 自摸."""
    return Win(seat_of(letter), tile, "self_draw", None, first_turn)


def on_discard(letter: str, tile: str, source: str) -> Win:
    """A win on somebody's discard 接炮."""
    return Win(seat_of(letter), tile, "discard", seat_of(source))


def robbing(letter: str, tile: str, source: str) -> Win:
    """A win on somebody's added kong 抢杠."""
    return Win(seat_of(letter), tile, "rob_kong", seat_of(source))


def paid(settlement: Settlement, reason: str = "win") -> list[str]:
    """The payments of a reason in words, in their order: "B>A 18"."""
    return [
        f"{SEATS[one.payer]}>{SEATS[one.payee]} {one.points}"
        for one in settlement.payments
        if one.reason == reason
    ]


def kongs(settlement: Settlement) -> list[str]:
    """The payments for kongs in words."""
    return paid(settlement, "kong")


def void(settlement: Settlement) -> list[str]:
    """What is not counted, in words: "C added_kong 7m robbed"."""
    return [f"{SEATS[one.seat]} {one.what} {one.tile} {one.why}" for one in settlement.not_counted]


def read(hand: str, tile: str, melded: str = "", **more: Any) -> str:
    """What A's self-drawn win is read as, with its value: "standard 9"."""
    found = settle(ended({"A": seat(hand, melded)}, self_draw("A", tile), **more))
    return f"{' '.join(found.wins[0].patterns)} {found.wins[0].value}"


def refusal_of(outcome: Outcome) -> str:
    """The code, the pointer and the paragraph with which an outcome is refused."""
    try:
        settle(outcome)
    except Refused as refusal:
        return " ".join(filter(None, (refusal.code, refusal.pointer, refusal.rule)))
    raise AssertionError("the outcome was not refused")
