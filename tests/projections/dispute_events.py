"""The events of one dispute about one hand, as the tests of its list tell them."""

from __future__ import annotations

from typing import Any

from ledger import events as e
from tests.world import KEY, SECOND, Club

AT = 1000 * SECOND
ANSWER, DECIDE, APPEAL, AGAIN = 2000 * SECOND, 3000 * SECOND, 4000 * SECOND, 5000 * SECOND
DSP = "dispute/dsp_a"


def filed(club: Club, **to: Any) -> e.DisputeFiled:
    """The first member doubts hand 3 of table a: he had 5 more than were booked."""
    told: dict[str, Any] = {
        "table": "tbl_a",
        "number": 3,
        "seats": club.members,
        "revision": 1,
        "member": club.members[0],
        "totals": (5, -5, 0, 0),
        "outcome": None,
        "note": "d1",
        "stake": 5,
        "by": "per_a",
        "at": AT,
        "answer_until": ANSWER,
        "decide_until": DECIDE,
    }
    return e.DisputeFiled(**{**told, **to})


LOCKED = e.EvidenceLocked(11, 20, 21, KEY, 30, "ff" * 32, AT)
EXPIRED = e.DisputeExpired(9000 * SECOND)
WITHDRAWN = e.DisputeWithdrawn("d9", "per_a", 1600 * SECOND)


def answered(club: Club) -> e.DisputeAnswered:
    return e.DisputeAnswered(club.members[1], "d2", "per_b", 1500 * SECOND)


def decided(*, final: bool = False, proposed_by: str | None = None) -> e.DisputeDecided:
    return e.DisputeDecided(
        ruling="correct",
        reason="rules",
        rule="huaihua/1 C3.5",
        note="d4",
        revision=1,
        by="per_judge",
        proposed_by=proposed_by,
        at=2500 * SECOND,
        final=final,
        appeal_until=None if final else APPEAL,
    )


def appealed(club: Club) -> e.DisputeAppealed:
    return e.DisputeAppealed(club.members[1], "d5", "per_b", 3500 * SECOND, AGAIN)


def undone(club: Club) -> e.HandReversed:
    return e.HandReversed(
        table="tbl_a",
        number=3,
        seats=club.members,
        revision=1,
        totals=(0, 0, 0, 0),
        dispute="dsp_a",
        ended_at=AT,
        booked_date="2026-11-29",
        effective_date="2026-11-28",
    )


def corrected(club: Club) -> e.HandCorrected:
    return e.HandCorrected(
        table="tbl_a",
        number=3,
        ruleset=KEY,
        seats=club.members,
        end="unknown",
        totals=(5, -5, 0, 0),
        payments=(),
        wins=(),
        not_counted=(),
        outcome=None,
        dispute="dsp_a",
        ended_at=AT,
        booked_date="2026-11-29",
        effective_date="2026-11-28",
    )
