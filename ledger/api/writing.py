"""How a write is asked: once by its command id, on the version that was seen, or only on trial."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import wraps
from typing import Any, Literal

from flask import current_app, g, request

from ledger import codec
from ledger.acts import Asked
from ledger.api import edge
from ledger.api.edge import View
from ledger.api.fields import QueryInvalid
from ledger.refusal import Refused
from ledger.rights import RIGHTS, Command

LONGEST_COMMAND_ID = 255
SHEET = "text/csv"
VERSION = re.compile(r'"(0|[1-9][0-9]{0,15})"')

_COMMAND_ID_HEADER = {
    "in": "header",
    "name": "Idempotency-Key",
    "required": True,
    "description": "Makes the write happen once: the same key with the same body is answered "
    "with the first answer, for ever. Only the secret of a new key, link or session is told once: "
    "in a later answer its `token` is null.",
    "schema": {"type": "string", "minLength": 1, "maxLength": LONGEST_COMMAND_ID},
}
_VERSION_HEADER = {
    "in": "header",
    "name": "If-Match",
    "description": "The version of what is changed that the sender has seen: its ETag.",
    "schema": {"type": "string", "pattern": f"^{VERSION.pattern}$"},
}
_DRY_RUN = {
    "in": "query",
    "name": "dry_run",
    "description": "With `true` the answer is given and nothing is written; Idempotency-Key may "
    "then be left out. A trial on a running hand goes no further than to where its wall would "
    "be looked at.",
    "schema": {"type": "string", "enum": ["true", "false"]},
}


def writes(
    *commands: type[Command],
    version: Literal["optional", "required"] | None = None,
    sheet: Sequence[dict[str, Any]] = (),
) -> Callable[[View], View]:
    """Make a view a write, open to those who may give one of its commands.

    It has a command id. `version`: whether it says which version of what is changed its sender
    has seen; what is new has none. `sheet`: the parameters of a query that comes with a sheet.
    """

    def writing(view: View) -> View:
        roles = dict.fromkeys(role for command in commands for role in RIGHTS[command])
        return edge.open_to(*roles)(_writing(view, version, sheet))

    return writing


def settles(view: View) -> View:
    """Make a view a write that may be sent again and again, and takes no parameter."""

    @wraps(view)
    def settling(*args: Any, **kwargs: Any) -> Any:
        _check_query()
        return view(*args, **kwargs)

    return settling  # type: ignore[return-value]


def once(view: View) -> View:
    """Make a view a write that has a command id, and nothing else that is asked for."""
    documented = edge.Blueprint.doc(parameters=[_COMMAND_ID_HEADER])(view)

    @wraps(documented)
    def asking(*args: Any, **kwargs: Any) -> Any:
        _check_query()
        g.asked = Asked(_command_id(), _request_hash(), _expected(None))
        return documented(*args, **kwargs)

    return asking  # type: ignore[return-value]


def _writing(view: View, version: str | None, sheet: Sequence[dict[str, Any]]) -> View:
    seen = {**_VERSION_HEADER, "required": version == "required"}
    parameters = [_COMMAND_ID_HEADER, *([seen] if version else []), _DRY_RUN, *sheet]
    documented = edge.Blueprint.doc(parameters=parameters)(view)

    def rehearsed(*args: Any, **kwargs: Any) -> Any:
        with edge.ledger().database.rehearse() as database:
            g.rehearsed = replace(edge.ledger(), database=database, appended=lambda *_: None)
            response = current_app.make_response(documented(*args, **kwargs))
        response.headers["Dry-Run"] = "true"
        return response

    @wraps(documented)
    def asking(*args: Any, **kwargs: Any) -> Any:
        _check_query("dry_run", *(one["name"] for one in sheet if request.mimetype == SHEET))
        dry = _is_dry_run()
        g.asked = Asked(_command_id(needed=not dry), _request_hash(), _expected(version))
        return (rehearsed if dry else documented)(*args, **kwargs)

    return asking  # type: ignore[return-value]


def _check_query(*known: str) -> None:
    """Refuse a parameter that means nothing here: a misspelt dry run would write."""
    edge.check_said_once()
    unknown = {name: ["parameter_unknown"] for name in request.args if name not in known}
    if unknown:
        raise QueryInvalid(unknown)


def _is_dry_run() -> bool:
    """Whether the write is only asked about."""
    given = request.args.get("dry_run", "false")
    if given not in ("true", "false"):
        raise QueryInvalid({"dry_run": ["field_choice allowed=true, false"]})
    return given == "true"


def _command_id(needed: bool = True) -> str | None:
    key = request.headers.get("Idempotency-Key", "").strip()
    if not key and not needed:
        return None
    if not key:
        raise Refused("idempotency_key_missing")
    if len(key) > LONGEST_COMMAND_ID or not key.isascii() or not key.isprintable():
        raise Refused("idempotency_key_form", longest=LONGEST_COMMAND_ID)
    return key


def _request_hash() -> bytes:
    """What a command id is bound to: method, path and body, however the body was spaced."""
    parts = (request.method.encode(), request.path.encode(), edge.canonical_body())
    return hashlib.sha256(codec.pack(parts)).digest()


def _expected(version: str | None) -> int | None:
    given = request.headers.get("If-Match", "").strip()
    if given and version is None:
        raise Refused("version_not_taken")
    if not given:
        if version == "required":
            raise Refused("version_missing")
        return None
    found = VERSION.fullmatch(given)
    if found is None:
        raise Refused("version_form")
    return int(found[1])
