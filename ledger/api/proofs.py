"""Proofs of a club's log: checkpoints, what lies under them, and the keys that sign them."""

from __future__ import annotations

import flask_smorest
import structlog
from flask import Response
from marshmallow import fields

from ledger import checkpoints, proving, signing
from ledger.api import edge, shown
from ledger.api.answers import (
    JSON,
    PageQuery,
    Shown,
    answer,
    keepable,
    list_of,
    listed,
    page_answer,
    page_of,
)
from ledger.api.fields import Query, QueryInvalid, digits
from ledger.checkpoints import Checkpoint
from ledger.refusal import Refused
from ledger.signing import ListedKey
from ledger.telling import time_text

blueprint = edge.Blueprint("proofs", "Proofs that a club's log is what it was, for strangers too.")
keys = flask_smorest.Blueprint(
    "signing_keys", __name__, url_prefix="/v1", description="The keys that sign checkpoints."
)
log = structlog.get_logger()
FOR_EVER = "private, max-age=31536000, immutable"


class CheckpointSchema(Shown):
    """A club's log up to a position, signed."""

    object = shown.the("checkpoint")
    id = shown.shaped("chk_[1-9][0-9]*")
    created_at = fields.DateTime()
    club = shown.id_of("club")
    position = shown.within(1)
    root_hash = shown.digest()
    head_hash = shown.digest()
    key = shown.shaped("[0-9a-f]{8}")
    note = fields.String()


class InclusionSchema(Shown):
    """That an event lies under a checkpoint."""

    object = shown.the("inclusion_proof")
    position = shown.within(1)
    leaf = shown.digest()
    hashes = fields.List(shown.digest())
    checkpoint = fields.Nested(CheckpointSchema)


class ConsistencySchema(Shown):
    """That the log's first events up to one position begin with those up to another."""

    object = shown.the("consistency_proof")
    club = shown.id_of("club")
    first = shown.within(1)
    second = shown.within(1)
    hashes = fields.List(shown.digest())


class SigningKeySchema(Shown):
    """A key that signs, or has signed from its beginning to that of the next."""

    object = shown.the("signing_key")
    id = shown.shaped("[0-9a-f]{8}")
    created_at = fields.DateTime()
    text = fields.String()
    ended_at = fields.DateTime(allow_none=True)
    after = shown.shaped("[0-9a-f]{8}", allow_none=True)
    signature = shown.shaped("[0-9a-f]{128}", allow_none=True)


class InclusionQuery(Query):
    """Under which checkpoint; the first that there is where none is named."""

    checkpoint = digits(1)


class ConsistencyQuery(Query):
    """From which position to which."""

    first = digits(1, required=True)
    second = digits(1, required=True)


CheckpointList = list_of(CheckpointSchema, "CheckpointList")
SigningKeyList = list_of(SigningKeySchema, "SigningKeyList")


@blueprint.route("/clubs/<id:club>/checkpoints")
@blueprint.arguments(PageQuery, location="query")
@blueprint.response(200, CheckpointList)
def list_checkpoints(query: JSON, club: str) -> Response:
    """The checkpoints of the club, the newest first. Keep one: it shows later what was there."""
    with edge.ledger().database.read() as connection:
        found, more = checkpoints.of_club(connection, club, page_of(query))
    return page_answer([_checkpoint(one) for one in found], more, query)


@blueprint.route("/clubs/<id:club>/checkpoints", methods=["POST"])
@blueprint.response(200, CheckpointSchema)
@blueprint.alt_response(409, "CONFLICT")
def make_checkpoint(club: str) -> Response:
    """Sign the log as it stands; the checkpoint that is there where nothing has come since."""
    ledger = edge.ledger()
    made = checkpoints.make(ledger.database, club, edge.signing_key(), ledger.clock)
    return answer(_checkpoint(made))


@blueprint.route("/clubs/<id:club>/checkpoints/<number:position>")
@blueprint.response(200, CheckpointSchema)
def get_checkpoint(club: str, position: int) -> Response:
    """The checkpoint at a position; its `note` is the file to keep."""
    with edge.ledger().database.read() as connection:
        found = checkpoints.at(connection, club, position)
    if found is None:
        raise Refused("checkpoint_unknown", position=position)
    response = answer(_checkpoint(found))
    response.headers["Cache-Control"] = FOR_EVER
    return response


@blueprint.route("/clubs/<id:club>/events/<number:position>/proof")
@blueprint.arguments(InclusionQuery, location="query")
@blueprint.response(200, InclusionSchema)
@blueprint.alt_response(409, "CONFLICT")
def prove_event(query: JSON, club: str, position: int) -> Response:
    """The proof that an event lies in the log under a checkpoint: a few hashes, however long it is.

    The event itself is shown by `list_events`, to who may see it; the proof has its leaf alone.
    """
    size = query.get("checkpoint")
    with edge.ledger().database.read() as connection:
        proof = proving.inclusion(connection, club, position, size)
    told = {
        "object": "inclusion_proof",
        "position": position,
        "leaf": proof.leaf.hex(),
        "hashes": [hash_.hex() for hash_ in proof.hashes],
        "checkpoint": _checkpoint(proof.checkpoint),
    }
    return keepable(answer(told))


@blueprint.route("/clubs/<id:club>/consistency")
@blueprint.arguments(ConsistencyQuery, location="query")
@blueprint.response(200, ConsistencySchema)
@blueprint.alt_response(409, "CONFLICT")
def prove_consistency(query: JSON, club: str) -> Response:
    """The proof that the log up to one position is the beginning of the log up to another."""
    if query["first"] > query["second"]:
        raise QueryInvalid({"first": [f"field_range low=1 high={query['second']}"]})
    with edge.ledger().database.read() as connection:
        proof = proving.consistency(connection, club, query["first"], query["second"])
    return keepable(answer(proof))


@keys.route("/signing_keys")
@keys.doc(security=[])
@keys.response(200, SigningKeyList)
def list_signing_keys() -> Response:
    """Every key that has signed checkpoints here, the first one first. Open to everybody."""
    with edge.ledger().database.read() as connection:
        found = signing.listed(connection)
    ends: list[int | None] = [*(one.begun_at for one in found[1:]), None]
    told = [_key(one, end) for one, end in zip(found, ends, strict=False)]
    return listed(told, has_more=False)


def seal(club: str) -> None:
    """Sign a club's log after an act that others rely on; the act stands where that cannot be."""
    ledger = edge.ledger()
    try:
        checkpoints.make(ledger.database, club, edge.signing_key(), ledger.clock)
    except Refused as refusal:
        log.warning("not_sealed", club=club, code=refusal.code)


def _checkpoint(one: Checkpoint) -> JSON:
    return {
        "object": "checkpoint",
        "id": f"chk_{one.position}",
        "created_at": time_text(one.created_at),
        "club": one.club,
        "position": one.position,
        "root_hash": one.root.hex(),
        "head_hash": one.head.hex(),
        "key": one.key,
        "note": one.note,
    }


def _key(one: ListedKey, end: int | None) -> JSON:
    return {
        "object": "signing_key",
        "id": one.key.id,
        "created_at": time_text(one.begun_at),
        "text": one.key.text,
        "ended_at": None if end is None else time_text(end),
        "after": one.after,
        "signature": None if one.signature is None else one.signature.hex(),
    }
