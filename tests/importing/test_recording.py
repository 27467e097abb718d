"""`paizhang import`: matches from elsewhere come into a club, each hand once and whole."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from ledger import cli, sight
from ledger.hand import outcome
from ledger.record import Choice
from ledger.simulate import play_matches, record_of
from ledger.streams.now import Now
from ledger.streams.table import (
    Act,
    Dissolve,
    OpenTable,
    StartHand,
    TableCommand,
    decide,
    evolve,
)
from ledger.tiles import parse_tiles
from tests.importing.place import Place, codes

Line = dict[str, Any]
OUTCOME: Line = {
    "ruleset": "huaihua/1",
    "dealer": 2,
    "streak": 3,
    "seats": [
        {"hand": "123m456p789s55s67p"},
        {"hand": "1458m2358p23669s"},
        {"hand": "267899m1149p347s"},
        {"hand": "369m1223499p148s"},
    ],
    "end": "win",
    "wins": [{"seat": 0, "tile": "8p", "how": "self_draw"}],
}
"""A plain win by the own draw: 2 from each other seat (C5.1)."""


def match(seed: int, hands: int, **more: Any) -> Line:
    """A match of legal random play as its record, the club's members at its seats."""
    (played,) = play_matches(Random(seed), "huaihua/1", {"players": 4}, hands)
    record = msgspec.to_builtins(record_of(played, f"match-{seed}"))
    return {**record, "seats": codes(4), **more}


def points_of(record: Line) -> list[int]:
    """The points of a match by seat, as its record tells them."""
    columns = zip(*(hand["totals"] for hand in record["hands"]), strict=True)
    return [sum(column) for column in columns]


def test_a_match_is_recorded_hand_by_hand_and_settled(place: Place) -> None:
    """Every hand has the points that the record tells, and the balances are their sums."""
    record = match(7, 3)
    assert place.counts(record) == [1, 3, 0, 0, 0]
    assert [(hand.number, hand.state) for hand in place.hands()] == [
        (1, "settled"),
        (2, "settled"),
        (3, "settled"),
    ]
    totals = [list(hand["totals"]) for hand in record["hands"]]
    assert [hand.totals for hand in place.hands()] == totals
    assert place.points() == points_of(record)


def test_the_same_file_again_imports_nothing_twice(place: Place) -> None:
    lines = [match(7, 2), {"ref": "sheet", "seats": codes(4), "outcome": OUTCOME}]
    assert place.counts(*lines) == [2, 3, 0, 0, 0]
    before = place.head()
    assert place.counts(*lines) == [2, 0, 3, 0, 0]
    assert place.head() == before


def test_an_outcome_and_points_are_entered_each_as_a_match(place: Place) -> None:
    """An outcome is settled by its rules; of points nothing is known but themselves."""
    sheet = {"ref": "b", "ruleset": "huaihua/1", "seats": codes(4), "totals": [5, -5, 0, 0]}
    lines = [{"ref": "a", "seats": codes(4), "outcome": OUTCOME}, sheet]
    assert place.counts(*lines) == [2, 2, 0, 0, 0]
    assert [(hand.entered, hand.end, hand.totals) for hand in place.hands()] == [
        ("outcome", "win", [6, -2, -2, -2]),
        ("totals", "unknown", [5, -5, 0, 0]),
    ]
    assert place.points() == [11, -7, -2, -2]


def test_what_is_imported_is_effective_when_it_was_played(place: Place) -> None:
    """04:59 in Shanghai is still the business day before; booked it is today."""
    early, late = "2026-03-01T20:59:00Z", "2026-03-02T05:00:00+08:00"
    sheets = [
        {"ref": at, "ruleset": "huaihua/1", "seats": codes(4), "totals": [0] * 4, "occurred_at": at}
        for at in (early, late)
    ]
    place.run(*sheets)
    assert [hand.effective_date for hand in place.hands()] == ["2026-03-01", "2026-03-02"]
    assert all((hand.booked_date or "") > "2026-03-02" for hand in place.hands())


def test_decisions_keep_the_time_at_which_they_were_taken(place: Place) -> None:
    """What does not say it was taken with what came before it."""
    record = match(7, 1)
    actions = record["hands"][0]["actions"]
    actions[2]["at"] = "2026-03-01T12:00:00Z"
    actions[-1]["at"] = "2026-03-01T12:30:00Z"
    place.run(record)
    (hand,) = place.hands()
    assert hand.started_at == 1_772_366_400_000_000
    assert hand.ended_at == 1_772_368_200_000_000


def test_a_hand_that_cannot_be_stops_its_match_and_no_other(place: Place) -> None:
    """The hands before it stand, those after it are not tried, and the next line is."""
    wrong = match(7, 3)
    wrong["hands"][1]["totals"] = [99, -99, 0, 0]
    result = place.run(wrong, match(8, 1))
    assert result.exit_code == 1
    first, second, *_ = result.stdout.splitlines()
    assert first.startswith("line 1, ref match-7, hand 2: The record says [99, -99, 0, 0]")
    assert second == "line 1, ref match-7: Hands after hand 2 wait for it: 1."
    assert [hand.number for hand in place.hands()] == [1, 1]


def test_a_mended_file_goes_on_where_it_stopped(place: Place) -> None:
    record = match(7, 3)
    wrong = json.loads(json.dumps(record))
    wrong["hands"][2]["totals"] = [99, -99, 0, 0]
    assert place.counts(wrong) == [1, 2, 0, 1, 0]
    assert place.counts(record) == [1, 1, 2, 0, 0]
    assert place.points() == points_of(record)


def test_a_hand_that_only_stops_is_refused(place: Place) -> None:
    """Nobody can say how it was settled."""
    record = match(7, 2)
    last = record["hands"][1]
    last["actions"], last["outcome"], last["totals"] = last["actions"][:4], None, None
    assert place.counts(record) == [1, 1, 0, 1, 0]
    assert [hand.state for hand in place.hands()] == ["settled"]


def test_a_match_that_was_dissolved_in_a_hand(place: Place) -> None:
    """The hand's decisions stop where they stop; it pays nothing, and the match is over."""
    record = match(7, 2)
    last = record["hands"][1]
    last["actions"] = last["actions"][:4]
    last["outcome"], last["totals"] = dissolved_outcome(record), [0, 0, 0, 0]
    assert place.counts(record) == [1, 2, 0, 0, 0]
    assert [hand.end for hand in place.hands()][1] == "dissolved"
    assert place.points() == list(record["hands"][0]["totals"])


def dissolved_outcome(record: Line) -> Line:
    """How the table of a record stood when its last hand was broken off."""
    *_, broken = record["hands"]
    table = None
    opening = OpenTable(
        "huaihua/1", record["options"], tuple("ABCD"), 8, 0, broken["dealer"], "somebody"
    )
    start = StartHand(parse_tiles(broken["wall"]), "00" * 32)
    acted = [Act(msgspec.convert(action, Choice)) for action in broken["actions"]]
    commands: list[TableCommand] = [opening, start, *acted, Dissolve()]
    for command in commands:
        for event in decide(table, command, Now(0, lambda at: "", lambda at: 1)):
            table = evolve(table, event)
    assert table is not None
    assert table.hand is not None
    streak = {"streak": broken["streak"]}
    return {**msgspec.to_builtins(outcome(table.hand)), **streak}


REFUSED: dict[str, tuple[object, str]] = {
    "no JSON": ("{", "line 1: "),
    "no object": ([1], "line 1: This has not the form of a record"),
    "no ref": (
        {"seats": codes(4), "totals": [0] * 4, "ruleset": "huaihua/1"},
        "line 1: This has not the form of a record: Object missing required field `ref`",
    ),
    "no hands": ({**match(7, 1), "hands": []}, "line 1, ref match-7: This has not the form"),
    "a stranger": (
        match(7, 1, seats=["M-0001", "M-0002", "M-0003", "M-0099"]),
        "line 1, ref match-7, hand 1: The club has no member M-0099.",
    ),
    "points that do not add up": (
        {"ref": "a", "ruleset": "huaihua/1", "seats": codes(4), "totals": [1, 0, 0, 0]},
        "line 1, ref a: The points of the seats sum to 1, and must sum to 0.",
    ),
    "a day to come": (
        {
            "ref": "a",
            "ruleset": "huaihua/1",
            "seats": codes(4),
            "totals": [0] * 4,
            "occurred_at": "2999-01-01T00:00:00Z",
        },
        "line 1, ref a: ",
    ),
    "a time that is none": (
        {"ref": "a", "seats": codes(4), "totals": [0] * 4, "occurred_at": "yesterday"},
        "line 1, ref a: This has not the form of a record",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_line_that_is_refused_is_named(place: Place, case: str) -> None:
    """With its number, its ref where it has one, and a sentence; the books stay as they were."""
    line, sentence = REFUSED[case]
    result = place.run(line)
    assert result.exit_code == 1
    assert result.stdout.splitlines()[0].startswith(sentence)
    assert place.hands() == []


def test_a_ref_is_one_matchs(place: Place) -> None:
    """Under the ref of a sheet that is there another cannot be imported."""
    sheet = {"ref": "a", "ruleset": "huaihua/1", "seats": codes(4), "totals": [5, -5, 0, 0]}
    place.run(sheet)
    assert place.counts({**sheet, "totals": [6, -6, 0, 0]}) == [1, 0, 0, 1, 0]
    assert place.points() == [5, -5, 0, 0]


def test_a_match_that_has_grown_since_its_import_is_told_to_go_on_under_another_ref(
    place: Place,
) -> None:
    """Its match ended with the hands it had: the members' totals of it stand."""
    record = match(7, 3)
    place.run({**record, "hands": record["hands"][:2]})
    assert place.counts(record) == [1, 0, 2, 1, 0]
    assert place.run(record).stdout.splitlines()[0] == (
        "line 1, ref match-7, hand 3: The match ended with the hands imported before; "
        "more need a ref of their own."
    )


def test_machines_get_each_refusal_as_json(place: Place) -> None:
    place.file.write_text('{"ref": "a", "seats": [], "totals": []}\n')
    words = ["import", place.club, str(place.file), "--json"]
    told = CliRunner().invoke(cli.commands, words, obj=place.house).stdout.splitlines()
    first, counts = map(json.loads, told)
    assert (first["line"], first["ref"], first["error"]["code"]) == (1, "a", "record_malformed")
    assert counts == {
        "lines": 1,
        "hands_imported": 0,
        "hands_there_already": 0,
        "refusals": 1,
        "hands_waiting": 0,
    }


def test_imported_tables_have_a_recorder_of_their_own(place: Place) -> None:
    """A key called import, made by the operator, under which every import records."""
    place.run(match(7, 1))
    place.run(match(8, 1))
    with place.house.database.read() as connection:
        tables = {
            sight.opening(connection, place.club, hand.table)[1].recorder for hand in place.hands()
        }
    assert len(tables) == 1
    assert next(iter(tables)).startswith("key_")


def test_refs_that_look_like_hands_of_another_are_matches_of_their_own(place: Place) -> None:
    """In whatever order they come: e, then e/1; or n/1, then n."""
    first = [match(7, 1, ref="e"), match(8, 1, ref="e/1")]
    assert place.counts(*first) == [2, 2, 0, 0, 0]
    assert place.counts(match(9, 2, ref="n/1"), match(7, 2, ref="n")) == [2, 4, 0, 0, 0]


def test_a_sheet_that_is_refused_leaves_nothing_and_may_be_mended_anywhere(place: Place) -> None:
    """Its seats too: no match was opened for what could not be entered."""
    sheet = {"ref": "a", "ruleset": "huaihua/1", "seats": codes(4), "totals": [3, -1, -1, 0]}
    assert place.counts(sheet) == [1, 0, 0, 1, 0]
    before = place.head()
    assert place.counts({**sheet, "totals": [1, 0, 0, 0]}) == [1, 0, 0, 1, 0]
    assert place.head() == before
    mended = {**sheet, "seats": codes(4)[::-1], "totals": [3, -1, -1, -1]}
    assert place.counts(mended) == [1, 1, 0, 0, 0]
    assert place.points() == [-1, -1, -1, 3]


def test_what_a_record_says_beside_its_decisions_may_be_left_out_again(place: Place) -> None:
    """Totals and outcomes are for checking; other decisions are another hand."""
    record = match(7, 2)
    place.run(record)
    bare = [{**hand, "totals": None, "outcome": None} for hand in record["hands"]]
    assert place.counts({**record, "hands": bare}) == [1, 0, 2, 0, 0]
    timed = json.loads(json.dumps(record))
    timed["hands"][0]["actions"][0]["at"] = "2026-03-01T12:00:00Z"
    told = place.run(timed).stdout.splitlines()
    assert told[0].endswith("This was imported before with other content; nothing has changed.")
