"""Ticks 对账 in a log that a forger made, and evidence of hands of matches that were ticked."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from ledger import acts, dealing, disputing, settlement, ticking
from ledger import events as e
from ledger.access import Caller, operator
from ledger.acts import Asked, Desk, Opening
from ledger.audit import Fault
from ledger.claiming import Claim
from ledger.disputing import Verdict
from ledger.events import Vote
from ledger.perform import Ledger
from ledger.settings import load
from tests.audit.office import changed, fault, otherwise, refused, told
from tests.lies.forging import NOON, House, Rows, checked, house

RIGHT = e.TableTicked(NOON, ticked=True, note=None)
WRONG = e.TableTicked(NOON, ticked=False, note=None)


class Club:
    """A club with a match that is over and ticked, one that waits for its points, one that runs."""

    def __init__(self, honest: House) -> None:
        self.house = honest
        ledger = Ledger(honest.database, lambda: NOON, Random(1).randbytes, lambda *_: None)
        self.id = acts.found_club(ledger, operator(), Asked("f"), "Jade", "Asia/Shanghai", 300).club
        own = Desk(ledger, operator(), self.id)
        members = [acts.join_member(own, name).stream for name in "ABCDEFGHIJKL"]
        self.seats = tuple(name.removeprefix("member/") for name in members)
        roles = ("referee", "accountant", "recorder")
        self.keys = {role: acts.issue_key(own, (role,), role).key for role in roles}
        self.server, self.referee = (self._desk(ledger, one) for one in ("recorder", "referee"))
        self.over = self._match(0, hands=1)
        settlement.sweep(ledger, load({"PAIZHANG_DATA": "/nowhere"}))
        ticking.tick(self.referee, self.over, ticked=True)
        self.waits, self.runs = self._match(4, hands=1), self._match(8, hands=2)
        honest.sign(self.id)
        self.rows: Rows = honest.rows(self.id)

    def _desk(self, ledger: Ledger, role: str) -> Desk:
        return Desk(ledger, Caller(self.keys[role], self.id, (role,)), self.id)

    def _match(self, first: int, hands: int) -> str:
        seats = self.seats[first : first + 4]
        opening = Opening("huaihua/1", {}, seats, hands=hands, dealer=0)
        table = acts.open_table(self.server, opening).stream.removeprefix("table/")
        dealing.enter_hand(self.server, table, totals=(3, -1, -1, -1))
        return table

    def ticked(self, rows: Rows, table: str, fact: e.Fact, role: str = "referee") -> Rows:
        """The log with one more event of a table, by a key in its own role."""
        return told(rows, f"table/{table}", fact, (self.keys[role], role))


@pytest.fixture(scope="module")
def club() -> Iterator[Club]:
    with house() as honest:
        yield Club(honest)


@pytest.fixture
def other() -> Iterator[House]:
    with house() as made:
        yield made


def test_a_tick_that_is_taken_back_and_given_again(club: Club, other: House) -> None:
    """Given a log with a tick, then it is sound, and so is one with what may follow."""
    assert club.house.verify(club.id).fault is None
    rows = club.ticked(club.ticked(club.rows, club.over, WRONG), club.over, RIGHT)
    assert fault(other, rows) is None


@pytest.mark.lie("an officer who had not the role")
@pytest.mark.parametrize("role", ["accountant", "recorder"])
def test_a_tick_by_who_may_not(club: Club, other: House, role: str) -> None:
    """An accountant reads, and a game server is not asked whether it is right."""
    rows = club.ticked(club.rows, club.over, WRONG, role)
    assert fault(other, rows) == refused(rows[-1], "role_missing")


@pytest.mark.lie("an officer who had not the role")
def test_a_tick_in_a_role_that_the_key_has_not(club: Club, other: House) -> None:
    """The accountant's key is told to have ticked as the referee's."""
    rows = told(club.rows, f"table/{club.over}", WRONG, (club.keys["accountant"], "referee"))
    assert fault(other, rows) == refused(rows[-1], "role_missing")


@pytest.mark.lie("a match ticked as right before that could be known")
def test_a_tick_on_a_running_match(club: Club, other: House) -> None:
    """What a match comes to is known when it has ended."""
    rows = club.ticked(club.rows, club.runs, RIGHT)
    assert fault(other, rows) == refused(rows[-1], "table_runs")


@pytest.mark.lie("a match ticked as right before that could be known")
def test_a_tick_before_the_points_are_booked(club: Club, other: House) -> None:
    """Nobody can have looked at points that are not there."""
    rows = club.ticked(club.rows, club.waits, RIGHT)
    assert fault(other, rows) == refused(rows[-1], "hands_unsettled")


@pytest.mark.lie("an act of an officer that was not open to him")
@pytest.mark.parametrize("fact", [RIGHT, e.TableTicked(NOON, ticked=True, note="ab" * 32)])
def test_a_match_ticked_twice(club: Club, other: House, fact: e.TableTicked) -> None:
    """It is ticked already, so nothing is written."""
    rows = club.ticked(club.rows, club.over, fact)
    assert fault(other, rows) == otherwise(rows[-1])


@pytest.mark.lie("an act of an officer that was not open to him")
def test_a_tick_taken_back_that_nobody_gave(club: Club, other: House) -> None:
    """There is nothing to take back."""
    rows = club.ticked(club.rows, club.waits, WRONG)
    assert fault(other, rows) == otherwise(rows[-1])


@pytest.mark.lie("an act of an officer that was not open to him")
def test_a_tick_from_before_the_end(club: Club, other: House) -> None:
    """Time does not go back at a table."""
    early = e.TableTicked(NOON - 1, ticked=False, note=None)
    rows = club.ticked(club.rows, club.over, early)
    assert fault(other, rows) == refused(rows[-1], "at_before_last")


@pytest.mark.lie("a match played once more after its end")
@pytest.mark.parametrize(
    "fact",
    [
        e.TableClosed(NOON, "closed", None, 1, (0, 0, 0, 0)),
        e.SeatsChanged(NOON, ("mem_a",), (0,)),
        e.DissolutionVoted(NOON, 0, (Vote(1, "agreed", 1),), passed=False, scores=(0,) * 4),
    ],
    ids=["closed", "seats", "vote"],
)
def test_behind_the_end_of_a_match_there_are_ticks_alone(
    club: Club, other: House, fact: e.Fact
) -> None:
    """A tick opens nothing again."""
    rows = club.ticked(club.rows, club.over, fact, "recorder")
    last = rows[-1]
    assert fault(other, rows) == Fault(last.position, "closed", last.stream, last.version)


@pytest.mark.lie("an event changed after it was recorded")
def test_a_tick_of_somebody_who_did_not_tick(club: Club, other: House) -> None:
    """Given the tick of another key, then that key had not the role."""
    [row] = [one for one in club.rows if one.type == "TableTicked/1"]
    rows = changed(club.rows, row.position, actor=club.keys["accountant"])
    assert fault(other, rows) == refused(row, "role_missing")


def test_evidence_of_a_hand_is_whole_with_a_tick_behind_it(club: Club) -> None:
    """The tick is none of the hand; the file is what it was, and sound."""
    evidence = club.house.evidence(club.over, 1)
    assert checked(evidence, [club.house.key()]).found is None
    kinds = [one.type for one in evidence.events]
    assert kinds[1] == "TableOpened/1"
    assert kinds[-2:] == ["HandEnded/1", "HandSettled/1"]


def test_a_tick_given_again_after_a_correction(other: House) -> None:
    """Given a hand that was corrected since, then the tick is written anew; once more it is not."""
    made = Club(other)
    disputing.correct(
        made.referee, made.over, 1, Verdict("correct", "mistyped", right=Claim((6, -2, -2, -2)))
    )
    ticking.tick(made.referee, made.over, ticked=True)
    assert other.verify(made.id).fault is None
    rows = made.ticked(other.rows(made.id), made.over, RIGHT)
    with house() as forged:
        assert fault(forged, rows) == otherwise(rows[-1])
