"""The closings of a club's books: day after day without a gap, and what members say of them."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from ledger import events as e
from ledger.events import Event, Fact, Line
from ledger.refusal import Refused
from ledger.streams import period
from ledger.streams.now import Now
from ledger.streams.period import (
    ClosePeriod,
    ConfirmBalance,
    ContestBalance,
    PeriodCommand,
    Periods,
    ReopenPeriod,
    closed_until,
)

NOW = Now(1_000_000, lambda at: "2026-12-10", lambda at: 4)
BALANCES = (Line("mem_a", 30), Line("mem_b", -10))
NOVEMBER = ClosePeriod(
    last="2026-11-30",
    mode="carry",
    balances=BALANCES,
    carried=(),
    open_tables=(),
    unsettled=0,
    position=77,
    note="d1",
    by="per_owner",
    founded="2026-11-03",
)
CLEARED = replace(NOVEMBER, mode="clear")
WEEK = replace(NOVEMBER, last="2026-12-07")
REOPEN = ReopenPeriod(1, "d2", "per_owner")
CONFIRM = ConfirmBalance(1, "mem_a", "per_a")
CONTEST = ContestBalance(1, "mem_a", "d3", "per_a")


def decided(state: Periods, command: PeriodCommand) -> list[Fact]:
    return [event.fact for event in period.decide(state, command, NOW)]


def after(*commands: PeriodCommand) -> Periods:
    """The closings that these commands make, one after the other."""
    events: list[Event] = []
    for command in commands:
        events.extend(period.decide(period.fold(events), command, NOW))
    return period.fold(events)


def refused(state: Periods, command: PeriodCommand) -> tuple[str, str, dict[str, object]]:
    with pytest.raises(Refused) as refusal:
        period.decide(state, command, NOW)
    return refusal.value.code, refusal.value.pointer, refusal.value.params


# --- closing ----------------------------------------------------------------------------------


def test_the_first_period_begins_with_the_club() -> None:
    assert decided(after(), NOVEMBER) == [
        e.PeriodClosed(
            number=1,
            first="2026-11-03",
            last="2026-11-30",
            mode="carry",
            balances=BALANCES,
            carried=(),
            position=77,
            note="d1",
            by="per_owner",
            at=1_000_000,
            booked_date="2026-12-10",
        )
    ]


def test_the_next_period_begins_on_the_day_after_the_last() -> None:
    (closed,) = decided(after(NOVEMBER), replace(WEEK, carried=("dsp_1",)))
    assert isinstance(closed, e.PeriodClosed)
    assert (closed.number, closed.first, closed.last) == (2, "2026-12-01", "2026-12-07")
    assert closed.carried == ("dsp_1",)


def test_a_period_may_be_a_single_day() -> None:
    """The day before today is the latest that can be closed; the club's first is the earliest."""
    for last in ("2026-12-09", "2026-11-03"):
        (closed,) = decided(after(), replace(NOVEMBER, last=last))
        assert isinstance(closed, e.PeriodClosed)
        assert (closed.first, closed.last) == ("2026-11-03", last)


@pytest.mark.parametrize(
    ("last", "code", "params"),
    [
        ("2026-12-10", "period_not_over", {"last": "2026-12-10", "today": "2026-12-10"}),
        ("2027-01-01", "period_not_over", {"last": "2027-01-01", "today": "2026-12-10"}),
        ("2026-11-30", "period_closed", {"closed_until": "2026-11-30"}),
        ("2026-11-02", "period_closed", {"closed_until": "2026-11-30"}),
        ("20261207", "date_form", {"value": "20261207"}),
        ("2026-11-31", "date_form", {"value": "2026-11-31"}),
    ],
)
def test_a_last_day_that_cannot_be_is_refused(
    last: str, code: str, params: dict[str, object]
) -> None:
    """November is closed, and today is the tenth of December."""
    assert refused(after(NOVEMBER), replace(NOVEMBER, last=last)) == (code, "/last", params)


def test_nothing_before_the_club_can_be_closed() -> None:
    early = replace(NOVEMBER, last="2026-11-02")
    assert refused(after(), early) == ("period_before_club", "/last", {"first": "2026-11-03"})


def test_open_tables_are_in_the_way() -> None:
    open_tables = replace(NOVEMBER, open_tables=("tbl_1", "tbl_2"), unsettled=3)
    params = {"n": 2, "tables": "tbl_1, tbl_2"}
    assert refused(after(), open_tables) == ("tables_open", "", params)


def test_hands_that_are_not_settled_are_in_the_way() -> None:
    assert refused(after(), replace(NOVEMBER, unsettled=3)) == ("hands_unsettled", "", {"n": 3})


# --- reopening --------------------------------------------------------------------------------


def test_what_a_carrying_closing_booked_is_nothing_to_undo() -> None:
    assert decided(after(NOVEMBER), REOPEN) == [
        e.PeriodReopened(
            number=1,
            last="2026-11-30",
            lines=(),
            note="d2",
            by="per_owner",
            at=1_000_000,
            booked_date="2026-12-10",
        )
    ]


def test_points_that_were_cleared_come_back() -> None:
    """Clearing took 30 from A and gave 10 to B; undone, A has 30 again and B is 10 below."""
    (reopened,) = decided(after(CLEARED), REOPEN)
    assert isinstance(reopened, e.PeriodReopened)
    assert reopened.lines == (Line("mem_a", 30), Line("mem_b", -10))


def test_a_period_is_reopened_once() -> None:
    assert decided(after(NOVEMBER, REOPEN), REOPEN) == []


def test_only_the_last_closing_can_be_undone() -> None:
    closed = after(NOVEMBER, WEEK)
    assert refused(closed, REOPEN) == ("period_not_last", "", {"number": 1, "last": 2})
    assert decided(after(NOVEMBER, WEEK, ReopenPeriod(2, "d2", "per_owner")), REOPEN) != []


def test_a_reopened_period_is_closed_under_a_new_number() -> None:
    (again,) = decided(after(NOVEMBER, WEEK, ReopenPeriod(2, "d2", "per_owner")), WEEK)
    assert isinstance(again, e.PeriodClosed)
    assert (again.number, again.first, again.last) == (3, "2026-12-01", "2026-12-07")


def test_an_unknown_closing_cannot_be_undone() -> None:
    assert refused(after(), REOPEN) == ("period_unknown", "", {"number": 1})


@pytest.mark.parametrize(
    ("commands", "until"),
    [
        ((), None),
        ((NOVEMBER,), "2026-11-30"),
        ((NOVEMBER, WEEK), "2026-12-07"),
        ((NOVEMBER, WEEK, ReopenPeriod(2, "d2", "per_owner")), "2026-11-30"),
        ((NOVEMBER, REOPEN), None),
        ((NOVEMBER, REOPEN, WEEK), "2026-12-07"),
    ],
)
def test_the_last_day_that_is_closed(
    commands: tuple[PeriodCommand, ...], until: str | None
) -> None:
    assert closed_until(after(*commands)) == until


# --- what members say -------------------------------------------------------------------------


def test_a_member_confirms_his_balance_once() -> None:
    confirmed = e.BalanceConfirmed(1, "mem_a", 30, "per_a", 1_000_000)
    assert decided(after(NOVEMBER), CONFIRM) == [confirmed]
    assert decided(after(NOVEMBER, CONFIRM), CONFIRM) == []


def test_a_member_contests_his_balance_once() -> None:
    contested = e.BalanceContested(1, "mem_a", 30, "d3", "per_a", 1_000_000)
    assert decided(after(NOVEMBER), CONTEST) == [contested]
    assert decided(after(NOVEMBER, CONTEST), CONTEST) == []


def test_a_members_last_word_counts() -> None:
    assert after(NOVEMBER, CONFIRM, CONTEST).closings[1].words == {"mem_a": "contested"}
    assert after(NOVEMBER, CONTEST, CONFIRM).closings[1].words == {"mem_a": "confirmed"}


def test_each_closing_is_spoken_of_by_itself() -> None:
    state = after(NOVEMBER, CONFIRM, WEEK, ContestBalance(2, "mem_b", "d3", "per_b"))
    assert state.closings[1].words == {"mem_a": "confirmed"}
    assert state.closings[2].words == {"mem_b": "contested"}


@pytest.mark.parametrize(
    ("state", "saying", "code", "params"),
    [
        (after(), CONFIRM, "period_unknown", {"number": 1}),
        (after(NOVEMBER, REOPEN), CONFIRM, "period_open", {"number": 1}),
        (after(NOVEMBER, REOPEN), CONTEST, "period_open", {"number": 1}),
        (
            after(NOVEMBER),
            ConfirmBalance(1, "mem_c", "per_c"),
            "member_without_balance",
            {"number": 1, "member": "mem_c"},
        ),
    ],
)
def test_nothing_can_be_said_of_what_does_not_stand(
    state: Periods, saying: PeriodCommand, code: str, params: dict[str, object]
) -> None:
    assert refused(state, saying) == (code, "", params)


# --- any order --------------------------------------------------------------------------------


def day(number: int) -> str:
    return (date(2026, 11, 1) + timedelta(days=number)).isoformat()


NUMBERS = st.integers(1, 4)
COMMANDS = st.one_of(
    st.builds(
        replace,
        st.sampled_from([NOVEMBER, CLEARED]),
        last=st.integers(0, 45).map(day),
        balances=st.lists(
            st.integers(-9, 9).map(lambda points: Line("mem_a", points)), max_size=1
        ).map(tuple),
    ),
    st.builds(ReopenPeriod, NUMBERS, st.just("d2"), st.just("per_owner")),
    st.builds(ConfirmBalance, NUMBERS, st.just("mem_a"), st.just("per_a")),
    st.builds(ContestBalance, NUMBERS, st.just("mem_a"), st.just("d3"), st.just("per_a")),
)


@given(st.lists(COMMANDS, max_size=25))
def test_in_any_order_the_days_are_closed_once_and_without_a_gap(
    commands: list[PeriodCommand],
) -> None:
    """And what a reopening books is the opposite of what its own closing had booked."""
    state, booked, stands = Periods(), {}, list[e.PeriodClosed]()
    for command in commands:
        try:
            events = period.decide(state, command, NOW)
        except Refused:
            continue
        for event in events:
            state, fact = period.evolve(state, event), event.fact
            if isinstance(fact, e.PeriodClosed):
                taken = fact.balances if fact.mode == "clear" else ()
                booked[fact.number] = {line.member: -line.points for line in taken}
                stands.append(fact)
            elif isinstance(fact, e.PeriodReopened):
                back = {line.member: line.points for line in fact.lines}
                assert {member: -points for member, points in back.items()} == booked[fact.number]
                assert stands.pop().number == fact.number
    assert list(booked) == list(range(1, len(booked) + 1))
    days = [date.fromisoformat(each) for fact in stands for each in (fact.first, fact.last)]
    assert days[:1] == [date(2026, 11, 3)] * bool(days)
    assert days == sorted(days)
    ends = zip(days[1:-1:2], days[2::2], strict=True)
    assert all(first - last == timedelta(days=1) for last, first in ends)
    assert closed_until(state) == (stands[-1].last if stands else None)
