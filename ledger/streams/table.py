"""A table 牌桌 is one match: opened, played hand by hand, closed.

Every hand starts with an event that carries all it needs from before, so the state of a table
is folded from its latest hand's start.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ledger import events as e
from ledger.events import Cause, Event, MatchEnd, Seat
from ledger.evolve import begin
from ledger.evolve import evolve as evolve_hand
from ledger.hand import Hand
from ledger.record import Choice
from ledger.refusal import Refused
from ledger.rules import play
from ledger.rules.catalog import ruleset, settle_hand
from ledger.rules.ruleset import Ruleset
from ledger.streams.now import Now
from ledger.tiles import Tiles, tile_set, tile_text, tiles_text, wall_text

MOST_HANDS = 1000


class Table(Struct, frozen=True):
    """A table at one moment. `totals` are the points of the hands before the current one."""

    ruleset: str
    options: dict[str, Any]
    seats: tuple[str, ...]
    hands: int
    low_score: int
    recorder: str
    dealer: Seat
    totals: tuple[int, ...]
    at: int
    hand: Hand | None = None
    closed: MatchEnd | None = None

    @property
    def number(self) -> int:
        """The number of the hand that runs or ended last; 0 before the first."""
        return 0 if self.hand is None else self.hand.number

    @property
    def playing(self) -> Hand | None:
        """The hand that runs, if one does."""
        return self.hand if self.hand is not None and self.hand.end is None else None


class OpenTable(Struct, frozen=True):
    """Opens a match; `dealer` deals first. Texts are digests."""

    ruleset: str
    options: dict[str, Any]
    seats: tuple[str, ...]
    hands: int
    low_score: int
    dealer: Seat
    recorder: str
    room: str | None = None
    floor: str | None = None
    ref: str | None = None
    at: int | None = None


class StartHand(Struct, frozen=True):
    """Starts the next hand with a wall and a secret (hex); wild kinds where the rules draw them."""

    wall: Tiles
    secret: str
    wilds: Tiles = ()
    at: int | None = None


class Act(Struct, frozen=True):
    """What a player decided, or the recorder for a silent one."""

    choice: Choice
    cause: Cause = "player"
    at: int | None = None


class Dissolve(Struct, frozen=True):
    """Ends the match at once 解散, in the middle of a hand too; `note` is a digest."""

    note: str | None = None
    at: int | None = None


class CloseTable(Struct, frozen=True):
    """Ends the match between two hands; `note` is a digest."""

    note: str | None = None
    at: int | None = None


class Void(Struct, frozen=True):
    """Ends a spoiled hand 作废 so that it does not count; `note` is a digest of why.

    It names the hand, so that an order that comes late voids no other.
    """

    hand: int
    note: str
    at: int | None = None


TableCommand = OpenTable | StartHand | Act | Dissolve | CloseTable | Void


def fold(events: Iterable[Event]) -> Table | None:
    """The state of a table from its events, which begin with its opening or a hand's start."""
    table: Table | None = None
    for event in events:
        table = evolve(table, event)
    return table


def evolve(table: Table | None, event: Event) -> Table:
    """The table after one more of its events."""
    fact = event.fact
    if isinstance(fact, e.TableOpened):
        return _opened(fact)
    if isinstance(fact, e.HandStarted):
        return _started(event, fact)
    assert table is not None
    if isinstance(fact, e.TableClosed):
        return replace(table, at=fact.at, closed=fact.reason, totals=fact.totals)
    assert table.hand is not None
    hand = evolve_hand(table.hand, event)
    hands = fact.hands if isinstance(fact, e.HandVoided) else table.hands
    return replace(table, at=hand.at, hand=hand, hands=hands)


def _opened(fact: e.TableOpened) -> Table:
    return Table(
        ruleset=fact.ruleset,
        options=fact.options,
        seats=fact.seats,
        hands=fact.hands,
        low_score=fact.low_score,
        recorder=fact.recorder,
        dealer=fact.dealer,
        totals=(0,) * len(fact.seats),
        at=fact.at,
    )


def _started(event: Event, fact: e.HandStarted) -> Table:
    return Table(
        ruleset=fact.ruleset,
        options=fact.options,
        seats=fact.seats,
        hands=fact.hands,
        low_score=fact.low_score,
        recorder=fact.recorder,
        dealer=fact.dealer,
        totals=fact.totals,
        at=fact.at,
        hand=begin(event),
    )


def decide(table: Table | None, command: TableCommand, now: Now) -> tuple[Event, ...]:
    """The events of a command on a table; nothing where the wanted state stands already."""
    if isinstance(command, OpenTable):
        return _open(table, command, ruleset(command.ruleset, command.options), now)
    if table is None:
        raise Refused("table_unknown")
    if _stands(table, command):
        return ()
    if table.closed is not None:
        raise Refused("table_closed", reason=table.closed)
    moment = now.moment(command.at, table.at)
    rules = ruleset(table.ruleset, table.options)
    if isinstance(command, StartHand):
        return _start(table, command, rules, moment, now.weekday(table.at))
    if isinstance(command, Act):
        return _act(table, command, rules, moment)
    if isinstance(command, Dissolve):
        return _dissolve(table, command, rules, moment)
    if isinstance(command, Void):
        return _void(table, command, moment)
    return _close(table, command, rules, moment)


def _stands(table: Table, command: TableCommand) -> bool:
    """Whether the end that a command asks for is there already."""
    if isinstance(command, Void):
        hand = table.hand
        return hand is not None and hand.number == command.hand and hand.end == "void"
    wanted = {Dissolve: "dissolved", CloseTable: "closed"}.get(type(command))
    return wanted is not None and wanted == table.closed


def _open(table: Table | None, command: OpenTable, rules: Ruleset, now: Now) -> tuple[Event, ...]:
    if table is not None:
        raise Refused("table_exists")
    _check_opening(command, rules)
    opened = e.TableOpened(
        ruleset=rules.key,
        options=rules.written_options,
        hands=command.hands,
        low_score=command.low_score,
        seats=command.seats,
        dealer=command.dealer,
        recorder=command.recorder,
        room=command.room,
        floor=command.floor,
        ref=command.ref,
        at=now.moment(command.at, 0).at,
    )
    return (Event(opened),)


def _check_opening(command: OpenTable, rules: Ruleset) -> None:
    seats, players = len(command.seats), rules.players
    if seats != players:
        raise Refused("seats_count", pointer="/seats", seats=seats, players=players)
    if len(set(command.seats)) != seats:
        raise Refused("member_seated_twice", pointer="/seats")
    if not 0 <= command.dealer < players:
        raise Refused("seat_unknown", pointer="/dealer", seat=command.dealer, players=players)
    if not 1 <= command.hands <= MOST_HANDS:
        raise Refused("number_range", pointer="/hands", value=command.hands, low=1, high=MOST_HANDS)


def _start(
    table: Table, command: StartHand, rules: Ruleset, moment: play.Moment, opened: int
) -> tuple[Event, ...]:
    """The start of the next hand, its deal, and what follows.

    `opened` is the weekday of the match's opening 建房当天 until there is a hand. Where that
    day counts, each hand hands it on to the next: a table is folded from its latest.
    """
    if table.playing is not None:
        raise Refused("hand_running", hand=table.number)
    check_wall(command.wall, rules)
    check_wilds(command.wilds, rules)
    dealer, streak = next_dealer(table, rules)
    started = Event(
        e.HandStarted(
            at=moment.at,
            number=table.number + 1,
            ruleset=table.ruleset,
            options=table.options,
            seats=table.seats,
            dealer=dealer,
            streak=streak,
            hands=table.hands,
            low_score=table.low_score,
            recorder=table.recorder,
            totals=match_totals(table, rules),
            wilds=tuple(map(tile_text, command.wilds)),
            tiles=len(command.wall),
        ),
        e.slots(
            rules.players,
            {rules.players: e.WallBuilt(wall_text(command.wall), command.secret)},
        ),
    )
    counts = (table.hand.weekday if table.hand else opened) if rules.weekday == "opening" else None
    return _and_close(table, (started, *play.deal(started, rules, moment, counts)), rules)


def check_wall(wall: Tiles, rules: Ruleset) -> None:
    """Refuses a wall that is not four of each kind in play (`wall_composition`)."""
    counts, whole = Counter(wall), tile_set(rules.kinds)
    for kind in sorted(counts.keys() | whole.keys()):
        if counts[kind] != whole[kind]:
            raise Refused(
                "wall_composition",
                pointer="/wall",
                tile=tile_text(kind),
                copies=counts[kind],
                expected=whole[kind],
            )


def check_wilds(wilds: Tiles, rules: Ruleset) -> None:
    """Refuses wild kinds that this game does not draw (`wilds_drawn`)."""
    allowed = set(wilds) <= set(rules.wild_kinds) and len(set(wilds)) == len(wilds)
    if not allowed or len(wilds) != rules.wild_count:
        raise Refused(
            "wilds_drawn",
            pointer="/wilds",
            count=rules.wild_count,
            allowed=tiles_text(rules.wild_kinds),
        )


def next_dealer(table: Table, rules: Ruleset) -> tuple[Seat, int]:
    """Who deals the next hand, and the how-manieth in a row it is; after a void one all stays."""
    if table.hand is None:
        return table.dealer, 1
    if table.hand.end == "void":
        return table.hand.dealer, table.hand.streak
    dealer = rules.next_dealer(table.hand)
    return dealer, table.hand.streak + 1 if dealer == table.hand.dealer else 1


def match_totals(table: Table, rules: Ruleset) -> tuple[int, ...]:
    """The points of the match by seat, the hand that ended last included; a void one has none."""
    if table.hand is None or table.hand.end in (None, "void"):
        return table.totals
    settled = settle_hand(table.hand).totals
    return tuple(before + won for before, won in zip(table.totals, settled, strict=True))


def _act(table: Table, command: Act, rules: Ruleset, moment: play.Moment) -> tuple[Event, ...]:
    hand = table.playing
    if hand is None:
        raise Refused("no_hand_running")
    events = play.play(hand, command.choice, rules, moment, command.cause)
    return _and_close(table, events, rules)


def _and_close(table: Table, events: tuple[Event, ...], rules: Ruleset) -> tuple[Event, ...]:
    """The events, and the close of the match when its last hand ended among them."""
    after: Table = table
    for event in events:
        after = evolve(after, event)
    if after.playing is not None or after.number < after.hands:
        return events
    return (*events, _closed(after, "played", None, rules, after.at))


def _dissolve(
    table: Table, command: Dissolve, rules: Ruleset, moment: play.Moment
) -> tuple[Event, ...]:
    """The end of the hand that runs, if one does, and of the match."""
    ended = play.dissolve(table.playing, rules, moment) if table.playing else ()
    after: Table = table
    for event in ended:
        after = evolve(after, event)
    return (*ended, _closed(after, "dissolved", command.note, rules, moment.at))


def _void(table: Table, command: Void, moment: play.Moment) -> tuple[Event, ...]:
    """The end of the hand that runs; it books nothing, and the match has one more instead."""
    if table.playing is None or table.playing.number != command.hand:
        raise Refused("hand_not_running", hand=command.hand)
    secret, hands = table.playing.secret, table.hands + 1
    return (Event(e.HandVoided(moment.at, secret, command.note, hands)),)


def _close(
    table: Table, command: CloseTable, rules: Ruleset, moment: play.Moment
) -> tuple[Event, ...]:
    if table.playing is not None:
        raise Refused("hand_running", hand=table.number)
    return (_closed(table, "closed", command.note, rules, moment.at),)


def _closed(table: Table, reason: MatchEnd, note: str | None, rules: Ruleset, at: int) -> Event:
    totals = match_totals(table, rules)
    return Event(e.TableClosed(at, reason, note, table.number, totals))
