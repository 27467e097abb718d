"""The record of a match: its form, and the decisions in it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from ledger.record import FORMAT, Action, Choice, Record, RecordedHand, choice, read_record
from ledger.refusal import Refused

HAND: dict[str, Any] = {
    "dealer": 0,
    "wall": "3m7p1s",
    "actions": [{"seat": 0, "action": "discard", "tile": "9m", "at": "2026-11-28T12:00:03Z"}],
}
MATCH: dict[str, Any] = {
    "format": "paizhang-record/1",
    "ref": "lobby-7/0042",
    "ruleset": "huaihua/1",
    "options": {"players": 2},
    "seats": ["M-0007", "?"],
    "hands": [HAND],
}


def refused(data: object) -> str:
    with pytest.raises(Refused) as caught:
        read_record(data)
    assert caught.value.code == "record_malformed"
    return str(caught.value.params["detail"])


def test_a_record_holds_walls_and_decisions() -> None:
    action = Action(0, "discard", "9m", at="2026-11-28T12:00:03Z")
    assert read_record(MATCH) == Record(
        format=FORMAT,
        ref="lobby-7/0042",
        ruleset="huaihua/1",
        options={"players": 2},
        seats=("M-0007", "?"),
        hands=(RecordedHand(dealer=0, wall="3m7p1s", actions=(action,)),),
    )


def test_what_is_missing_in_a_hand_has_the_value_of_an_ordinary_one() -> None:
    hand = read_record(MATCH).hands[0]
    assert (hand.streak, hand.wilds, hand.weekday) == (1, (), None)
    assert (hand.outcome, hand.totals) == (None, None)


def test_a_record_written_and_read_is_the_same() -> None:
    record = read_record(MATCH)
    assert read_record(msgspec.json.decode(msgspec.json.encode(record))) == record


def test_an_action_is_written_without_what_has_its_default() -> None:
    written = msgspec.json.decode(msgspec.json.encode(read_record(MATCH).hands[0].actions))
    assert written == HAND["actions"]


def test_an_action_is_a_players_unless_a_timeout_made_it() -> None:
    hand = HAND | {"actions": [{"seat": 1, "action": "pass", "cause": "timeout"}]}
    action = read_record(MATCH | {"hands": [hand]}).hands[0].actions[0]
    assert action == Action(1, "pass", cause="timeout")
    assert action.legal is msgspec.UNSET


def test_an_action_may_tell_what_was_legal_when_it_was_taken() -> None:
    legal = [{"seat": 0, "action": "kong", "touzi": True}, {"seat": 0, "action": "pass"}]
    hand = HAND | {"actions": [{"seat": 0, "action": "pass", "legal": legal}]}
    action = read_record(MATCH | {"hands": [hand]}).hands[0].actions[0]
    assert action.legal == (Choice(0, "kong", touzi=True), Choice(0, "pass"))


def test_a_choice_is_an_action_without_when_and_why() -> None:
    action = Action(
        2, "kong", "5m", touzi=True, at="2026-11-28T12:00:03Z", cause="timeout", legal=()
    )
    assert choice(action) == Choice(2, "kong", "5m", touzi=True)


@pytest.mark.parametrize(
    ("data", "where"),
    [
        ([], "Expected `object`"),
        (MATCH | {"format": "paizhang-record/2"}, "$.format"),
        (MATCH | {"extra": 1}, "unknown field `extra`"),
        ({name: value for name, value in MATCH.items() if name != "ref"}, "`ref`"),
        (MATCH | {"hands": [HAND | {"actions": [{"seat": 0, "action": "chow"}]}]}, "actions[0]"),
        (MATCH | {"hands": [HAND | {"actions": [{"action": "pass"}]}]}, "`seat`"),
        (MATCH | {"hands": [HAND | {"cause": "auto"}]}, "unknown field `cause`"),
    ],
)
def test_what_has_not_the_form_of_a_record_is_refused_with_the_place(
    data: object, where: str
) -> None:
    assert where in refused(data)


@pytest.mark.parametrize("time", ["1969-12-31T23:59:59Z", "2026-11-28T12:00:03", "yesterday"])
def test_an_action_was_sent_at_a_time_since_1970(time: str) -> None:
    """With its offset from UTC."""
    action = {"seat": 1, "action": "pass", "at": time}
    assert "hands[0].actions[0]" in refused(MATCH | {"hands": [HAND | {"actions": [action]}]})
