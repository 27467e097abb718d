"""Played golden hands: a hand from a stacked wall, told action by action."""

from __future__ import annotations

import re
from functools import reduce
from typing import Any

from ledger import events as e
from ledger.events import Event, slots
from ledger.evolve import begin, evolve
from ledger.hand import Hand
from ledger.record import Choice
from ledger.refusal import Refused
from ledger.rules import play, turns
from ledger.rules.catalog import ruleset, settle_hand
from ledger.rules.options import write_options
from ledger.tiles import (
    UNKNOWN,
    Tile,
    parse_tile,
    parse_tiles,
    tile_set,
    tile_text,
    tiles_text,
    wall_text,
)
from tests.rules.golden import Golden, Line
from tests.rules.golden_ending import ENDING, Ending
from tests.rules.golden_tiles import aside, filled, wild_kinds
from tests.rules.golden_words import (
    ACT,
    CHOICE,
    RULE,
    SEAT,
    SEAT_LIST,
    SEATS,
    TILE,
    TILES,
    Arms,
    choice,
    fits,
    letters,
    meld,
    read,
    read_options,
    rule_of,
    said,
    seat_of,
    seats_of,
    told,
)

AT, DAY = 1_700_000_000_000_000, "2023-11-14"
SECRET = "5e" * 32


class Setup:
    """What is laid out before the deal."""

    def __init__(self, key: str) -> None:
        self.key = key
        self.options: dict[str, Any] = {}
        self.dealer, self.streak = 0, 1
        self.weekday, self.opened = 1, 1
        self.wilds: tuple[str, ...] = ()
        self.dealt: dict[str, str] = {}
        self.next, self.ends = "", False

    def arms(self) -> Arms[None]:
        """The lines that lay out a hand."""
        return (
            (r"Options: (.+)", self._options),
            (rf"Dealer: ({SEAT})(?:, hand (\d+) in a row)?", self._dealer),
            (rf"Wilds: ({TILE})(?: ({TILE}))?", self._wilds),
            (r"Weekday: ([1-7])(?:; the room was opened on ([1-7]))?", self._day),
            (rf"({SEAT}) is dealt ({TILES})", self._deal),
            (rf"Next tiles: ((?:{TILE} ?)+)", self._next),
            (rf"Last tiles: (none|(?:{TILE} ?)+)", self._last),
        )

    def _options(self, text: str) -> None:
        self.options = read_options(text, self.key)

    def _dealer(self, letter: str, streak: str | None) -> None:
        self.dealer, self.streak = seat_of(letter), int(streak or 1)

    def _wilds(self, *tiles: str | None) -> None:
        self.wilds = tuple(tile for tile in tiles if tile)

    def _day(self, weekday: str, opened: str | None) -> None:
        self.weekday, self.opened = int(weekday), int(opened or weekday)

    def _deal(self, letter: str, tiles: str) -> None:
        self.dealt[letter] = tiles

    def _next(self, tiles: str) -> None:
        self.next = tiles.replace(" ", "")

    def _last(self, tiles: str) -> None:
        self.ends = True
        self._next("" if tiles == "none" else tiles)


class Play:
    """A golden hand in play: what has happened since the last action, and what may be done."""

    def __init__(self, setup: Setup) -> None:
        self.key = setup.key
        self.rules = ruleset(setup.key, setup.options)
        started = _started(setup, self._wall(setup))
        self.hand = begin(started)
        self.events = [started]
        self.since: list[str] = []
        self.now = play.Moment(AT, DAY, DAY, setup.weekday)
        opening = setup.opened if self.rules.weekday == "opening" else None
        self._fold(play.deal(started, self.rules, self.now, opening))

    def _wall(self, setup: Setup) -> tuple[Tile, ...]:
        kinds, players = self.rules.kinds, self.rules.players
        wild = wild_kinds(setup.options, setup.wilds)
        left = tile_set(kinds)
        left.subtract(parse_tiles("".join(setup.dealt.values()) + setup.next))
        many = [tile_text(tile) for tile, copies in left.items() if copies < 0]
        assert not many, f"there are four copies, no more, of {many}"
        dealt: list[Tile] = []
        for step in range(players):
            given = parse_tiles(setup.dealt.get(SEATS[(setup.dealer + step) % players], ""))
            dealt += filled(left, given, 13 + (step == 0), kinds, wild, aside(setup.key))
        rest = () if setup.ends else tuple(sorted(left.elements()))
        return (*dealt, *parse_tiles(setup.next), *rest)

    def _fold(self, happened: tuple[Event, ...]) -> None:
        self.since = []
        for event in happened:
            self.events.append(event)
            self.hand = evolve(self.hand, event)
            self.since += told(event)

    # --- what is done ---------------------------------------------------------------------------

    def acts(self) -> Arms[None]:
        """The lines at the margin after the deal: what the players do."""
        return ((ACT, self._act), (r"The match is dissolved", self._dissolve))

    def _act(self, *groups: Any) -> None:
        self._fold(play.play(self.hand, choice(*groups), self.rules, self.now))

    def _dissolve(self) -> None:
        self._fold(play.dissolve(self.hand, self.rules, self.now))

    def ending(self) -> Ending:
        """The settlement of a hand that has ended."""
        return Ending(settle_hand(self.hand), self.key)

    # --- what then is so ------------------------------------------------------------------------

    def facts(self) -> Arms[tuple[object, object]]:
        """The indented lines that compare: what a line says, and what is so."""
        return (
            (rf"({SEAT}) may discard only ({TILES})", self._discards),
            (rf"({SEAT}) may not {CHOICE}: (\w+), ({RULE})", self._may_not),
            (rf"({SEAT}) may (.+)", self._may),
            (rf"({SEAT}) is not asked", lambda who: ([], self._all(who))),
            (rf"({SEAT_LIST}) (?:is|are) asked", self._asked),
            (rf"({SEAT}) holds ({TILES})", self._holds),
            (rf"({SEAT}) has melded (.+)", self._melded),
            (rf"({SEAT})'s river is (empty|{TILES})", self._river),
            (rf"({SEAT}) is shown ({TILE}|nothing)", self._shown),
            (rf"({SEAT}) sees ({SEAT})'s river as ((?:{TILES}|\?)+)", self._sees),
            (rf"({SEAT}) is (frozen|ready|hard|soft)", self._declared),
            (rf"({SEAT}) is not (?:frozen|declared)", lambda who: (None, self._seat(who).declared)),
            (r"(\d+) tiles? (?:is|are) left in the wall", lambda n: (int(n), self.hand.left)),
            (rf"({SEAT}) deals next", lambda who: (who, SEATS[self.rules.next_dealer(self.hand)])),
        )

    def _seat(self, letter: str) -> Any:
        return self.hand.seats[seat_of(letter)]

    def _all(self, letter: str) -> list[str]:
        return [said(one) for one in turns.legal_actions(self.hand, seat_of(letter), self.rules)]

    def _discards(self, who: str, tiles: str) -> tuple[object, object]:
        plain = [words for words in self._all(who) if re.fullmatch(f"discard {TILE}", words)]
        return tiles, tiles_text(parse_tile(words.split()[1]) for words in plain)

    def _may(self, who: str, text: str) -> tuple[object, object]:
        """Every choice of a seat, its plain discards as one word."""
        words = [re.sub(rf"(discard) {TILE}$", r"\1", one) for one in self._all(who)]
        return sorted(text.split(", ")), sorted(set(words))

    def _may_not(self, who: str, *groups: Any) -> tuple[object, object]:
        *words, code, rule = groups
        told_so = f"{code}, {rule_of(rule, self.key)}"
        return told_so, self._refusal(choice(who, *words))

    def _refusal(self, one: Choice) -> str:
        try:
            play.play(self.hand, one, self.rules, self.now)
        except Refused as refusal:
            return f"{refusal.code}, {refusal.rule}"
        return "it may"

    def _asked(self, who: str) -> tuple[object, object]:
        open_to = [seat for seat in range(self.rules.players) if self._all(SEATS[seat])]
        return letters(seats_of(who)), letters(open_to)

    def _holds(self, who: str, tiles: str) -> tuple[object, object]:
        return tiles, tiles_text(self._seat(who).hand)

    def _melded(self, who: str, text: str) -> tuple[object, object]:
        return text, ", ".join(map(meld, self._seat(who).melds)) or "nothing"

    def _river(self, who: str, tiles: str) -> tuple[object, object]:
        return tiles, tiles_text(self._seat(who).river) or "empty"

    def _shown(self, who: str, tile: str) -> tuple[object, object]:
        """The tile of an open window as a seat sees it; one laid face down not all do."""
        window = self._seen(who).window
        seen = UNKNOWN if window is None or window.tile is None else window.tile
        return tile, "nothing" if seen == UNKNOWN else tile_text(seen)

    def _sees(self, who: str, whose: str, tiles: str) -> tuple[object, object]:
        return tiles, tiles_text(self._seen(who).seats[seat_of(whose)].river)

    def _seen(self, letter: str) -> Hand:
        """The hand as one seat sees it: by its own slots alone, until the end shows them all."""
        own = seat_of(letter)
        ended = self.hand.end is not None
        first, *others = (event if ended else _masked(event, own) for event in self.events)
        return reduce(evolve, others, begin(first))

    def _declared(self, who: str, word: str) -> tuple[object, object]:
        return word, self._seat(who).declared


def _masked(event: Event, own: int) -> Event:
    """An event without the slots of all seats but one."""
    return Event(
        event.fact, tuple(part if i == own else None for i, part in enumerate(event.slots))
    )


def _started(setup: Setup, wall: tuple[Tile, ...]) -> Event:
    rules = ruleset(setup.key, setup.options)
    players = rules.players
    fact = e.HandStarted(
        at=AT,
        number=1,
        ruleset=setup.key,
        options=write_options(rules.options),
        seats=("?",) * players,
        dealer=setup.dealer,
        streak=setup.streak,
        hands=1,
        low_score=0,
        recorder="key",
        totals=(0,) * players,
        wilds=setup.wilds,
        tiles=len(wall),
    )
    return Event(fact, slots(players, {players: e.WallBuilt(wall_text(wall), SECRET)}))


def check_played(golden: Golden) -> None:
    """Plays a golden hand; the first line that is not so, or cannot be read, is told."""
    setup = Setup(golden.ruleset)
    lines = list(golden.lines)
    while lines and not lines[0].then and fits(lines[0], setup.arms()):
        read(lines.pop(0), setup.arms())
    game = _laid_out(setup, golden.lines[0])
    ending: list[Line] = []
    for line in lines:
        if line.then and fits(line, ENDING):
            ending.append(line)
        elif line.then:
            _check_then(game, line)
        else:
            _do(game, line)
    if ending and game.hand.end is None:
        raise ending[0].fault("The hand has not ended.")
    if ending:
        game.ending().check(ending)


def _laid_out(setup: Setup, first: Line) -> Play:
    try:
        return Play(setup)
    except (AssertionError, Refused) as fault:
        raise first.fault(f"This hand cannot be dealt: {fault}") from fault


def _do(game: Play, line: Line) -> None:
    try:
        read(line, game.acts())
    except Refused as refusal:
        raise line.fault(f"It is refused: {refusal.code}, {refusal.rule}") from refusal


def _check_then(game: Play, line: Line) -> None:
    """A fact that holds, or something that has happened since, after what was told before."""
    if line.text in game.since:
        del game.since[: game.since.index(line.text) + 1]
        return
    if not fits(line, game.facts()):
        raise line.fault(f"It did not happen, or cannot be read. Not told yet: {game.since}")
    try:
        expected, found = read(line, game.facts())
    except IndexError:
        raise line.fault("There is no such seat at this table.") from None
    if expected != found:
        raise line.fault(f"But it is: {found}")
