"""Exports that were asked for: who asked for what, how far each has come, and its files.

What is asked, and what was made of it, is JSON that the read side writes and reads. The files lie
in a folder of the data, and go when their time is over. Times are microseconds of UTC, handed in.
"""

from __future__ import annotations

from typing import Any, Literal

import sqlalchemy as sa
from msgspec import Struct
from msgspec.structs import asdict, replace
from sqlalchemy import Connection, select, update

from ledger import jobs
from ledger.jobs import EXPORT
from ledger.keyset import Page, cut
from ledger.refusal import Refused
from ledger.store import METADATA

State = Literal["pending", "running", "complete", "failed", "expired"]
STATES: tuple[State, ...] = ("pending", "running", "complete", "failed", "expired")

exports = sa.Table(
    "exports",
    METADATA,
    sa.Column("export", sa.Text, primary_key=True),
    sa.Column("club", sa.Text, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("member", sa.Text),
    sa.Column("asked", sa.Text, nullable=False),
    sa.Column("actor", sa.Text, nullable=False),
    sa.Column("role", sa.Text, nullable=False),
    sa.Column("command", sa.LargeBinary, nullable=False),
    sa.Column("request", sa.LargeBinary, nullable=False),
    sa.Column("created_at", sa.BigInteger, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("rows", sa.BigInteger, nullable=False),
    sa.Column("of", sa.BigInteger),
    sa.Column("made", sa.Text),
    sa.Column("error", sa.Text),
    sa.Column("ended_at", sa.BigInteger),
    sa.Column("expires_at", sa.BigInteger, nullable=False),
    sa.Column("secret", sa.LargeBinary, nullable=False),
    sa.UniqueConstraint("club", "command"),
    sa.Index("exports_of_club", "club", "created_at", "export"),
)


class Export(Struct, frozen=True):
    """An export: what was asked, by whom, how it stands; `rows` are done, `of` are expected.

    `member` is whose it is alone, where it is one's. `asked`, `made` and `error` are JSON. With
    `secret` links to its files are signed; from `expires_at` on there are none.
    """

    export: str
    club: str
    kind: str
    member: str | None
    asked: str
    actor: str
    role: str
    command: bytes
    request: bytes
    created_at: int
    state: State
    rows: int
    of: int | None
    made: str | None
    error: str | None
    ended_at: int | None
    expires_at: int
    secret: bytes


_ALL = select(*(exports.c[name] for name in Export.__struct_fields__))
_DONE = ("complete", "failed")


def ask(connection: Connection, new: Export) -> tuple[Export, int | None]:
    """Keep what is asked for and leave a job, once for its command id; says the job's number.

    The same again is the one that is there, without a job. Refuses the id of another request
    (`idempotency_key_reused`).
    """
    known = _ALL.where(exports.c.club == new.club, exports.c.command == new.command)
    found = connection.execute(known).one_or_none()
    if found is None:
        connection.execute(sa.insert(exports).values(asdict(new)))
        return new, jobs.insert(connection, new.club, EXPORT, new.export, 0, new.created_at)
    if found.request != new.request:
        raise Refused("idempotency_key_reused")
    return Export(*found), None


def find(connection: Connection, export: str, now: int) -> Export | None:
    """An export as it stands now."""
    row = connection.execute(_ALL.where(exports.c.export == export)).one_or_none()
    return None if row is None else _now(Export(*row), now)


def of_club(
    connection: Connection,
    club: str,
    kinds: tuple[str, ...],
    now: int,
    page: Page,
    member: str | None = None,
) -> tuple[list[Export], bool]:
    """A page of a club's exports of some kinds, the newest first, and whether older ones follow.

    With a member those alone that he asked for about himself.
    """
    c = exports.c
    whole = _ALL.where(c.club == club, c.kind.in_(kinds))
    if member is not None:
        whole = whole.where(c.member == member)

    def place(export: str) -> sa.Select[Any]:
        return select(c.created_at, c.export).where(c.club == club, c.export == export)

    rows, more = cut(connection, whole, (c.created_at, c.export), c.created_at, page, place)
    return [_now(Export(*row), now) for row in rows], more


def _now(row: Export, now: int) -> Export:
    """How an export stands now: what was complete may have expired since."""
    if row.state in _DONE and row.expires_at <= now:
        return replace(row, state="expired")
    return row


# --- making -------------------------------------------------------------------------------------


def proceed(connection: Connection, export: str, rows: int, of: int | None) -> None:
    """Note how far it has come."""
    come = _unfinished(export).values(state="running", rows=rows, of=of)
    connection.execute(come)


def complete(connection: Connection, export: str, made: str, rows: int, now: int) -> None:
    """Note that it is made."""
    done = {"state": "complete", "rows": rows, "of": rows, "made": made, "ended_at": now}
    connection.execute(_unfinished(export).values(done))


def fail(connection: Connection, export: str, error: str, now: int) -> None:
    """Note that it cannot be made, and why."""
    failed = {"state": "failed", "error": error, "ended_at": now}
    connection.execute(_unfinished(export).values(failed))


def drop(connection: Connection, clubs: tuple[str, ...], now: int) -> int:
    """Let the files of some clubs go now, those that are being made too; says how many exports."""
    c = exports.c
    alive = update(exports).where(c.club.in_(clubs), c.expires_at > now, c.state != "pending")
    return connection.execute(alive.values(expires_at=now)).rowcount


def expired(connection: Connection, now: int) -> list[str]:
    """The exports whose files are to go."""
    over = select(exports.c.export).where(exports.c.expires_at <= now)
    over = over.where(exports.c.state.in_(_DONE))
    return list(connection.execute(over.order_by(exports.c.export)).scalars())


def expire(connection: Connection, export: str) -> None:
    """Note that the files of an export are gone."""
    gone = update(exports).where(exports.c.export == export)
    connection.execute(gone.values(state="expired"))


def _unfinished(export: str) -> sa.Update:
    return update(exports).where(
        exports.c.export == export, exports.c.state.in_(("pending", "running"))
    )
