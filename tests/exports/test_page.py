"""The printed statement: what stands on it, what it asks of nobody, and how Chromium prints it."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import pytest
import segno
from pypdf import PdfReader

from ledger import checkpoints
from ledger.checkpoints import Checkpoint
from projections.exports.asked import Asked, Language
from tests.exports.conftest import Place
from tests.exports.hostile import HOSTILE
from tests.exports.known import keep_books
from tests.exports.outside import run
from tests.exports.sheets import content, export
from tests.world import World

HEIGHT, WIDTH = 842, 595
"""A4 in points of print."""


class Read(HTMLParser):
    """What an HTML reader finds in a page: its elements, their texts, and what they refer to."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.refers: list[str | None] = []
        self.handlers: list[str] = []
        self.texts: list[str] = []
        self.cells: list[list[str]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.refers += [value for name, value in attrs if name in ("href", "src", "action", "data")]
        self.handlers += [name for name, _ in attrs if name.startswith("on") or name == "style"]
        if tag == "tr":
            self.cells.append([])
        if tag in ("td", "th"):
            self.cells[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            self.tags.append("/cell")

    def handle_data(self, data: str) -> None:
        self.texts.append(data)
        if self.cells and self.tags and self._in_cell():
            self.cells[-1][-1] += data

    def _in_cell(self) -> bool:
        opened = (tag for tag in reversed(self.tags) if tag in ("td", "th", "/cell", "tr"))
        return next(opened, "") in ("td", "th")


def page(place: Place, folder: Path, **asked: object) -> str:
    """The page of a statement."""
    _, file = export(place, folder, Asked("member_statement", "page", **asked))  # type: ignore[arg-type]
    return file.read_bytes().decode()


def words(text: str) -> str:
    """The words of a page with one space between."""
    return " ".join(" ".join(Read(text).texts).split())


@pytest.fixture
def known(world: World) -> Place:
    """The club whose books are known."""
    return keep_books(world.club())


def checkpoint(place: Place, folder: Path, world: World) -> Checkpoint:
    """A signed checkpoint of the club as it stands."""
    return checkpoints.make(place.database, place.club, folder / "key", world.clock)


# --- what stands on it --------------------------------------------------------------------------


def test_a_statement_says_what_a_member_had_what_came_and_went_and_what_he_has(
    known: Place, tmp_path: Path
) -> None:
    """Given the second member from 19 November, then each line has its sign and its balance."""
    told = page(known, tmp_path, member="M-0002", first="2026-11-19", last="2026-12-31")

    assert Read(told).cells[1:] == [
        ["Booked", "Entry", "Kind", "Description", "In", "Out", "Balance"],
        ["", "", "", "Opening balance", "", "", "1,000"],
        [
            "2027-01-15 16:00:14",
            "jrn_10",
            "settlement",
            "Hand 1 tbl_a-1 counts from 2026-11-28",
            "",
            "−24",
            "976",
        ],
        [
            "2027-01-15 16:00:15",
            "jrn_11",
            "reversal",
            "Reversal of jrn_10 tbl_a-1 counts from 2026-11-28",
            "+24",
            "",
            "1,000",
        ],
        [
            "2027-01-15 16:00:16",
            "jrn_12",
            "correction",
            "Hand 1 corrected tbl_a-1 counts from 2026-11-28",
            "",
            "−16",
            "984",
        ],
        [
            "2027-01-15 16:00:17",
            "jrn_13",
            "closing",
            "Close of period 1 counts from 2026-11-20",
            "",
            "−1,000",
            "−16",
        ],
        ["2026-12-31", "", "", "Closing balance", "+24", "−1,040", "−16"],
    ]
    assert "1,000 + 24 − 1,040 = −16" in told
    assert "Opening balance 1,000 In +24 Out −1,040 Closing balance −16" in words(told)


def test_its_head_says_whose_it_is_of_which_days_and_its_number(
    known: Place, tmp_path: Path
) -> None:
    """The number is made of the code, the days and the position; the log is told with its hash."""
    told = words(page(known, tmp_path, member="M-0002", first="2026-11-19", last="2026-12-31"))

    assert "Jade Statement · No. M-0002-2026-11-19-2026-12-31-13 P1 M-0002" in told
    assert "Days 2026-11-19 to 2026-12-31 · by the day of booking" in told
    assert "As of 2027-01-15 16:00:17 Asia/Shanghai" in told
    assert re.search("Ledger at #13 · Head [0-9a-f]{64} ", told)
    assert "Points are a score, no cash value" in told


def test_in_chinese_every_word_is(known: Place, tmp_path: Path) -> None:
    """Given Chinese by the days from which entries count, then the page says so in Chinese."""
    told = page(known, tmp_path, member="M-0002", language="zh", by="effective")

    assert '<html lang="zh-CN">' in told
    assert Read(told).cells[1] == ["记账时间", "凭证号", "类别", "摘要", "收入", "支出", "余额"]
    assert "Jade 对账单 · 编号 M-0002-13 P1 M-0002 期间 自始 至 今 · 按业务日期" in words(told)
    assert "积分仅用于计分，无现金价值" in words(told)
    about = "第 1 局 tbl_a-1 业务日期 2026-11-28"
    hand = ["2027-01-15 16:00:14", "jrn_10", "牌局结算", about, "", "−24", "−24"]
    assert Read(told).cells[5] == hand


def test_every_member_with_lines_has_a_statement(known: Place, tmp_path: Path) -> None:
    """Given all members, of whom the fourth has nothing, then there are three."""
    told = page(known, tmp_path)

    assert re.findall(r"<small>(M-\d+)</small>", told) == ["M-0001", "M-0002", "M-0003"]
    assert told.count("<article>") == 3


def test_who_is_asked_for_has_one_though_there_is_nothing(known: Place, tmp_path: Path) -> None:
    """Given a member without a line, then his statement opens and closes with 0."""
    told = page(known, tmp_path, member="M-0004")

    assert "Opening balance 0 In 0 Out 0 Closing balance 0" in words(told)
    assert "P3 M-0004" in words(told)


def test_days_without_entries_give_a_page_that_says_so(known: Place, tmp_path: Path) -> None:
    """Given days before all entries, then one page says that there are none."""
    told = page(known, tmp_path, last="2020-01-01")

    assert "There are no entries in these days." in words(told)
    assert told.count("<article>") == 1


# --- the checkpoint -----------------------------------------------------------------------------


def test_without_a_checkpoint_the_page_says_how_to_get_one(known: Place, tmp_path: Path) -> None:
    """Given a log that nobody has signed, then there is no code but a command."""
    told = page(known, tmp_path, member="M-0001")

    assert f"paizhang checkpoint {known.club}" in words(told)
    assert "#note" not in told


def test_the_code_holds_the_newest_checkpoint(known: Place, tmp_path: Path, world: World) -> None:
    """Given a signed log, then the code is that of the note, and words say who signed it when."""
    made = checkpoint(known, tmp_path, world)
    told = page(known, tmp_path, member="M-0001")

    code = segno.make(made.note, micro=False, error="m", encoding="utf-8")
    assert _drawn(code.svg_inline(border=4)) == _drawn(told)
    assert (
        f"Signed checkpoint by key {made.key} on 2027-01-15 16:00:18 "
        "over the first 13 events of the club's log."
    ) in words(told)
    assert f"paizhang verify {known.club} --against checkpoint.txt" in words(told)


def test_a_checkpoint_of_later_events_is_none_of_an_earlier_position(
    known: Place, tmp_path: Path, world: World
) -> None:
    """Given a checkpoint over 13 events, then a statement as of the 12th has none."""
    checkpoint(known, tmp_path, world)

    assert "#note" not in page(known, tmp_path, member="M-0001", position=12)


def _drawn(text: str) -> str:
    """The dark modules of the code."""
    found = re.search(r'<path[^>]* d="(M4[^"]+)"', text)
    assert found is not None
    return found[1]


# --- what it does not do ------------------------------------------------------------------------


@pytest.fixture
def hostile_page(hostile: Place, tmp_path: Path) -> str:
    """The statements of the hostile club."""
    return page(hostile, tmp_path)


def test_a_page_asks_nothing_of_anybody(hostile_page: str) -> None:
    """It refers to nothing but its own code, runs nothing, and lets a browser fetch nothing."""
    read = Read(hostile_page)
    assert set(read.refers) <= {"#note"}
    assert read.handlers == []
    assert not {"script", "img", "link", "iframe", "object", "form", "base", "a"} & set(read.tags)
    assert "url(" not in hostile_page
    assert "@import" not in hostile_page


def test_its_policy_lets_nothing_in_but_its_own_style(hostile_page: str) -> None:
    """The hash in the policy is that of the style as it stands there."""
    style = re.search("<style>(.*?)</style>", hostile_page, re.DOTALL)
    assert style is not None
    digest = b64encode(sha256(style[1].encode()).digest()).decode()
    assert (
        '<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; '
        f"style-src &#39;sha256-{digest}&#39;; base-uri &#39;none&#39;; "
        'form-action &#39;none&#39;">'
    ) in hostile_page


def test_names_stand_there_as_they_are(hostile_page: str) -> None:
    """Given hostile names, then each stands as a text in its statement, apart from what follows."""
    names = re.findall("<h1><bdi>(.*?)</bdi>", hostile_page, re.DOTALL)

    assert ["".join(Read(name).texts) for name in names[: len(HOSTILE)]] == list(HOSTILE)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_row_and_number_of_a_hostile_club_stands_there(
    hostile: Place, tmp_path: Path, language: Language
) -> None:
    """Given hostile names and notes, then each line has its entry, its note and its balance."""
    told = Read(page(hostile, tmp_path, language=language)).cells

    _, rows = content(hostile, "member_statement", language)
    expected = [(row[5], row[7], row[12]) for row in rows if row[5]]
    lines = [(row[1], row[3], row[6]) for row in told if row[1:] and row[1].startswith("jrn_")]
    assert [line[0] for line in lines] == [row[0] for row in expected]
    assert [int(line[2].replace(",", "").replace("−", "-")) for line in lines] == [
        row[2] for row in expected
    ]
    for (_, text, _), (_, about, _) in zip(lines, expected, strict=True):
        assert text.startswith(str(about))


def test_the_same_request_gives_the_same_bytes(hostile: Place, tmp_path: Path) -> None:
    """Given one position, then a page made again is the same page."""
    first, second = tmp_path / "1", tmp_path / "2"
    for folder in (first, second):
        folder.mkdir()

    assert page(hostile, first) == page(hostile, second)


# --- on paper -----------------------------------------------------------------------------------


def printed(file: Path) -> list[str]:
    """The words of each page, as Chromium prints it."""
    paper = file.with_suffix(".pdf")
    chromium = ("--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer")
    profile = f"--user-data-dir={file.parent / 'profile'}"
    done = run("chromium", *chromium, profile, f"--print-to-pdf={paper}", file.as_uri())
    assert paper.exists(), done.stderr
    pages = PdfReader(paper).pages
    for one in pages:
        assert (round(one.mediabox.width), round(one.mediabox.height)) == (WIDTH, HEIGHT)
    return [one.extract_text() for one in pages]


def test_each_statement_begins_on_a_page_of_its_own(
    known: Place, tmp_path: Path, world: World
) -> None:
    """Given three short statements, then three pages, each with its totals and its number."""
    checkpoint(known, tmp_path, world)
    _, file = export(known, tmp_path, Asked("member_statement", "page"))

    papers = printed(file)
    assert len(papers) == 3
    sums = ["0 + 1,045 − 1,029 = 16", "0 + 1,024 − 1,040 = −16", "0 + 5 − 5 = 0"]
    for number, (paper, told) in enumerate(zip(papers, sums, strict=True), 1):
        assert told in paper
        assert f"No. M-000{number}-13" in paper
        assert f"{number} / 3" in paper


@pytest.mark.parametrize(
    ("language", "head", "closing"),
    [("en", "Description", "Closing balance"), ("zh", "摘要", "期末余额")],
)
def test_the_head_stands_on_every_page_and_the_closing_line_on_the_last(
    known: Place, tmp_path: Path, language: Language, head: str, closing: str
) -> None:
    """Given 118 lines, then every page has their head; the sum is beside the last line."""
    text = page(known, tmp_path, member="M-0002", language=language)
    lines = re.findall(r'<tr><td class="when">2027.*?</tr>\n', text)
    assert len(lines) == 5
    (tmp_path / "long.html").write_text(text.replace(lines[0], lines[0] * 114), encoding="utf-8")

    papers = printed(tmp_path / "long.html")
    assert len(papers) >= 3
    assert ["jrn_" in paper for paper in papers] == [True] * len(papers)
    assert [head in paper for paper in papers] == [True] * len(papers)
    assert ["M-0002-13" in paper for paper in papers] == [True] * len(papers)
    assert [f"{number} / {len(papers)}" in paper for number, paper in enumerate(papers, 1)] == [
        True
    ] * len(papers)
    assert closing in papers[-1]
    assert sum(paper.count("jrn_") for paper in papers) == 118 + 1  # the reversal's own words


def test_a_closing_line_never_stands_alone(known: Place, tmp_path: Path) -> None:
    """Given a page that is just full, then its last line goes with the sum to the next one."""
    text = page(known, tmp_path, member="M-0002")
    line = next(row for row in text.splitlines(keepends=True) if ">jrn_10<" in row)
    papers = []
    for lines in (12, 22):
        file = tmp_path / f"{lines}.html"
        file.write_text(text.replace(line, line * lines), encoding="utf-8")
        papers.append(printed(file))

    assert [len(one) for one in papers] == [1, 2]
    assert "jrn_" in papers[1][1]
    assert "Closing balance" in papers[1][1]
