"""The list of hands 牌局: who sat, how each ended, who won how, and the points."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy import Connection, insert, select, update

from ledger.events import (
    DisputeAppealed,
    DisputeDecided,
    DisputeExpired,
    DisputeFiled,
    DisputeWithdrawn,
    Fact,
    HandCorrected,
    HandEnded,
    HandEntered,
    HandReversed,
    HandSettled,
    HandStarted,
    HandVoided,
    Won,
)
from ledger.keyset import FIRST_PAGE, Page, cut
from ledger.store import Stored
from projections.checkpoint import METADATA, Place, Projection, live_place
from projections.own import whose
from projections.recalled import filing_of

NAME = "history"

hands = sa.Table(
    "hands",
    METADATA,
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("started_position", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("table_id", sa.Text, nullable=False),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("ruleset", sa.Text, nullable=False),
    sa.Column("dealer", sa.Integer, nullable=False),
    sa.Column("seats", sa.JSON, nullable=False),
    sa.Column("recorder", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("end", sa.Text),
    sa.Column("wins", sa.JSON, nullable=False),
    sa.Column("totals", sa.JSON),
    sa.Column("started_at", sa.BigInteger, nullable=False),
    sa.Column("ended_at", sa.BigInteger),
    sa.Column("settled_at", sa.BigInteger),
    sa.Column("effective_date", sa.Text),
    sa.Column("booked_date", sa.Text),
    sa.Column("ended_version", sa.BigInteger),
    sa.Column("ended_position", sa.BigInteger),
    sa.Column("settled_position", sa.BigInteger),
    sa.Column("entered", sa.Text),
    sa.Column("revision", sa.Integer),
    sa.Column("revised_by", sa.Text),
    sa.Column("disputed", sa.Boolean, nullable=False),
    sa.Index("hands_of_table", "club", "generation", "table_id", "number", unique=True),
    sa.Index("hands_of_recorder", "club", "generation", "recorder", "started_position"),
)

hand_members = sa.Table(
    "hand_members",
    METADATA,
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("member", sa.Text, primary_key=True),
    sa.Column("started_position", sa.BigInteger, primary_key=True, autoincrement=False),
)


class HandRow(Struct, frozen=True):
    """A hand in the list: `running`, `ended`, or `settled` with its points by seat; or `voided`.

    A win has seat, tile, how and from; once settled also the patterns and their value. `entered`:
    by its `outcome` or its `totals`, where it was not played here. Points and wins are those that
    stand, at a `revision`, by the ruling of the dispute `revised_by`; of points alone there are
    no wins. It is `disputed` while somebody has yet to decide on a dispute about it.
    """

    started_position: int
    table: str
    number: int
    ruleset: str
    dealer: int
    seats: list[str]
    recorder: str
    state: str
    end: str | None
    wins: list[dict[str, Any]]
    totals: list[int] | None
    started_at: int
    ended_at: int | None
    settled_at: int | None
    effective_date: str | None
    booked_date: str | None
    ended_version: int | None
    ended_position: int | None
    settled_position: int | None
    entered: str | None
    revision: int | None
    revised_by: str | None
    disputed: bool

    @property
    def id(self) -> str:
        """The hand's id: its table's, and its number there."""
        return f"{self.table}-{self.number}"


def _started(connection: Connection, place: Place, row: Stored, fact: HandStarted) -> None:
    here = {**place.columns, "started_position": row.position}
    hand = {
        "table_id": _table_of(row),
        "number": fact.number,
        "ruleset": fact.ruleset,
        "dealer": fact.dealer,
        "seats": list(fact.seats),
        "recorder": fact.recorder,
        "state": "running",
        "wins": [],
        "started_at": fact.at,
        "disputed": False,
    }
    connection.execute(insert(hands), {**here, **hand})
    connection.execute(insert(hand_members), [{**here, "member": seat} for seat in fact.seats])


def _won(connection: Connection, place: Place, row: Stored, fact: Won) -> None:
    running = _running(place, row)
    wins = connection.execute(select(hands.c.wins).where(*running)).scalar_one()
    win = {"seat": fact.seat, "tile": fact.tile, "how": fact.how, "from": fact.from_seat}
    _change(connection, running, {"wins": [*wins, win]})


def _entered(connection: Connection, place: Place, row: Stored, fact: HandEntered) -> None:
    by = "totals" if fact.outcome is None else "outcome"
    _change(connection, _running(place, row), {"wins": _told(fact.outcome), "entered": by})


def _told(outcome: dict[str, Any] | None) -> list[dict[str, Any]]:
    """The wins that an outcome tells, where there is one."""
    names = ("seat", "tile", "how", "from")
    return [{name: win[name] for name in names} for win in (outcome or {}).get("wins", ())]


def _ended(connection: Connection, place: Place, row: Stored, fact: HandEnded) -> None:
    ended = {
        "state": "ended",
        "end": fact.end,
        **_ending(row, fact),
        "effective_date": fact.effective_date,
        "booked_date": fact.booked_date,
    }
    _change(connection, _running(place, row), ended)


def _voided(connection: Connection, place: Place, row: Stored, fact: HandVoided) -> None:
    voided = {"state": "voided", "end": "void", **_ending(row, fact)}
    _change(connection, _running(place, row), voided)


def _ending(row: Stored, fact: HandEnded | HandVoided) -> dict[str, int]:
    """When and where a hand ended."""
    return {
        "ended_at": fact.at,
        "ended_version": row.version,
        "ended_position": row.position,
    }


def _settled(connection: Connection, place: Place, row: Stored, fact: HandSettled) -> None:
    this = _this(place, fact.table, fact.number)
    wins = connection.execute(select(hands.c.wins).where(*this)).scalar_one()
    settled = {
        **_standing(row, fact, wins),
        "settled_at": row.recorded_at,
        "settled_position": row.position,
    }
    _change(connection, this, settled)


def _standing(
    row: Stored, fact: HandSettled | HandCorrected, wins: list[dict[str, Any]]
) -> dict[str, Any]:
    """What stands of a hand: its points, and its wins with what each was worth."""
    scored = {score.seat: score for score in fact.wins}
    for win in wins:
        score = scored[win["seat"]]
        win.update(patterns=list(score.patterns), value=score.value)
    totals = list(fact.totals)
    return {"state": "settled", "wins": wins, "totals": totals, "revision": row.version}


def _reversed(connection: Connection, place: Place, row: Stored, fact: HandReversed) -> None:
    """Nothing stands; where something is to stand instead, it follows at once."""
    nothing: dict[str, Any] = {
        "state": "voided",
        "wins": [],
        "totals": None,
        "revision": row.version,
        "revised_by": fact.dispute,
    }
    _change(connection, _this(place, fact.table, fact.number), nothing)


def _corrected(connection: Connection, place: Place, row: Stored, fact: HandCorrected) -> None:
    this, stands = _this(place, fact.table, fact.number), _standing(row, fact, _told(fact.outcome))
    _change(connection, this, {**stands, "revised_by": fact.dispute})


def _doubted(connection: Connection, place: Place, row: Stored, _: Fact) -> None:
    """Somebody has to decide: on what was filed, or on an appeal."""
    _set_disputed(connection, place, row, disputed=True)


def _undoubted(connection: Connection, place: Place, row: Stored, _: Fact) -> None:
    """It was decided, taken back, or nobody decided in time."""
    _set_disputed(connection, place, row, disputed=False)


def _set_disputed(connection: Connection, place: Place, row: Stored, *, disputed: bool) -> None:
    filed = filing_of(connection, row)
    _change(connection, _this(place, filed.table, filed.number), {"disputed": disputed})


HISTORY = Projection(
    NAME,
    (hands, hand_members),
    {
        HandStarted: _started,
        Won: _won,
        HandEntered: _entered,
        HandEnded: _ended,
        HandVoided: _voided,
        HandSettled: _settled,
        HandReversed: _reversed,
        HandCorrected: _corrected,
        DisputeFiled: _doubted,
        DisputeDecided: _undoubted,
        DisputeAppealed: _doubted,
        DisputeWithdrawn: _undoubted,
        DisputeExpired: _undoubted,
    },
)

_HAND = tuple(column for column in hands.c if column.name not in ("club", "generation"))


def club_hands(
    connection: Connection,
    club: str,
    page: Page = FIRST_PAGE,
    *,
    table: str | None = None,
    member: str | None = None,
    recorder: str | None = None,
) -> tuple[list[HandRow], bool]:
    """A page of the hands of a club, of one table, member or recorder, the newest first.

    Says too whether older ones follow.
    """
    live = live_place(connection, club, NAME)
    whole = select(*_HAND).where(*live.rows(hands))
    if table is not None:
        whole = whole.where(hands.c.table_id == table)
    whole = whose(whole, hands.c.started_position, hand_members, live, member, recorder)
    place = partial(_started_position, live)
    rows, more = cut(
        connection, whole, (hands.c.started_position,), hands.c.started_at, page, place
    )
    return [HandRow(*row) for row in rows], more


def ended_version(connection: Connection, club: str, table: str, number: int) -> int | None:
    """The version of its table's stream at which a hand ended; None where it is not known to."""
    this = _this(live_place(connection, club, NAME), table, number)
    found: int | None = connection.execute(select(hands.c.ended_version).where(*this)).scalar()
    return found


def _started_position(live: Place, hand: str) -> sa.Select[Any] | None:
    parts = re.fullmatch(r"(.+)-([1-9][0-9]{0,8})", hand)
    if parts is None:
        return None
    this = _this(live, parts[1], int(parts[2]))
    return select(hands.c.started_position).where(*this)


def _change(
    connection: Connection, where: tuple[sa.ColumnElement[bool], ...], to: dict[str, Any]
) -> None:
    """Change the one hand that an event is about; an event about none stops the projection."""
    connection.execute(update(hands).where(*where).values(to).returning(hands.c.number)).one()


def _running(place: Place, row: Stored) -> tuple[sa.ColumnElement[bool], ...]:
    """The hand that runs at the table of an event."""
    return *place.rows(hands), hands.c.table_id == _table_of(row), hands.c.state == "running"


def _this(place: Place, table: str, number: int) -> tuple[sa.ColumnElement[bool], ...]:
    return *place.rows(hands), hands.c.table_id == table, hands.c.number == number


def _table_of(row: Stored) -> str:
    return row.stream.removeprefix("table/")
