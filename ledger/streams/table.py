"""A table 牌桌 is one match: opened, played hand by hand, closed."""

from __future__ import annotations

from collections import Counter
from typing import Any

from msgspec import Struct

from ledger import events as e
from ledger.events import Cause, Event, MatchEnd, Seat
from ledger.record import Choice
from ledger.refusal import Refused
from ledger.rules import play
from ledger.rules.catalog import ruleset
from ledger.rules.ruleset import Ruleset
from ledger.streams.entering import EnterHand, enter
from ledger.streams.match import (
    UNLIMITED,
    Admission,
    Table,
    evolve,
    fold,
    match_totals,
    next_dealer,
    starting,
)
from ledger.streams.now import Now
from ledger.streams.seats import ChangeSeats, change_seats, check_seats
from ledger.streams.ticks import Tick, tick
from ledger.streams.votes import KeepPlaying, Wish, voted
from ledger.tiles import Tiles, tile_set, tile_text, tiles_text

__all__ = [
    "MOST_HANDS",
    "Act",
    "ChangeSeats",
    "CloseTable",
    "Dissolve",
    "EnterHand",
    "KeepPlaying",
    "OpenTable",
    "StartHand",
    "Table",
    "TableCommand",
    "Tick",
    "Void",
    "Wish",
    "check_wall",
    "check_wilds",
    "decide",
    "evolve",
    "fold",
    "match_totals",
    "next_dealer",
]

MOST_HANDS = 1000


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
    """Starts the next hand with a wall and a secret (hex); wild kinds where the rules draw them.

    `weekday` is the one that counted in a hand that was played elsewhere.
    """

    wall: Tiles
    secret: str
    wilds: Tiles = ()
    at: int | None = None
    weekday: int | None = None
    admission: Admission = UNLIMITED


class Act(Struct, frozen=True):
    """What a player decided, or the recorder for a silent one."""

    choice: Choice
    cause: Cause = "player"
    at: int | None = None


class Dissolve(Struct, frozen=True):
    """Ends the match at once 解散, in the middle of a hand too; `note` is a digest.

    `wish` tells whose it was where the players voted.
    """

    note: str | None = None
    at: int | None = None
    wish: Wish | None = None


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


TableCommand = (
    OpenTable
    | StartHand
    | EnterHand
    | Act
    | Dissolve
    | KeepPlaying
    | CloseTable
    | Void
    | ChangeSeats
    | Tick
)


def decide(table: Table | None, command: TableCommand, now: Now) -> tuple[Event, ...]:
    """The events of a command on a table; nothing where the wanted state stands already."""
    if isinstance(command, OpenTable):
        return _open(table, command, ruleset(command.ruleset, command.options), now)
    if table is None:
        raise Refused("table_unknown")
    if isinstance(command, Tick):
        return tick(table, command, now)
    if _stands(table, command):
        return ()
    if table.closed is not None:
        raise Refused("table_closed", reason=table.closed)
    moment = now.moment(command.at, table.at)
    rules = ruleset(table.ruleset, table.options)
    if isinstance(command, StartHand):
        return _start(table, command, rules, moment, now.weekday(table.at))
    if isinstance(command, EnterHand):
        return _and_close(table, enter(table, command, rules, moment), rules)
    if isinstance(command, Act):
        return _act(table, command, rules, moment)
    if isinstance(command, Dissolve):
        return _dissolve(table, command, rules, moment)
    return _between(table, command, rules, moment)


def _between(
    table: Table,
    command: KeepPlaying | Void | ChangeSeats | CloseTable,
    rules: Ruleset,
    moment: play.Moment,
) -> tuple[Event, ...]:
    """What is about the match, or the whole of a hand, and no part of its play."""
    if isinstance(command, KeepPlaying):
        return voted(table, command.wish, rules, moment, passed=False)
    if isinstance(command, Void):
        return _void(table, command, moment)
    if isinstance(command, ChangeSeats):
        return change_seats(table, command, moment)
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
    players = rules.players
    check_seats(command.seats, players)
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
    wilds = tuple(map(tile_text, command.wilds))
    started = starting(
        table, rules, moment.at, wilds, command.wall, command.secret, command.admission
    )
    counts = command.weekday if rules.weekday else None
    if counts is None and rules.weekday == "opening":
        counts = table.hand.weekday if table.hand else opened
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


def _act(table: Table, command: Act, rules: Ruleset, moment: play.Moment) -> tuple[Event, ...]:
    hand = table.playing
    if hand is None:
        raise Refused("no_hand_running")
    events = play.play(hand, command.choice, rules, moment, command.cause)
    return _and_close(table, events, rules)


def _and_close(table: Table, events: tuple[Event, ...], rules: Ruleset) -> tuple[Event, ...]:
    """The events, and the close of the match when its last hand ended among them.

    A hand that is entered as dissolved ends its match too.
    """
    after: Table = table
    for event in events:
        after = evolve(after, event)
    dissolved = after.hand is not None and after.hand.end == "dissolved"
    if after.playing is not None or (after.number < after.hands and not dissolved):
        return events
    return (*events, _closed(after, "dissolved" if dissolved else "played", None, rules, after.at))


def _dissolve(
    table: Table, command: Dissolve, rules: Ruleset, moment: play.Moment
) -> tuple[Event, ...]:
    """The vote if there was one, the end of the hand that runs, if one does, and of the match."""
    wish = command.wish
    vote = () if wish is None else voted(table, wish, rules, moment, passed=True)
    ended = play.dissolve(table.playing, rules, moment) if table.playing else ()
    after: Table = table
    for event in ended:
        after = evolve(after, event)
    return (*vote, *ended, _closed(after, "dissolved", command.note, rules, moment.at))


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
