"""A3.1, A3.7 and A3.8 of 耗子: pungs and kongs, kongs passed 过杠, robbing a kong 抢杠."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.hand import outcome
from ledger.outcome import AfterKong, Meld
from ledger.tiles import parse_tiles
from tests.rules.haozi_table import Table, kongs, paid, void

C_WAITS = "234567m345p67s11p"
"""Waits for 5s and 8s."""
D_WAITS = "678m678p345m67s22p"
"""Waits for 5s and 8s too."""
NOT_MELDED = "wild_not_melded, haozi/1 A3.1"


# --- A3.1 -------------------------------------------------------------------------------------


def test_a_wild_tile_in_the_hand_takes_no_other_tiles_place_in_a_meld() -> None:
    table = Table("4z", hands={"A": "5z", "B": "511z", "C": "551z"})
    assert table.does("A discard 5z")[-1] == "offered: C pung"
    assert table.refuses("B pung") == "no_pair_for_pung, common 5"
    assert table.refuses("C kong") == "no_four_of_a_kind, common 5"


def test_a_discarded_wild_tile_is_punged_and_konged_with_its_own_kind() -> None:
    table = Table("4z5z", hands={"A": "1z", "B": "111z"})
    assert table.does("A discard 1z")[-1] == "offered: B pung kong"
    assert table.does("B kong")[1:] == ["B kongs 1z exposed of A", "B replaces 4z"]


def test_four_wild_tiles_are_a_concealed_kong() -> None:
    table = Table("4z", hands={"A": "1111z"})
    assert table.does("A kong 1z") == ["A kongs 1z concealed", "A replaces 4z"]


def test_a_house_may_keep_wild_kinds_out_of_melds() -> None:
    table = Table("4z", hands={"A": "1111z"}, wild_pung_kong_as_natural=False)
    assert table.may("A") == []
    assert table.refuses("A kong 1z") == NOT_MELDED
    hands = {"A": "1p", "B": "111z", "C": "11p"}
    table = Table(
        "4z", hands=hands, variant="double_rat", wilds="13z", wild_pung_kong_as_natural=False
    )
    assert table.does("A discard 1p")[-1] == "offered: C pung"


def test_then_nobody_is_offered_one() -> None:
    hands = {"A": "1z", "B": "111z"}
    table = Table("4z", hands=hands, wild_pung_kong_as_natural=False)
    assert table.does("A discard 1z") == ["A discards 1z", "B draws 4z"]
    hands = {"A": "1z", "B": "11z", "C": C_WAITS}
    table = Table("4z", hands=hands, wild_pung_kong_as_natural=False)
    assert table.does("A discard 1z") == ["A discards 1z", "B draws 4z"]


# --- A3.7 -------------------------------------------------------------------------------------


def with_pung(draws: str = "2z3z4z8s9m", **more: Any) -> Table:
    """D fed B a pung of 8s; all went round and B has drawn the fourth one."""
    hands = {"D": "8s", "B": "88s46z"} | more.pop("hands", {})
    table = Table(draws, dealer="D", hands=hands, **more)
    table.does("D discard 8s", "B pung", "B discard 4z")
    table.does("C discard 2z", "D discard 3z", "A discard 4z")
    return table


def test_a_kong_offered_and_taken_as_a_pung_is_lost_for_the_hand() -> None:
    table = Table("2z3z4z5z", hands={"A": "8p", "B": "888p6z"})
    table.does("A discard 8p")
    assert table.may("B") == ["pung", "kong", "pass"]
    table.does("B pung")
    assert table.locks("B") == ["kong 8p hand"]
    table.does("B discard 6z", "C discard 2z", "D discard 3z", "A discard 4z")
    assert table.may("B") == []
    assert table.refuses("B kong 8p") == "kong_passed, haozi/1 A3.7"


def test_a_kong_of_a_discard_may_be_passed_at_no_cost() -> None:
    table = Table("4z", hands={"A": "8p", "B": "888p"})
    table.does("A discard 8p", "B pass")
    assert table.locks("B") == []


def test_a_pung_from_a_pair_leaves_the_fourth_tile_free() -> None:
    table = with_pung()
    assert table.locks("B") == []
    assert table.may("B") == ["kong 8s"]
    assert table.does("B kong 8s") == ["B kongs 8s added of D", "B replaces 9m"]


def test_a_concealed_kong_may_be_passed_and_declared_in_a_later_turn() -> None:
    table = Table("2z3z4z5z", hands={"A": "1111m6z"}, reoffer_added_kong=False)
    table.does("A discard 6z", "B discard 2z", "C discard 3z", "D discard 4z")
    assert table.may("A") == ["kong 1m"]


def test_an_added_kong_that_was_passed_is_offered_again() -> None:
    table = with_pung("2z3z4z8s2z3z4z5z")
    table.does("B discard 6z", "C discard 2z", "D discard 3z", "A discard 4z")
    assert table.locks("B") == []
    assert table.may("B") == ["kong 8s"]


def test_a_house_may_let_it_be_lost() -> None:
    table = with_pung("2z3z4z8s2z3z4z5z", reoffer_added_kong=False)
    assert table.may("B") == ["kong 8s"]
    table.does("B discard 6z")
    assert table.locks("B") == ["kong 8s hand"]
    table.does("C discard 2z", "D discard 3z", "A discard 4z")
    assert table.refuses("B kong 8s") == "kong_passed, haozi/1 A3.7"


def test_it_is_passed_by_the_discard_and_not_by_another_kong() -> None:
    table = with_pung("2z3z4z8s5z", hands={"B": "88s1111m46z"}, reoffer_added_kong=False)
    assert table.may("B") == ["kong 1m", "kong 8s"]
    table.does("B kong 1m")
    assert table.may("B") == ["kong 8s"]


def test_after_a_pung_no_kong_can_be_declared() -> None:
    """B keeps the fourth 8s back, and holds it when it pungs 5z."""
    table = with_pung("2z3z4z8s5z", hands={"B": "88s5546z"})
    table.does("B discard 6z", "C discard 5z", "B pung")
    assert table.refuses("B kong 8s") == "no_tile_drawn, common 5"


@pytest.mark.parametrize(("reserve", "locks"), [(0, ["kong 8s hand"]), (1, [])])
def test_no_kong_is_passed_where_no_tile_could_replace_it(reserve: int, locks: list[str]) -> None:
    table = with_pung("2z3z4z8s5z", ends=True, reoffer_added_kong=False, wall_reserve=reserve)
    table.does("B discard 6z")
    assert table.locks("B") == locks


def test_a_kong_that_could_not_be_made_is_not_passed() -> None:
    """B gave the kong up with the pung, and it is not given up twice."""
    hands = {"D": "8s", "B": "888s46z"}
    table = Table("2z3z4z5z7z", dealer="D", hands=hands, reoffer_added_kong=False)
    table.does("D discard 8s", "B pung", "B discard 4z")
    table.does("C discard 2z", "D discard 3z", "A discard 4z", "B discard 6z")
    assert table.locks("B") == ["kong 8s hand"]


# --- A3.8 -------------------------------------------------------------------------------------


def robbable(draws: str = "2z3z4z8s5z", **more: Any) -> Table:
    """C has declared and waits for 8s, of which B may add the fourth to its pung."""
    hands = {"D": "8s", "B": "88s4m", "C": C_WAITS} | more.pop("hands", {})
    table = Table(draws, dealer="D", hands=hands, **more)
    table.does("D discard 8s", "B pung", "B discard 4m")
    table.does("C declare 2z", "D discard 3z", "A discard 4z")
    return table


def test_an_added_kong_that_somebody_can_rob_is_first_shown() -> None:
    table = robbable()
    assert table.does("B kong 8s") == ["B shows 8s", "offered: C win"]
    assert table.may("C") == ["win", "pass"]
    assert table.hand.seats[1].melds[0].how == "pung"


def test_a_robbed_kong_is_undone_and_settles_as_a_discard() -> None:
    table = robbable()
    table.does("B kong 8s")
    assert table.does("C win") == ["answered: C win", "C wins 8s rob_kong of B", "ended: win"]
    found = outcome(table.hand)
    assert found.seats[1].melds == (Meld("pung", "8s", None, 3),)
    assert found.after_kong == AfterKong("added")
    assert len(parse_tiles(found.seats[1].hand)) == 10
    assert paid(table.settles()) == ["B>C 24"]
    assert kongs(table.settles()) == []
    assert void(table.settles()) == ["B added_kong 8s robbed"]
    assert table.rules.next_dealer(table.hand) == 2


def test_who_is_robbed_takes_the_kongs_over_where_that_is_played() -> None:
    """A has konged four 9m, 18 from each of three; B pays it all, and 3 × 8 for the win."""
    hands = {"A": "9999m", "B": "88s4m", "C": C_WAITS, "D": "8s"}
    table = Table("2z3z4z5z8s", dealer="D", hands=hands, discarder_pays_kongs=True)
    table.does("D discard 8s", "B pung", "B discard 4m", "C declare 2z", "D discard 3z")
    table.does("A kong 9m", "A discard 4z", "B kong 8s", "C win")
    assert table.settles().totals == (54, -78, 24, 0)


def test_a_kong_that_nobody_robs_is_made() -> None:
    table = robbable()
    table.does("B kong 8s")
    assert table.does("C pass") == ["answered: C pass", "B kongs 8s added of D", "B replaces 5z"]


def test_a_house_may_keep_kongs_from_being_robbed() -> None:
    table = robbable(rob_added_kong=False)
    assert table.does("B kong 8s") == ["B kongs 8s added of D", "B replaces 5z"]


def test_an_undeclared_seat_robs_only_where_the_house_lets_it_win() -> None:
    """D feeds 8s and waits for it with what is left."""
    hands = {"D": D_WAITS + "8s"}
    assert robbable(hands=hands).does("B kong 8s")[-1] == "offered: C win"
    open_house: dict[str, Any] = {"win_requires_declaration": False}
    table = Table("2z3z4z8s5z", dealer="D", hands=hands | {"B": "88s4m"}, **open_house)
    table.does("D discard 8s", "B pung", "B discard 4m", "C discard 2z", "D discard 3z")
    table.does("A discard 4z")
    assert table.does("B kong 8s")[-1] == "offered: D win"


def test_one_seat_robs_the_nearest() -> None:
    hands = {"D": D_WAITS + "8s"}
    table = Table("2z3z4z8s5z", dealer="D", hands={"B": "88s4m", "C": C_WAITS} | hands)
    table.does("D discard 8s", "B pung", "B discard 4m")
    table.does("C declare 2z", "D declare 3z", "A discard 4z")
    assert table.does("B kong 8s")[-1] == "offered: C win, D win"
    table.does("D win")
    assert table.asked() == "C"
    assert table.does("C win")[1:] == ["C wins 8s rob_kong of B", "ended: win"]
    assert table.settles().totals == (0, -24, 24, 0)


def test_a_tile_worth_too_little_is_not_robbed() -> None:
    """C waits for 5s too, and five points are too few."""
    hands = {"D": "5s", "B": "55s4m", "C": C_WAITS}
    table = Table("2z3z4z5s5z", dealer="D", hands=hands)
    table.does("D discard 5s", "B pung", "B discard 4m")
    table.does("C declare 2z", "D discard 3z", "A discard 4z")
    assert table.does("B kong 5s") == ["B kongs 5s added of D", "B replaces 5z"]


def test_an_added_kong_of_a_wild_kind_is_not_robbed() -> None:
    """C waits for every kind, and 1z is wild."""
    hands = {"D": "1z", "B": "11z4m", "C": "234567m345p345s2z"}
    table = Table("2p2m3m1z5z", dealer="D", hands=hands, variant="double_rat")
    table.does("D discard 1z", "B pung", "B discard 4m")
    table.does("C declare 2p", "D discard 2m", "A discard 3m")
    assert table.hand.seats[2].declared == "ready"
    assert table.does("B kong 1z") == ["B kongs 1z added of D", "B replaces 5z"]


def test_concealed_kongs_and_kongs_of_a_discard_are_never_robbed() -> None:
    hands = {"A": "8888s", "C": C_WAITS + "3z"}
    table = Table("4z5z6z", dealer="C", hands=hands)
    table.does("C declare 3z", "D discard 4z")
    assert table.does("A kong 8s") == ["A kongs 8s concealed", "A replaces 6z"]
    table = Table("4z5z6z", dealer="C", hands=hands | {"A": "8s", "D": "888s"})
    table.does("C declare 3z", "D discard 4z", "A discard 8s", "D kong")
    assert table.does("C pass")[1:] == ["D kongs 8s exposed of A", "D replaces 6z"]


def test_only_the_win_may_be_answered_to_a_shown_kong() -> None:
    table = robbable()
    table.does("B kong 8s")
    assert table.refuses("C pung") == "not_asked, common 4"
    assert table.refuses("A win") == "win_not_declared, haozi/1 A3.4"
    assert table.refuses("B pass") == "window_open, common 4"


def test_a_dissolved_hand_leaves_a_shown_kong_unmade() -> None:
    table = robbable()
    table.does("B kong 8s")
    table.dissolves()
    assert outcome(table.hand).seats[1].melds == (Meld("pung", "8s", None, 3),)
    assert table.settles().totals == (0, 0, 0, 0)
