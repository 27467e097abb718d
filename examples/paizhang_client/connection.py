"""Sending: over a connection that is kept, and again where that may help.

Every try of a write carries the same Idempotency-Key: it is done once, whatever was lost on the
way.
"""

import random
import time
from collections.abc import Iterator, Mapping
from typing import Any
from uuid import uuid4

import httpx

LOST = (
    httpx.NetworkError,
    httpx.ProxyError,
    httpx.RemoteProtocolError,
    httpx.TimeoutException,
)
PASSES = (429, 502, 503, 504)  # 502 and 504 are said by a proxy that stands between
PAUSES = (0.1, 0.3, 1.0, 3.0, 10.0)  # seconds before each new try; after the last it is raised
LONGEST_PAUSE = 60.0  # who is told to stay away for longer is told so by the Refusal
SILENCE = 30.0  # seconds without a byte until a connection is lost; streams beat every 15


class Refusal(Exception):
    """What was asked was not done: `code` is for programs, `detail` for people.

    `errors` name the places in the body, `rule` the paragraph of the rules, `request_id` what
    the operator can look for. `retryable`: the same request may go better a little later.
    """

    def __init__(self, response: httpx.Response) -> None:
        problem = response.headers.get("Content-Type", "").startswith("application/problem+json")
        told: Mapping[str, Any] = response.json() if problem else {"detail": response.text[:200]}
        after = response.headers.get("Retry-After", "")
        self.status = response.status_code
        self.code: str = told.get("code", f"http_{self.status}")
        self.detail: str = told.get("detail", "")
        self.request_id: str = told.get("request_id", "")
        self.rule: str | None = told.get("rule")
        self.errors: list[dict[str, str]] = told.get("errors", [])
        self.retryable: bool = told.get("retryable", self.status in PASSES)
        self.retry_after = float(after) if after.isdecimal() else 0.0
        self.current_version: int | None = told.get("current_version")
        places = [f"{one.get('pointer', '')} {one['detail']}" for one in self.errors]
        super().__init__("; ".join([f"{self.code}: {self.detail}", *places]))


class VersionStale(Refusal):
    """The table is at `current_version` by now: look again, and decide again."""


class NoAnswer(Exception):
    """No try was answered; a write may have happened all the same.

    Whoever sends it again under the same `key` learns which, and it happens once.
    """

    def __init__(self, request: httpx.Request, lost: Exception) -> None:
        self.key: str | None = request.headers.get("Idempotency-Key")
        super().__init__(f"No answer from {request.url.host}: {str(lost) or type(lost).__name__}")


class Connection(httpx.Client):
    """The way to a ledger under one key."""

    def look(self, path: str) -> Any:
        """What stands at a path."""
        return self._insist(self.build_request("GET", path)).json()

    def write(
        self, path: str, body: object, key: str | None, version: int | None = None, **query: str
    ) -> Any:
        """Write, once, on the version that was seen."""
        headers = {"Idempotency-Key": key or uuid4().hex}
        if version is not None:
            headers["If-Match"] = f'"{version}"'
        request = self.build_request("POST", path, params=query, json=body, headers=headers)
        return self._insist(request).json()

    def pages(self, path: str, **query: int) -> Iterator[Any]:
        """The objects of a list, page after page by its Link."""
        request = self.build_request("GET", path, params={"limit": 100, **query})
        while True:
            page = self._insist(request)
            yield from page.json()["data"]
            if "next" not in page.links:
                return
            request = self.build_request("GET", page.links["next"]["url"])

    def lines(self, path: str, **query: str | int) -> Iterator[str]:
        """The lines of a stream as they come, until it ends or is cut."""
        headers = {"Accept": "application/x-ndjson"}
        with self.stream("GET", path, params=query, headers=headers) as response:
            yield from _checked(response).iter_lines()

    def _insist(self, request: httpx.Request) -> httpx.Response:
        for pause in PAUSES:
            try:
                return self._answer(request)
            except NoAnswer:
                rest(pause)
            except Refusal as refusal:
                if not refusal.retryable or refusal.retry_after > LONGEST_PAUSE:
                    raise
                rest(pause, refusal.retry_after)
        return self._answer(request)

    def _answer(self, request: httpx.Request) -> httpx.Response:
        try:
            return _checked(self.send(request))
        except LOST as lost:
            raise NoAnswer(request, lost) from lost


def rest(pause: float, at_least: float = 0.0) -> None:
    """Wait, a little longer by chance, so that many clients do not come back at once."""
    time.sleep(max(pause, at_least) + random.uniform(0, pause))


def _checked(response: httpx.Response) -> httpx.Response:
    if not response.is_success:
        response.read()
        raise VersionStale(response) if response.status_code == 412 else Refusal(response)
    return response
