"""Records replay to what they tell, and every lie in one is refused where it stands."""

from __future__ import annotations

import io
import json
import random
import re
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ledger.importing import Replayed, documents, read_json, replay_record
from ledger.outcome import Outcome
from ledger.record import read_record
from ledger.refusal import Refused
from ledger.simulate import play_matches, record_of

KEY = "huaihua/1"
Data = dict[str, Any]


def records(
    seed: int, hands: int, options: Data | None = None, *, legal: bool = False
) -> list[Data]:
    """Simulated matches as decoded JSON, as a file would hold them."""
    played = play_matches(random.Random(seed), KEY, options, hands)
    told = [record_of(match, f"r{n}", with_legal=legal) for n, match in enumerate(played)]
    return [msgspec.json.decode(msgspec.json.encode(record)) for record in told]


@pytest.fixture(scope="module")
def told() -> Data:
    """A record of three hands of which the first and the second are won."""
    (record,) = records(1, 3, {"win_mode": "discard", "bird_count": 2}, legal=True)
    assert [hand["outcome"]["end"] for hand in record["hands"][:2]] == ["win", "win"]
    return record


@pytest.fixture
def record(told: Data) -> Data:
    """The same, to tell lies in."""
    return deepcopy(told)


def replay(record: Data) -> list[Replayed]:
    return list(replay_record(read_record(record)))


def refused(record: Data) -> tuple[int | None, str, int | None]:
    """The only hand refused, the code, and the action."""
    (bad,) = [one for one in replay(record) if one.refused]
    assert bad.refused is not None
    return bad.hand, bad.refused.code, bad.action


@pytest.mark.parametrize("seed", range(4))
def test_records_replay_to_the_outcomes_and_totals_they_tell(seed: int) -> None:
    for record in records(seed, 10, legal=seed % 2 == 0):
        answers = replay(record)
        assert [one.hand for one in answers] == list(range(1, len(record["hands"]) + 1))
        for answer, hand in zip(answers, record["hands"], strict=True):
            assert answer.refused is None
            assert msgspec.convert(hand["outcome"], Outcome) == answer.outcome
            assert tuple(hand["totals"]) == answer.totals


def test_a_record_needs_no_outcomes(record: Data) -> None:
    expected = replay(record)
    for hand in record["hands"]:
        hand["outcome"] = hand["totals"] = None
        for action in hand["actions"]:
            del action["legal"]
    assert replay(record) == expected


def test_outcomes_compare_as_values(record: Data) -> None:
    """Options may be left to their defaults, dealt tiles untold, tiles spelled in other ways."""
    outcome = record["hands"][0]["outcome"]
    outcome["options"] = {"win_mode": "discard", "bird_count": 2}
    for seat in outcome["seats"]:
        seat["dealt"] = None
        seat["hand"] = "".join(reversed(list(each_tile(seat["hand"]))))
    assert not any(one.refused for one in replay(record))


def each_tile(text: str) -> list[str]:
    """Every tile of a run form on its own: "12m" -> ["1m", "2m"]."""
    letters = [next(one for one in text[at:] if one.isalpha()) for at in range(len(text))]
    return [digit + suit for digit, suit in zip(text, letters, strict=True) if digit.isdigit()]


# --- lies -------------------------------------------------------------------------------------


def test_a_discard_of_a_tile_not_held(record: Data) -> None:
    first = record["hands"][1]["actions"][0]
    legal = {one["tile"] for one in first["legal"] if one["action"] == "discard"}
    first["tile"] = next(tile for tile in ("1m", "2m", "3m", "4m", "5m") if tile not in legal)
    assert refused(record) == (2, "tile_not_held", 0)


def test_an_action_of_another_seat(record: Data) -> None:
    dealer = record["hands"][0]["dealer"]
    record["hands"][0]["actions"][0]["seat"] = (dealer + 1) % 4
    assert refused(record) == (1, "not_your_turn", 0)


def malformed(record: Data) -> str:
    """Where a record has not its form, which refuses it whole."""
    with pytest.raises(Refused) as caught:
        read_record(record)
    assert caught.value.code == "record_malformed"
    return caught.value.pointer


def test_an_action_of_no_seat(record: Data) -> None:
    record["hands"][0]["actions"][2]["seat"] = 4
    assert malformed(record) == "/hands/0/actions/2/seat"


def test_an_action_left_out(record: Data) -> None:
    for action in record["hands"][0]["actions"]:
        del action["legal"]
    del record["hands"][0]["actions"][0]
    hand, _, action = refused(record)
    assert (hand, action) == (1, 0)


def test_an_action_after_the_end(record: Data) -> None:
    actions = record["hands"][0]["actions"]
    actions.append({"seat": 0, "action": "discard", "tile": "1m"})
    assert refused(record) == (1, "hand_over", len(actions) - 1)


def test_an_action_before_the_one_before_it(record: Data) -> None:
    first, second, *_ = record["hands"][0]["actions"]
    first["at"], second["at"] = "2026-11-28T12:00:03Z", "2026-11-28T20:00:02+08:00"
    assert refused(record) == (1, "at_before_last", 1)


@pytest.mark.parametrize("text", ["yesterday", "2026-11-28T12:00:03", "2026-11-28"])
def test_a_time_that_is_none(record: Data, text: str) -> None:
    record["hands"][0]["actions"][1]["at"] = text
    assert malformed(record) == "/hands/0/actions/1"


def test_a_choice_that_was_not_legal_told_as_such(record: Data) -> None:
    record["hands"][0]["actions"][3]["legal"].append({"seat": 0, "action": "win"})
    assert refused(record) == (1, "record_differs", 3)


def test_a_wall_with_a_tile_too_many(record: Data) -> None:
    wall = record["hands"][2]["wall"]
    record["hands"][2]["wall"] = wall[:-2] + ("2m" if wall.endswith("1m") else "1m")
    assert refused(record) == (3, "wall_composition", None)


def test_another_wall(record: Data) -> None:
    """The second and the last tile of the wall change places: who draws it draws another."""
    wall = record["hands"][0]["wall"]
    record["hands"][0]["wall"] = wall[:-4] + wall[-2:] + wall[-4:-2]
    answers = replay(record)
    assert answers[0].refused is None  # nobody came so far
    swapped = wall[106:108] + wall[2:106] + wall[:2] + wall[108:]
    record["hands"][0]["wall"] = swapped
    assert refused(record)[0] == 1


def test_another_dealer(record: Data) -> None:
    hand = record["hands"][1]
    hand["dealer"] = (hand["dealer"] + 1) % 4
    assert refused(record) == (2, "record_differs", None)


@pytest.mark.parametrize("number", [1, 2])
def test_another_streak(record: Data, number: int) -> None:
    record["hands"][number - 1]["streak"] += 1
    assert refused(record) == (number, "record_differs", None)


def test_other_totals(record: Data) -> None:
    first, second, *rest = record["hands"][0]["totals"]
    record["hands"][0]["totals"] = [first + 1, second - 1, *rest]
    assert refused(record) == (1, "record_differs", None)


def change(path: str, value: object) -> Callable[[Data], None]:
    """A change of one place in an outcome."""
    *way, last = (int(part) if part.isdigit() else part for part in path.split("/"))

    def lie(place: Any) -> None:
        for part in way:
            place = place[part]
        place[last] = value

    return lie


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("dealer", 3),
        ("streak", 5),
        ("end", "dissolved"),
        ("options/base_score", 7),
        ("seats/1/hand", "1m"),
        ("seats/1/river", "1m1m"),
        ("seats/1/dealt", "1m"),
        ("seats/2/declared", "frozen"),
        ("seats/2/melds", [{"kind": "pung", "tile": "1m", "from": 1}]),
        ("seats", [{"hand": "1m"}, {"hand": "1m"}]),
        ("wins", []),
        ("wins/0/first_turn", True),
        ("birds", ["9s", "9s"]),
        ("weekday", 6),
    ],
)
def test_another_outcome(record: Data, place: str, value: object) -> None:
    change(place, value)(record["hands"][0]["outcome"])
    (bad,) = [one for one in replay(record) if one.refused]
    assert bad.refused is not None
    assert (bad.hand, bad.refused.code, bad.action) == (1, "record_differs", None)
    assert str(bad.refused.params["place"]).startswith(f"/outcome/{place}")


def test_a_weekday_where_no_rule_stamps_one(record: Data) -> None:
    record["hands"][0]["weekday"] = 6
    assert refused(record) == (1, "record_differs", None)


def test_facts_of_another_game(record: Data) -> None:
    record["hands"][0]["wilds"] = ["1z"]
    record["hands"][0]["outcome"] = None
    assert refused(record) == (1, "wilds_drawn", None)


@pytest.mark.parametrize(
    ("key", "value", "code"),
    [
        ("ruleset", "huaihua/9", "ruleset_unknown"),
        ("options", {"player": 4}, "option_unknown"),
        ("seats", ["?", "?", "?"], "seats_count"),
        ("seats", ["M-0001", "?", "?", "M-0001"], "member_seated_twice"),
    ],
)
def test_a_match_that_cannot_be(record: Data, key: str, value: object, code: str) -> None:
    record[key] = value
    assert refused(record) == (None, code, None)


@pytest.mark.parametrize("key", ["format", "ref", "hands"])
def test_a_record_without_its_form(record: Data, key: str) -> None:
    del record[key]
    with pytest.raises(Refused, match="record_malformed"):
        replay(record)


# --- hands that stop --------------------------------------------------------------------------


def test_a_hand_that_stops_and_names_no_outcome_is_legal_so_far(record: Data) -> None:
    hand = record["hands"][-1]
    hand.update(actions=hand["actions"][:5], outcome=None, totals=None)
    last = replay(record)[-1]
    assert last == Replayed(record["ref"], 3)


def test_a_hand_that_stops_but_names_an_outcome(record: Data) -> None:
    hand = record["hands"][-1]
    hand["actions"] = hand["actions"][:5]
    assert refused(record) == (3, "hand_unfinished", None)


def test_no_hand_follows_one_that_stops(record: Data) -> None:
    hand = record["hands"][1]
    hand.update(actions=hand["actions"][:5], outcome=None, totals=None)
    assert refused(record) == (3, "hand_running", None)


def test_a_dissolved_hand_ends_the_match(record: Data) -> None:
    """Its actions stop where they stop; what lies on the table is its outcome."""
    hand = record["hands"][1]
    hand["outcome"]["end"] = "dissolved"
    hand.update(actions=hand["actions"][:5], totals=None)
    assert replay(record)[1].refused is not None
    mend(record, 2)
    answers = replay(record)
    assert [one.refused and one.refused.code for one in answers] == [None, None, "table_closed"]
    assert answers[1].totals == (0, 0, 0, 0)


def mend(record: Data, number: int) -> None:
    """Tell the outcome of a hand as each refusal says that it is, until it is right."""
    while (refusal := replay(record)[number - 1].refused) is not None:
        place = str(refusal.params["place"]).removeprefix("/outcome/")
        change(place, refusal.params["computed"])(record["hands"][number - 1]["outcome"])


def test_the_hand_after_a_refused_one_is_played_as_it_tells_itself(record: Data) -> None:
    record["hands"][0]["actions"][0]["seat"] = 3
    assert [bool(one.refused) for one in replay(record)] == [True, False, False]


# --- files ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (b"", []),
        (b'{"a":1}\n\n[2]\n', [b'{"a":1}\n', b"[2]\n"]),
        (b'{"a":\n1}\n', [b'{"a":\n1}\n']),
        (b'{"a":\n1}\n{"b":\n', [b'{"a":', b"1}", b'{"b":']),
        (b"no json\n[2]", [b"no json\n", b"[2]"]),
    ],
)
def test_a_file_holds_a_document_to_a_line_or_one(text: bytes, found: list[bytes]) -> None:
    assert list(documents(io.BytesIO(text))) == found


@pytest.mark.parametrize("text", [b"no json", b"{", b"\xff", b"[" * 100_000, b""])
def test_what_is_no_json_is_refused(text: bytes) -> None:
    with pytest.raises(Refused, match="json_malformed"):
        read_json(text)


def test_the_example_of_the_documentation_is_a_record() -> None:
    """Given the record in docs/formats.md, then it replays to the totals it tells."""
    page = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"```json\n(\{\n  \"format\": \"paizhang-record.*?)```", page, re.DOTALL)
    (replayed,) = replay_record(read_record(json.loads(text)))
    assert (replayed.refused, replayed.totals) == (None, (6, -2, -2, -2))


def test_the_hand_after_one_that_did_not_end_is_played_as_it_tells_itself(record: Data) -> None:
    """Given a hand that tells an outcome and does not reach it, then the next one is not blamed."""
    record["hands"][0]["actions"].pop()
    first, second, *_ = replay_record(read_record(record))
    assert first.refused is not None
    assert first.refused.code == "hand_unfinished"
    assert second.refused is None
