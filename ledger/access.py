"""People, keys and roles: who calls, what he may do, and what he is called.

Names and free texts stand here and nowhere in events, so a person can be forgotten and the
chain still verifies. A key is shown once; only the SHA-256 of its secret is kept.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import Any

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy import Connection, bindparam, insert, select, text, update

from ledger.keyset import Page, cut
from ledger.refusal import Refused

METADATA = sa.MetaData()
OPERATOR = "operator"
READERS = ("owner", "manager", "referee", "accountant", "auditor", OPERATOR)
"""The roles that may read all that a club plays, masked as for all."""
BOOKS = (*READERS, "treasurer")
"""The roles that may read who is in a club, and each member's points."""
WATCHERS = ("owner", "referee", "auditor", OPERATOR)
"""The roles that may look at who sat with whom."""
OVERSEERS = ("owner", "accountant", "auditor", OPERATOR)
"""The roles that may read what was done to a club, and its keys."""
PEOPLE = (*OVERSEERS, "manager")
"""The roles that may read who was invited and came in, with which roles."""

clubs = sa.Table(
    "clubs",
    METADATA,
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("zone", sa.Text, nullable=False),
    sa.Column("day_cutoff", sa.Integer, nullable=False),
    sa.Column("salt", sa.LargeBinary, nullable=False),
    sa.Column("created_at", sa.BigInteger, nullable=False),
)

keys = sa.Table(
    "keys",
    METADATA,
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("club", sa.Text, nullable=False, index=True),
    sa.Column("secret_hash", sa.LargeBinary, nullable=False),
    sa.Column("roles", sa.Text, nullable=False),
    sa.Column("member", sa.Text),
    sa.Column("label", sa.Text, nullable=False),
    sa.Column("created_at", sa.BigInteger, nullable=False),
    sa.Column("expires_at", sa.BigInteger),
    sa.Column("revoked_at", sa.BigInteger),
)

members = sa.Table(
    "members",
    METADATA,
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("member", sa.Text, primary_key=True),
    sa.Column("code", sa.Text, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("created_at", sa.BigInteger, nullable=False),
    sa.UniqueConstraint("club", "code"),
)

origins = sa.Table(
    "origins",
    METADATA,
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("position", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("request_id", sa.Text, nullable=False),
    sa.Column("address", sa.Text),
    sa.Column("device", sa.Text),
)

uses = sa.Table(
    "uses",
    METADATA,
    sa.Column("subject", sa.Text, primary_key=True),
    sa.Column("at", sa.BigInteger, nullable=False),
)

texts = sa.Table(
    "texts",
    METADATA,
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("digest", sa.Text, primary_key=True),
    sa.Column("text", sa.Text, nullable=False),
)

# Asked at every request, so they stand here ready made, as in the store.
_CLUB = select(clubs).where(clubs.c.club == bindparam("club"))
_KEY = select(keys).where(keys.c.key == bindparam("key"))
_KEEP_USE = text(
    "INSERT INTO uses (subject, at) VALUES (:subject, :at) "
    "ON CONFLICT (subject) DO UPDATE SET at = excluded.at"
)
_USE = select(uses.c.at).where(uses.c.subject == bindparam("subject"))


class Origin(Struct, frozen=True):
    """Where a request came from: what the operator log tells beside who and what."""

    request_id: str
    address: str | None = None
    device: str | None = None


class Caller(Struct, frozen=True):
    """Who asks: an API key, a person in a session, or the operator of the machine.

    A key has one club. A person has the roles of the club that he asks about.
    """

    actor: str
    club: str | None
    roles: tuple[str, ...]
    member: str | None = None
    session: str | None = None
    origin: Origin | None = None

    def has(self, *roles: str) -> bool:
        """Whether the caller has one of these roles."""
        return any(role in self.roles for role in roles)

    def as_member(self) -> str:
        """The member as whom he acts; refuses one who is none (`role_missing`)."""
        if self.member is None:
            raise role_missing(("member",))
        return self.member


def role_missing(roles: tuple[str, ...]) -> Refused:
    """The refusal of one who has none of these roles; that the operator may is only his affair."""
    wanted = [role for role in roles if role != OPERATOR] or roles
    return Refused("role_missing", role=" / ".join(wanted))


class ClubRow(Struct, frozen=True):
    """A club's name and clock, and the salt of its texts' digests."""

    club: str
    name: str
    zone: str
    day_cutoff: int
    salt: bytes
    created_at: int


class KeyRow(Struct, frozen=True):
    """An API key as it is kept. Times are microseconds of UTC."""

    key: str
    club: str
    secret_hash: bytes
    roles: str
    member: str | None
    label: str
    created_at: int
    expires_at: int | None
    revoked_at: int | None


class MemberRow(Struct, frozen=True):
    """A member's code and name."""

    club: str
    member: str
    code: str
    name: str
    created_at: int


def operator() -> Caller:
    """The one who runs the machine: the command line, and the demo."""
    return Caller(OPERATOR, None, (OPERATOR,))


def bearer(key: str, secret: str) -> str:
    """A key as its holder writes it: `pz_<id>_<secret>`."""
    return f"pz_{key.removeprefix('key_')}_{secret}"


def secret_hash(secret: str) -> bytes:
    """What is kept of a key's secret."""
    return hashlib.sha256(secret.encode()).digest()


def is_right(kept: bytes | None, secret: str) -> bool:
    """Whether a secret is the one that is kept; it takes as long where none is."""
    return hmac.compare_digest(kept or bytes(32), secret_hash(secret))


def authenticate(connection: Connection, token: str, now: int) -> Caller:
    """The caller behind a bearer token; refuses a wrong, expired or revoked one alike."""
    parts = token.split("_", 2)
    key = "key_" + parts[1] if len(parts) == 3 and parts[0] == "pz" else ""
    row = find_key(connection, key)
    if not is_right(row.secret_hash if row else None, parts[-1]) or row is None or _ended(row, now):
        raise Refused("key_invalid")
    return Caller(row.key, row.club, tuple(row.roles.split(",")), row.member)


def has_ended(connection: Connection, key: str, now: int) -> bool:
    """Whether a key has been revoked or has expired; what is no key cannot."""
    row = find_key(connection, key)
    return row is not None and _ended(row, now)


def _ended(row: KeyRow, now: int) -> bool:
    return row.revoked_at is not None or (row.expires_at is not None and row.expires_at <= now)


def keep_club(connection: Connection, row: ClubRow) -> None:
    """Keep a club's name and clock, beside the event that founds it."""
    connection.execute(insert(clubs).values(_fields(row)))


def find_club(connection: Connection, club: str) -> ClubRow | None:
    """A club's name and clock."""
    row = connection.execute(_CLUB, {"club": club}).one_or_none()
    return ClubRow(*row) if row else None


def first_club(connection: Connection) -> str | None:
    """The club that was founded first, if there is one."""
    found = select(clubs.c.club).order_by(clubs.c.created_at, clubs.c.club).limit(1)
    club: str | None = connection.execute(found).scalar_one_or_none()
    return club


def keep_key(connection: Connection, row: KeyRow) -> None:
    """Keep a key, beside the event that issues it."""
    connection.execute(insert(keys).values(_fields(row)))


def revoke_key(connection: Connection, key: str, now: int) -> None:
    """Let a key open nothing any more, beside the event that revokes it."""
    connection.execute(update(keys).where(keys.c.key == key).values(revoked_at=now))


def find_key(connection: Connection, key: str) -> KeyRow | None:
    """A key as it is kept."""
    row = connection.execute(_KEY, {"key": key}).one_or_none()
    return KeyRow(*row) if row else None


def club_keys(connection: Connection, club: str, page: Page) -> tuple[list[KeyRow], bool]:
    """A page of the keys of a club in the order of their making, and whether more follow."""
    whole, order = select(keys).where(keys.c.club == club), (keys.c.created_at, keys.c.key)

    def place(key: str) -> sa.Select[Any]:
        return whole.with_only_columns(*order).where(keys.c.key == key)

    rows, more = cut(connection, whole, order, keys.c.created_at, page, place, newest_first=False)
    return [KeyRow(*row) for row in rows], more


def labelled_keys(connection: Connection, club: str, label: str) -> list[KeyRow]:
    """The keys of a club that are for one thing."""
    found = select(keys).where(keys.c.club == club, keys.c.label == label)
    return [KeyRow(*row) for row in connection.execute(found)]


def keep_origin(connection: Connection, club: str, position: int, origin: Origin) -> None:
    """Keep where the request came from whose last event lies at a position."""
    row = {"club": club, "position": position, **_fields(origin)}
    connection.execute(insert(origins).values(row))


def find_origins(connection: Connection, club: str, positions: list[int]) -> dict[int, Origin]:
    """Where the requests came from whose last events lie at these positions."""
    these = select(origins).where(origins.c.club == club, origins.c.position.in_(positions))
    return {row.position: Origin(*row[2:]) for row in connection.execute(these)}


def keep_use(connection: Connection, subject: str, now: int) -> None:
    """Keep when a key or a session was used last."""
    connection.execute(_KEEP_USE, {"subject": subject, "at": now})


def last_use(connection: Connection, subject: str) -> int:
    """When a key or a session was used last, to the minute; 0 is never."""
    return connection.execute(_USE, {"subject": subject}).scalar_one_or_none() or 0


def last_uses(connection: Connection, subjects: list[str]) -> dict[str, int]:
    """When keys or sessions were used last, to the minute; those never used are left out."""
    found = select(uses).where(uses.c.subject.in_(subjects))
    return {row.subject: row.at for row in connection.execute(found)}


def key_labels(connection: Connection, names: list[str]) -> dict[str, str]:
    """What keys are for, by their ids."""
    found = select(keys.c.key, keys.c.label).where(keys.c.key.in_(names))
    return {row.key: row.label for row in connection.execute(found)}


def keep_member(connection: Connection, row: MemberRow) -> None:
    """Keep a member's name, beside the event of his joining."""
    connection.execute(insert(members).values(_fields(row)))


def club_members(connection: Connection, club: str, page: Page) -> tuple[list[MemberRow], bool]:
    """A page of the members of a club in the order of their codes, and whether more follow."""
    whole = select(members).where(members.c.club == club)
    order = (sa.func.length(members.c.code), members.c.code)

    def place(member: str) -> sa.Select[Any]:
        return whole.with_only_columns(*order).where(members.c.member == member)

    rows, more = cut(
        connection, whole, order, members.c.created_at, page, place, newest_first=False
    )
    return [MemberRow(*row) for row in rows], more


def every_member(connection: Connection, club: str) -> list[MemberRow]:
    """Every member of a club in the order of the codes."""
    whole = select(members).where(members.c.club == club)
    ordered = whole.order_by(sa.func.length(members.c.code), members.c.code)
    return [MemberRow(*row) for row in connection.execute(ordered)]


def find_members(connection: Connection, club: str, names: tuple[str, ...]) -> dict[str, MemberRow]:
    """The members behind ids or codes, by what was given."""
    either = members.c.member.in_(names) | members.c.code.in_(names)
    found = connection.execute(select(members).where(members.c.club == club, either))
    rows = [MemberRow(*row) for row in found]
    return {name: row for row in rows for name in names if name in (row.member, row.code)}


def text_digest(club: ClubRow, text: str) -> str:
    """The digest that stands for a text in events; the club's salt keeps it from being guessed."""
    return hmac.digest(club.salt, text.encode(), "sha256").hex()


def keep_text(connection: Connection, club: ClubRow, text: str) -> None:
    """Keep a text under its digest, once."""
    digest = text_digest(club, text)
    if find_text(connection, club.club, digest) is None:
        connection.execute(insert(texts).values(club=club.club, digest=digest, text=text))


def find_text(connection: Connection, club: str, digest: str) -> str | None:
    """The text behind a digest, unless it was forgotten."""
    found = select(texts.c.text).where(texts.c.club == club, texts.c.digest == digest)
    text: str | None = connection.execute(found).scalar_one_or_none()
    return text


def _fields(row: Struct) -> dict[str, Any]:
    return {name: getattr(row, name) for name in row.__struct_fields__}
