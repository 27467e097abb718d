"""C3.3 and C3.4 of 怀化: 骰, the frozen hand, and the wild tile that it must win with."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.hand import outcome
from tests.rules.table import Table

READY = "1111m123456p55s67s"
"""A concealed kong of 1m leaves a hand that waits for 5s and 8s."""
TRIPLET = "1111m999s456p55s67s"
"""The same, with three 9s in it."""


def frozen(draws: str, ready: str = READY, **more: Any) -> Table:
    """A has konged 1m by 骰; the replacement tile is the first of the draws."""
    table = Table(draws, hands={"A": ready}, **more)
    table.does("A touzi 1m")
    return table


def patterns(table: Table) -> tuple[str, ...]:
    return table.rules.settle(outcome(table.hand)).wins[0].patterns


# --- when it may be chosen --------------------------------------------------------------------


def test_a_kong_that_leaves_a_ready_hand_may_be_declared_by_touzi() -> None:
    assert Table(hands={"A": READY}).may("A") == ["kong 1m", "touzi 1m"]


def test_a_kong_that_leaves_no_ready_hand_may_not() -> None:
    table = Table(hands={"A": "1111m"})
    assert table.may("A") == ["kong 1m"]
    assert table.refuses("A touzi 1m") == "touzi_not_ready, huaihua/1 C3.3"


def test_a_hand_that_waits_only_for_a_kind_it_holds_four_times_is_not_ready() -> None:
    hands = {"A": "1111m2222s123456p"}
    assert "touzi 1m" not in Table(hands=hands).may("A")
    hands = {"A": "1111m2223s123456p"}
    assert "touzi 1m" in Table(hands=hands).may("A")


def test_a_wild_tile_is_a_kind_to_wait_for() -> None:
    hands = {"A": "1111m2222s123456p"}
    assert "touzi 1m" in Table(hands=hands, zhong_wild=True).may("A")


def test_a_kong_of_a_discard_may_be_declared_by_touzi() -> None:
    table = Table("9s9m", hands={"A": "8p", "D": "888p123456m5567s"})
    table.does("A discard 8p")
    assert table.may("D") == ["pung", "kong", "touzi", "pass"]
    assert table.does("D touzi") == [
        "answered: D touzi",
        "D kongs 8p exposed of A touzi",
        "D replaces 9s",
        "D discards 9s (auto)",
        "A draws 9m",
    ]


# --- the replacement tile ---------------------------------------------------------------------


def test_a_replacement_tile_that_does_not_win_is_discarded_by_itself() -> None:
    table = Table("9s9m", hands={"A": READY})
    assert table.does("A touzi 1m") == [
        "A kongs 1m concealed touzi",
        "A replaces 9s",
        "A discards 9s (auto)",
        "B draws 9m",
    ]
    assert table.hand.seats[0].declared == "frozen"


def test_the_replacement_tile_of_a_touzi_that_wins_is_gang_shang_kai_hua() -> None:
    table = frozen("8s")
    assert table.all("A") == ["win", "pass"]
    table.does("A win")
    assert patterns(table) == ("gang_shang_kai_hua",)


def test_the_replacement_tile_of_a_plain_kong_wins_as_any_tile() -> None:
    table = Table("8s", hands={"A": READY})
    table.does("A kong 1m")
    assert table.hand.seats[0].declared is None
    table.does("A win")
    assert patterns(table) == ("ping_hu",)


def test_a_later_win_of_a_frozen_hand_is_no_gang_shang_kai_hua() -> None:
    table = frozen("9s9m9m9m8s")
    table.does("B discard 9m", "C discard 9m", "D discard 9m", "A win")
    assert patterns(table) == ("ping_hu",)


# --- the frozen hand --------------------------------------------------------------------------


def test_a_frozen_hand_discards_every_drawn_tile_that_does_not_win() -> None:
    table = frozen("9s9m9m9m3s9p")
    table.does("B discard 9m", "C discard 9m")
    assert table.does("D discard 9m") == [
        "D discards 9m",
        "A draws 3s",
        "A discards 3s (auto)",
        "B draws 9p",
    ]


def test_a_frozen_hand_may_decline_a_win_and_then_discards_the_tile() -> None:
    table = frozen("8s9m")
    assert table.refuses("A discard 5s") == "hand_frozen, common 6"
    assert table.does("A pass") == ["A discards 8s", "B draws 9m"]


def test_a_frozen_hand_cannot_pass_with_another_tile() -> None:
    assert frozen("8s9m").refuses("A pass 5s") == "not_with_this_action, common 5"


def test_a_frozen_hand_neither_pungs_nor_kongs_a_discard_but_may_win_it() -> None:
    table = Table("9m5s", hands={"A": READY, "B": ""}, win_mode="discard")
    table.does("A touzi 1m", "B discard 5s")
    assert table.may("A") == ["win", "pass"]
    assert table.refuses("A pung") == "hand_frozen, huaihua/1 C3.3"
    table = frozen("9m9s8m", TRIPLET)
    assert table.does("B discard 9s") == ["B discards 9s", "C draws 8m"]


def test_a_frozen_hand_discards_the_fourth_of_its_triplet() -> None:
    table = frozen("9m9m9p9p9s8m", TRIPLET)
    table.does("B discard 9m", "C discard 9p")
    assert table.does("D discard 9p")[1:] == ["A draws 9s", "A discards 9s (auto)", "B draws 8m"]


def test_a_tile_thrown_by_a_frozen_hand_may_be_claimed() -> None:
    table = Table("9m", hands={"A": READY, "C": "99m"})
    assert table.does("A touzi 1m")[-2:] == ["A discards 9m (auto)", "offered: C pung"]


# --- robbed -----------------------------------------------------------------------------------


def added(*, robber: bool) -> Table:
    """A fed B a pung of 8p, and B has drawn the fourth one with a ready hand beside it."""
    hands = {"A": "8p", "B": "88p9p123456m5567s"}
    if robber:
        hands["C"] = "234m234p999s11s67p"
    table = Table("9m9m9m8p1p9p", hands=hands)
    table.does("A discard 8p", "B pung", "B discard 9p")
    table.does("C discard 9m", "D discard 9m", "A discard 9m")
    return table


def test_an_added_kong_may_be_declared_by_touzi() -> None:
    table = added(robber=False)
    assert table.may("B") == ["kong 8p", "touzi 8p"]
    assert table.does("B touzi 8p")[0] == "B kongs 8p added of A touzi"
    assert table.hand.seats[1].declared == "frozen"


def test_a_touzi_that_is_robbed_does_not_freeze() -> None:
    table = added(robber=True)
    assert table.does("B touzi 8p") == ["B shows 8p", "offered: C win"]
    assert table.hand.seats[1].declared is None
    table.does("C win")
    found = outcome(table.hand)
    assert found.seats[1].declared is None
    assert found.after_kong is not None
    assert not found.after_kong.touzi


def test_a_touzi_that_nobody_robs_freezes() -> None:
    table = added(robber=True)
    table.does("B touzi 8p")
    assert table.does("C pass")[1] == "B kongs 8p added of A touzi"
    assert table.hand.seats[1].declared == "frozen"


# --- kongs of a frozen hand (house rule) ------------------------------------------------------


def test_a_house_may_let_a_frozen_hand_kong_the_tile_it_draws() -> None:
    table = frozen("9m9m9p9p9s8s", TRIPLET, kong_after_touzi=True)
    table.does("B discard 9m", "C discard 9p", "D discard 9p")
    assert table.all("A") == ["kong 9s", "pass"]
    assert table.refuses("A touzi 9s") == "hand_frozen, huaihua/1 C3.3"
    assert table.does("A kong 9s") == ["A kongs 9s concealed touzi", "A replaces 8s"]
    table.does("A win")
    found = outcome(table.hand).after_kong
    assert found is not None
    assert found.touzi
    assert patterns(table) == ("gang_shang_kai_hua",)


def test_such_a_kong_may_be_declined() -> None:
    table = frozen("9m9m9p9p9s8m", TRIPLET, kong_after_touzi=True)
    table.does("B discard 9m", "C discard 9p", "D discard 9p")
    assert table.does("A pass") == ["A discards 9s", "B draws 8m"]


def test_a_house_may_let_a_frozen_hand_kong_a_discard() -> None:
    table = frozen("9m9s8s", TRIPLET, kong_after_touzi=True)
    table.does("B discard 9s")
    assert table.may("A") == ["kong", "pass"]
    assert table.does("A kong")[1:] == ["A kongs 9s exposed of B touzi", "A replaces 8s"]


def test_a_frozen_hand_kongs_only_while_it_stays_ready() -> None:
    table = frozen("9m9m9p9p5s8m", "1111m55567s12345p", kong_after_touzi=True)
    table.does("B discard 9m", "C discard 9p")
    assert table.does("D discard 9p")[1:] == ["A draws 5s", "A discards 5s (auto)", "B draws 8m"]


def test_a_frozen_hand_kongs_only_the_tile_that_came() -> None:
    table = frozen("9m9m9p9p1p8m", "1111m999978s456p5m", kong_after_touzi=True)
    table.does("B discard 9m", "C discard 9p")
    assert table.does("D discard 9p")[1:] == ["A draws 1p", "A discards 1p (auto)", "B draws 8m"]


# --- C3.4 -------------------------------------------------------------------------------------


def test_a_frozen_hand_that_draws_a_wild_tile_wins_with_it() -> None:
    table = frozen("9s9m9p9p5z", zhong_wild=True)
    table.does("B discard 9m", "C discard 9p")
    assert table.does("D discard 9p") == [
        "D discards 9p",
        "A draws 5z",
        "A wins 5z self_draw (auto)",
        "ended: win",
    ]


def test_so_it_does_with_the_replacement_tile_itself() -> None:
    table = Table("5z", hands={"A": READY}, zhong_wild=True)
    assert table.does("A touzi 1m")[1:] == [
        "A replaces 5z",
        "A wins 5z self_draw (auto)",
        "ended: win",
    ]
    assert patterns(table) == ("gang_shang_kai_hua",)


@pytest.mark.parametrize("house", [True, False])
def test_a_free_hand_that_draws_a_wild_tile_is_not_forced(house: bool) -> None:
    table = Table("5z", hands={"A": READY}, zhong_wild=True, kong_after_touzi=house)
    table.does("A kong 1m")
    assert table.may("A") == ["win"]
    assert table.discards("A") == "123456p567s"
