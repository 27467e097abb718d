"""Reading: streams, the log in pages, and one moment at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from ledger import store
from ledger.store import Command, Head, Known, Stored

if TYPE_CHECKING:
    from tests.store.conftest import Log

HANDS = ("TableOpened/1", "HandStarted/1", "Drawn/1", "HandEnded/1", "HandStarted/2", "Drawn/1")
STARTS = ("HandStarted/1", "HandStarted/2")


@pytest.fixture
def played(log: Log) -> Log:
    """A table of two hands in positions 2 to 7, and another table's event after it."""
    log.append("table/a", 0, HANDS)
    log.append("table/b", 0)
    return log


def versions(
    log: Log, since: tuple[str, ...] = (), after: int = 0, upto: int | None = None
) -> list[int]:
    """The versions of table a that a reading gives."""
    with log.database.read() as connection:
        read = store.read_stream(connection, "c1", "table/a", since, after, upto)
    return [event.version for event in read]


def test_whole_stream(played: Log) -> None:
    """A stream is read from its beginning, in order, without its neighbours."""
    assert versions(played) == [1, 2, 3, 4, 5, 6]


def test_stream_after_and_up_to_a_version(played: Log) -> None:
    """A part of a stream lies after one version and up to another."""
    assert versions(played, after=2, upto=4) == [3, 4]


def test_stream_since_the_latest_of_a_type(played: Log) -> None:
    """The running hand is read from its own start."""
    assert versions(played, STARTS) == [5, 6]


def test_stream_since_a_type_as_it_was(played: Log) -> None:
    """The hand that was running at a version is read from its start up to there."""
    assert versions(played, STARTS, upto=4) == [2, 3, 4]


def test_stream_since_a_type_that_never_came(played: Log) -> None:
    """A stream without that type is read from its beginning."""
    assert versions(played, ("TableClosed/1",)) == [1, 2, 3, 4, 5, 6]


def test_empty_stream(played: Log) -> None:
    """A stream that nobody has written to is empty, at version 0."""
    with played.database.read() as connection:
        assert store.read_stream(connection, "c1", "table/none") == []
        assert store.stream_version(connection, "c1", "table/none") == 0


def test_stream_version(played: Log) -> None:
    """A stream has a version now, and had one at each position of the log."""
    with played.database.read() as connection:
        assert store.stream_version(connection, "c1", "table/a") == 6
        assert store.stream_version(connection, "c1", "table/a", position=4) == 3
        assert store.stream_version(connection, "c1", "table/a", position=1) == 0


def test_event_comes_back_as_it_was_written(log: Log) -> None:
    """Every part of an event is read as it was appended, bytes for bytes."""
    command = Command(b"\x0c" * 32, bytes(32))
    log.append("table/a", 0, ("Drawn/1",), at=2000, command=command)

    event = log.all()[1]

    assert event == Stored(
        club="c1",
        position=2,
        stream="table/a",
        version=1,
        type="Drawn/1",
        recorded_at=2000,
        actor="key_1",
        role="recorder",
        command=b"\x0c" * 32,
        public=b'{"at":1}',
        slots=(b"{}", b'{"tile":"5m"}'),
        digests=(b"\x01" * 32, b"\x02" * 32),
        leaf=event.leaf,
        hash=event.hash,
    )


def test_log_in_pages(played: Log) -> None:
    """A log is read in pages after a position, until there is no more."""
    with played.database.read() as connection:
        pages = [store.read_log(connection, "c1", after, limit=3) for after in (0, 3, 6, 8)]

    assert [[event.position for event in page] for page in pages] == [
        [1, 2, 3],
        [4, 5, 6],
        [7, 8],
        [],
    ]


def test_head(played: Log) -> None:
    """The head is the last event's position, hash and time."""
    last = played.all()[-1]
    with played.database.read() as connection:
        assert store.head(connection, "c1") == Head("c1", 8, last.hash, 1000)
        assert store.head(connection, "c2") is None


def test_find_stream(played: Log) -> None:
    """The club of a table is found by its stream; the stream `club` is every club's."""
    played.found("c2")
    played.append("table/c", 0, club="c2")
    with played.database.read() as connection:
        found = [store.find_stream(connection, f"table/{name}") for name in ("a", "c", "none")]
        everybodys = store.find_stream(connection, "club")

    assert found == ["c1", "c2", None]
    assert everybodys is None


def test_find_command(log: Log) -> None:
    """Of a command its request's hash and its answer are kept."""
    answer = log.append("table/a", 0, command=Command(b"\x0c" * 32, b"\x0d" * 32))
    with log.database.read() as connection:
        known = store.find_command(connection, "c1", b"\x0c" * 32)
        unknown = store.find_command(connection, "c1", bytes(32))

    assert known == Known(b"\x0d" * 32, 2, 2, answer.hash, 1000)
    assert unknown is None


def test_one_moment(log: Log, elsewhere: Log) -> None:
    """A reading sees one moment, whatever is appended meanwhile."""
    with log.database.read() as connection:
        before = store.head(connection, "c1")
        elsewhere.append("table/a", 0)
        after = store.head(connection, "c1")
        log_after = store.read_log(connection, "c1", after=0, limit=10)

    assert before == after
    assert [event.position for event in log_after] == [1]


def test_reading_cannot_write(log: Log) -> None:
    """A connection for reading refuses to write."""
    with pytest.raises(DBAPIError, match=r"read.?only"), log.database.read() as connection:
        connection.execute(text("UPDATE heads SET position = 0"))
