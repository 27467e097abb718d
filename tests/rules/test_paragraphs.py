"""The pages of the rules and the code tell the same: paragraphs, options, patterns, formats."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from ledger import outcome as o
from ledger import record as r
from ledger.rules.catalog import settle
from ledger.rules.huaihua.options import Options
from ledger.rules.huaihua.texts import PATTERNS
from ledger.rules.options import OptionInfo, describe_options

ROOT = Path(__file__).resolve().parent.parent.parent
RULES = ROOT / "ledger" / "rules"
DOCS = ROOT / "docs" / "rules"


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


COMMON = page("common.md")
HUAIHUA = page("huaihua.md")
FORMATS = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")


def cited(pattern: str, folder: Path) -> set[str]:
    """What the code of a folder cites, in strings and in its own notes."""
    files = [path.read_text(encoding="utf-8") for path in folder.rglob("*.py")]
    return {name for text in files for name in re.findall(pattern, text)}


def numbered(pattern: str, text: str) -> set[str]:
    """The paragraphs that a page has: its headings, and the numbered rows of a table."""
    return set(re.findall(rf"^(?:#+ |\| )({pattern})\b", text, re.MULTILINE))


def rows(text: str, columns: int) -> list[list[str]]:
    """The rows of the tables of a page that have so many columns and begin with a name."""
    lines = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| `")]
    return [line for line in lines if len(line) == columns]


def test_every_paragraph_of_the_common_page_that_is_cited_stands_there() -> None:
    found = cited(r"\bcommon (\d+)", RULES)
    assert {"2", "3", "4", "5", "6"} <= found <= numbered(r"\d+", COMMON)


def test_every_paragraph_of_huaihua_that_is_cited_stands_there() -> None:
    found = cited(r"\bC\d+(?:\.\d+)?\b", RULES / "huaihua")
    assert {"C1", "C3.1", "C4", "C5.1", "C5.2", "C5.4"} <= found
    assert found <= numbered(r"C\d+(?:\.\d+)?", HUAIHUA)


def test_a_page_numbers_its_paragraphs_without_a_gap() -> None:
    assert numbered(r"\d+", COMMON) == {str(number) for number in range(1, 12)}
    for part, last in (("C3", 8), ("C5", 5), ("C6", 26)):
        expected = {f"{part}.{number}" for number in range(1, last + 1)}
        assert numbered(rf"{part}\.\d+", HUAIHUA) == expected


@pytest.mark.parametrize("page_name", ["common.md", "huaihua.md"])
def test_what_a_page_refers_to_within_the_rules_stands_there(page_name: str) -> None:
    text = page(page_name)
    assert set(re.findall(r"\bcommon (\d+)", text)) <= numbered(r"\d+", COMMON)
    found = set(re.findall(r"\bC\d+(?:\.\d+)?\b", text))
    assert found <= numbered(r"C\d+(?:\.\d+)?", HUAIHUA)


def test_the_page_lists_every_option_with_its_labels_and_default() -> None:
    told = {line[0].strip("`"): line[1:4] for line in rows(HUAIHUA, 5)}
    for info in describe_options(Options):
        assert told.pop(info.name) == [info.en, info.zh, written(info)]
    assert told == {}


def test_the_page_shows_house_rules_apart() -> None:
    ordinary, house = HUAIHUA.split("House rules:\n")
    for info in describe_options(Options):
        assert f"\n| `{info.name}` |" in (house if info.house_rule else ordinary)


def written(info: OptionInfo) -> str:
    """A default as the page writes it."""
    if info.kind == "set":
        return "none"
    return f"`{str(info.default).lower()}`"


def test_the_page_lists_every_pattern_in_the_order_that_decides_ties() -> None:
    told = [line[0].strip("`") for line in rows(HUAIHUA, 4)]
    assert told == list(PATTERNS)
    for name, (_, chinese) in PATTERNS.items():
        assert f"| `{name}` | {chinese} |" in HUAIHUA


@pytest.mark.parametrize(
    "struct",
    [o.Outcome, o.SeatOutcome, o.Meld, o.Win, o.AfterKong, o.Settlement, o.Payment],
)
def test_the_formats_page_tells_every_key_of_an_outcome_and_its_settlement(struct: type) -> None:
    names = [field.encode_name for field in msgspec.structs.fields(struct)]
    assert [name for name in names if not re.search(rf'[`"]{name}[`"]', FORMATS)] == []


@pytest.mark.parametrize("struct", [r.Record, r.RecordedHand])
def test_the_formats_page_tells_every_key_of_a_record(struct: type) -> None:
    names = [field.encode_name for field in msgspec.structs.fields(struct)]
    assert [name for name in names if f"`{name}`" not in FORMATS] == []


def test_the_outcome_of_the_formats_page_settles_as_the_page_says() -> None:
    texts = re.findall(r"```json\n(.*?)```", FORMATS, re.DOTALL)
    entered, settled, match = [msgspec.json.decode(text) for text in texts]
    found = msgspec.json.decode(msgspec.json.encode(settle(o.read_outcome(entered))))
    assert found == settled
    assert r.read_record(match | {"hands": []}).format == r.FORMAT
