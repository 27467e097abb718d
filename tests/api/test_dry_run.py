"""Dry runs: the whole answer to a write, and nothing written."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.conftest import Club
from tests.api.everything import everything
from tests.api.hand import BEFORE, FED, PUNG, WALL, WIN

DISCARD = BEFORE[0]


def types(told: Any) -> list[str]:
    return [event["type"] for event in told["events"]]


def in_the_window(club: Club) -> str:
    """The dealer's second discard may be punged by seat 1 and won by seat 2."""
    table = running(club)
    club.recorder.post(f"{table}/actions", {"actions": [*BEFORE, FED]}, If_Match='"3"')
    return table


def running(club: Club) -> str:
    table = club.open_table()
    club.recorder.post(f"{table}/hands", {"wall": WALL})
    return table


def test_a_dry_run_answers_as_the_write_would_and_writes_nothing(club: Club) -> None:
    """The same answer, with a header that says so; then the write itself gives it for real."""
    table = in_the_window(club)
    before = everything(club)
    key = {"Idempotency_Key": f"trial-{table}", "If_Match": '"13"'}
    tried = club.recorder.post(f"{table}/actions?dry_run=true", PUNG, **key)
    assert (tried.status_code, tried.headers["Dry-Run"]) == (201, "true")
    assert everything(club) == before
    done = club.recorder.post(f"{table}/actions", PUNG, **key)
    assert done.status_code == 201
    assert "Dry-Run" not in done.headers
    for name in ("version", "position", "state", "legal_actions"):
        assert tried.json[name] == done.json[name], name
    assert types(tried.json) == types(done.json) == ["Answered/1"]


def test_a_dry_run_needs_no_command_id_but_all_else(club: Club) -> None:
    """What would be refused is refused, in the same words."""
    table = running(club)
    path = f"{table}/actions?dry_run=true"
    tried = club.recorder.send("POST", path, b'{"seat": 0, "action": "pass"}', If_Match='"3"')
    assert (tried.status_code, tried.json["code"]) == (422, "nothing_to_pass")
    missing = club.recorder.send("POST", path, b'{"seat": 0, "action": "pass"}')
    assert (missing.status_code, missing.json["code"]) == (428, "version_missing")
    refused = club.owner.post(path, DISCARD, If_Match='"3"')
    assert (refused.status_code, refused.json["code"]) == (403, "role_missing")


def test_a_dry_run_ends_where_the_wall_would_be_seen(club: Club) -> None:
    """Nobody learns by trials what will be drawn: the discard is told, the draw after it not."""
    table = running(club)
    tried = club.recorder.post(f"{table}/actions?dry_run=true", DISCARD, If_Match='"3"').json
    assert (types(tried), tried["version"]) == (["Discarded/1"], 4)
    done = club.recorder.post(f"{table}/actions", DISCARD, If_Match='"3"').json
    assert (types(done), done["version"]) == (["Discarded/1", "Drawn/1"], 5)


def test_what_depends_on_the_wall_is_not_judged(club: Club) -> None:
    """Of a list all is tried up to there; whether seat 1 draws a red dragon is not told."""
    table = running(club)
    guess = {"actions": [DISCARD, {"seat": 1, "action": "discard", "tile": "5z"}]}
    tried = club.recorder.post(f"{table}/actions?dry_run=true", guess, If_Match='"3"')
    assert (tried.status_code, types(tried.json)) == (201, ["Discarded/1"])
    refused = club.recorder.post(f"{table}/actions", guess, If_Match='"3"')
    assert (refused.status_code, refused.json["code"]) == (422, "tile_not_held")


def test_the_end_of_a_hand_is_not_shown_on_trial(club: Club) -> None:
    """Neither by a win nor by an end that an officer may make: no wall, no secret, no points."""
    table = in_the_window(club)
    club.recorder.post(f"{table}/actions", PUNG, If_Match='"13"')
    now = club.owner.get(table).json["state"]
    for path in ("dissolve", "hands/1/void"):
        tried = club.owner.post(f"{table}/{path}?dry_run=true", {"note": "x"})
        assert (tried.status_code, tried.json["events"]) == (200, [])
        assert tried.json["state"] == now
    won = club.recorder.post(f"{table}/actions?dry_run=true", WIN, If_Match='"14"').json
    assert won["state"]["hand"]["end"] is None
    assert won["state"]["hand"]["wall"] is None


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("{club}/members", {"name": "Neu"}),
        ("{club}/keys", {"roles": ["auditor"], "label": "x"}),
        ("{club}/memberships", {"roles": ["referee"], "label": "x"}),
        ("{table}/dissolve", {"note": "x"}),
    ],
)
def test_every_write_can_be_tried(club: Club, path: str, body: dict[str, Any]) -> None:
    """A key and a link made on trial open nothing."""
    table = running(club)
    before = everything(club)
    path = path.format(club=club.path, table=table)
    tried = club.owner.post(f"{path}?dry_run=true", body)
    assert tried.status_code in (200, 201)
    assert everything(club) == before


@pytest.mark.parametrize("query", ["dryrun=true", "dry_run=true&x=1", "Dry_Run=true"])
def test_a_misspelt_dry_run_writes_nothing(club: Club, query: str) -> None:
    """A write takes no parameter that it does not know."""
    before = everything(club)
    refused = club.owner.post(f"{club.path}/members?{query}", {"name": "x"})
    assert (refused.status_code, refused.json["code"]) == (400, "query_invalid")
    assert refused.json["errors"][0]["code"] == "parameter_unknown"
    assert everything(club) == before


def test_a_dry_run_is_true_or_false(club: Club) -> None:
    refused = club.owner.post(f"{club.path}/members?dry_run=yes", {"name": "x"})
    assert (refused.status_code, refused.json["code"]) == (400, "query_invalid")
    assert refused.json["errors"][0]["parameter"] == "dry_run"
