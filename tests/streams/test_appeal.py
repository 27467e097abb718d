"""How a dispute ends: on an appeal, taken back, or because nobody decided in time."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from ledger import events as e
from ledger.refusal import Refused
from ledger.streams.dispute import AnswerDispute, WithdrawDispute, standing
from tests.streams.dispute_steps import (
    AGREE,
    ANSWER,
    APPEAL,
    AT,
    BY_OFFICER,
    EXPIRE,
    FILE,
    HOUR,
    LARGE,
    LAST,
    WITHDRAW,
    after,
    again,
    decision,
    last,
    refused,
    state,
)

# --- the appeal -------------------------------------------------------------------------------


def test_a_member_of_the_hand_appeals_in_time() -> None:
    """Ruled at 2 hours, with 36 to appeal and 48 to decide anew."""
    appealed = e.DisputeAppealed("mem_c", "n_again", "per_cai", AT + 38 * HOUR, AT + 86 * HOUR)
    assert last(FILE, ANSWER, decision(), (38, APPEAL)) == appealed
    assert standing(state(FILE, ANSWER, decision(), (38, APPEAL))) == "appealed"
    assert refused(FILE, ANSWER, decision(), (38.001, APPEAL)) == "appealing_over"
    outsider = replace(APPEAL, member="mem_e")
    assert refused(FILE, ANSWER, decision(), outsider) == "not_in_hand"


def test_the_ruling_on_an_appeal_is_final() -> None:
    ruled = last(FILE, ANSWER, decision(), APPEAL, LAST)
    assert isinstance(ruled, e.DisputeDecided)
    assert (ruled.final, ruled.appeal_until, ruled.by) == (True, None, "per_roy")
    over = (FILE, ANSWER, decision(), APPEAL, LAST)
    assert standing(state(*over)) == "final"
    for command in (ANSWER, LAST, AGREE, APPEAL, WITHDRAW, EXPIRE):
        assert refused(*over, command) == "dispute_over"


def test_an_appeal_is_decided_by_another_person() -> None:
    """Neither who decided, nor who proposed before, and still no party."""
    assert refused(FILE, ANSWER, decision(), APPEAL, decision()) == "decider_again"
    two = (FILE, ANSWER, LARGE, AGREE, APPEAL)
    assert refused(*two, decision()) == "decider_again"
    assert refused(*two, LAST) == "decider_again"
    assert standing(state(*two, decision(by="per_sam"))) == "final"
    assert refused(*two, decision(by="per_cai")) == "decider_is_party"


def test_on_an_appeal_too_it_takes_two_above_the_limit() -> None:
    """Who proposes on the appeal may propose anew; neither of the two has ruled before."""
    first = (FILE, ANSWER, decision(), APPEAL)
    large = replace(LARGE, by="per_roy")
    better = replace(large, note="n_better")
    assert refused(*first, large, AGREE) == "second_person"
    assert refused(*first, large, replace(AGREE, by="per_rae")) == "decider_again"
    agreed = state(*first, large, better, replace(AGREE, by="per_sam"))
    assert standing(agreed) == "final"
    assert agreed.ruling is not None
    assert (agreed.ruling.note, agreed.ruling.proposed_by) == ("n_better", "per_roy")


def test_a_dispute_is_appealed_once_and_only_when_it_is_decided() -> None:
    assert refused(FILE, ANSWER, APPEAL) == "dispute_undecided"
    ruled = (FILE, ANSWER, decision())
    assert again(*ruled, APPEAL, APPEAL)
    assert refused(*ruled, APPEAL, replace(APPEAL, member="mem_d")) == "appealed_before"
    assert refused(FILE, WITHDRAW, APPEAL) == "dispute_over"


def test_after_a_ruling_nobody_answers_or_takes_back() -> None:
    """Though another ruling is asked for, and the hours for answers are not over."""
    other = AnswerDispute("mem_d", None, "per_dan")
    ruled = (FILE, ANSWER, decision())
    for command in (other, WITHDRAW):
        assert refused(*ruled, command) == "dispute_decided"
        assert refused(*ruled, APPEAL, command) == "dispute_decided"


# --- how else it ends -------------------------------------------------------------------------


def test_who_filed_takes_it_back_while_it_is_undecided() -> None:
    assert last(FILE, WITHDRAW) == e.DisputeWithdrawn("n_sorry", "per_ben", AT + HOUR)
    assert standing(state(FILE, ANSWER, WITHDRAW)) == "withdrawn"
    assert standing(state(FILE, replace(WITHDRAW, by="key_of_ben"))) == "withdrawn"
    assert standing(state(FILE, replace(WITHDRAW, member="mem_e"))) == "withdrawn"
    assert again(FILE, WITHDRAW, WITHDRAW)
    assert refused(FILE, WITHDRAW, ANSWER) == "dispute_over"


def test_nobody_else_takes_it_back() -> None:
    other = WithdrawDispute(None, "per_ann", "mem_a")
    assert refused(FILE, other) == "not_the_filer"
    assert refused(FILE, replace(other, member=None)) == "not_the_filer"
    assert refused(BY_OFFICER, replace(WITHDRAW, by="per_roy")) == "not_the_filer"
    assert standing(state(BY_OFFICER, WithdrawDispute(None, "per_rae", None))) == "withdrawn"


def test_it_expires_when_nobody_has_decided_in_time() -> None:
    assert last(FILE, (72.001, EXPIRE)) == e.DisputeExpired(AT + int(72.001 * HOUR))
    assert standing(state(FILE, ANSWER, (73, EXPIRE))) == "expired"
    assert again(FILE, (73, EXPIRE), EXPIRE)
    assert refused(FILE, (72, EXPIRE)) == "deadline_ahead"
    assert refused(FILE, ANSWER, decision(), (900, EXPIRE)) == "dispute_decided"


def test_an_appeal_that_nobody_decided_leaves_the_first_ruling_for_good() -> None:
    """Appealed at 3 hours, it could be decided until 51."""
    appealed = (FILE, ANSWER, decision(), APPEAL)
    assert refused(*appealed, (51, EXPIRE)) == "deadline_ahead"
    assert standing(state(*appealed, (51.001, EXPIRE))) == "final"
    for command in (LAST, APPEAL, EXPIRE, WITHDRAW):
        assert refused(*appealed, (51.001, EXPIRE), command) == "dispute_over"


def test_a_refusal_tells_the_hour_that_is_over() -> None:
    with pytest.raises(Refused) as refusal:
        after(FILE, (25, ANSWER))
    assert refusal.value.params == {"until": "2027-01-16T08:00:00Z"}
