"""The words of golden hands: how a line is read, and how the product's facts are told in them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeVar

from ledger import events as e
from ledger.events import Event
from ledger.hand import Meld as HandMeld
from ledger.outcome import NotCounted, Part, Payment
from ledger.record import Choice
from ledger.rules.catalog import entry
from ledger.rules.options import describe_options
from ledger.tiles import tile_text
from tests.rules.golden import Line

T = TypeVar("T")
SEATS = "ABCD"
SEAT = "[A-D]"
SEAT_LIST = "[A-D](?:(?:, | and )[A-D])*"
TILE = "[1-9][mpsz]"
TILES = "(?:[1-9]+[mpsz])+"
RULE = r"(?:common \d+|[A-Z]\d+(?:\.\d+)*)"

Arms = tuple[tuple[str, Callable[..., T]], ...]
"""Ways to read a line: a pattern, and what is done with its groups."""


def read(line: Line, arms: Arms[T]) -> T:
    """What the first arm that fits a line makes of it; a line that none fits is a fault."""
    for pattern, act in arms:
        found = re.fullmatch(pattern, line.text)
        if found:
            return act(*found.groups())
    raise line.fault("This line cannot be read: see hands/README.md.")


def fits(line: Line, arms: Arms[Any]) -> bool:
    """Whether some arm can read a line."""
    return any(re.fullmatch(pattern, line.text) for pattern, _ in arms)


def seat_of(letter: str) -> int:
    """The seat of a letter: "B" -> 1."""
    return SEATS.index(letter)


def seats_of(letters: str) -> list[int]:
    """The seats of a list: "A, B and C" -> [0, 1, 2]."""
    return [seat_of(letter) for letter in re.findall(r"\b[A-D]\b", letters)]


def letters(seats: Any) -> str:
    """Seats as a list of letters: (0, 2) -> "A, C"."""
    return ", ".join(SEATS[seat] for seat in seats)


def rule_of(text: str, ruleset: str) -> str:
    """A paragraph as the product cites it: "C5.1" -> "huaihua/1 C5.1"."""
    return text if text.startswith("common") else f"{ruleset} {text}"


def read_options(text: str, ruleset: str) -> dict[str, Any]:
    """Options in words: "zhong_wild on, bird_count 3, patterns di_hu + tian_hu"."""
    return dict(_option(words, ruleset) for words in text.split(", "))


def _option(words: str, ruleset: str) -> tuple[str, Any]:
    name, _, text = words.partition(" ")
    known = {info.name: info for info in describe_options(entry(ruleset).options)}
    if name in known and known[name].kind == "set":
        return name, text.split(" + ")
    values: dict[str, Any] = {"on": True, "off": False}
    if name in known:
        values |= {str(value): value for value in known[name].choices}
    return name, values.get(text, int(text) if text.isdigit() else text)


# --- choices ------------------------------------------------------------------------------------


def said(choice: Choice) -> str:
    """A choice as a seat may make it: "win", "kong 9p with touzi", "discard 5m and declare"."""
    action = "void" if choice.suit else choice.action
    about: list[object] = [action, choice.tile, choice.points, choice.suit]
    words = [str(word) for word in about if word is not None]
    words += ["with touzi"] * choice.touzi + ["and declare"] * choice.declare
    return " ".join(words)


CHOICE = (
    rf"(discard|kong|pung|win|pass|bet|void|declare)(?: ({TILE}|[0-2]|[mps]))?"
    "( with touzi)?( and declare)?"
)
ACTS = {
    "discards": "discard",
    "kongs": "kong",
    "pungs": "pung",
    "wins": "win",
    "passes": "pass",
    "bets": "bet",
    "voids": "void_suit",
    "declares": "declare",
}
ACT = rf"({SEAT}) ({'|'.join(ACTS)})(?: ({TILE}|[0-2]|[mps]))?( with touzi)?( and declares)?"


def choice(letter: str, word: str, what: str | None, touzi: str | None, more: str | None) -> Choice:
    """A choice from the groups of ACT, or of CHOICE after a seat."""
    action: Any = ACTS.get(word, "void_suit" if word == "void" else word)
    points = int(what) if what and what.isdigit() else None
    suit: Any = what if what in ("m", "p", "s") else None
    tile = None if points is not None or suit else what
    return Choice(seat_of(letter), action, tile, bool(touzi), bool(more), points, suit)


# --- events -------------------------------------------------------------------------------------


def told(event: Event) -> list[str]:
    """What an event brings about in the words of a golden hand; of asking and answering nothing."""
    fact = event.fact
    name = SEATS[fact.seat] if hasattr(fact, "seat") else ""
    text = _told_turn(event, fact, name) or _told_end(fact, name) or _told_opening(fact)
    if not text:
        return []
    return [text + " by itself" * (getattr(fact, "cause", "") == "auto")]


def _told_turn(event: Event, fact: e.Fact, name: str) -> str:
    match fact:
        case e.Drawn():
            part = e.slot(event, fact.seat, e.DrawnTile)
            more = " as replacement" * fact.replacement
            return f"{name} draws {part.tile if part else '?'}{more}"
        case e.Discarded():
            what = fact.tile or "a tile face down"
            return f"{name} discards {what}{' and declares' * (fact.declares is not None)}"
        case e.Punged():
            return f"{name} lays {_of(f'pung {fact.tile}', fact.from_seat)}"
        case e.KongAnnounced():
            return f"{name} shows {fact.tile}"
        case e.Konged():
            meld = _of(f"{fact.how} kong {fact.tile}", fact.from_seat)
            return f"{name} lays {meld}{' with touzi' * fact.touzi}{' late' * fact.late}"
        case _:
            return ""


def _told_end(fact: e.Fact, name: str) -> str:
    match fact:
        case e.Won():
            return f"{name} wins {fact.tile} {how(fact.how, fact.from_seat)}"
        case e.BirdsTurned():
            return f"birds: {' '.join(fact.tiles)}"
        case e.ChickenFlipped():
            return f"flip: {fact.tile}"
        case e.HandEnded():
            return f"the hand ends: {fact.end}"
        case _:
            return ""


def _told_opening(fact: e.Fact) -> str:
    """What is shown together before the first turn, and a chicken thrown first."""
    match fact:
        case e.BetsShown():
            return f"bets: {' '.join(map(str, fact.bets))}"
        case e.VoidSuitsShown():
            return f"void suits: {' '.join(fact.suits)}"
        case e.ReadyShown():
            return f"ready as dealt: {letters(fact.seats) or 'nobody'}"
        case e.ChickenThrown():
            return f"{SEATS[fact.seat]} throws the first {fact.tile}"
        case _:
            return ""


def how(way: str, source: int | None) -> str:
    """How a tile was won: "by self-draw", "discarded by D", "robbed from D"."""
    if source is None:
        return "by self-draw"
    return f"{'robbed from' if way == 'rob_kong' else 'discarded by'} {SEATS[source]}"


def meld(one: HandMeld) -> str:
    """A meld on the table: "pung 8p of A", "concealed kong 1m"."""
    kind = "pung" if one.how == "pung" else f"{one.how} kong"
    fed = _of(f"{kind} {tile_text(one.tile)}", one.from_seat)
    return fed + " late" * one.late + " then declared" * one.feeder_declared


def _of(text: str, source: int | None) -> str:
    return text if source is None else f"{text} of {SEATS[source]}"


# --- payments -----------------------------------------------------------------------------------


def paid(one: Payment) -> str:
    """A payment: "B pays A 8: self_draw 2 × qing_yi_se 2 × birds 2 — huaihua/1 C5.1".

    A factor of one says nothing and is left out, but for the kong that is paid.
    """
    kept = [part for part in one.parts if part.factor != 1 or part.name.endswith("_kong")]
    parts = "".join(map(_term, kept)).removeprefix(" + ").removeprefix(" × ")
    return f"{SEATS[one.payer]} pays {SEATS[one.payee]} {one.points}: {parts} — {one.rule}"


def _term(part: Part) -> str:
    return (
        f" + {part.name} {part.points}"
        if part.factor is None
        else (f" × {part.name} {part.factor}")
    )


def not_counted(one: NotCounted) -> str:
    """What does not count: "B's added_kong 8p, robbed — huaihua/1 C3.7"."""
    what = " ".join(filter(None, (one.what, one.tile)))
    return f"{SEATS[one.seat]}'s {what}, {one.why} — {one.rule}"


def worth(parts: str) -> int:
    """What parts come to, reckoned from left to right: "self_draw 2 × birds 4" -> 8."""
    total = 0
    for sign, number in re.findall(r"(?:^|([+×]) )\w+ (\d+)", parts):
        total = total * int(number) if sign == "×" else total + int(number)
    return total
