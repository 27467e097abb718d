"""Entered golden hands: the table as it stood at the end, and its settlement."""

from __future__ import annotations

import re
from typing import Any

from msgspec.structs import replace

from ledger.outcome import AfterKong, FirstChicken, Meld, Outcome, SeatOutcome, Win
from ledger.refusal import Refused
from ledger.rules.catalog import ruleset, settle
from ledger.tiles import NUMBERS, parse_tile, parse_tiles, tile_set, tiles_text
from tests.rules.golden import Golden, Line
from tests.rules.golden_ending import Ending
from tests.rules.golden_tiles import aside, filled, wild_kinds
from tests.rules.golden_words import (
    RULE,
    SEAT,
    SEAT_LIST,
    SEATS,
    TILE,
    TILES,
    Arms,
    fits,
    read,
    read_options,
    rule_of,
    seat_of,
    seats_of,
)

REFUSED = rf"It is refused: (\w+)(?: at (\S+?))?(?:, ({RULE}))?"
_LAID = re.compile(
    rf"(?:(concealed|exposed|added) )?(pung|kong) ({TILE})"
    rf"(?: of ({SEAT}))?( late)?( then declared)?"
)


class Entered:
    """An outcome as its lines tell it, line by line."""

    def __init__(self, key: str) -> None:
        self.key = key
        self.told: dict[str, Any] = {"dealer": 0, "end": "win"}
        self.options: dict[str, Any] = {}
        self.seats: dict[str, SeatOutcome] = {}
        self.wins: list[Win] = []
        self.chickens: list[FirstChicken] = []

    def arms(self) -> Arms[None]:
        """The lines at the margin: how the table stood."""
        tiles = rf"((?:{TILE} ?)+)"
        return (
            (r"Options: (.+)", self._options),
            (rf"Dealer: ({SEAT})(?:, hand (\d+) in a row)?", self._dealer),
            (rf"Wilds: {tiles}", lambda text: self._tell(wilds=tuple(text.split()))),
            (r"Weekday: ([1-7])", lambda day: self._tell(weekday=int(day))),
            (rf"({SEAT}) holds (?:({TILES})|other tiles)((?:; .+)?)", self._seat),
            (rf"({SEAT}) wins ({TILE}) (by self-draw|discarded by|robbed from)(?: ({SEAT}))?"
             r"(, first turn)?", self._win),
            (r"After an? (concealed|exposed|added) kong( late)?( with touzi)?", self._after),
            (r"The wall is empty", lambda: self._tell(end="exhausted")),
            (r"The match is dissolved", lambda: self._tell(end="dissolved")),
            (rf"Birds: {tiles}", lambda text: self._tell(birds=tuple(text.split()))),
            (rf"Flip: ({TILE})", lambda tile: self._tell(flip=tile)),
            (rf"First chicken: ({TILE}) by ({SEAT})(?:, taken by ({SEAT_LIST}))?", self._chicken),
        )  # fmt: skip

    def _tell(self, **facts: Any) -> None:
        self.told |= facts

    def _options(self, text: str) -> None:
        self.options = read_options(text, self.key)

    def _dealer(self, letter: str, streak: str | None) -> None:
        self._tell(dealer=seat_of(letter), streak=int(streak or 1))

    def _seat(self, letter: str, hand: str | None, more: str) -> None:
        self.seats[letter] = _seat(hand or "", more.split("; ")[1:])

    def _win(self, who: str, tile: str, how: str, source: str | None, first: str | None) -> None:
        ways: dict[str, Any] = {"b": "self_draw", "d": "discard", "r": "rob_kong"}
        giver = seat_of(source) if source else None
        self.wins.append(Win(seat_of(who), tile, ways[how[0]], giver, bool(first)))

    def _after(self, how: Any, late: str | None, touzi: str | None) -> None:
        self._tell(after_kong=AfterKong(how, bool(late), bool(touzi)))

    def _chicken(self, tile: str, by: str, takers: str | None) -> None:
        taken = tuple(seats_of(takers or ""))
        self.chickens.append(FirstChicken(tile, seat_of(by), taken))

    def outcome(self) -> Outcome:
        """All that was told, and idle tiles for the hands that were not."""
        return Outcome(
            ruleset=self.key,
            options=self.options,
            seats=self._filled(),
            wins=tuple(self.wins),
            first_chickens=tuple(self.chickens),
            **self.told,
        )

    def _filled(self) -> tuple[SeatOutcome, ...]:
        kinds, players = self._table()
        seats = [self.seats.get(letter, SeatOutcome("")) for letter in SEATS[:players]]
        left = tile_set(kinds)
        for seat in seats:
            left.subtract(parse_tiles(seat.hand + seat.river))
            for meld in seat.melds:
                left.subtract(parse_tiles(meld.tile) * (3 + (meld.kind == "kong")))
        left.subtract(map(parse_tile, [*(win.tile for win in self.wins[:1]), *self._turned()]))
        wild = wild_kinds(self.options, self.told.get("wilds", ()))

        def idle(seat: SeatOutcome) -> str:
            count = 13 - 3 * len(seat.melds)
            return tiles_text(filled(left, (), count, kinds, wild, aside(self.key)))

        return tuple(seat if seat.hand else replace(seat, hand=idle(seat)) for seat in seats)

    def _turned(self) -> list[str]:
        return [*self.told.get("birds", ()), *filter(None, [self.told.get("flip")])]

    def _table(self) -> tuple[tuple[int, ...], int]:
        """The kinds and the seats of the table; an ordinary one where its options are refused."""
        try:
            rules = ruleset(self.key, self.options)
        except Refused:
            return NUMBERS, 4
        return rules.kinds, rules.players


def _seat(hand: str, more: list[str]) -> SeatOutcome:
    """A seat's hand, and after semicolons its melds, its river, and what it has said."""
    told: dict[str, Any] = {}
    melds: list[Meld] = []
    for words in more:
        name, _, text = words.partition(" ")
        laid = _LAID.fullmatch(words)
        if laid:
            melds.append(_meld(*laid.groups()))
        elif words in ("frozen", "ready", "hard", "soft"):
            told["declared"] = words
        elif words == "self-draw only":
            told["self_draw_only"] = True
        elif name in ("river", "dealt"):
            told[name] = text
        elif name == "bet":
            told[name] = int(text)
        elif name == "void":
            told["void_suit"] = text
        else:
            raise ValueError(words)
    return SeatOutcome(hand, tuple(melds), **told)


def _meld(how: Any, kind: Any, tile: str, source: str | None, *more: str | None) -> Meld:
    giver = seat_of(source) if source else None
    return Meld(kind, tile, how, giver, *map(bool, more))


def check_entered(golden: Golden) -> None:
    """Settles a golden hand; the first line that is not so, or cannot be read, is told."""
    entered = Entered(golden.ruleset)
    for line in golden.lines:
        if not line.then:
            _enter(entered, line)
    then = [line for line in golden.lines if line.then]
    refusals = [line for line in then if fits(line, ((REFUSED, str),))]
    try:
        found = settle(entered.outcome())
    except AssertionError as fault:
        raise golden.lines[0].fault(f"This hand cannot be filled: {fault}") from fault
    except Refused as refusal:
        _check_refused(golden, refusal, then)
        return
    if refusals:
        raise refusals[0].fault(f"It is settled: {found.totals}")
    Ending(found, golden.ruleset).check(then)


def _enter(entered: Entered, line: Line) -> None:
    try:
        read(line, entered.arms())
    except ValueError as fault:
        raise line.fault(f"This cannot be read: {fault}") from None


def _check_refused(golden: Golden, refusal: Refused, then: list[Line]) -> None:
    """One line says so, with the code, the place in the outcome and the paragraph."""
    place = f" at {refusal.pointer}" if refusal.pointer else ""
    found = f"{refusal.code}{place}, {refusal.rule}"
    line = then[0]

    def told(code: str, pointer: str | None, rule: str | None) -> str:
        place = f" at {pointer}" if pointer else ""
        return f"{code}{place}, {rule_of(rule, golden.ruleset) if rule else None}"

    arms: Arms[str] = ((REFUSED, told),)
    if len(then) != 1 or not fits(line, arms) or read(line, arms) != found:
        raise line.fault(f"It is refused: {found} — {refusal}")
