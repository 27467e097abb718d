"""People: who they are, what they may do in which club, and how they are known again.

Passwords are kept as argon2 hashes; links and sessions are random secrets of which only the
SHA-256 is kept. Nothing here is in events, which tell people by opaque ids.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from msgspec import Struct
from msgspec.structs import asdict, replace
from sqlalchemy import Connection, bindparam, insert, select, update
from sqlalchemy.exc import IntegrityError

from ledger import access
from ledger.access import METADATA, Caller
from ledger.keyset import Page, cut
from ledger.passwords import plain_login
from ledger.refusal import Refused

people = sa.Table(
    "people",
    METADATA,
    sa.Column("person", sa.Text, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("login", sa.Text, unique=True),
    sa.Column("password_hash", sa.Text),
    sa.Column("created_at", sa.BigInteger, nullable=False),
    sa.Column("forgotten_at", sa.BigInteger),
)

memberships = sa.Table(
    "memberships",
    METADATA,
    sa.Column("membership", sa.Text, primary_key=True),
    sa.Column("club", sa.Text, nullable=False),
    sa.Column("label", sa.Text, nullable=False),
    sa.Column("roles", sa.Text, nullable=False),
    sa.Column("member", sa.Text),
    sa.Column("person", sa.Text, index=True),
    sa.Column("created_at", sa.BigInteger, nullable=False),
    sa.Column("expires_at", sa.BigInteger, nullable=False),
    sa.Column("revoked_at", sa.BigInteger),
    sa.Index("memberships_of_club", "club", "created_at", "membership"),
)

links = sa.Table(
    "links",
    METADATA,
    sa.Column("link", sa.Text, primary_key=True),
    sa.Column("secret_hash", sa.LargeBinary, nullable=False),
    sa.Column("club", sa.Text),
    sa.Column("membership", sa.Text),
    sa.Column("person", sa.Text),
    sa.Column("created_at", sa.BigInteger, nullable=False),
    sa.Column("expires_at", sa.BigInteger, nullable=False),
    sa.Column("used_at", sa.BigInteger),
)

sessions = sa.Table(
    "sessions",
    METADATA,
    sa.Column("session", sa.Text, primary_key=True),
    sa.Column("secret_hash", sa.LargeBinary, nullable=False),
    sa.Column("person", sa.Text, nullable=False, index=True),
    sa.Column("club", sa.Text),
    sa.Column("way", sa.Text, nullable=False),
    sa.Column("address", sa.Text),
    sa.Column("device", sa.Text),
    sa.Column("created_at", sa.BigInteger, nullable=False),
    sa.Column("expires_at", sa.BigInteger, nullable=False),
    sa.Column("ended_at", sa.BigInteger),
    sa.Column("request", sa.LargeBinary),
)

# Asked at every request of a person, so it stands here ready made; a guard keeps it to one row.
_PERSON_IN_CLUB = select(memberships).where(
    memberships.c.person == bindparam("person"),
    memberships.c.club == bindparam("club"),
    memberships.c.roles != "",
)


class PersonRow(Struct, frozen=True):
    """A person; one who only ever comes in by links has no login."""

    person: str
    name: str
    login: str | None
    password_hash: str | None
    created_at: int
    forgotten_at: int | None = None


class MembershipRow(Struct, frozen=True):
    """A membership as it is kept; without a person it is an invitation."""

    membership: str
    club: str
    label: str
    roles: str
    member: str | None
    person: str | None
    created_at: int
    expires_at: int
    revoked_at: int | None

    @property
    def role_names(self) -> tuple[str, ...]:
        """The roles one by one."""
        return tuple(self.roles.split(",")) if self.roles else ()

    @property
    def as_member(self) -> str | None:
        """The member as whom the person acts, while he has that role."""
        return self.member if "member" in self.role_names else None


class LinkRow(Struct, frozen=True):
    """A link that opens once: an invitation, or the way in for a person.

    Without a club it comes from the operator, and opens all that is the person's.
    """

    link: str
    secret_hash: bytes
    club: str | None
    membership: str | None
    person: str | None
    created_at: int
    expires_at: int
    used_at: int | None = None


class SessionRow(Struct, frozen=True):
    """A session as it is kept. `way` is how it began: password, invitation or link.

    With a club it is good for that club alone. `request` is the hash of what began it.
    """

    session: str
    secret_hash: bytes
    person: str
    club: str | None
    way: str
    address: str | None
    device: str | None
    created_at: int
    expires_at: int
    ended_at: int | None = None
    request: bytes | None = None


def session_token(session: str, secret: str) -> str:
    """A session as its holder writes it: `ps_<id>_<secret>`."""
    return f"ps_{session.removeprefix('ses_')}_{secret}"


def link_token(link: str, secret: str) -> str:
    """A link's secret part: `pl_<id>_<secret>`."""
    return f"pl_{link.removeprefix('lnk_')}_{secret}"


def authenticate(connection: Connection, token: str, now: int) -> Caller:
    """The caller behind a key or a session; refuses a wrong, ended or expired one alike."""
    if not token.startswith("ps_"):
        return access.authenticate(connection, token, now)
    name, secret = _parts(token)
    row = find_session(connection, f"ses_{name}")
    right = access.is_right(row.secret_hash if row else None, secret)
    if not right or row is None or _is_over(row, now):
        raise Refused("key_invalid")
    return Caller(row.person, row.club, (), session=row.session)


def check_open(connection: Connection, session: str, now: int) -> None:
    """Refuse a session that has ended, or has run out, since it let somebody in.

    It stays as it is until the transaction ends: who ends it waits for what is being written.
    """
    mine = select(sessions).where(sessions.c.session == session).with_for_update(read=True)
    row = connection.execute(mine).one_or_none()
    if row is None or _is_over(SessionRow(*row), now):
        raise Refused("key_invalid")


def in_club(connection: Connection, caller: Caller, club: str) -> Caller:
    """A person as he acts in a club; who has no role there is as he was, a stranger."""
    if caller.club not in (None, club):
        return caller
    mine = _PERSON_IN_CLUB, {"person": caller.actor, "club": club}
    found = connection.execute(*mine).one_or_none()
    if found is None:
        return replace(caller, club=None, roles=(), member=None)
    row = MembershipRow(*found)
    return replace(caller, club=club, roles=row.role_names, member=row.as_member)


def _is_over(row: SessionRow, now: int) -> bool:
    return row.ended_at is not None or row.expires_at <= now


def find_link(connection: Connection, link: str) -> LinkRow | None:
    """A link as it is kept."""
    row = connection.execute(select(links).where(links.c.link == link)).one_or_none()
    return LinkRow(*row) if row else None


def open_link(connection: Connection, token: str, now: int) -> LinkRow:
    """The link behind a token; refuses one that is none, or too old, alike."""
    name, secret = _parts(token)
    row = find_link(connection, f"lnk_{name}")
    right = access.is_right(row.secret_hash if row else None, secret)
    if not right or row is None or row.expires_at <= now:
        raise Refused("link_invalid", pointer="/link")
    return row


def keep_link(connection: Connection, row: LinkRow) -> None:
    """Keep a link, beside the event that makes it."""
    connection.execute(insert(links).values(asdict(row)))


def use_link(connection: Connection, link: str, now: int) -> None:
    """Let a link open nothing any more; refuses one that was used."""
    unused = update(links).where(links.c.link == link, links.c.used_at.is_(None))
    if connection.execute(unused.values(used_at=now)).rowcount != 1:
        raise Refused("link_invalid", pointer="/link")


def spend_links(connection: Connection, person: str, club: str | None = None) -> None:
    """Let a person's links open nothing any more: those of a club, or all."""
    left = update(links).where(links.c.person == person, links.c.used_at.is_(None))
    if club is not None:
        left = left.where(links.c.club == club)
    connection.execute(left.values(used_at=links.c.created_at))


def end_club_sessions(connection: Connection, person: str, club: str, now: int) -> None:
    """End the sessions that a club's links began."""
    of_club = _open_sessions(person).where(sessions.c.club == club)
    connection.execute(of_club.values(ended_at=now))


def keep_person(connection: Connection, row: PersonRow) -> None:
    """Keep a person, beside the event by which he comes in."""
    connection.execute(insert(people).values(asdict(row)))


def find_person(connection: Connection, person: str) -> PersonRow | None:
    """A person by his id."""
    row = connection.execute(select(people).where(people.c.person == person)).one_or_none()
    return PersonRow(*row) if row else None


def lock_person(connection: Connection, person: str) -> PersonRow | None:
    """A person as he is, and stays until the transaction ends."""
    mine = select(people).where(people.c.person == person).with_for_update()
    row = connection.execute(mine).one_or_none()
    return PersonRow(*row) if row else None


def find_login(connection: Connection, login: str) -> PersonRow | None:
    """A person by his login, however he writes it."""
    found = select(people).where(people.c.login == plain_login(login))
    row = connection.execute(found).one_or_none()
    return PersonRow(*row) if row else None


def find_names(connection: Connection, persons: list[str]) -> dict[str, str]:
    """The names of people by their ids."""
    found = select(people.c.person, people.c.name).where(people.c.person.in_(persons))
    return {row.person: row.name for row in connection.execute(found)}


def change_name(connection: Connection, person: str, name: str) -> None:
    """Keep what a person wants to be called from now on."""
    connection.execute(update(people).where(people.c.person == person).values(name=name))


def set_password(connection: Connection, person: str, login: str, password_hash: str) -> None:
    """Give a person a login and a password; refuses a login that is another's."""
    mine = update(people).where(people.c.person == person)
    try:
        connection.execute(mine.values(login=plain_login(login), password_hash=password_hash))
    except IntegrityError:
        raise Refused("login_taken", pointer="/login") from None


def keep_membership(connection: Connection, row: MembershipRow) -> None:
    """Keep an invitation, beside the event that makes it."""
    connection.execute(insert(memberships).values(asdict(row)))


def change_membership(connection: Connection, membership: str, **values: object) -> None:
    """Keep what became of a membership, beside the event that says so."""
    mine = update(memberships).where(memberships.c.membership == membership)
    connection.execute(mine.values(values))


def find_membership(connection: Connection, membership: str) -> MembershipRow | None:
    """A membership as it is kept."""
    found = select(memberships).where(memberships.c.membership == membership)
    row = connection.execute(found).one_or_none()
    return MembershipRow(*row) if row else None


def membership_labels(connection: Connection, names: list[str]) -> dict[str, str]:
    """What a club calls people, by the ids of their memberships."""
    found = select(memberships.c.membership, memberships.c.label)
    these = connection.execute(found.where(memberships.c.membership.in_(names)))
    return {row.membership: row.label for row in these}


def club_memberships(
    connection: Connection, club: str, page: Page
) -> tuple[list[MembershipRow], bool]:
    """A page of a club's memberships and invitations in the order of their making."""
    whole = select(memberships).where(memberships.c.club == club)
    order = (memberships.c.created_at, memberships.c.membership)

    def place(membership: str) -> sa.Select[Any]:
        return whole.with_only_columns(*order).where(memberships.c.membership == membership)

    made = memberships.c.created_at
    rows, more = cut(connection, whole, order, made, page, place, newest_first=False)
    return [MembershipRow(*row) for row in rows], more


def has_other_owner(connection: Connection, row: MembershipRow) -> bool:
    """Whether there is an owner of a club beside the one of a membership."""
    others = (memberships.c.club == row.club) & (memberships.c.membership != row.membership)
    accepted = select(memberships.c.roles).where(others, memberships.c.person.is_not(None))
    return any("owner" in roles.split(",") for roles in connection.execute(accepted).scalars())


def person_memberships(connection: Connection, person: str) -> list[MembershipRow]:
    """A person's places in clubs, those that he has left left out, in the order of their making."""
    found = select(memberships).where(memberships.c.person == person, memberships.c.roles != "")
    ordered = found.order_by(memberships.c.created_at, memberships.c.membership)
    return [MembershipRow(*row) for row in connection.execute(ordered)]


def keep_session(connection: Connection, row: SessionRow) -> None:
    """Keep a session that begins."""
    connection.execute(insert(sessions).values(asdict(row)))


def find_session(connection: Connection, session: str) -> SessionRow | None:
    """A session as it is kept."""
    row = connection.execute(select(sessions).where(sessions.c.session == session)).one_or_none()
    return SessionRow(*row) if row else None


def person_sessions(connection: Connection, person: str, now: int) -> list[SessionRow]:
    """The sessions of a person that still open something, the newest first."""
    open_still = (sessions.c.ended_at.is_(None)) & (sessions.c.expires_at > now)
    found = select(sessions).where(sessions.c.person == person, open_still)
    ordered = found.order_by(sessions.c.created_at.desc(), sessions.c.session)
    return [SessionRow(*row) for row in connection.execute(ordered)]


def end_session(connection: Connection, person: str, session: str, now: int) -> None:
    """End a session of a person, if it has not ended."""
    this = _open_sessions(person).where(sessions.c.session == session)
    connection.execute(this.values(ended_at=now))


def end_other_sessions(connection: Connection, person: str, session: str, now: int) -> None:
    """End every session of a person but one."""
    others = _open_sessions(person).where(sessions.c.session != session)
    connection.execute(others.values(ended_at=now))


def _open_sessions(person: str) -> sa.Update:
    return update(sessions).where(sessions.c.person == person, sessions.c.ended_at.is_(None))


def _parts(token: str) -> tuple[str, str]:
    """The id and the secret of a session's or a link's token."""
    _, _, rest = token.partition("_")
    name, _, secret = rest.partition("_")
    return name, secret
