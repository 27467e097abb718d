"""An allowance: asked for, approved or refused, booked, and undone once."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from ledger import events as e
from ledger.events import Event, Fact, Line
from ledger.refusal import Refused
from ledger.streams import allowance
from ledger.streams.allowance import (
    Allowance,
    AllowanceCommand,
    ApproveAllowance,
    RefuseAllowance,
    RequestAllowance,
    ReverseAllowance,
)
from ledger.streams.now import Now

DAY = 86_400_000_000
DAYS = ("2027-01-15", "2027-01-16", "2027-01-17")
AT = DAY // 2


def on(day: int) -> Now:
    """Noon of the fifteenth of January, or so many days later."""
    return Now(AT + day * DAY, lambda at: DAYS[at // DAY], lambda at: 5)


TODAY, TOMORROW, LATER = on(0), on(1), on(2)
LINES = (Line("mem_1", 1000), Line("mem_2", 200))
TOP_UP = RequestAllowance(
    kind="allowance",
    lines=LINES,
    reason="top_up",
    note="aa",
    effective_date=None,
    by="per_ann",
    limit=None,
    closed_until=None,
)
LARGE = replace(TOP_UP, limit=999)
APPROVED = ApproveAllowance("per_ben", None)
REFUSED = RefuseAllowance("bb", "per_ben")
REVERSED = ReverseAllowance("cc", "per_cat")

ASKED_FOR = e.AllowanceRequested("allowance", LINES, "top_up", "aa", None, "per_ann", AT)


def booked(day: int, effective: str) -> e.AllowancePosted:
    return e.AllowancePosted(
        "allowance", LINES, "top_up", "aa", AT + day * DAY, DAYS[day], effective
    )


def after(*commands: AllowanceCommand) -> Allowance:
    """The allowance that these commands of today make, one after the other."""
    events: list[Event] = []
    for command in commands:
        events.extend(allowance.decide(allowance.fold(events), command, TODAY))
    state = allowance.fold(events)
    assert state is not None
    return state


def decided(state: Allowance | None, command: AllowanceCommand, now: Now = TODAY) -> list[Fact]:
    return [event.fact for event in allowance.decide(state, command, now)]


def refused(
    state: Allowance | None, command: AllowanceCommand, now: Now = TODAY
) -> tuple[str, str, dict[str, Any]]:
    """A refusal's code, its place and its parameters."""
    with pytest.raises(Refused) as refusal:
        allowance.decide(state, command, now)
    return refusal.value.code, refusal.value.pointer, refusal.value.params


# --- asking -----------------------------------------------------------------------------------


def test_what_one_person_may_give_is_booked_at_once() -> None:
    assert decided(None, TOP_UP) == [ASKED_FOR, booked(0, "2027-01-15")]
    assert after(TOP_UP).state == "posted"


def test_a_line_above_the_limit_waits_for_a_second_person() -> None:
    """1000 is above 999; what is taken counts by its amount too, and at 0 it is always two."""
    assert decided(None, LARGE) == [ASKED_FOR]
    assert after(LARGE).state == "requested"
    taken = replace(TOP_UP, reason="withdrawal", lines=(Line("mem_1", -1000),))
    assert len(decided(None, replace(taken, limit=999))) == 1
    assert len(decided(None, replace(TOP_UP, lines=(Line("mem_1", 1),), limit=0))) == 1


def test_lines_up_to_the_limit_are_booked_at_once() -> None:
    """1000 and 200 together are more, but no line is."""
    assert len(decided(None, replace(TOP_UP, limit=1000))) == 2


def test_points_may_count_from_an_earlier_day() -> None:
    earlier = replace(TOP_UP, effective_date="2027-01-01", closed_until="2026-12-31")
    asked, posted = decided(None, earlier)
    assert asked == replace(ASKED_FOR, effective_date="2027-01-01")
    assert posted == booked(0, "2027-01-01")


def test_points_may_count_from_today() -> None:
    asked, _ = decided(None, replace(TOP_UP, effective_date="2027-01-15"))
    assert asked == replace(ASKED_FOR, effective_date="2027-01-15")


def test_opening_balances_may_be_above_0_and_below() -> None:
    lines = (Line("mem_1", 40), Line("mem_2", -40))
    opening = replace(TOP_UP, kind="opening", reason="opening", lines=lines)
    _, posted = decided(None, opening)
    assert isinstance(posted, e.AllowancePosted)
    assert (posted.kind, posted.lines) == ("opening", lines)


@pytest.mark.parametrize(
    ("reason", "points"),
    [
        ("top_up", 1_000_000_000),
        ("withdrawal", -1_000_000_000),
        ("mistake", 5),
        ("mistake", -5),
        ("other", 5),
        ("other", -5),
    ],
)
def test_a_reason_says_which_way_points_go_or_leaves_it_open(reason: str, points: int) -> None:
    request = replace(TOP_UP, reason=reason, lines=(Line("mem_1", points),))
    assert decided(None, request)[0] == replace(ASKED_FOR, reason=reason, lines=request.lines)


@pytest.mark.parametrize("reason", ["commission", "gift", "transfer", "cash_out", ""])
def test_for_no_other_reason_points_are_given(reason: str) -> None:
    assert refused(None, replace(TOP_UP, reason=reason)) == (
        "reason_unknown",
        "/reason",
        {"reason": reason, "allowed": "top_up, withdrawal, opening, mistake, other"},
    )


def test_the_kind_opening_has_the_reason_opening_and_no_other_has() -> None:
    told = {"reason": "opening", "kind": "allowance"}
    assert refused(None, replace(TOP_UP, reason="opening")) == ("reason_kind", "/reason", told)
    told = {"reason": "top_up", "kind": "opening"}
    assert refused(None, replace(TOP_UP, kind="opening")) == ("reason_kind", "/reason", told)


@pytest.mark.parametrize(("reason", "points"), [("top_up", -7), ("withdrawal", 7)])
def test_points_go_the_way_that_their_reason_says(reason: str, points: int) -> None:
    lines = (Line("mem_1", -points), Line("mem_2", points))
    assert refused(None, replace(TOP_UP, reason=reason, lines=lines)) == (
        "reason_sign",
        "/lines/1/points",
        {"reason": reason, "points": points},
    )


def test_there_are_1_to_1000_lines() -> None:
    many = tuple(Line(f"mem_{n}", 1) for n in range(1001))
    for lines in ((), many):
        told = {"low": 1, "high": 1000}
        assert refused(None, replace(TOP_UP, lines=lines)) == ("list_length", "/lines", told)
    assert len(decided(None, replace(TOP_UP, lines=many[1:]))) == 2


def test_no_member_has_two_lines() -> None:
    lines = (Line("mem_1", 5), Line("mem_2", 5), Line("mem_1", 6))
    told = {"member": "mem_1"}
    assert refused(None, replace(TOP_UP, lines=lines)) == ("member_twice", "/lines/2/member", told)


@pytest.mark.parametrize(
    ("points", "code"),
    [(0, "points_zero"), (1_000_000_001, "number_range"), (-1_000_000_001, "number_range")],
)
def test_a_line_moves_some_points_but_not_any_number(points: int, code: str) -> None:
    request = replace(TOP_UP, reason="other", lines=(Line("mem_1", 5), Line("mem_2", points)))
    assert refused(None, request)[:2] == (code, "/lines/1/points")


@pytest.mark.parametrize("day", ["", "today", "20270101", "2027-1-1", "2027-02-30", "2027-W01-1"])
def test_the_effective_date_is_a_day(day: str) -> None:
    told = {"value": day}
    wrong = replace(TOP_UP, effective_date=day)
    assert refused(None, wrong) == ("date_form", "/effective_date", told)


def test_points_do_not_count_from_a_day_that_has_not_begun() -> None:
    assert refused(None, replace(TOP_UP, effective_date="2027-01-16")) == (
        "date_in_future",
        "/effective_date",
        {"date": "2027-01-16", "today": "2027-01-15"},
    )


def test_nothing_new_comes_into_a_period_that_is_closed() -> None:
    closed = replace(TOP_UP, effective_date="2026-12-31", closed_until="2026-12-31")
    told = {"closed_until": "2026-12-31"}
    assert refused(None, closed) == ("period_closed", "/effective_date", told)
    assert refused(None, replace(closed, limit=0)) == ("period_closed", "/effective_date", told)
    assert len(decided(None, replace(closed, effective_date="2027-01-01"))) == 2


def test_an_allowance_is_asked_for_once() -> None:
    assert refused(after(TOP_UP), TOP_UP) == ("allowance_exists", "", {})


# --- a second person --------------------------------------------------------------------------


def test_what_a_second_person_approves_is_booked_on_that_day() -> None:
    approved = e.AllowanceApproved("per_ben", AT + DAY)
    assert decided(after(LARGE), APPROVED, TOMORROW) == [approved, booked(1, "2027-01-16")]
    assert after(LARGE, APPROVED).state == "posted"


def test_what_was_to_count_from_a_day_does_so_whenever_it_is_approved() -> None:
    waiting = after(replace(LARGE, effective_date="2027-01-15"))
    assert decided(waiting, APPROVED, LATER)[1] == booked(2, "2027-01-15")


def test_who_asked_does_not_approve() -> None:
    assert refused(after(LARGE), ApproveAllowance("per_ann", None)) == ("second_person", "", {})


def test_what_waited_until_its_period_was_closed_is_not_booked() -> None:
    """It is refused then, and asked for anew from a later day."""
    waiting = after(replace(LARGE, effective_date="2027-01-15"))
    late = ApproveAllowance("per_ben", "2027-01-15")
    told = {"closed_until": "2027-01-15"}
    assert refused(waiting, late, TOMORROW) == ("period_closed", "", told)
    assert len(decided(after(LARGE), late, TOMORROW)) == 2


def test_what_waits_is_refused_by_another_or_taken_back_by_who_asked() -> None:
    assert decided(after(LARGE), REFUSED) == [e.AllowanceRefused("bb", "per_ben", AT)]
    own = RefuseAllowance(None, "per_ann")
    assert decided(after(LARGE), own) == [e.AllowanceRefused(None, "per_ann", AT)]
    assert after(LARGE, REFUSED).state == "refused"


def test_what_is_approved_or_refused_already_is_not_again() -> None:
    assert decided(after(LARGE, APPROVED), ApproveAllowance("per_cat", None)) == []
    assert decided(after(TOP_UP), APPROVED) == []
    assert decided(after(LARGE, REFUSED), RefuseAllowance(None, "per_cat")) == []


@pytest.mark.parametrize(
    ("state", "command", "word"),
    [
        (after(LARGE, REFUSED), APPROVED, "refused"),
        (after(TOP_UP, REVERSED), APPROVED, "reversed"),
        (after(TOP_UP), REFUSED, "posted"),
        (after(TOP_UP, REVERSED), REFUSED, "reversed"),
    ],
)
def test_what_waits_no_more_is_neither_approved_nor_refused(
    state: Allowance, command: AllowanceCommand, word: str
) -> None:
    assert refused(state, command) == ("allowance_not_waiting", "", {"state": word})


# --- undoing ----------------------------------------------------------------------------------


def test_what_was_booked_is_undone_by_its_exact_opposite() -> None:
    """Booked on the day of undoing, effective when the original was, be its period closed since."""
    posted = after(replace(TOP_UP, effective_date="2027-01-01"))
    assert decided(posted, REVERSED, LATER) == [
        e.AllowanceReversed(
            lines=(Line("mem_1", -1000), Line("mem_2", -200)),
            note="cc",
            by="per_cat",
            at=AT + 2 * DAY,
            booked_date="2027-01-17",
            effective_date="2027-01-01",
        )
    ]
    assert after(TOP_UP, REVERSED).state == "reversed"


def test_nothing_is_undone_twice() -> None:
    assert refused(after(TOP_UP, REVERSED), REVERSED) == ("already_reversed", "", {})


@pytest.mark.parametrize(
    ("state", "word"), [(after(LARGE), "requested"), (after(LARGE, REFUSED), "refused")]
)
def test_what_was_not_booked_is_not_undone(state: Allowance, word: str) -> None:
    assert refused(state, REVERSED) == ("allowance_not_posted", "", {"state": word})


@pytest.mark.parametrize("command", [APPROVED, REFUSED, REVERSED])
def test_what_nobody_asked_for_is_not_there(command: AllowanceCommand) -> None:
    assert refused(None, command) == ("allowance_unknown", "", {})


# --- whatever comes ---------------------------------------------------------------------------

PEOPLE = st.sampled_from(["per_ann", "per_ben", "per_cat"])
SOME_LINES = st.dictionaries(
    st.sampled_from(["mem_1", "mem_2", "mem_3"]),
    st.integers(-1000, 1000).filter(bool),
    min_size=1,
).map(lambda points: tuple(Line(member, some) for member, some in points.items()))
REQUESTS = st.builds(
    RequestAllowance,
    kind=st.just("allowance"),
    lines=SOME_LINES,
    reason=st.just("other"),
    note=st.none(),
    effective_date=st.sampled_from([None, "2027-01-15", "2027-01-16"]),
    by=PEOPLE,
    limit=st.sampled_from([None, 0, 500]),
    closed_until=st.none(),
)
COMMANDS = st.one_of(
    REQUESTS,
    st.builds(ApproveAllowance, by=PEOPLE, closed_until=st.sampled_from([None, "2027-01-15"])),
    st.builds(RefuseAllowance, note=st.none(), by=PEOPLE),
    st.builds(ReverseAllowance, note=st.none(), by=PEOPLE),
)


@given(st.lists(st.tuples(COMMANDS, st.integers(0, 1)), min_size=4, max_size=12))
def test_points_are_booked_once_and_undone_once_whatever_is_asked(
    steps: list[tuple[AllowanceCommand, int]],
) -> None:
    """What is booked less what is undone is what the lines say, or nothing."""
    events: list[Event] = []
    day = 0
    for command, days in steps:
        day = min(day + days, 2)
        try:
            events.extend(allowance.decide(allowance.fold(events), command, on(day)))
        except Refused:
            continue
    facts = [event.fact for event in events]
    asked = [fact for fact in facts if isinstance(fact, e.AllowanceRequested)]
    refusals = [fact for fact in facts if isinstance(fact, e.AllowanceRefused)]
    approvals = [fact for fact in facts if isinstance(fact, e.AllowanceApproved)]
    posted = [fact.lines for fact in facts if isinstance(fact, e.AllowancePosted)]
    undone = [fact.lines for fact in facts if isinstance(fact, e.AllowanceReversed)]
    assert len(undone) <= len(posted)
    assert len(posted) + len(refusals) <= len(asked) <= 1
    assert {fact.by for fact in approvals}.isdisjoint(fact.by for fact in asked)
    stands = asked[0].lines if posted and not undone else ()
    assert summed(posted + undone) == summed([stands])


def summed(bookings: list[tuple[Line, ...]]) -> dict[str, int]:
    """What members have of some bookings, those left out who have nothing of them."""
    points = Counter[str]()
    for lines in bookings:
        points.update({line.member: line.points for line in lines})
    return {member: some for member, some in points.items() if some}
