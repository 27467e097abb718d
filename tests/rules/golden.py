"""Golden hands: worked hands that a referee reads and a test plays. hands/README.md is their form.

`python -m tests.rules.golden` makes pages of them, to which the rule pages lead.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent.parent
HANDS = ROOT / "tests" / "rules" / "hands"
PAGES = ROOT / "docs" / "rules"
WORKED = PAGES / "hands"

_KEY = re.compile(r"# .*`([a-z]+/\d+)`")
_HEADING = re.compile(r"## (.+?) — (.+)")
_PARAGRAPH = re.compile(r"[A-Z]\d+(?:\.\d+)*|common \d+")
_FENCE = re.compile(r"```(played|entered)")


class Line(NamedTuple):
    """A line of a block, where it stands, and whether it is indented: what then must be so."""

    place: str
    text: str
    then: bool

    def fault(self, why: str) -> AssertionError:
        """What is wrong with this line, told with its file and number."""
        return AssertionError(f"{self.place}: {self.text}\n{why}")


class Golden(NamedTuple):
    """A worked hand: the paragraphs it shows, why it goes so, and the lines of its block."""

    ruleset: str
    paragraphs: tuple[str, ...]
    title: str
    why: str
    kind: str
    lines: tuple[Line, ...]

    @property
    def name(self) -> str:
        """The paragraphs and the title, as one line."""
        return f"{', '.join(self.paragraphs)} — {self.title}"


def golden_hands(path: Path) -> tuple[Golden, ...]:
    """Every golden hand of a file, in its order; a line that cannot be read is told."""
    lines = path.read_text(encoding="utf-8").splitlines()
    key = _KEY.fullmatch(lines[0])
    assert key, f"{path.name}:1: the first line names the ruleset: # … `huaihua/1`"
    starts = [number for number, line in enumerate(lines) if line.startswith("## ")]
    ends = [*starts[1:], len(lines)]
    return tuple(
        _golden(key[1], path.name, start, lines[start:end])
        for start, end in zip(starts, ends, strict=True)
    )


def _golden(ruleset: str, file: str, start: int, lines: list[str]) -> Golden:
    """One golden hand: its heading, its sentences, its block."""
    heading = _HEADING.fullmatch(lines[0])
    paragraphs = tuple(heading[1].split(", ")) if heading else ()
    if not heading or not all(map(_PARAGRAPH.fullmatch, paragraphs)):
        raise AssertionError(f"{file}:{start + 1}: not a heading: ## C3.2, common 5 — Title")
    fences = [place for place, line in enumerate(lines) if line.startswith("```")]
    kind = _FENCE.fullmatch(lines[fences[0]]) if len(fences) == 2 else None
    if kind is None:
        raise AssertionError(f"{file}:{start + 1}: it has one block, ```played or ```entered")
    why = " ".join(line.strip() for line in lines[1 : fences[0]] if line.strip())
    rest = [line for line in lines[fences[1] + 1 :] if line.strip()]
    if not why or rest:
        raise AssertionError(f"{file}:{start + 1}: its sentences stand before its block")
    block = enumerate(lines[fences[0] + 1 : fences[1]], start + fences[0] + 2)
    told = tuple(
        Line(f"{file}:{number}", line.strip(), line.startswith("  "))
        for number, line in block
        if line.strip()
    )
    return Golden(ruleset, paragraphs, heading[2], why, kind[1], told)


def hands_of(page: str) -> tuple[Golden, ...]:
    """The golden hands of a rule page, none while it has no file."""
    path = HANDS / page
    return golden_hands(path) if path.exists() else ()


def hand_pages() -> Iterator[str]:
    """The rule pages that have golden hands: "huaihua.md"."""
    return (path.name for path in sorted(HANDS.glob("*.md")) if path.name != "README.md")


def numbered(page: str) -> list[str]:
    """The numbered paragraphs of a rule page, its headings and rows, as a hand cites them."""
    text = (PAGES / page).read_text(encoding="utf-8")
    common = page == "common.md"
    pattern = r"\d+" if common else r"[A-Z]\d+(?:\.\d+)*"
    found = re.findall(rf"^(?:#+ |\| )({pattern})(?=[. ]|$)", text, re.MULTILINE)
    return [f"common {number}" if common else number for number in found]


def title(page: str) -> str:
    """What a rule page is called: its first heading."""
    first = (PAGES / page).read_text(encoding="utf-8").partition("\n")[0]
    return first.removeprefix("# ")


def _write() -> None:
    from tests.rules.golden_page import worked_hands

    for page in hand_pages():
        (WORKED / page).write_text(worked_hands(page), encoding="utf-8")


if __name__ == "__main__":
    _write()
