"""The road of a game server, a method to each step."""

import json
from collections.abc import Iterator, Sequence
from typing import Any, Self, Unpack, cast

from paizhang_client import answers
from paizhang_client.answers import Action, Balance, Event, Hand, Recorded, Settlement, Table
from paizhang_client.connection import LOST, PAUSES, SILENCE, Connection, Refusal, rest


class Client:
    """A ledger as the holder of one key sees it.

    What the ledger refuses is raised as a Refusal; what may go better is tried again first. A
    write is done once for each `key`: make it from your own numbers, such as `match-42/1/3`, and
    a program that crashed can send everything again. Without one each call is a new write.
    """

    def __init__(self, base_url: str, key: str, *, language: str = "en", **http: Any) -> None:
        """Refusals are told in `language`; what httpx.Client may be told is in `http`.

        The base URL is the server's, with its `/v1` or without.
        """
        base_url = base_url.rstrip("/").removesuffix("/v1")
        headers = {"Authorization": f"Bearer {key}", "Accept-Language": language}
        self._ledger = Connection(base_url=base_url, headers=headers, timeout=SILENCE, **http)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._ledger.close()

    def open_table(
        self, club: str, *, key: str | None = None, **opening: Unpack[answers.Opening]
    ) -> Table:
        """Open a match; the caller's API key records it, and no other can."""
        return cast(Table, self._ledger.write(f"/v1/clubs/{club}/tables", opening, key))

    def start_hand(
        self, table: str, wall: str | None = None, *, key: str | None = None
    ) -> Recorded:
        """Deal the next hand, from the server's own wall or from one that the ledger shuffles."""
        body = {} if wall is None else {"wall": wall}
        return cast(Recorded, self._ledger.write(f"/v1/tables/{table}/hands", body, key))

    def act(
        self,
        table: str,
        version: int,
        actions: Action | Sequence[Action],
        *,
        key: str | None = None,
        dry_run: bool = False,
    ) -> Recorded:
        """Record one action, or several that happen together or not at all.

        `version` is that of the answer they were decided on; VersionStale says that the table
        has moved on since. A dry run records nothing, and is answered up to the next draw.
        """
        body = actions if isinstance(actions, dict) else {"actions": list(actions)}
        query = {"dry_run": "true"} if dry_run else {}
        path = f"/v1/tables/{table}/actions"
        return cast(Recorded, self._ledger.write(path, body, key, version, **query))

    def dissolve(self, table: str, note: str | None = None, *, key: str | None = None) -> Recorded:
        """End a match at once, in the middle of a hand too."""
        path = f"/v1/tables/{table}/dissolve"
        return cast(Recorded, self._ledger.write(path, {"note": note}, key))

    def get_table(self, table: str) -> Table:
        """A table as it stands now."""
        return cast(Table, self._ledger.look(f"/v1/tables/{table}"))

    def get_hand(self, table: str, number: int) -> Hand:
        """A hand with all its events, for a replay."""
        return cast(Hand, self._ledger.look(f"/v1/tables/{table}/hands/{number}"))

    def settlement(self, table: str, number: int) -> Settlement:
        """Who pays whom for a hand that has ended; waits a few seconds for the worker."""
        return cast(Settlement, self._ledger.look(f"/v1/tables/{table}/hands/{number}/settlement"))

    def list_hands(self, club: str, min_position: int = 0) -> Iterator[answers.ListedHand]:
        """The hands that are the key's business, the newest first; at a position or later."""
        return self._ledger.pages(f"/v1/clubs/{club}/hands", min_position=min_position)

    def balances(self, club: str, min_position: int = 0) -> Iterator[Balance]:
        """The members' balances, at a position of the log or later."""
        return self._ledger.pages(f"/v1/clubs/{club}/balances", min_position=min_position)

    def events(self, club: str, after: int = 0) -> Iterator[Event]:
        """The events after a position, to the end of the log as it stands now."""
        return self._ledger.pages(f"/v1/clubs/{club}/events", after=after)

    def follow(self, club: str, after: int = 0) -> Iterator[Event]:
        """The events after a position, then each new one as it happens, for ever.

        A stream that ends or is cut is opened again where it stopped: nothing is missed and
        nothing comes twice. Keep the last position, and a restarted program goes on there too.
        """
        failures = 0
        while True:
            try:
                path = f"/v1/clubs/{club}/events"
                for line in self._ledger.lines(path, after=after, follow="true"):
                    failures = 0
                    if line:  # an empty one only says that the stream lives
                        event: Event = json.loads(line)
                        after = event["position"]
                        yield event
            except (*LOST, json.JSONDecodeError):  # cut, perhaps in the middle of a line
                pass
            except Refusal as refusal:
                if not refusal.retryable:
                    raise
                rest(0, refusal.retry_after)
            rest(PAUSES[min(failures, len(PAUSES) - 1)])
            failures += 1
