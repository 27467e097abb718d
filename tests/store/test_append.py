"""Appending: checked three times, chained, all at once or not at all."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger import store
from ledger.codec import Sealed
from ledger.refusal import Refused
from ledger.store import Append, Appended, Command, Guard, Stored, Writing

if TYPE_CHECKING:
    from tests.store.conftest import Log

COMMAND = Command(b"\xc0" * 32, b"\x0f" * 32)
OTHER_REQUEST = Command(COMMAND.digest, b"\xf0" * 32)
Together = Callable[..., list[Any]]


def refusal(call: Callable[..., object], *args: Any, **named: Any) -> tuple[str, dict[str, Any]]:
    """The code and the parameters with which a call is refused."""
    with pytest.raises(Refused) as refused:
        call(*args, **named)
    return refused.value.code, refused.value.params


# --- positions and versions -------------------------------------------------------------------


def test_founding(empty: Log) -> None:
    """A club's log begins at position 1."""
    founded = empty.found()

    assert (founded.first, founded.last, founded.replayed) == (1, 1, False)


def test_positions_go_on(log: Log) -> None:
    """Positions count the club's events, versions each stream's."""
    log.append("table/a", 0, ("TableOpened/1", "HandStarted/1"))
    log.append("table/b", 0)
    log.append("table/a", 2)

    assert [(event.position, event.stream, event.version) for event in log.all()] == [
        (1, "club", 1),
        (2, "table/a", 1),
        (3, "table/a", 2),
        (4, "table/b", 1),
        (5, "table/a", 3),
    ]


def test_clubs_apart(log: Log) -> None:
    """Each club counts from 1 by itself."""
    log.append("table/a", 0)

    log.found("c2")

    assert [event.position for event in log.all("c1")] == [1, 2]
    assert [event.position for event in log.all("c2")] == [1]


def test_several_streams_at_once(log: Log) -> None:
    """One append may write to several streams, in the order given."""
    event = Sealed("Drawn/1", b"{}")
    writings = (Writing("table/a", 0, (event, event)), Writing("hand/a/1", 0, (event,)))

    appended = log.write(Append("c1", "key_1", "recorder", 1000, None, writings))

    assert (appended.first, appended.last) == (2, 4)
    assert [event.stream for event in log.all()[1:]] == ["table/a", "table/a", "hand/a/1"]


def test_no_events(log: Log) -> None:
    """An append without events keeps its command alone: no guard, no head."""
    before = log.everything()
    rule = Guard("period", None, "open")

    appended = log.append("table/a", 0, (), command=COMMAND, guards=(rule,), at=9999)

    assert (appended.first, appended.last, appended.replayed) == (2, 1, False)
    kept = {"commands": [("c1", COMMAND.digest, COMMAND.request, 2, 1)]}
    assert log.everything() == {**before, **kept}


def test_a_command_without_events_is_bound_to_its_request_too(log: Log) -> None:
    """Its retry lies where it lay, though more has happened since; another request is refused."""
    first = log.append("table/a", 0, (), command=COMMAND)
    log.append("table/a", 0, ("Drawn/1",))
    again = log.append("table/a", 0, (), command=COMMAND)
    assert (again.first, again.last, again.replayed) == (first.first, first.last, True)
    with pytest.raises(Refused, match="idempotency_key_reused"):
        log.append("table/a", 1, (), command=OTHER_REQUEST)


def test_time_never_goes_back(log: Log) -> None:
    """An event is recorded at the time handed in, but never before the one before it."""
    asked = enumerate((5000, 4000, 6000))
    times = [log.append("table/a", version, at=at).recorded_at for version, at in asked]

    assert times == [5000, 5000, 6000]
    assert [event.recorded_at for event in log.all()] == [1000, 5000, 5000, 6000]


# --- refusals ---------------------------------------------------------------------------------


def test_unknown_club(empty: Log) -> None:
    """A club that was not founded has no log."""
    assert refusal(empty.append, "table/a", 0) == ("club_unknown", {"club": "c1"})


def test_founded_twice(log: Log) -> None:
    """A club is founded once."""
    assert refusal(log.found) == ("club_exists", {"club": "c1"})


@pytest.mark.parametrize("expected", [0, 1, 3])
def test_stale_version(log: Log, expected: int) -> None:
    """A writer who saw the stream at another version is told the current one."""
    log.append("table/a", 0, ("TableOpened/1", "HandStarted/1"))

    code, params = refusal(log.append, "table/a", expected)

    assert (code, params) == ("version_stale", {"stream": "table/a", "current_version": 2})


@pytest.mark.holds("an append is refused in the middle")
def test_nothing_of_a_refused_append(log: Log) -> None:
    """A second stream's stale version leaves nothing of the first stream behind."""
    before = log.everything()
    event = Sealed("Drawn/1", b"{}")
    writings = (Writing("table/a", 0, (event,)), Writing("club", 0, (event,)))
    rule = Guard("period", None, "open")

    code, _ = refusal(log.write, Append("c1", "key_1", "owner", 1000, COMMAND, writings, (rule,)))

    assert code == "version_stale"
    assert log.everything() == before


def test_nothing_of_a_refused_founding(empty: Log) -> None:
    """A founding that is refused leaves no club behind."""
    asked = Append("c1", "key_1", "owner", 1000, None, (Writing("club", 1, ()),), founds=True)

    code, _ = refusal(empty.write, asked)

    assert code == "version_stale"
    assert empty.everything()["heads"] == []


# --- commands ---------------------------------------------------------------------------------


def test_repeated_command(log: Log) -> None:
    """A repeated command gets its first answer, whatever version it still names."""
    first = log.append("table/a", 0, ("Dealt/1", "Drawn/1"), command=COMMAND, at=2000)
    log.append("table/a", 2)

    again = log.append("table/a", 0, ("Dealt/1", "Drawn/1"), command=COMMAND, at=9000)

    assert again == Appended(2, 3, first.hash, 2000, replayed=True)
    assert len(log.all()) == 4


def test_command_id_with_another_request(log: Log) -> None:
    """A command id stands for one request; another one under it changes nothing."""
    log.append("table/a", 0, command=COMMAND)
    before = log.everything()

    code, params = refusal(log.append, "table/a", 1, command=OTHER_REQUEST)

    assert (code, params) == ("idempotency_key_reused", {})
    assert log.everything() == before


def test_refusal_is_not_kept(log: Log) -> None:
    """A refused command may be asked again under its id, even differently."""
    refusal(log.append, "table/a", 7, command=COMMAND)

    assert log.append("table/a", 0, command=OTHER_REQUEST).replayed is False


def test_command_of_another_club(log: Log) -> None:
    """A command id belongs to a club."""
    log.append("table/a", 0, command=COMMAND)

    assert log.found("c2", COMMAND).replayed is False


def test_repeated_founding(empty: Log) -> None:
    """A founding that is repeated with its command id gets its first answer."""
    first = empty.found(command=COMMAND)

    again = empty.found(command=COMMAND)

    assert again == Appended(1, 1, first.hash, 1000, replayed=True)


def test_events_name_their_command(log: Log) -> None:
    """Every event of a command carries its digest, and nothing where there was no command."""
    log.append("table/a", 0, ("Dealt/1", "Drawn/1"), command=COMMAND)

    assert [event.command for event in log.all()] == [b"", COMMAND.digest, COMMAND.digest]


# --- guards -----------------------------------------------------------------------------------


def test_guard_is_set_and_removed(log: Log) -> None:
    """A guard row is written with the events, and removed with later ones."""
    log.append("table/a", 0, guards=(Guard("seat/mem_1", None, "tbl_a"),))
    with log.database.read() as connection:
        seated = store.guard(connection, "c1", "seat/mem_1")

    log.append("table/a", 1, guards=(Guard("seat/mem_1", "tbl_a", None),))
    with log.database.read() as connection:
        left = store.guard(connection, "c1", "seat/mem_1")

    assert (seated, left) == ("tbl_a", None)


def test_guard_changes(log: Log) -> None:
    """A guard row may go from one value to another."""
    log.append("table/a", 0, guards=(Guard("period", None, "open"),))

    log.append("table/a", 1, guards=(Guard("period", "open", "closed"),))

    assert log.everything()["guards"] == [("c1", "period", "closed")]


def test_stale_guard(log: Log) -> None:
    """Two streams cannot both have what a rule gives to one."""
    log.append("table/a", 0, guards=(Guard("seat/mem_1", None, "tbl_a"),))
    before = log.everything()

    code, params = refusal(log.append, "table/b", 0, guards=(Guard("seat/mem_1", None, "tbl_b"),))

    assert (code, params) == ("guard_stale", {"key": "seat/mem_1", "value": "tbl_a"})
    assert log.everything() == before


def test_guard_that_is_only_checked(log: Log) -> None:
    """A guard whose value stays is a condition, and is not written."""
    log.append("table/a", 0, guards=(Guard("period", None, None),))

    assert log.everything()["guards"] == []


# --- at once ----------------------------------------------------------------------------------


@pytest.mark.holds("two write after the same version at once")
def test_race_for_a_version(log: Log, elsewhere: Log, together: Together) -> None:
    """Of two who write after the same version at once, one wins and the other is stale."""
    for version in range(20):
        results = together(
            partial(log.append, "table/a", version),
            partial(elsewhere.append, "table/a", version),
        )

        assert sorted(map(kind, results)) == ["Appended", "version_stale"]


@pytest.mark.holds("the same request is sent twice at once")
def test_race_for_a_command(log: Log, elsewhere: Log, together: Together) -> None:
    """A command sent twice at once has one effect and one answer."""
    for version in range(20):
        command = Command(version.to_bytes(32, "big"), bytes(32))
        one, other = together(
            partial(log.append, "table/a", version, command=command),
            partial(elsewhere.append, "table/a", version, command=command),
        )

        assert {one.replayed, other.replayed} == {False, True}
        assert (one.first, one.last, one.hash) == (other.first, other.last, other.hash)


@pytest.mark.holds("a club is founded twice at once")
def test_race_to_found(empty: Log, elsewhere: Log, together: Together) -> None:
    """Of two who found a club at once, one does."""
    for number in range(10):
        club = f"c{number}"
        results = together(partial(empty.found, club), partial(elsewhere.found, club))

        assert sorted(map(kind, results)) == ["Appended", "club_exists"]


@pytest.mark.holds("a request is repeated while the first one still runs")
def test_running_command_is_waited_for(log: Log, elsewhere: Log) -> None:
    """A request that repeats a running one waits for it and gets its answer."""
    with ThreadPoolExecutor(1) as thread:
        with log.database.write() as connection:
            event = Writing("table/a", 0, (Sealed("Dealt/1", b"{}"),))
            running = Append("c1", "key_1", "recorder", 1000, COMMAND, (event,))
            first = store.append(connection, running)
            again = thread.submit(elsewhere.write, running)
            with pytest.raises(TimeoutError):
                again.result(timeout=0.2)
        answer = again.result(timeout=20)

    assert (answer.first, answer.hash, answer.replayed) == (2, first.hash, True)


def kind(result: object) -> str:
    """The code of a refusal, or what else came back."""
    return result if isinstance(result, str) else type(result).__name__


# --- the chain --------------------------------------------------------------------------------

GOLDEN_LEAF = "a01621cd368407e70d893cbf6f8bcc49f33b29130afa67efc6dd120684ab7dc8"
GOLDEN_HASH = "122cd2b20a81e29fea1780396d48de79d3eb704e0ca64ce0af3ddf4553a1c0ca"


@pytest.fixture
def golden(empty: Log) -> Stored:
    """A literal event at position 1 of a log, as it was stored."""
    slots, digests = (b"{}", b'{"tile":"5m"}'), (b"\xaa" * 32, b"\xbb" * 32)
    event = Sealed("Drawn/1", b'{"at":7,"seat":1}', slots, digests)
    asked = Append(
        club="clb_1",
        actor="key_1",
        role="recorder",
        recorded_at=1_700_000_000_000_000,
        command=COMMAND,
        writings=(Writing("table/tbl_1", 0, (event,)),),
        founds=True,
    )
    assert empty.write(asked).hash.hex() == GOLDEN_HASH
    (stored,) = empty.all("clb_1")
    return stored


def test_golden_event(golden: Stored) -> None:
    """The leaf and the hash of a literal event never change."""
    assert (golden.leaf.hex(), golden.hash.hex()) == (GOLDEN_LEAF, GOLDEN_HASH)


def test_golden_event_by_hand() -> None:
    """Whoever follows the written format with nothing but SHA-256 gets the same hashes."""
    parts = [b"clb_1", b"table/tbl_1", b"Drawn/1", b"key_1", b"recorder", b"\xc0" * 32]
    club, stream, name, actor, role, command = [bytes([0, 0, 0, len(p)]) + p for p in parts]
    one, time = bytes(7) + b"\x01", bytes.fromhex("00060a24181e4000")
    public = bytes([0, 0, 0, 17]) + b'{"at":7,"seat":1}'
    digests = b"\x02" + b"\xaa" * 32 + b"\xbb" * 32
    written = club + stream + one + name + time + actor + role + command + public + digests

    leaf = hashlib.sha256(b"\x00" + written)
    chained = hashlib.sha256(b"\x02" + bytes(32) + one + leaf.digest())

    assert (leaf.hexdigest(), chained.hexdigest()) == (GOLDEN_LEAF, GOLDEN_HASH)


numbers = count()
steps = st.tuples(st.integers(0, 1), st.integers(0, 2), st.integers(0, 3), st.integers(0, 9))


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(plan=st.lists(steps, max_size=12))
def test_any_appends_make_a_chain(empty: Log, plan: list[tuple[int, int, int, int]]) -> None:
    """However clubs and streams take turns, refused appends between: no gap, one chain."""
    example = next(numbers)
    clubs = [f"x{example}-{number}" for number in range(2)]
    versions: Counter[str] = Counter()
    for club in clubs:
        empty.found(club)
    for number, table, events, at in plan:
        club, stream = clubs[number], f"table/{clubs[number]}-{table}"
        empty.append(stream, versions[stream], ("Drawn/1",) * events, club=club, at=at * 1000)
        versions[stream] += events
        before = empty.everything()
        refusal(empty.append, stream, versions[stream] + 1, club=club)
        assert empty.everything() == before

    for club in clubs:
        assert_chained(empty.all(club))


def assert_chained(log: list[Stored]) -> None:
    """Positions and versions without gaps, times in order, every hash on the one before."""
    assert [event.position for event in log] == list(range(1, len(log) + 1))
    assert [event.recorded_at for event in log] == sorted(event.recorded_at for event in log)
    for stream in {event.stream for event in log}:
        versions = [event.version for event in log if event.stream == stream]
        assert versions == list(range(1, len(versions) + 1))
    previous = bytes(32)
    for event in log:
        place = event.position.to_bytes(8, "big")
        previous = hashlib.sha256(b"\x02" + previous + place + event.leaf).digest()
        assert event.hash == previous
