"""B3.2 of 捉鸡 in play: by its moment a kong is 闷豆, 转弯豆 or 憨包豆."""

from __future__ import annotations

from ledger.outcome import AfterKong
from tests.rules.zhuoji_table import Table

ROUND = ("B discard 4p", "C discard 5p", "D discard 6p")
"""What the others draw and throw in a round."""


def melds(table: Table, letter: str) -> list[str]:
    """The kongs of a seat, in words."""
    seat = table.hand.seats["ABCD".index(letter)]
    return [f"{meld.how}{' late' * meld.late}" for meld in seat.melds]


# --- four in the hand -------------------------------------------------------------------------


def test_four_dealt_are_in_time_in_the_first_turn() -> None:
    table = Table("1p", hands={"A": "9999m"})
    assert table.does("A kong 9m") == ["A kongs 9m concealed", "A replaces 1p"]
    assert melds(table, "A") == ["concealed"]


def test_for_every_seat_its_own_first_turn_counts() -> None:
    table = Table("4p5p", hands={"A": "1p", "B": "9999m"})
    table.does("A discard 1p")
    assert table.does("B kong 9m")[0] == "B kongs 9m concealed"


def test_later_they_are_late() -> None:
    table = Table("4p5p6p7p8p", hands={"A": "9999m1p"})
    table.does("A discard 1p", *ROUND)
    assert table.does("A kong 9m") == ["A kongs 9m concealed late", "A replaces 8p"]
    assert melds(table, "A") == ["concealed late"]


def test_the_turn_that_brings_the_fourth_is_in_time() -> None:
    table = Table("4p5p6p9m8p", hands={"A": "999m1p"})
    table.does("A discard 1p", *ROUND)
    assert table.does("A kong 9m")[0] == "A kongs 9m concealed"


def test_the_turn_after_it_is_late() -> None:
    table = Table("4p5p6p9m4p5p6p7p8p", hands={"A": "999m1p2p"})
    table.does("A discard 1p", *ROUND, "A discard 2p", *ROUND)
    assert table.does("A kong 9m")[0] == "A kongs 9m concealed late"


def test_a_replacement_tile_belongs_to_the_same_turn() -> None:
    """A kongs 8m, and the replacement is the fourth 9m."""
    table = Table("9m8p", hands={"A": "8888m999m"})
    table.does("A kong 8m")
    assert table.does("A kong 9m")[0] == "A kongs 9m concealed"


def test_another_kong_in_the_same_turn_makes_nothing_late() -> None:
    table = Table("1p8p", hands={"A": "8888m9999m"})
    table.does("A kong 8m", "A kong 9m")
    assert melds(table, "A") == ["concealed", "concealed"]


def test_a_fourth_that_came_before_an_exposed_kong_is_late_after_it() -> None:
    """A holds four 9m since an earlier turn, kongs 8m of B, and then his own."""
    table = Table("8m7p6p", hands={"A": "9999m888m1p"})
    table.does("A discard 1p", "B discard 8m", "A kong")
    assert table.does("A kong 9m")[0] == "A kongs 9m concealed late"


# --- what a first turn is ---------------------------------------------------------------------


def test_a_pung_as_the_first_action_is_the_first_turn() -> None:
    table = Table("4p5p6p7p8p", hands={"A": "1p", "B": "9999m11p2p"})
    table.does("A discard 1p", "B pung", "B discard 2p", "C discard 4p", "D discard 5p")
    table.does("A discard 6p")
    assert table.does("B kong 9m")[0] == "B kongs 9m concealed late"


def test_an_exposed_kong_as_the_first_action_is_not_over_with_it() -> None:
    table = Table("4p5p", hands={"A": "1p", "B": "9999m111p"})
    table.does("A discard 1p", "B kong")
    assert table.does("B kong 9m")[0] == "B kongs 9m concealed"


# --- a pung and its fourth --------------------------------------------------------------------


def punged(draws: str, hand: str = "99m2p") -> Table:
    """A, who has thrown 1p, has punged D's 9m and thrown 2p; B draws the next tile."""
    table = Table("4p5p9m" + draws, hands={"A": hand + "1p"})
    table.does("A discard 1p", "B discard 4p", "C discard 5p", "D discard 9m", "A pung")
    table.does("A discard 2p")
    return table


def test_the_turn_in_which_the_fourth_is_drawn_is_in_time() -> None:
    table = punged("4p5p6p9m8p")
    table.does(*ROUND)
    assert table.does("A kong 9m") == ["A kongs 9m added of D", "A replaces 8p"]
    assert melds(table, "A") == ["added"]


def test_any_later_turn_is_late() -> None:
    table = punged("4p5p6p9m4p5p6p7p8p", "99m2p3p")
    table.does(*ROUND, "A discard 3p", *ROUND)
    assert table.does("A kong 9m") == ["A kongs 9m added of D late", "A replaces 8p"]
    assert melds(table, "A") == ["added late"]


def test_who_holds_three_and_pungs_adds_the_last_late() -> None:
    table = punged("4p5p6p7p8p", "999m2p")
    table.does(*ROUND)
    assert table.does("A kong 9m")[0] == "A kongs 9m added of D late"


def test_a_discard_taken_with_three_in_the_hand_is_never_late() -> None:
    table = Table("4p5p9m8p", hands={"A": "999m1p"})
    table.does("A discard 1p", "B discard 4p", "C discard 5p", "D discard 9m")
    assert table.does("A kong")[1:] == ["A kongs 9m exposed of D", "A replaces 8p"]


def test_a_replacement_tile_may_be_the_fourth_to_a_pung() -> None:
    """A kongs 8m in the turn in which he draws its fourth, and 9m replaces it."""
    table = punged("4p5p6p8m9m8p", "99m2p888m")
    table.does(*ROUND, "A kong 8m")
    assert table.does("A kong 9m")[0] == "A kongs 9m added of D"


# --- in the settlement ------------------------------------------------------------------------


def test_a_late_kong_earns_nothing_and_is_behind_a_win_all_the_same() -> None:
    """杠开 with a late kong: 平胡 1, 3, and one for the dealer."""
    table = Table("1p2p3p8s9s", hands={"A": "123m55p34578s7777m"}, flip_mode="none")
    table.does("A discard 8s", "B discard 1p", "C discard 2p", "D discard 3p", "A kong 7m")
    table.does("A win")
    assert table.outcome().after_kong == AfterKong("concealed", late=True)
    assert table.settles().totals == (15, -5, -5, -5)
