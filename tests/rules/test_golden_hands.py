"""The golden hands: each is played or settled as it says, and every paragraph has one."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent

import pytest

from ledger.rules.catalog import CATALOG
from ledger.rules.options import describe_options
from tests.rules import golden, golden_page
from tests.rules.golden import Golden, golden_hands, hand_pages, hands_of, numbered
from tests.rules.golden_ending import NOT_COUNTED, PAYS
from tests.rules.golden_outcome import check_entered
from tests.rules.golden_play import check_played

PAGES = tuple(hand_pages())
ALL = [hand for page in PAGES for hand in hands_of(page)]
CHECKS = {"played": check_played, "entered": check_entered}
NOT_SHOWN = {
    "huaihua.md": {
        "C6.23": "a number that the clubs' own page skips: there is nothing at a table to see",
    },
}
"""Paragraphs without a golden hand, and why none can be."""


@pytest.mark.parametrize("hand", ALL, ids=lambda hand: hand.name)
def test_golden_hand(hand: Golden) -> None:
    """Everything that a golden hand says is so."""
    CHECKS[hand.kind](hand)


def shown(hands: list[Golden]) -> set[str]:
    """The paragraphs that hands show; C3.2 shows its chapter C3 too."""
    cited = {name for hand in hands for name in hand.paragraphs}
    parts = [name.split(".") for name in cited]
    return {".".join(part[:depth]) for part in parts for depth in range(1, len(part) + 1)}


@pytest.mark.parametrize("page", PAGES)
def test_every_paragraph_has_a_golden_hand(page: str) -> None:
    missing = set(numbered(page)) - shown(list(hands_of(page)))
    assert missing == set(NOT_SHOWN.get(page, {}))


def test_every_paragraph_that_all_games_share_has_a_golden_hand() -> None:
    assert set(numbered("common.md")) - shown(ALL) == set()


@pytest.mark.parametrize("page", PAGES)
def test_what_a_golden_hand_cites_stands_in_its_page(page: str) -> None:
    known = {*numbered(page), *numbered("common.md")}
    assert {name for hand in hands_of(page) for name in hand.paragraphs} <= known


@pytest.mark.parametrize("page", PAGES)
def test_every_pattern_and_every_option_is_seen_in_a_golden_hand(page: str) -> None:
    hands = hands_of(page)
    known = CATALOG[hands[0].ruleset]
    told = " ".join(line.text for hand in hands for line in hand.lines)
    options = [info.name for info in describe_options(known.options)]
    assert [name for name in (*known.patterns, *options) if name not in told] == []


@pytest.mark.parametrize("page", PAGES)
def test_what_is_paid_and_what_is_not_goes_by_the_clubs_own_words(page: str) -> None:
    """Everything that a payment is made of has its Chinese word, in the glossary or the rules."""
    lines = [(line.text, hand.ruleset) for hand in hands_of(page) for line in hand.lines]
    paid = [(found[4], key) for text, key in lines if (found := re.fullmatch(PAYS, text))]
    void = [(found[1], key) for text, key in lines if (found := re.fullmatch(NOT_COUNTED, text))]
    names = {(name, key) for text, key in paid for name in re.findall(r"[a-z]\w*", text)}
    names |= {(name, key) for text, key in void for name in re.findall(r"[a-z]\w+", text)}
    assert [name for name, key in sorted(names) if golden_page.word(name, key).isascii()] == []


def test_no_two_golden_hands_have_the_same_name() -> None:
    names = [hand.name for hand in ALL]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("page", PAGES)
def test_the_golden_hands_are_a_page_to_which_their_rules_lead(page: str) -> None:
    """`python -m tests.rules.golden` makes it."""
    made = (golden.WORKED / page).read_text(encoding="utf-8")
    assert made == golden_page.worked_hands(page)
    assert f"](hands/{page})" in (golden.PAGES / page).read_text(encoding="utf-8")


# --- the reader ---------------------------------------------------------------------------------

PLAYED = """```played
A is dealt 8p
D is dealt 88p
Next tiles: 9s
A discards 8p
  D may pung, pass
D passes
  B draws 9s
```"""
ENTERED = """```entered
A holds 123m456p789s55s67p
B holds other tiles; pung 1p of C
A wins 8p by self-draw
  B, C, D each pay A 2: self_draw 2 — C5.1
  Totals: A +6, B −2, C −2, D −2
```"""


def fault_of(folder: Path, block: str, heading: str = "## C1 — Title") -> str:
    """What is wrong with a hand, as its writer is told; the block begins at line 5."""
    path = folder / "page.md"
    path.write_text(f"# Hands of `huaihua/1`\n\n{heading}\nWhy.\n{block}\n", encoding="utf-8")
    try:
        for hand in golden_hands(path):
            CHECKS[hand.kind](hand)
    except AssertionError as fault:
        return str(fault)
    return "nothing"


@pytest.mark.parametrize("block", [PLAYED, ENTERED])
def test_a_hand_that_is_so_has_no_fault(tmp_path: Path, block: str) -> None:
    assert fault_of(tmp_path, block) == "nothing"


@pytest.mark.parametrize(
    ("line", "instead", "told"),
    [
        ("A is dealt 8p", "A is dealt 88888p", "page.md:6: A is dealt 88888p\nThis hand cannot be"),
        ("D passes", "D jumps", "page.md:11: D jumps\nThis line cannot be read"),
        ("D passes", "D kongs", "page.md:11: D kongs\nIt is refused: no_four_of_a_kind, common 5"),
        (
            "  D may pung, pass",
            "  D may pung",
            "page.md:10: D may pung\nBut it is: ['pass', 'pung']",
        ),
        ("  D may pung, pass", "  B is asked", "page.md:10: B is asked\nBut it is: D"),
        ("  B draws 9s", "  B draws 8s", "page.md:12: B draws 8s\nIt did not happen"),
        ("  B draws 9s", "  Nobody pays", "page.md:12: Nobody pays\nThe hand has not ended."),
        ("  B draws 9s", "  B may not win: no, C4", "But it is: hand_not_complete, huaihua/1 C4"),
    ],
)
def test_a_played_line_that_is_not_so_is_told(
    tmp_path: Path, line: str, instead: str, told: str
) -> None:
    assert told in fault_of(tmp_path, PLAYED.replace(f"\n{line}\n", f"\n{instead}\n"))


@pytest.mark.parametrize(
    ("line", "instead", "told"),
    [
        ("A +6", "A +5", "page.md:10: Totals: A +5, B −2, C −2, D −2\nBut they are: A +6"),
        ("A 2: self_draw 2", "A 3: self_draw 2", "These parts come to 2."),
        ("A 2: self_draw 2", "A 2: discard 2", "But next is: B pays A 2: self_draw 2 — huaihua/1"),
        ("B, C, D each", "B, C each", "Not told: ['D pays A 2: self_draw 2 — huaihua/1 C5.1']"),
        ("2 — C5.1", "2 — C5.2", "But next is: B pays A 2: self_draw 2 — huaihua/1 C5.1"),
        (
            "  B, C, D each pay A 2: self_draw 2 — C5.1",
            "  Nobody pays",
            "But there are: ['B pays A",
        ),
        ("pung 1p of C", "kept 1p", "page.md:7: B holds other tiles; kept 1p\nThis cannot be read"),
        ("A holds 123m", "A holds 12m", "It is refused: hand_length at /seats/0/hand, None"),
    ],
)
def test_an_entered_line_that_is_not_so_is_told(
    tmp_path: Path, line: str, instead: str, told: str
) -> None:
    assert told in fault_of(tmp_path, ENTERED.replace(line, instead))


def test_an_outcome_that_is_settled_is_not_refused(tmp_path: Path) -> None:
    block = (
        "```entered\nA holds 123m456p789s55s67p\nA wins 8p by self-draw\n  It is refused: x\n```"
    )
    assert "It is settled: (6, -2, -2, -2)" in fault_of(tmp_path, block)


@pytest.mark.parametrize("heading", ["## Title", "## C1: Title", "## Chapter — Title"])
def test_a_heading_without_its_paragraph_is_told(tmp_path: Path, heading: str) -> None:
    assert "page.md:3: not a heading" in fault_of(tmp_path, PLAYED, heading)


@pytest.mark.parametrize("kind", ["played", "entered"])
def test_the_examples_of_the_writers_page_are_so(tmp_path: Path, kind: str) -> None:
    page = (golden.HANDS / "README.md").read_text(encoding="utf-8")
    found = re.search(rf"^    ```{kind}\n.*?^    ```$", page, re.MULTILINE | re.DOTALL)
    assert found
    assert fault_of(tmp_path, dedent(found[0])) == "nothing"


def test_a_hand_without_a_block_is_told(tmp_path: Path) -> None:
    assert "page.md:3: it has one block" in fault_of(tmp_path, "")
