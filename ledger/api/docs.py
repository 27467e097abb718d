"""The pages under /docs: the reference of the API, and what every refusal says.

They are open to everybody. All they load is served from here, and a strict policy holds that.
"""

from __future__ import annotations

from functools import cache
from itertools import groupby
from string import Formatter
from typing import NamedTuple

from flask import Blueprint, Response, redirect, render_template, url_for
from werkzeug.wrappers import Response as WebResponse

from ledger.api.problem import retryable
from ledger.texts import LANGUAGES, Text, texts

POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The reference draws its arrows as `data:` images in its style sheet; it needs no more."""
KEPT = 3600
"""Seconds for which a browser may keep a static file without asking."""

Sentence = list[tuple[str, str | None]]


class Problem(NamedTuple):
    """A refusal as its page shows it: by language a title, and a sentence in parts.

    A part is a text and the name of the gap after it, if there is one.
    """

    code: str
    retryable: bool
    titles: dict[str, str]
    sentences: dict[str, Sentence]


class _Pages(Blueprint):
    def get_send_file_max_age(self, _: str | None) -> int:
        return KEPT


blueprint = _Pages(
    "docs",
    __name__,
    static_folder="static",
    static_url_path="/docs/static",
    template_folder="templates",
)


@blueprint.get("/")
def entrance() -> WebResponse:
    """Lead whoever comes to the bare address to where he can read on."""
    return redirect(url_for("docs.reference"))


@blueprint.get("/docs", strict_slashes=False)
def reference() -> str:
    """Show the API as /openapi.json describes it, ready to be tried."""
    return render_template("docs/reference.html")


@blueprint.get("/docs/problems")
def problems() -> str:
    """Show every refusal in both languages, by status."""
    return _problems_page()


@cache
def _problems_page() -> str:
    return render_template("docs/problems.html", problems=problems_by_status())


@blueprint.after_request
def guard(response: Response) -> Response:
    """Let a page load nothing from elsewhere, and be asked for anew after an upgrade."""
    response.headers["Content-Security-Policy"] = POLICY
    response.headers.setdefault("Cache-Control", "no-cache")
    return response


def problems_by_status() -> dict[int, list[Problem]]:
    """Every refusal there is, under its status, in the order of the tables of texts."""
    ordered = sorted(texts().items(), key=lambda item: item[1].status)
    groups = groupby(ordered, key=lambda item: item[1].status)
    return {status: [_problem(code, text) for code, text in group] for status, group in groups}


def _problem(code: str, text: Text) -> Problem:
    sentences = {language: _parts(text.sentences[language]) for language in LANGUAGES}
    return Problem(code, retryable(code, text.status), text.titles, sentences)


def _parts(sentence: str) -> Sentence:
    return [(words, gap) for words, gap, _, _ in Formatter().parse(sentence)]
