"""A hand that was played elsewhere is entered: what its table shows then, and what is refused."""

from __future__ import annotations

import pytest

from ledger.hand import Meld, leaves_outcome, outcome
from ledger.outcome import read_outcome
from ledger.refusal import Refused
from ledger.streams.table import EnterHand, OpenTable
from ledger.tiles import parse_tile
from tests.streams.test_table import SECRET, after

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
