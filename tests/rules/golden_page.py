"""Golden hands as a page for referees, with the clubs' own words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from ledger.rules.catalog import CATALOG, name_of
from ledger.rules.options import describe_options
from ledger.texts import texts
from tests.rules.golden import Golden, Line, hands_of, title
from tests.rules.golden_ending import ENDING, NOT_COUNTED, PAYS, READ, TOTALS
from tests.rules.golden_outcome import REFUSED
from tests.rules.golden_words import RULE, TILE, fits

_INTRODUCTION = """The [paragraphs](../{page}) at work. Each hand is played or settled by the tests
of the ledger exactly as it stands here. Seats are A, B, C, D in turn order. A deals where nothing
else is said, an option that is not named has its default, and tiles that are not told matter to
nobody. Who draws takes the next tile in the wall.
"""
_ENDS = {
    "win": "the hand ends with the win 胡",
    "exhausted": "the wall is empty and the hand ends 荒庄",
    "dissolved": "the hand is broken off 解散",
}
Words = tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...]
_SAID: Words = (
    (r"\btouzi\b", "骰"),
    (rf"\bdiscard ({TILE}) and declare\b", r"declare with \1"),
    (r" is ready$", " has declared 报听"),
    (r" is hard$", " has declared 硬报"),
    (r" is soft$", " has declared 软报"),
    (r" is not declared$", " has not declared"),
    (r" then declared\b", ", who had declared"),
    (r"\blate\b", "late 憨包豆"),
    (r"^bets: (.+)", r"the bets 估卖 are \1"),
    (r"^void suits: (.+)", r"the void suits 定缺 are \1"),
    (r"^ready as dealt: (.+)", r"declared as dealt 硬报: \1"),
    (r"^birds: (.+)", r"the birds are \1"),
    (r"^flip: (.+)", r"the tile turned is \1"),
    (r"^the hand ends: (\w+)", lambda found: _ENDS[found[1]]),
    (rf": (\w+), ({RULE})$", lambda found: f" ({_refusal(found[1])}, {found[2]})"),
    (r"(may (?!not|discard only)[^,]+(?:, [^,]+)*), ([^,]+)$", r"\1 or \2"),
)
"""How a line is put in a sentence."""
_HELD: Words = (
    (r"\bready\b", "declared 报听"),
    (r"\bhard\b", "declared 硬报"),
    (r"\bsoft\b", "declared 软报"),
    (r"\bself-draw only\b", "passed a win 过胡"),
    (r" then declared\b", ", who had declared"),
    (r"\blate\b", "late 憨包豆"),
    (r"\bbet (\d)", r"bet 估卖 \1"),
    (r"\bvoid ([mps])\b", r"void suit 定缺 \1"),
)
"""How it is told what a seat has besides its hand."""
_SETUP = ("Options", "Dealer", "Wilds", "Weekday", "Next tiles", "Last tiles")
_NAMES = {"Wilds": "Wild 耗子"}
"""How a line of the setup is named, where the notation's word is not a reader's."""


def worked_hands(page: str) -> str:
    """The page of worked hands to which a rule page leads."""
    hands = hands_of(page)
    head = f"# {title(page)}: worked hands\n\n{_INTRODUCTION.format(page=page)}"
    return "\n".join((head, *_contents(hands), "", *map(_hand, hands))).rstrip("\n") + "\n"


def _contents(hands: Sequence[Golden]) -> Iterator[str]:
    """Which hands show a paragraph, paragraph by paragraph."""
    cited = {name for hand in hands for name in hand.paragraphs}
    for name in sorted(cited, key=_in_order):
        shown = (_link(_heading(hand), hand.title) for hand in hands if name in hand.paragraphs)
        yield f"- {name}: {'; '.join(shown)}"


def _in_order(paragraph: str) -> list[int]:
    """Paragraphs as the pages have them: the common ones first, A3.2 before A3.10."""
    is_common = paragraph.startswith("common")
    return [not is_common, *map(int, re.findall(r"\d+", paragraph))]


def _heading(hand: Golden) -> str:
    return f"{hand.title} ({', '.join(hand.paragraphs)})"


def _link(heading: str, text: str) -> str:
    """A link to a heading of the same page, as the common readers of Markdown name it."""
    anchor = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
    return f"[{text}](#{anchor})"


def _hand(hand: Golden) -> str:
    then = [line for line in hand.lines if line.then and fits(line, ENDING)]
    rest = [line for line in hand.lines if line not in then]
    told = _played(rest, hand.ruleset) if hand.kind == "played" else _entered(rest, hand.ruleset)
    parts = (f"## {_heading(hand)}", hand.why, *told)
    return "\n\n".join((*parts, *_settled(then, hand.ruleset))) + "\n"


# --- what lay where -----------------------------------------------------------------------------


def _played(lines: list[Line], ruleset: str) -> Iterator[str]:
    deals = [found for line in lines if (found := _groups(r"([A-D]) is dealt (\S+)", line))]
    yield from _laid_out(lines, ruleset)
    yield from [_table(("seat", "dealt"), deals)] if deals else []
    yield _course([line for line in lines if not _is_setup(line)])


def _is_setup(line: Line) -> bool:
    return line.text.partition(": ")[0] in _SETUP or bool(re.match("[A-D] is dealt ", line.text))


def _course(lines: list[Line]) -> str:
    """What happened: an item for what was done, with all that came of it."""
    bets = any(re.match("[A-D] bets ", line.text) for line in lines)
    begins = "Before the deal" if bets else "As dealt"
    items: list[str] = []
    for line in lines:
        sentence = _sentence(line.text)
        if not items:
            items.append(f"1. {begins}: {sentence}" if line.then else f"1. **{sentence}**")
        elif line.then:
            items[-1] += f" {sentence}"
        elif items[-1].endswith("**"):
            items[-1] = f"{items[-1][:-2]} {sentence}**"
        else:
            items.append(f"1. **{sentence}**")
    return "\n".join(items)


def _entered(lines: list[Line], ruleset: str) -> Iterator[str]:
    yield from _laid_out(lines, ruleset)
    held = [_groups(r"([A-D]) holds ([^;]+)(?:; (.+))?", line) for line in lines]
    rows = [(seat, hand, _put(more, _HELD)) for seat, hand, more in filter(None, held)]
    more = any(row[2] for row in rows)
    yield _table(("seat", "hand", "and")[: 2 + more], [row[: 2 + more] for row in rows])
    refused = [found for line in lines if (found := _groups(REFUSED, line))]
    rest = [line for line in lines if not _is_setup(line) and not _groups(REFUSED, line)]
    yield " ".join(_sentence(line.text) for line in rest if " holds " not in line.text)
    for code, _, rule in refused:
        yield f"**Refused:** {_refusal(code)}{f' ({rule})' if rule else ''}."


def _laid_out(lines: list[Line], ruleset: str) -> Iterator[str]:
    """The table and its wall, in one paragraph; nothing where there is nothing to say."""
    told: list[str] = []
    for line in lines:
        name, _, text = line.text.partition(": ")
        if name == "Options":
            told += [_option(words, ruleset) for words in text.split(", ")]
        elif name in ("Next tiles", "Last tiles"):
            told.append(f"{name[:4]} in the wall: {text}")
        elif name in _SETUP:
            told.append(f"{_NAMES.get(name, name)}: {text}")
    if told:
        yield f"{'. '.join(told)}."


def _option(words: str, ruleset: str) -> str:
    """An option by its labels: "Birds 抓鸟 (`bird_count`) 2"."""
    name, _, value = words.partition(" ")
    for info in describe_options(CATALOG[ruleset].options):
        if info.name == name:
            chosen = value.split(" + ")
            shown = (word(one, ruleset) if one in info.choices else one for one in chosen)
            return f"{info.en} {info.zh} (`{name}`): {' and '.join(shown)}"
    return f"`{name}` {value}"


# --- the settlement -----------------------------------------------------------------------------


def _settled(lines: list[Line], ruleset: str) -> Iterator[str]:
    for line in lines:
        read = _groups(READ, line)
        if read:
            names = " and ".join(word(name, ruleset) for name in read[1].split(" + "))
            yield f"{read[0]}'s hand counts {read[2]}: {names}."
    paid = [found for line in lines if (found := _groups(PAYS, line))]
    columns = ("who pays", "whom", "points", "how they come about", "by")
    yield from [_table(columns, [_payment(found, ruleset) for found in paid])] if paid else []
    for line in lines:
        left_out = _groups(NOT_COUNTED, line)
        if left_out:
            owner, _, what = left_out[0].partition(" ")
            thing, _, why = what.rpartition(", ")
            name, _, tile = thing.partition(" ")
            told = " ".join(filter(None, (owner, word(name, ruleset), tile)))
            yield f"Not counted: {told}: {word(why, ruleset)} ({left_out[1]})."
        elif line.text == "Nobody pays":
            yield "Nobody pays."
    yield from (f"**Totals: {found[0]}.**" for line in lines if (found := _groups(TOTALS, line)))


def _payment(groups: tuple[str, ...], ruleset: str) -> tuple[str, ...]:
    payers, payee, points, parts, rule = groups
    each = " each" * (len(payers) > 1)
    how = re.sub(r"[a-z]\w*", lambda found: word(found[0], ruleset), parts)
    return payers, payee, points + each, how, rule


# --- words --------------------------------------------------------------------------------------


def _sentence(text: str) -> str:
    text = _put(text, _SAID)
    return text[0].upper() + text[1:] + "."


def _put(text: str, words: Words) -> str:
    for pattern, put in words:
        text = re.sub(pattern, put, text)
    return text


def word(name: str, ruleset: str) -> str:
    """A name of the data in the words of the clubs: "qi_dui" -> "seven pairs 七对"."""
    english, chinese = name_of(ruleset, name)
    return f"{english[0].lower()}{english[1:]} {chinese}"


def _refusal(code: str) -> str:
    """A refusal in a few words, in both languages."""
    titles = texts()[code].titles
    return f"{titles['en']} {titles['zh']}"


def _groups(pattern: str, line: Line) -> tuple[str, ...]:
    found = re.fullmatch(pattern, line.text)
    return tuple(group or "" for group in found.groups()) if found else ()


def _table(columns: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    ruled = (columns, ("---",) * len(columns), *rows)
    return "\n".join(f"| {' | '.join(row)} |" for row in ruled)
