"""Disputes 争议: a hand's points doubted, decided, booked anew.

One dispute at a time is open about a hand. What is decided and what it books are one append.
"""

from __future__ import annotations

import re

import sqlalchemy as sa
import structlog
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection, delete, insert, select

from ledger import access, booked, codec, seating, store
from ledger.access import Caller
from ledger.acts import Desk, named, noted, order_of
from ledger.booked import Booked
from ledger.claiming import Claim, Preview, comes_to, moved, outcome_of, previewed, stands_of
from ledger.events import Ruling
from ledger.orders import Order, Part
from ledger.perform import Beside, Done, Ledger, perform, perform_as_seen
from ledger.refusal import Refused
from ledger.rights import WORKER
from ledger.streams import dispute as dispute_stream
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
from ledger.streams.settlement import ReviseHand

__all__ = [
    "Claim",
    "Preview",
    "Verdict",
    "answer",
    "appeal",
    "approve",
    "correct",
    "decide",
    "doubted_since",
    "expire_due",
    "file",
    "find",
    "open_of",
    "preview",
    "withdraw",
]

METADATA = sa.MetaData()
log = structlog.get_logger()

PARAGRAPH = r"(?:[a-z]+/[0-9]+ [A-Z][0-9]+(?:\.[0-9]+)*|common [a-z0-9]+)"
"""How a paragraph of the rules is named: `huaihua/1 C5.1`, `common cap`."""
OPEN = ("open", "answered", "appealed")
"""The states in which a dispute waits for a decision."""

open_disputes = sa.Table(
    "open_disputes",
    METADATA,
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("hand", sa.Text, primary_key=True),
    sa.Column("dispute", sa.Text, nullable=False),
    sa.Column("due", sa.BigInteger, nullable=False, index=True),
)


class Verdict(Struct, frozen=True):
    """A referee's decision: the ruling, a word for why, the paragraph, and what is right."""

    ruling: Ruling
    reason: str
    rule: str | None = None
    note: str | None = None
    right: Claim = Claim()


def file(desk: Desk, table: str, number: int, claim: Claim, note: str | None) -> Done:
    """Doubt a hand's points: as the member who one is, or as an officer of the club."""
    digest, keep = noted(desk, note)
    name, caller = named(desk, "dsp"), desk.caller
    officer = caller.has("referee", "owner", access.OPERATOR)
    member = None if officer else caller.member

    def asking(connection: Connection) -> tuple[Order, Beside]:
        hand = booked.find(connection, desk.club, table, number)
        command = _filing(connection, desk, hand, claim, member, digest)
        return _order(desk, name, command), _kept(desk, name, keep)

    return perform_as_seen(desk.ledger, desk.caller, desk.club, asking)


def answer(desk: Desk, dispute: str, note: str | None) -> Done:
    """Say, as another member who sat in the hand, what one has to say."""
    digest, keep = noted(desk, note)
    command = AnswerDispute(desk.caller.as_member(), digest, desk.caller.actor)
    return _on(desk, dispute, command, keep)


def withdraw(desk: Desk, dispute: str, note: str | None) -> Done:
    """Take a dispute back that one has filed."""
    digest, keep = noted(desk, note)
    command = WithdrawDispute(digest, desk.caller.actor, desk.caller.member)
    return _on(desk, dispute, command, keep)


def appeal(desk: Desk, dispute: str, note: str | None) -> Done:
    """Ask, as a member who sat in the hand, that another person decide."""
    digest, keep = noted(desk, note)
    with desk.ledger.database.read() as connection:
        hours = _hours(connection, desk.club)
    command = AppealDispute(desk.caller.as_member(), digest, desk.caller.actor, hours)
    return _on(desk, dispute, command, keep)


def decide(desk: Desk, dispute: str, verdict: Verdict) -> Done:
    """Rule on a dispute, and book what the ruling says; or propose it, where it takes two."""
    digest, keep = noted(desk, verdict.note)

    def asking(connection: Connection) -> tuple[Order, Beside]:
        found = find(connection, desk.club, dispute)
        hand = booked.find(connection, desk.club, found.table, found.number)
        ruling = _ruling(connection, desk, hand, verdict, digest)
        alone = ruling.limit is None or ruling.moves <= ruling.limit
        parts = _parts(dispute, hand, verdict.ruling, verdict.right) if alone else ()
        return _order(desk, dispute, ruling, *parts), _kept(desk, dispute, keep)

    return perform_as_seen(desk.ledger, desk.caller, desk.club, asking)


def approve(desk: Desk, dispute: str) -> Done:
    """Agree, as a second person, to the decision that waits, and book what it says."""

    def asking(connection: Connection) -> tuple[Order, Beside]:
        found = find(connection, desk.club, dispute)
        hand = booked.find(connection, desk.club, found.table, found.number)
        actor, member, hours = desk.caller.actor, desk.caller.member, _hours(connection, desk.club)
        command = ApproveDecision(actor, member, hand.money.version, hours)
        told = found.proposal
        right = Claim() if told is None else Claim(told.totals, told.outcome)
        parts = () if told is None else _parts(dispute, hand, told.ruling, right)
        return _order(desk, dispute, command, *parts), _kept(desk, dispute, lambda _: None)

    return perform_as_seen(desk.ledger, desk.caller, desk.club, asking)


def correct(desk: Desk, table: str, number: int, verdict: Verdict) -> Done:
    """File and decide in one act, as a referee who sees that a hand was entered wrongly.

    Above the club's limit it waits for a second person, as any decision does. Refuses a hand about
    which a dispute is open (`dispute_open`): that is to be decided.
    """
    digest, note = noted(desk, verdict.note)
    name = named(desk, "dsp")

    def keep(connection: Connection) -> None:
        note(connection)
        _check_alone(connection, {"club": desk.club, "hand": f"{table}-{number}"})

    def asking(connection: Connection) -> tuple[Order, Beside]:
        hand = booked.find(connection, desk.club, table, number)
        filing = _filing(connection, desk, hand, verdict.right, None, digest)
        ruling = _ruling(connection, desk, hand, verdict, digest)
        alone = ruling.limit is None or ruling.moves <= ruling.limit
        parts = _parts(name, hand, verdict.ruling, verdict.right) if alone else ()
        order = _order(desk, name, filing, *parts)
        both = replace(order, commands=(filing, ruling))
        return both, _kept(desk, name, keep)

    return perform_as_seen(desk.ledger, desk.caller, desk.club, asking)


def preview(desk: Desk, table: str, number: int, right: Claim, *, void: bool = False) -> Preview:
    """What a decision about a hand would book, line by line; nothing is written."""
    with desk.ledger.database.read() as connection:
        hand = booked.find(connection, desk.club, table, number)
        limit = seating.club_limits(connection, desk.club).correction
    return previewed(hand, limit, right, void=void)


def expire_due(ledger: Ledger) -> None:
    """Let the disputes expire that nobody decided in time."""
    with ledger.database.read() as connection:
        over = select(open_disputes).where(open_disputes.c.due < ledger.clock())
        rows = list(connection.execute(over))
    for row in rows:
        desk = Desk(ledger, Caller(WORKER, None, (WORKER,)), row.club)
        try:
            _on(desk, row.dispute, ExpireDispute(), lambda _: None)
        except Refused as refusal:
            log.warning("dispute_not_expired", dispute=row.dispute, code=refusal.code)


def open_of(connection: Connection, club: str) -> tuple[str, ...]:
    """The disputes of a club that are open, by id."""
    found = select(open_disputes.c.dispute).where(open_disputes.c.club == club)
    return tuple(connection.execute(found.order_by(open_disputes.c.dispute)).scalars())


def doubted_since(connection: Connection, club: str, table: str, number: int) -> int | None:
    """The position of the latest step of the dispute that is open about a hand, if one is."""
    here = open_disputes.c.club == club, open_disputes.c.hand == f"{table}-{number}"
    found = select(open_disputes.c.dispute).where(*here)
    name = connection.execute(found).scalar_one_or_none()
    if name is None:
        return None
    return store.read_stream(connection, club, f"dispute/{name}")[-1].position


def find(connection: Connection, club: str, dispute: str) -> Dispute:
    """A dispute as it stands; refuses an unknown one (`dispute_unknown`)."""
    rows = store.read_stream(connection, club, f"dispute/{dispute}")
    found = dispute_stream.fold(codec.unseal(row.type, row.public) for row in rows)
    if found is None:
        raise Refused("dispute_unknown")
    return found


def _on(desk: Desk, dispute: str, command: DisputeCommand, keep: Beside) -> Done:
    order = _order(desk, dispute, command)
    return perform(desk.ledger, desk.caller, order, _kept(desk, dispute, keep))


def _order(desk: Desk, dispute: str, command: DisputeCommand, *also: Part) -> Order:
    return replace(order_of(desk, f"dispute/{dispute}", command), also=also)


def _kept(desk: Desk, dispute: str, keep: Beside) -> Beside:
    """Keeps what belongs to an order, and whether the dispute is open after it, and until when."""

    def beside(connection: Connection) -> None:
        keep(connection)
        found = find(connection, desk.club, dispute)
        hand = {"club": desk.club, "hand": f"{found.table}-{found.number}"}
        here = (open_disputes.c[name] == value for name, value in hand.items())
        mine = open_disputes.c.dispute == dispute
        connection.execute(delete(open_disputes).where(*here, mine))
        if found.state in OPEN:
            _check_alone(connection, hand)
            row = {**hand, "dispute": dispute, "due": found.decide_until}
            connection.execute(insert(open_disputes).values(row))

    return beside


def _check_alone(connection: Connection, hand: dict[str, str]) -> None:
    """Refuse a second open dispute about a hand (`dispute_open`)."""
    same = (open_disputes.c[name] == value for name, value in hand.items())
    other = connection.execute(select(open_disputes.c.dispute).where(*same)).scalar_one_or_none()
    if other is not None:
        raise Refused("dispute_open", dispute=other)


def _filing(
    connection: Connection,
    desk: Desk,
    hand: Booked,
    claim: Claim,
    member: str | None,
    note: str | None,
) -> FileDispute:
    """A dispute of a hand as it stands, with what it is decided on."""
    money, ended = hand.money, hand.ended
    head = store.head(connection, desk.club)
    assert head is not None
    return FileDispute(
        table=money.table,
        number=money.number,
        seats=money.seats,
        revision=money.version,
        booked=stands_of(hand),
        member=member,
        totals=claim.totals,
        outcome=claim.outcome,
        claimed=comes_to(hand, claim),
        note=note,
        by=desk.caller.actor,
        table_ended_at=booked.table_closed_at(connection, desk.club, money.table),
        hours=_hours(connection, desk.club),
        evidence=Evidence(
            ended.first, ended.last, hand.settled, money.ruleset, head.position, head.hash.hex()
        ),
    )


def _ruling(
    connection: Connection, desk: Desk, hand: Booked, verdict: Verdict, note: str | None
) -> DecideDispute:
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
        by=desk.caller.actor,
        member=desk.caller.member,
        moves=moved(stands, after),
        limit=seating.club_limits(connection, desk.club).correction,
        revision=hand.money.version,
        hours=_hours(connection, desk.club),
    )


def _parts(dispute: str, hand: Booked, ruling: Ruling, right: Claim) -> tuple[Part, ...]:
    """What a ruling writes into the hand's own stream."""
    if ruling in ("uphold", "no_fault"):
        return ()
    told = None if right.outcome is None else outcome_of(hand, right.outcome)
    played = hand.ended.hand
    command = ReviseHand(
        dispute=dispute,
        ruling="void" if ruling == "void" else "correct",
        revision=hand.money.version,
        options=played.options,
        cap=played.cap,
        outcome=told,
        totals=right.totals,
    )
    return (Part(f"hand/{hand.money.table}/{hand.money.number}", (command,)),)


def _hours(connection: Connection, club: str) -> Deadlines:
    given = seating.club_deadlines(connection, club)
    return Deadlines(given.file_hours, given.answer_hours, given.decide_hours, given.appeal_hours)
