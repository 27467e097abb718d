"""One event of every type that happens to the books, with every field filled."""

from __future__ import annotations

from ledger import events as e
from ledger.events import Event

AT = 1_795_867_200_000_000
LINES = (e.Line("mem_1", 500), e.Line("mem_2", -20))
OUTCOME = {"ruleset": "huaihua/1", "end": "exhausted"}
SEATS = ("mem_1", "mem_2")
DAY = "2026-11-28"
PAID = e.Paid(
    payer=1,
    payee=0,
    points=4,
    reason="win",
    parts=(e.Part("self_draw", points=2), e.Part("qi_dui", factor=2)),
    rule="huaihua/1 C5.1",
)

EXAMPLES: dict[str, Event] = {
    name: Event(fact)
    for name, fact in {
        "LimitsSet/1": e.LimitsSet(-100, 5000, -200, 64, 300, -50, 2, 1000, 100),
        "DeadlinesSet/1": e.DeadlinesSet(24, 24, 48, 48),
        "MemberLimitsSet/1": e.MemberLimitsSet(-10, 900, -20, 100, 0),
        "MemberBarred/1": e.MemberBarred("aa"),
        "MemberReadmitted/1": e.MemberReadmitted("bb"),
        "MemberLeft/1": e.MemberLeft("cc"),
        "MemberReturned/1": e.MemberReturned(),
        "MemberGrouped/1": e.MemberGrouped("dd"),
        "HandReversed/1": e.HandReversed(
            "tbl_1", 3, SEATS, 1, (-4, 4), "dsp_1", AT, DAY, "2026-11-20"
        ),
        "HandCorrected/1": e.HandCorrected(
            table="tbl_1",
            number=3,
            ruleset="huaihua/1",
            seats=SEATS,
            end="win",
            totals=(4, -4),
            payments=(PAID,),
            wins=(e.Scored(0, ("qi_dui",), 4),),
            not_counted=(e.Void(1, "kong", "8p", "wrong_owner", "huaihua/1 C6"),),
            outcome=OUTCOME,
            dispute="dsp_1",
            ended_at=AT,
            booked_date=DAY,
            effective_date="2026-11-20",
        ),
        "AllowanceRequested/1": e.AllowanceRequested(
            "allowance", LINES, "other", "aa", "2026-11-20", "per_1", AT
        ),
        "AllowanceApproved/1": e.AllowanceApproved("per_2", AT),
        "AllowanceRefused/1": e.AllowanceRefused("bb", "per_2", AT),
        "AllowancePosted/1": e.AllowancePosted(
            "opening", LINES, "opening", "aa", AT, DAY, "2026-11-20"
        ),
        "AllowanceReversed/1": e.AllowanceReversed(LINES, "cc", "per_1", AT, DAY, "2026-11-20"),
        "DisputeFiled/1": e.DisputeFiled(
            table="tbl_1",
            number=3,
            seats=SEATS,
            revision=1,
            member="mem_2",
            totals=(0, 0),
            outcome=OUTCOME,
            note="aa",
            stake=4,
            by="per_1",
            at=AT,
            answer_until=AT + 1,
            decide_until=AT + 2,
        ),
        "EvidenceLocked/1": e.EvidenceLocked(90, 120, 121, "huaihua/1", 130, "ee", AT),
        "DisputeAnswered/1": e.DisputeAnswered("mem_1", "bb", "per_2", AT),
        "DecisionProposed/1": e.DecisionProposed(
            "correct", "mistyped", "huaihua/1 C6", "cc", (0, 0), OUTCOME, "per_3", AT
        ),
        "DisputeDecided/1": e.DisputeDecided(
            "correct", "mistyped", "huaihua/1 C6", "cc", 1, "per_4", "per_3", AT, False, AT + 3
        ),
        "DisputeAppealed/1": e.DisputeAppealed("mem_1", "dd", "per_2", AT, AT + 2),
        "DisputeWithdrawn/1": e.DisputeWithdrawn("ee", "per_1", AT),
        "DisputeExpired/1": e.DisputeExpired(AT),
        "PeriodClosed/1": e.PeriodClosed(
            number=2,
            first="2026-10-01",
            last="2026-10-31",
            mode="clear",
            balances=LINES,
            carried=("dsp_1",),
            position=130,
            note="aa",
            by="per_1",
            at=AT,
            booked_date=DAY,
        ),
        "PeriodReopened/1": e.PeriodReopened(2, "2026-10-31", LINES, "bb", "per_1", AT, DAY),
        "BalanceConfirmed/1": e.BalanceConfirmed(2, "mem_1", 500, "per_2", AT),
        "BalanceContested/1": e.BalanceContested(2, "mem_1", 500, "cc", "per_2", AT),
    }.items()
}
