"""The guide to the API is true: its commands run as they stand, its answers are the real ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.guides import DOCS, FITS, follow


def test_every_answer_that_the_guide_shows_is_given(tmp_path: Path) -> None:
    """Given a service with a demo club, when the guide is followed, then all is as it says."""
    assert follow(DOCS / "api.md", tmp_path) == []


@pytest.mark.parametrize(
    ("kind", "shown", "answer"),
    [
        ("json", '{"a": 1}', '{"a": 2}'),
        ("json", '{"a": null}', '{"b": null}'),
        ("json", '{"a": "…"}', '{"a": null}'),
        ("json", '{"a": [1]}', '{"a": [1, 2]}'),
        ("json", '{"a": [1, "…"]}', '{"a": [2, 3]}'),
        ("http", "HTTP/1.1 201 CREATED", "HTTP/1.1 200 OK\r\n\r\n"),
        ("http", "HTTP/1.1 200 OK\nA: …", "HTTP/1.1 200 OK\r\nB: 1\r\n\r\n"),
        ("text", "the sum: 0\n", "the sum: 1\n"),
    ],
)
def test_an_answer_that_is_not_so_is_noticed(kind: str, shown: str, answer: str) -> None:
    """What the guide shows must be in what is answered; `…` is something, never nothing."""
    assert not FITS[kind](shown, answer)
