"""A hand at any step, as one viewer may see it: folded from the log, nothing stored."""

from __future__ import annotations

from msgspec import Struct
from sqlalchemy import Connection

from ledger import codec, sight, store
from ledger.access import Caller
from ledger.events import HandSettled, HandStarted, TableOpened
from ledger.hand import Hand, outcome
from ledger.outcome import Outcome
from ledger.record import Choice
from ledger.refusal import Refused
from ledger.rules.catalog import ruleset
from ledger.rules.turns import legal_actions
from ledger.sight import HAND_START, Seen
from ledger.store import Stored
from ledger.tiles import UNKNOWN
from projections import history

HAND_SETTLED = "HandSettled/1"
TABLE_CLOSED = "TableClosed/1"


class Replay(Struct, frozen=True):
    """A hand at a step, which is the number of its events so far; the first is its start.

    `events` are all that there are now. `legal` has the choices of each seat that the viewer
    sees, at the step. `outcome` and `settled` are the whole hand's, once they are there.
    """

    club: str
    table: str
    number: int
    seats: tuple[str, ...]
    events: list[Seen]
    step: int
    state: Hand
    legal: dict[int, tuple[Choice, ...]]
    outcome: Outcome | None
    settled: HandSettled | None


def hand_at(
    connection: Connection, caller: Caller, table: str, number: int, step: int | None = None
) -> Replay:
    """A hand after some of its events, the last where no step is named.

    Refuses `table_unknown` where the table is no business of the caller's, `hand_unknown`, and
    a step that the hand does not have (`number_range`).
    """
    club, rows = _hand_seen_by(connection, caller, table, number)
    seen = sight.see(caller, rows)
    steps = len(seen)
    if step is not None and not 1 <= step <= steps:
        raise Refused("number_range", pointer="/step", value=step, low=1, high=steps)
    state = _fold(seen[: step or steps])
    last = _fold(seen)
    return Replay(
        club=club,
        table=table,
        number=number,
        seats=_started(rows[0]).seats,
        events=seen,
        step=step or steps,
        state=state,
        legal=_legal(state),
        outcome=outcome(last) if last.end else None,
        settled=_settled(connection, club, table, number),
    )


def _hand_seen_by(
    connection: Connection, caller: Caller, table: str, number: int
) -> tuple[str, list[Stored]]:
    """The club and the events of a hand at a table that the caller may see."""
    stream = f"table/{table}"
    club = store.find_stream(connection, stream)
    if club is None or caller.club not in (club, None):
        raise Refused("table_unknown")
    rows = _hand(connection, club, stream, number)
    fact = _started(rows[0]) if rows else _opening(connection, club, stream)
    if not sight.may_see_table(caller, fact.seats, fact.recorder):
        raise Refused("table_unknown")
    if not rows:
        raise Refused("hand_unknown", table=table, hand=number)
    return club, rows


def _hand(connection: Connection, club: str, stream: str, number: int) -> list[Stored]:
    """The events of a hand.

    The list of hands says where it ended; while the list does not know, the hand is found from
    the end of the stream backwards.
    """
    upto = history.ended_version(connection, club, stream.removeprefix("table/"), number)
    rows = store.read_stream(connection, club, stream, HAND_START, upto=upto)
    while rows[0].type == HAND_START and _started(rows[0]).number > number >= 1:
        rows = store.read_stream(connection, club, stream, HAND_START, upto=rows[0].version - 1)
    found = rows[0].type == HAND_START and _started(rows[0]).number == number
    return [row for row in rows if row.type != TABLE_CLOSED] if found else []


def _started(row: Stored) -> HandStarted:
    fact = codec.unseal(row.type, row.public).fact
    assert isinstance(fact, HandStarted)
    return fact


def _opening(connection: Connection, club: str, stream: str) -> TableOpened:
    (row,) = store.read_stream(connection, club, stream, upto=1)
    fact = codec.unseal(row.type, row.public).fact
    assert isinstance(fact, TableOpened)
    return fact


def _fold(seen: list[Seen]) -> Hand:
    hand = sight.table_seen(seen).hand
    assert hand is not None
    return hand


def _legal(hand: Hand) -> dict[int, tuple[Choice, ...]]:
    """What each seat may choose whose tiles are all seen."""
    rules = ruleset(hand.ruleset, hand.options)
    seen = [seat for seat, player in enumerate(hand.seats) if UNKNOWN not in player.hand]
    return {seat: legal_actions(hand, seat, rules) for seat in seen}


def _settled(connection: Connection, club: str, table: str, number: int) -> HandSettled | None:
    """The settlement that stands now, if the hand is settled."""
    rows = store.read_stream(connection, club, f"hand/{table}/{number}", HAND_SETTLED)
    if not rows:
        return None
    fact = codec.unseal(rows[0].type, rows[0].public).fact
    assert isinstance(fact, HandSettled)
    return fact
