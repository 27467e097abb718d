"""A club's log as it is followed behind the real web server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flask import Flask

from ledger.api import register
from ledger.api.following import Pace
from tests.api import web
from tests.api.web import Stream, Web
from tests.conftest import NO_KEY

if TYPE_CHECKING:
    from tests.api.conftest import Caller, Club

LINES = "application/x-ndjson"
EVENTS = "text/event-stream"
QUICK = Pace(look=0.01, heartbeat=0.1, end=30)
CALM = Pace(look=0.01, heartbeat=30, end=30)


@dataclass
class Followed:
    """A club behind a web server of its own."""

    club: Club
    web: Web

    def follow(self, caller: Caller, query: str = "", accept: str = LINES, **more: str) -> Stream:
        """Ask for a stream of the club's events, as a caller."""
        path = f"{self.club.path}/events?follow=true&{query}"
        return self.web.get(path, Authorization=f"Bearer {caller.token}", Accept=accept, **more)

    def listed(self, caller: Caller, after: int) -> list[Any]:
        """The same events as the list shows them."""
        answer = caller.get(f"{self.club.path}/events?limit=100&after={after}")
        events: list[Any] = answer.json["data"]
        return events


@contextmanager
def followed(club: Club, pace: Pace) -> Iterator[Followed]:
    """A club behind a web server, whose streams have a pace."""
    from tests.api.conftest import MANY, OPERATOR_TOKEN

    app = Flask("followed")
    register(app, club.ledger, NO_KEY, OPERATOR_TOKEN, limits=MANY, pace=pace)
    with web.in_a_thread(app) as server:
        yield Followed(club, server)


def join(club: Club, name: str = "One more") -> None:
    assert club.owner.post(f"{club.path}/members", {"name": name}).status_code == 201
