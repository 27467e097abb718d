"""A hand that was played elsewhere is entered: what its table shows then, and what is refused."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from ledger.hand import Meld, leaves_outcome, outcome
from ledger.outcome import read_outcome
from ledger.refusal import Refused
from ledger.streams.table import EnterHand, OpenTable, StartHand, TableCommand
from ledger.tiles import parse_tile
from tests.streams.test_table import AT, SECRET, WALL, after

SEATS = ("mem_a", "mem_b", "mem_c", "mem_d")
OPENING = OpenTable("huaihua/1", {}, SEATS, 2, 0, 0, "key_1")
OUTCOME = {
    "ruleset": "huaihua/1",
    "dealer": 0,
    "seats": [
        {
            "hand": "456p55s67p",
            "melds": [
                {"kind": "pung", "tile": "1m", "from": 2},
                {"kind": "kong", "how": "added", "tile": "9s", "from": 1},
            ],
            "river": "9m",
        },
        {"hand": "258m258p247s2346m"},
        {"hand": "369m369p1488s778m"},
        {"hand": "479m1147p1368s24m"},
    ],
    "end": "win",
    "wins": [{"seat": 0, "tile": "8p", "how": "self_draw"}],
}


def test_what_an_outcome_tells_lies_on_the_table() -> None:
    """The winner's melds with who fed them, his river, and the outcome as it was told."""
    told = read_outcome(OUTCOME)
    table = after(OPENING, EnterHand(SECRET, told))
    assert table.hand is not None
    winner = table.hand.seats[0]
    assert winner.melds == (
        Meld(parse_tile("1m"), "pung", 2),
        Meld(parse_tile("9s"), "added", 1),
    )
    assert (winner.river, winner.discards) == ((parse_tile("9m"),), 1)
    assert outcome(table.hand).seats == told.seats
    assert table.totals == (0, 0, 0, 0)


def test_of_points_there_is_no_outcome() -> None:
    table = after(OPENING, EnterHand(SECRET, totals=(3, -1, -1, -1)))
    assert table.hand is not None
    assert not leaves_outcome(table.hand)


@pytest.mark.parametrize(
    ("totals", "code"),
    [
        ((1, -1), "seats_count"),
        ((1, 0, 0, 0), "totals_sum"),
        ((1_000_000_001, -1_000_000_001, 0, 0), "number_range"),
    ],
)
def test_points_that_cannot_be(totals: tuple[int, ...], code: str) -> None:
    """One whole number a seat, none beyond a thousand million, and the sum is zero."""
    with pytest.raises(Refused, match=code):
        after(OPENING, EnterHand(SECRET, totals=totals))


def fault(*commands: TableCommand) -> str:
    """The code and the place of the refusal to which commands at a table of 怀化 come."""
    with pytest.raises(Refused) as refused:
        after(OPENING, *commands)
    return f"{refused.value.code} {refused.value.pointer}"


def by_outcome(**changes: object) -> EnterHand:
    """The entry of the hand, told with some things otherwise."""
    return EnterHand(SECRET, read_outcome({**OUTCOME, **changes}))


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"ruleset": "haozi/1"}, "entry_differs /outcome/ruleset"),
        ({"options": {"bird_count": 2}}, "entry_differs /outcome/options/bird_count"),
        ({"options": {"players": 5}}, "option_value /outcome/options"),
        ({"flip": "2p"}, "fact_of_another_ruleset /outcome/flip"),
    ],
)
def test_an_outcome_of_another_match_and_one_that_cannot_be(
    changes: dict[str, object], told: str
) -> None:
    """The game and every option that is told are the table's, and the rules can settle it."""
    assert fault(by_outcome(**changes)) == told


def test_the_first_hand_has_any_dealer_and_streak_and_a_later_one_what_follows() -> None:
    """Seat 0 won the first, so it deals the second, for the first time."""
    first = by_outcome(dealer=2, streak=5)
    assert fault(first, by_outcome(dealer=1)) == "entry_differs /outcome/dealer"
    assert fault(first, by_outcome(streak=6)) == "entry_differs /outcome/streak"
    table = after(OPENING, first, by_outcome(streak=1))
    assert (table.number, table.closed) == (2, "played")


def test_what_is_entered_is_an_outcome_or_points_and_nothing_while_a_hand_runs() -> None:
    points = (3, -1, -1, -1)
    assert fault(EnterHand(SECRET)) == "entry_empty "
    assert fault(EnterHand(SECRET, read_outcome(OUTCOME), points)) == "entry_empty "
    assert fault(EnterHand(SECRET, read_outcome(OUTCOME), next_dealer=1)) == "entry_empty "
    assert fault(EnterHand(SECRET, totals=points, next_dealer=4)) == "seat_unknown /next_dealer"
    assert fault(StartHand(WALL, SECRET), EnterHand(SECRET, totals=points)) == "hand_running "


def test_a_day_of_the_week_is_that_of_the_moment_for_which_the_hand_is_entered() -> None:
    """The moment is on a Friday."""
    opening = replace(OPENING, ruleset="zhuoji/1", options={"week_ji": True})
    told = {**OUTCOME, "ruleset": "zhuoji/1", "flip": "2m", "weekday": 1}
    with pytest.raises(Refused) as refused:
        after(opening, EnterHand(SECRET, read_outcome(told), at=AT))
    assert (refused.value.code, refused.value.pointer) == ("entry_differs", "/outcome/weekday")
    table = after(opening, EnterHand(SECRET, read_outcome({**told, "weekday": 5}), at=AT))
    assert table.hand is not None
    assert table.hand.weekday == 5
