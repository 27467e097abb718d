"""The operator log 操作日志: who did what to a club, in which role, and what it was before."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy import Connection, insert, select

from ledger import events as e
from ledger.events import Fact
from ledger.keyset import FIRST_PAGE, Page, cut, in_parts, position_in
from ledger.store import Stored
from projections.checkpoint import METADATA, Place, Projection, live_place

NAME = "operator_log"
ACTS: dict[type[Fact], str] = {
    e.ClubFounded: "club_founded",
    e.KeyIssued: "key_issued",
    e.KeyRevoked: "key_revoked",
    e.LimitsSet: "limits_set",
    e.DeadlinesSet: "deadlines_set",
    e.MemberJoined: "member_joined",
    e.MemberLimitsSet: "member_limits_set",
    e.MemberBarred: "member_barred",
    e.MemberReadmitted: "member_readmitted",
    e.MemberLeft: "member_left",
    e.MemberReturned: "member_returned",
    e.MemberGrouped: "member_grouped",
    e.MemberForgotten: "member_forgotten",
    e.Invited: "invited",
    e.InvitationAccepted: "invitation_accepted",
    e.InvitationRevoked: "invitation_revoked",
    e.RolesChanged: "roles_changed",
    e.LinkIssued: "link_issued",
    e.PersonForgotten: "person_forgotten",
    e.HandEntered: "hand_entered",
    e.HandVoided: "hand_voided",
    e.SeatsChanged: "seats_changed",
    e.DissolutionVoted: "dissolution_voted",
    e.TableClosed: "table_closed",
    e.TableTicked: "table_ticked",
    e.HandReversed: "hand_reversed",
    e.HandCorrected: "hand_corrected",
    e.AllowanceRequested: "allowance_requested",
    e.AllowanceApproved: "allowance_approved",
    e.AllowanceRefused: "allowance_refused",
    e.AllowanceReversed: "allowance_reversed",
    e.DisputeFiled: "dispute_filed",
    e.DisputeAnswered: "dispute_answered",
    e.DecisionProposed: "decision_proposed",
    e.DisputeDecided: "dispute_decided",
    e.DisputeAppealed: "dispute_appealed",
    e.DisputeWithdrawn: "dispute_withdrawn",
    e.PeriodClosed: "period_closed",
    e.PeriodReopened: "period_reopened",
    e.BalanceConfirmed: "balance_confirmed",
    e.BalanceContested: "balance_contested",
}
"""What each event is called that an officer of the club brings about."""

acts = sa.Table(
    "operator_acts",
    METADATA,
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("position", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("actor", sa.Text, nullable=False),
    sa.Column("role", sa.Text, nullable=False),
    sa.Column("act", sa.Text, nullable=False),
    sa.Column("target", sa.Text, nullable=False),
    sa.Column("before", sa.JSON),
    sa.Column("after", sa.JSON),
    sa.Column("note", sa.Text),
    sa.Index("operator_acts_of_target", "club", "generation", "target", "position"),
    sa.Index("operator_acts_of_actor", "club", "generation", "actor", "position"),
)


FORMER: dict[type[Fact], tuple[type[Fact], ...]] = {
    e.RolesChanged: (e.Invited, e.RolesChanged),
    e.LimitsSet: (e.LimitsSet,),
    e.DeadlinesSet: (e.DeadlinesSet,),
    e.MemberLimitsSet: (e.MemberLimitsSet,),
    e.MemberGrouped: (e.MemberGrouped,),
}
"""Whose words tell how it stood before an act, where something stood."""
ELSEWHERE = ("at", "note", "key", "secret", "by", "outcome", "payments", "wins", "not_counted")
"""What an act does not tell again: it stands in its row, or in the hand and the dispute."""


class ActRow(Struct, frozen=True):
    """What somebody did: to what, and how it stood before and after; the note is a digest."""

    position: int
    at: int
    actor: str
    role: str
    act: str
    target: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    note: str | None

    @property
    def id(self) -> str:
        """The act's number, made of its position, so that a rebuild gives the same."""
        return f"act_{self.position}"


def _acted(connection: Connection, place: Place, row: Stored, fact: Fact) -> None:
    """Note an act. What a recorder and a worker do is play, and stands in the log alone."""
    if row.role in ("recorder", "worker"):
        return
    target, after = _target(row, fact), _told(fact)
    done = {
        "position": row.position,
        "at": row.recorded_at,
        "actor": row.actor,
        "role": row.role,
        "act": ACTS[type(fact)],
        "target": target,
        "before": _before(connection, place, target, fact),
        "after": after,
        "note": getattr(fact, "note", None),
    }
    connection.execute(insert(acts).values(**place.columns, **done))


def _target(row: Stored, fact: Fact) -> str:
    """What was acted on: a key, a hand, or that which the stream is about."""
    if isinstance(fact, e.KeyIssued | e.KeyRevoked):
        return fact.key
    return row.stream.partition("/")[2].replace("/", "-") or row.club


def _told(fact: Fact) -> dict[str, Any] | None:
    """How it stands afterwards, in what an event says of it."""
    if isinstance(fact, e.HandReversed):
        return None
    said = msgspec.to_builtins(fact)
    return {name: value for name, value in said.items() if name not in ELSEWHERE} or None


def _before(connection: Connection, place: Place, target: str, fact: Fact) -> dict[str, Any] | None:
    """How it stood before: as the last act on the same told it, or the points that are undone."""
    if isinstance(fact, e.HandReversed):
        return {"totals": [-points for points in fact.totals]}
    if type(fact) not in FORMER:
        return None
    former = acts.c.act.in_([ACTS[one] for one in FORMER[type(fact)]])
    found = (
        select(acts.c.after)
        .where(*place.rows(acts), acts.c.target == target, former)
        .order_by(acts.c.position.desc())
        .limit(1)
    )
    last: dict[str, Any] | None = connection.execute(found).scalar_one_or_none()
    return last and {name: last[name] for name in fact.__struct_fields__}


OPERATOR_LOG = Projection(NAME, (acts,), dict.fromkeys(ACTS, _acted))
_ACT = tuple(column for column in acts.c if column.name not in ("club", "generation"))


def club_acts(
    connection: Connection, club: str, page: Page = FIRST_PAGE, **wanted: str | None
) -> tuple[list[ActRow], bool]:
    """A page of what was done to a club, the newest first, and whether older acts follow.

    `wanted` narrows it by actor, role, act or target.
    """
    live = live_place(connection, club, NAME)
    whole = select(*_ACT).where(*live.rows(acts))
    for name, value in wanted.items():
        if value is not None:
            whole = whole.where(acts.c[name] == value)

    def place(act: str) -> sa.Select[Any] | None:
        position = position_in("act", act)
        named = select(acts.c.position).where(*live.rows(acts))
        return None if position is None else named.where(acts.c.position == position)

    rows, more = cut(connection, whole, (acts.c.position,), acts.c.at, page, place)
    return [ActRow(*row) for row in rows], more


def every_act(connection: Connection, club: str, upto: int) -> Iterator[ActRow]:
    """What was done to a club up to a position, the oldest first, a part in memory at a time."""
    live = live_place(connection, club, NAME)
    whole = select(*_ACT).where(*live.rows(acts), acts.c.position <= upto)
    for row in in_parts(connection, whole.order_by(acts.c.position)):
        yield ActRow(*row)
