"""The pages of the rules and the code tell the same: paragraphs, options, patterns, formats."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from ledger import outcome as o
from ledger import record as r
from ledger.rules.catalog import CATALOG, settle
from ledger.rules.options import OptionInfo, describe_options

ROOT = Path(__file__).resolve().parent.parent.parent
RULES = ROOT / "ledger" / "rules"
DOCS = ROOT / "docs" / "rules"


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


COMMON = page("common.md")
PAGES = {key: page(f"{key.partition('/')[0]}.md") for key in CATALOG}
LETTERS = {"huaihua/1": "C", "haozi/1": "A", "zhuoji/1": "B"}
"""With which a page's paragraphs begin."""
NUMBERED = {
    "huaihua/1": {"C3": (1, 8), "C5": (1, 5), "C6": (1, 26)},
    "haozi/1": {"A3": (1, 8), "A5": (1, 6), "A6": (1, 20)},
    "zhuoji/1": {"B1": (1, 2), "B3": (0, 10), "B5": (1, 5), "B6": (1, 40)},
}
"""The first and the last paragraph of each part that has some."""
CITED = {
    "huaihua/1": {"C1", "C3.1", "C4", "C5.1", "C5.2", "C5.4"},
    "haozi/1": {"A1", "A3.1", "A3.2", "A3.3", "A3.4", "A3.5", "A3.7", "A3.8", "A4", "A5.1", "A5.4"},
    "zhuoji/1": {"B3.2", "B3.3", "B5.1", "B5.2", "B5.3.1"},
}
"""Some that are cited in any case."""

every_ruleset = pytest.mark.parametrize("key", CATALOG)
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


@every_ruleset
def test_every_paragraph_of_a_ruleset_that_is_cited_stands_on_its_page(key: str) -> None:
    found = cited(rf"\b{paragraph(key)}\b", RULES / key.partition("/")[0])
    assert CITED[key] <= found <= numbered(paragraph(key), PAGES[key])


def paragraph(key: str) -> str:
    """What a paragraph of a ruleset's page looks like."""
    return rf"{LETTERS[key]}\d+(?:\.\d+)*"


def test_the_common_page_numbers_its_paragraphs_without_a_gap() -> None:
    assert numbered(r"\d+", COMMON) == {str(number) for number in range(1, 12)}


@every_ruleset
def test_a_page_numbers_its_paragraphs_without_a_gap(key: str) -> None:
    for part, (first, last) in NUMBERED[key].items():
        expected = {f"{part}.{number}" for number in range(first, last + 1)}
        assert numbered(rf"{part}\.\d+", PAGES[key]) == expected


@every_ruleset
def test_what_a_page_refers_to_within_the_rules_stands_there(key: str) -> None:
    for text in (COMMON, PAGES[key]):
        assert set(re.findall(r"\bcommon (\d+)", text)) <= numbered(r"\d+", COMMON)
        found = set(re.findall(rf"\b{paragraph(key)}\b", text))
        assert found <= numbered(paragraph(key), PAGES[key])


@every_ruleset
def test_the_page_lists_every_option_with_its_labels_and_default(key: str) -> None:
    told = {line[0].strip("`"): line[1:4] for line in rows(PAGES[key], 5)}
    for info in describe_options(CATALOG[key].options):
        assert told.pop(info.name) == [info.en, info.zh, written(info)]
    assert told == {}


@every_ruleset
def test_the_page_shows_house_rules_apart(key: str) -> None:
    ordinary, house = PAGES[key].split("House rules:\n")
    for info in describe_options(CATALOG[key].options):
        assert f"\n| `{info.name}` |" in (house if info.house_rule else ordinary)


def written(info: OptionInfo) -> str:
    """A default as the page writes it."""
    if info.kind == "set":
        return "none"
    return f"`{str(info.default).lower()}`"


@every_ruleset
def test_the_page_lists_every_pattern_in_the_order_that_decides_ties(key: str) -> None:
    told = [line[0].strip("`") for line in rows(PAGES[key], 4)]
    assert told == list(CATALOG[key].patterns)
    for name, (_, chinese) in CATALOG[key].patterns.items():
        assert f"| `{name}` | {chinese} |" in PAGES[key]


@every_ruleset
def test_the_common_page_and_the_formats_page_name_every_ruleset(key: str) -> None:
    name = key.partition("/")[0]
    assert f"]({name}.md)" in COMMON
    assert f"`{key}`" in FORMATS


@pytest.mark.parametrize(
    "struct",
    [o.Outcome, o.SeatOutcome, o.Meld, o.Win, o.AfterKong, o.Settlement, o.Payment],
)
def test_the_formats_page_tells_every_key_of_an_outcome_and_its_settlement(struct: type) -> None:
    names = [field.encode_name for field in msgspec.structs.fields(struct)]
    assert [name for name in names if not re.search(rf'[`"]{name}[`"]', FORMATS)] == []


@pytest.mark.parametrize("struct", [r.Record, r.RecordedHand, r.Entry])
def test_the_formats_page_tells_every_key_of_a_record(struct: type) -> None:
    names = [field.encode_name for field in msgspec.structs.fields(struct)]
    assert [name for name in names if f"`{name}`" not in FORMATS] == []


def test_the_outcome_of_the_formats_page_settles_as_the_page_says() -> None:
    texts = re.findall(r"```json\n(.*?)```", FORMATS, re.DOTALL)
    entered, settled, match, sheet = [msgspec.json.decode(text) for text in texts]
    found = msgspec.json.decode(msgspec.json.encode(settle(o.read_outcome(entered))))
    assert found == settled
    assert r.read_record(match | {"hands": []}).format == r.FORMAT
    assert r.read_entry(sheet).totals == (6, -2, -2, -2)
