"""The file of a dispute 卷宗: what there is to know when a hand is doubted, or decided on."""

from __future__ import annotations

import re

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection

from ledger import booked, codec, parties, seating, store
from ledger.access import Caller
from ledger.booked import Booked
from ledger.claiming import Claim, comes_to, measure, stands_of
from ledger.events import DeadlinesSet, Ruling
from ledger.parties import OFFICERS
from ledger.refusal import Refused
from ledger.rights import as_now
from ledger.store import Guard, Stored
from ledger.streams import dispute as dispute_stream
from ledger.streams.club import DEADLINES
from ledger.streams.dispute import (
    Deadlines,
    DecideDispute,
    Dispute,
    Earlier,
    Evidence,
    FileDispute,
    given,
)

PARAGRAPH = r"(?:[a-z]+/[0-9]+ [A-Z][0-9]+(?:\.[0-9]+)*|common [a-z0-9]+)"
"""How a paragraph of the rules is named: `huaihua/1 C5.1`, `common cap`."""


class Verdict(Struct, frozen=True):
    """A referee's decision: the ruling, a word for why, the paragraph, and what is right."""

    ruling: Ruling
    reason: str
    rule: str | None = None
    note: str | None = None
    right: Claim = Claim()


def find(connection: Connection, club: str, dispute: str) -> Dispute:
    """A dispute as it stands; refuses an unknown one (`dispute_unknown`)."""
    return _read(connection, club, dispute)[0]


def as_seen(connection: Connection, club: str, dispute: str) -> tuple[Dispute, int]:
    """A dispute as it stands, and the version that it is."""
    found, rows = _read(connection, club, dispute)
    return found, rows[-1].version


def found(connection: Connection, club: str, dispute: str) -> tuple[Dispute, Deadlines]:
    """A dispute as it stands, and the hours that go for it: those of when it was filed."""
    read, rows = _read(connection, club, dispute)
    return read, given(_hours_at(connection, club, rows[0].position))


def _read(connection: Connection, club: str, dispute: str) -> tuple[Dispute, list[Stored]]:
    """A dispute as it stands, and its events."""
    rows = store.read_stream(connection, club, f"dispute/{dispute}")
    found = dispute_stream.fold(codec.unseal(row.type, row.public) for row in rows)
    if found is None:
        raise Refused("dispute_unknown")
    return found, rows


def law(connection: Connection, club: str) -> tuple[int | None, DeadlinesSet]:
    """What one person may move alone in a club, and its hours."""
    limit = seating.club_limits(connection, club).correction
    return limit, seating.club_deadlines(connection, club)


def newest(filing: FileDispute, name: str) -> Guard:
    """Lets a dispute be the last one about its hand, after the one that was it before."""
    last = filing.earlier
    before = None if last is None else _held(last.id, last.dispute)
    return Guard(_key(filing.table, filing.number), before, name)


def appealing(name: str, found: Dispute) -> Guard:
    """Lets a dispute be appealed against, if it still is the last one about its hand."""
    return Guard(_key(found.table, found.number), _held(name, found), f"{name} appealed")


def _key(table: str, number: int) -> str:
    """The guard that holds the last dispute that was filed about a hand."""
    return f"dispute/{table}-{number}"


def _held(name: str, found: Dispute) -> str:
    """What the guard holds of a dispute: an appeal changes it, so none is overtaken by a filing."""
    return f"{name} appealed" if found.appeal else name


def filing(
    connection: Connection,
    club: str,
    caller: Caller,
    hand: Booked,
    claim: Claim,
    note: str | None,
) -> FileDispute:
    """A dispute of a hand as it stands, with what it is decided on."""
    money, ended = hand.money, hand.ended
    head = store.head(connection, club)
    assert head is not None
    closed_at, hours = _closing(connection, club, money.table)
    return FileDispute(
        table=money.table,
        number=money.number,
        seats=money.seats,
        revision=money.version,
        booked=stands_of(hand),
        members=parties.ever(connection, club, caller),
        officer=as_now(connection, caller, club).has(*OFFICERS),
        totals=claim.totals,
        outcome=claim.outcome,
        claimed=comes_to(hand, claim),
        note=note,
        by=caller.actor,
        table_ended_at=closed_at,
        hours=hours,
        evidence=Evidence(
            ended.first, ended.last, hand.settled, money.ruleset, head.position, head.hash.hex()
        ),
        earlier=_earlier(connection, club, hand),
    )


def _earlier(connection: Connection, club: str, hand: Booked) -> Earlier | None:
    """The last dispute that was filed about a hand."""
    held = store.guard(connection, club, _key(hand.money.table, hand.money.number))
    if held is None:
        return None
    name = held.split()[0]
    return Earlier(name, find(connection, club, name))


def _closing(connection: Connection, club: str, table: str) -> tuple[int | None, Deadlines]:
    """When a match ended, if it has, and the hours that go for a dispute that is filed now.

    To file there are those that the club gave then.
    """
    hours = given(_hours_at(connection, club, store.NO_END))
    closed = store.latest(connection, club, f"table/{table}", "TableClosed/1")
    if closed is None:
        return None, hours
    then = given(_hours_at(connection, club, closed.position))
    return booked.table_closed_at(connection, club, table), replace(hours, file=then.file)


def _hours_at(connection: Connection, club: str, position: int) -> DeadlinesSet:
    """The hours that a club had set before a position of its log."""
    set_then = [
        row
        for row in store.of_type(connection, club, "club", "DeadlinesSet/1")
        if row.position < position
    ]
    if not set_then:
        return DEADLINES
    fact = codec.unseal(set_then[-1].type, set_then[-1].public).fact
    assert isinstance(fact, DeadlinesSet)
    return fact


def ruling(
    connection: Connection,
    club: str,
    caller: Caller,
    hand: Booked,
    verdict: Verdict,
    note: str | None,
    hours: Deadlines,
) -> DecideDispute:
    """A ruling on a hand as it stands; refuses what names no paragraph (`rule_form`)."""
    if verdict.rule is not None and re.fullmatch(PARAGRAPH, verdict.rule) is None:
        raise Refused("rule_form", pointer="/rule")
    stands, right = stands_of(hand), verdict.right
    after = (0,) * len(stands) if verdict.ruling == "void" else comes_to(hand, right) or stands
    return DecideDispute(
        ruling=verdict.ruling,
        reason=verdict.reason,
        rule=verdict.rule,
        note=note,
        totals=right.totals,
        outcome=right.outcome,
        by=caller.actor,
        members=parties.ever(connection, club, caller),
        moves=measure(hand, after),
        limit=seating.club_limits(connection, club).correction,
        revision=hand.money.version,
        hours=hours,
    )
