"""How often one may ask, and what one is told about it."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from flask import Flask
from structlog.testing import capture_logs

from ledger.api import limits, register
from ledger.api.limits import Limits
from ledger.refusal import Refused
from tests.api import web
from tests.api.conftest import OPERATOR_TOKEN, Caller, Club
from tests.conftest import NO_KEY

ADDRESS = "192.0.2.1"
QUOTA = re.compile(r'"([a-z-]+)";r=(\d+);t=(\d+)')


def served(club: Club, wanted: Limits) -> Flask:
    """The club's ledger again, in an application with other limits."""
    app = Flask("limited")
    app.testing = True
    register(app, club.ledger, NO_KEY, OPERATOR_TOKEN, limits=wanted)
    return app


def caller(app: Flask, of: Caller, address: str = ADDRESS) -> Caller:
    """A caller of the club, from an address."""
    client = app.test_client()
    client.environ_base["REMOTE_ADDR"] = address
    return Caller(client, of.token)


def left(answer: object) -> int:
    """What is left of the quota that an answer tells."""
    told = QUOTA.fullmatch(answer.headers["RateLimit"])  # type: ignore[attr-defined]
    assert told is not None
    return int(told[2])


def test_every_answer_tells_the_quota(sqlite_club: Club) -> None:
    """Given 100 a minute, then the policy and what is left of it stand in the headers."""
    owner = caller(served(sqlite_club, Limits(per_key=100)), sqlite_club.owner)

    answer = owner.get(sqlite_club.path)

    assert answer.headers["RateLimit-Policy"] == '"key";q=100;w=60'
    assert re.fullmatch('"key";r=99;t=(59|60)', answer.headers["RateLimit"])
    assert left(owner.get(sqlite_club.path)) == 98


@pytest.mark.parametrize("path", ["/v1/nothing", "/v1/clubs/club_none", "/v1/clubs"])
def test_refusals_tell_the_quota_too(sqlite_club: Club, path: str) -> None:
    """What is not there, not allowed, or asked without a key is counted by address."""
    client = served(sqlite_club, Limits(per_address=100)).test_client()

    answer = client.get(path)

    assert answer.status_code in (401, 404, 405)
    assert answer.headers["RateLimit-Policy"] == '"address";q=100;w=60'
    assert left(answer) == 99


def test_one_request_too_many_is_refused(sqlite_club: Club) -> None:
    """Given 2 a minute for a key, then the third is told in how many seconds to ask again."""
    owner = caller(served(sqlite_club, Limits(per_key=2)), sqlite_club.owner)
    owner.get(sqlite_club.path)
    owner.get(sqlite_club.path)

    refused = owner.get(sqlite_club.path, Accept_Language="zh-CN")

    assert refused.status_code == 429
    assert refused.content_type == "application/problem+json"
    assert refused.json["code"] == "rate_limited"
    assert refused.json["retryable"] is True
    assert refused.json["title"] == "请求过多"
    assert refused.headers["Retry-After"] in ("59", "60")
    assert left(refused) == 0


def test_a_key_is_counted_from_wherever_it_asks(sqlite_club: Club) -> None:
    """Given 1 a minute for a key, then another address does not help, and another key does."""
    app = served(sqlite_club, Limits(per_key=1))
    caller(app, sqlite_club.owner).get(sqlite_club.path)

    assert caller(app, sqlite_club.owner, "192.0.2.2").get(sqlite_club.path).status_code == 429
    assert caller(app, sqlite_club.recorder).get(sqlite_club.path).status_code == 200


def test_an_address_is_counted_with_whatever_key_it_asks(sqlite_club: Club) -> None:
    """Given 1 a minute for an address, then another key does not help, and another address does."""
    app = served(sqlite_club, Limits(per_address=1))
    caller(app, sqlite_club.owner).get(sqlite_club.path)

    assert caller(app, sqlite_club.recorder).get(sqlite_club.path).status_code == 429
    assert caller(app, sqlite_club.owner, "192.0.2.2").get(sqlite_club.path).status_code == 200


def test_a_wrong_secret_uses_up_nobody_elses_quota(sqlite_club: Club) -> None:
    """Given a key's id with a wrong secret, then the key's own quota stays whole."""
    app = served(sqlite_club, Limits(per_key=1))
    owner = caller(app, sqlite_club.owner)
    wrong = Caller(owner.client, owner.token[:-1] + ("0" if owner.token[-1] != "0" else "1"))

    assert [wrong.get(sqlite_club.path).status_code for _ in range(3)] == [401, 401, 401]
    assert owner.get(sqlite_club.path).status_code == 200


def test_the_quota_that_ends_first_is_told(sqlite_club: Club) -> None:
    """Given less left for the address than for the key, then the address's quota is told."""
    app = served(sqlite_club, Limits(per_key=5, per_address=4))

    assert left(caller(app, sqlite_club.owner).get(sqlite_club.path)) == 3
    assert left(caller(app, sqlite_club.owner, "192.0.2.2").get(sqlite_club.path)) == 3
    assert left(caller(app, sqlite_club.owner, "192.0.2.3").get(sqlite_club.path)) == 2


@pytest.mark.parametrize(
    ("first", "second", "status"),
    [
        ("2001:db8::1", "2001:db8::2", 429),
        ("2001:db8::1", "2001:db8:0:1::1", 200),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", 200),
        ("fe80::1%eth0", "fe80::2%eth0", 429),
        ("a-socket", "a-socket", 429),
    ],
)
def test_an_ipv6_network_is_one_address(
    sqlite_club: Club, first: str, second: str, status: int
) -> None:
    """Of IPv6 a user has 2^64 addresses: they count as one, but not those that carry IPv4."""
    app = served(sqlite_club, Limits(per_address=1))
    caller(app, sqlite_club.owner, first).get(sqlite_club.path)

    assert caller(app, sqlite_club.owner, second).get(sqlite_club.path).status_code == status


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/version", "/openapi.json", "/docs"])
def test_health_and_docs_are_free(sqlite_club: Club, path: str) -> None:
    """Given 1 a minute, then what needs no key and looks nothing up is answered as often."""
    client = served(sqlite_club, Limits(per_address=1)).test_client()

    for _ in range(3):
        answer = client.get(path)
        assert answer.status_code == 200
        assert "RateLimit" not in answer.headers


def test_attempts_to_sign_in_are_few_from_an_address(sqlite_club: Club) -> None:
    """Given 60 attempts a minute from an address, then the next is refused."""
    app = served(sqlite_club, Limits())
    with asking(app):
        for number in range(60):
            limits.attempt_sign_in(f"login-{number}")
        with pytest.raises(Refused, match="rate_limited"):
            limits.attempt_sign_in("login-60")
    with asking(app, "192.0.2.2"):
        limits.attempt_sign_in("login-60")


def test_attempts_to_sign_in_are_few_for_a_login(sqlite_club: Club) -> None:
    """Given 10 attempts a minute for a login, then the next from there is refused."""
    app = served(sqlite_club, Limits())
    with asking(app):
        for _ in range(10):
            limits.attempt_sign_in("somebody")
        with pytest.raises(Refused, match="rate_limited"):
            limits.attempt_sign_in("somebody")
        limits.attempt_sign_in("somebody else")


def test_nobody_locks_another_out_of_his_login(sqlite_club: Club) -> None:
    """Given somebody who has used up all attempts, then its owner signs in from elsewhere."""
    app = served(sqlite_club, Limits())
    with asking(app):
        for _ in range(10):
            limits.attempt_sign_in("somebody")
    with asking(app, "192.0.2.2"):
        limits.attempt_sign_in("somebody")
        limits.attempt_password("per_1")


@pytest.mark.parametrize(
    ("here", "there", "same"),
    [
        ("192.0.2.1:4711", "192.0.2.1:4712", True),
        ("[2001:db8::1]:80", "2001:db8::2", True),
        ("unknown", "_hidden", True),
        ("192.0.2.1", "192.0.2.2", False),
    ],
)
def test_what_a_proxy_says_of_an_address_is_read(
    sqlite_club: Club, here: str, there: str, same: bool
) -> None:
    """A port makes no other address, and what is none is one and the same."""
    app = served(sqlite_club, Limits(sign_ins_per_address=1))
    with asking(app, here):
        limits.attempt_sign_in("a")
    with asking(app, there):
        if not same:
            limits.attempt_sign_in("b")
            return
        with pytest.raises(Refused, match="rate_limited"):
            limits.attempt_sign_in("b")


def test_an_attempt_to_sign_in_tells_its_own_policy(sqlite_club: Club) -> None:
    """The answer to an attempt tells the quota of attempts."""
    app = served(sqlite_club, Limits())

    @app.post("/v1/attempt")
    def attempt() -> str:
        limits.attempt_sign_in("somebody")
        return "tried"

    answer = app.test_client().post("/v1/attempt")

    assert answer.headers["RateLimit-Policy"] == '"sign-in";q=10;w=60'
    assert answer.headers["RateLimit"].startswith('"sign-in";r=9;t=')


def test_several_processes_count_together(sqlite_club: Club, valkey_url: str) -> None:
    """Given a store for all, then what one process has let in the other has counted."""
    shared = Limits(per_key=2, store=valkey_url)
    one = caller(served(sqlite_club, shared), sqlite_club.owner)
    other = caller(served(sqlite_club, shared), sqlite_club.owner)

    answers = [asker.get(sqlite_club.path) for asker in (one, other, one)]

    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert [left(answer) for answer in answers] == [1, 0, 0]


def test_a_store_that_is_away_stops_nobody(sqlite_club: Club) -> None:
    """Given a store that refuses connections, then requests pass, unlimited, and it is logged."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    away = Limits(per_key=1, store=f"redis://127.0.0.1:{port}")
    owner = caller(served(sqlite_club, away), sqlite_club.owner)

    with capture_logs() as logs:
        answers = [owner.get(sqlite_club.path) for _ in range(3)]

    assert [answer.status_code for answer in answers] == [200, 200, 200]
    assert "RateLimit" not in answers[0].headers
    assert [line["event"] for line in logs] == ["rate_store_unreachable"]


def test_a_store_that_hangs_holds_nobody_up_for_long(sqlite_club: Club) -> None:
    """Given a store that takes connections and says nothing, then only one request waits."""
    with socket.create_server(("127.0.0.1", 0)) as silent, capture_logs() as logs:
        hanging = Limits(store=f"redis://127.0.0.1:{silent.getsockname()[1]}")
        owner = caller(served(sqlite_club, hanging), sqlite_club.owner)
        answers = [owner.get(sqlite_club.path) for _ in range(3)]

    assert [answer.status_code for answer in answers] == [200, 200, 200]
    assert [line["event"] for line in logs] == ["rate_store_unreachable"]


@pytest.mark.parametrize(("proxies", "status"), [("0", 429), ("1", 404)])
def test_what_a_proxy_says_is_believed_where_there_is_one(
    tmp_path: Path, sqlite_url: str, proxies: str, status: int
) -> None:
    """Given 1 a minute for an address, then two clients behind a proxy are told apart by it."""
    few = {"PROXIES": proxies, "RATE_PER_ADDRESS": "1"}
    with web.of_the_command(tmp_path, sqlite_url, **few) as server:
        server.get("/v1/nothing", X_Forwarded_For="192.0.2.1")
        second = server.get("/v1/nothing", X_Forwarded_For="192.0.2.2")

    assert second.answer.status == status


@contextmanager
def asking(app: Flask, address: str = ADDRESS) -> Iterator[None]:
    """A request that runs, from an address."""
    with app.test_request_context("/v1/sessions", environ_base={"REMOTE_ADDR": address}):
        yield
