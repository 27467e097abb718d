"""Holds answers to what the API's description says of them."""

from __future__ import annotations

import json
import re
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

import jsonschema_rs
from flask import Flask
from werkzeug.test import TestResponse

JSON_TYPES = ("application/json", "application/problem+json")
LINES = "application/x-ndjson"


class Description:
    """The API's description, with what it takes to check an answer against it."""

    def __init__(self, spec: dict[str, Any]) -> None:
        self.spec = spec
        self.validators: dict[tuple[str, ...], Any] = {}

    @cached_property
    def paths(self) -> list[tuple[re.Pattern[str], str]]:
        """A pattern for each path; none of its parameters holds a slash."""
        return [(re.compile(re.sub(r"{\w+}", "[^/]+", path)), path) for path in self.spec["paths"]]

    def check(self, method: str, path: str, answer: TestResponse) -> None:
        """Find the answer among those that its operation may give, and its body in its form."""
        template = next((one for form, one in self.paths if form.fullmatch(path)), "")
        operation = self.spec["paths"].get(template, {}).get(method.lower())
        if operation is None:
            return
        status = "default" if answer.status_code == 500 else str(answer.status_code)
        where = f"{method} {template} -> {status}"
        assert status in operation["responses"], f"{where} is not described: {answer.text}"
        response = self.resolved(operation["responses"][status])
        self.check_headers(where, response, answer)
        content = response.get("content", {})
        if not content:
            assert answer.text == "", f"{where} has no body"
            return
        mimetype = answer.mimetype or ""
        assert mimetype in content, f"{where} is not described as {mimetype}"
        validator = self.validator(template, method, status, content, mimetype)
        for body in _bodies(answer):
            validator.validate(body)

    def check_headers(self, where: str, response: dict[str, Any], answer: TestResponse) -> None:
        """A header that is described anywhere is described here."""
        told = set(self.spec["components"]["headers"]).intersection(answer.headers.keys())
        assert told <= set(response.get("headers", {})) or answer.status_code == 304, (
            f"{where} has headers that are not described: {told}"
        )
        assert "Request-Id" in answer.headers, where

    def validator(
        self, template: str, method: str, status: str, content: dict[str, Any], mimetype: str
    ) -> Any:
        """The validator of one kind of answer, made once."""
        key = (template, method, status, mimetype)
        if key not in self.validators:
            schema = {**content[mimetype]["schema"], "components": self.spec["components"]}
            self.validators[key] = jsonschema_rs.Draft202012Validator(schema, validate_formats=True)
        return self.validators[key]

    def resolved(self, told: dict[str, Any]) -> dict[str, Any]:
        """A response, or the one that it refers to."""
        name = told.get("$ref", "").rpartition("/")[2]
        found: dict[str, Any] = self.spec["components"]["responses"][name] if name else told
        return found


_descriptions: WeakKeyDictionary[Flask, Description] = WeakKeyDictionary()


def check(app: Flask, method: str, path: str, answer: TestResponse) -> None:
    """Hold an answer to the description that its application gives of itself.

    A stream that goes on is left alone.
    """
    if app not in _descriptions:
        _descriptions[app] = Description(app.test_client().get("/openapi.json").get_json())
    path, _, query = path.partition("?")
    if "follow=true" not in query:
        _descriptions[app].check(method, path, answer)


def _bodies(answer: TestResponse) -> list[Any]:
    if answer.mimetype == LINES:
        return [json.loads(line) for line in answer.text.splitlines() if line]
    return [json.loads(answer.text)] if answer.mimetype in JSON_TYPES else []
