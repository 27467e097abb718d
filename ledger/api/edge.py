"""The edge: who calls, in which club, and how a write was asked. Every route passes here.

What comes first is refused first: a key that is none (401), a club that is not the caller's
(404), a command id or a version that is missing (400, 428), then a body that has not its form.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import flask_smorest
import marshmallow
import msgspec
import structlog
from flask import copy_current_request_context, current_app, g, request
from msgspec.structs import replace
from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError
from webargs.flaskparser import FlaskParser

from ledger import access, people, store
from ledger.access import OPERATOR, Caller, Origin
from ledger.acts import Asked, Desk
from ledger.api import limits
from ledger.api.description import keep_parameters
from ledger.api.fields import BodyInvalid, QueryInvalid
from ledger.perform import Ledger
from ledger.refusal import Refused

EXTENSION = "paizhang"
LONGEST_BODY = 1024 * 1024
LONGEST_DEVICE = 200
A_MINUTE = 60_000_000
log = structlog.get_logger()
View = TypeVar("View", bound=Callable[..., Any])


@dataclass(frozen=True)
class Served:
    """What an application serves: its ledger, the file of the key by which it signs, and the
    operator's token if there is one.
    """

    ledger: Ledger
    signing_key: Path
    operator_token: str | None


class Parser(FlaskParser):
    """Reads what was sent into a schema; refuses it in the words of this house."""

    DEFAULT_UNKNOWN_BY_LOCATION = {  # noqa: RUF012 (as its base has it)
        **FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION,
        "query": marshmallow.RAISE,
    }

    def _raw_load_json(self, req: Any) -> Any:
        return body()

    def load_querystring(self, req: Any, schema: marshmallow.Schema) -> Any:
        """Read the query; of a parameter that is said twice nobody knows which is meant."""
        check_said_once()
        return super().load_querystring(req, schema)

    def handle_error(self, error: marshmallow.ValidationError, *_: Any, **__: Any) -> Any:
        """Refuse what has not the form of its schema."""
        [(location, messages)] = error.messages_dict.items()
        raise BodyInvalid(messages) if location == "json" else QueryInvalid(messages)


class Blueprint(flask_smorest.Blueprint):
    """The routes of one resource under /v1, open to those who may be there."""

    ARGUMENTS_PARSER = Parser()

    def __init__(self, name: str, description: str, *, keyed: bool = True) -> None:
        """Name the resource, for its readers in the API's description; most need a key."""
        super().__init__(name, __name__, url_prefix="/v1", description=description)
        self._prepare_doc_cbks.append(keep_parameters)
        self.before_request(admit if keyed else prepare)


def admit() -> None:
    """Let a caller in, and only where he belongs."""
    prepare()
    with ledger().database.read() as connection:
        who = replace(_authenticated(connection), origin=origin())
        limits.count_caller(who.actor)
        used = access.last_use(connection, _subject(who))
        g.club = _club(connection)
        g.caller = who if g.club is None else _inside(connection, who, g.club)
        _name_member(connection)
    _keep_use(_subject(who), used)


def admission() -> Callable[[Connection], Caller]:
    """A look at who calls, to be taken again by an answer that outlasts its request.

    It refuses him whose key or session has ended, and who has left the club.
    """
    name = club()

    @copy_current_request_context
    def look(connection: Connection) -> Caller:
        return _inside(connection, _authenticated(connection), name)

    return look


def prepare() -> None:
    """Bound what is read of a request, before any of it is."""
    request.max_content_length = LONGEST_BODY


def origin() -> Origin:
    """Where the request comes from."""
    said = filter(str.isprintable, request.headers.get("User-Agent", ""))
    device = "".join(said)[:LONGEST_DEVICE]
    return Origin(g.request_id, request.remote_addr, device or None)


def ledger() -> Ledger:
    """The ledger that this application serves; of a dry run one that forgets it all."""
    found: Ledger = g.get("rehearsed") or _served().ledger
    return found


def signing_key() -> Path:
    """The file of the key that signs checkpoints."""
    return _served().signing_key


def caller() -> Caller:
    """Who calls."""
    who: Caller = g.caller
    return who


def club() -> str:
    """The club that the path is about: it names the club itself, or one of its tables."""
    name: str | None = g.club
    assert name is not None
    return name


def asked() -> Asked:
    """How the write that runs was asked."""
    how: Asked = g.asked
    return how


def desk() -> Desk:
    """Where the write that runs is asked for: by whom, in which club, and how."""
    return Desk(ledger(), caller(), club(), asked())


def open_to(*roles: str) -> Callable[[View], View]:
    """Open a view to callers with one of these roles, and say so in the API's description."""

    def opening(view: View) -> View:
        documented = Blueprint.doc(**{"x-roles": list(roles)})(view)

        @wraps(documented)
        def opened(*args: Any, **kwargs: Any) -> Any:
            if not caller().has(*roles):
                raise access.role_missing(roles)
            return documented(*args, **kwargs)

        return opened  # type: ignore[return-value]

    return opening


def require_own(member: str, *roles: str) -> None:
    """Refuse who is not this member himself, unless he has one of these roles."""
    if caller().member != member and not caller().has(*roles):
        raise access.role_missing(roles)


def body() -> Any:
    """The JSON that was sent; nothing at all is an empty object."""
    return _read()[0]


def _served() -> Served:
    served: Served = current_app.extensions[EXTENSION]
    return served


def admit_operator() -> None:
    """Let the operator in alone; where there is none, nobody."""
    if not _is_operators(_bearer()):
        raise Refused("key_invalid")


def _bearer() -> str:
    """The token with which somebody calls."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Refused("key_missing")
    return token.strip()


def _is_operators(token: str) -> bool:
    wanted = _served().operator_token
    return bool(wanted and hmac.compare_digest(token.encode(), wanted.encode()))


def _authenticated(connection: Connection) -> Caller:
    token = _bearer()
    if _is_operators(token):
        return access.operator()
    if not token.isascii() or not token.isprintable():
        raise Refused("key_invalid")
    return people.authenticate(connection, token, ledger().clock())


def _club(connection: Connection) -> str | None:
    """The club that the path is about, if it is about one."""
    names = request.view_args or {}
    if "table" in names:
        name = store.find_stream(connection, f"table/{names['table']}")
    elif "club" in names:
        found = access.find_club(connection, names["club"])
        name = found.club if found else None
    else:
        return None
    if name is None:
        raise _unknown()
    return name


def _inside(connection: Connection, who: Caller, name: str) -> Caller:
    """The caller as he is in the club; a club that is not his is as unknown as none."""
    if who.session is not None:
        who = people.in_club(connection, who, name)
    if who.club != name and not who.has(OPERATOR):
        raise _unknown()
    return who


def _name_member(connection: Connection) -> None:
    """Take a member's code in the path for the member that it names."""
    names = request.view_args or {}
    if g.club is not None and "member" in names:
        names["member"] = member_id(connection, g.club, names["member"])


def member_id(connection: Connection, name: str, member: str) -> str:
    """The id of the member whom an id or a code names; a name of nobody stays as it is."""
    found = access.find_members(connection, name, (member,))
    return found[member].member if member in found else member


def _unknown() -> Refused:
    return Refused("table_unknown" if "table" in (request.view_args or {}) else "club_unknown")


def _subject(who: Caller) -> str:
    """What is used when somebody calls: his session, or his key."""
    return who.session or who.actor


def _keep_use(subject: str, last: int) -> None:
    """Note the use of a key or session once a minute; that it fails stops nobody."""
    now = _served().ledger.clock()
    if subject == OPERATOR or now - last < A_MINUTE:
        return
    try:
        with _served().ledger.database.write() as connection:
            access.keep_use(connection, subject, now)
    except SQLAlchemyError as fault:
        log.warning("use_not_kept", subject=subject, error=str(fault)[:500])


def check_said_once() -> None:
    """Refuse a parameter that a query says more than once."""
    twice = {name for name, values in request.args.lists() if len(values) > 1}
    if twice:
        raise QueryInvalid({name: ["parameter_repeated"] for name in sorted(twice)})


def canonical_body() -> bytes:
    """What was sent, however it was spaced, without a password.

    It is hashed and kept, and a password would be easier to guess from that than from its own
    hash.
    """
    return _read()[1]


def take(form: str, reader: Callable[[bytes], Any]) -> None:
    """Let what was sent in a form of its own be read as the JSON that would say the same."""
    g.other_form = (form, reader)


def _read() -> tuple[Any, bytes]:
    """The JSON that was sent, and its canonical bytes."""
    if "sent" not in g:
        form, reader = g.get("other_form", ("", None))
        told = request.get_data()
        g.sent = _decoded(told) if reader is None else _converted(told, form, reader)
    sent: tuple[Any, bytes] = g.sent
    return sent


def _decoded(raw: bytes) -> tuple[Any, bytes]:
    if not raw.strip():
        return {}, b"{}"
    if not _is_plain("application/json"):
        raise Refused("media_type", wanted="application/json")
    try:
        data = msgspec.json.decode(raw)
        return data, msgspec.json.encode(_without_password(data), order="sorted")
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as fault:
        raise Refused("json_malformed", fault=fault) from None


def _converted(raw: bytes, form: str, reader: Callable[[bytes], Any]) -> tuple[Any, bytes]:
    if not _is_plain(form):
        raise Refused("media_type")
    data = reader(raw)
    return data, msgspec.json.encode(data, order="sorted")


def _is_plain(form: str) -> bool:
    """Whether what was sent says that it has this form, in UTF-8, and is not packed."""
    charset = request.mimetype_params.get("charset", "utf-8").lower()
    plain = request.content_encoding in (None, "", "identity")
    return request.mimetype == form and charset in ("utf-8", "utf8") and plain


def _without_password(data: Any) -> Any:
    return {**data, "password": None} if isinstance(data, dict) and "password" in data else data
