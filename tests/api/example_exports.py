"""The story of the API's description, taken away: a trial balance as a file."""

from __future__ import annotations

from typing import Any, Protocol


class Asks(Protocol):
    """The story, as far as it is asked here."""

    def ask(self, name: str, method: str, path: str, body: object = None, **more: Any) -> Any:
        """Send a request, and keep it with its answer unless it is said aside."""

    def export(self) -> None:
        """Let the worker make the exports that wait for it."""


def tell_exports(story: Asks, club: str, owner: str) -> None:
    """An export asked for, made, looked at and fetched."""
    path = f"/v1/clubs/{club}/exports"
    asked = {"kind": "trial_balance", "format": "csv", "last": "2025-11-28"}
    export = story.ask("ask_for_export", "POST", path, asked, by=owner)
    story.export()
    story.ask("list_exports", "GET", path, by=owner, query={"limit": 1})
    made = story.ask("get_export", "GET", f"{path}/{export['id']}", by=owner)
    file, _, query = made["files"][0]["url"].partition("?")
    until, signature = (part.partition("=")[2] for part in query.split("&"))
    link = {"until": int(until), "signature": signature}
    story.ask("fetch_file", "GET", file, by=None, query=link)
