"""C3.1, C3.2 and C3.7 of 怀化: pungs and kongs, kongs lost by passing, robbing a kong."""

from __future__ import annotations

from typing import Any

import pytest

from ledger import hand
from ledger.hand import outcome
from ledger.outcome import AfterKong, Meld
from ledger.tiles import parse_tiles
from tests.rules.table import Table, kongs, locks, paid

B_WINS = "123m456p789s55s67p"
C_WINS = "234m234p999s11s67p"
"""Both wait for 5p and 8p."""


# --- C3.1 -------------------------------------------------------------------------------------


def test_four_in_the_hand_are_a_concealed_kong() -> None:
    table = Table("9s", hands={"A": "1111m"})
    assert table.may("A") == ["kong 1m"]
    assert table.does("A kong 1m") == ["A kongs 1m concealed", "A replaces 9s"]
    assert table.hand.seats[0].melds == (hand.Meld(0, "concealed", None),)


def test_the_fourth_tile_joins_a_pung_as_an_added_kong_that_keeps_its_place() -> None:
    table = with_pung("9m9m9m8p9p1p", hands={"B": "88p6s1111m"})
    table.does("B kong 1m")
    assert table.does("B kong 8p") == ["B kongs 8p added of A", "B replaces 1p"]
    assert table.hand.seats[1].melds == (
        hand.Meld(16, "added", 0),
        hand.Meld(0, "concealed", None),
    )


def test_a_kong_may_follow_a_kong_in_one_turn() -> None:
    table = Table("2m9s", hands={"A": "1111m222m"})
    table.does("A kong 1m")
    assert table.may("A") == ["kong 2m"]
    assert table.does("A kong 2m") == ["A kongs 2m concealed", "A replaces 9s"]


def test_wild_tiles_are_never_konged() -> None:
    table = Table(hands={"A": "5555z"}, zhong_wild=True)
    assert "kong 5z" not in table.may("A")
    assert table.refuses("A kong 5z") == "zhong_not_melded, huaihua/1 C3.1"


def test_a_pung_that_would_leave_only_wild_tiles_is_not_offered() -> None:
    table = Table(
        "8p5z1p8p", hands={"A": "1111m2222m3333m8p5z"}, zhong_wild=True, win_mode="discard"
    )
    table.does("A kong 1m", "A kong 2m", "A kong 3m", "A discard 1p")
    assert table.holds("A") == "88p55z"
    table.does("B discard 8p")
    assert table.may("A") == ["win", "pass"]
    assert table.refuses("A pung") == "pung_leaves_no_discard, huaihua/1 C3.1"


# --- C3.2 -------------------------------------------------------------------------------------


def with_pung(draws: str = "9m9m9m8p9p", **more: Any) -> Table:
    """A fed B a pung of 8p; all went round and B has drawn the fourth one."""
    hands = {"A": "8p", "B": "88p6s7m"} | more.pop("hands", {})
    table = Table(draws, hands=hands, **more)
    table.does("A discard 8p")
    for letter in table.asked().replace("B", ""):
        table.does(f"{letter} pass")
    table.does("B pung", "B discard 6s", "C discard 9m", "D discard 9m", "A discard 9m")
    return table


def test_a_kong_offered_and_taken_as_a_pung_is_lost_for_the_hand() -> None:
    table = Table("9s1p1s9m", hands={"A": "8p2m", "B": "888p6s"})
    table.does("A discard 8p", "B pung")
    assert locks(table.hand, "B") == ["kong 8p hand"]
    table.does("B discard 6s", "C discard 9s", "D discard 1p", "A discard 1s")
    assert table.may("B") == []
    assert table.refuses("B kong 8p") == "kong_passed, huaihua/1 C3.2"


def test_a_pung_from_a_pair_leaves_the_fourth_tile_free() -> None:
    table = with_pung()
    assert locks(table.hand, "B") == []
    assert table.may("B") == ["kong 8p"]


def test_an_added_kong_passed_once_is_lost_for_the_hand() -> None:
    table = with_pung("9m9m9m8p1s1s1s9p")
    table.does("B discard 7m")
    assert locks(table.hand, "B") == ["kong 8p hand"]
    table.does("C discard 1s", "D discard 1s", "A discard 1s")
    assert table.refuses("B kong 8p") == "kong_passed, huaihua/1 C3.2"


def test_with_an_empty_wall_no_kong_is_passed_since_none_could_be_declared() -> None:
    table = with_pung("9m9m9m8p", ends=True)
    table.does("B discard 7m")
    assert locks(table.hand, "B") == []
    table = with_pung("9m9m9m8p9p", ends=True)
    table.does("B discard 7m")
    assert locks(table.hand, "B") == ["kong 8p hand"]


def test_a_concealed_kong_may_be_passed_and_declared_later() -> None:
    table = Table("9s9s9s9s", hands={"A": "1111m2p"})
    table.does("A discard 2p", "B discard 9s", "C discard 9s", "D discard 9s")
    assert locks(table.hand, "A") == []
    assert table.may("A") == ["kong 1m"]


def test_an_added_kong_is_passed_only_by_the_discard_not_by_another_kong() -> None:
    table = with_pung(hands={"B": "88p6s1111m"})
    assert table.may("B") == ["kong 1m", "kong 8p"]
    table.does("B kong 1m")
    assert table.may("B") == ["kong 8p"]


def test_a_kong_of_a_discard_may_be_passed_without_a_loss() -> None:
    table = Table("9s", hands={"A": "8p", "C": "888p"})
    table.does("A discard 8p", "C pass")
    assert locks(table.hand, "C") == []


# --- C3.7 -------------------------------------------------------------------------------------


def robbable(**more: Any) -> Table:
    """B may add the fourth 8p, for which C waits."""
    return with_pung(hands={"C": C_WINS} | more.pop("hands", {}), **more)


def test_an_added_kong_that_somebody_can_rob_is_first_shown() -> None:
    table = robbable()
    assert table.does("B kong 8p") == ["B shows 8p", "offered: C win"]
    assert table.asked() == "C"
    assert table.may("C") == ["win", "pass"]
    assert table.hand.seats[1].melds[0].how == "pung"


def test_a_robbed_kong_is_undone_and_unpaid() -> None:
    table = robbable()
    table.does("B kong 8p")
    assert table.does("C win") == ["answered: C win", "C wins 8p rob_kong of B", "ended: win"]
    found = outcome(table.hand)
    assert found.seats[1].melds == (Meld("pung", "8p", None, 0),)
    assert found.after_kong == AfterKong("added")
    assert len(parse_tiles(found.seats[1].hand)) == 10
    settlement = table.rules.settle(found)
    assert paid(settlement) == ["B>C 1"]
    assert kongs(settlement) == []


def test_a_kong_that_nobody_robs_is_made() -> None:
    table = robbable()
    table.does("B kong 8p")
    assert table.does("C pass") == ["answered: C pass", "B kongs 8p added of A", "B replaces 9p"]


def test_passing_a_rob_sets_no_lock() -> None:
    table = robbable(win_mode="discard")
    table.does("B kong 8p", "C pass")
    assert locks(table.hand, "C") == []


def test_several_seats_may_rob() -> None:
    table = robbable(hands={"D": B_WINS.replace("789s", "777s")})
    table.does("B kong 8p", "D win")
    assert table.does("C win") == [
        "answered: C win",
        "C wins 8p rob_kong of B",
        "D wins 8p rob_kong of B",
        "ended: win",
    ]
    assert table.rules.next_dealer(table.hand) == 1


def test_only_the_win_may_be_answered_to_a_shown_kong() -> None:
    table = robbable(hands={"D": ""})
    table.does("B kong 8p")
    assert table.refuses("C pung") == "not_asked, common 4"
    assert table.refuses("D win") == "hand_not_complete, huaihua/1 C4"
    assert table.refuses("D kong") == "not_asked, common 4"
    assert table.refuses("B pass") == "window_open, common 4"


def test_concealed_kongs_and_kongs_of_a_discard_are_never_robbed() -> None:
    hands = {"B": "123m456p789s55s67p"}
    table = Table("9s", hands=hands | {"A": "8888p"})
    assert table.does("A kong 8p") == ["A kongs 8p concealed", "A replaces 9s"]
    table = Table("9s", hands=hands | {"A": "8p", "D": "888p"})
    table.does("A discard 8p")
    assert table.does("D kong")[1:] == ["D kongs 8p exposed of A", "D replaces 9s"]


@pytest.mark.parametrize("win_mode", ["self_draw", "discard"])
def test_robbing_is_open_in_both_modes_even_to_small_wins(win_mode: str) -> None:
    table = robbable(win_mode=win_mode, no_small_discard=True)
    assert table.does("B kong 8p")[-1] == "offered: C win"


@pytest.mark.parametrize(
    "options",
    [
        {"rob_kong": False},
        {"rob_kong": False, "win_mode": "discard"},
        {"rob_allowed_in_self_draw_mode": False},
        {"win_mode": "discard", "no_small_discard": True, "rob_kong_exempt_from_small": False},
    ],
)
def test_where_nobody_may_rob_the_kong_is_made_at_once(options: dict[str, Any]) -> None:
    table = robbable(**options)
    assert table.does("B kong 8p") == ["B kongs 8p added of A", "B replaces 9p"]


def test_the_bar_on_robbing_in_the_self_draw_mode_has_no_effect_in_the_discard_mode() -> None:
    table = robbable(win_mode="discard", rob_allowed_in_self_draw_mode=False)
    assert table.does("B kong 8p")[-1] == "offered: C win"


def test_a_house_may_keep_small_wins_from_robbing_as_from_discards() -> None:
    table = robbable(
        hands={"D": "11122233367p99p"},
        win_mode="discard",
        no_small_discard=True,
        rob_kong_exempt_from_small=False,
    )
    assert table.does("B kong 8p")[-1] == "offered: D win"
    assert table.refuses("C win") == "small_win_on_discard, huaihua/1 C3.5"


def test_a_small_win_bar_outside_the_discard_mode_has_no_effect_on_robbing() -> None:
    table = robbable(no_small_discard=True, rob_kong_exempt_from_small=False)
    assert table.does("B kong 8p")[-1] == "offered: C win"


def test_robbing_ends_the_hand_and_turns_the_birds() -> None:
    table = robbable(bird_count=1)
    table.does("B kong 8p")
    assert table.does("C win")[-2:] == ["birds 9p", "ended: win"]


def test_a_dissolved_hand_leaves_a_shown_kong_unmade() -> None:
    table = robbable()
    table.does("B kong 8p")
    table.dissolves()
    found = outcome(table.hand)
    assert found.seats[1].melds == (Meld("pung", "8p", None, 0),)
    assert len(parse_tiles(found.seats[1].hand)) == 11
    assert table.rules.settle(found).totals == (0, 0, 0, 0)
