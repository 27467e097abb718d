"""What can happen in a dispute, step by step, for the tests of disputes and appeals."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from ledger.events import Event, Fact
from ledger.refusal import Refused
from ledger.streams import dispute
from ledger.streams.dispute import (
    AnswerDispute,
    AppealDispute,
    ApproveDecision,
    Deadlines,
    DecideDispute,
    Dispute,
    DisputeCommand,
    Evidence,
    ExpireDispute,
    FileDispute,
    WithdrawDispute,
)
from ledger.streams.now import Now

HOUR = 3600 * 1_000_000
AT = 1_800_000_000_000_000
SEATS = ("mem_a", "mem_b", "mem_c", "mem_d")
HOURS = Deadlines(file=24, answer=24, decide=48, appeal=36)
EVIDENCE = Evidence(11, 73, 75, "huaihua/1", 80, "5e" * 32)
FILE = FileDispute(
    table="tbl_1",
    number=3,
    seats=SEATS,
    revision=1,
    booked=(6, -2, -2, -2),
    members=("mem_b",),
    officer=False,
    totals=(4, 0, -2, -2),
    outcome=None,
    claimed=(4, 0, -2, -2),
    note="n_claim",
    by="per_ben",
    table_ended_at=AT - HOUR,
    hours=HOURS,
    evidence=EVIDENCE,
)
BY_OFFICER = replace(FILE, members=(), officer=True, by="per_rae")
ANSWER = AnswerDispute("mem_a", "n_answer", "per_ann")
WITHDRAW = WithdrawDispute("n_sorry", "per_ben", "mem_b")
APPEAL = AppealDispute("mem_c", "n_again", "per_cai", HOURS)
EXPIRE = ExpireDispute()
Step = tuple[float, DisputeCommand]


def decision(ruling: Any = "uphold", by: str = "per_rae", **changes: Any) -> DecideDispute:
    told = DecideDispute(
        ruling=ruling,
        reason="rules",
        rule="huaihua/1 C5.1",
        note="n_ruling",
        totals=None,
        outcome=None,
        by=by,
        members=(),
        moves=0,
        limit=None,
        revision=1,
        hours=HOURS,
    )
    return replace(told, **changes)


CORRECT = decision("correct", totals=(4, 0, -2, -2), moves=2)
LARGE = replace(CORRECT, limit=1)
AGREE = ApproveDecision("per_roy", (), 1, HOURS)
LAST = decision(by="per_roy")
"""By another than the first one: for an appeal."""


def now(hours: float) -> Now:
    """So many hours after the dispute was filed."""
    return Now(AT + int(hours * HOUR), lambda at: "2027-01-15", lambda at: 5)


def after(*steps: Step | DisputeCommand) -> list[Event]:
    """The events of commands, each an hour after the one before unless its hour is told."""
    events: list[Event] = []
    at = -1.0
    for step in steps:
        at, command = step if isinstance(step, tuple) else (at + 1, step)
        events.extend(dispute.decide(dispute.fold(events), command, now(at)))
    return events


def state(*steps: Step | DisputeCommand) -> Dispute:
    found = dispute.fold(after(*steps))
    assert found is not None
    return found


def last(*steps: Step | DisputeCommand) -> Fact:
    return after(*steps)[-1].fact


def again(*steps: Step | DisputeCommand) -> bool:
    """Whether the last step is nothing new."""
    return after(*steps) == after(*steps[:-1])


def refused(*steps: Step | DisputeCommand) -> str:
    """The code of the refusal of the last step; those before it are allowed."""
    after(*steps[:-1])
    with pytest.raises(Refused) as refusal:
        after(*steps)
    return refusal.value.code
