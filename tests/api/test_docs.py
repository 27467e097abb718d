"""The pages under /docs: the reference of the API, and what every refusal says."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from ledger import api
from ledger.texts import texts
from tests.api.conftest import Answer, Club

PAGES = ("/docs", "/docs/", "/docs/problems")
STATIC = Path(api.__file__).parent / "static"
SWAGGER = STATIC / "vendor" / "swagger-ui"
POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


class Page(HTMLParser):
    """A page as a browser takes it: the ids in it, what it names, and what stands inline."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.inline: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            elif name in {"href", "src", "data-openapi"}:
                self.links.append(value or "")
            elif name == "style" or name.startswith("on"):
                self.inline.append(name)
        if tag == "style" or (tag == "script" and "src" not in dict(attrs)):
            self.inline.append(tag)


@pytest.fixture(params=PAGES)
def page(request: pytest.FixtureRequest, sqlite_club: Club) -> Answer:
    """A page as somebody without a key gets it."""
    return visit(sqlite_club, request.param)


@pytest.fixture
def problems(sqlite_club: Club) -> str:
    return visit(sqlite_club, "/docs/problems").text


def visit(club: Club, path: str) -> Answer:
    answer: Answer = club.app.test_client().get(path, buffered=True)  # type: ignore[assignment]
    return answer


def test_the_pages_need_no_key(page: Answer) -> None:
    """Who reads about the API has none yet."""
    assert page.status_code == 200
    assert page.content_type == "text/html; charset=utf-8"


def test_a_page_may_load_from_here_alone(page: Answer) -> None:
    """The policy holds, no content is guessed, no cookie is set."""
    assert page.headers["Content-Security-Policy"] == POLICY
    assert page.headers["X-Content-Type-Options"] == "nosniff"
    assert page.headers["Cache-Control"] == "no-cache"
    assert "Set-Cookie" not in page.headers


def test_a_page_has_no_script_or_style_in_it(page: Answer) -> None:
    """The policy would stop them."""
    assert Page(page.text).inline == []


def test_nothing_of_ours_names_another_host(page: Answer) -> None:
    """No page, script, style or picture of ours loads from elsewhere."""
    ours = [path.read_text() for path in STATIC.iterdir() if path.is_file()]
    for text in (page.text, *ours):
        assert re.findall(r"(?:https?:)?//[a-z0-9.]+\.[a-z]{2,}", plain(text)) == []


def plain(text: str) -> str:
    """Without the name of SVG, which is an address that nobody visits."""
    return text.replace('xmlns="http://www.w3.org/2000/svg"', "")


def test_every_link_of_a_page_leads_somewhere(page: Answer, sqlite_club: Club) -> None:
    """Every address and every file that it names is there, and so is every anchor."""
    read = Page(page.text)
    assert read.links
    for link in read.links:
        path, _, anchor = link.partition("#")
        assert not path or visit(sqlite_club, path).status_code == 200, link
        assert path.endswith(".svg") or not anchor or anchor in read.ids, link


def test_no_id_stands_twice_on_a_page(page: Answer) -> None:
    ids = Page(page.text).ids
    assert sorted(ids) == sorted(set(ids))


def test_a_browser_keeps_the_files_for_an_hour(sqlite_club: Club) -> None:
    """And asks then whether they have changed."""
    style = visit(sqlite_club, "/docs/static/docs.css")
    assert style.headers["Cache-Control"] == "public, max-age=3600"
    assert style.headers["ETag"]
    assert style.content_type == "text/css; charset=utf-8"


def test_the_reference_shows_our_own_description(sqlite_club: Club) -> None:
    """It is told of /openapi.json, and asks no validator elsewhere."""
    assert 'data-openapi="/openapi.json"' in visit(sqlite_club, "/docs").text
    script = visit(sqlite_club, "/docs/static/docs.js")
    assert script.content_type == "text/javascript; charset=utf-8"
    assert "validatorUrl: null" in script.text


def test_the_bare_address_leads_to_the_reference(sqlite_club: Club) -> None:
    """Who types the server's name alone finds what can be asked of it."""
    answer = visit(sqlite_club, "/")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/docs")
    assert answer.headers["Content-Security-Policy"] == POLICY


def test_the_reference_keeps_a_key_with_its_tab_alone(sqlite_club: Club) -> None:
    """Not where it would outlast the tab and be read by whoever sits there next."""
    script = visit(sqlite_club, "/docs/static/docs.js").text
    assert "sessionStorage.setItem(KEPT" in script
    assert "sessionStorage.removeItem(KEPT)" in script
    assert "localStorage" not in script
    assert "persistAuthorization" not in script


def test_a_refusal_can_be_looked_for(problems: str) -> None:
    """The field is shown where the script that makes it work has run."""
    assert 'src="/docs/static/problems.js" type="module"' in problems
    assert '<label class="find" hidden>' in problems
    assert 'id="find" type="search"' in problems


def test_what_is_not_there_is_refused_as_everywhere(sqlite_club: Club) -> None:
    """A file that is not there is a problem that nobody keeps."""
    answer = visit(sqlite_club, "/docs/static/nothing.js")
    assert answer.status_code == 404
    assert answer.content_type == "application/problem+json"
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("path", ["/docs/static/../docs.py", "/docs/static/%2e%2e/docs.py"])
def test_only_the_files_for_readers_are_served(sqlite_club: Club, path: str) -> None:
    """No way leads out of the folder."""
    assert visit(sqlite_club, path).status_code == 404


def test_the_reference_is_no_part_of_the_api(sqlite_club: Club) -> None:
    """The pages are not described in /openapi.json."""
    paths = visit(sqlite_club, "/openapi.json").json["paths"]
    assert [path for path in paths if path == "/" or path.startswith("/docs")] == []


def test_every_code_has_its_place(problems: str) -> None:
    """The `type` of every problem leads to an anchor that is its code."""
    assert set(texts()) - set(Page(problems).ids) == set()


def test_the_type_of_a_refusal_is_a_place_on_the_page(sqlite_club: Club) -> None:
    refused = visit(sqlite_club, f"/v1/clubs/{sqlite_club.id}").json
    path, _, anchor = refused["type"].partition("#")
    assert (path, anchor) == ("/docs/problems", "key_missing")
    assert anchor in Page(visit(sqlite_club, path).text).ids


def test_a_refusal_is_told_in_both_languages(problems: str) -> None:
    """Each language is named, so that it is read aloud and set rightly."""
    assert article(problems, "login_wrong") == [
        '<p lang="en"><b>Not signed in</b> The login or the password is not right.</p>',
        '<p lang="zh-CN"><b>登录失败</b> 登录名或密码不正确。</p>',
    ]


def test_what_an_answer_fills_in_is_set_apart(problems: str) -> None:
    """A gap is a variable, not braces."""
    english, chinese = article(problems, "hand_unknown")
    assert "The table <var>table</var> has no hand <var>hand</var>." in english
    assert "牌桌 <var>table</var> 没有第 <var>hand</var> 局。" in chinese


def article(page: str, code: str) -> list[str]:
    """The paragraphs about a code."""
    [found] = re.findall(rf'<article id="{code}">(.*?)</article>', page, re.DOTALL)
    return re.findall(r"<p .*?</p>", found)


@pytest.mark.parametrize(
    ("code", "retryable"),
    [("busy", True), ("settlement_pending", True), ("table_closed", False), ("key_missing", False)],
)
def test_the_page_says_what_may_be_tried_again(problems: str, code: str, retryable: bool) -> None:
    """As `retryable` says it in the refusal."""
    [found] = re.findall(rf'<article id="{code}">(.*?)</article>', problems, re.DOTALL)
    assert ("可重试" in found) is retryable


def test_every_status_says_what_to_do(problems: str) -> None:
    """The head of a group has a paragraph in each language."""
    statuses = {text.status for text in texts().values()}
    for status in statuses:
        [head] = re.findall(rf'<h2 id="head-{status}">.*?</header>', problems, re.DOTALL)
        assert head.count('<p lang="en"><b>') == head.count('<p lang="zh-CN"><b>') == 1


def test_the_vendored_files_are_those_of_the_manifest() -> None:
    """Byte for byte, and no other file lies beside them."""
    told = dict(manifest())
    there = {path.name for path in SWAGGER.iterdir()} - {"README.md"}
    digests = {name: hashlib.sha256((SWAGGER / name).read_bytes()).hexdigest() for name in there}
    assert digests == told
    assert {"LICENSE", "NOTICE", "swagger-ui-bundle.js", "swagger-ui.css"} <= there


def test_the_manifest_tells_the_version_that_lies_there() -> None:
    """The bundle carries its own version."""
    [version] = re.findall(r"^# swagger-ui-dist (\d+\.\d+\.\d+)$", readme(), re.MULTILINE)
    assert f'"{version}"' in (SWAGGER / "swagger-ui-bundle.js").read_text()


def manifest() -> Iterator[tuple[str, str]]:
    for digest, name in re.findall(r"^([0-9a-f]{64})  (\S+)$", readme(), re.MULTILINE):
        yield name, digest


def readme() -> str:
    return (SWAGGER / "README.md").read_text()
