"""Whatever anybody does in a dispute, at whatever time and however often: what never happens."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from ledger import events as e
from ledger.events import Event, Fact
from ledger.refusal import Refused
from ledger.streams import dispute
from ledger.streams.dispute import (
    AnswerDispute,
    AppealDispute,
    ApproveDecision,
    DisputeCommand,
    ExpireDispute,
    FileDispute,
    WithdrawDispute,
    standing,
)
from tests.streams.dispute_steps import AT, BY_OFFICER, FILE, HOUR, HOURS, decision, now

PLAYERS = {"per_ann": "mem_a", "per_ben": "mem_b", "per_cai": "mem_c", "per_dan": "mem_d"}
OTHERS = {"per_eve": "mem_e", "per_rae": None, "per_roy": None, "per_sam": None}
PEOPLE: dict[str, str | None] = {**PLAYERS, **OTHERS}
ENDS = (e.DisputeWithdrawn, e.DisputeExpired)


def commands() -> Iterator[DisputeCommand]:
    """Everything that each of these people may try."""
    yield ExpireDispute()
    for by, member in PEOPLE.items():
        members = () if member is None else (member,)
        for limit in (None, 1):
            yield decision("void", by=by, members=members, moves=6, limit=limit)
        yield decision("uphold", by=by, members=members, limit=1)
        yield ApproveDecision(by, members, 1, HOURS)
        yield WithdrawDispute(None, by, member)
        if member is not None:
            yield AnswerDispute(member, None, by)
            yield AppealDispute(member, None, by, HOURS)


COMMANDS = tuple(commands())
orders = st.lists(
    st.tuples(st.sampled_from((0, 0, 0, 1, 7, 25)), st.sampled_from(COMMANDS)),
    min_size=20,
    max_size=50,
)
filings = st.sampled_from((FILE, BY_OFFICER))


def lived(filed: FileDispute, order: list[tuple[int, DisputeCommand]]) -> list[Fact]:
    """What happens when all this is tried, each so many hours after the one before, and twice."""
    at = 0
    events = list(dispute.decide(None, filed, now(at)))
    for hours, command in order:
        at += hours
        events += tried(events, command, at)
        assert tried(events, command, at) == ()
    return [event.fact for event in events]


def tried(events: list[Event], command: DisputeCommand, at: int) -> tuple[Event, ...]:
    try:
        return dispute.decide(dispute.fold(events), command, now(at))
    except Refused:
        return ()


def rulings(facts: list[Fact]) -> list[e.DisputeDecided]:
    return [fact for fact in facts if isinstance(fact, e.DisputeDecided)]


@given(filings, orders)
def test_it_ends_once_and_nothing_happens_afterwards(
    filed: FileDispute, order: list[tuple[int, DisputeCommand]]
) -> None:
    facts = lived(filed, order)
    ends = [
        place
        for place, fact in enumerate(facts)
        if isinstance(fact, ENDS) or (isinstance(fact, e.DisputeDecided) and fact.final)
    ]
    assert ends in ([], [len(facts) - 1])
    state = dispute.fold(Event(fact) for fact in facts)
    assert state is not None
    assert (standing(state) in ("final", "withdrawn", "expired")) == bool(ends)


@given(filings, orders)
def test_it_is_decided_at_most_twice_and_each_time_by_others(
    filed: FileDispute, order: list[tuple[int, DisputeCommand]]
) -> None:
    """The second ruling follows an appeal; nobody decides twice, and no party ever."""
    facts = lived(filed, order)
    ruled = rulings(facts)
    appeals = [fact for fact in facts if isinstance(fact, e.DisputeAppealed)]
    assert [ruling.final for ruling in ruled] == [False, True][: len(ruled)]
    assert len(ruled) - 1 <= len(appeals) <= len(ruled)
    people = [who for one in ruled for who in (one.by, one.proposed_by) if who is not None]
    assert len(people) == len(set(people))
    assert not {*people} & {*PLAYERS}


@given(filings, orders)
def test_each_step_comes_in_its_time(
    filed: FileDispute, order: list[tuple[int, DisputeCommand]]
) -> None:
    """Filed at hour 0: answers until 24, a ruling until 72, an appeal for 36, a last one for 48."""
    decide_until, appeal_until = AT + 72 * HOUR, None
    answered: list[str] = []
    for fact in lived(filed, order):
        if isinstance(fact, e.DisputeAnswered):
            assert fact.at <= AT + 24 * HOUR
            answered.append(fact.member)
        elif isinstance(fact, e.DisputeDecided):
            early = not filed.officer and fact.at <= AT + 24 * HOUR
            assert answered or not early
            assert fact.at <= decide_until
            appeal_until = fact.appeal_until
        elif isinstance(fact, e.DisputeAppealed):
            assert appeal_until is not None
            assert fact.at <= appeal_until
            decide_until = fact.at + 48 * HOUR
        elif isinstance(fact, e.DisputeExpired):
            assert fact.at > decide_until
    assert len(answered) == len(set(answered))
    assert not {*filed.members} & {*answered}


@given(filings, orders)
def test_what_two_agreed_to_was_proposed_by_the_other(
    filed: FileDispute, order: list[tuple[int, DisputeCommand]]
) -> None:
    """The ruling is the last proposal, word for word."""
    proposal = None
    for fact in lived(filed, order):
        if isinstance(fact, e.DecisionProposed):
            proposal = fact
        elif isinstance(fact, e.DisputeDecided) and fact.proposed_by is not None:
            assert proposal is not None
            assert proposal.by == fact.proposed_by != fact.by
            assert (proposal.ruling, proposal.note) == (fact.ruling, fact.note)


def test_the_way_through_everything_is_among_what_is_tried() -> None:
    """Answered, proposed, agreed to, appealed, and ruled for good."""
    void = decision("void", by="per_rae", moves=6, limit=1)
    way: list[DisputeCommand] = [
        AnswerDispute("mem_a", None, "per_ann"),
        void,
        ApproveDecision("per_roy", (), 1, HOURS),
        AppealDispute("mem_a", None, "per_ann", HOURS),
        replace(void, by="per_sam", limit=None),
    ]
    assert {repr(step) for step in way} <= {repr(command) for command in COMMANDS}
    assert len(rulings(lived(FILE, [(1, step) for step in way]))) == 2
