"""Evidence of hands of a match in which seats changed, and in which players voted."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from msgspec.structs import replace

from ledger import acts, dealing, demo, settlement
from ledger.access import Caller
from ledger.acts import Desk, Opening
from ledger.audit.evidence import Evidence
from ledger.audit.lies import Found
from ledger.events import Vote
from ledger.perform import Ledger
from ledger.settings import load
from ledger.streams.table import KeepPlaying, Wish
from tests.lies.forging import NOON, House, checked, house


class Match:
    """Two hands entered by points; seats changed before each, and a vote that came to nothing."""

    def __init__(self, honest: House) -> None:
        self.house = honest
        ledger = Ledger(honest.database, lambda: NOON, Random(1).randbytes, lambda *_: None)
        club = demo.found(ledger, 6)
        self.club, (a, b, c, d, e, _) = club.club, club.members
        desk = Desk(ledger, Caller(club.recorder_key, club.club, ("recorder",)), club.club)
        opened = acts.open_table(desk, Opening("huaihua/1", {}, (a, b, c, d), hands=3, dealer=0))
        self.table = opened.stream.removeprefix("table/")
        acts.change_seats(desk, self.table, (b, a, c, d))
        acts.on_table(desk, self.table, (KeepPlaying(Wish(0, (Vote(1, "refused", 3),))),))
        self._enter(ledger, desk, (3, -1, -1, -1))
        acts.change_seats(desk, self.table, (a, b, c, d))
        acts.change_seats(desk, self.table, (a, b, c, e))
        self._enter(ledger, desk, (-3, 1, 1, 1))
        self.changed = (a, b, c, e)
        honest.sign(self.club)

    def _enter(self, ledger: Ledger, desk: Desk, totals: tuple[int, ...]) -> None:
        dealing.enter_hand(desk, self.table, totals=totals, next_dealer=0)
        settlement.sweep(ledger, load({"PAIZHANG_DATA": "/nowhere"}))

    def evidence(self, hand: int) -> Evidence:
        return self.house.evidence(self.table, hand)

    def found(self, evidence: Evidence) -> Found | None:
        return checked(evidence, [self.house.key()]).found


@pytest.fixture(scope="module")
def match() -> Iterator[Match]:
    with house() as honest:
        yield Match(honest)


def kinds(evidence: Evidence) -> list[str]:
    return [one.type.partition("/")[0] for one in evidence.events]


def test_evidence_of_a_first_hand_has_all_that_came_before_it(match: Match) -> None:
    evidence = match.evidence(1)
    assert match.found(evidence) is None
    assert kinds(evidence)[:5] == [
        *("ClubFounded", "TableOpened", "SeatsChanged", "DissolutionVoted", "HandStarted")
    ]


def test_evidence_of_a_later_hand_has_every_change_of_seats_before_it(match: Match) -> None:
    evidence = match.evidence(2)
    assert match.found(evidence) is None
    assert kinds(evidence)[2:6] == ["SeatsChanged"] * 3 + ["HandStarted"]
    assert evidence.seats == match.changed


@pytest.mark.lie("a left-out event")
def test_a_left_out_change_of_seats(match: Match) -> None:
    """Who sat when the hand began is not who sat at the opening, or after the change before."""
    evidence = match.evidence(2)
    events = evidence.events
    start = events[5].position
    for left in (events[:2] + events[5:], events[:4] + events[5:]):
        found = match.found(replace(evidence, events=left))
        assert found == Found("opened_otherwise", start, place="/seats")


@pytest.mark.lie("a left-out event")
def test_a_left_out_vote_before_the_first_hand(match: Match) -> None:
    evidence = match.evidence(1)
    events = evidence.events[:3] + evidence.events[4:]
    found = match.found(replace(evidence, events=events))
    assert found == Found("left_out", evidence.events[4].position, version=3)


@pytest.mark.lie("a hand that another table played")
def test_other_events_between_the_opening_and_a_later_hand(match: Match) -> None:
    """There only changes of seats are shown."""
    first, later = match.evidence(1), match.evidence(2)
    vote = first.events[3]
    events = (*later.events[:3], vote, *later.events[3:])
    found = match.found(replace(later, events=events))
    assert found == Found("not_of_this_hand", vote.position)
