"""B5.3 of 捉鸡 in play: who threw the first default chicken, and who took it."""

from __future__ import annotations

from ledger.outcome import FirstChicken
from tests.rules.zhuoji_table import PLAIN, Table

PAIRS = "113355m224466p1s"
"""七对, waits for 1s."""
OTHER = "224466m113355p1s"
"""七对, waits for 1s too."""
STOOD = FirstChicken("1s", 0, ())


def test_the_first_one_discarded_is_told_before_anybody_may_take_it() -> None:
    table = Table(hands={"A": "1s", "C": "11s"})
    assert table.does("A discard 1s") == ["A discards 1s", "first chicken 1s", "offered: C pung"]


def test_if_nobody_takes_it_it_stands() -> None:
    table = Table("9p", hands={"A": "1s", "C": "11s"})
    table.does("A discard 1s", "C pass")
    table.dissolves()
    assert table.outcome().first_chickens == (STOOD,)


def test_only_the_first_is_told() -> None:
    table = Table("1s9p", hands={"A": "1s"})
    table.does("A discard 1s")
    assert table.does("B discard 1s") == ["B discards 1s", "C draws 9p"]
    table.dissolves()
    assert table.outcome().first_chickens == (STOOD,)


def test_who_pungs_it_is_its_taker() -> None:
    table = Table(hands={"A": "1s", "C": "11s9p"})
    table.does("A discard 1s", "C pung")
    table.dissolves()
    assert table.outcome().first_chickens == (FirstChicken("1s", 0, (2,)),)


def test_who_kongs_it_is_its_taker() -> None:
    table = Table("9p", hands={"A": "1s", "C": "111s"})
    table.does("A discard 1s", "C kong")
    table.dissolves()
    assert table.outcome().first_chickens == (FirstChicken("1s", 0, (2,)),)


def test_all_who_win_it_are_its_takers() -> None:
    table = Table("9m", hands={"A": "1s", "B": PAIRS, "D": OTHER}, undeclared="BD")
    table.does("A discard 1s", "B win", "D win")
    assert table.outcome().first_chickens == (FirstChicken("1s", 0, (1, 3)),)


def test_a_later_one_that_is_taken_has_no_taker() -> None:
    hands = {"A": "1s", "C": "11s9p"}
    table = Table("1s", hands=hands)
    table.does("A discard 1s", "C pass", "B discard 1s", "C pung")
    table.dissolves()
    assert table.outcome().first_chickens == (STOOD,)


def test_a_robbed_one_was_never_discarded() -> None:
    """A punged the first one, and B robs the fourth."""
    hands = {"A": "11s9m", "B": "123678m55789p23s", "D": "1s"}
    table = Table("2p3p4m1s9m", hands=hands, dealer="D", undeclared="B")
    table.does("D discard 1s", "A pung", "A discard 9m", "B discard 2p", "C discard 3p")
    table.does("D discard 4m", "A kong 1s", "B win")
    assert table.outcome().first_chickens == (FirstChicken("1s", 3, (0,)),)
    assert sum(table.settles().totals) == 0


def test_a_declared_discard_may_be_the_first() -> None:
    table = Table("9p", hands={"A": PLAIN + "1s"})
    assert table.does("A declare 1s")[:2] == ["A declares 1s", "first chicken 1s"]


def test_without_the_option_eight_p_is_none() -> None:
    table = Table("9p", hands={"A": "8p"})
    assert table.does("A discard 8p") == ["A discards 8p", "B draws 9p"]


def test_with_it_each_kind_has_its_first() -> None:
    table = Table("1s9p", hands={"A": "8p"}, wugu_ji=True)
    assert table.does("A discard 8p")[1] == "first chicken 8p"
    assert table.does("B discard 1s")[1] == "first chicken 1s"
    table.dissolves()
    assert table.outcome().first_chickens == (FirstChicken("8p", 0, ()), FirstChicken("1s", 1, ()))
