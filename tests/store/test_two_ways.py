"""Two ways to append, one log: the function on PostgreSQL and the statements on SQLite agree."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from sqlalchemy import event

from ledger import codec, store
from ledger.codec import Envelope, Sealed
from ledger.database import Database
from ledger.refusal import Refused
from ledger.store import Append, Appended, Command, Guard, Writing
from tests.store.conftest import Log

EXAMPLES = count()
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
parts = st.binary(max_size=40)
digests = st.binary(min_size=32, max_size=32)


@st.composite
def events(draw: st.DrawFn) -> Sealed:
    """An event with any bytes in it, and none or a few slots."""
    slots = tuple(draw(st.lists(parts, max_size=5)))
    told = tuple(draw(digests) for _ in slots)
    return Sealed(draw(texts), draw(parts), slots, told)


@st.composite
def appends(draw: st.DrawFn) -> Append:
    """An append that may be right or wrong: its versions, guards and command id are guesses."""
    streams = draw(st.lists(st.sampled_from(["a", "b", "表/三"]), max_size=2, unique=True))
    writings = tuple(
        Writing(stream, draw(st.integers(0, 2)), tuple(draw(st.lists(events(), max_size=3))))
        for stream in streams
    )
    keys = draw(st.lists(st.sampled_from(["period", "人"]), max_size=2, unique=True))
    values = st.none() | st.sampled_from(["open", "关"])
    command = st.builds(Command, st.sampled_from([b"1" * 32, b"2" * 32]), digests)
    return Append(
        club="",
        actor=draw(texts),
        role=draw(texts),
        recorded_at=draw(st.integers(0, 2**53)),
        command=draw(st.none() | command),
        writings=writings,
        guards=tuple(Guard(key, draw(values), draw(values)) for key in keys),
        founds=draw(st.booleans()),
    )


@pytest.fixture
def both(sqlite_url: str, postgresql_url: str) -> Iterator[tuple[Log, Log]]:
    """The logs of a SQLite file and of a PostgreSQL database."""
    with (
        closing(Database.open(sqlite_url)) as by_statements,
        closing(Database.open(postgresql_url)) as by_function,
    ):
        yield Log(by_statements), Log(by_function)


def outcome(log: Log, asked: Append) -> tuple[str, dict[str, Any]] | Appended:
    """Where an append lies, or why it was refused."""
    try:
        return log.write(asked)
    except Refused as refused:
        return refused.code, refused.params


def _of(club: str, asked: Append) -> Append:
    """An append in a club, on streams of its own: a stream's name is one club's alone."""
    writings = tuple(
        one if one.stream == "club" else replace(one, stream=f"{one.stream} of {club}")
        for one in asked.writings
    )
    return replace(asked, club=club, writings=writings)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(plan=st.lists(appends(), min_size=1, max_size=8))
@pytest.mark.holds("the function of PostgreSQL and the statements of SQLite differ")
def test_whatever_is_appended_both_do_the_same(both: tuple[Log, Log], plan: list[Append]) -> None:
    """The same positions and refusals, the same rows in every table, the same leaves and hashes."""
    club = f"club {next(EXAMPLES)} 翠苑"
    first = (Writing("club", 0, (Sealed("ClubFounded/1", b"{}"),)),)
    for asked in (Append(club, "key_1", "owner", 5, None, first, founds=True), *plan):
        mine = _of(club, asked)
        by_statements, by_function = (outcome(log, mine) for log in both)
        assert by_function == by_statements
    assert both[1].everything() == both[0].everything()


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(sealed=st.lists(events(), min_size=1, max_size=5), at=st.integers(0, 2**53), who=texts)
def test_leaves_and_chain_are_those_of_the_codec(
    both: tuple[Log, Log], sealed: list[Sealed], at: int, who: str
) -> None:
    """Given any event, then PostgreSQL hashes what the codec hashes."""
    club, command = f"hashed {next(EXAMPLES)}", Command(b"\x07" * 32, bytes(32))
    writing = Writing(f"一/{club}", 0, tuple(sealed))
    both[1].write(Append(club, who, who, at, command, (writing,), founds=True))
    previous = codec.FIRST_PREVIOUS
    for row, told in zip(both[1].all(club), sealed, strict=True):
        where = Envelope(club, writing.stream, row.position, at, who, who, command.digest)
        assert row.leaf == codec.leaf(where, told)
        previous = codec.chain(previous, row.position, row.leaf)
        assert row.hash == previous


def test_an_append_is_one_round_trip(both: tuple[Log, Log]) -> None:
    """Whatever it writes and checks, PostgreSQL is sent one statement for it."""
    sent: list[str] = []
    both[1].found()
    engine = both[1].database.writer
    event.listen(engine, "before_cursor_execute", lambda *told: sent.append(told[2]))
    both[1].append(
        "table/a",
        0,
        ("Drawn/1",) * 400,
        command=Command(b"1" * 32, bytes(32)),
        guards=(Guard("period", None, "open"),),
    )
    assert len(sent) == 1
    assert len(both[1].all()) == 401


def test_time_is_set_under_the_lock(both: tuple[Log, Log]) -> None:
    """An append with an older time gets the head's: what is hashed is the time that is kept."""
    log = both[1]
    log.found()
    log.append("table/a", 0, at=5000)
    log.append("table/a", 1, at=4000)
    row = log.all()[-1]
    assert row.recorded_at == 5000
    with log.database.read() as connection:
        assert store.head(connection, "c1") == store.Head("c1", 3, row.hash, 5000)
