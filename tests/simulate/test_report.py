"""The report of `paizhang simulate --report`: what was met, and what never."""

from __future__ import annotations

import json
import random

from click.testing import CliRunner, Result

from ledger import cli
from ledger.cli.hands import PLAY
from ledger.record import Choice
from ledger.rules.catalog import ruleset
from ledger.rules.turns import bar
from ledger.simulate import ALL, KINDS_OF_PLAY, Report, play_matches
from ledger.simulate.attempts import attempts
from ledger.simulate.names import action_name, names

KEY = "huaihua/1"


class House:
    """Nothing of it is asked for, and nothing was opened."""

    def close(self) -> None: ...


def simulate(*words: str, hands: int = 4) -> Result:
    told = ("simulate", "--ruleset", KEY, "--hands", str(hands), "--seed", "1", *words)
    return CliRunner().invoke(cli.commands, told, obj=House())


def test_the_report_is_one_object_that_says_what_was_played() -> None:
    told = json.loads(simulate("--report", "--play", "all").stdout)
    assert (told["seed"], told["play"], told["ruleset"], told["hands"]) == (1, "all", KEY, 4)
    assert told["ends"]["win"] + told["ends"]["exhausted"] == 4
    assert told["events"]["HandStarted"] == 4


def test_the_same_seed_gives_the_same_report() -> None:
    assert simulate("--report").stdout == simulate("--report").stdout


def test_the_report_leaves_the_hands_as_they_are() -> None:
    lines = simulate().stdout.splitlines()
    won = sum(json.loads(line)["outcome"]["end"] == "win" for line in lines)
    assert json.loads(simulate("--report").stdout)["ends"]["win"] == won


def test_each_hand_is_once_dissolved_on_trial() -> None:
    assert json.loads(simulate("--report").stdout)["ends"]["dissolved"] == 4


def test_what_was_never_met_is_told_with_0() -> None:
    told = Report(KEY, random.Random(1)).written()
    assert told["patterns"]["tian_hu"] == 0
    assert told["payments"]["kong huaihua/1 C5.4"] == 0
    assert told["not_counted"]["added_kong robbed"] == 0
    assert told["refusals"]["zhong_not_melded huaihua/1 C3.1"] == 0
    assert told["wins"] == {"self_draw": 0, "discard": 0, "rob_kong": 0}
    assert told["events"]["BirdsTurned"] == 0
    assert told["actions"]["kong touzi"] == 0


def test_a_bar_that_two_files_know_is_one_name() -> None:
    assert names("haozi/1")["refusals"].count("hand_not_complete haozi/1 A3.4") == 1


def test_a_kind_of_action_tells_whether_it_declares_or_freezes() -> None:
    assert action_name(Choice(0, "discard", "1m")) == "discard"
    assert action_name(Choice(0, "discard", "1m", declare=True)) == "discard declare"
    assert action_name(Choice(0, "kong", "1m", touzi=True)) == "kong touzi"


def test_legal_and_illegal_things_are_tried_by_every_seat() -> None:
    (match,) = play_matches(random.Random(1), KEY, {}, 1)
    hand = match.hands[0].moments[0]
    tried = list(attempts(random.Random(1), hand))
    found = {bar(hand, choice, ruleset(KEY, {})) for choice in tried}
    assert {choice.seat for choice in tried} == {0, 1, 2, 3}
    assert None in found
    assert {one.code for one in found if one} >= {"not_your_turn", "tile_missing"}


def test_an_unknown_kind_of_play_is_refused_with_those_there_are() -> None:
    said = simulate("--play", "poker")
    assert said.exit_code == 2
    assert "beginner, lucky, all" in said.stderr


def test_the_help_names_every_kind_of_play() -> None:
    assert {kind for kind in (*KINDS_OF_PLAY, ALL) if kind in PLAY} == {"beginner", "lucky", "all"}


def test_a_report_is_no_record() -> None:
    said = simulate("--report", "--records")
    assert said.exit_code == 2
    assert "--records" in said.stderr
