"""A dispute: given what has happened in it, when somebody acts, then this follows."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from ledger import events as e
from ledger.refusal import Refused
from ledger.streams.club import DEADLINES
from ledger.streams.dispute import (
    REASONS,
    AnswerDispute,
    Deadlines,
    DecideDispute,
    DisputeCommand,
    Earlier,
    FileDispute,
    given,
    standing,
)
from tests.streams.dispute_steps import (
    AGREE,
    ANSWER,
    APPEAL,
    AT,
    BY_OFFICER,
    CORRECT,
    EXPIRE,
    FILE,
    HOUR,
    LARGE,
    LAST,
    SEATS,
    WITHDRAW,
    Step,
    after,
    again,
    decision,
    last,
    refused,
    state,
)

# --- filing -----------------------------------------------------------------------------------


def test_filing_locks_the_evidence_with_it() -> None:
    filed, locked = (event.fact for event in after(FILE))
    assert filed == e.DisputeFiled(
        table="tbl_1",
        number=3,
        seats=SEATS,
        revision=1,
        member="mem_b",
        totals=(4, 0, -2, -2),
        outcome=None,
        note="n_claim",
        stake=2,
        by="per_ben",
        at=AT,
        answer_until=AT + 24 * HOUR,
        decide_until=AT + 72 * HOUR,
    )
    assert locked == e.EvidenceLocked(11, 73, 75, "huaihua/1", 80, "5e" * 32, AT)
    assert standing(state(FILE)) == "open"
    assert state(FILE).evidence == locked


@pytest.mark.parametrize(
    ("changes", "stake"),
    [
        ({"claimed": (-6, 2, 2, 2)}, 12),
        ({"claimed": (6, -2, -2, -2)}, 0),
        ({"totals": None, "claimed": None}, 0),
        ({"totals": None, "claimed": (0, 0, 0, 0)}, 6),
        ({"totals": (-90, 30, 30, 30), "claimed": (-18, 6, 6, 6)}, 24),
    ],
)
def test_the_stake_is_what_the_claim_would_move(changes: dict[str, Any], stake: int) -> None:
    """Booked are 6, -2, -2, -2; a complaint moves nothing, a claim what it comes to under a cap."""
    filed = after(replace(FILE, **changes))[0].fact
    assert isinstance(filed, e.DisputeFiled)
    assert filed.stake == stake


OUTCOME = {"ruleset": "huaihua/1", "dealer": 0, "end": "exhausted", "seats": [{"hand": ""}] * 4}


def test_a_claim_may_be_told_as_an_outcome() -> None:
    filed = after(replace(FILE, totals=None, outcome=OUTCOME, claimed=(0, 0, 0, 0)))[0].fact
    assert isinstance(filed, e.DisputeFiled)
    assert (filed.totals, filed.outcome, filed.stake) == (None, OUTCOME, 6)


@pytest.mark.parametrize(
    ("changes", "code", "pointer"),
    [
        ({"members": ("mem_e",)}, "not_in_hand", ""),
        ({"table_ended_at": AT - 24 * HOUR - 1}, "filing_over", ""),
        ({"outcome": OUTCOME}, "claim_form", ""),
        ({"totals": None, "note": None}, "complaint_empty", "/note"),
        ({"totals": (4, 0, -4)}, "seats_count", "/totals"),
        ({"totals": (4, 0, -2, -1)}, "totals_sum", "/totals"),
        ({"totals": None, "outcome": {"ruleset": 3}}, "outcome_malformed", "/outcome/ruleset"),
    ],
)
def test_a_claim_that_cannot_be_is_refused(
    changes: dict[str, Any], code: str, pointer: str
) -> None:
    with pytest.raises(Refused) as refusal:
        after(replace(FILE, **changes))
    assert (refusal.value.code, refusal.value.pointer) == (code, pointer)


def test_a_member_files_until_the_hour_is_over_and_while_the_table_is_played() -> None:
    assert len(after(replace(FILE, table_ended_at=AT - 24 * HOUR))) == 2
    assert len(after(replace(FILE, table_ended_at=None))) == 2


def test_an_officer_files_at_any_time() -> None:
    assert len(after(replace(BY_OFFICER, table_ended_at=AT - 900 * HOUR))) == 2


def test_an_officer_who_sat_in_the_hand_files_as_the_member_that_he_was() -> None:
    """Within the hours of a member, whatever else he is; and then the others are heard."""
    party = replace(FILE, members=("mem_e", "mem_b"), officer=True, by="per_rae")
    assert state(party).member == "mem_b"
    assert refused(party, CORRECT) == "decider_is_party"
    assert refused(party, replace(CORRECT, by="per_roy")) == "dispute_unanswered"
    late = replace(party, table_ended_at=AT - 24 * HOUR - 1)
    assert refused(late) == "filing_over"
    assert refused(replace(party, officer=False)) == "not_in_hand"


def test_a_club_that_has_set_no_hours_gives_a_day_and_two() -> None:
    assert given(DEADLINES) == Deadlines(file=24, answer=24, decide=48, appeal=48)


# --- filing again -----------------------------------------------------------------------------


def after_it(*steps: Step | DisputeCommand) -> FileDispute:
    """Another filing about the hand of a dispute that has come so far."""
    return replace(BY_OFFICER, earlier=Earlier("dsp_1", state(*steps)))


@pytest.mark.parametrize(
    "steps",
    [
        (FILE,),
        (FILE, ANSWER),
        (FILE, ANSWER, decision(), APPEAL),
    ],
)
def test_while_somebody_has_yet_to_decide_nobody_files(steps: tuple[DisputeCommand, ...]) -> None:
    assert refused(after_it(*steps)) == "dispute_open"


def test_while_a_ruling_can_be_appealed_against_nobody_files() -> None:
    """Ruled at 2 hours, with 36 to appeal: until hour 38, an officer neither."""
    again = after_it(FILE, ANSWER, decision())
    with pytest.raises(Refused) as refusal:
        after((38, again))
    assert refusal.value.code == "appeal_instead"
    assert refusal.value.params == {"dispute": "dsp_1", "until": "2027-01-16T22:00:00Z"}
    late = replace(again, members=("mem_b",), officer=False, table_ended_at=AT - 900 * HOUR)
    assert refused((38, late)) == "appeal_instead"
    assert len(after((38.001, again))) == 2


def test_what_was_decided_on_appeal_is_final() -> None:
    decided = (FILE, ANSWER, decision(), APPEAL, LAST)
    assert refused((900, after_it(*decided))) == "hand_final"


@pytest.mark.parametrize(
    "steps",
    [
        (FILE, WITHDRAW),
        (FILE, (73, EXPIRE)),
        (FILE, ANSWER, decision(), APPEAL, (73, EXPIRE)),
    ],
)
def test_what_ended_without_a_last_ruling_may_be_doubted_again(steps: tuple[Any, ...]) -> None:
    """Taken back, or nobody decided in time: for the first time, or on the appeal."""
    assert len(after((900, after_it(*steps)))) == 2


def test_what_was_filed_is_not_filed_again() -> None:
    assert refused(FILE, FILE) == "dispute_exists"


@pytest.mark.parametrize("command", [ANSWER, decision(), AGREE, APPEAL, WITHDRAW, EXPIRE])
def test_where_nothing_was_filed_nothing_can_happen(command: DisputeCommand) -> None:
    assert refused(command) == "dispute_unknown"


# --- answering --------------------------------------------------------------------------------


def test_another_member_of_the_hand_answers_until_the_hour_is_over() -> None:
    answered = e.DisputeAnswered("mem_a", "n_answer", "per_ann", AT + 24 * HOUR)
    assert last(FILE, (24, ANSWER)) == answered
    assert standing(state(FILE, ANSWER)) == "answered"
    assert refused(FILE, (24.001, ANSWER)) == "answering_over"


def test_each_of_the_others_answers_once() -> None:
    other = AnswerDispute("mem_c", None, "per_cai")
    assert state(FILE, ANSWER, other).answers == {"mem_a": "n_answer", "mem_c": None}
    assert again(FILE, ANSWER, ANSWER)
    assert refused(FILE, ANSWER, replace(ANSWER, note="n_more")) == "answered_before"


def test_who_filed_and_who_did_not_sit_there_does_not_answer() -> None:
    assert refused(FILE, AnswerDispute("mem_b", None, "per_ben")) == "answer_own"
    assert refused(FILE, AnswerDispute("mem_e", None, "per_eve")) == "not_in_hand"


def test_what_an_officer_files_everybody_in_the_hand_may_answer() -> None:
    assert state(BY_OFFICER, AnswerDispute("mem_b", None, "per_ben")).answers == {"mem_b": None}


# --- deciding ---------------------------------------------------------------------------------


def test_a_referee_decides_after_an_answer() -> None:
    assert last(FILE, ANSWER, decision()) == e.DisputeDecided(
        ruling="uphold",
        reason="rules",
        rule="huaihua/1 C5.1",
        note="n_ruling",
        revision=1,
        by="per_rae",
        proposed_by=None,
        at=AT + 2 * HOUR,
        final=False,
        appeal_until=AT + 38 * HOUR,
    )
    assert standing(state(FILE, ANSWER, decision())) == "decided"


def test_without_an_answer_he_waits_until_nobody_can_answer_any_more() -> None:
    assert refused(FILE, (24, decision())) == "dispute_unanswered"
    assert standing(state(FILE, (24.001, decision()))) == "decided"


def test_what_an_officer_files_may_be_decided_in_the_same_act() -> None:
    """A mistyped hand is corrected in one step, and may be appealed against."""
    assert standing(state((0, BY_OFFICER), (0, CORRECT))) == "decided"


def test_he_decides_until_the_hour_is_over() -> None:
    assert standing(state(FILE, (72, decision()))) == "decided"
    assert refused(FILE, (72.001, decision())) == "deciding_over"


@pytest.mark.parametrize(
    "by",
    [
        decision(members=("mem_d",)),
        decision(members=("mem_e", "mem_d")),
        decision(by="per_ben"),
        decision(by="per_ann"),
    ],
)
def test_a_party_does_not_decide(by: DecideDispute) -> None:
    """Not who is or was a member who sat in it, nor who filed or answered as one who did."""
    assert refused(FILE, ANSWER, by) == "decider_is_party"


def test_a_member_who_sat_elsewhere_may_decide() -> None:
    assert standing(state(FILE, ANSWER, decision(members=("mem_e",)))) == "decided"


def test_it_is_decided_once() -> None:
    """Two referees at once: the second one finds it decided."""
    assert refused(FILE, ANSWER, decision(), LAST) == "dispute_decided"


@pytest.mark.parametrize(
    ("ruling", "code"),
    [
        (decision(reason="mood"), "reason_unknown"),
        (decision("correct"), "correction_form"),
        (decision("correct", totals=(0, 0, 0, 0), outcome=OUTCOME), "correction_form"),
        (decision("void", totals=(0, 0, 0, 0)), "correction_form"),
        (decision("correct", totals=(1, 0, 0, 0)), "totals_sum"),
        (decision("correct", outcome={}), "outcome_malformed"),
    ],
)
def test_a_ruling_that_cannot_be_is_refused(ruling: DecideDispute, code: str) -> None:
    assert refused(FILE, ANSWER, ruling) == code


def test_every_reason_has_a_name_in_two_languages() -> None:
    words = ["misplay", "mistyped", "server_fault", "rules", "evidence", "other"]
    assert list(REASONS) == words
    assert all(en and zh for en, zh in REASONS.values())


# --- two persons ------------------------------------------------------------------------------


def test_what_moves_more_than_one_may_waits_for_a_second_person() -> None:
    assert last(FILE, ANSWER, LARGE) == e.DecisionProposed(
        ruling="correct",
        reason="rules",
        rule="huaihua/1 C5.1",
        note="n_ruling",
        totals=(4, 0, -2, -2),
        outcome=None,
        by="per_rae",
        at=AT + 2 * HOUR,
    )
    waiting = state(FILE, ANSWER, LARGE)
    assert standing(waiting) == "answered"
    assert waiting.proposal == last(FILE, ANSWER, LARGE)


def test_the_second_person_makes_it_the_ruling() -> None:
    decided = last(FILE, ANSWER, LARGE, replace(AGREE, revision=2))
    assert decided == e.DisputeDecided(
        ruling="correct",
        reason="rules",
        rule="huaihua/1 C5.1",
        note="n_ruling",
        revision=2,
        by="per_roy",
        proposed_by="per_rae",
        at=AT + 3 * HOUR,
        final=False,
        appeal_until=AT + 39 * HOUR,
    )
    assert state(FILE, ANSWER, LARGE, AGREE).proposal is None


def test_as_much_as_the_limit_one_person_may_move() -> None:
    assert standing(state(FILE, ANSWER, replace(CORRECT, limit=2))) == "decided"


def test_nobody_agrees_to_his_own_proposal_and_no_party_to_any() -> None:
    assert refused(FILE, ANSWER, LARGE, replace(AGREE, by="per_rae")) == "second_person"
    assert (
        refused(FILE, ANSWER, LARGE, replace(AGREE, members=("mem_e", "mem_d")))
        == "decider_is_party"
    )
    assert refused(FILE, ANSWER, AGREE) == "nothing_proposed"
    assert refused(FILE, ANSWER, LARGE, (72.001, AGREE)) == "deciding_over"


def test_a_proposal_is_replaced_by_a_new_one() -> None:
    """Then who made the first one may agree to the second; the same one again is nothing new."""
    other = replace(LARGE, by="per_roy", note="n_other")
    decided = last(FILE, ANSWER, LARGE, other, replace(AGREE, by="per_rae"))
    assert isinstance(decided, e.DisputeDecided)
    assert (decided.note, decided.by, decided.proposed_by) == ("n_other", "per_rae", "per_roy")
    assert again(FILE, ANSWER, LARGE, LARGE)
