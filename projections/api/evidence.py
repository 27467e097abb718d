"""Evidence of a hand 一局: the file by which strangers check it, without this server."""

from __future__ import annotations

import msgspec
from flask import Response
from marshmallow import fields

from ledger import codec
from ledger.api import edge, shown
from ledger.api.answers import Shown
from ledger.api.facts import ACTORS
from ledger.api.fields import OPTIONS_FORM
from ledger.api.rulesets import SettlementSchema
from ledger.audit.evidence import FORMAT
from projections.evidence import evidence_of

blueprint = edge.Blueprint("evidence", "A hand as a file that a stranger can check.")


class ProvenEventSchema(Shown):
    """An event as it was hashed, and the hashes from its leaf to the checkpoint's root.

    `public` and `slots` are texts whose UTF-8 is what was hashed; `recorded_at` is in microseconds.
    """

    position = shown.within(1)
    stream = fields.String()
    version = shown.within(1)
    type = shown.one_of(*codec.TYPES)
    recorded_at = shown.within(0)
    actor = fields.String()
    role = shown.one_of(*ACTORS)
    command = shown.shaped("([0-9a-f]{64})?")
    public = fields.String()
    slots = fields.List(fields.String())
    proof = fields.List(shown.digest())


class EvidenceKeySchema(Shown):
    """A key that has signed here; with the signature of the one before it, where that made it."""

    key = fields.String()
    begun_at = shown.within(0)
    signature = shown.shaped("[0-9a-f]{128}", allow_none=True)


class EvidenceSchema(Shown):
    """A hand that has ended: all by which it can be checked, with `paizhang verify` or otherwise.

    `events` are the club's founding, the table's opening, the hand's own and its settlement; what
    stands beside them is for reading, and must be what they say.
    """

    format = shown.the(FORMAT)
    club = shown.id_of("club")
    table = shown.id_of("tbl")
    hand = shown.within(1)
    ruleset = shown.shaped("[a-z]+/[0-9]+")
    options = fields.Dict(keys=fields.String(), metadata=OPTIONS_FORM)
    seats = shown.by_seat(shown.id_of("mem"))
    wall = shown.tiles()
    wilds = fields.List(shown.tile())
    secret = shown.digest()
    settlement = fields.Nested(SettlementSchema, allow_none=True)
    checkpoint = fields.String()
    keys = fields.List(fields.Nested(EvidenceKeySchema))
    events = fields.List(fields.Nested(ProvenEventSchema))


@blueprint.route("/tables/<id:table>/hands/<number:number>/evidence")
@blueprint.response(200, EvidenceSchema)
@blueprint.alt_response(403, "FORBIDDEN")
@blueprint.alt_response(409, "CONFLICT")
def get_evidence(table: str, number: int) -> Response:
    """All by which a stranger checks a hand that has ended: `paizhang verify FILE`, offline.

    It lies under the newest checkpoint, so it may be another file tomorrow, and both are true.
    """
    with edge.ledger().database.read() as connection:
        evidence = evidence_of(connection, edge.caller(), table, number)
    response = Response(msgspec.json.encode(evidence) + b"\n", mimetype="application/json")
    response.headers["Cache-Control"] = "private, no-cache"
    name = f"{evidence.table}-{evidence.hand}.evidence.json"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
