"""Disputes 争议 and the money: in every order, sent twice, by two at once, the books hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from threading import Barrier
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    multiple,
    rule,
    run_state_machine_as_test,
)

from ledger import disputing, perform
from ledger.claiming import Claim
from ledger.database import Database
from ledger.events import Ruling
from ledger.perform import Done
from ledger.refusal import Refused
from tests.perform.disputed import Doubted, Totals, tried, verdict
from tests.world import World

NOTHING: Totals = (0, 0, 0, 0)
OTHER: Totals = (3, -1, -1, -1)
RULINGS: tuple[tuple[Ruling, Totals | None], ...] = (
    ("correct", OTHER),
    ("correct", NOTHING),
    ("correct", (12, -4, -4, -4)),
    ("void", None),
    ("uphold", None),
    ("no_fault", None),
)


@pytest.fixture
def doubted(world: World) -> Doubted:
    return Doubted(world)


def refusal(act: Callable[[], object]) -> str:
    with pytest.raises(Refused) as caught:
        act()
    return caught.value.code


def at_once(*acts: Callable[[], Done]) -> list[Done | str]:
    """What becomes of acts that begin at the same moment."""
    barrier = Barrier(len(acts))

    def run(act: Callable[[], Done]) -> Done | str:
        barrier.wait()
        return tried(act)

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))


# --- one after the other ------------------------------------------------------------------------


def test_a_correction_reverses_what_stands_and_books_what_is_right(doubted: Doubted) -> None:
    """Given 6 -2 -2 -2 and a ruling for 3 -1 -1 -1, then the first member has 3 and not 9."""
    dispute = doubted.file(doubted.referees[0], 1)
    done = doubted.decide(doubted.referees[1], dispute, "correct", OTHER)
    types = [row.type for row in doubted.club.log()[-3:]]
    assert types == ["DisputeDecided/1", "HandReversed/1", "HandCorrected/1"]
    assert (done.last - done.first, doubted.stands[1]) == (2, OTHER)
    doubted.check()
    balances = doubted.club.balances()
    assert [balances[member] for member in doubted.club.members] == [-6, 2, 2, 2, 0]


def test_a_request_sent_twice_is_ruled_on_once(doubted: Doubted) -> None:
    """Given the same request again, then its first answer, and no third entry."""
    dispute = doubted.file(doubted.referees[0], 1)
    desk = doubted.desk(doubted.referees[1], "ruled")
    first = disputing.decide(desk, dispute, verdict("correct", OTHER))
    doubted.ruled(first)
    again = disputing.decide(desk, dispute, verdict("correct", OTHER))
    assert (again.first, again.last, again.version) == (first.first, first.last, first.version)
    assert (first.replayed, again.replayed) == (False, True)
    doubted.check()


def test_two_referees_at_once_decide_once(doubted: Doubted) -> None:
    """One of the two rulings stands; the other referee is told that it is decided."""
    dispute = doubted.file(doubted.referees[0], 1)
    one, other = doubted.desk(doubted.referees[1]), doubted.desk(doubted.referees[2])
    came = at_once(
        lambda: disputing.decide(one, dispute, verdict("correct", OTHER)),
        lambda: disputing.decide(other, dispute, verdict("void")),
    )
    [done] = [one for one in came if isinstance(one, Done)]
    assert "dispute_decided" in came
    doubted.ruled(done)
    doubted.check()


def test_of_two_corrections_at_once_one_stands(doubted: Doubted) -> None:
    """The other referee is told that it can be appealed against."""
    desks = [doubted.desk(referee) for referee in doubted.referees[:2]]
    rights = (OTHER, (12, -4, -4, -4))

    def correcting(place: int) -> Done:
        told = verdict("correct", rights[place])
        noted = disputing.Verdict(told.ruling, told.reason, note="x", right=told.right)
        return disputing.correct(desks[place], doubted.table, 1, noted)

    came = at_once(lambda: correcting(0), lambda: correcting(1))
    [done] = [one for one in came if isinstance(one, Done)]
    assert "appeal_instead" in came
    doubted.ruled(done)
    doubted.check()


def test_two_members_at_once_doubt_a_hand_once(doubted: Doubted) -> None:
    desks = [doubted.desk(player) for player in doubted.players[:2]]
    claim = Claim(NOTHING)
    came = at_once(
        lambda: disputing.file(desks[0], doubted.table, 1, claim, None),
        lambda: disputing.file(desks[1], doubted.table, 1, claim, None),
    )
    assert sorted(type(one) is Done for one in came) == [False, True]
    assert "dispute_open" in came
    doubted.check()


def test_a_hand_that_was_voided_may_be_doubted_again(doubted: Doubted) -> None:
    """Nothing is reversed then: what is right is booked alone."""
    first = doubted.file(doubted.referees[0], 1)
    doubted.decide(doubted.referees[1], first, "void")
    doubted.later(49)
    second = doubted.file(doubted.players[0], 1, (6, -2, -2, -2))
    disputing.answer(doubted.desk(doubted.players[1]), second, "yes")
    doubted.decide(doubted.referees[2], second, "correct", (6, -2, -2, -2))
    assert [row.type for row in doubted.club.log()[-2:]] == ["DisputeDecided/1", "HandCorrected/1"]
    doubted.check()


def test_an_appeal_may_correct_again(doubted: Doubted) -> None:
    """By another referee; the first correction is reversed as exactly as the settlement was."""
    dispute = doubted.file(doubted.referees[0], 1)
    doubted.decide(doubted.referees[0], dispute, "correct", OTHER)
    disputing.appeal(doubted.desk(doubted.players[2]), dispute, "no")
    assert refusal(lambda: doubted.decide(doubted.referees[0], dispute, "void")) == "decider_again"
    doubted.decide(doubted.referees[1], dispute, "correct", NOTHING)
    assert (doubted.stands[1], doubted.found(dispute).state) == (NOTHING, "final")
    doubted.check()


def test_what_nobody_decides_in_time_expires(doubted: Doubted) -> None:
    """24 hours to answer and 48 to decide: then the hand is free, and stands as it was booked."""
    dispute = doubted.file(doubted.players[0], 1, NOTHING)
    doubted.later(71)
    disputing.expire_due(doubted.world.ledger)
    assert doubted.found(dispute).state == "open"
    doubted.later(2)
    disputing.expire_due(doubted.world.ledger)
    disputing.expire_due(doubted.world.ledger)
    assert doubted.found(dispute).state == "expired"
    assert refusal(lambda: doubted.decide(doubted.referees[0], dispute, "void")) == "dispute_over"
    doubted.check()


def test_an_appeal_that_nobody_decides_leaves_the_first_ruling(doubted: Doubted) -> None:
    dispute = doubted.file(doubted.referees[0], 1)
    doubted.decide(doubted.referees[0], dispute, "correct", OTHER)
    disputing.appeal(doubted.desk(doubted.players[2]), dispute, None)
    doubted.later(49)
    disputing.expire_due(doubted.world.ledger)
    assert (doubted.found(dispute).state, doubted.stands[1]) == ("final", OTHER)
    doubted.check()


def test_a_hand_in_dispute_is_not_corrected_beside_it(doubted: Doubted) -> None:
    """Given a dispute that is open, then what is right is for its ruling to say."""
    doubted.file(doubted.players[0], 1, NOTHING)
    right = disputing.Verdict("void", "mistyped", note="x")
    desk = doubted.desk(doubted.referees[0])
    assert refusal(lambda: disputing.correct(desk, doubted.table, 1, right)) == "dispute_open"
    doubted.check()


def test_while_a_ruling_can_be_appealed_against_nobody_files(doubted: Doubted) -> None:
    first = doubted.file(doubted.referees[0], 1)
    doubted.decide(doubted.referees[0], first, "uphold")
    assert refusal(lambda: doubted.file(doubted.players[1], 1, NOTHING)) == "appeal_instead"
    doubted.later(47)
    disputing.appeal(doubted.desk(doubted.players[2]), first, None)
    doubted.check()


@pytest.mark.parametrize("first_written", ["appeal", "filing"])
def test_an_appeal_and_a_filing_that_overtake_one_another(
    doubted: Doubted, monkeypatch: pytest.MonkeyPatch, first_written: str
) -> None:
    """Given one that is decided in the last second for an appeal, and one just after it.

    Whichever is written first, the other is decided anew: one of them waits for a ruling.
    """
    first = doubted.file(doubted.referees[0], 1)
    doubted.decide(doubted.referees[0], first, "uphold")
    ruling = doubted.found(first).ruling
    assert ruling is not None
    assert ruling.appeal_until is not None
    player, officer = doubted.desk(doubted.players[2]), doubted.desk(doubted.referees[1])
    came: list[Done | str] = []

    def appeal() -> None:
        came.append(tried(lambda: disputing.appeal(player, first, None)))

    def file() -> None:
        filing = lambda: disputing.file(officer, doubted.table, 1, Claim(NOTHING), None)  # noqa: E731
        came.append(tried(filing))

    outer, inner = (file, appeal) if first_written == "appeal" else (appeal, file)
    in_time = ruling.appeal_until - 1_500_000
    doubted.world.now = in_time + (0 if outer is appeal else 1_000_000)
    decide = perform._decide

    def overtaken(*given: Any) -> Any:
        """Between the decision of the one and its writing the other comes."""
        monkeypatch.setattr(perform, "_decide", decide)
        decided = decide(*given)
        doubted.world.now = in_time + (0 if inner is appeal else 1_000_000)
        inner()
        return decided

    monkeypatch.setattr(perform, "_decide", overtaken)
    outer()
    assert sum(type(one) is Done for one in came) == 1
    assert {"dispute_open", "appealing_over"} & {*came}
    doubted.check()


# --- claimed beside computed --------------------------------------------------------------------


def test_a_claim_on_a_voided_hand_is_compared_with_what_was_recorded(doubted: Doubted) -> None:
    doubted.decide(doubted.referees[1], doubted.file(doubted.referees[0], 1), "void")
    desk = doubted.desk(doubted.players[0])
    told = disputing.preview(desk, doubted.table, 1, Claim((6, -2, -2, -2)))
    assert (told.before, told.after, told.moves) == (NOTHING, (6, -2, -2, -2), 6)
    assert (told.comparison.computed, told.comparison.seat) == ((6, -2, -2, -2), None)
    nothing = disputing.preview(desk, doubted.table, 1, Claim(), void=True)
    assert (nothing.after, nothing.moves) == (NOTHING, 0)


# --- in every order -----------------------------------------------------------------------------


class Disputing(RuleBasedStateMachine):
    """Anybody does anything about the hands of a table, at any time, and sends it twice."""

    disputes = Bundle("disputes")
    people = st.integers(0, 8)
    hands = st.integers(1, 3)
    rulings = st.sampled_from(RULINGS)

    world: World

    @initialize(limit=st.sampled_from((None, 5)))
    def begin(self, limit: int | None) -> None:
        """Found a club with hands; in some a referee moves five points alone, and no more."""
        self.doubted = Doubted(self.world, limit)

    def twice(self, act: Callable[[], Done]) -> Done | None:
        """What an act comes to: it is the same when it is sent again, and written once."""
        first = tried(act)
        again = tried(act)
        if isinstance(first, str):
            assert again == first
            return None
        assert isinstance(again, Done)
        assert (again.first, again.last, again.version) == (
            first.first,
            first.last,
            first.version,
        )
        return first

    @rule(target=disputes, who=people, number=hands, totals=st.sampled_from((None, NOTHING, OTHER)))
    def file(self, who: int, number: int, totals: Totals | None) -> object:
        desk = self.doubted.desk(self.doubted.everybody[who])
        table, claim = self.doubted.table, Claim(totals)
        done = self.twice(lambda: disputing.file(desk, table, number, claim, "wrong"))
        return multiple() if done is None else done.stream.removeprefix("dispute/")

    @rule(who=people, dispute=disputes)
    def answer(self, who: int, dispute: str) -> None:
        desk = self.doubted.desk(self.doubted.everybody[who])
        self.twice(lambda: disputing.answer(desk, dispute, "no"))

    @rule(who=people, dispute=disputes)
    def withdraw(self, who: int, dispute: str) -> None:
        desk = self.doubted.desk(self.doubted.everybody[who])
        self.twice(lambda: disputing.withdraw(desk, dispute, None))

    @rule(who=people, dispute=disputes)
    def appeal(self, who: int, dispute: str) -> None:
        desk = self.doubted.desk(self.doubted.everybody[who])
        self.twice(lambda: disputing.appeal(desk, dispute, "again"))

    @rule(who=st.integers(5, 8), dispute=disputes, told=rulings)
    def decide(self, who: int, dispute: str, told: tuple[Ruling, Totals | None]) -> None:
        desk = self.doubted.desk(self.doubted.everybody[who])
        self._ruled(self.twice(lambda: disputing.decide(desk, dispute, verdict(*told))))

    @rule(who=st.integers(5, 8), dispute=disputes)
    def approve(self, who: int, dispute: str) -> None:
        desk = self.doubted.desk(self.doubted.everybody[who])
        seen = self.doubted.version(dispute)
        self._ruled(self.twice(lambda: disputing.approve(desk, dispute, seen)))

    @rule(target=disputes, who=st.integers(5, 8), number=hands, told=rulings)
    def correct(self, who: int, number: int, told: tuple[Ruling, Totals | None]) -> object:
        desk = self.doubted.desk(self.doubted.everybody[who])
        right = disputing.Verdict(told[0], "mistyped", note="x", right=Claim(told[1]))
        done = self.twice(lambda: disputing.correct(desk, self.doubted.table, number, right))
        self._ruled(done)
        return multiple() if done is None else done.stream.removeprefix("dispute/")

    @rule(dispute=disputes, one=rulings, other=rulings)
    def decide_at_once(
        self,
        dispute: str,
        one: tuple[Ruling, Totals | None],
        other: tuple[Ruling, Totals | None],
    ) -> None:
        desks = [self.doubted.desk(referee) for referee in self.doubted.referees[1:]]
        came = at_once(
            lambda: disputing.decide(desks[0], dispute, verdict(*one)),
            lambda: disputing.decide(desks[1], dispute, verdict(*other)),
        )
        done = [each for each in came if isinstance(each, Done)]
        for each in sorted(done, key=lambda each: each.first):
            self._ruled(each)

    @rule(hours=st.sampled_from((1, 13, 25, 49)))
    def wait(self, hours: int) -> None:
        self.doubted.later(hours)

    @rule()
    def expire(self) -> None:
        disputing.expire_due(self.world.ledger)

    def _ruled(self, done: Done | None) -> None:
        if done is not None and done.first:
            self.doubted.ruled(done)

    @invariant()
    def the_books_hold(self) -> None:
        if hasattr(self, "doubted"):
            self.doubted.check()


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.deep)])
def any_world(request: pytest.FixtureRequest) -> Iterator[World]:
    """A ledger on each kind of database; the usual run tries every order on one of them."""
    with closing(Database.open(request.getfixturevalue(f"{request.param}_url"))) as database:
        yield World(database)


def test_the_books_hold_in_every_order(any_world: World) -> None:
    """Entries sum to zero, and each member has what the last rulings say, whoever did what."""
    run_state_machine_as_test(
        type("Here", (Disputing,), {"world": any_world}),
        settings=settings(
            max_examples=max(settings().max_examples // 10, 1),
            stateful_step_count=20,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
