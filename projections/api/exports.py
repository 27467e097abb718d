"""Exports 导出: asked for, made by a worker, and fetched by a link that holds for a while."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import msgspec
from flask import Response, current_app, send_file
from marshmallow import fields

from ledger import codec, exports
from ledger.access import BOOKS
from ledger.api import edge, shown
from ledger.api.answers import (
    JSON,
    PageQuery,
    Shown,
    answer,
    list_of,
    page_answer,
    page_of,
    time_or_none,
)
from ledger.api.edge import View
from ledger.api.fields import Body, Query, day, digits, each, matching, text, whole, word
from ledger.api.problem import language
from ledger.api.writing import once
from ledger.exports import STATES, Export
from ledger.refusal import Refused
from ledger.rules.catalog import CATALOG
from ledger.telling import time_text
from ledger.texts import sentence
from projections.exports.asked import LANGUAGES, Asked
from projections.exports.asking import allow, of_period, read_asked, read_kept, readable
from projections.exports.catalog import KINDS
from projections.exports.forms import FORMS
from projections.exports.making import MANIFEST, File
from projections.journal import KINDS as ENTRY_KINDS
from projections.statement import DAYS

EXTENSION = "paizhang.exports"
FILE = {"type": "string", "contentEncoding": "binary"}
LINK_SECONDS = 900
"""How long a link to a file holds."""
SECOND = 1_000_000
MOST_COLUMNS = 100
FILTERS = {"additionalProperties": {"type": ["string", "integer"]}}
"""What an export is narrowed by, by name."""

blueprint = edge.Blueprint("exports", "Exports: files that add up, for accountants and programs.")
files = edge.Blueprint("export_files", "The files of exports.", keyed=False)


@dataclass(frozen=True)
class Shelf:
    """Where the files of exports lie, for how many days, and who is told that one is asked for."""

    folder: Path
    days: int
    hint: Callable[[str], None]


class ExportBody(Body):
    """What is asked for: a kind in a format, and which part of it."""

    kind = word(*KINDS, required=True)
    format = word(*FORMS, required=True)
    language = word(*LANGUAGES, load_default="en")
    first = day(load_default=None, allow_none=True)
    last = day(load_default=None, allow_none=True)
    period = whole(1, load_default=None, allow_none=True)
    by = word(*DAYS, load_default=None, allow_none=True)
    member = text(1, 64, load_default=None, allow_none=True)
    entry_kind = word(*ENTRY_KINDS, load_default=None, allow_none=True)
    table = text(1, 64, load_default=None, allow_none=True)
    ruleset = word(*CATALOG, load_default=None, allow_none=True)
    columns = each(text(1, 64), 0, MOST_COLUMNS, load_default=list)
    timezone = text(1, 64, load_default=None, allow_none=True)
    position = whole(1, load_default=None, allow_none=True)


class ExportsQuery(PageQuery):
    """Which exports: of a kind."""

    kind = word(*KINDS)


class LinkQuery(Query):
    """Until when a link holds, and its signature."""

    until = digits(1, required=True)
    signature = matching("[0-9a-f]{64}", "export_link_form", required=True)


class ExportFileSchema(Shown):
    """A file of an export; its link holds for a quarter of an hour, and is asked for anew."""

    name = fields.String()
    bytes = shown.within(0)
    sha256 = shown.digest()
    url = fields.String()


class ExportProgressSchema(Shown):
    """How many rows are written, and of how many where that is known."""

    rows = shown.within(0)
    of = shown.within(0, allow_none=True)


class ExportFailureSchema(Shown):
    """Why an export could not be made."""

    code = fields.String()
    detail = fields.String()


class ManifestFileSchema(Shown):
    """A file as the manifest has it."""

    name = fields.String()
    bytes = shown.within(0)
    sha256 = shown.digest()


class ControlSchema(Shown):
    """What the books say that an export of them must come to, asked of them apart."""

    number_of_entries = shown.within(0)
    total_debit = shown.within(0)
    total_credit = shown.within(0)
    entries_without_lines = shown.within(0)


class ManifestSchema(Shown):
    """Of what an export is, as of which position, what it comes to, and the hashes."""

    object = shown.the("manifest")
    kind = shown.one_of(*KINDS)
    format = shown.one_of(*FORMS)
    language = shown.one_of(*LANGUAGES)
    club = shown.id_of("club")
    club_name = fields.String()
    timezone = fields.String()
    day_cutoff = shown.shaped("[0-2][0-9]:[0-5][0-9]")
    filters = fields.Dict(metadata=FILTERS)
    position = shown.within(1)
    head = shown.digest()
    commodity = shown.the("PTS")
    control = fields.Nested(ControlSchema, metadata={"optional": True})
    columns = fields.List(fields.String())
    rows = shown.within(0)
    totals = fields.Dict(metadata={"additionalProperties": {"type": "integer"}})
    content_sha256 = shown.digest()
    files = fields.List(fields.Nested(ManifestFileSchema))
    software = fields.String()
    generated_at = fields.DateTime()


class ExportSchema(Shown):
    """An export; once it is complete with what its manifest says, and its files."""

    object = shown.the("export")
    id = shown.id_of("exp")
    created_at = fields.DateTime()
    kind = shown.one_of(*KINDS)
    format = shown.one_of(*FORMS)
    language = shown.one_of(*LANGUAGES)
    filters = fields.Dict(metadata=FILTERS)
    columns = fields.List(fields.String())
    timezone = fields.String(allow_none=True)
    actor = fields.String()
    role = fields.String()
    status = shown.one_of(*STATES)
    progress = fields.Nested(ExportProgressSchema)
    error = fields.Nested(ExportFailureSchema, allow_none=True)
    manifest = fields.Nested(ManifestSchema, allow_none=True)
    files = fields.List(fields.Nested(ExportFileSchema))
    ended_at = fields.DateTime(allow_none=True)
    expires_at = fields.DateTime()


ExportList = list_of(ExportSchema, "ExportList")


@blueprint.route("/clubs/<id:club>/exports", methods=["POST"])
@edge.open_to(*BOOKS, "member")
@blueprint.arguments(ExportBody)
@blueprint.response(202, ExportSchema, headers={"Location": "Location"})
@once
def ask_for_export(body: JSON, club: str) -> Response:
    """Ask for an export; a worker makes it, and `Location` tells how far it is.

    The same at the same `position` of the log gives the same files on any machine, but for who was
    forgotten since. `period` is the number of a closing, in the place of `first` and `last`. To a
    member his own statement is given.
    """
    shelf, caller, now = _shelf(), edge.caller(), edge.ledger().clock()
    number, by = body.pop("period"), body.pop("by")
    wanted = Asked(**{**body, "columns": tuple(body["columns"])})
    with edge.ledger().database.write() as connection:
        wanted = allow(connection, caller, club, of_period(connection, club, wanted, number, by))
        row, job = exports.ask(connection, _new(club, wanted, shelf, now))
    if job is not None:
        shelf.hint(str(job))
    response = answer(_export(row), 202, replayed=job is None)
    response.headers["Location"] = f"/v1/clubs/{club}/exports/{row.export}"
    return response


@blueprint.route("/clubs/<id:club>/exports")
@edge.open_to(*BOOKS, "member")
@blueprint.arguments(ExportsQuery, location="query")
@blueprint.response(200, ExportList)
def list_exports(query: JSON, club: str) -> Response:
    """The exports of the club of the kinds that the caller may have, the newest first.

    To a member those alone that he asked for about himself.
    """
    caller, now = edge.caller(), edge.ledger().clock()
    kinds, member = readable(caller), None
    if not kinds:
        kinds, member = ("member_statement",), caller.member or ""
    if "kind" in query:
        kinds = tuple(kind for kind in kinds if kind == query["kind"])
    with edge.ledger().database.read() as connection:
        rows, more = exports.of_club(connection, club, kinds, now, page_of(query), member)
    return page_answer([_export(row) for row in rows], more, query)


@blueprint.route("/clubs/<id:club>/exports/<id:export>")
@edge.open_to(*BOOKS, "member")
@blueprint.response(200, ExportSchema)
def get_export(club: str, export: str) -> Response:
    """An export: how far it is, and once it is complete the links to its files."""
    with edge.ledger().database.read() as connection:
        row = exports.find(connection, export, edge.ledger().clock())
    if row is None or row.club != club or not _may_see(row):
        raise Refused("export_unknown", export=export)
    return answer(_export(row))


def _in_every_form(view: View) -> View:
    """Describe a view's answer as a file of any of the forms."""
    for media_type in dict.fromkeys(form.media_type for form in FORMS.values()):
        view = files.alt_response(200, schema=FILE, content_type=media_type)(view)
    return files.response(200, FILE, content_type="application/json")(view)  # type: ignore[no-any-return]


@files.route("/exports/<id:export>/<name>")
@files.arguments(LinkQuery, location="query")
@_in_every_form
@files.doc(security=[])
def fetch_file(query: JSON, export: str, name: str) -> Response:
    """A file of an export, by a link that was given to who may have it."""
    now = edge.ledger().clock()
    with edge.ledger().database.read() as connection:
        row = exports.find(connection, export, now)
    if row is None or not _is_given(row, name, query["until"], query["signature"]):
        raise Refused("export_link_invalid")
    if query["until"] * SECOND < now:
        raise Refused("export_link_over")
    kept, path = read_kept(row), _shelf().folder / export / name
    found = next((file for file in kept.files if file.name == name), None) if kept else None
    if row.state != "complete" or found is None or not path.is_file():
        raise Refused("export_expired")
    is_manifest = name.endswith(MANIFEST)
    form = "application/json" if is_manifest else FORMS[read_asked(row).format].media_type
    response = send_file(path, form, as_attachment=True, download_name=name, etag=found.sha256)
    response.headers["Cache-Control"] = "no-store"
    return response


def _shelf() -> Shelf:
    shelf: Shelf = current_app.extensions[EXTENSION]
    return shelf


def _new(club: str, asked: Asked, shelf: Shelf, now: int) -> Export:
    """An export that is asked for now."""
    caller, how, ledger = edge.caller(), edge.asked(), edge.ledger()
    key = codec.pack((caller.actor.encode(), (how.key or "").encode()))
    kind = KINDS[asked.kind]
    return Export(
        export=f"exp_{ledger.token(10).hex()}",
        club=club,
        kind=asked.kind,
        member=asked.member if asked.member == caller.member else None,
        asked=msgspec.json.encode(asked).decode(),
        actor=caller.actor,
        role=next(role for role in (*caller.roles, "") if role in (*kind.roles, "")),
        command=hashlib.sha256(key).digest(),
        request=how.request,
        created_at=now,
        state="pending",
        rows=0,
        of=None,
        made=None,
        error=None,
        ended_at=None,
        expires_at=now + shelf.days * 86_400 * SECOND,
        secret=ledger.token(32),
    )


def _may_see(row: Export) -> bool:
    caller = edge.caller()
    own = row.member is not None and row.member == caller.member
    return own or row.kind in readable(caller)


def _export(row: Export) -> JSON:
    asked, kept = read_asked(row), read_kept(row)
    alive = kept is not None and row.state == "complete"
    return {
        "object": "export",
        "id": row.export,
        "created_at": time_text(row.created_at),
        "kind": row.kind,
        "format": asked.format,
        "language": asked.language,
        "filters": asked.filters,
        "columns": list(asked.columns),
        "timezone": asked.timezone,
        "actor": row.actor,
        "role": row.role,
        "status": row.state,
        "progress": {"rows": row.rows, "of": row.of},
        "error": None if row.error is None else _failure(row.error),
        "manifest": None if kept is None else kept.manifest,
        "files": [_file(row, file) for file in kept.files] if kept and alive else [],
        "ended_at": time_or_none(row.ended_at),
        "expires_at": time_text(row.expires_at),
    }


def _failure(error: str) -> JSON:
    """Why it could not be made, in the language of who asks."""
    told = msgspec.json.decode(error)
    refusal = Refused(told["code"], **told["params"])
    return {"code": refusal.code, "detail": sentence(refusal, language())}


def _file(row: Export, file: File) -> JSON:
    until = edge.ledger().clock() // SECOND + LINK_SECONDS
    link = f"/v1/exports/{row.export}/{quote(file.name)}?until={until}"
    return {
        "name": file.name,
        "bytes": file.bytes,
        "sha256": file.sha256,
        "url": f"{link}&signature={_signed(row, file.name, until)}",
    }


def _is_given(row: Export, name: str, until: int, signature: str) -> bool:
    """Whether a link was given by us, for this file and until then."""
    return hmac.compare_digest(_signed(row, name, until), signature)


def _signed(row: Export, name: str, until: int) -> str:
    """What makes a link one that was given."""
    return hmac.digest(row.secret, f"{name}\n{until}".encode(), "sha256").hex()
