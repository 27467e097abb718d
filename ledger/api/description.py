"""What every operation of the API has, said once: its name, its refusals, its headers, an example.

What its parameters and fields mean stands in ledger/api/words.py; the rest of the description at
/openapi.json comes from the views and their schemas. The examples are recorded answers:
`python -m tests.api.examples` records them anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from http import HTTPStatus
from importlib.resources import files
from typing import Any

import msgspec
from apispec import APISpec, BasePlugin
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from marshmallow import Schema, fields
from werkzeug.routing import Rule

from ledger.api import facts, words
from ledger.api.answers import Either
from ledger.api.fields import Query

JSON = dict[str, Any]
EXAMPLES: JSON = msgspec.json.decode(files(__package__).joinpath("examples.json").read_bytes())
"""By operation its example, a request and the answer to it; and by status that of a refusal."""

TEXT = {"type": "string"}
_ABOUT = """A club's ledger of mahjong: matches, hands, actions, and the points that came of them.

Points are a score, without cash value. Times are RFC 3339 in UTC. A write is sent with an
Idempotency-Key and happens once. A refusal is a problem (RFC 9457) with a stable `code`."""
INFO = {"description": _ABOUT, "license": {"name": "MIT", "identifier": "MIT"}}

HEADERS: dict[str, JSON] = {
    "Request-Id": {
        "description": "The number of this request; a problem tells it too.",
        "schema": {"type": "string", "pattern": "^req_[0-9a-f]{20}$"},
    },
    "Cache-Control": {
        "description": "`no-store` for what a running hand shows, and for all that changes.",
        "schema": TEXT,
    },
    "RateLimit-Policy": {
        "description": "The quota that is nearest to its end: so many requests (q) in so many "
        "seconds (w).",
        "schema": TEXT,
        "example": '"key";q=6000;w=60',
    },
    "RateLimit": {
        "description": "What is left of that quota (r), and in how many seconds it is full "
        "again (t).",
        "schema": TEXT,
        "example": '"key";r=5999;t=60',
    },
    "ETag": {
        "description": "What is shown, for If-None-Match; of what may be changed its version, "
        "for If-Match too.",
        "schema": {"type": "string", "pattern": '^"[0-9a-f]+"$'},
        "example": '"17"',
    },
    "Link": {
        "description": "The next page of a list, where there is one.",
        "schema": TEXT,
        "example": '</v1/rulesets?starting_after=x&limit=20>; rel="next"',
    },
    "Location": {"description": "Where the new thing is.", "schema": TEXT},
    "Idempotent-Replayed": {
        "description": "That this request was done before, and this is its first answer.",
        "schema": {"type": "string", "enum": ["true"]},
    },
    "Dry-Run": {
        "description": "That nothing was written.",
        "schema": {"type": "string", "enum": ["true"]},
    },
    "Content-Language": {
        "description": "The language of title and detail.",
        "schema": {"type": "string", "enum": ["en", "zh"]},
    },
    "WWW-Authenticate": {"description": "How to say who calls.", "schema": TEXT},
    "Retry-After": {
        "description": "After how many seconds it is worth trying again.",
        "schema": {"type": "string", "pattern": "^[0-9]+$"},
    },
}
ALWAYS = ("Request-Id", "Cache-Control")
LIMITED = ("RateLimit-Policy", "RateLimit")
OF_REFUSALS = {
    HTTPStatus.UNAUTHORIZED: ("WWW-Authenticate",),
    HTTPStatus.TOO_MANY_REQUESTS: ("Retry-After",),
    HTTPStatus.SERVICE_UNAVAILABLE: ("Retry-After",),
}

PARAMETERS: dict[str, JSON] = {
    "Accept-Language": {
        "description": "The language of a refusal: English, or Chinese with `zh`.",
        "schema": TEXT,
        "example": "zh-CN",
    },
    "If-None-Match": {
        "description": "The ETag of an earlier answer: 304 where it still holds.",
        "schema": TEXT,
    },
}


class Conventions(BasePlugin):
    """Completes the description of every operation."""

    def init_spec(self, spec: APISpec) -> None:
        """Describe what operations refer to, and how forms are described."""
        [forms] = [plugin for plugin in spec.plugins if isinstance(plugin, MarshmallowPlugin)]
        converter: Any = forms.converter
        for function in (_either, _said):
            converter.add_attribute_function(function)
        for name, header in HEADERS.items():
            spec.components.header(name, header)
        for name, parameter in PARAMETERS.items():
            spec.components.parameter(name, "header", {"name": name, **parameter})
        for name, schema in facts.described().items():
            spec.components.schema(name, schema)

    def path_helper(
        self,
        path: str | None = None,
        operations: JSON | None = None,
        parameters: list[JSON] | None = None,
        **told: Any,
    ) -> None:
        """Say what the parameters of a path mean, with the values of the example."""
        rule: Rule = told["rule"]
        for parameter in parameters or ():
            parameter["description"] = words.PARAMETERS[parameter["name"]]
            example = _part_of_path(rule, parameter["name"])
            if example is not None:
                parameter["example"] = int(example) if example.isdigit() else example

    def operation_helper(
        self, path: str | None = None, operations: JSON | None = None, **told: Any
    ) -> None:
        """Name an operation, and tell its refusals, its headers and its example."""
        for method, operation in (operations or {}).items():
            _complete(method, operation, told["rule"])


def operation_id(rule: Rule) -> str:
    """The name of an operation: its view's."""
    endpoint: str = rule.endpoint
    return endpoint.rpartition(".")[2]


def _either(converter: OpenAPIConverter, field: fields.Field[Any], **_: Any) -> JSON:
    """The description of a field that has one of several forms."""
    if not isinstance(field, Either):
        return {}
    resolve: Any = converter.resolve_nested_schema
    return {"anyOf": [resolve(schema) for schema in field.schemas]}


def _said(_: OpenAPIConverter, field: fields.Field[Any], **__: Any) -> JSON:
    """What a parameter of a query or a field of a body means, unless it says so itself."""
    form, name = field.parent, field.name or ""
    if "description" in field.metadata or not isinstance(form, Schema):
        return {}
    of = words.of_parameter if isinstance(form, Query) else words.of_field
    known = of(form, name)
    return {} if known is None else {"description": known}


def of_refusal(status: HTTPStatus) -> JSON:
    """The headers of a refusal by its status, and an example of one."""
    names = (*ALWAYS, "Content-Language", *LIMITED, *OF_REFUSALS.get(status, ()))
    headers = {name: name for name in names}
    if status.name not in EXAMPLES:
        return {"headers": headers}
    return {"headers": headers, "example": EXAMPLES[status.name]["answer"]["body"]}


def keep_parameters(doc: JSON, doc_info: JSON, **_: Any) -> JSON:
    """Keep the query's parameters beside those that a view tells itself."""
    told = doc_info.get("manual_doc", {})
    if "parameters" in told:
        told["parameters"] = [*doc.get("parameters", ()), *told["parameters"]]
    return doc


def _complete(method: str, operation: JSON, rule: Rule) -> None:
    operation["operationId"] = operation_id(rule)
    parameters, responses = operation.setdefault("parameters", []), operation["responses"]
    if "requestBody" not in operation:
        responses.pop(HTTPStatus.UNPROCESSABLE_ENTITY, None)
    answers = _answers(operation)
    for answer in answers:
        names = _headers(method, operation, rule, answer)
        told = {**dict.fromkeys(names), **answer.get("headers", {})}
        answer["headers"] = {name: name for name in told}
    for status in _refusals(operation, rule):
        responses.setdefault(status, status.name)
    if method == "get" and any("ETag" in answer["headers"] for answer in answers):
        responses[HTTPStatus.NOT_MODIFIED] = {"description": "It still holds."}
        parameters.append("If-None-Match")
    parameters.append("Accept-Language")
    operation["responses"] = {status: responses[status] for status in sorted(responses, key=str)}
    if operation["operationId"] in EXAMPLES:
        _exemplify(operation, **EXAMPLES[operation["operationId"]])


def _part_of_path(rule: Rule, name: str) -> str | None:
    """What stands in the example's path for a parameter."""
    names = [part.strip("<>").rpartition(":")[2] for part in rule.rule.split("/")]
    path = EXAMPLES.get(operation_id(rule), {}).get("request", {}).get("path", "")
    return dict(zip(names, path.split("/"), strict=False)).get(name)


def _answers(operation: JSON) -> list[JSON]:
    """The answers that are no refusals."""
    return [
        answer
        for status, answer in operation["responses"].items()
        if str(status).startswith("2") and isinstance(answer, dict)
    ]


def _headers(method: str, operation: JSON, rule: Rule, answer: JSON) -> Iterator[str]:
    """The headers that an answer to an operation may have, for what the operation is."""
    yield from ALWAYS
    if method == "get" and _is_limited(rule):
        yield "ETag"
    if _is_limited(rule):
        yield from LIMITED
    if _takes(operation, "Idempotency-Key"):
        yield "Idempotent-Replayed"
    if _takes(operation, "dry_run"):
        yield "Dry-Run"
    schema = answer["content"].get("application/json", {}).get("schema", {})
    if schema.get("$ref", "").endswith("List"):
        yield "Link"


def _refusals(operation: JSON, rule: Rule) -> Iterator[HTTPStatus]:
    """The statuses with which an operation may be refused, for what it is and takes."""
    yield HTTPStatus.SERVICE_UNAVAILABLE
    if _is_limited(rule):
        yield HTTPStatus.TOO_MANY_REQUESTS
    if operation.get("security") != []:
        yield HTTPStatus.UNAUTHORIZED
    if "x-roles" in operation:
        yield HTTPStatus.FORBIDDEN
    if rule.arguments:
        yield HTTPStatus.NOT_FOUND
    if any(one["in"] in ("query", "header") for one in _parameters(operation)):
        yield HTTPStatus.BAD_REQUEST
    if "requestBody" in operation:
        yield HTTPStatus.BAD_REQUEST
        yield HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        yield HTTPStatus.UNSUPPORTED_MEDIA_TYPE
        yield HTTPStatus.UNPROCESSABLE_ENTITY
    if _takes(operation, "Idempotency-Key"):
        yield HTTPStatus.CONFLICT
    if _takes(operation, "If-Match"):
        yield HTTPStatus.PRECONDITION_FAILED
    if _takes(operation, "If-Match", required=True):
        yield HTTPStatus.PRECONDITION_REQUIRED


def _is_limited(rule: Rule) -> bool:
    return rule.rule.startswith("/v1/")


def _takes(operation: JSON, name: str, *, required: bool = False) -> bool:
    found = [one for one in _parameters(operation) if one["name"] == name]
    return bool(found) and (not required or found[0].get("required", False))


def _parameters(operation: JSON) -> list[JSON]:
    return [one for one in operation.get("parameters", ()) if isinstance(one, dict)]


def _exemplify(operation: JSON, request: JSON, answer: JSON) -> None:
    """Give an operation the request and the answer of its example."""
    for parameter in _parameters(operation):
        told = {**request.get("query", {}), **request.get("headers", {})}
        if parameter["name"] in told:
            parameter["example"] = told[parameter["name"]]
    if "body" in request:
        operation["requestBody"]["content"]["application/json"]["example"] = request["body"]
    for status, response in operation["responses"].items():
        if str(status) == str(answer["status"]):
            content = response["content"]
            form = content.get("application/json") or next(iter(content.values()))
            form["example"] = answer["body"]
