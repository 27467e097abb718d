"""A club's log read over HTTP while six processes write to it, in each form that it has."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from ledger import codec
from tests.api.conftest import Club, found_club
from tests.api.followed import CALM, LINES, Followed, followed
from tests.store.crowd import Crowd, acknowledged, writing

NUMBERS = iter(range(1000, 10_000, 6))


@pytest.fixture
def crowded(club: Club) -> Iterator[Followed]:
    """A new club on each kind of database, behind the web server."""
    with followed(found_club(club.app), CALM) as served:
        yield served


def crowd(club: Club) -> Any:
    url = club.ledger.database.writer.url.render_as_string(hide_password=False)
    seed = next(NUMBERS)
    return writing(url, club.id, range(seed, seed + 6), appends=5, most=400)


def check_whole(events: list[Any], told: dict[str, int], club: Club) -> None:
    """Every position up to the head once and in order, chained, and every batch as it was told."""
    assert [event["position"] for event in events] == list(range(1, club.head()[0] + 1))
    previous = codec.FIRST_PREVIOUS
    for event in events:
        previous = codec.chain(previous, event["position"], bytes.fromhex(event["leaf"]))
        assert event["hash"] == previous.hex()
    codes = [event["public"].get("code", "") for event in events]
    written = [code.rpartition("-")[0] for code in codes if code.startswith("member/writer")]
    assert {batch: written.count(batch) for batch in told} == told
    assert len(written) == sum(told.values())


def by_pages(club: Club, writers: Crowd) -> list[Any]:
    """The list, page after page, again and again until the writers have ended."""
    seen: list[Any] = []
    while True:
        ended = all(writer.poll() is not None for writer in writers)
        after = seen[-1]["position"] if seen else 0
        page = club.owner.get(f"{club.path}/events?limit=100&after={after}").json["data"]
        seen += page
        if ended and not page:
            return seen


@pytest.mark.holds("somebody reads the list over HTTP while six processes write")
def test_who_reads_page_by_page_misses_nothing(crowded: Followed) -> None:
    club = crowded.club
    with crowd(club) as writers:
        seen = by_pages(club, writers)
        told = acknowledged(writers)
    check_whole(seen, told, club)


@pytest.mark.holds("somebody follows the stream while six processes write")
def test_who_follows_the_lines_misses_nothing(crowded: Followed) -> None:
    """One stream from the first event on, open from before the first writer starts."""
    club = crowded.club
    stream = crowded.follow(club.owner, "", LINES)
    with crowd(club) as writers:
        told = acknowledged(writers)
    seen = [json.loads(line) for line in stream.lines(club.head()[0])]
    check_whole(seen, told, club)
