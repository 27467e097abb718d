"""B3.9 of 捉鸡 in play: winning the fourth tile of an added kong 抢杠."""

from __future__ import annotations

from ledger.outcome import AfterKong
from tests.rules.zhuoji_table import PLAIN, Table


def punged(draws: str = "9s", *, hand: str = "99s1p", **more: str) -> Table:
    """A has punged the 9s of D, the dealer, and thrown 1p; B to D have thrown 2p to 4p, and A
    draws the first tile. B waits for 9s.
    """
    hands = {"A": hand, "B": PLAIN, "D": "9s"} | more
    undeclared = "BC" if "C" in more else "B"
    table = Table("2p3p4p" + draws, hands=hands, dealer="D", undeclared=undeclared)
    table.does("D discard 9s", "A pung", "A discard 1p", "B discard 2p", "C discard 3p")
    table.does("D discard 4p")
    return table


def test_an_added_kong_is_shown_before_it_is_made_where_somebody_could_win_it() -> None:
    table = punged()
    assert table.does("A kong 9s") == ["A shows 9s", "offered: B win"]
    assert table.all("B") == ["win", "pass"]


def test_the_robber_needs_no_pass_and_the_kong_is_undone() -> None:
    """平胡 1 and 抢杠 9; A is not the dealer."""
    table = punged("9s2m")
    table.does("A kong 9s")
    assert table.does("B win") == [
        "answered: B win",
        "B wins 9s rob_kong of A",
        "flipped 2m",
        "ended: win",
    ]
    told = table.outcome()
    assert [(meld.kind, meld.tile) for meld in told.seats[0].melds] == [("pung", "9s")]
    assert told.after_kong == AfterKong("added")
    assert [one.points for one in table.settles().payments if one.reason == "win"] == [10]
    assert table.rules.next_dealer(table.hand) == 1


def test_who_could_rob_may_pass_and_the_kong_is_made() -> None:
    table = punged("9s1p")
    table.does("A kong 9s")
    assert table.does("B pass") == [
        "answered: B pass",
        "A kongs 9s added of D",
        "A replaces 1p",
    ]


def test_a_late_one_is_robbed_too_for_the_pattern_alone() -> None:
    """A held three, punged, and adds the last one later: 平胡 1."""
    table = punged("5p2m", hand="999s1p")
    assert table.does("A kong 9s") == ["A shows 9s late", "offered: B win"]
    table.does("B win")
    assert table.outcome().after_kong == AfterKong("added", late=True)
    assert [one.points for one in table.settles().payments if one.reason == "win"] == [1]


def test_a_late_one_that_is_not_robbed_stays_late() -> None:
    table = punged("5p1p", hand="999s1p")
    table.does("A kong 9s", "B pass")
    assert table.hand.seats[0].melds[0].late


def test_all_whom_it_completes_may_rob_it() -> None:
    table = punged("9s2m", C="45622m456789p78s")
    assert table.does("A kong 9s")[-1] == "offered: B win, C win"
    table.does("C win")
    assert table.does("B win")[1:3] == ["B wins 9s rob_kong of A", "C wins 9s rob_kong of A"]
    assert len(table.outcome().wins) == 2
    assert table.rules.next_dealer(table.hand) == 1


def test_who_has_declared_may_rob_or_pass() -> None:
    """平胡 1, 硬报 20, 抢杠 9."""
    hands = {"A": "99s1p", "B": PLAIN, "D": "9s"}
    table = Table("2p3p4p9s", hands=hands, dealer="D", hard="B", flip_mode="none")
    table.does("D discard 9s", "B pass", "A pung", "A discard 1p", "C discard 3p", "D discard 4p")
    assert table.does("A kong 9s")[-1] == "offered: B win"
    assert table.all("B") == ["win", "pass"]
    table.does("B win")
    assert [one.points for one in table.settles().payments if one.reason == "win"] == [30]


def test_a_concealed_kong_is_not_robbed() -> None:
    """B would wait for it."""
    table = Table("1p", hands={"A": "9999s", "B": PLAIN}, undeclared="B")
    assert table.does("A kong 9s")[0] == "A kongs 9s concealed"


def test_an_exposed_kong_is_not_robbed() -> None:
    """B waits for 9s, which C throws: without a pass it is not his, and A kongs it."""
    hands = {"A": "999s", "B": PLAIN, "C": "9s"}
    table = Table("1p", hands=hands, dealer="C", undeclared="B")
    assert table.does("C discard 9s")[-1] == "offered: A pung kong"
    assert table.does("A kong")[1] == "A kongs 9s exposed of C"


def test_a_shown_kong_is_not_made_when_the_match_is_dissolved() -> None:
    table = punged()
    table.does("A kong 9s")
    table.dissolves()
    assert [meld.kind for meld in table.outcome().seats[0].melds] == ["pung"]
    assert table.settles().totals == (0, 0, 0, 0)
