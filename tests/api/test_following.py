"""A club's log followed as it grows, behind the real web server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ledger.api import following
from ledger.api.following import Pace
from tests.api import web
from tests.api.conftest import Club, found_club
from tests.api.followed import EVENTS, LINES, Followed, followed, join
from tests.api.hand import BEFORE, WALL
from tests.machine import until


def test_first_what_there_is_then_what_comes(either: Followed) -> None:
    """The owner sees what the list shows him, each event as soon as it is there."""
    owner, last = either.club.owner, either.club.head()[0]

    stream = either.follow(owner, f"after={last - 5}")
    assert list(map(json.loads, stream.lines(5))) == either.listed(owner, last - 5)
    join(either.club)
    assert json.loads(stream.line()) == either.listed(owner, last)[0]
    join(either.club)
    assert json.loads(stream.line())["position"] == last + 2


def test_a_stream_is_masked_as_the_list_is(either: Followed) -> None:
    """While a hand runs, then each player's stream shows what his list shows, and no more."""
    club = either.club
    table = club.open_table()
    before = club.head()[0]
    player = club.players[1]

    stream = either.follow(player, f"after={before}")
    club.recorder.post(f"{table}/hands", {"wall": WALL})
    version = club.recorder.get(table).json["version"]
    done = club.recorder.post(f"{table}/actions", {"actions": BEFORE}, If_Match=f'"{version}"')
    assert done.status_code == 201, done.text
    shown = either.listed(player, before)
    streamed = [json.loads(line) for line in stream.lines(len(shown))]

    assert streamed == shown
    assert any("part" in slot for event in streamed for slot in event["slots"])
    assert shown != either.listed(club.recorder, before)


def test_events_that_are_not_ones_business_keep_the_chain(calm: Followed) -> None:
    """A member who sees nothing of another's joining gets its position and its hashes."""
    player = calm.club.players[0]
    before = calm.club.head()[0]

    stream = calm.follow(player, f"after={before}")
    join(calm.club)
    [line] = stream.lines(1)

    assert json.loads(line).keys() == {"object", "id", "position", "leaf", "hash"}


def test_a_stream_goes_on_after_a_position(calm: Followed) -> None:
    """Given the position of the last event that one has, then the next comes first."""
    stream = calm.follow(calm.club.owner, "after=3")
    assert json.loads(stream.line())["position"] == 4


def test_a_blank_line_is_the_heartbeat(quick: Followed) -> None:
    """Where nothing happens, then a blank line comes at once, and again and again."""
    last = quick.club.head()[0]
    stream = quick.follow(quick.club.owner, f"after={last}")
    assert [stream.line() for _ in range(3)] == ["", "", ""]


def test_a_stream_ends_after_its_time(sqlite_club: Club) -> None:
    """Given an end after a tenth of a second, then the answer is complete by then."""
    with followed(sqlite_club, Pace(look=0.01, heartbeat=30, end=0.1)) as served:
        last = sqlite_club.head()[0]
        assert served.follow(sqlite_club.owner, f"after={last}").rest() == "\n"


def test_a_limit_ends_a_stream(calm: Followed) -> None:
    """Given a limit of one, then the stream ends with the next event."""
    last = calm.club.head()[0]
    stream = calm.follow(calm.club.owner, f"after={last}&limit=1")
    join(calm.club)

    lines = stream.rest().split()

    assert [json.loads(line)["position"] for line in lines] == [last + 1]


def test_browsers_get_server_sent_events(calm: Followed) -> None:
    """An event has its position for an id, its type for a name, and the same body."""
    before = calm.club.head()[0]

    stream = calm.follow(calm.club.owner, f"after={before}", EVENTS)
    assert [stream.line(), stream.line()] == [":", ""]
    join(calm.club)
    told = [stream.line() for _ in range(4)]

    [event] = calm.listed(calm.club.owner, before)
    assert stream.answer.getheader("Content-Type") == "text/event-stream; charset=utf-8"
    assert told[:2] == [f"id: {before + 1}", "event: MemberJoined/1"]
    assert json.loads(told[2].removeprefix("data: ")) == event
    assert told[3] == ""


def test_a_hidden_event_has_a_name_that_says_nothing(calm: Followed) -> None:
    """To a member another's joining is an event, of no type."""
    before = calm.club.head()[0]
    stream = calm.follow(calm.club.players[0], f"after={before}", EVENTS)
    join(calm.club)
    assert stream.lines(2) == [f"id: {before + 1}", "event: event"]


def test_a_browser_goes_on_after_the_last_event_it_had(calm: Followed) -> None:
    """Last-Event-ID counts more than where the page began."""
    owner = calm.club.owner
    stream = calm.follow(owner, "after=1", EVENTS, Last_Event_ID="4")
    assert stream.line() == "id: 5"


def test_a_browser_follows_without_asking_for_it(calm: Followed) -> None:
    """A page's EventSource that says nothing of `follow` gets a stream that goes on."""
    last = calm.club.head()[0]
    token = calm.club.owner.token
    path = f"{calm.club.path}/events?after={last}"
    stream = calm.web.get(path, Authorization=f"Bearer {token}", Accept=EVENTS)
    join(calm.club)
    assert stream.lines(1) == [f"id: {last + 1}"]


@pytest.mark.parametrize(
    ("query", "accept", "last", "code"),
    [
        ("follow=true", "application/json", "1", "follow_form"),
        ("follow=true", "*/*", "1", "follow_form"),
        ("follow=yes", LINES, "1", "query_invalid"),
        ("follow=true", EVENTS, "-1", "last_event_form"),
        ("follow=true", EVENTS, "1" * 17, "last_event_form"),
        ("follow=true&after=x", LINES, "1", "query_invalid"),
        ("follow=true&after=9999999", LINES, "1", "position_ahead"),
        ("after=9999999", LINES, "1", "position_ahead"),
        ("follow=true", EVENTS, "9999999", "position_ahead"),
    ],
)
def test_what_is_no_stream_is_refused(
    sqlite_club: Club, query: str, accept: str, last: str, code: str
) -> None:
    """A stream that was asked for in a wrong way is refused before it begins."""
    path = f"{sqlite_club.path}/events?{query}"
    answer = sqlite_club.owner.get(path, Accept=accept, Last_Event_ID=last)
    assert (answer.status_code, answer.json["code"]) == (400, code)


def test_a_stream_has_the_headers_of_every_answer(calm: Followed) -> None:
    """It is numbered, kept by nobody, and held back by no proxy."""
    stream = calm.follow(calm.club.owner)
    told = stream.answer.headers
    assert told["Request-Id"].startswith("req_")
    assert told["RateLimit-Policy"] == '"address";q=1000000;w=60'
    assert told["Cache-Control"] == "no-store"
    assert told["X-Accel-Buffering"] == "no"
    assert told["X-Content-Type-Options"] == "nosniff"


def test_a_caller_has_four_streams(calm: Followed) -> None:
    """The fifth is refused with a code of its own; another caller has his own four."""
    club = calm.club
    *let_in, refused = [calm.follow(club.owner) for _ in range(5)]

    assert [stream.answer.status for stream in let_in] == [200, 200, 200, 200]
    assert refused.answer.status == 503
    assert refused.answer.getheader("Retry-After") == "10"
    problem = json.loads(refused.rest())
    assert (problem["code"], problem["retryable"]) == ("streams_taken", True)
    other = calm.follow(club.recorder)
    assert other.answer.status == 200


def test_lines_that_do_not_go_on_take_a_place_too(calm: Followed) -> None:
    """An adversary's forty readers, who took nothing of the log, once held every thread."""
    for _ in range(4):
        calm.follow(calm.club.owner)
    path, key = f"{calm.club.path}/events", f"Bearer {calm.club.owner.token}"
    assert calm.web.get(path, Authorization=key, Accept=LINES).answer.status == 503
    assert calm.web.get(path, Authorization=key).answer.status == 200


def test_there_are_sixteen_streams_eight_of_them_in_a_club(calm: Followed) -> None:
    """Given two callers with four each, then a third is refused, and another club is not."""
    first = calm.club
    clubs = (first, *(found_club(first.app) for _ in range(2)))
    for club in clubs[:2]:
        served = Followed(club, calm.web)
        callers = (club.owner, club.recorder)
        streams = [served.follow(caller) for caller in callers for _ in range(4)]
        assert {stream.answer.status for stream in streams} == {200}
        assert served.follow(club.other).answer.status == 503
    assert Followed(clubs[2], calm.web).follow(clubs[2].owner).answer.status == 503
    assert calm.web.get("/healthz").answer.status == 200


def test_a_stream_ends_before_it_has_to_wait_for_its_reader(
    calm: Followed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a bound of a thousand bytes, then it ends after them, and is resumed where it ended."""
    monkeypatch.setattr(following, "MOST_BYTES", 1000)
    monkeypatch.setattr(following, "AT_ONCE", 1)
    first = list(map(json.loads, calm.follow(calm.club.owner).rest().split()))
    last = first[-1]["position"]
    assert 1 <= last < calm.club.head()[0]
    stream = calm.follow(calm.club.owner, f"after={last}")
    assert json.loads(stream.line())["position"] == last + 1


def test_who_goes_away_gives_his_place_back(calm: Followed) -> None:
    """Given four streams whose reader closes them, then long before a heartbeat all are free."""
    owner = calm.club.owner
    for stream in [calm.follow(owner) for _ in range(4)]:
        stream.close()

    until(lambda: calm.follow(owner).answer.status == 200, patience=10)


def test_a_stream_that_has_ended_gives_its_place_back(quick: Followed) -> None:
    """Streams that end by themselves, one after the other, are as many as one likes."""
    answers = [quick.follow(quick.club.owner, "limit=1").rest() for _ in range(6)]
    assert [json.loads(text)["position"] for text in answers] == [1, 1, 1, 1, 1, 1]


def test_a_stream_that_breaks_gives_its_place_back(
    sqlite_club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a fault in the middle of every stream, then there is a place for the next."""
    monkeypatch.setattr("ledger.store.read_log", lambda *_: 1 / 0)
    path = f"{sqlite_club.path}/events?follow=true"
    for _ in range(6):
        with pytest.raises(ZeroDivisionError):
            sqlite_club.owner.get(path, Accept=LINES)


def test_a_stream_that_nobody_reads_takes_no_place(sqlite_club: Club) -> None:
    """A HEAD, and an answer that is dropped unread, leave nothing behind."""
    path = f"{sqlite_club.path}/events?follow=true"
    for _ in range(6):
        assert sqlite_club.owner.send("HEAD", path, Accept=LINES).status_code == 200
        assert sqlite_club.owner.get(path, Accept=LINES).status_code == 200


def test_an_idle_stream_holds_no_connection(club: Club) -> None:
    """Given a stream that waits, then every connection lies in its pool."""
    last = club.head()[0]
    path = f"{club.path}/events?follow=true&after={last}"
    answer: Any = club.owner.get(path, Accept=LINES)

    assert next(answer.iter_encoded()) in (b"", b"\n")
    assert club.ledger.database.reader.pool.checkedout() == 0  # type: ignore[attr-defined]
    answer.close()


def test_the_command_notices_at_once_that_a_reader_has_gone(
    sqlite_club: Club, tmp_path: Path
) -> None:
    """Given `paizhang web`, whose heart beats every 15 s, then a closed stream frees its place."""
    url = sqlite_club.ledger.database.reader.url.render_as_string(hide_password=False)
    with web.of_the_command(tmp_path, url) as server:
        served = Followed(sqlite_club, server)
        streams = [served.follow(sqlite_club.owner) for _ in range(4)]
        assert served.follow(sqlite_club.owner).answer.status == 503
        for stream in streams:
            stream.close()
        until(lambda: served.follow(sqlite_club.owner).answer.status == 200, patience=8)
