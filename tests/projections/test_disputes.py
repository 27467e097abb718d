"""The list of disputes, from events told one by one."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import asdict

from ledger import events as e
from ledger.database import Database
from ledger.keyset import Page
from ledger.refusal import Refused
from projections.checkpoint import stopped
from projections.disputes import (
    DISPUTES,
    DisputeRow,
    StepRow,
    club_disputes,
    dispute,
    open_of_hand,
    overdue,
)
from projections.projection import catch_up, rebuild
from tests.projections.dispute_events import (
    AGAIN,
    ANSWER,
    APPEAL,
    AT,
    DECIDE,
    DSP,
    EXPIRED,
    LOCKED,
    WITHDRAWN,
    answered,
    appealed,
    corrected,
    decided,
    filed,
    undone,
)
from tests.world import KEY, SECOND, Club, World


def read(club: Club, query: Any, *asked: Any, **filters: Any) -> Any:
    """What a query shows when the list has caught up."""
    catch_up(club.world.database, club.id, projections=(DISPUTES,))
    with club.world.database.read() as connection:
        return query(connection, club.id, *asked, **filters)


def row_of(club: Club, name: str = "dsp_a") -> DisputeRow:
    row: DisputeRow = read(club, dispute, name)[0]
    return row


def steps_of(club: Club, name: str = "dsp_a") -> list[StepRow]:
    steps: list[StepRow] = read(club, dispute, name)[1]
    return steps


# --- a row ------------------------------------------------------------------------------------


def test_a_dispute_that_was_filed(club: Club) -> None:
    """A dispute waits for an answer; it says who claims what, of which hand, and until when."""
    position = club.tell(DSP, filed(club), LOCKED) - 1

    assert asdict(row_of(club)) == {
        "filed_position": position,
        "id": "dsp_a",
        "table": "tbl_a",
        "number": 3,
        "seats": list(club.members),
        "member": club.members[0],
        "opened_by": "per_a",
        "opened_at": AT,
        "claim": "totals",
        "totals": [5, -5, 0, 0],
        "stake": 5,
        "note": "d1",
        "state": "open",
        "answer_until": ANSWER,
        "decide_until": DECIDE,
        "appeal_until": None,
        "ruling": None,
        "reason": None,
        "rule": None,
        "decided_by": None,
        "proposed_by": None,
        "decided_at": None,
        "proposal_of": None,
        "entries": [],
    }


@pytest.mark.parametrize(
    ("claim", "told"),
    [("outcome", {"totals": None, "outcome": {"ruleset": KEY}}), (None, {"totals": None})],
)
def test_a_claim_is_told_in_points_or_as_an_outcome_or_not_at_all(
    club: Club, claim: str | None, told: dict[str, Any]
) -> None:
    club.tell(DSP, filed(club, **told))

    assert (row_of(club).claim, row_of(club).totals) == (claim, None)


def test_a_dispute_that_is_decided_says_how_and_by_whom(club: Club) -> None:
    """The hand is reversed and corrected in the same breath, and the dispute names both."""
    club.tell(DSP, filed(club), LOCKED, answered(club))
    assert row_of(club).state == "answered"
    club.tell(DSP, decided())
    last = club.tell("hand/tbl_a/3", undone(club), corrected(club))

    row = row_of(club)
    assert (row.state, row.decide_until, row.appeal_until) == ("decided", None, APPEAL)
    assert (row.ruling, row.reason, row.rule) == ("correct", "rules", "huaihua/1 C3.5")
    assert (row.decided_by, row.decided_at, row.proposed_by) == ("per_judge", 2500 * SECOND, None)
    assert row.entries == [last - 1, last]


def test_a_proposal_waits_for_a_second_person(club: Club) -> None:
    proposed = e.DecisionProposed(
        "correct", "rules", None, "d3", (5, -5, 0, 0), None, "per_first", 2100 * SECOND
    )
    club.tell(DSP, filed(club, member=None), LOCKED, proposed)
    assert (row_of(club).state, row_of(club).proposal_of) == ("open", "per_first")

    club.tell(DSP, decided(proposed_by="per_first"))
    row = row_of(club)
    assert (row.proposal_of, row.proposed_by, row.decided_by) == (None, "per_first", "per_judge")


@pytest.mark.parametrize(
    ("then", "state"),
    [
        ("withdrawn", "withdrawn"),
        ("expired", "expired"),
        ("decided final", "final"),
        ("decided appealed", "appealed"),
        ("decided appealed final", "final"),
        ("decided appealed expired", "final"),
        ("answered expired", "expired"),
    ],
)
def test_how_a_dispute_ends(club: Club, then: str, state: str) -> None:
    """An appeal that nobody decides in time leaves the first ruling, and that is final."""
    told: dict[str, e.Fact] = {
        "withdrawn": WITHDRAWN,
        "expired": EXPIRED,
        "decided": decided(),
        "final": decided(final=True),
        "appealed": appealed(club),
        "answered": answered(club),
    }
    club.tell(DSP, filed(club), LOCKED, *(told[word] for word in then.split()))

    row = row_of(club)
    assert row.state == state
    assert row.decide_until == (AGAIN if state == "appealed" else None)


# --- its deadlines ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("then", "now", "due"),
    [
        ("", 1500, ANSWER),
        ("", 2000, ANSWER),
        ("", 2001, DECIDE),
        ("", 3001, DECIDE),
        ("answered", 1600, DECIDE),
        ("answered", 3001, DECIDE),
        ("answered decided", 2600, APPEAL),
        ("answered decided", 4000, APPEAL),
        ("answered decided", 4001, None),
        ("answered decided appealed", 3600, AGAIN),
        ("answered decided appealed", 5001, AGAIN),
        ("answered decided appealed final", 3600, None),
        ("withdrawn", 1700, None),
        ("expired", 1700, None),
    ],
)
def test_the_next_deadline(club: Club, then: str, now: int, due: int | None) -> None:
    """What is waited for next, at a second; one to decide stays until somebody has decided."""
    told: dict[str, e.Fact] = {
        "withdrawn": WITHDRAWN,
        "expired": EXPIRED,
        "answered": answered(club),
        "decided": decided(),
        "appealed": appealed(club),
        "final": decided(final=True),
    }
    club.tell(DSP, filed(club), LOCKED, *(told[word] for word in then.split()))

    assert row_of(club).due(now * SECOND) == due


def test_overdue(world: World) -> None:
    """Of all clubs those disputes are overdue on which nobody has decided in time."""
    one, other = world.club(), world.club()
    one.tell("dispute/dsp_late", filed(one, decide_until=DECIDE + 1))
    one.tell("dispute/dsp_done", filed(one), decided())
    other.tell("dispute/dsp_first", filed(other))
    other.tell("dispute/dsp_appealed", filed(other), decided(), appealed(other))
    for club in (one, other):
        catch_up(world.database, club.id, projections=(DISPUTES,))
    rebuild(world.database, other.id, "disputes", world.clock, projections=(DISPUTES,))

    late, first = (one.id, "dsp_late"), (other.id, "dsp_first")
    with world.database.read() as connection:
        assert overdue(connection, DECIDE) == []
        assert overdue(connection, DECIDE + 1) == [first]
        assert overdue(connection, DECIDE + 2) == [first, late]
        assert overdue(connection, AGAIN + 1) == [first, late, (other.id, "dsp_appealed")]


# --- its history ------------------------------------------------------------------------------


def test_the_steps_of_a_dispute(club: Club) -> None:
    """Every step says who took it and when, and what its event tells besides."""
    first = club.tell(DSP, filed(club), LOCKED, answered(club), decided()) - 3
    club.tell("hand/tbl_a/3", undone(club), corrected(club))
    club.tell(DSP, appealed(club), EXPIRED)

    steps = steps_of(club)
    assert [step.step for step in steps] == [
        *("filed", "evidence_locked", "answered", "decided"),
        *("reversed", "corrected", "appealed", "expired"),
    ]
    assert [step.position for step in steps] == list(range(first, first + 8))
    assert steps[2] == StepRow(
        position=first + 2,
        step="answered",
        at=1500 * SECOND,
        actor="key_recorder",
        role="recorder",
        member=club.members[1],
        note="d2",
        told={},
    )
    booked = next(row.recorded_at for row in club.log() if row.position == first + 4)
    assert (steps[4].at, steps[4].member, steps[4].note) == (booked, None, None)


def test_what_the_steps_tell(club: Club) -> None:
    club.tell(DSP, filed(club), LOCKED, decided())
    club.tell("hand/tbl_a/3", undone(club), corrected(club))

    filing, evidence, ruling, reversal, correction = (step.told for step in steps_of(club))
    assert filing == {
        "totals": [5, -5, 0, 0],
        "outcome": None,
        "stake": 5,
        "revision": 1,
        "answer_until": ANSWER,
        "decide_until": DECIDE,
    }
    assert evidence == {
        "ruleset": KEY,
        "first": 11,
        "last": 20,
        "settled": 21,
        "position": 30,
        "hash": "ff" * 32,
    }
    assert (ruling["ruling"], ruling["final"], ruling["appeal_until"]) == ("correct", False, APPEAL)
    dates = {"effective_date": "2026-11-28", "booked_date": "2026-11-29"}
    assert reversal == {"totals": [0, 0, 0, 0], "revision": 1, **dates}
    assert correction == {"totals": [5, -5, 0, 0], "outcome": None, "ruleset": KEY, **dates}


# --- the list ---------------------------------------------------------------------------------


def ids(listed: tuple[list[DisputeRow], bool]) -> list[str]:
    return [row.id for row in listed[0]]


@pytest.fixture
def three(club: Club) -> Club:
    """Disputes a, b and c: an open one, a withdrawn one of another table, an answered one."""
    others = (*club.members[:3], "mem_guest")
    club.tell(DSP, filed(club), LOCKED)
    club.tell("dispute/dsp_b", filed(club, table="tbl_b", seats=others), LOCKED, WITHDRAWN)
    club.tell("dispute/dsp_c", filed(club, number=4), LOCKED, answered(club))
    return club


@pytest.mark.parametrize(
    ("filters", "names"),
    [
        ({}, ["dsp_c", "dsp_b", "dsp_a"]),
        ({"state": "open"}, ["dsp_a"]),
        ({"state": "withdrawn"}, ["dsp_b"]),
        ({"state": "final"}, []),
        ({"open": True}, ["dsp_c", "dsp_a"]),
        ({"open": False}, ["dsp_b"]),
        ({"table": "tbl_a"}, ["dsp_c", "dsp_a"]),
        ({"table": "tbl_a", "state": "answered"}, ["dsp_c"]),
        ({"member": "mem_guest"}, ["dsp_b"]),
        ({"member": "mem_none"}, []),
    ],
)
def test_disputes_by_state_table_and_member(
    three: Club, filters: dict[str, Any], names: list[str]
) -> None:
    """The list is cut down to a state, a table, a member who sat there, to what is open."""
    assert ids(read(three, club_disputes, **filters)) == names


def test_disputes_of_another_club_are_not_shown(world: World, three: Club) -> None:
    other = world.club()

    assert read(other, club_disputes) == ([], False)
    assert read(other, dispute, "dsp_a") is None


def test_pages(three: Club) -> None:
    first = read(three, club_disputes, Page(2))
    second = read(three, club_disputes, Page(2, starting_after="dsp_b"))

    assert (ids(first), first[1]) == (["dsp_c", "dsp_b"], True)
    assert (ids(second), second[1]) == (["dsp_a"], False)
    with pytest.raises(Refused, match="cursor_unknown"):
        read(three, club_disputes, Page(2, starting_after="dsp_none"))


def test_the_open_dispute_of_a_hand(three: Club) -> None:
    """Hand 3 of table a has one; that of table b was taken back; hand 5 never had any."""
    assert read(three, open_of_hand, "tbl_a", 3) == "dsp_a"
    assert read(three, open_of_hand, "tbl_a", 4) == "dsp_c"
    assert read(three, open_of_hand, "tbl_b", 3) is None
    assert read(three, open_of_hand, "tbl_a", 5) is None


# --- what cannot be ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stream", "fact"),
    [
        (DSP, LOCKED),
        (DSP, WITHDRAWN),
        (DSP, EXPIRED),
        (DSP, decided()),
    ],
)
def test_a_step_of_no_dispute_stops_the_list(
    database: Database, club: Club, stream: str, fact: e.Fact
) -> None:
    position = club.tell(stream, fact)
    catch_up(database, club.id, projections=(DISPUTES,))

    with database.read() as connection:
        [mark] = stopped(connection)
    assert (mark.projection, mark.position) == ("disputes", position - 1)


def test_a_hand_that_is_revised_by_no_dispute_stops_the_list(
    database: Database, club: Club
) -> None:
    position = club.tell("hand/tbl_a/3", undone(club))
    catch_up(database, club.id, projections=(DISPUTES,))

    with database.read() as connection:
        [mark] = stopped(connection)
    assert mark.position == position - 1


def test_a_rebuild_changes_nothing(three: Club) -> None:
    names = ("dsp_a", "dsp_b", "dsp_c")
    before = [read(three, dispute, name) for name in names]
    world = three.world

    rebuild(world.database, three.id, "disputes", world.clock, projections=(DISPUTES,))

    assert [read(three, dispute, name) for name in names] == before
