"""Events as they are shown: the form of the envelope, and of what each type holds."""

from __future__ import annotations

from typing import Any

import msgspec
from marshmallow import fields

from ledger import codec
from ledger.access import OPERATOR
from ledger.api import shown, words
from ledger.api.answers import Shown
from ledger.api.fields import OPTIONS_FORM
from ledger.rights import INVITED, WORKER
from ledger.streams.roles import ROLES

OUTCOME = {"$ref": "#/components/schemas/OutcomeBody"}
PLACE = "#/components/schemas/event.{name}"
ACTORS = (*ROLES, OPERATOR, WORKER, INVITED)
"""The roles in which somebody brings an event about."""
AUDIENCES = ("seat 0", "seat 1", "seat 2", "seat 3", "table")
_PUBLIC = [kind for kind, _, _ in codec.TYPES.values()]
_PRIVATE = dict.fromkeys(part for _, *parts in codec.TYPES.values() for part in parts if part)


def described() -> dict[str, dict[str, Any]]:
    """The JSON schemas of all that events hold, by the name under which they are described."""
    _, schemas = msgspec.json.schema_components([*_PUBLIC, *_PRIVATE], ref_template=PLACE)
    for kind, schema in schemas.items():
        for name, field in schema.get("properties", {}).items():
            field["description"] = words.of_fact(kind, name)
        schema.get("properties", {}).get("options", {}).update(OPTIONS_FORM)
        if "outcome" in schema.get("properties", {}):
            schema["properties"]["outcome"] |= {"anyOf": [OUTCOME, {"type": "null"}]}
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(schemas))
    return {f"event.{name}": schema for name, schema in plain.items()}


def _any_of(kinds: Any, **more: Any) -> fields.Raw:
    places = [{"$ref": PLACE.format(name=kind.__name__)} for kind in kinds]
    return fields.Raw(metadata={"anyOf": places, **more})


class SlotSchema(Shown):
    """A part of an event for one audience; the part is there for who may see it."""

    audience = shown.one_of(*AUDIENCES)
    digest = shown.digest()
    part = _any_of(_PRIVATE, optional=True)


class EventSchema(Shown):
    """An event. What its public part holds is described under its type: `Dealt/1` is event.Dealt.

    `public` and `part`, encoded without spaces in the order they come, are the bytes that
    were hashed.
    """

    object = shown.the("event")
    id = shown.shaped("evt_[1-9][0-9]*")
    position = shown.within(1)
    stream = fields.String()
    version = shown.within(1)
    type = shown.one_of(*codec.TYPES)
    recorded_at = fields.DateTime()
    occurred_at = fields.DateTime(metadata={"optional": True})
    actor = fields.String()
    role = shown.one_of(*ACTORS)
    command = shown.shaped("([0-9a-f]{64})?")
    public = _any_of(_PUBLIC)
    slots = fields.List(fields.Nested(SlotSchema))
    leaf = shown.digest()
    hash = shown.digest()


class HiddenEventSchema(Shown):
    """An event that is not the reader's business: only the links of the chain are told."""

    object = shown.the("event")
    id = shown.shaped("evt_[1-9][0-9]*")
    position = shown.within(1)
    leaf = shown.digest()
    hash = shown.digest()
