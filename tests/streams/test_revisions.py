"""The revisions of a hand's money: what stands is reversed, and what shall stand is booked."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger import events as e
from ledger.events import Event, Fact
from ledger.outcome import Outcome, read_outcome
from ledger.refusal import Refused
from ledger.rules.catalog import ruleset
from ledger.streams import settlement
from ledger.streams.now import Now
from ledger.streams.settlement import Money, ReviseHand, of_hand

NOW = Now(1_800_000_000_000_000, lambda at: "2027-01-15", lambda at: 5)
SEATS = ("mem_a", "mem_b", "mem_c", "mem_d")
OPTIONS = ruleset("huaihua/1", {"win_mode": "self_draw", "bird_count": 0}).written_options
SETTLED = e.HandSettled(
    table="tbl_1",
    number=3,
    ruleset="huaihua/1",
    seats=SEATS,
    end="unknown",
    totals=(9, -3, -3, -3),
    payments=(),
    wins=(),
    not_counted=(),
    ended_at=5,
    ended_position=99,
    booked_date="2027-01-11",
    effective_date="2027-01-10",
)
OUTCOME: dict[str, Any] = {
    "ruleset": "huaihua/1",
    "dealer": 0,
    "seats": [
        {"hand": "123m456p789s55s67p"},
        {"hand": "1134668m15p1468s"},
        {"hand": "2m1236779p13366s"},
        {"hand": "2569m234p112589s"},
    ],
    "end": "win",
    "wins": [{"seat": 0, "tile": "8p", "how": "self_draw"}],
}
"""A plain win 平胡 by self-draw: everybody pays 2 (C5.1)."""


def revise(ruling: str = "correct", revision: int = 1, **more: Any) -> ReviseHand:
    told = {"dispute": "dsp_1", "ruling": ruling, "revision": revision, "options": OPTIONS, **more}
    return ReviseHand(**told)


def told(**changes: Any) -> Outcome:
    """The amended outcome, with some things otherwise."""
    return read_outcome({**OUTCOME, **changes})


def after(*commands: ReviseHand) -> list[Event]:
    """The events of a hand that was settled, and revised by commands one after the other."""
    events = [Event(SETTLED)]
    for command in commands:
        events.extend(settlement.decide(settlement.fold(events), command, NOW))
    return events


def facts(*commands: ReviseHand) -> list[Fact]:
    return [event.fact for event in after(*commands)][1:]


def refused(*commands: ReviseHand) -> Refused:
    with pytest.raises(Refused) as refusal:
        after(*commands)
    return refusal.value


def reversal(revision: int, *totals: int) -> e.HandReversed:
    """The reversal of a revision, booked today and of the day on which the hand was played."""
    return e.HandReversed(
        table="tbl_1",
        number=3,
        seats=SEATS,
        revision=revision,
        totals=totals,
        dispute="dsp_1",
        ended_at=5,
        booked_date="2027-01-15",
        effective_date="2027-01-10",
    )


def test_a_hand_that_is_settled_is_at_its_first_revision() -> None:
    money = Money("tbl_1", 3, "huaihua/1", SEATS, 5, "2027-01-10", 1, (9, -3, -3, -3))
    assert settlement.fold(after()) == money


def test_a_void_hand_is_reversed_and_nothing_stands() -> None:
    void = revise("void")
    assert facts(void) == [reversal(1, -9, 3, 3, 3)]
    money = settlement.fold(after(void))
    assert money is not None
    assert (money.version, money.totals) == (2, None)


def test_what_changes_nothing_is_no_correction() -> None:
    """Booked are 9 -3 -3 -3; a hand that was voided is voided no more, nor corrected to nothing."""
    void = revise("void")
    assert refused(void, revise("void", 2)).code == "correction_same"
    assert refused(void, revise(revision=2, totals=(0, 0, 0, 0))).code == "correction_same"
    assert len(facts(revise(totals=(0, 0, 0, 0)), revise("void", 3))) == 3


def test_a_ruling_is_measured_by_all_that_was_moved() -> None:
    """A hand of 9 -3 -3 -3 was corrected to 18 -6 -6 -6, which is 9 away.

    To 27 -9 -9 -9 are 9 more, 18 in all; back to the first are 9. To let it stand moves nothing.
    """
    first, stands = (9, -3, -3, -3), (18, -6, -6, -6)
    measured = {
        after: settlement.measured(first, stands, after)
        for after in ((27, -9, -9, -9), first, stands, (0, 0, 0, 0))
    }
    assert list(measured.values()) == [18, 9, 0, 18]


def test_a_correction_by_points_reverses_what_stands_and_books_anew() -> None:
    undone, anew = facts(revise(totals=(6, -2, -2, -2)))
    assert undone == reversal(1, -9, 3, 3, 3)
    assert anew == e.HandCorrected(
        table="tbl_1",
        number=3,
        ruleset="huaihua/1",
        seats=SEATS,
        end="unknown",
        totals=(6, -2, -2, -2),
        payments=(),
        wins=(),
        not_counted=(),
        outcome=None,
        dispute="dsp_1",
        ended_at=5,
        booked_date="2027-01-15",
        effective_date="2027-01-10",
    )


def test_a_correction_by_an_outcome_is_settled_by_the_rules_of_the_hand() -> None:
    """It tells who pays whom, and keeps the outcome with every option of the table."""
    _, anew = facts(revise(outcome=told()))
    assert isinstance(anew, e.HandCorrected)
    assert (anew.end, anew.totals) == ("win", (6, -2, -2, -2))
    paid = [(one.payer, one.payee, one.points, one.rule) for one in anew.payments]
    assert paid == [(seat, 0, 2, "huaihua/1 C5.1") for seat in (1, 2, 3)]
    assert anew.wins == (e.Scored(0, ("ping_hu",), 1),)
    assert anew.outcome is not None
    assert (anew.outcome["ruleset"], anew.outcome["options"]) == ("huaihua/1", OPTIONS)
    assert read_outcome(anew.outcome).wins == told().wins


def test_what_did_not_count_is_told_of_a_correction_too() -> None:
    """On a drawn hand the concealed kong is void at a table that says so (C5.4)."""
    options = {**OPTIONS, "void_kongs_on_draw": True}
    kong = {"kind": "kong", "how": "concealed", "tile": "9m"}
    first = {"hand": "123m456p789s5s", "melds": [kong]}
    seats = [first, *OUTCOME["seats"][1:3], {"hand": "2568m234p112589s"}]
    outcome = told(seats=seats, end="exhausted", wins=[])
    _, anew = facts(revise(outcome=outcome, options=options))
    assert isinstance(anew, e.HandCorrected)
    void = e.Void(0, "concealed_kong", "9m", "drawn_hand", "huaihua/1 C5.4")
    assert (anew.totals, anew.not_counted) == ((0, 0, 0, 0), (void,))


@pytest.mark.parametrize("told_by", [{"outcome": told()}, {"totals": (6, -2, -2, -2)}])
def test_the_cap_of_the_hand_holds_for_its_corrections(told_by: dict[str, Any]) -> None:
    _, anew = facts(revise(cap=1, **told_by))
    assert isinstance(anew, e.HandCorrected)
    assert anew.totals == (3, -1, -1, -1)
    back = [(one.payer, one.payee, one.points, one.rule) for one in anew.payments[-3:]]
    assert back == [(0, seat, 1, "common cap") for seat in (1, 2, 3)]


def test_revisions_follow_one_another() -> None:
    """An appeal reverses the correction, and not the settlement again."""
    first = revise(totals=(6, -2, -2, -2))
    _, _, undone, anew = facts(first, revise(revision=3, totals=(0, 3, 0, -3)))
    assert undone == reversal(3, -6, 2, 2, 2)
    assert isinstance(anew, e.HandCorrected)
    money = settlement.fold(after(first, revise(revision=3, totals=(0, 3, 0, -3))))
    assert money is not None
    assert (money.version, money.totals) == (5, (0, 3, 0, -3))


def test_a_void_hand_can_be_booked_again() -> None:
    """There is nothing to reverse; the points that stood before it was voided may stand again."""
    _, anew = facts(revise("void"), revise(revision=2, totals=(9, -3, -3, -3)))
    assert isinstance(anew, e.HandCorrected)
    money = settlement.fold(after(revise("void"), revise(revision=2, totals=(9, -3, -3, -3))))
    assert money is not None
    assert (money.version, money.totals) == (3, (9, -3, -3, -3))


def test_a_ruling_on_a_revision_that_stands_no_more_is_refused() -> None:
    correct = revise(totals=(6, -2, -2, -2))
    refusal = refused(correct, revise("void"))
    assert refusal.code == "revision_stale"
    assert refusal.params == {"revision": 1, "current_version": 3}
    assert refused(revise("void", 2)).code == "revision_stale"


def test_a_correction_that_changes_no_points_is_refused() -> None:
    assert refused(revise(totals=(9, -3, -3, -3))).code == "correction_same"


def test_a_hand_that_is_not_settled_is_not_revised() -> None:
    with pytest.raises(Refused, match="hand_unsettled"):
        settlement.decide(None, revise("void"), NOW)


@pytest.mark.parametrize(
    ("told_by", "code", "pointer"),
    [
        ({}, "correction_form", ""),
        ({"outcome": told(), "totals": (6, -2, -2, -2)}, "correction_form", ""),
        ({"totals": (6, -2, -4)}, "seats_count", "/totals"),
        ({"totals": (6, -2, -2, -1)}, "totals_sum", "/totals"),
        ({"totals": (1_000_000_001, -1_000_000_001, 0, 0)}, "number_range", "/totals/0"),
        ({"outcome": told(ruleset="haozi/1")}, "claim_differs", "/outcome/ruleset"),
        (
            {"outcome": told(options={"bird_count": 2})},
            "claim_differs",
            "/outcome/options/bird_count",
        ),
        ({"outcome": told(options={"bird_count": 99})}, "option_value", "/outcome/options"),
        ({"outcome": told(seats=OUTCOME["seats"][:3])}, "claim_differs", "/outcome/seats"),
        ({"outcome": told(flip="2p")}, "fact_of_another_ruleset", "/outcome/flip"),
    ],
)
def test_a_correction_that_cannot_be_is_refused(
    told_by: dict[str, Any], code: str, pointer: str
) -> None:
    refusal = refused(revise(**told_by))
    assert (refusal.code, refusal.pointer) == (code, pointer)


def test_an_outcome_tells_the_options_of_the_hand_or_none() -> None:
    """One that is told must be the hand's; the others are filled in with the hand's."""
    whole = of_hand(told(options={"win_mode": "self_draw"}), "huaihua/1", OPTIONS, 4)
    assert whole.options == OPTIONS
    with pytest.raises(Refused) as refusal:
        of_hand(told(options={"win_mode": "discard"}), "huaihua/1", OPTIONS, 4)
    place = "/outcome/options/win_mode"
    assert refusal.value.params == {"place": place, "told": "discard", "known": "self_draw"}


points = st.lists(st.integers(-40, 40), min_size=3, max_size=3).map(lambda won: (*won, -sum(won)))
rulings = st.none() | points
caps = st.sampled_from((None, 1, 30))


@given(st.lists(st.tuples(rulings, caps, st.integers(1, 6))))
def test_whatever_is_ruled_what_stands_is_the_sum_of_all_that_was_booked(
    ruled: list[tuple[tuple[int, ...] | None, int | None, int]],
) -> None:
    """Each ruling on any revision, and a second time at once: it is booked once or refused."""
    events = [Event(SETTLED)]
    for totals, cap, revision in ruled:
        ruling = "void" if totals is None else "correct"
        command = revise(ruling, revision, totals=totals, cap=cap)
        events += tried(events, command)
        assert tried(events, command) == ()
    money = settlement.fold(events)
    assert money is not None
    booked = [event.fact.totals for event in events if isinstance(event.fact, BOOKING)]
    assert tuple(map(sum, zip(*booked, strict=True))) == (money.totals or (0, 0, 0, 0))
    assert {sum(totals) for totals in booked} == {0}
    assert money.version == len(events)


BOOKING = (e.HandSettled, e.HandReversed, e.HandCorrected)


def tried(events: list[Event], command: ReviseHand) -> tuple[Event, ...]:
    try:
        return settlement.decide(settlement.fold(events), command, NOW)
    except Refused:
        return ()
