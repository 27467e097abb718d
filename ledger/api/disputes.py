"""Disputes 争议: filed by who sat in a hand, decided by a referee, corrected in one step."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Response
from sqlalchemy import Connection

from ledger import acts, disputing, limiting, store
from ledger.access import READERS
from ledger.acts import Desk
from ledger.api import edge, proofs
from ledger.api.answers import JSON, answer, tagged
from ledger.api.disputed import RULINGS, Course, DecidedDisputeSchema, DisputeSchema, told
from ledger.api.fields import Body, each, matching, nested, text, whole, word
from ledger.api.rulesets import OutcomeBody
from ledger.api.writing import writes
from ledger.disputing import PARAGRAPH, Claim, Verdict
from ledger.names import LONGEST_NAME
from ledger.outcome import read_outcome
from ledger.perform import Done
from ledger.refusal import Refused
from ledger.streams.dispute import (
    REASONS,
    AnswerDispute,
    AppealDispute,
    ApproveDecision,
    DecideDispute,
    FileDispute,
    WithdrawDispute,
)
from ledger.streams.limits import MOST_POINTS

blueprint = edge.Blueprint("disputes", "Disputes about the points of hands, and what is decided.")


class ClaimBody(Body):
    """What a hand comes to: its points by seat, or its outcome."""

    totals = each(whole(-MOST_POINTS, MOST_POINTS), 2, 4, load_default=None)
    outcome = nested(OutcomeBody, load_default=None)


class FileBody(ClaimBody):
    """A dispute of a hand: what is claimed, or in the note what is wrong."""

    note = text(1, LONGEST_NAME, load_default=None, allow_none=True)


class SayBody(Body):
    """What somebody has to say."""

    note = text(1, LONGEST_NAME, load_default=None, allow_none=True)


class VerdictBody(FileBody):
    """A ruling; a correction says what is right, by points or by an outcome."""

    ruling = word(*RULINGS, required=True)
    reason = word(*REASONS, required=True)
    rule = matching(PARAGRAPH, "rule_form", load_default=None, allow_none=True)


class CorrectBody(VerdictBody):
    """A correction in one step: what is right, or that the hand is void."""

    ruling = word("correct", "void", required=True)


@blueprint.route("/tables/<id:table>/hands/<number:number>/disputes", methods=["POST"])
@writes(FileDispute)
@blueprint.arguments(FileBody)
@blueprint.response(201, DisputeSchema, headers={"ETag": "ETag", "Location": "Location"})
def file_dispute(body: JSON, table: str, number: int) -> Response:
    """Doubt a hand's points: as a member who sat in it, or else as an officer of the club.

    While a ruling on the hand can be appealed against, nobody does; what was decided on an appeal
    is final. What it is decided on is fixed as it stands, and signed where there is a key.
    """
    claim = claim_of(body, table)
    done = disputing.file(edge.desk(), table, number, claim, body["note"])
    return _filed(done, _told(done))


@blueprint.route("/tables/<id:table>/hands/<number:number>/correct", methods=["POST"])
@writes(DecideDispute)
@blueprint.arguments(CorrectBody)
@blueprint.response(201, DecidedDisputeSchema, headers={"ETag": "ETag", "Location": "Location"})
def correct_hand(body: JSON, table: str, number: int) -> Response:
    """File and decide in one act, where a hand was entered wrongly.

    Above the club's limit it waits for a second person, as any decision does. What cannot be
    doubted is not corrected either.
    """
    limiting.books_of(edge.ledger())
    done = disputing.correct(edge.desk(), table, number, _verdict(body, table))
    return _filed(done, {**_told(done), "balances": _balances(done)})


@blueprint.route("/clubs/<id:club>/disputes/<id:dispute>")
@edge.open_to(*READERS, "member")
@blueprint.response(200, DisputeSchema, headers={"ETag": "ETag"})
def get_dispute(club: str, dispute: str) -> Response:
    """A dispute, for those who run the club and those who sat in the hand."""
    caller, now = edge.caller(), edge.ledger().clock()
    with edge.ledger().database.read() as connection:
        course = Course(connection, club, dispute)
        if not caller.has(*READERS) and caller.member not in course.state.seats:
            raise Refused("not_in_hand", member=caller.member)
        return tagged(answer(told(course, now)), course.version)


@blueprint.route("/clubs/<id:club>/disputes/<id:dispute>/answer", methods=["POST"])
@writes(AnswerDispute, version="optional")
@blueprint.arguments(SayBody)
@blueprint.response(200, DisputeSchema, headers={"ETag": "ETag"})
def answer_dispute(body: JSON, club: str, dispute: str) -> Response:
    """Say, as another member who sat in the hand, what one has to say; each does once."""
    return _answer(disputing.answer(edge.desk(), dispute, body["note"]))


@blueprint.route("/clubs/<id:club>/disputes/<id:dispute>/decide", methods=["POST"])
@writes(DecideDispute, version="optional")
@blueprint.arguments(VerdictBody)
@blueprint.response(200, DecidedDisputeSchema, headers={"ETag": "ETag"})
def decide_dispute(body: JSON, club: str, dispute: str) -> Response:
    """Rule on a dispute, and book what the ruling says; or propose it, where it takes two.

    To uphold is to let stand what is booked, after all; it is no fault where nobody did wrong.
    """
    limiting.books_of(edge.ledger())
    with edge.ledger().database.read() as connection:
        table = disputing.find(connection, club, dispute).table
    done = disputing.decide(edge.desk(), dispute, _verdict(body, table))
    return _answer(done, balances=_balances(done))


@blueprint.route("/clubs/<id:club>/disputes/<id:dispute>/approve", methods=["POST"])
@writes(ApproveDecision, version="required")
@blueprint.arguments(Body)
@blueprint.response(200, DecidedDisputeSchema, headers={"ETag": "ETag"})
def approve_decision(body: JSON, club: str, dispute: str) -> Response:
    """Agree, as a second person, to the decision that was seen, and book what it says."""
    limiting.books_of(edge.ledger())
    desk = edge.desk()
    assert desk.asked.expected is not None, "the version is required"
    done = disputing.approve(desk, dispute, desk.asked.expected)
    return _answer(done, balances=_balances(done))


@blueprint.route("/clubs/<id:club>/disputes/<id:dispute>/appeal", methods=["POST"])
@writes(AppealDispute, version="optional")
@blueprint.arguments(SayBody)
@blueprint.response(200, DisputeSchema, headers={"ETag": "ETag"})
def appeal_dispute(body: JSON, club: str, dispute: str) -> Response:
    """Ask, as a member who sat in the hand, that another person decide; once."""
    return _answer(disputing.appeal(edge.desk(), dispute, body["note"]))


@blueprint.route("/clubs/<id:club>/disputes/<id:dispute>/withdraw", methods=["POST"])
@writes(WithdrawDispute, version="optional")
@blueprint.arguments(SayBody)
@blueprint.response(200, DisputeSchema, headers={"ETag": "ETag"})
def withdraw_dispute(body: JSON, club: str, dispute: str) -> Response:
    """Take a dispute back that one has filed, while nobody has ruled on it."""
    return _answer(disputing.withdraw(edge.desk(), dispute, body["note"]))


def here() -> Desk:
    """Where somebody asks, of a request that writes nothing too."""
    return Desk(edge.ledger(), edge.caller(), edge.club())


def claim_of(body: JSON, table: str) -> Claim:
    """What is claimed of a hand at a table: the outcome whole, as settlements have it."""
    totals = None if body["totals"] is None else tuple(body["totals"])
    if body["outcome"] is None:
        return Claim(totals)
    key = acts.rules_of(here(), table).key
    try:
        outcome = read_outcome({"ruleset": key, **edge.body()["outcome"]})
    except Refused as refusal:
        raise refusal.at("/outcome") from None
    whole: dict[str, Any] = msgspec.to_builtins(outcome)
    return Claim(totals, whole)


def _verdict(body: JSON, table: str) -> Verdict:
    right = claim_of(body, table)
    return Verdict(body["ruling"], body["reason"], body["rule"], body["note"], right)


def _filed(done: Done, whole: JSON) -> Response:
    """The answer to who has filed; what he has seen is signed then, where there is a key."""
    if not edge.ledger().database.rehearses:
        proofs.seal(done.club)
    response = tagged(answer(whole, 201, replayed=done.replayed), done.version)
    response.headers["Location"] = f"/v1/clubs/{done.club}/disputes/{whole['id']}"
    return response


def _answer(done: Done, **more: object) -> Response:
    whole = {**_told(done), **more}
    return tagged(answer(whole, replayed=done.replayed), done.version)


def _told(done: Done) -> JSON:
    """The dispute as it was after a write, told again in a retry as it was told first."""
    with edge.ledger().database.read() as connection:
        course = _course(connection, done)
        return told(course, course.rows[-1].recorded_at)


def _course(connection: Connection, done: Done) -> Course:
    return Course(connection, done.club, done.stream.removeprefix("dispute/"), done.version)


def _balances(done: Done) -> list[JSON]:
    """What each member of the hand had before a ruling, what it booked for him, and what then.

    Of one that waits for a second person it is told what it would book.
    """
    ledger = edge.ledger()
    with ledger.database.read() as connection:
        course, head = _course(connection, done), store.head(connection, done.club)
        would = disputing.would_move(connection, done.club, course.state)
    assert head is not None
    seats = course.state.seats
    changes = [0] * len(seats)
    ruled = range(done.first, done.last + 1)
    for row, fact in course.booked:
        if row.position in ruled:
            changes = [old + new for old, new in zip(changes, fact.totals, strict=True)]
    position = done.last or head.position
    had = limiting.books_of(ledger).points_at(ledger.database, done.club, seats, position)
    return [
        {
            "seat": seat,
            "member": member,
            "before": had[member] - change,
            "change": change + more,
            "after": had[member] + more,
        }
        for seat, (member, change, more) in enumerate(zip(seats, changes, would, strict=True))
    ]
