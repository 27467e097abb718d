"""Whoever calls: who he is, how he signs in, the sessions that he has."""

from __future__ import annotations

from typing import Any

import marshmallow
from flask import Response
from marshmallow import fields
from sqlalchemy import Connection

from ledger import access, admission, passwords, people, sessions
from ledger.access import OPERATOR, Caller
from ledger.api import edge, limits
from ledger.api.answers import JSON, Shown, answer, list_of, listed, time_or_none
from ledger.api.fields import Body, text
from ledger.api.people import MembershipSchema, as_of
from ledger.api.shown import id_of, one_of, the
from ledger.api.writing import once, settles
from ledger.names import LONGEST_NAME
from ledger.people import SessionRow
from ledger.refusal import Refused
from ledger.streams.roles import ROLES
from ledger.telling import time_text

LONGEST_LOGIN = 64
LONGEST_TOKEN = 200

entrance = edge.Blueprint("sessions", "Sessions: how people sign in.", keyed=False)
blueprint = edge.Blueprint("me", "Whoever calls, and his own sessions.")


class LoginBody(Body):
    """A login and its password."""

    login = text(1, LONGEST_LOGIN, required=True)
    password = text(1, sessions.LONGEST_PASSWORD, required=True)


class EntryBody(Body):
    """A link: the token of an invitation, or of a link by which one signs in.

    One who is new says what he wants to be called; else he is called what the invitation's label
    says.
    """

    link = text(1, LONGEST_TOKEN, required=True)
    name = text(1, LONGEST_NAME, load_default=None, allow_none=True)


class SignInBody(Body):
    """What lets somebody in: a login with its password, or a link."""

    def load(self, data: Any, **more: Any) -> Any:
        """Read what is there as a link, if it has one; say of what is neither what it may be."""
        by_link = isinstance(data, dict) and "link" in data
        if not by_link and isinstance(data, dict) and not {"login", "password"} & data.keys():
            raise marshmallow.ValidationError("sign_in_form")
        return (EntryBody() if by_link else LoginBody()).load(data, **more)


EITHER = {"content": {"application/json": {"schema": {"oneOf": [LoginBody, EntryBody]}}}}


class LinkBody(Body):
    """An invitation's token."""

    link = text(1, LONGEST_TOKEN, required=True)


class PasswordBody(Body):
    """The login and the password that one wants, and the password that one has."""

    login = text(sessions.SHORTEST_LOGIN, LONGEST_LOGIN, required=True)
    password = text(sessions.SHORTEST_PASSWORD, sessions.LONGEST_PASSWORD, required=True)
    old_password = text(1, sessions.LONGEST_PASSWORD, load_default=None, allow_none=True)


class NameBody(Body):
    """What one wants to be called."""

    name = text(1, LONGEST_NAME, required=True)


class SessionSchema(Shown):
    """A session; with a club it is good for that club alone."""

    object = the("session")
    id = id_of("ses")
    created_at = fields.DateTime()
    person = id_of("per")
    club = id_of("club", allow_none=True)
    way = one_of("password", "invitation", "link", "operator")
    address = fields.String(allow_none=True)
    device = fields.String(allow_none=True)
    expires_at = fields.DateTime()
    ended_at = fields.DateTime(allow_none=True)


class NewSessionSchema(SessionSchema):
    """A session just begun. Its token is shown here and never again; a retry shows null."""

    token = fields.String(allow_none=True)


SessionList = list_of(SessionSchema, "SessionList")


class BelongingSchema(Shown):
    """A club that a person belongs to, and what he is there."""

    membership = id_of("mbs")
    club = id_of("club")
    club_name = fields.String()
    roles = fields.List(one_of(*ROLES))
    member = id_of("mem", allow_none=True)


class CallerSchema(Shown):
    """Whoever calls. A key has one club; a person may belong to several."""

    object = the("caller")
    id = fields.String()
    kind = one_of("key", "person", "operator")
    club = id_of("club", allow_none=True)
    roles = fields.List(one_of(*ROLES, OPERATOR))
    member = id_of("mem", allow_none=True)
    name = fields.String(allow_none=True)
    login = fields.String(allow_none=True)
    session = id_of("ses", allow_none=True)
    memberships = fields.List(fields.Nested(BelongingSchema))
    expires_at = fields.DateTime(allow_none=True)


@entrance.route("/sessions", methods=["POST"])
@once
@entrance.arguments(SignInBody)
@entrance.response(201, NewSessionSchema, headers={"Location": "Location"})
@entrance.alt_response(401, "UNAUTHORIZED")
@entrance.doc(security=[], requestBody=EITHER)
def sign_in(body: JSON) -> Response:
    """Begin a session, by login and password or by a link that opens once."""
    entry = _enter(body)
    token = {"token": entry.token}
    response = answer({**_session(entry.session), **token}, 201, replayed=entry.token is None)
    response.headers["Location"] = f"/v1/me/sessions/{entry.session.session}"
    return response


@blueprint.route("/me")
@blueprint.response(200, CallerSchema)
def get_me() -> Response:
    """Who calls: a key and what it is for, or a person and where he belongs."""
    return _told_of(edge.caller())


@blueprint.route("/me/memberships", methods=["POST"])
@once
@blueprint.arguments(LinkBody)
@blueprint.response(201, MembershipSchema)
@blueprint.alt_response(403, "FORBIDDEN")
def join_club(body: JSON) -> Response:
    """Accept an invitation to one more club, as the person that one is."""
    done = admission.join_club(edge.ledger(), _himself(), edge.asked(), body["link"])
    membership = done.stream.removeprefix("membership/")
    with edge.ledger().database.read() as connection:
        told = as_of(connection, done.club, membership, done.version)
    return answer(told, 201, replayed=done.replayed)


@blueprint.route("/me/name", methods=["PUT"])
@settles
@blueprint.arguments(NameBody)
@blueprint.response(200, CallerSchema)
@blueprint.alt_response(403, "FORBIDDEN")
def change_name(body: JSON) -> Response:
    """Change what one is called, in all of one's clubs."""
    who = _himself()
    sessions.change_name(edge.ledger(), who, body["name"])
    return _told_of(who)


@blueprint.route("/me/password", methods=["PUT"])
@settles
@blueprint.arguments(PasswordBody)
@blueprint.response(200, CallerSchema)
@blueprint.alt_response(403, "FORBIDDEN")
@blueprint.alt_response(409, "CONFLICT")
def set_password(body: JSON) -> Response:
    """Set one's login and password; every other session of one's own ends."""
    who = _himself()
    limits.attempt_password(who.actor)
    old = body["old_password"]
    sessions.set_password(edge.ledger(), who, body["login"], body["password"], old)
    return _told_of(who)


@blueprint.route("/me/sessions")
@blueprint.response(200, SessionList)
@blueprint.alt_response(403, "FORBIDDEN")
def list_sessions() -> Response:
    """One's own sessions that still open something, the newest first."""
    who, ledger = _himself(), edge.ledger()
    with ledger.database.read() as connection:
        rows = people.person_sessions(connection, who.actor, ledger.clock())
    return listed([_session(row) for row in rows], has_more=False)


@blueprint.route("/me/sessions/<id:session>", methods=["DELETE"])
@settles
@blueprint.response(200, SessionSchema)
@blueprint.alt_response(400, "BAD_REQUEST")
@blueprint.alt_response(403, "FORBIDDEN")
def end_session(session: str) -> Response:
    """End one of one's own sessions."""
    who = _person_only()
    who = who if who.session == session else _himself()
    return answer(_session(sessions.end_session(edge.ledger(), who, session)))


def _enter(body: JSON) -> sessions.Entry:
    """Let somebody in by what he shows."""
    ledger, asked = edge.ledger(), edge.asked()
    stranger = Caller("", None, (), origin=edge.origin())
    if "link" in body:
        return sessions.enter_by_link(ledger, stranger, asked, body["link"], body["name"])
    limits.attempt_sign_in(passwords.plain_login(body["login"]))
    login, password = body["login"], body["password"]
    return sessions.enter_by_password(ledger, stranger, asked, login, password)


def _himself() -> Caller:
    """The person who calls, let in by himself; a club's link lets in for that club's sake alone."""
    who = _person_only()
    if who.club is not None:
        raise Refused("session_of_a_club")
    return who


def _person_only() -> Caller:
    """The person who calls; a key has neither password nor sessions."""
    who = edge.caller()
    if who.session is None:
        raise Refused("session_needed")
    return who


def _told_of(who: Caller) -> Response:
    """Who somebody is, as he stands now."""
    with edge.ledger().database.read() as connection:
        return answer(_person(connection, who) if who.session else _key(connection, who))


def _key(connection: Connection, who: Caller) -> JSON:
    """A key and what it is for; or the operator, who has none."""
    row = access.find_key(connection, who.actor)
    return _told(
        who,
        kind="key" if row else "operator",
        name=row.label if row else None,
        expires_at=time_or_none(row.expires_at if row else None),
    )


def _person(connection: Connection, who: Caller) -> JSON:
    """A person and the clubs that he belongs to, as far as his session reaches."""
    person = people.find_person(connection, who.actor)
    session = people.find_session(connection, who.session or "")
    assert person is not None
    assert session is not None
    return _told(
        who,
        kind="person",
        name=person.name,
        login=person.login if who.club is None else None,
        session=session.session,
        memberships=_belongings(connection, who),
        expires_at=time_text(session.expires_at),
    )


def _told(who: Caller, **known: object) -> JSON:
    nothing: JSON = {"login": None, "session": None, "memberships": []}
    return {
        "object": "caller",
        "id": who.actor,
        "club": who.club,
        "roles": list(who.roles),
        "member": who.member,
        **nothing,
        **known,
    }


def _belongings(connection: Connection, who: Caller) -> list[JSON]:
    belongings = []
    for row in people.person_memberships(connection, who.actor):
        club = access.find_club(connection, row.club)
        if club is not None and who.club in (None, row.club):
            belongings.append(
                {
                    "membership": row.membership,
                    "club": row.club,
                    "club_name": club.name,
                    "roles": list(row.role_names),
                    "member": row.as_member,
                }
            )
    return belongings


def _session(row: SessionRow) -> JSON:
    return {
        "object": "session",
        "id": row.session,
        "created_at": time_text(row.created_at),
        "person": row.person,
        "club": row.club,
        "way": row.way,
        "address": row.address,
        "device": row.device,
        "expires_at": time_text(row.expires_at),
        "ended_at": time_or_none(row.ended_at),
    }
