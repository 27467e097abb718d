"""The typed client against a real server: the road of a game server, from table to books."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from flask import Flask

from ledger import demo, settlement
from ledger.demo import DemoClub
from ledger.settings import load
from paizhang_client import Action, Client, Refusal, VersionStale
from tests.api import web
from tests.api.hand import BEFORE, FED, OPTIONS, PUNG, WALL, WIN
from wsgi import House, create_app

ROUND = cast(list[Action], BEFORE)
STEPS = cast(list[Action | list[Action]], [BEFORE, FED, PUNG, WIN])


class Service:
    """A web server with a demo club, whose hands are settled when it is told to."""

    def __init__(self, app: Flask, port: int) -> None:
        self.house: House = app.extensions["house"]
        self.base = f"http://127.0.0.1:{port}"
        self.club: DemoClub = demo.found(self.house.ledger(), 4)

    def client(self, **more: Any) -> Client:
        return Client(self.base, self.club.recorder, **more)

    def settle(self) -> None:
        settlement.sweep(self.house.ledger(), self.house.settings)

    def open_table(self, client: Client) -> str:
        seats = self.club.members
        return client.open_table(
            self.club.club, ruleset="huaihua/1", options=OPTIONS, seats=seats, hands=2, dealer=0
        )["id"]


@pytest.fixture
def service(sqlite_url: str, tmp_path: Path) -> Iterator[Service]:
    app = create_app(load({"PAIZHANG_DATA": str(tmp_path), "PAIZHANG_DATABASE_URL": sqlite_url}))
    with closing(app.extensions["house"]), web.in_a_thread(app) as served:
        yield Service(app, served.port)


def play(client: Client, table: str) -> int:
    """Play the hand whose every tile is known; the position of its end."""
    answer = client.start_hand(table, WALL)
    for step in STEPS:
        answer = client.act(table, answer["version"], step)
    return answer["position"]


def test_a_hand_is_played_settled_and_read_back(service: Service) -> None:
    """From the deal to the books: seat 2 wins with 5p, and the balances show one point."""
    club = service.club
    with service.client() as client, Client(service.base, club.owner) as owner:
        table = service.open_table(client)
        end = play(client, table)
        hand = client.get_table(table)["state"]["hand"]
        assert hand is not None
        assert (hand["end"], hand["wins"][0]["seat"], hand["wins"][0]["tile"]) == ("win", 2, "5p")

        service.settle()
        assert client.settlement(table, 1)["totals"] == [-1, 0, 1, 0]
        assert client.get_hand(table, 1)["position"] == end + 1
        assert [hand["number"] for hand in client.list_hands(club.club, end + 1)] == [1]
        balances = owner.balances(club.club, end + 1)
        assert [balance["points"] for balance in balances] == [-1, 0, 1, 0]


def test_events_are_followed_as_they_happen(service: Service) -> None:
    """Who follows a table sees its hand's events in order, each once."""
    with service.client() as client:
        table = service.open_table(client)
        start = client.start_hand(table, WALL)["position"]
        following = client.follow(service.club.club, after=start)
        seen = []
        for step in ROUND[:2]:
            answer = client.act(table, client.get_table(table)["version"], step)
            seen += [next(following) for _ in answer["events"]]
        assert [event["type"] for event in seen] == ["Discarded/1", "Drawn/1"] * 2
        assert [event["position"] for event in seen] == [start + 1, start + 2, start + 3, start + 4]
        assert list(client.events(service.club.club, after=start)) == seen
        following.close()  # type: ignore[attr-defined]


def test_a_refusal_is_told_in_the_language_of_the_client(service: Service) -> None:
    """A client in Chinese reads Chinese sentences and the same codes."""
    with service.client(language="zh") as client:
        table = service.open_table(client)
        version = client.start_hand(table, WALL)["version"]
        with pytest.raises(Refusal) as refused:
            client.act(table, version, {"seat": 1, "action": "discard", "tile": "5p"})
    assert (refused.value.code, refused.value.rule) == ("not_your_turn", "common 5")
    assert refused.value.detail == "还没轮到 1 号位，也没有可要的牌。"


def test_a_table_that_has_moved_on_is_looked_at_again(service: Service) -> None:
    """Given a stale version, then the action goes through on the version that is current."""
    with service.client() as client:
        table = service.open_table(client)
        client.start_hand(table, WALL)
        with pytest.raises(VersionStale) as stale:
            client.act(table, 1, ROUND[0])
        assert stale.value.current_version == client.get_table(table)["version"] == 3
        assert client.act(table, 3, ROUND[0])["version"] == 5


class Losing(httpx.HTTPTransport):
    """A wire that delivers every write and loses the first answer to it."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[httpx.Response] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        response = super().handle_request(request)
        response.read()
        self.sent.append(response)
        if len(self.sent) % 2:
            raise httpx.ReadError("cut")
        return response


def test_what_was_done_and_not_heard_of_is_done_once(service: Service) -> None:
    """Given that every first answer is lost, the retries get it, and nothing happens twice."""
    wire = Losing()
    with service.client(transport=wire) as client:
        table = service.open_table(client)
        version = client.start_hand(table, WALL)["version"]
        assert client.act(table, version, ROUND[0])["version"] == 5
    firsts, retries = wire.sent[::2], wire.sent[1::2]
    assert [answer.content for answer in firsts] == [answer.content for answer in retries]
    assert {answer.headers.get("Idempotent-Replayed") for answer in firsts} == {None}
    assert {answer.headers.get("Idempotent-Replayed") for answer in retries} == {"true"}


def test_a_dry_run_changes_nothing(service: Service) -> None:
    """It is answered as the write would be, up to the next draw; the table stays where it was."""
    with service.client() as client:
        table = service.open_table(client)
        client.start_hand(table, WALL)
        tried = client.act(table, 3, ROUND[0], dry_run=True)
        assert [event["type"] for event in tried["events"]] == ["Discarded/1"]
        assert client.get_table(table)["version"] == 3


def test_a_match_can_be_dissolved(service: Service) -> None:
    """In the middle of a hand, before anything in it is worth points."""
    with service.client() as client:
        table = service.open_table(client)
        client.start_hand(table, WALL)
        state = client.dissolve(table, note="the power failed")["state"]
        assert (state["closed"], state["totals"]) == ("dissolved", [0, 0, 0, 0])
