"""A claim beside what is computed: the first line that differs, and what decides it."""

from __future__ import annotations

import pytest

from ledger.claims import Line, compare
from ledger.outcome import NotCounted, Part, Payment, Settlement, read_outcome, settlement
from ledger.refusal import Refused
from ledger.rules.catalog import settle

WIN = (Part("self_draw", points=2),)
BIG = (Part("self_draw", points=2), Part("qing_yi_se", factor=2))
CONCEALED = (Part("concealed_kong", points=2),)
EXPOSED = (Part("exposed_kong", points=1),)
C51, C54 = "huaihua/1 C5.1", "huaihua/1 C5.4"
VOID = NotCounted(0, "concealed_kong", "9m", "drawn_hand", "huaihua/1 C5.4")


def won(payer: int, payee: int, points: int = 2, parts: tuple[Part, ...] = WIN) -> Payment:
    return Payment(payer, payee, points, "win", parts, C51)


def kong(payer: int, payee: int, points: int, parts: tuple[Part, ...]) -> Payment:
    return Payment(payer, payee, points, "kong", parts, C54)


def settled(*payments: Payment, void: tuple[NotCounted, ...] = ()) -> Settlement:
    return settlement(3, payments, (), void)


SELF_DRAW = (won(1, 0), won(2, 0))
KONG = (kong(0, 2, 2, CONCEALED), kong(1, 2, 2, CONCEALED))
COMPUTED = settled(*SELF_DRAW, *KONG)
"""Seat 0 has won by self-draw, and seat 2 has a concealed kong: 2, -4 and 2 points."""


# --- by an outcome ------------------------------------------------------------------------------


def test_the_same_claim_differs_nowhere() -> None:
    found = compare(COMPUTED, COMPUTED)
    assert found.lines == tuple(Line(one, one) for one in (*SELF_DRAW, *KONG))
    assert (found.computed, found.claimed) == ((2, -4, 2), (2, -4, 2))
    assert (found.first, found.seat, found.rule) == (None, None, None)


def test_the_first_line_that_differs_is_told_with_both_sides_and_its_paragraph() -> None:
    """Claimed is a hand of one suit, which doubles the win."""
    claim = settled(won(1, 0, 4, BIG), won(2, 0, 4, BIG), *KONG)
    found = compare(COMPUTED, claim)
    assert found.first == Line(won(1, 0, 2, WIN), won(1, 0, 4, BIG))
    assert (found.seat, found.rule, found.void) == (0, "huaihua/1 C5.1", None)
    assert [line.differs for line in found.lines] == [True, True, False, False]


def test_a_line_differs_by_its_parts_though_the_points_are_the_same() -> None:
    claim = settled(won(1, 0, 2, (Part("discard", points=2),)), won(2, 0), *KONG)
    found = compare(COMPUTED, claim)
    assert (found.first, found.seat) == (found.lines[0], None)


def test_what_the_claim_leaves_out_is_told_by_the_paragraph_that_pays_it() -> None:
    found = compare(COMPUTED, settled(*SELF_DRAW))
    assert found.first == Line(KONG[0], None)
    assert (found.seat, found.rule) == (0, "huaihua/1 C5.4")


def test_what_only_the_claim_has_is_told_after_the_lines_that_are_computed() -> None:
    found = compare(settled(*SELF_DRAW), COMPUTED)
    assert found.lines[2:] == (Line(None, KONG[0]), Line(None, KONG[1]))
    assert found.first == Line(None, KONG[0])
    assert (found.rule, found.void) == ("huaihua/1 C5.4", None)


def test_what_the_rules_say_does_not_count_is_why() -> None:
    """The kong of seat 0 is void; that of seat 2 would be another matter."""
    claim = settled(kong(1, 0, 2, CONCEALED), kong(2, 0, 2, CONCEALED))
    found = compare(settled(void=(VOID,)), claim)
    assert (found.void, found.rule) == (VOID, "huaihua/1 C5.4")
    other = NotCounted(2, "concealed_kong", "9m", "drawn_hand", "huaihua/1 C5.4")
    assert compare(settled(void=(other,)), claim).void is None


def test_what_does_not_count_may_be_a_part_of_a_line() -> None:
    """Both have a line of chickens, but the flipped one is blown away."""
    own = Part("yao_ji", points=1)
    flipped = (own, Part("flip_chicken", points=1))
    computed = Payment(1, 0, 1, "chickens", (own,), "zhuoji/1 B5.3.1")
    claimed = Payment(1, 0, 2, "chickens", flipped, "zhuoji/1 B5.3.1")
    void = NotCounted(0, "flip_chicken", "2p", "wind_blow", "zhuoji/1 B5.3.2")
    found = compare(settled(computed, void=(void,)), settled(claimed))
    assert found.first == Line(computed, claimed)
    assert (found.void, found.rule) == (void, "zhuoji/1 B5.3.2")
    counted = NotCounted(0, "yao_ji", "1s", "not_ready", "zhuoji/1 B5.3.2")
    assert compare(settled(computed, void=(counted,)), settled(claimed)).void is None


def test_of_several_kongs_the_same_ones_stand_beside_each_other() -> None:
    """Left out is the concealed one, though the exposed one comes after it."""
    one, two = kong(1, 0, 2, CONCEALED), kong(1, 0, 1, EXPOSED)
    found = compare(settled(one, two), settled(two))
    assert found.lines == (Line(one, None), Line(two, two))


def test_two_that_are_alike_stand_beside_each_other_once() -> None:
    one = kong(1, 0, 2, CONCEALED)
    found = compare(settled(one, one), settled(one))
    assert found.lines == (Line(one, one), Line(one, None))


# --- by points ----------------------------------------------------------------------------------


def test_points_that_are_the_computed_ones_differ_nowhere() -> None:
    found = compare(COMPUTED, (2, -4, 2))
    assert (found.seat, found.rule, found.missing, found.lines) == (None, None, (), ())


def test_points_differ_by_the_one_line_that_they_leave_out() -> None:
    """Seat 2 claims not to pay for the win."""
    found = compare(COMPUTED, (0, -4, 4))
    assert (found.seat, found.missing) == (0, (won(2, 0),))
    assert found.rule == "huaihua/1 C5.1"


def test_points_differ_by_the_one_thing_that_they_leave_out() -> None:
    """Without the kong of seat 2 it would be 4, -2 and -2."""
    found = compare(COMPUTED, (4, -2, -2))
    assert (found.seat, found.missing) == (0, KONG)
    assert found.rule == "huaihua/1 C5.4"


def test_of_two_kongs_that_are_alike_one_is_left_out() -> None:
    """Two concealed kongs bring seat 2 eight points, one of them four."""
    found = compare(settled(*KONG, *KONG), (-2, -2, 4))
    assert {(one.payer, one.points) for one in found.missing} == {(0, 2), (1, 2)}


def test_points_differ_by_what_does_not_count() -> None:
    """Seat 0 claims four points for its kong, two of each."""
    found = compare(settled(void=(VOID,)), (4, -2, -2))
    assert (found.seat, found.void, found.rule) == (0, VOID, "huaihua/1 C5.4")


@pytest.mark.parametrize(
    ("claimed", "void"),
    [
        ((3, -2, -1), (VOID,)),
        ((2, 2, -4), (VOID,)),
        ((-2, 4, -2), (VOID,)),
        ((4, -2, -2), (VOID, VOID)),
        ((4, -2, -2), ()),
    ],
)
def test_points_that_nothing_explains(
    claimed: tuple[int, ...], void: tuple[NotCounted, ...]
) -> None:
    """Others lose unlike, several gain, another gains, two things are void, or none is."""
    found = compare(settled(void=void), claimed)
    assert found.seat == 0
    assert (found.missing, found.void, found.rule) == ((), None, None)


def test_where_one_side_has_points_alone_there_are_only_seats() -> None:
    points = Settlement((0, -4, 4), (), (), ())
    found = compare(COMPUTED, points)
    assert (found.lines, found.missing) == ((), (won(2, 0),))
    found = compare(points, COMPUTED)
    assert (found.lines, found.seat, found.claimed) == ((), 0, (2, -4, 2))


# --- an outcome that cannot be ------------------------------------------------------------------


def test_an_outcome_that_cannot_be_is_told_by_its_refusal() -> None:
    """Seat 0 claims a win with a hand that is not complete."""
    told = {
        "ruleset": "huaihua/1",
        "dealer": 0,
        "seats": [
            {"hand": "124m456p789s55s67p"},
            {"hand": "1134668m15p1468s"},
            {"hand": "2m1236779p13366s"},
            {"hand": "2569m234p112589s"},
        ],
        "end": "win",
        "wins": [{"seat": 0, "tile": "8p", "how": "self_draw"}],
    }
    with pytest.raises(Refused) as refusal:
        settle(read_outcome(told))
    found = compare(COMPUTED, refusal.value)
    assert (found.computed, found.claimed) == ((2, -4, 2), None)
    assert (found.refusal, found.rule) == ("hand_not_complete", "huaihua/1 C4")


# --- a claim as it is made ----------------------------------------------------------------------


def with_kong(**kong: object) -> Settlement:
    """A plain self-draw of seat 0 in 怀化, with a kong of seat 2 that was made so."""
    told = {
        "ruleset": "huaihua/1",
        "options": {"bird_count": 0},
        "dealer": 0,
        "seats": [
            {"hand": "123m456p789s55s67p"},
            {"hand": "1134668m15p1468s"},
            {"hand": "1236779p133s", "melds": [{"kind": "kong", "tile": "9m", **kong}]},
            {"hand": "2568m234p112589s"},
        ],
        "end": "win",
        "wins": [{"seat": 0, "tile": "8p", "how": "self_draw"}],
    }
    return settle(read_outcome(told))


def test_a_kong_that_somebody_fed_was_entered_as_a_concealed_one() -> None:
    """All would pay 2 for it; who fed it pays 3 alone (C5.4). The win is the same."""
    found = compare(with_kong(how="concealed"), with_kong(how="exposed", **{"from": 3}))
    assert found.computed == (4, -4, 4, -4)
    assert found.claimed == (6, -2, 1, -5)
    assert [line.differs for line in found.lines] == [False, False, False, True, True, True]
    assert found.first is not None
    assert found.first.computed is not None
    assert (found.first.computed.payer, found.first.computed.points) == (0, 2)
    assert (found.first.claimed, found.seat, found.rule) == (None, 0, "huaihua/1 C5.4")
