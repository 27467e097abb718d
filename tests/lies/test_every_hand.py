"""Every hand that can be recorded is found sound: none is called a lie that is none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

import wsgi
from ledger import acts, dealing
from ledger.access import Caller, operator
from ledger.acts import Desk, Opening
from ledger.audit import Report, verify
from ledger.audit.bundle import Verdict, check
from ledger.audit.evidence import read_evidence
from ledger.rules.catalog import CATALOG
from ledger.settings import load
from ledger.simulate import play_matches, record_of
from projections import history
from projections.evidence import evidence_of
from tests.fresh import fresh
from tests.importing.place import Place, codes
from tests.importing.test_recording import OUTCOME

HANDS = 16


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    house = wsgi.House(load({"PAIZHANG_DATA": str(tmp_path / "data")}))
    house.settings.data.mkdir()
    assert fresh(house.settings.data / "paizhang.db") == house.settings.database_url
    yield Place(house, tmp_path)
    house.close()


def audited(place: Place) -> Report:
    return verify(place.house.database, place.club)


def verdicts(place: Place) -> list[Verdict]:
    """What a stranger finds of every hand of the club that has ended."""
    with place.house.database.read() as connection:
        ended, _ = history.club_hands(connection, place.club)
        files = [
            msgspec.json.encode(evidence_of(connection, operator(), hand.table, hand.number))
            for hand in ended
        ]
    return [check(read_evidence(file), ()) for file in files]


def imported(place: Place, key: str, seed: int, hands: int) -> None:
    """Hands of every kind of play with random options, recorded under their own times."""
    rng = Random(seed)
    records = []
    for number, match in enumerate(play_matches(rng, key, None, hands, "all")):
        record: dict[str, Any] = msgspec.to_builtins(record_of(match, f"{key}-{seed}-{number}"))
        players = len(record["seats"])
        records.append({**record, "seats": codes(players)})
    answer = place.run(*records)
    assert answer.exit_code == 0, answer.stdout


@pytest.mark.parametrize("key", CATALOG)
def test_hands_of_every_kind_of_play_are_sound(place: Place, key: str) -> None:
    """Whatever was played by the rules is decided again to the same events."""
    imported(place, key, 11, HANDS)
    report = audited(place)
    assert (report.fault, report.hands) == (None, HANDS)
    assert [one.found for one in verdicts(place)] == [None] * HANDS


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("key", CATALOG)
def test_many_hands_of_every_kind_of_play_are_sound(place: Place, key: str, seed: int) -> None:
    imported(place, key, seed, 200)
    report = audited(place)
    assert (report.fault, report.hands) == (None, 200)


def test_entered_hands_are_sound(place: Place) -> None:
    """By outcome and by points; of points there is nothing to settle again but themselves."""
    points = {"ref": "b", "ruleset": "huaihua/1", "seats": codes(4), "totals": [3, -1, -1, -1]}
    place.run({"ref": "a", "seats": codes(4), "outcome": OUTCOME}, points)
    assert audited(place).fault is None
    found = verdicts(place)
    told = [(one.found, one.entered, one.settled) for one in found]
    assert sorted(told, key=repr) == [(None, "outcome", True), (None, "points", True)]


def test_void_dissolved_and_closed_matches_are_sound(place: Place) -> None:
    """With the notes of who ended them; a void hand has evidence, and no settlement."""
    ledger = place.house.ledger()
    roles = ("recorder", "owner")
    key = acts.issue_key(Desk(ledger, operator(), place.club), roles, "all").key
    desk = Desk(ledger, Caller(key, place.club, roles), place.club)
    opening = Opening("zhuoji/1", {"players": 4}, tuple(codes(4)), hands=3)
    for end in ("void", "dissolve", "close", "before"):
        table = acts.open_table(desk, opening).stream.removeprefix("table/")
        if end == "before":
            acts.end_table(desk, table, dissolve=True, note="nobody came")
            continue
        dealing.start_hand(desk, table)
        if end == "void":
            acts.void_hand(desk, table, 1, "掉牌")
            dealing.start_hand(desk, table)
        if end == "close":
            acts.void_hand(desk, table, 1, "again")
        acts.end_table(desk, table, dissolve=end != "close", note="雨")
    place.house.settle(place.club)
    assert audited(place).fault is None
    told = [(one.found, one.shuffled, one.settled) for one in verdicts(place)]
    assert sorted(told, key=repr) == [(None, True, False)] * 2 + [(None, True, True)] * 2
