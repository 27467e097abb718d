"""The journal: each member's entries 流水 and statement 对账单, and all entries of the club."""

from __future__ import annotations

from flask import Response
from marshmallow import fields
from sqlalchemy import Connection

from ledger import access
from ledger.access import BOOKS
from ledger.api import edge, shown
from ledger.api.answers import JSON, Shown, answer, list_of, page_answer, page_of
from ledger.api.fields import Query, QueryInvalid, day, digits, text, word
from ledger.api.members import CODE
from ledger.refusal import Refused
from ledger.telling import time_text
from projections import statement as told
from projections.api.books import ACCOUNT
from projections.api.lookup import ListQuery, reading
from projections.journal import JOURNAL, KINDS
from projections.statement import BEGINNING, DAYS, END, Entry, Posted, Posting, Wanted

blueprint = edge.Blueprint("journal", "The journal: why points moved, entry by entry.")

ENTRY = "jrn_[1-9][0-9]*"
FIRST = {"description": "The first business day, included; without it, from the beginning."}
LAST = {"description": "The last business day, included; without it, up to now."}


class StatementQuery(Query):
    """Over which days, by when it was booked or by when it counts; and which page."""

    first = day(load_default=BEGINNING, metadata=FIRST)
    last = day(load_default=END, metadata=LAST)
    by = word(*DAYS, load_default="booked")
    limit = digits(1, 100, load_default=20)
    starting_after = text(1, 64)
    ending_before = text(1, 64)
    min_position = digits(0, load_default=0)


class JournalQuery(ListQuery):
    """Which entries: of a kind, an account, a table, a hand, a dispute, booked on some days."""

    kind = word(*KINDS)
    account = text(1, 64)
    table = text(1, 64)
    hand = text(1, 64)
    dispute = text(1, 64)
    first = day(metadata=FIRST)
    last = day(metadata=LAST)


class CounterpartySchema(Shown):
    """What came from another member; below zero it went there."""

    member = shown.id_of("mem")
    points = fields.Integer()


class BookedSchema(Shown):
    """An entry: why points moved, when, and what it is linked with."""

    id = shown.shaped(ENTRY)
    created_at = fields.DateTime()
    kind = shown.one_of(*KINDS)
    table = shown.id_of("tbl", allow_none=True)
    hand = shown.hand_id(allow_none=True)
    allowance = shown.id_of("alw", allow_none=True)
    dispute = shown.id_of("dsp", allow_none=True)
    period = shown.within(1, allow_none=True)
    reason = fields.String(allow_none=True)
    note = fields.String(allow_none=True)
    reverses = shown.shaped(ENTRY, allow_none=True)
    reversed_by = shown.shaped(ENTRY, allow_none=True)
    corrects = shown.shaped(ENTRY, allow_none=True)
    occurred_at = fields.DateTime()
    effective_date = fields.Date()
    booked_date = fields.Date()
    booked_at = fields.DateTime()
    position = shown.within(1)


class EntrySchema(BookedSchema):
    """What an entry did to a member's account."""

    object = shown.the("entry")
    member = shown.id_of("mem")
    points = fields.Integer()
    balance_after = fields.Integer()
    version = shown.within(1)
    counterparties = fields.List(fields.Nested(CounterpartySchema))


EntryList = list_of(EntrySchema, "EntryList")


class StatementLineSchema(EntrySchema):
    """A line of a statement; what it leaves runs on from the opening, in the statement's order."""

    class Meta:
        """`in` is a word of Python's."""

        include = {"in": shown.within(0), "out": shown.within(0)}


class StatementSchema(Shown):
    """What a member had before some days, what came and went in them, and what he had then."""

    object = shown.the("statement")
    member = shown.id_of("mem")
    first = fields.Date(allow_none=True)
    last = fields.Date(allow_none=True)
    by = shown.one_of(*DAYS)
    opening = fields.Integer()
    total_in = shown.within(0)
    total_out = shown.within(0)
    closing = fields.Integer()
    data = fields.List(fields.Nested(StatementLineSchema))
    has_more = fields.Boolean()
    url = fields.String()


class JournalEntrySchema(BookedSchema):
    """An entry of the journal, and who booked it; its lines sum to zero."""

    object = shown.the("journal_entry")
    actor = fields.String()
    role = fields.String()
    lines = shown.within(0)
    amount = shown.within(0)


JournalEntryList = list_of(JournalEntrySchema, "JournalEntryList")


class PostingSchema(Shown):
    """A line of an entry: what it did to one account."""

    line = shown.within(1)
    account = shown.shaped(ACCOUNT)
    code = shown.shaped(CODE, allow_none=True)
    points = fields.Integer()
    balance_after = fields.Integer()
    version = shown.within(1)
    counterparties = fields.List(fields.Nested(CounterpartySchema))


class WholeEntrySchema(JournalEntrySchema):
    """An entry of the journal with its lines."""

    postings = fields.List(fields.Nested(PostingSchema))


@blueprint.route("/clubs/<id:club>/members/<member:member>/entries")
@edge.open_to(*BOOKS, "member")
@blueprint.arguments(ListQuery, location="query")
@blueprint.response(200, EntryList)
def list_entries(query: JSON, club: str, member: str) -> Response:
    """A member's entries, the newest first."""
    edge.require_own(member, *BOOKS)
    with reading(JOURNAL, club, query) as connection:
        _require_member(connection, club, member)
        rows, more = told.member_entries(connection, club, member, page_of(query))
        data = [_line(connection, club, row) for row in rows]
    return page_answer(data, more, query)


@blueprint.route("/clubs/<id:club>/members/<member:member>/statement")
@edge.open_to(*BOOKS, "member")
@blueprint.arguments(StatementQuery, location="query")
@blueprint.response(200, StatementSchema, headers={"Link": "Link"})
def get_statement(query: JSON, club: str, member: str) -> Response:
    """A member's statement over some business days: opening, lines from the oldest on, closing.

    By when entries were booked, or by when they count. The totals are of all the days, whatever
    the page.
    """
    edge.require_own(member, *BOOKS)
    first, last = _days(query)
    with reading(JOURNAL, club, query) as connection:
        _require_member(connection, club, member)
        made = told.statement(connection, club, member, first, last, query["by"], page_of(query))
        data = [_statement_line(connection, club, row) for row in made.lines]
    head = {
        "member": member,
        "first": None if first == BEGINNING else first,
        "last": None if last == END else last,
        "by": query["by"],
        "opening": made.opening,
        "total_in": made.came,
        "total_out": made.went,
        "closing": made.closing,
    }
    return page_answer(data, made.more, query, object="statement", **head)


@blueprint.route("/clubs/<id:club>/journal")
@edge.open_to(*BOOKS)
@blueprint.arguments(JournalQuery, location="query")
@blueprint.response(200, JournalEntryList)
def list_journal(query: JSON, club: str) -> Response:
    """The entries of the club's journal, the newest first; days are those of booking."""
    _days(query)
    with reading(JOURNAL, club, query) as connection:
        wanted = {name: query.get(name) for name in Wanted.__struct_fields__}
        if wanted["account"] is not None:
            wanted["account"] = edge.member_id(connection, club, wanted["account"])
        rows, more = told.club_journal(connection, club, page_of(query), Wanted(**wanted))
        data = [_entry(connection, club, row) for row in rows]
    return page_answer(data, more, query)


@blueprint.route("/clubs/<id:club>/journal/<id:entry>")
@edge.open_to(*BOOKS)
@blueprint.response(200, WholeEntrySchema)
def get_entry(club: str, entry: str) -> Response:
    """An entry of the journal with its lines, which sum to zero."""
    with edge.ledger().database.read() as connection:
        found = told.entry(connection, club, entry)
        if found is None:
            raise Refused("entry_unknown", entry=entry)
        booked, lines = found
        codes = _codes(connection, club, [line.account for line in lines])
        whole = _entry(connection, club, booked)
    return answer({**whole, "postings": [_posting(line, codes) for line in lines]})


def _days(query: JSON) -> tuple[str, str]:
    """The first and the last day that are asked for, in that order."""
    first, last = query.get("first", BEGINNING), query.get("last", END)
    if first > last:
        raise QueryInvalid({"first": ["dates_crossed"]})
    return first, last


def _require_member(connection: Connection, club: str, member: str) -> None:
    if member not in access.find_members(connection, club, (member,)):
        raise Refused("member_unknown", member=member)


def _booked(connection: Connection, club: str, row: Entry) -> JSON:
    """What an entry says to everybody whom it concerns."""
    return {
        "id": row.id,
        "created_at": time_text(row.booked_at),
        "kind": row.kind,
        "table": row.table,
        "hand": row.table and f"{row.table}-{row.number}",
        "allowance": row.allowance,
        "dispute": row.dispute,
        "period": row.period,
        "reason": row.reason,
        "note": row.note and access.find_text(connection, club, row.note),
        **{link: _id(getattr(row, link)) for link in ("reverses", "reversed_by", "corrects")},
        "occurred_at": time_text(row.occurred_at),
        "effective_date": row.effective_date,
        "booked_date": row.booked_date,
        "booked_at": time_text(row.booked_at),
        "position": row.position,
    }


def _id(position: int | None) -> str | None:
    return None if position is None else f"jrn_{position}"


def _line(connection: Connection, club: str, row: Posted) -> JSON:
    """An entry as a line of a member's."""
    line = row.posting
    return {
        "object": "entry",
        **_booked(connection, club, row.entry),
        "member": line.account,
        "points": line.points,
        "balance_after": line.balance_after,
        "version": line.version,
        "counterparties": line.counterparties,
    }


def _statement_line(connection: Connection, club: str, row: Posted) -> JSON:
    points = row.posting.points
    moved = {"in": max(points, 0), "out": max(-points, 0)}
    return {**_line(connection, club, row), **moved}


def _entry(connection: Connection, club: str, row: Entry) -> JSON:
    by = {"actor": row.actor, "role": row.role, "lines": row.lines, "amount": row.amount}
    return {"object": "journal_entry", **_booked(connection, club, row), **by}


def _codes(connection: Connection, club: str, of: list[str]) -> dict[str, str]:
    """The codes of the members among some accounts."""
    found = access.find_members(connection, club, tuple(of))
    return {member: row.code for member, row in found.items()}


def _posting(line: Posting, codes: dict[str, str]) -> JSON:
    return {
        "line": line.line,
        "account": line.account,
        "code": codes.get(line.account),
        "points": line.points,
        "balance_after": line.balance_after,
        "version": line.version,
        "counterparties": line.counterparties,
    }
