"""The story of the API's description, read back: the journal, and what it says of members."""

from __future__ import annotations

from typing import Any, Protocol


class Asks(Protocol):
    """The story, as far as it is asked here."""

    def ask(self, name: str, method: str, path: str, body: object = None, **more: Any) -> Any:
        """Send a request, and keep it with its answer unless it is said aside."""

    def work(self, club: str) -> None:
        """Let the worker and the lists do what waits for them."""


def tell_books(story: Asks, club: str, owner: str, members: list[str]) -> None:
    """What the office has booked, and what the hands say of who played them."""
    path = f"/v1/clubs/{club}"
    feeder, winner = members[0], members[2]
    story.work(club)
    _read(story, owner, "list_accounts", f"{path}/accounts", limit=2)
    listed = _read(story, owner, "list_journal", f"{path}/journal", kind="allowance", limit=1)
    _read(story, owner, "get_entry", f"{path}/journal/{listed['data'][0]['id']}")
    days = {"first": "2025-11-28", "last": "2025-11-28"}
    _read(story, owner, "get_statement", f"{path}/members/{feeder}/statement", **days, limit=2)
    _read(story, owner, "total_tables", f"{path}/tables/totals")
    _read(story, owner, "list_statistics", f"{path}/statistics", **days, limit=1)
    _read(story, owner, "list_leaderboard", f"{path}/leaderboards/points", **days, limit=2)
    _read(story, owner, "list_pairs", f"{path}/pairs", limit=1)
    _read(story, owner, "list_telling_hands", f"{path}/pairs/{feeder}/{winner}/hands")
    _read(story, owner, "list_dissolutions", f"{path}/dissolutions", limit=1)
    _read(story, owner, "list_idle_hands", f"{path}/idle_hands", limit=1)


def _read(story: Asks, owner: str, name: str, path: str, **query: Any) -> Any:
    return story.ask(name, "GET", path, by=owner, query=query)
