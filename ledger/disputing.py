"""Disputes 争议: a hand's points doubted, decided, booked anew.

One dispute at a time is open about a hand, and no other while its ruling can be appealed against.
What is decided and what it books are one append.
"""

from __future__ import annotations

import sqlalchemy as sa
import structlog
from msgspec.structs import replace
from sqlalchemy import Connection, delete, insert, select

from ledger import booked, docket, parties, seating, store
from ledger.access import Caller
from ledger.acts import Desk, named, noted, order_of
from ledger.booked import Booked
from ledger.claiming import Claim, Preview, outcome_of, previewed
from ledger.docket import PARAGRAPH, Verdict, find
from ledger.events import Ruling
from ledger.orders import Order, Part
from ledger.perform import Beside, Done, Ledger, perform, perform_as_seen
from ledger.refusal import Refused
from ledger.rights import WORKER
from ledger.streams.dispute import (
    OPEN,
    AnswerDispute,
    AppealDispute,
    ApproveDecision,
    DecideDispute,
    DisputeCommand,
    ExpireDispute,
    WithdrawDispute,
)
from ledger.streams.hearing import Dispute
from ledger.streams.settlement import ReviseHand

__all__ = [
    "OPEN",
    "PARAGRAPH",
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


open_disputes = sa.Table(
    "open_disputes",
    METADATA,
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("hand", sa.Text, primary_key=True),
    sa.Column("dispute", sa.Text, nullable=False),
    sa.Column("due", sa.BigInteger, nullable=False, index=True),
)


def file(desk: Desk, table: str, number: int, claim: Claim, note: str | None) -> Done:
    """Doubt a hand's points: as a member who sat in it, or else as an officer of the club."""
    digest, keep = noted(desk, note)
    name = named(desk, "dsp")

    def asking(connection: Connection) -> tuple[Order, Beside]:
        hand = booked.find(connection, desk.club, table, number)
        filing = docket.filing(connection, desk.club, desk.caller, hand, claim, digest)
        guarded = replace(_order(desk, name, filing), guards=(docket.newest(filing, name),))
        return guarded, _kept(desk, name, _unchanged(connection, desk, keep))

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
    member, actor = desk.caller.as_member(), desk.caller.actor

    def asking(connection: Connection) -> tuple[Order, Beside]:
        found, hours = docket.found(connection, desk.club, dispute)
        order = _order(desk, dispute, AppealDispute(member, digest, actor, hours))
        guarded = replace(order, guards=(docket.appealing(dispute, found),))
        return guarded, _kept(desk, dispute, keep)

    return perform_as_seen(desk.ledger, desk.caller, desk.club, asking)


def decide(desk: Desk, dispute: str, verdict: Verdict) -> Done:
    """Rule on a dispute, and book what the ruling says; or propose it, where it takes two."""
    digest, keep = noted(desk, verdict.note)

    def asking(connection: Connection) -> tuple[Order, Beside]:
        found, hours = docket.found(connection, desk.club, dispute)
        hand = booked.find(connection, desk.club, found.table, found.number)
        ruling = docket.ruling(connection, desk.club, desk.caller, hand, verdict, digest, hours)
        order = _order(desk, dispute, ruling, *_alone(dispute, hand, ruling, verdict))
        return order, _kept(desk, dispute, _unchanged(connection, desk, keep))

    return perform_as_seen(desk.ledger, desk.caller, desk.club, asking)


def approve(desk: Desk, dispute: str, seen: int) -> Done:
    """Agree, as a second person, to the decision that waits, and book what it says.

    `seen` is the version of the dispute at which it was read: whoever replaced the decision since
    has it read again (`version_stale`).
    """

    def asking(connection: Connection) -> tuple[Order, Beside]:
        found, hours = docket.found(connection, desk.club, dispute)
        hand = booked.find(connection, desk.club, found.table, found.number)
        members = parties.ever(connection, desk.club, desk.caller)
        command = ApproveDecision(desk.caller.actor, members, hand.money.version, hours)
        told = found.proposal
        right = Claim() if told is None else Claim(told.totals, told.outcome)
        parts = () if told is None else _parts(dispute, hand, told.ruling, right)
        order = replace(_order(desk, dispute, command, *parts), expected=seen)
        return order, _kept(desk, dispute, lambda _: None)

    return perform_as_seen(desk.ledger, desk.caller, desk.club, asking)


def correct(desk: Desk, table: str, number: int, verdict: Verdict) -> Done:
    """File and decide in one act, as a referee who sees that a hand was entered wrongly.

    Above the club's limit it waits for a second person, as any decision does. Refuses what cannot
    be filed: a dispute is open about the hand (`dispute_open`), its ruling can be appealed against
    (`appeal_instead`), or it was the last (`hand_final`).
    """
    digest, keep = noted(desk, verdict.note)
    name = named(desk, "dsp")

    def asking(connection: Connection) -> tuple[Order, Beside]:
        hand = booked.find(connection, desk.club, table, number)
        filing = docket.filing(connection, desk.club, desk.caller, hand, verdict.right, digest)
        ruling = docket.ruling(
            connection, desk.club, desk.caller, hand, verdict, digest, filing.hours
        )
        order = _order(desk, name, filing, *_alone(name, hand, ruling, verdict))
        guards = (docket.newest(filing, name),)
        both = replace(order, commands=(filing, ruling), guards=guards)
        return both, _kept(desk, name, _unchanged(connection, desk, keep))

    return perform_as_seen(desk.ledger, desk.caller, desk.club, asking)


def preview(desk: Desk, table: str, number: int, right: Claim, *, void: bool = False) -> Preview:
    """What a decision about a hand would book, line by line; nothing is written."""
    with desk.ledger.database.read() as connection:
        hand = booked.find(connection, desk.club, table, number)
        limit = seating.club_limits(connection, desk.club).correction
    return previewed(hand, limit, right, void=void)


def would_move(connection: Connection, club: str, found: Dispute) -> tuple[int, ...]:
    """What a decision that waits for a second person would book, by seat; zeros where none does."""
    told = found.proposal
    if told is None or found.state not in OPEN:
        return (0,) * len(found.seats)
    hand = booked.find(connection, club, found.table, found.number)
    right = Claim(told.totals, told.outcome)
    seen = previewed(hand, None, right, void=told.ruling == "void")
    return tuple(new - old for old, new in zip(seen.before, seen.after, strict=True))


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
            row = {**hand, "dispute": dispute, "due": found.decide_until}
            connection.execute(insert(open_disputes).values(row))

    return beside


def _unchanged(connection: Connection, desk: Desk, keep: Beside) -> Beside:
    """Keeps what belongs to an order, if the club's limit and hours are still those it was made by.

    Otherwise it is made anew: the log must have been decided by what stands before it.
    """
    seen = docket.law(connection, desk.club)

    def beside(writing: Connection) -> None:
        if docket.law(writing, desk.club) != seen:
            raise Refused("guard_stale")
        keep(writing)

    return beside


def _alone(dispute: str, hand: Booked, ruling: DecideDispute, verdict: Verdict) -> tuple[Part, ...]:
    """What a ruling writes into the hand's own stream, unless it waits for a second person."""
    if ruling.limit is not None and ruling.moves > ruling.limit:
        return ()
    return _parts(dispute, hand, verdict.ruling, verdict.right)


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
