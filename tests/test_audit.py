"""An audit finds the first event of a log that is not as it was recorded."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import sqlalchemy as sa
from msgspec.structs import replace

from ledger import audit, codec, demo, settlement, store
from ledger.audit import Fault, Report
from ledger.codec import Envelope, Sealed
from ledger.database import Database
from ledger.perform import Ledger
from ledger.refusal import Refused
from ledger.settings import load
from ledger.store import Stored

SEED = 5
NOON = 1_800_000_000_000_000


class Club:
    """A club in which one hand was played and settled, and its database to be meddled with."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.id = self._play()
        self._unlock()
        self.saved = {table: self._rows(table) for table in (store.events, store.heads)}

    def _rows(self, table: sa.Table) -> list[dict[str, Any]]:
        with self.database.read() as connection:
            return [dict(row) for row in connection.execute(sa.select(table)).mappings()]

    def restore(self) -> None:
        """Make the log again what it was."""
        with self.database.write() as connection:
            for table, rows in self.saved.items():
                connection.execute(sa.delete(table))
                connection.execute(sa.insert(table), rows)

    def _play(self) -> str:
        rng = random.Random(SEED)
        ledger = Ledger(self.database, lambda: NOON, rng.randbytes, lambda *_: None)
        club = demo.found(ledger, 4)
        list(demo.play_days(ledger, club, ("huaihua/1",), 1, 1, SEED))
        settlement.sweep(ledger, load({"PAIZHANG_DATA": "/nowhere"}))
        return club.club

    def _unlock(self) -> None:
        """Drop what keeps events from being changed, as someone with the file could."""
        with self.database.write() as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(sa.text("ALTER TABLE events DISABLE TRIGGER ALL"))
                return
            names = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
            for name in connection.execute(sa.text(names)).scalars().all():
                connection.execute(sa.text(f"DROP TRIGGER {name}"))

    def verify(self) -> Report:
        return audit.verify(self.database, self.id)

    def fault(self) -> Finding | None:
        """Where the audit stops, and why."""
        fault = self.verify().fault
        return None if fault is None else (fault.position, fault.why)

    def log(self) -> list[Stored]:
        with self.database.read() as connection:
            return store.read_log(connection, self.id, 0, 10_000)

    def find(self, kind: str) -> Stored:
        """The last event of a type."""
        return next(row for row in reversed(self.log()) if row.type == kind)

    def meddle(self, statement: str, **values: Any) -> None:
        with self.database.write() as connection:
            connection.execute(sa.text(statement), {"club": self.id, **values})

    def change(self, at: int, **values: Any) -> None:
        """Change columns of an event."""
        changes = ", ".join(f"{name} = :{name}" for name in values)
        where = "club = :club AND position = :at"
        self.meddle(f"UPDATE events SET {changes} WHERE {where}", at=at, **values)

    def sign_again(self) -> None:
        """Make every hash of the log anew, as a careful forger would."""
        previous = codec.FIRST_PREVIOUS
        for row in self.log():
            leaf = codec.leaf(envelope(row), sealed(row))
            previous = codec.chain(previous, row.position, leaf)
            self.change(row.position, leaf=leaf, hash=previous)
        changed = "UPDATE heads SET position = :position, hash = :hash WHERE club = :club"
        self.meddle(changed, position=row.position, hash=previous)


def envelope(row: Stored) -> Envelope:
    return Envelope(
        row.club, row.stream, row.version, row.recorded_at, row.actor, row.role, row.command
    )


def sealed(row: Stored) -> Sealed:
    return Sealed(row.type, row.public, row.slots, row.digests)


def flipped(part: bytes) -> bytes:
    """The same bytes but for the last bit."""
    return part[:-1] + bytes((part[-1] ^ 1,))


Finding = tuple[int, str]
TAMPERINGS: list[Callable[[Club], Finding]] = []


def tampering(way: Callable[[Club], Finding]) -> Callable[[Club], Finding]:
    """A way to change a log below the application, and where it must be found and how."""
    TAMPERINGS.append(way)
    return way


@pytest.fixture
def club(owner_url: str) -> Iterator[Club]:
    database = Database.open(owner_url)
    yield Club(database)
    database.close()


def test_a_log_as_it_was_recorded_is_sound(club: Club) -> None:
    last = club.log()[-1]
    told: list[tuple[int, int]] = []
    report = audit.verify(club.database, club.id, lambda done, of: told.append((done, of)))
    assert report == Report(
        club.id, last.position, last.hash.hex(), hands=1, unsettled=0, checkpoints=0
    )
    assert told[-1] == (last.position, last.position)


def test_a_hand_that_runs_is_sound(club: Club) -> None:
    start = club.find("HandStarted/2").position
    club.meddle("DELETE FROM events WHERE club = :club AND position > :at", at=start + 5)
    club.sign_again()
    assert club.fault() is None


def test_an_unknown_club_is_refused(club: Club) -> None:
    with pytest.raises(Refused, match="club_unknown"):
        audit.verify(club.database, "club_nowhere")


@pytest.mark.holds("somebody changes the log below its locks")
def test_every_tampering_is_found_where_it_is(club: Club) -> None:
    for way in TAMPERINGS:
        expected = way(club)
        assert club.fault() == expected, way.__name__
        club.restore()
        assert club.fault() is None


@pytest.mark.parametrize("column", ["public", "slots", "digests"])
def test_a_text_where_bytes_were(sqlite_url: str, column: str) -> None:
    """SQLite keeps whatever it is given; its own `replace` makes a text of bytes."""
    database = Database.open(sqlite_url)
    club = Club(database)
    row = club.find("Drawn/1")
    club.change(row.position, **{column: "text"})
    fault = club.verify().fault
    assert fault is not None
    assert (fault.position, fault.why) == (row.position, "unreadable")
    database.close()


# --- a change of one event ----------------------------------------------------------------------


def column_changed(column: str, value: Callable[[Any], Any]) -> None:
    """Whatever the leaf is made of cannot change without it."""

    def way(club: Club) -> Finding:
        row = club.find("Discarded/1")
        club.change(row.position, **{column: value(getattr(row, column))})
        return row.position, "leaf"

    way.__name__ = f"{column}_changed"
    tampering(way)


for name in ("stream", "actor", "role", "type"):
    column_changed(name, lambda old: old + "x")
for name in ("version", "recorded_at"):
    column_changed(name, lambda old: old + 1_000)
for name in ("command", "public"):
    column_changed(name, lambda old: old + b"\0")
column_changed("leaf", flipped)


@tampering
def a_doctored_payment(club: Club) -> Finding:
    row = club.find("HandSettled/1")
    club.change(row.position, public=row.public.replace(b'"points":', b'"points":9'))
    fault = club.verify().fault
    assert fault == Fault(row.position, "leaf", row.stream, row.version)
    return row.position, "leaf"


@tampering
def another_tile_in_a_private_slot(club: Club) -> Finding:
    row = club.find("Drawn/1")
    slots = tuple(part.replace(b'"tile":"', b'"tile":"9') for part in row.slots)
    club.change(row.position, slots=codec.pack(slots))
    return row.position, "slot"


@tampering
def two_tiles_of_the_wall_changed_places(club: Club) -> Finding:
    row = club.find("HandStarted/2")
    *seats, table = row.slots
    wall = table.index(b'"wall":"') + 8
    swapped = table[:wall] + table[wall + 2 : wall + 4] + table[wall : wall + 2] + table[wall + 4 :]
    club.change(row.position, slots=codec.pack((*seats, swapped)))
    return row.position, "slot"


@tampering
def a_slot_too_few(club: Club) -> Finding:
    row = club.find("Drawn/1")
    club.change(row.position, slots=codec.pack(row.slots[:-1]))
    return row.position, "slot"


@tampering
def another_digest(club: Club) -> Finding:
    row = club.find("Drawn/1")
    club.change(row.position, digests=flipped(b"".join(row.digests)))
    return row.position, "leaf"


@tampering
def another_hash(club: Club) -> Finding:
    row = club.find("Drawn/1")
    club.change(row.position, hash=flipped(row.hash))
    return row.position, "chain"


@tampering
def an_event_hashed_again_after_its_change(club: Club) -> Finding:
    """It fits in itself; the event behind it shows that it is another."""
    before, row = club.log()[9:11]
    other = bytes(32)
    leaf = codec.leaf(replace(envelope(row), command=other), sealed(row))
    hashed = codec.chain(before.hash, row.position, leaf)
    club.change(row.position, command=other, leaf=leaf, hash=hashed)
    return row.position + 1, "chain"


# --- events that are not there, or not there ----------------------------------------------------


@tampering
def two_events_in_the_wrong_order(club: Club) -> Finding:
    for old, new in ((10, 9_999), (11, 10), (9_999, 11)):
        club.change(old, position=new)
    return 10, "chain"


@tampering
def the_first_event_left_out(club: Club) -> Finding:
    club.meddle("DELETE FROM events WHERE club = :club AND position = 1")
    return 1, "position"


@tampering
def an_event_left_out(club: Club) -> Finding:
    club.meddle("DELETE FROM events WHERE club = :club AND position = 12")
    return 12, "position"


@tampering
def a_tail_cut_off(club: Club) -> Finding:
    last = club.log()[-1].position
    club.meddle("DELETE FROM events WHERE club = :club AND position > :at", at=last - 3)
    return last - 2, "position"


@tampering
def a_head_with_another_hash(club: Club) -> Finding:
    last = club.log()[-1]
    club.meddle("UPDATE heads SET hash = :hash WHERE club = :club", hash=flipped(last.hash))
    return last.position, "head"


@tampering
def a_head_at_another_time(club: Club) -> Finding:
    club.meddle("UPDATE heads SET recorded_at = recorded_at + 1 WHERE club = :club")
    return club.log()[-1].position, "head"


@tampering
def a_head_before_the_last_event(club: Club) -> Finding:
    club.meddle("UPDATE heads SET position = position - 1 WHERE club = :club")
    return club.log()[-1].position, "head"


# --- a log that was signed again ----------------------------------------------------------------


@tampering
def an_event_left_out_of_its_stream(club: Club) -> Finding:
    row = club.find("Drawn/1")
    last = club.log()[-1].position
    club.meddle("DELETE FROM events WHERE club = :club AND position = :at", at=row.position)
    for behind in range(row.position + 1, last + 1):
        club.change(behind, position=behind - 1)
    club.sign_again()
    return row.position, "version"


@tampering
def another_secret_shown_at_the_end(club: Club) -> Finding:
    row = club.find("HandEnded/1")
    at = row.public.index(b'"secret":"') + 10
    club.change(row.position, public=row.public[:at] + b"00" * 32 + row.public[at + 64 :])
    club.sign_again()
    return row.position, "secret"


@tampering
def an_event_of_an_unknown_type(club: Club) -> Finding:
    row = club.find("Drawn/1")
    club.change(row.position, type="Invented/1")
    club.sign_again()
    return row.position, "unreadable"


@tampering
def a_time_before_the_one_before(club: Club) -> Finding:
    row = club.find("Drawn/1")
    club.change(row.position, recorded_at=row.recorded_at - 60_000_000)
    club.sign_again()
    return row.position, "time"
