"""The list of disputes 争议: who doubts which hand, how far each has come, and what was decided."""

from __future__ import annotations

from functools import partial
from typing import Any

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy import Connection, insert, select, update

from ledger.events import (
    DecisionProposed,
    DisputeAnswered,
    DisputeAppealed,
    DisputeDecided,
    DisputeExpired,
    DisputeFiled,
    DisputeWithdrawn,
    EvidenceLocked,
    Fact,
    HandCorrected,
    HandReversed,
)
from ledger.keyset import FIRST_PAGE, Page, cut
from ledger.store import Stored
from projections.checkpoint import METADATA, Place, Projection, live_generations, live_place
from projections.own import whose

NAME = "disputes"
STEPS: dict[type[Fact], str] = {
    DisputeFiled: "filed",
    EvidenceLocked: "evidence_locked",
    DisputeAnswered: "answered",
    DecisionProposed: "proposed",
    DisputeDecided: "decided",
    DisputeAppealed: "appealed",
    DisputeWithdrawn: "withdrawn",
    DisputeExpired: "expired",
    HandReversed: "reversed",
    HandCorrected: "corrected",
}
"""What each event is called in the history of a dispute."""

TOLD = (
    *("totals", "outcome", "stake", "revision", "ruleset"),
    *("first", "last", "settled", "position", "hash"),
    *("ruling", "reason", "rule", "proposed_by", "final"),
    *("answer_until", "decide_until", "appeal_until"),
    *("effective_date", "booked_date"),
)
"""What a step tells besides who took it, of those that its event has."""

disputes = sa.Table(
    "disputes",
    METADATA,
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("filed_position", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("dispute", sa.Text, nullable=False),
    sa.Column("table_id", sa.Text, nullable=False),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("seats", sa.JSON, nullable=False),
    sa.Column("member", sa.Text),
    sa.Column("opened_by", sa.Text, nullable=False),
    sa.Column("opened_at", sa.BigInteger, nullable=False),
    sa.Column("claim", sa.Text),
    sa.Column("totals", sa.JSON),
    sa.Column("stake", sa.BigInteger, nullable=False),
    sa.Column("note", sa.Text),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("answer_until", sa.BigInteger, nullable=False),
    sa.Column("decide_until", sa.BigInteger),
    sa.Column("appeal_until", sa.BigInteger),
    sa.Column("ruling", sa.Text),
    sa.Column("reason", sa.Text),
    sa.Column("rule", sa.Text),
    sa.Column("decided_by", sa.Text),
    sa.Column("proposed_by", sa.Text),
    sa.Column("decided_at", sa.BigInteger),
    sa.Column("proposal_of", sa.Text),
    sa.Column("entries", sa.JSON, nullable=False),
    sa.Column("is_open", sa.Boolean, nullable=False),
    sa.Index("disputes_by_id", "club", "generation", "dispute", unique=True),
    sa.Index("disputes_of_table", "club", "generation", "table_id", "filed_position"),
    sa.Index("disputes_by_state", "club", "generation", "state", "filed_position"),
    sa.Index("disputes_open", "club", "generation", "is_open", "filed_position"),
    sa.Index("disputes_due", "club", "generation", "decide_until"),
)

dispute_members = sa.Table(
    "dispute_members",
    METADATA,
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("member", sa.Text, primary_key=True),
    sa.Column("filed_position", sa.BigInteger, primary_key=True, autoincrement=False),
)

dispute_steps = sa.Table(
    "dispute_steps",
    METADATA,
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("filed_position", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("position", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("step", sa.Text, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("actor", sa.Text, nullable=False),
    sa.Column("role", sa.Text, nullable=False),
    sa.Column("member", sa.Text),
    sa.Column("note", sa.Text),
    sa.Column("told", sa.JSON, nullable=False),
)


class DisputeRow(Struct, frozen=True):
    """A dispute in the list: `open`, `answered`, `decided`, `appealed`, or how it ended.

    It ends `final`, `withdrawn` or `expired`; what is `decided` may be appealed against until
    `appeal_until`. `claim` says how the claim is told, by `totals` or by an `outcome`; None where
    there is none. `decide_until` is None where nobody has to decide. `proposal_of` is who
    proposed a decision that waits for a second person. `entries` are the positions at which the
    hand was reversed and corrected.
    """

    filed_position: int
    id: str
    table: str
    number: int
    seats: list[str]
    member: str | None
    opened_by: str
    opened_at: int
    claim: str | None
    totals: list[int] | None
    stake: int
    note: str | None
    state: str
    answer_until: int
    decide_until: int | None
    appeal_until: int | None
    ruling: str | None
    reason: str | None
    rule: str | None
    decided_by: str | None
    proposed_by: str | None
    decided_at: int | None
    proposal_of: str | None
    entries: list[int]

    def due(self, now: int) -> int | None:
        """The next deadline at a moment, or one that was missed; None where nothing waits."""
        ends = {
            "open": (self.answer_until, self.decide_until),
            "decided": (self.appeal_until,),
        }.get(self.state, (self.decide_until,))
        ahead = (end for end in ends if end is not None and now <= end)
        return next(ahead, self.decide_until)


class StepRow(Struct, frozen=True):
    """A step in the history of a dispute, and what its event tells besides; notes are digests."""

    position: int
    step: str
    at: int
    actor: str
    role: str
    member: str | None
    note: str | None
    told: dict[str, Any]


def _filed(connection: Connection, place: Place, row: Stored, fact: DisputeFiled) -> None:
    here = {**place.columns, "filed_position": row.position}
    claims = {"totals": fact.totals, "outcome": fact.outcome}
    dispute = {
        "dispute": row.stream.removeprefix("dispute/"),
        "table_id": fact.table,
        "number": fact.number,
        "seats": fact.seats,
        "member": fact.member,
        "opened_by": fact.by,
        "opened_at": fact.at,
        "claim": next((name for name, told in claims.items() if told is not None), None),
        "totals": fact.totals,
        "stake": fact.stake,
        "note": fact.note,
        "state": "open",
        "answer_until": fact.answer_until,
        "decide_until": fact.decide_until,
        "entries": [],
        "is_open": True,
    }
    connection.execute(insert(disputes), {**here, **dispute})
    connection.execute(insert(dispute_members), [{**here, "member": seat} for seat in fact.seats])
    _step(connection, place, row, fact)


def _answered(connection: Connection, place: Place, row: Stored, fact: DisputeAnswered) -> None:
    _change(connection, place, row, fact, state="answered")


def _proposed(connection: Connection, place: Place, row: Stored, fact: DecisionProposed) -> None:
    _change(connection, place, row, fact, proposal_of=fact.by)


def _decided(connection: Connection, place: Place, row: Stored, fact: DisputeDecided) -> None:
    decided = {
        "ruling": fact.ruling,
        "reason": fact.reason,
        "rule": fact.rule,
        "decided_by": fact.by,
        "proposed_by": fact.proposed_by,
        "decided_at": fact.at,
        "appeal_until": fact.appeal_until,
    }
    state = "final" if fact.final else "decided"
    _change(connection, place, row, fact, **_NOBODY_DECIDES, state=state, **decided)


def _appealed(connection: Connection, place: Place, row: Stored, fact: DisputeAppealed) -> None:
    again = {"is_open": True, "decide_until": fact.decide_until}
    _change(connection, place, row, fact, state="appealed", **again)


def _withdrawn(connection: Connection, place: Place, row: Stored, fact: DisputeWithdrawn) -> None:
    _change(connection, place, row, fact, **_NOBODY_DECIDES, state="withdrawn")


def _expired(connection: Connection, place: Place, row: Stored, fact: DisputeExpired) -> None:
    """An appeal on which nobody decided leaves the first ruling as it is, for good."""
    state = sa.case((disputes.c.ruling.is_(None), "expired"), else_="final")
    _change(connection, place, row, fact, **_NOBODY_DECIDES, state=state)


def _revised(
    connection: Connection, place: Place, row: Stored, fact: HandReversed | HandCorrected
) -> None:
    found = select(disputes.c.entries).where(*_this(place, fact.dispute))
    entries = [*connection.execute(found).scalar_one(), row.position]
    _change(connection, place, row, fact, entries=entries)


_NOBODY_DECIDES = {"is_open": False, "decide_until": None, "proposal_of": None}


def _change(connection: Connection, place: Place, row: Stored, fact: Fact, **to: object) -> None:
    """Change the dispute that an event is about, and note the step."""
    this = _this(place, _about(row, fact))
    connection.execute(update(disputes).where(*this).values(to))
    _step(connection, place, row, fact)


def _step(connection: Connection, place: Place, row: Stored, fact: Fact) -> None:
    """Note a step of a dispute; an event about none stops the projection."""
    found = select(disputes.c.filed_position).where(*_this(place, _about(row, fact)))
    step = {
        "filed_position": connection.execute(found).scalar_one(),
        "position": row.position,
        "step": STEPS[type(fact)],
        "at": getattr(fact, "at", row.recorded_at),
        "actor": row.actor,
        "role": row.role,
        "member": getattr(fact, "member", None),
        "note": getattr(fact, "note", None),
        "told": {name: getattr(fact, name) for name in TOLD if hasattr(fact, name)},
    }
    connection.execute(insert(dispute_steps), {**place.columns, **step})


def _about(row: Stored, fact: Fact) -> str:
    """The id of the dispute that an event is about: its own, or by which a hand is revised."""
    dispute: str = getattr(fact, "dispute", row.stream.removeprefix("dispute/"))
    return dispute


def _this(place: Place, dispute: str) -> tuple[sa.ColumnElement[bool], ...]:
    return *place.rows(disputes), disputes.c.dispute == dispute


DISPUTES = Projection(
    NAME,
    (disputes, dispute_members, dispute_steps),
    {
        DisputeFiled: _filed,
        EvidenceLocked: _step,
        DisputeAnswered: _answered,
        DecisionProposed: _proposed,
        DisputeDecided: _decided,
        DisputeAppealed: _appealed,
        DisputeWithdrawn: _withdrawn,
        DisputeExpired: _expired,
        HandReversed: _revised,
        HandCorrected: _revised,
    },
)

_DISPUTE = tuple(
    column for column in disputes.c if column.name not in ("club", "generation", "is_open")
)
_STEP = tuple(
    column
    for column in dispute_steps.c
    if column.name not in ("club", "generation", "filed_position")
)


def club_disputes(
    connection: Connection,
    club: str,
    page: Page = FIRST_PAGE,
    *,
    state: str | None = None,
    member: str | None = None,
    table: str | None = None,
    open: bool | None = None,
) -> tuple[list[DisputeRow], bool]:
    """A page of the disputes of a club, the newest first, and whether older ones follow.

    Those in one state, about hands in which a member sat, about hands of a table; those that
    somebody has yet to decide (`open`), or the others.
    """
    live = live_place(connection, club, NAME)
    whole = select(*_DISPUTE).where(*live.rows(disputes))
    if state is not None:
        whole = whole.where(disputes.c.state == state)
    if table is not None:
        whole = whole.where(disputes.c.table_id == table)
    if open is not None:
        whole = whole.where(disputes.c.is_open == open)
    order = disputes.c.filed_position
    whole = whose(whole, order, dispute_members, live, member, None)
    place = partial(_filed_position, live)
    rows, more = cut(connection, whole, (order,), disputes.c.opened_at, page, place)
    return [DisputeRow(*row) for row in rows], more


def dispute(
    connection: Connection, club: str, dispute: str
) -> tuple[DisputeRow, list[StepRow]] | None:
    """A dispute and the steps of its history in order; None where there is none of this id."""
    live = live_place(connection, club, NAME)
    found = connection.execute(select(*_DISPUTE).where(*_this(live, dispute))).one_or_none()
    if found is None:
        return None
    row = DisputeRow(*found)
    mine = dispute_steps.c.filed_position == row.filed_position
    steps = select(*_STEP).where(*live.rows(dispute_steps), mine)
    taken = connection.execute(steps.order_by(dispute_steps.c.position))
    return row, [StepRow(*step) for step in taken]


def open_of_hand(connection: Connection, club: str, table: str, number: int) -> str | None:
    """The dispute about a hand that somebody has yet to decide, if there is one."""
    live = live_place(connection, club, NAME)
    of_hand = (disputes.c.table_id == table, disputes.c.number == number)
    is_open = disputes.c.is_open == sa.true()
    found = select(disputes.c.dispute).where(*live.rows(disputes), *of_hand, is_open)
    return connection.execute(found).scalar_one_or_none()


def open_tables(connection: Connection, club: str) -> sa.Select[Any]:
    """The tables of a club with a hand that is in dispute."""
    live = live_place(connection, club, NAME)
    waits = disputes.c.decide_until.is_not(None)
    return select(disputes.c.table_id).where(*live.rows(disputes), waits)


def overdue(connection: Connection, now: int) -> list[tuple[str, str]]:
    """The disputes of all clubs on which nobody has decided in time, each with its club."""
    is_live = (
        (live_generations.c.projection == NAME)
        & (live_generations.c.club == disputes.c.club)
        & (live_generations.c.generation == disputes.c.generation)
    )
    found = (
        select(disputes.c.club, disputes.c.dispute)
        .join(live_generations, is_live)
        .where(disputes.c.decide_until < now)
        .order_by(disputes.c.decide_until)
    )
    return [(row.club, row.dispute) for row in connection.execute(found)]


def _filed_position(live: Place, dispute: str) -> sa.Select[Any]:
    return select(disputes.c.filed_position).where(*_this(live, dispute))
