"""What an audit of a whole log looks at beside its hashes; every log here is hashed again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from msgspec.structs import replace

from ledger import acts, audit, dealing, settlement, signing
from ledger.access import Caller, operator
from ledger.acts import Desk, Opening
from ledger.audit import Fault, Report
from ledger.perform import Ledger
from ledger.settings import load
from ledger.signing import PublicKey
from ledger.store import Stored
from tests.lies.forging import NOON, House, Rows, changed, hashed_again, house


class Played:
    """A club's log of one match, two hands long, and where its events stand."""

    def __init__(self, honest: House) -> None:
        self.house = honest
        self.club = honest.play()
        self.rows: Rows = honest.rows(self.club)

    def first(self, kind: str) -> Stored:
        return next(row for row in self.rows if row.type == kind)


@pytest.fixture(scope="module")
def played() -> Iterator[Played]:
    with house() as honest:
        yield Played(honest)


@pytest.fixture
def other() -> Iterator[House]:
    with house() as made:
        yield made


def audited(other: House, rows: Rows) -> Report:
    """What an audit finds of a log that is put as it is into a database."""
    other.keep(hashed_again(rows))
    return other.verify(rows[0].club)


def fault(other: House, rows: Rows) -> tuple[int, str] | None:
    found = audited(other, rows).fault
    return None if found is None else (found.position, found.why)


def beyond(rows: Rows, row: Stored, **values: Any) -> Rows:
    """The log with one more event at its end, like another but for some columns."""
    return [*rows, replace(row, position=len(rows) + 1, **values)]


# --- streams ----------------------------------------------------------------------------------


@pytest.mark.lie("a settlement booked where nobody looks for it")
@pytest.mark.parametrize("stream", ["club", "x", "table/t", "member/m", "hand/x", "hand/a/b/c"])
def test_a_settlement_in_another_stream(played: Played, other: House, stream: str) -> None:
    """Lists and balances would take it; it can stand in the stream of a hand alone."""
    settled = played.first("HandSettled/1")
    last = max((row.version for row in played.rows if row.stream == stream), default=0)
    rows = beyond(played.rows, settled, stream=stream, version=last + 1)
    assert fault(other, rows) == (len(rows), "stream")


@pytest.mark.lie("a hand settled twice")
def test_a_hand_settled_twice(played: Played, other: House) -> None:
    """A hand is settled once, at the first version of its stream."""
    settled = played.first("HandSettled/1")
    rows = beyond(played.rows, settled, version=2)
    assert fault(other, rows) == (len(rows), "settlement")


def test_a_settlement_of_a_hand_that_never_ended(played: Played, other: House) -> None:
    settled = played.first("HandSettled/1")
    rows = beyond(played.rows, settled, stream="hand/tbl_none/1")
    assert fault(other, rows) == (len(rows), "settlement")


def test_hands_that_are_not_settled_are_counted(played: Played, other: House) -> None:
    """A settlement may be waited for, so it is no fault that there is none; the report says it."""
    rows = [row for row in played.rows if row.type != "HandSettled/1"]
    report = audited(other, rows)
    assert (report.fault, report.hands, report.unsettled) == (None, 0, 2)


@pytest.mark.lie("a match played once more after its end")
def test_a_match_that_goes_on_after_its_close(played: Played, other: House) -> None:
    """Opened a second time under its own name, it would book every hand again."""
    opened = played.first("TableOpened/1")
    last = max(row.version for row in played.rows if row.stream == opened.stream)
    rows = beyond(played.rows, opened, version=last + 1)
    assert fault(other, rows) == (len(rows), "closed")


# --- the founding -----------------------------------------------------------------------------


@pytest.mark.lie("a log that does not begin with its club")
def test_a_log_without_its_founding(played: Played, other: House) -> None:
    """Without it nobody knows the club's days, and no hand could be decided again."""
    founding, *rest = played.rows
    moved = [replace(row, version=row.version - (row.stream == "club")) for row in rest]
    assert fault(other, moved) == (1, "founding")
    assert founding.type == "ClubFounded/1"


@pytest.mark.lie("a club founded again with other days")
def test_a_second_founding(played: Played, other: House) -> None:
    last = max(row.version for row in played.rows if row.stream == "club")
    rows = beyond(played.rows, played.rows[0], version=last + 1)
    assert fault(other, rows) == (len(rows), "founding")


@pytest.mark.parametrize("zone", ["Nowhere/Atall", "../../etc/passwd", "\0"])
def test_a_founding_that_cannot_be_read(played: Played, other: House, zone: str) -> None:
    """Whatever it says, the audit ends with a fault."""
    told = {**msgspec.json.decode(played.rows[0].public), "zone": zone}
    rows = changed(played.rows, 1, lambda row: replace(row, public=msgspec.json.encode(told)))
    assert fault(other, rows) == (1, "unreadable")


# --- orders -----------------------------------------------------------------------------------


def test_orders_without_an_id_at_one_moment_are_decided_one_by_one(other: House) -> None:
    """Given two hands of one table entered while the clock stood, then both are settled again."""
    ledger = Ledger(other.database, lambda: NOON, Random(1).randbytes, lambda *_: None)
    founded = acts.found_club(ledger, operator(), acts.Asked("f"), "Jade", "Asia/Shanghai", 300)
    own = Desk(ledger, operator(), founded.club)
    seats = tuple(acts.join_member(own, name).stream.removeprefix("member/") for name in "ABCD")
    key = acts.issue_key(own, ("recorder",), "desk").key
    desk = Desk(ledger, Caller(key, founded.club, ("recorder",)), founded.club)
    opened = acts.open_table(desk, Opening("huaihua/1", {}, seats, hands=3))
    table = opened.stream.removeprefix("table/")
    for points in ((3, -1, -1, -1), (-3, 1, 1, 1)):
        dealing.enter_hand(desk, table, totals=points)
        settlement.sweep(ledger, load({"PAIZHANG_DATA": "/nowhere"}))
    report = other.verify(founded.club)
    assert (report.fault, report.hands) == (None, 2)


# --- what is kept beside the log --------------------------------------------------------------


@pytest.mark.lie("a node of the kept tree changed")
@pytest.mark.parametrize("way", ["UPDATE nodes SET hash = zeroblob(32)", "DELETE FROM nodes"])
def test_a_node_that_is_another_or_gone(other: House, way: str) -> None:
    """Nodes follow from the leaves: the event that completes the node is named."""
    club = other.play(1)
    with other.database.write() as connection:
        for trigger in ("nodes_update", "nodes_delete"):
            connection.execute(sa.text(f"DROP TRIGGER {trigger}"))
        connection.execute(sa.text(f"{way} WHERE level = 3 AND number = 1"))
    assert other.verify(club).fault == Fault(16, "node")


@pytest.mark.lie("a checkpoint whose row says something else than its note")
@pytest.mark.parametrize("change", ["note = 'x'", "created_at = created_at - 1"])
def test_a_checkpoint_that_is_not_its_note(other: House, change: str) -> None:
    club = other.play(1)
    with other.database.write() as connection:
        connection.execute(sa.text("DROP TRIGGER signed_checkpoints_update"))
        connection.execute(sa.text(f"UPDATE signed_checkpoints SET {change}"))
    position = other.rows(club)[-1].position
    assert other.verify(club).fault == Fault(position, "signature")


@pytest.mark.lie("a key that claims a signature of the one before it")
def test_a_key_that_nobody_has_signed_as_it_says(other: House) -> None:
    club = other.play(1)
    with other.database.write() as connection:
        signing.rotate(connection, other.key_file, NOON)
    with other.database.write() as connection:
        connection.execute(sa.text("DROP TRIGGER signing_keys_update"))
        forged = "UPDATE signing_keys SET signature = zeroblob(64) WHERE signature IS NOT NULL"
        connection.execute(sa.text(forged))
        connection.execute(sa.text("DROP TRIGGER signed_checkpoints_delete"))
        connection.execute(sa.text("DELETE FROM signed_checkpoints"))
    other.sign(club)
    position = other.rows(club)[-1].position
    assert other.verify(club).fault == Fault(position, "signature")


def test_checkpoints_must_be_signed_by_a_key_that_is_given(other: House) -> None:
    """Or by one that follows from it; another key that somebody trusts has signed nothing."""
    club = other.play(1)
    first = other.key()
    with other.database.write() as connection:
        signing.rotate(connection, other.key_file, NOON)
    position = other.rows(club)[-1].position
    assert audit.verify(other.database, club, keys=[first]).fault is None
    stranger = PublicKey(bytes(32))
    found = audit.verify(other.database, club, keys=[stranger]).fault
    assert found == Fault(position, "signature")


def test_a_row_that_sqlite_cannot_read(other: House) -> None:
    """A text that is no UTF-8 is a fault of its event, and nothing that stops the audit."""
    club = other.play(1)
    with other.database.write() as connection:
        connection.execute(sa.text("DROP TRIGGER events_update"))
        bad = sa.text("UPDATE events SET actor = CAST(:actor AS TEXT) WHERE position = 5")
        connection.execute(bad, {"actor": b"\xff\xfe"})
    assert other.verify(club).fault == Fault(5, "unreadable")


@pytest.mark.lie("an event that two readers read differently")
@pytest.mark.parametrize(
    "write",
    [
        lambda public: public.replace(b'{"at":', b'{ "at":'),
        lambda public: public.replace(b'"seat":', b'"seat":9,"seat":'),
    ],
    ids=["a space", "a key twice"],
)
def test_an_event_that_is_not_written_as_events_are(
    played: Played, other: House, write: Callable[[bytes], bytes]
) -> None:
    """With other spaces or a key twice it says the same to one reader alone."""
    row = played.first("Discarded/1")
    rows = changed(played.rows, row.position, lambda one: replace(one, public=write(one.public)))
    assert fault(other, rows) == (row.position, "malformed")


@pytest.mark.lie("a secret that salts nothing")
@pytest.mark.parametrize("secret", ["00" * 31, "00" * 33])
def test_a_secret_of_another_length(played: Played, other: House, secret: str) -> None:
    """It is 32 bytes, of which nobody can try all."""
    start = played.first("HandStarted/2")

    def salted(row: Stored) -> Stored:
        slot = {**msgspec.json.decode(row.slots[-1]), "secret": secret}
        return replace(row, slots=(*row.slots[:-1], msgspec.json.encode(slot)))

    rows = changed(played.rows, start.position, salted)
    assert fault(other, rows) == (start.position, "secret")


@pytest.mark.lie("one secret for two hands")
def test_two_hands_with_one_secret(played: Played, other: House) -> None:
    """Whoever saw it at the end of the first could read the second while it is played."""
    first, second = [row for row in played.rows if row.type == "HandStarted/2"]
    secret = msgspec.json.decode(first.slots[-1])["secret"]

    def same(row: Stored) -> Stored:
        slot = {**msgspec.json.decode(row.slots[-1]), "secret": secret}
        return replace(row, slots=(*row.slots[:-1], msgspec.json.encode(slot)))

    rows = changed(played.rows, second.position, same)
    assert fault(other, rows) == (second.position, "secret")
