"""A club's log as a stream of lines, or of server-sent events for browsers, and as it grows.

A stream holds a thread of the server, so there may be few of them, each for ten minutes; its
reader resumes at the position of the last event he has. Between two looks at the log it holds
no connection to the database. Every look asks anew who reads: one whose key has ended sees
nothing more.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from threading import Lock

import msgspec
import structlog
from flask import Flask, Response, current_app, request
from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError, TimeoutError

from ledger.access import Caller
from ledger.api import edge
from ledger.api.answers import JSON
from ledger.refusal import Refused

EXTENSION = "paizhang-streams"
MOST = 16
MOST_FOR_CLUB = 8
MOST_FOR_ONE = 4
MOST_BYTES = 12 * 1024 * 1024
"""Less than the web server takes without waiting for the reader: a stream never waits for him."""
AT_ONCE = 200
WAIT = 10
"""How many seconds somebody waits before he asks again for a place."""
log = structlog.get_logger()


@dataclass(frozen=True)
class Pace:
    """A stream's seconds: between two looks at the log, between two heartbeats, and to its end."""

    look: float = 0.2
    heartbeat: float = 15
    end: float = 600


@dataclass(frozen=True)
class Form:
    """How a stream is written."""

    media_type: str
    heartbeat: bytes
    told: Callable[[Sequence[JSON]], bytes]


Page = Callable[[Connection, Caller, int, int], Sequence[JSON]]
"""The next events after a position, so many at the most, as a caller may see them."""


class Streams:
    """The streams that an application runs: their pace, and whose they are."""

    def __init__(self, pace: Pace) -> None:
        """Begin with no stream."""
        self.pace = pace
        self._taking = Lock()
        self._held: list[tuple[str, str]] = []

    @contextmanager
    def place(self, club: str, caller: str) -> Iterator[None]:
        """One of the places there are, for as long as it is held."""
        with self._taking:
            if self._are_taken(club, caller):
                raise Refused(
                    "streams_taken", most=MOST, club=MOST_FOR_CLUB, one=MOST_FOR_ONE, seconds=WAIT
                )
            self._held.append((club, caller))
        try:
            yield
        finally:
            self._held.remove((club, caller))

    def _are_taken(self, club: str, caller: str) -> bool:
        of_club = [held for held in self._held if held[0] == club]
        mine = of_club.count((club, caller))
        return len(self._held) >= MOST or len(of_club) >= MOST_FOR_CLUB or mine >= MOST_FOR_ONE


def allow_streams(app: Flask, pace: Pace) -> None:
    """Let an application run streams at a pace."""
    app.extensions[EXTENSION] = Streams(pace)


class Reader:
    """One who reads on in a club's log from a position, so many events at the most."""

    def __init__(self, page: Page, after: int, most: int) -> None:
        """Begin after a position; what the caller may see is asked anew at every look."""
        self.after = after
        self.left = most
        self._page = page
        self._database = edge.ledger().database
        self._admitted = edge.admission()

    def look(self) -> Sequence[JSON]:
        """The next events, none where the log has no more yet."""
        with self._database.read() as connection:
            caller = self._admitted(connection)
            found = self._page(connection, caller, self.after, min(self.left, AT_ONCE))
        if found:
            self.after = found[-1]["position"]
            self.left -= len(found)
        return found


def follow(form: Form, reader: Reader) -> Response:
    """Answer with what the log has for a reader, and then with each event as it comes."""
    streams: Streams = current_app.extensions[EXTENSION]
    gone = request.environ.get("waitress.client_disconnected", _unknown)
    place = streams.place(edge.club(), edge.caller().actor)
    stream = _stream(streams.pace, place, form, reader, gone)
    next(stream)  # It takes its place now, and gives it back wherever the answer is dropped.
    response = Response(stream, mimetype=form.media_type)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    return response


def _stream(
    pace: Pace,
    place: AbstractContextManager[None],
    form: Form,
    reader: Reader,
    gone: Callable[[], bool],
) -> Iterator[bytes]:
    """The bytes of a stream; where there is nothing yet, a heartbeat carries its headers out."""
    with place:
        yield b""
        now = beat = time.monotonic()
        end, left = now + pace.end, MOST_BYTES
        while reader.left and left > 0 and now < end and not gone():
            try:
                found = reader.look()
            except (Refused, OperationalError, TimeoutError) as fault:
                log.info("stream_cut", after=reader.after, fault=str(fault)[:200])
                return
            if found or now >= beat:
                told = form.told(found) if found else form.heartbeat
                left -= len(told)
                yield told
                beat = time.monotonic() + pace.heartbeat
            else:
                time.sleep(pace.look)
            now = time.monotonic()


def _unknown() -> bool:
    """A server that does not tell learns that a reader has gone when it writes to him."""
    return False


def _sent_events(found: Sequence[JSON]) -> bytes:
    return b"".join(
        b"id: %d\nevent: %s\ndata: %s\n\n"
        % (one["position"], one.get("type", "event").encode(), msgspec.json.encode(one))
        for one in found
    )


LINES = Form("application/x-ndjson", b"\n", msgspec.json.Encoder().encode_lines)
SENT_EVENTS = Form("text/event-stream", b":\n\n", _sent_events)
FORMS = {form.media_type: form for form in (LINES, SENT_EVENTS)}
