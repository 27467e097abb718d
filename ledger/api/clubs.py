"""Clubs 亲友圈: founded by the operator, seen by those who belong to them."""

from __future__ import annotations

from typing import Any

from flask import Response
from marshmallow import fields
from sqlalchemy import Connection

from ledger import access, acts, store
from ledger.api import edge, shown
from ledger.api.answers import JSON, Shown, answer
from ledger.api.fields import Body, matching, text
from ledger.api.writing import writes
from ledger.names import LONGEST_NAME
from ledger.streams.club import FoundClub
from ledger.telling import time_text

blueprint = edge.Blueprint("clubs", "Clubs: a log, its members, its keys and its tables.")
DAY_CUTOFF = "([01][0-9]|2[0-3]):[0-5][0-9]"


class FoundClubBody(Body):
    """A club to found: its name, its time zone, and when its business day ends."""

    name = text(1, LONGEST_NAME, required=True)
    zone = text(1, 64, required=True)
    day_cutoff = matching(DAY_CUTOFF, "clock_form", load_default="05:00")


class ClubSchema(Shown):
    """A club, and where its log stands."""

    object = shown.the("club")
    id = shown.id_of("club")
    created_at = fields.DateTime()
    name = fields.String()
    zone = fields.String()
    day_cutoff = shown.shaped(DAY_CUTOFF)
    position = shown.within(1)
    head_hash = shown.digest()


@blueprint.route("/clubs", methods=["POST"])
@writes(FoundClub)
@blueprint.arguments(FoundClubBody)
@blueprint.response(201, ClubSchema, headers={"Location": "Location"})
def found_club(body: JSON) -> Response:
    """Found a club; the operator's token alone does."""
    hours, minutes = map(int, body["day_cutoff"].split(":"))
    cutoff = hours * 60 + minutes
    ledger, asked = edge.ledger(), edge.asked()
    done = acts.found_club(ledger, edge.caller(), asked, body["name"], body["zone"], cutoff)
    with ledger.database.read() as connection:
        [founded] = store.read_log(connection, done.club, done.last - 1, 1)
        told = _club(connection, done.club, founded)
    response = answer(told, 201, replayed=done.replayed)
    response.headers["Location"] = f"/v1/clubs/{done.club}"
    return response


@blueprint.route("/clubs/<id:club>")
@blueprint.response(200, ClubSchema)
def get_club(club: str) -> Response:
    """A club: its name, its clock, and the head of its log."""
    with edge.ledger().database.read() as connection:
        return answer(_club(connection, club, store.head(connection, club)))


def _club(connection: Connection, club: str, place: Any) -> JSON:
    """A club with the place its log has come to: its head, or an event."""
    row = access.find_club(connection, club)
    assert row is not None
    return {
        "object": "club",
        "id": row.club,
        "created_at": time_text(row.created_at),
        "name": row.name,
        "zone": row.zone,
        "day_cutoff": f"{row.day_cutoff // 60:02}:{row.day_cutoff % 60:02}",
        "position": place.position,
        "head_hash": place.hash.hex(),
    }
