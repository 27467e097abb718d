"""The edge: who calls, in which club, and how a write was asked. Every route passes here.

What comes first is refused first: a key that is none (401), a club that is not the caller's
(404), a command id or a version that is missing (400, 428), then a body that has not its form.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeVar

import flask_smorest
import marshmallow
import msgspec
from flask import current_app, g, request
from sqlalchemy import Connection
from webargs.flaskparser import FlaskParser

from ledger import access, codec, store
from ledger.access import OPERATOR, Caller
from ledger.acts import Asked, Desk
from ledger.api.fields import BodyInvalid, QueryInvalid
from ledger.perform import Ledger
from ledger.refusal import Refused

EXTENSION = "paizhang"
LONGEST_BODY = 1024 * 1024
LONGEST_COMMAND_ID = 255
VERSION = re.compile(r'"(0|[1-9][0-9]{0,15})"')
View = TypeVar("View", bound=Callable[..., Any])

_COMMAND_ID_HEADER = {
    "in": "header",
    "name": "Idempotency-Key",
    "required": True,
    "description": "Makes the write happen once: the same key with the same body is answered "
    "with the first answer, for ever.",
    "schema": {"type": "string", "minLength": 1, "maxLength": LONGEST_COMMAND_ID},
}
_VERSION_HEADER = {
    "in": "header",
    "name": "If-Match",
    "description": "The version of the table that the sender has seen, as its ETag.",
    "schema": {"type": "string", "pattern": f"^{VERSION.pattern}$"},
}


@dataclass(frozen=True)
class Served:
    """What an application serves: its ledger, and the operator's token if there is one."""

    ledger: Ledger
    operator_token: str | None


class Parser(FlaskParser):
    """Reads what was sent into a schema; refuses it in the words of this house."""

    DEFAULT_UNKNOWN_BY_LOCATION = {  # noqa: RUF012 (as its base has it)
        **FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION,
        "query": marshmallow.RAISE,
    }

    def _raw_load_json(self, req: Any) -> Any:
        return body()

    def handle_error(self, error: marshmallow.ValidationError, *_: Any, **__: Any) -> Any:
        """Refuse what has not the form of its schema."""
        [(location, messages)] = error.messages_dict.items()
        raise BodyInvalid(messages) if location == "json" else QueryInvalid(messages)


class Blueprint(flask_smorest.Blueprint):
    """The routes of one resource under /v1, open to those who may be there."""

    ARGUMENTS_PARSER = Parser()

    def __init__(self, name: str, description: str) -> None:
        """Name the resource, for its readers in the API's description."""
        super().__init__(name, __name__, url_prefix="/v1", description=description)
        self.before_request(admit)


def admit() -> None:
    """Let a caller in, and only where he belongs."""
    request.max_content_length = LONGEST_BODY
    with ledger().database.read() as connection:
        g.caller = _authenticated(connection)
        g.club = _club(connection, g.caller)


def ledger() -> Ledger:
    """The ledger that this application serves."""
    return _served().ledger


def caller() -> Caller:
    """Who calls."""
    who: Caller = g.caller
    return who


def club() -> str:
    """The club that the path is about: it names the club itself, or one of its tables."""
    name: str | None = g.club
    assert name is not None
    return name


def require(*roles: str) -> None:
    """Refuse a caller who has none of these roles."""
    if not caller().has(*roles):
        raise Refused("role_missing", role=" / ".join(roles))


def asked() -> Asked:
    """How the write that runs was asked."""
    how: Asked = g.asked
    return how


def desk() -> Desk:
    """Where the write that runs is asked for: by whom, in which club, and how."""
    return Desk(ledger(), caller(), club(), asked())


def writes(view: View) -> View:
    """Make a view a write: it has a command id, and perhaps the version its sender has seen."""
    return _writing(view, needs_version=False)


def writes_on_version(view: View) -> View:
    """Make a view a write that must say which version its sender has seen."""
    return _writing(view, needs_version=True)


def body() -> Any:
    """The JSON that was sent; nothing at all is an empty object."""
    return _read()[0]


def _served() -> Served:
    served: Served = current_app.extensions[EXTENSION]
    return served


def _authenticated(connection: Connection) -> Caller:
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Refused("key_missing")
    token, operator_token = token.strip(), _served().operator_token
    if operator_token and hmac.compare_digest(token.encode(), operator_token.encode()):
        return access.operator()
    if not token.isascii() or not token.isprintable():
        raise Refused("key_invalid")
    return access.authenticate(connection, token, ledger().clock())


def _club(connection: Connection, who: Caller) -> str | None:
    """The club of the path; one that is not the caller's is as unknown as one that is not."""
    names = request.view_args or {}
    name: str | None
    if "table" in names:
        name = store.find_stream(connection, f"table/{names['table']}")
        unknown = Refused("table_unknown")
    elif "club" in names:
        found = access.find_club(connection, names["club"])
        name = found.club if found else None
        unknown = Refused("club_unknown")
    else:
        return None
    if name is None or (name != who.club and not who.has(OPERATOR)):
        raise unknown
    return name


def _writing(view: View, needs_version: bool) -> View:
    version = {**_VERSION_HEADER, "required": needs_version}
    documented = Blueprint.doc(parameters=[_COMMAND_ID_HEADER, version])(view)

    @wraps(documented)
    def asking(*args: Any, **kwargs: Any) -> Any:
        g.asked = Asked(_command_id(), _request_hash(), _expected(needs_version))
        return documented(*args, **kwargs)

    return asking  # type: ignore[return-value]


def _command_id() -> str:
    key = request.headers.get("Idempotency-Key", "").strip()
    if not key:
        raise Refused("idempotency_key_missing")
    if len(key) > LONGEST_COMMAND_ID or not key.isascii() or not key.isprintable():
        raise Refused("idempotency_key_form", longest=LONGEST_COMMAND_ID)
    return key


def _request_hash() -> bytes:
    """What a command id is bound to: method, path and body, however the body was spaced."""
    parts = (request.method.encode(), request.path.encode(), _read()[1])
    return hashlib.sha256(codec.pack(parts)).digest()


def _expected(needed: bool) -> int | None:
    given = request.headers.get("If-Match", "").strip()
    if not given:
        if needed:
            raise Refused("version_missing")
        return None
    found = VERSION.fullmatch(given)
    if found is None:
        raise Refused("version_form")
    return int(found[1])


def _read() -> tuple[Any, bytes]:
    """The JSON that was sent, and its canonical bytes."""
    if "sent" not in g:
        g.sent = _decoded(request.get_data())
    sent: tuple[Any, bytes] = g.sent
    return sent


def _decoded(raw: bytes) -> tuple[Any, bytes]:
    if not raw.strip():
        return {}, b"{}"
    if not request.is_json:
        raise Refused("media_type", wanted="application/json")
    try:
        data = msgspec.json.decode(raw)
        return data, msgspec.json.encode(data, order="sorted")
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        raise Refused("json_malformed") from None
