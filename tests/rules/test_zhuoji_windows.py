"""B3.1, B3.3, B3.4 and B3.10 of 捉鸡 in play: who may take what somebody else has thrown."""

from __future__ import annotations

import pytest

from ledger.outcome import AfterKong
from tests.rules.zhuoji_table import PLAIN, READY, Table

PAIRS = {
    "B": "113355m224466p9s",
    "C": "224466m113355p9s",
    "D": "7788m778899p55s9s",
}
"""Three hands of seven pairs that wait for 9s."""
NO_PASS = "pass_card_missing, zhuoji/1 B3.3"

# --- B3.1 -------------------------------------------------------------------------------------


def test_a_discard_is_punged_or_konged_and_never_chowed() -> None:
    hands = {"A": "5p", "B": "46p", "C": "555p"}
    table = Table(hands=hands)
    assert table.does("A discard 5p")[-1] == "offered: C pung kong"


def test_a_kind_that_was_passed_is_punged_later_all_the_same() -> None:
    hands = {"A": "5p", "B": "5p", "C": "55p"}
    table = Table("9m", hands=hands)
    table.does("A discard 5p", "C pass")
    assert table.does("B discard 5p")[-1] == "offered: C pung"
    table.does("C pung")
    assert table.hand.seats[2].melds[0].from_seat == 1


# --- B3.3 -------------------------------------------------------------------------------------


def test_a_plain_hand_without_a_pass_is_not_asked() -> None:
    table = Table("9m", hands={"A": "9s", "B": PLAIN}, undeclared="B")
    assert table.does("A discard 9s") == ["A discards 9s", "B draws 9m"]


def test_nor_told_anything_else_where_it_asks() -> None:
    hands = {"A": "9s", "B": PLAIN, "C": "99s"}
    table = Table("9m", hands=hands, undeclared="B")
    assert table.does("A discard 9s")[-1] == "offered: C pung"
    assert table.refuses("B win") == NO_PASS
    assert table.refuses("D win") == "hand_not_complete, zhuoji/1 B4"


def test_every_other_pattern_wins_without() -> None:
    table = Table(hands={"A": "9s"} | PAIRS, undeclared="BCD")
    assert table.does("A discard 9s")[-1] == "offered: B win, C win, D win"


def test_a_kong_is_a_pass() -> None:
    """B kongs 7m of A, and waits for 6s and 9s."""
    table = Table("1p2p3p9s", hands={"A": "7m", "B": "123777m55p34578s"}, undeclared="B")
    table.does("A discard 7m", "B kong", "B discard 1p", "C discard 2p", "D discard 3p")
    assert table.does("A discard 9s")[-1] == "offered: B win"


@pytest.mark.parametrize(
    ("draws", "before", "kong"),
    [
        ("1p9s", [], "A kongs 7m concealed"),
        (
            "1p2p3p8s1p9s",
            ["A discard 8s", "B discard 1p", "C discard 2p", "D discard 3p"],
            "A kongs 7m concealed late",
        ),
    ],
)
def test_so_is_a_concealed_one_late_or_not(draws: str, before: list[str], kong: str) -> None:
    table = Table(draws, hands={"A": "123m55p34578s7777m"})
    table.does(*before)
    assert table.does("A kong 7m")[0] == kong
    table.does("A discard 1p")
    assert table.does("B discard 9s")[-1] == "offered: A win"


def test_a_pung_is_none() -> None:
    table = Table("9s9p", hands={"A": "7m", "B": "123779m55p34578s"})
    table.does("A discard 7m", "B pung", "B discard 9m")
    assert table.does("C discard 9s") == ["C discards 9s", "D draws 9p"]


def test_who_has_declared_needs_none() -> None:
    table = Table(hands={"A": "9s", "B": PLAIN}, hard="B")
    assert table.does("A discard 9s")[-1] == "offered: B win"


def test_nor_does_anybody_against_who_has_declared() -> None:
    """D has declared and throws what he draws."""
    hands = {"A": "9m", "B": PLAIN, "D": READY["D"]}
    table = Table("9m9p9s", hands=hands, undeclared="B", hard="D")
    table.does("A discard 9m", "B discard 9m")
    assert table.does("C discard 9p")[-2:] == ["D discards 9s (auto)", "offered: B win"]


# --- B3.10 ------------------------------------------------------------------------------------


def test_nobody_needs_one_for_the_first_discard_after_a_kong() -> None:
    """平胡 1, 热炮 1, and one from the dealer, whose kong is not paid."""
    table = Table("9s", hands={"A": "9999m", "B": PLAIN}, undeclared="B", flip_mode="none")
    table.does("A kong 9m")
    assert table.does("A discard 9s")[-1] == "offered: B win"
    table.does("B win")
    assert table.outcome().after_kong == AfterKong("concealed")
    assert [one.points for one in table.settles().payments if one.reason == "win"] == [3]
    assert [one for one in table.settles().payments if one.reason == "kong"] == []


def test_nor_after_an_exposed_kong() -> None:
    hands = {"A": "9p", "B": PLAIN, "C": "999p"}
    table = Table("9s", hands=hands, undeclared="B")
    table.does("A discard 9p", "C kong")
    assert table.does("C discard 9s")[-1] == "offered: B win"


def test_of_several_kongs_in_a_turn_the_last_one_counts() -> None:
    hands = {"A": "7p", "B": "777p9999m", "C": PLAIN}
    table = Table("8m9s", hands=hands, undeclared="C")
    table.does("A discard 7p", "B kong", "B kong 9m", "B discard 9s", "C win")
    assert table.outcome().after_kong == AfterKong("concealed")


def test_the_discard_after_the_next_one_is_an_ordinary_one() -> None:
    """A konged in his first turn; in his second he throws 9s."""
    hands = {"A": "9999m", "B": PLAIN}
    table = Table("8m8p7p4p9s8m", hands=hands, undeclared="B")
    table.does("A kong 9m", "A discard 8m", "B discard 8p", "C discard 7p", "D discard 4p")
    assert table.does("A discard 9s") == ["A discards 9s", "B draws 8m"]


def test_nor_is_what_another_throws_after_taking_the_first_one() -> None:
    """C pungs what A threw after his kong, and throws 9s."""
    hands = {"A": "9999m", "B": PLAIN, "C": "88m9s"}
    table = Table("8m2p", hands=hands, undeclared="B")
    table.does("A kong 9m", "A discard 8m", "C pung")
    assert table.does("C discard 9s") == ["C discards 9s", "D draws 2p"]


# --- B3.4 -------------------------------------------------------------------------------------


def test_all_who_can_win_one_tile_and_each_is_paid() -> None:
    """七对 10 each, and one for the dealer who deals in."""
    table = Table("2m", hands={"A": "9s"} | PAIRS, undeclared="BCD", flip_mode="none")
    table.does("A discard 9s", "C win", "B win")
    assert table.asked() == "D"
    assert table.may("D") == ["win", "pass"]
    assert table.does("D win") == [
        "answered: D win",
        "B wins 9s discard of A",
        "C wins 9s discard of A",
        "D wins 9s discard of A",
        "flipped 2m",
        "ended: win",
    ]
    assert table.settles().totals == (-33, 11, 11, 11)
    assert table.rules.next_dealer(table.hand) == 0


def test_who_passes_does_not() -> None:
    table = Table("2m", hands={"A": "9s"} | PAIRS, undeclared="BCD", flip_mode="none")
    table.does("A discard 9s", "D win", "B pass", "C win")
    assert [win.seat for win in table.outcome().wins] == [2, 3]
    assert table.settles().totals[1] == 0
    assert table.rules.next_dealer(table.hand) == 2


def test_a_win_goes_before_a_kong() -> None:
    hands = {"A": "9m", "B": "113355m224466p9m", "C": "99m"}
    table = Table(hands=hands, undeclared="B")
    assert table.does("A discard 9m")[-1] == "offered: B win, C pung"
    table.does("B win")
    assert table.refuses("C pung") == "hand_over, common 2"
