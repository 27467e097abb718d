"""The operator log 操作日志: who did what to a club, in which role, and what it was before."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy import Connection, insert, select

from ledger.events import (
    ClubFounded,
    Fact,
    HandEntered,
    HandVoided,
    InvitationAccepted,
    InvitationRevoked,
    Invited,
    KeyIssued,
    KeyRevoked,
    LinkIssued,
    MemberForgotten,
    MemberJoined,
    PersonForgotten,
    RolesChanged,
    TableClosed,
)
from ledger.keyset import FIRST_PAGE, Page, cut, position_in
from ledger.store import Stored
from projections.checkpoint import METADATA, Place, Projection, live_place

NAME = "operator_log"
ACTS: dict[type[Fact], str] = {
    ClubFounded: "club_founded",
    KeyIssued: "key_issued",
    KeyRevoked: "key_revoked",
    MemberJoined: "member_joined",
    Invited: "invited",
    InvitationAccepted: "invitation_accepted",
    InvitationRevoked: "invitation_revoked",
    RolesChanged: "roles_changed",
    LinkIssued: "link_issued",
    PersonForgotten: "person_forgotten",
    MemberForgotten: "member_forgotten",
    HandEntered: "hand_entered",
    HandVoided: "hand_voided",
    TableClosed: "table_closed",
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
        "before": _last(connection, place, target) if isinstance(fact, RolesChanged) else None,
        "after": after,
        "note": getattr(fact, "note", None),
    }
    connection.execute(insert(acts).values(**place.columns, **done))


def _target(row: Stored, fact: Fact) -> str:
    """What was acted on: a key, or that which the stream is about."""
    if isinstance(fact, KeyIssued | KeyRevoked):
        return fact.key
    return row.stream.partition("/")[2] or row.club


def _told(fact: Fact) -> dict[str, Any] | None:
    """How it stands afterwards, in what an event says of it."""
    said = {name: getattr(fact, name) for name in fact.__struct_fields__}
    for name in ("at", "note", "key", "secret"):
        said.pop(name, None)
    return said or None


def _last(connection: Connection, place: Place, target: str) -> dict[str, Any] | None:
    """The roles that somebody had before they were changed, and as which member."""
    with_roles = acts.c.act.in_((ACTS[Invited], ACTS[RolesChanged]))
    found = (
        select(acts.c.after)
        .where(*place.rows(acts), acts.c.target == target, with_roles)
        .order_by(acts.c.position.desc())
        .limit(1)
    )
    last: dict[str, Any] = connection.execute(found).scalar_one()
    return {"roles": last["roles"], "member": last["member"]}


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
