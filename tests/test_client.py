"""The typed client in examples/: what it sends, what it makes of answers, when it tries again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from types import SimpleNamespace

import httpx
import pytest

from paizhang_client import Action, Client, NoAnswer, Refusal, VersionStale, connection

ANSWER = {"version": 4, "position": 9, "events": [], "state": {}, "legal_actions": [[], []]}
DISCARD: Action = {"seat": 0, "action": "discard", "tile": "9s"}
NDJSON = {"Content-Type": "application/x-ndjson"}

Reply = httpx.Response | Exception


class Wire:
    """A wire on which replies lie ready; it keeps what was sent."""

    def __init__(self, *replies: Reply) -> None:
        self.replies = list(replies)
        self.sent: list[httpx.Request] = []

    def client(self) -> Client:
        return Client(
            "http://ledger.test", "pz_id_secret", transport=httpx.MockTransport(self.reply)
        )

    def reply(self, request: httpx.Request) -> httpx.Response:
        self.sent.append(request)
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return reply

    def headers(self, name: str) -> list[str | None]:
        return [request.headers.get(name) for request in self.sent]


def problem(status: int, code: str, *, retry_after: str = "", **more: object) -> httpx.Response:
    headers = {"Content-Type": "application/problem+json"}
    if retry_after:
        headers["Retry-After"] = retry_after
    told = {"status": status, "code": code, "detail": "A sentence.", **more}
    return httpx.Response(status, headers=headers, content=json.dumps(told))


@pytest.fixture
def rests(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that the client would have waited."""
    waited: list[float] = []
    monkeypatch.setattr(connection, "time", SimpleNamespace(sleep=waited.append))
    return waited


# --- what is sent -----------------------------------------------------------------------------


def test_an_action_is_sent_on_the_version_it_was_decided_on() -> None:
    """One action goes as it is, with If-Match, the key, and the language of refusals."""
    wire = Wire(httpx.Response(201, json=ANSWER))
    assert wire.client().act("tbl_1", 3, DISCARD)["version"] == 4
    (request,) = wire.sent
    assert (request.method, request.url.path) == ("POST", "/v1/tables/tbl_1/actions")
    assert request.headers["If-Match"] == '"3"'
    assert request.headers["Authorization"] == "Bearer pz_id_secret"
    assert request.headers["Accept-Language"] == "en"
    assert json.loads(request.content) == DISCARD


def test_several_actions_are_sent_as_one_list() -> None:
    """What happens together or not at all is one request."""
    wire = Wire(httpx.Response(201, json=ANSWER))
    wire.client().act("tbl_1", 3, [DISCARD, {"seat": 1, "action": "pass", "cause": "timeout"}])
    assert json.loads(wire.sent[0].content) == {
        "actions": [DISCARD, {"seat": 1, "action": "pass", "cause": "timeout"}]
    }


def test_what_a_newer_ledger_says_of_an_action_goes_back_whole() -> None:
    """Given a legal action with a field that this client does not know, it is sent as it came."""
    newer = {"seat": 0, "action": "kong", "tile": "5m", "colour": "red"}
    told = {**ANSWER, "legal_actions": [[newer]], "weather": "fine"}
    wire = Wire(httpx.Response(201, json=told), httpx.Response(201, json=ANSWER))
    client = wire.client()
    (legal,) = client.start_hand("tbl_1")["legal_actions"]
    assert legal is not None
    client.act("tbl_1", 4, legal[0])
    assert json.loads(wire.sent[1].content) == newer


def test_every_write_has_a_key_of_its_own() -> None:
    """Two writes with the same content are two writes."""
    wire = Wire(*(httpx.Response(201, json=ANSWER) for _ in range(2)))
    client = wire.client()
    client.act("tbl_1", 3, DISCARD)
    client.act("tbl_1", 3, DISCARD)
    first, second = wire.headers("Idempotency-Key")
    assert first
    assert second
    assert first != second


def test_a_write_can_have_a_key_that_the_caller_keeps() -> None:
    """Whoever names his writes himself can send them again after a crash."""
    wire = Wire(*(httpx.Response(201, json={**ANSWER, "id": "tbl_1"}) for _ in range(4)))
    client = wire.client()
    seats = ["M-0001", "M-0002"]
    client.open_table("club_1", key="match-42/open", ruleset="huaihua/1", seats=seats, hands=1)
    client.start_hand("tbl_1", key="match-42/1/start")
    client.act("tbl_1", 3, DISCARD, key="match-42/1/1")
    client.dissolve("tbl_1", key="match-42/dissolve")
    assert wire.headers("Idempotency-Key") == [
        "match-42/open",
        "match-42/1/start",
        "match-42/1/1",
        "match-42/dissolve",
    ]
    assert json.loads(wire.sent[0].content) == {
        "ruleset": "huaihua/1",
        "seats": ["M-0001", "M-0002"],
        "hands": 1,
    }


def test_a_match_says_where_it_is_played() -> None:
    """Room, floor and the sender's own name of the match go as they are."""
    wire = Wire(httpx.Response(201, json={**ANSWER, "id": "tbl_1"}))
    where = {"room": "大厅", "floor": "2", "ref": "match-42"}
    wire.client().open_table(
        "club_1",
        ruleset="huaihua/1",
        seats=["M-0001", "M-0002"],
        hands=1,
        room="大厅",
        floor="2",
        ref="match-42",
    )
    assert json.loads(wire.sent[0].content).items() >= where.items()


# --- when it is tried again -------------------------------------------------------------------


@pytest.mark.parametrize(
    "failure",
    [
        httpx.ConnectError("refused"),
        httpx.ReadTimeout("silent"),
        httpx.RemoteProtocolError("closed"),
        problem(429, "too_many_requests", retry_after="2", retryable=True),
        problem(503, "busy", retryable=True),
        httpx.Response(502, text="<html>a proxy</html>"),
    ],
)
def test_what_may_go_better_is_tried_again_under_the_same_key(
    rests: list[float], failure: Reply
) -> None:
    """Given one failure, then the second try is the same request, and its answer counts."""
    wire = Wire(failure, httpx.Response(201, json=ANSWER))
    assert wire.client().act("tbl_1", 3, DISCARD)["version"] == 4
    first, second = wire.sent
    assert first.headers["Idempotency-Key"] == second.headers["Idempotency-Key"]
    assert first.headers["If-Match"] == second.headers["If-Match"] == '"3"'
    assert first.content == second.content
    assert len(rests) == 1


def test_retry_after_is_waited_for_and_a_little_longer(rests: list[float]) -> None:
    """Told to come back in 7 seconds, a client comes back after 7 to 7.1."""
    wire = Wire(
        problem(429, "too_many_requests", retry_after="7", retryable=True),
        httpx.Response(201, json=ANSWER),
    )
    wire.client().start_hand("tbl_1")
    assert 7 <= rests[0] <= 7.1


def test_tries_end(rests: list[float]) -> None:
    """Six tries with growing pauses between them; then the refusal is raised."""
    wire = Wire(*(problem(503, "busy", retryable=True) for _ in range(6)))
    with pytest.raises(Refusal) as refused:
        wire.client().start_hand("tbl_1")
    assert (refused.value.code, refused.value.retryable) == ("busy", True)
    assert len(set(wire.headers("Idempotency-Key"))) == 1
    for least, rest in zip((0.1, 0.3, 1, 3, 10), rests, strict=True):
        assert least <= rest <= 2 * least


@pytest.mark.parametrize(
    ("failure", "why"),
    [
        (httpx.ConnectError("refused"), "refused"),
        (httpx.ReadTimeout(""), "ReadTimeout"),
        (httpx.RemoteProtocolError("closed"), "closed"),
        (httpx.ProxyError("no way"), "no way"),
    ],
)
def test_a_ledger_that_is_not_there_is_told_at_last(
    rests: list[float], failure: Exception, why: str
) -> None:
    """Given no answer in six tries, then that is raised with the place and the cause."""
    wire = Wire(*(failure for _ in range(6)))
    with pytest.raises(NoAnswer) as lost:
        wire.client().get_table("tbl_1")
    assert str(lost.value) == f"No answer from ledger.test: {why}"
    assert lost.value.key is None
    assert len(rests) == 5


def test_a_write_without_an_answer_names_its_key(rests: list[float]) -> None:
    """Sent again under that key it happens once, whether or not it had arrived."""
    wire = Wire(*(httpx.ReadError("cut") for _ in range(6)))
    with pytest.raises(NoAnswer) as lost:
        wire.client().start_hand("tbl_1")
    assert wire.headers("Idempotency-Key") == [lost.value.key] * 6
    assert len(rests) == 5


def test_who_is_sent_away_for_an_hour_does_not_wait(rests: list[float]) -> None:
    """A long Retry-After is for the caller to decide on."""
    wire = Wire(problem(429, "too_many_requests", retry_after="3600", retryable=True))
    with pytest.raises(Refusal) as refused:
        wire.client().start_hand("tbl_1")
    assert refused.value.retry_after == 3600
    assert rests == []


def test_a_settlement_is_waited_for(rests: list[float]) -> None:
    """`settlement_pending` is retryable: the second look finds it."""
    wire = Wire(
        problem(409, "settlement_pending", retryable=True),
        httpx.Response(200, json={"totals": [6, -2, -2, -2]}),
    )
    assert wire.client().settlement("tbl_1", 1)["totals"] == [6, -2, -2, -2]
    assert len(rests) == 1


def test_the_next_hand_waits_for_the_settlement_of_the_last(rests: list[float]) -> None:
    """`settlement_pending` writes nothing: the same request is sent again, under the same key."""
    pending = problem(409, "settlement_pending", retryable=True)
    wire = Wire(pending, pending, httpx.Response(201, json={"version": 18}))
    assert wire.client().start_hand("tbl_1", key="match-1/2")["version"] == 18
    assert [one.headers["Idempotency-Key"] for one in wire.sent] == ["match-1/2"] * 3
    assert len(rests) == 2


# --- refusals ---------------------------------------------------------------------------------


def test_a_refusal_says_what_where_and_why(rests: list[float]) -> None:
    """Code, detail, status, request id, places and rule; and it is not tried again."""
    errors = [{"pointer": "/tile", "code": "tile_not_held", "detail": "Not held."}]
    wire = Wire(
        problem(
            422,
            "tile_not_held",
            request_id="req_1",
            rule="common 5",
            errors=errors,
            retryable=False,
        )
    )
    with pytest.raises(Refusal, match=r"tile_not_held: A sentence\.") as refused:
        wire.client().act("tbl_1", 3, DISCARD)
    refusal = refused.value
    assert (refusal.status, refusal.code, refusal.detail) == (422, "tile_not_held", "A sentence.")
    assert (refusal.request_id, refusal.rule, refusal.errors) == ("req_1", "common 5", errors)
    assert not refusal.retryable
    assert rests == []


def test_a_stale_version_says_the_one_now() -> None:
    """A 412 is a refusal of its own kind."""
    wire = Wire(problem(412, "version_stale", current_version=17, retryable=False))
    with pytest.raises(VersionStale) as stale:
        wire.client().act("tbl_1", 3, DISCARD)
    assert stale.value.current_version == 17


def test_an_error_page_of_a_stranger_is_a_refusal_too() -> None:
    """What is no problem+json is told by its status and its first words."""
    wire = Wire(httpx.Response(404, text="<html>nginx</html>"))
    with pytest.raises(Refusal) as refused:
        wire.client().get_table("tbl_1")
    assert (refused.value.code, refused.value.detail) == ("http_404", "<html>nginx</html>")


# --- lists and streams ------------------------------------------------------------------------


def test_a_list_is_read_page_after_page_by_its_link() -> None:
    """The next page is wherever the Link says."""
    following = {"Link": '</v1/clubs/club_1/hands?limit=100&starting_after=tbl_1-2>; rel="next"'}
    wire = Wire(
        httpx.Response(200, json={"data": [{"number": 3}, {"number": 2}]}, headers=following),
        httpx.Response(200, json={"data": [{"number": 1}]}),
    )
    hands = wire.client().list_hands("club_1")
    assert [hand["number"] for hand in hands] == [3, 2, 1]
    assert wire.sent[1].url.query == b"limit=100&starting_after=tbl_1-2"


class Cut(httpx.SyncByteStream):
    """A stream that breaks off."""

    def __init__(self, *chunks: bytes) -> None:
        self.chunks = chunks

    def __iter__(self) -> Iterator[bytes]:
        yield from self.chunks
        raise httpx.ReadError("cut")


def stream(*chunks: bytes) -> httpx.Response:
    return httpx.Response(200, headers=NDJSON, content=b"".join(chunks))


def test_following_goes_on_where_a_stream_was_cut_or_ended(rests: list[float]) -> None:
    """Given a cut in the middle of a line, an end and a busy server, nothing is lost or doubled."""
    wire = Wire(
        httpx.Response(200, headers=NDJSON, stream=Cut(b'{"position":5}\n\n{"posi')),
        stream(b'\n{"position":6}\n{"posi'),
        stream(b'{"position":7}\n'),
        problem(503, "streams_full", retry_after="4", retryable=True),
        httpx.ConnectError("refused"),
        stream(b'{"position":8}\n'),
    )
    events = islice(wire.client().follow("club_1", after=4), 4)
    assert [event["position"] for event in events] == [5, 6, 7, 8]
    assert [request.url.params["after"] for request in wire.sent] == ["4", "5", "6", "7", "7", "7"]
    assert {request.url.params["follow"] for request in wire.sent} == {"true"}
    assert set(wire.headers("Accept")) == {"application/x-ndjson"}
    assert 4 in [int(rest) for rest in rests]


def test_following_ends_where_it_is_forbidden(rests: list[float]) -> None:
    """A key that was revoked is not tried for ever."""
    wire = Wire(problem(401, "key_invalid", retryable=False))
    with pytest.raises(Refusal, match="key_invalid"):
        next(wire.client().follow("club_1"))
    assert rests == []
