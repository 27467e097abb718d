"""What happens to the books, told event by event for the tests of the read side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ledger import events as e
from ledger.events import Line, Paid
from tests.world import KEY, SECOND, Club, ended, settled, started

BOOKED, EFFECTIVE = "2026-11-29", "2026-11-28"


@dataclass
class Read:
    """Reads the lists of a club, brought up to date."""

    club: Club

    def __call__(self, query: Any, *asked: Any, **filters: Any) -> Any:
        self.club.catch_up()
        with self.club.world.database.read() as connection:
            return query(connection, self.club.id, *asked, **filters)


def play(club: Club, number: int, *payments: tuple[int, int, int], table: str = "tbl_a") -> int:
    """A hand: started, ended and settled by its payments; the settlement's position."""
    club.tell(f"table/{table}", started(club.members[:4], number), ended(number))
    fact = settled(table, club.members[:4], payments, number)
    return club.tell(f"hand/{table}/{number}", fact)


def lines(club: Club, points: dict[int, int]) -> tuple[Line, ...]:
    """Points by the members' places in the club."""
    return tuple(Line(club.members[place], some) for place, some in points.items())


def allow(
    club: Club,
    allowance: str,
    points: dict[int, int],
    *,
    kind: e.Granting = "allowance",
    booked: str = BOOKED,
    effective: str = EFFECTIVE,
    note: str = "aa",
) -> int:
    """Points that the club gives; its position."""
    reason = "opening" if kind == "opening" else "top_up"
    given = lines(club, points)
    fact = e.AllowancePosted(kind, given, reason, note, 7 * SECOND, booked, effective)
    return club.tell(f"allowance/{allowance}", fact)


def take_back(club: Club, allowance: str, points: dict[int, int]) -> int:
    """The opposite of what was given; its position."""
    given = lines(club, points)
    fact = e.AllowanceReversed(given, "bb", "per_1", 8 * SECOND, BOOKED, EFFECTIVE)
    return club.tell(f"allowance/{allowance}", fact)


def reverse(
    club: Club,
    number: int,
    totals: tuple[int, ...],
    booked: str = "2026-12-01",
    table: str = "tbl_a",
) -> int:
    """A hand whose points are undone; its position."""
    fact = e.HandReversed(
        table=table,
        number=number,
        seats=club.members[:4],
        revision=1,
        totals=totals,
        dispute="dsp_1",
        ended_at=(100 * number + 50) * SECOND,
        booked_date=booked,
        effective_date=EFFECTIVE,
    )
    return club.tell(f"hand/{table}/{number}", fact)


def correct(
    club: Club,
    number: int,
    *payments: tuple[int, int, int],
    booked: str = "2026-12-01",
    table: str = "tbl_a",
) -> int:
    """A hand whose points are booked anew; its position."""
    as_settled = settled(table, club.members[:4], payments, number)
    fact = e.HandCorrected(
        table=table,
        number=number,
        ruleset=KEY,
        seats=as_settled.seats,
        end="unknown",
        totals=as_settled.totals,
        payments=tuple(Paid(*one, "entered", (), "huaihua/1 C5") for one in payments),
        wins=(),
        not_counted=(),
        outcome=None,
        dispute="dsp_1",
        ended_at=as_settled.ended_at,
        booked_date=booked,
        effective_date=EFFECTIVE,
    )
    return club.tell(f"hand/{table}/{number}", fact)


def close(
    club: Club,
    number: int,
    balances: dict[int, int],
    mode: e.Carrying = "clear",
    last: str = EFFECTIVE,
) -> int:
    """A closing of the books; its position."""
    fact = e.PeriodClosed(
        number=number,
        first="2026-11-01",
        last=last,
        mode=mode,
        balances=lines(club, balances),
        carried=(),
        position=1,
        note=None,
        by="per_1",
        at=9 * SECOND,
        booked_date="2026-12-01",
    )
    return club.tell(f"period/{club.id}", fact)


def reopen(club: Club, number: int, points: dict[int, int], last: str = EFFECTIVE) -> int:
    """A closing that is undone; its position."""
    given = lines(club, points)
    fact = e.PeriodReopened(number, last, given, "cc", "per_1", 10 * SECOND, "2026-12-02")
    return club.tell(f"period/{club.id}", fact)


def dispute(club: Club, name: str, number: int = 1) -> int:
    """A dispute about a hand of table a."""
    filed = e.DisputeFiled(
        table="tbl_a",
        number=number,
        seats=club.members[:4],
        revision=1,
        member=club.members[0],
        totals=None,
        outcome=None,
        note="aa",
        stake=0,
        by="per_1",
        at=11 * SECOND,
        answer_until=12 * SECOND,
        decide_until=13 * SECOND,
    )
    return club.tell(f"dispute/{name}", filed)


def decided(*, final: bool) -> e.DisputeDecided:
    """A ruling that changes nothing."""
    return e.DisputeDecided(
        ruling="uphold",
        reason="rules",
        rule=None,
        note=None,
        revision=1,
        by="per_2",
        proposed_by=None,
        at=12 * SECOND,
        final=final,
        appeal_until=None if final else 14 * SECOND,
    )
