"""What the tests of the books' commands have in common: one hand, its players, its answers."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from click.testing import Result

import wsgi
from ledger.access import Caller
from ledger.acts import Desk

SECOND = 1_000_000
HOUR = 3600 * SECOND
FRIDAY = 1_800_000_000 * SECOND
"""Friday, 15 January 2027, 16:00 in Shanghai."""
CODES = ("M-0001", "M-0002", "M-0003", "M-0004")
BOOKED = [4, -4, 4, -4]
CONCEALED = {"kind": "kong", "tile": "9m", "how": "concealed"}
EXPOSED = {"kind": "kong", "tile": "9m", "how": "exposed", "from": 3}
Run = Callable[..., Result]


def outcome(kong: dict[str, Any]) -> dict[str, Any]:
    """A hand of 怀化 that the first seat wins by self-draw; the third has a kong of 9m.

    Concealed it comes to +4 -4 +4 -4; fed by the fourth seat to +6 -2 +1 -5.
    """
    hands = ("123m456m789p22s45s", "1357m1357p13579s", "2468m2468p68s", "2468m2468p13579s")
    seats: list[dict[str, Any]] = [{"hand": hand} for hand in hands]
    seats[2]["melds"] = [kong]
    win = {"seat": 0, "tile": "6s", "how": "self_draw"}
    return {"ruleset": "huaihua/1", "dealer": 0, "end": "win", "seats": seats, "wins": [win]}


def desk(house: wsgi.House, club: str, *roles: str, member: str | None = None) -> Desk:
    """Where a key of the club with some roles asks."""
    caller = Caller(f"key_{member or roles[0]}", club, roles, member)
    return Desk(house.ledger(), caller, club)


def told(result: Result) -> Any:
    """The one object that a command tells as JSON."""
    [one] = lines(result)
    return one


def lines(result: Result) -> list[Any]:
    """The objects that a command tells as JSON."""
    assert result.exit_code == 0, result.output or result.exception
    return [json.loads(line) for line in result.stdout.splitlines()]


def rows(result: Result) -> list[list[str]]:
    """The words of each line that a command tells to people."""
    assert result.exit_code == 0, result.output or result.exception
    return [line.split() for line in result.stdout.splitlines()]


def refused(result: Result) -> str:
    """The sentence with which a command is refused."""
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    return result.stderr.removeprefix("Error: ").strip()


def points(run: Run, club: str, *words: object) -> list[int]:
    """What the four members have."""
    return [one["points"] for one in lines(run("balances", club, *words, "--json"))]
