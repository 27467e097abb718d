"""Every refusal as `application/problem+json` (RFC 9457), in the reader's language."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from http import HTTPStatus
from typing import Any

import flask_smorest
import msgspec
import structlog
from flask import Flask, Response, g, request
from flask_smorest.utils import prepare_response
from marshmallow import fields
from sqlalchemy.exc import InterfaceError, OperationalError, TimeoutError
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from ledger.api import shown
from ledger.api.answers import Shown
from ledger.api.description import INFO, Conventions, of_refusal
from ledger.api.fields import BodyInvalid, QueryInvalid
from ledger.database import trouble
from ledger.granting_files import SheetInvalid
from ledger.refusal import Refused
from ledger.texts import LANGUAGES, sentence, status_of, title

MEDIA_TYPE = "application/problem+json"
DOCS = "/docs/problems#"
PASSES = (429, 503)
"""Statuses of what may go better when it is tried again as it is."""
PENDING = ("settlement_pending",)
"""Codes of what will go better so, whatever their status."""

BY_STATUS = {
    400: "bad_request",
    404: "not_found",
    405: "method_not_allowed",
    413: "body_too_large",
    415: "media_type",
}
log = structlog.get_logger()


class FaultSchema(Shown):
    """One fault, with the place in the body, or the parameter, where it was found."""

    pointer = fields.String(metadata={"format": "json-pointer", "optional": True})
    parameter = fields.String(metadata={"optional": True})
    code = shown.shaped("[a-z_]+")
    detail = fields.String()


class ProblemSchema(Shown):
    """A refusal. `code` never changes; `title` and `detail` follow Accept-Language."""

    type = fields.String(metadata={"format": "uri-reference"})
    title = fields.String()
    status = shown.within(400, 599)
    detail = fields.String()
    instance = fields.String()
    code = shown.shaped("[a-z_]+")
    request_id = shown.shaped("req_[0-9a-f]{20}")
    retryable = fields.Boolean()
    rule = fields.String(metadata={"optional": True})
    current_version = shown.within(0, metadata={"optional": True})
    errors = fields.List(fields.Nested(FaultSchema), metadata={"optional": True})


class Api(flask_smorest.Api):
    """The API and its description; what goes wrong is told as a problem."""

    ERROR_SCHEMA = ProblemSchema

    def _init_spec(self, **options: Any) -> None:
        super()._init_spec(extra_plugins=[Conventions()], info=INFO, **options)

    @cached_property
    def _description(self) -> bytes:
        """The description as it is served: it is large, and made when it is first asked for."""
        return msgspec.json.encode(self.spec.to_dict())

    def _openapi_json(self) -> Response:
        response = Response(self._description, mimetype="application/json")
        response.add_etag()
        response.make_conditional(request)
        return response

    def handle_http_exception(self, error: HTTPException) -> Response:
        """What the web server refuses, and what went wrong here."""
        status = error.code or 500
        code = BY_STATUS.get(status, "bad_request" if status < 500 else "internal_error")
        if code == "internal_error":
            log.error("request_failed", request_id=g.get("request_id"), path=request.path)
        if not isinstance(error, MethodNotAllowed):
            return problem(Refused(code))
        allowed = ", ".join(sorted(error.valid_methods or ()))
        response = problem(Refused(code, allowed=allowed, method=request.method))
        response.headers["Allow"] = allowed
        return response

    def _register_pagination_header(self) -> None:
        """Describe no pages by number: those of our lists begin after an object."""

    def _register_responses(self) -> None:
        """Describe every status by the problem it is."""
        named = {one.name: (one, one.phrase) for one in HTTPStatus if one >= 400}
        other = {self.DEFAULT_ERROR_RESPONSE_NAME: (HTTPStatus.INTERNAL_SERVER_ERROR, "A refusal")}
        for name, (status, phrase) in {**named, **other}.items():
            told = of_refusal(status)
            response = {"description": phrase, "schema": self.ERROR_SCHEMA, **told}
            prepare_response(response, self.spec, MEDIA_TYPE)
            self.spec.components.response(name, response, lazy=True)


def handle_refusals(app: Flask) -> None:
    """Make every refusal of the ledger a problem, and a database that cannot answer a 503."""
    app.register_error_handler(Refused, problem)
    for error in (InterfaceError, OperationalError, TimeoutError):
        app.register_error_handler(error, _of_database)


def problem(refusal: Refused) -> Response:
    """The answer that tells a refusal."""
    status = _status(refusal)
    body = msgspec.json.encode(_told(refusal, status)) + b"\n"
    response = Response(body, status, mimetype=MEDIA_TYPE)
    response.headers["Cache-Control"] = "no-store"
    response.headers["Content-Language"] = language()
    if status == HTTPStatus.UNAUTHORIZED:
        response.headers["WWW-Authenticate"] = 'Bearer realm="paizhang"'
    if status in PASSES:
        response.headers["Retry-After"] = str(refusal.params.get("seconds", 1))
    return response


def retryable(code: str, status: int) -> bool:
    """Whether the same request may go better when it is sent again as it is."""
    return status in PASSES or code in PENDING


def language() -> str:
    """The language that the reader likes best, of those we have; zh-CN is zh."""
    liked = (tag.partition("-")[0].lower() for tag in request.accept_languages.values())
    return next((tag for tag in liked if tag in LANGUAGES), LANGUAGES[0])


def _of_database(error: Exception) -> Response:
    """Whether the database has too much to do, or does not serve at all."""
    is_busy = trouble(error) == "busy"
    refusal = Refused("busy") if is_busy else Refused("database_unavailable")
    log.warning(f"database_{'busy' if is_busy else 'unavailable'}", error=str(error)[:500])
    return problem(refusal)


def _status(refusal: Refused) -> int:
    """What the path names and is not there is a 404; the same named in a body is a 422."""
    status = status_of(refusal)
    found_in_body = status == HTTPStatus.NOT_FOUND and refusal.pointer != ""
    return 422 if found_in_body else status


def _told(refusal: Refused, status: int) -> dict[str, Any]:
    told: dict[str, Any] = {
        "type": DOCS + refusal.code,
        "title": title(refusal, language()),
        "status": status,
        "detail": sentence(refusal, language()),
        "instance": request.path,
        "code": refusal.code,
        "request_id": g.get("request_id", ""),
        "retryable": retryable(refusal.code, status),
    }
    if refusal.rule is not None:
        told["rule"] = refusal.rule
    if "current_version" in refusal.params:
        told["current_version"] = refusal.params["current_version"]
    errors = list(_errors(refusal))
    return {**told, "errors": errors} if errors else told


def _errors(refusal: Refused) -> Iterator[dict[str, str]]:
    if isinstance(refusal, QueryInvalid):
        for fault in refusal.faults:
            yield {"parameter": fault.pointer.removeprefix("/"), **_fault(fault)}
        return
    faults = refusal.faults if isinstance(refusal, BodyInvalid | SheetInvalid) else (refusal,)
    for fault in faults:
        if fault.pointer or isinstance(refusal, BodyInvalid):
            yield {"pointer": fault.pointer, **_fault(fault)}


def _fault(fault: Refused) -> dict[str, str]:
    return {"code": fault.code, "detail": sentence(fault, language())}
