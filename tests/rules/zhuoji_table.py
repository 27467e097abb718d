"""What the tests of 捉鸡 are written with: outcomes, hands in play, and settlements in words.

Seats are the letters of the rule page, A to D. A seat that is not told holds what is left: no
chicken, and a hand that waits for nothing. The tile flipped is 2p, so that 3p is the chicken,
which nobody holds; the dealer sits last and makes no difference, unless a test says otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import Any

from msgspec.structs import replace

from ledger import events as e
from ledger.events import Event
from ledger.evolve import begin, evolve
from ledger.hand import Hand, outcome
from ledger.outcome import (
    AfterKong,
    FirstChicken,
    Meld,
    Outcome,
    Part,
    SeatOutcome,
    Settlement,
    Win,
)
from ledger.record import Choice
from ledger.refusal import Refused
from ledger.rules import play, turns
from ledger.rules.catalog import ruleset
from ledger.rules.options import read_options
from ledger.rules.zhuoji import KEY, Options
from ledger.rules.zhuoji import settle as settle_by
from ledger.tiles import NUMBERS, parse_tiles, tile_set, tiles_text
from tests.rules import table
from tests.rules.table import NOW, SEATS, idle, on_discard, seat_of, self_draw

PLAIN = "123678m55p34578s"
"""Waits for 6s and 9s; 平胡."""
READY = {
    "A": "123678m55p34578s",
    "B": "23456799m444p67s",
    "C": "456m56799p56789s",
    "D": "111345m45677p46s",
}
"""Four hands that wait (for 6s 9s, 5s 8s, 4s 7s, 5s), hold no chicken, and lie at one table."""
CHICKENS = "1s8p3p"
OPENING = ("bets", "voids", "undeclared", "hard")


def settle(outcome: Outcome) -> Settlement:
    """Who pays whom for a hand of 捉鸡."""
    return settle_by(read_options(Options, outcome.options), outcome)


def melds(text: str) -> tuple[Meld, ...]:
    """Melds in words: "pung 9s C, exposed 1m B, late added 2p D, concealed 7p"."""
    return tuple(_meld(words.split()) for words in text.split(",") if words)


def _meld(words: list[str]) -> Meld:
    late = words[0] == "late"
    how, tile, *fed = words[late:]
    source = seat_of(fed[0]) if fed else None
    if how == "pung":
        return Meld("pung", tile, None, source)
    return Meld("kong", tile, how, source, late)  # type: ignore[arg-type]


def seat(hand: str, melded: str = "", river: str = "", **more: Any) -> SeatOutcome:
    """A seat at the end of a hand; without a hand it gets one that waits for nothing."""
    return SeatOutcome(hand, melds(melded), river, **more)


def ready(letters: str, **more: Any) -> dict[str, SeatOutcome]:
    """Ready seats without a chicken."""
    return {letter: seat(READY[letter], **more) for letter in letters}


def first(tile: str, by: str, takers: str = "") -> FirstChicken:
    """A first chicken: who discarded it, and who took it if it did not stand."""
    return FirstChicken(tile, seat_of(by), tuple(map(seat_of, takers)))


def ended(
    seats: dict[str, SeatOutcome],
    *wins: Win,
    dealer: str | None = None,
    without: str = CHICKENS,
    firsts: tuple[FirstChicken, ...] = (),
    flip: str | None = "2p",
    **more: Any,
) -> Outcome:
    """An outcome; seats that are not told hold no tile of `without`. `more` are other facts of
    the outcome, and options, of which `dealer_mode` is "none" here unless it is said.
    """
    facts = {name: more.pop(name) for name in tuple(more) if name in Outcome.__struct_fields__}
    options = {"dealer_mode": "none"} | more
    players = options.get("players", 4)
    return Outcome(
        ruleset=KEY,
        options=options,
        seats=_filled(seats, players, wins, without + (flip or "")),
        dealer=seat_of(dealer) if dealer else players - 1,
        wins=wins,
        first_chickens=firsts,
        flip=flip if wins else None,
        **({"end": "win" if wins else "exhausted"} | facts),
    )


def _filled(
    seats: dict[str, SeatOutcome], players: int, wins: tuple[Win, ...], without: str
) -> tuple[SeatOutcome, ...]:
    left = tile_set(NUMBERS)
    for told in seats.values():
        left.subtract(parse_tiles(told.hand + told.river))
        for meld in told.melds:
            left.subtract(parse_tiles(meld.tile) * (3 + (meld.kind == "kong")))
    left.subtract(parse_tiles("".join(win.tile for win in wins[:1])))
    left -= tile_set(parse_tiles(without))
    return tuple(
        one if one.hand else replace(one, hand=_idle_hand(left, one))
        for one in (seats.get(letter, SeatOutcome("")) for letter in SEATS[:players])
    )


def _idle_hand(left: Any, one: SeatOutcome) -> str:
    return tiles_text(sorted(idle(left, 13 - 3 * len(one.melds))))


def terms(found: Settlement, reason: str) -> list[str]:
    """The payments of a reason with their terms: "B>A 4: ping_hu 1, self_draw 1, base_score ×2"."""
    return [
        f"{SEATS[one.payer]}>{SEATS[one.payee]} {one.points}: {', '.join(map(_term, one.parts))}"
        for one in found.payments
        if one.reason == reason
    ]


def _term(part: Part) -> str:
    return f"{part.name} ×{part.factor}" if part.factor else f"{part.name} {part.points}"


def in_vain(found: Settlement) -> list[str]:
    """What did not count, in words: "B added_kong 8m: burned (zhuoji/1 B5.2)"."""
    return [
        f"{SEATS[one.seat]} {one.what}{f' {one.tile}' if one.tile else ''}: {one.why} ({one.rule})"
        for one in found.not_counted
    ]


def read(hand: str, tile: str, melded: str = "", **more: Any) -> str:
    """What A's hand is read as, winning with a tile that it draws: "qi_dui 10"."""
    found = settle(ended({"A": seat(hand, melded)}, self_draw("A", tile), **more)).wins[0]
    return f"{' '.join(found.patterns)} {found.value}"


def dealt_in(winner: SeatOutcome, tile: str, **more: Any) -> Settlement:
    """The settlement of a tile that B discards and A wins."""
    return settle(ended({"A": winner}, on_discard("A", tile, "B"), **more))


def after(how: str, *, late: bool = False) -> AfterKong:
    """The kong behind a win."""
    return AfterKong(how, late)  # type: ignore[arg-type]


def refusal_of(outcome: Outcome) -> tuple[str, str, str | None]:
    """The code, the pointer and the paragraph with which an outcome is refused."""
    try:
        settle(outcome)
    except Refused as refusal:
        return refusal.code, refusal.pointer, refusal.rule
    raise AssertionError("the outcome was not refused")


# --- hands in play ----------------------------------------------------------------------------


class Table(table.Table):
    """A hand of 捉鸡 in play, told and asked in words; "declare 5m" is a discard that declares.

    Bets and void suits are answered from A on, as far as they are told: `bets="0120"`. Of the seats
    that are ready as dealt, `undeclared` pass 硬报 and `hard` declare it.
    """

    def __init__(
        self,
        draws: str = "",
        *,
        dealer: str = "A",
        ends: bool = False,
        hands: dict[str, str] | None = None,
        weekday: int | None = None,
        **more: Any,
    ) -> None:
        """Deals `hands`, filled up idly; then the wall holds `draws`, with `ends` no more."""
        opening = {name: more.pop(name, "") for name in OPENING}
        self.rules = ruleset(KEY, more)
        self.wall = self._stack(draws, seat_of(dealer), ends, hands or {})
        self.started = self._start(seat_of(dealer))
        self.events = [self.started]
        self.hand = begin(self.started)
        self.log: list[str] = []
        self._fold(play.deal(self.started, self.rules, NOW, weekday))
        self.does(*_answers(**opening))

    def _start(self, dealer: int) -> Event:
        started = super()._start(dealer)
        assert isinstance(started.fact, e.HandStarted)
        return Event(replace(started.fact, ruleset=KEY), started.slots)

    def _fold(self, happened: Iterable[Event]) -> list[str]:
        new = [told(event) for event in happened if self._evolve(event)]
        self.log += new
        return new

    def does(self, *lines: str) -> list[str]:
        """Plays choices such as "A declare 5m" or "B pung"; what the last one brought about."""
        happened: list[str] = []
        for line in lines:
            happened = self._fold(play.play(self.hand, choice(line), self.rules, NOW))
        return happened

    def all(self, letter: str) -> list[str]:
        """Everything a seat may choose."""
        return [_words(one) for one in turns.legal_actions(self.hand, seat_of(letter), self.rules)]

    def may(self, letter: str) -> list[str]:
        """What a seat may choose, discards apart, with or without a declaration."""
        return [words for words in super().may(letter) if not words.startswith("declare ")]

    def declares(self, letter: str) -> list[str]:
        """The tiles with whose discard a seat may declare 软报."""
        words = [words.split() for words in self.all(letter)]
        return [said[1] for said in words if said[0] == "declare" and len(said) > 1]

    def refuses(self, line: str) -> str:
        """The code and the paragraph with which a choice is refused."""
        try:
            play.play(self.hand, choice(line), self.rules, NOW)
        except Refused as refusal:
            return f"{refusal.code}, {refusal.rule}"
        raise AssertionError(f"{line} was not refused")

    def seen(self, letter: str) -> Hand:
        """The hand as a seat sees it while it runs."""
        own = seat_of(letter)
        first, *others = (_masked(event, own) for event in self.events)
        return reduce(evolve, others, begin(first))

    def locks(self, letter: str) -> list[str]:
        """A seat's locks in words: "discard_win 9s own_move"."""
        return table.locks(self.hand, letter)

    def outcome(self) -> Outcome:
        """What the hand leaves that has ended."""
        return outcome(self.hand)

    def settles(self) -> Settlement:
        """Who pays whom for the hand that has ended."""
        return self.rules.settle(outcome(self.hand))


def _answers(bets: str, voids: str, undeclared: str, hard: str) -> list[str]:
    return [
        *(f"{letter} bet {points}" for letter, points in zip(SEATS, bets, strict=False)),
        *(f"{letter} void {suit}" for letter, suit in zip(SEATS, voids, strict=False)),
        *(f"{letter} pass" for letter in undeclared),
        *(f"{letter} declare" for letter in hard),
    ]


def _masked(event: Event, own: int) -> Event:
    parts = (part if seat == own else None for seat, part in enumerate(event.slots))
    return Event(event.fact, tuple(parts))


def choice(line: str) -> Choice:
    """A choice in words: "A bet 2", "B void m", "C declare", "A declare 5m", "D pass"."""
    letter, word, *more = line.split()
    own = seat_of(letter)
    if word == "bet":
        return Choice(own, "bet", points=int(more[0]) if more else None)
    if word == "void":
        return Choice(own, "void_suit", suit=more[0] if more else None)  # type: ignore[arg-type]
    if word == "declare" and more:
        return Choice(own, "discard", more[0], declare=True)
    return table.choice(line)


def _words(one: Choice) -> str:
    if one.action == "bet":
        return f"bet {one.points}"
    if one.action == "void_suit":
        return f"void {one.suit}"
    word = "declare" if one.declare else one.action
    return f"{word} {one.tile}" if one.tile else word


def told(event: Event) -> str:
    """An event in words, private parts included."""
    match event.fact:
        case e.Prompted(prompt=prompt):
            parts = ((seat, part) for seat, part in enumerate(event.slots) if part)
            asked = (
                f"{SEATS[seat]} {' '.join(part.may)}"
                for seat, part in parts
                if isinstance(part, e.Offer)
            )
            return f"asked {prompt}: {', '.join(asked)}"
        case e.Discarded(seat=who, tile=tile, declares="soft"):
            return f"{SEATS[who]} declares {tile}"
        case e.Konged(late=True) | e.KongAnnounced(late=True):
            return f"{table.told(event)} late"
        case _:
            return _told_of_all(event)


def _told_of_all(event: Event) -> str:
    match event.fact:
        case e.BetsShown(bets=bets):
            return f"bets: {' '.join(map(str, bets))}"
        case e.VoidSuitsShown(suits=suits):
            return f"void suits: {' '.join(suits)}"
        case e.ReadyShown(seats=seats):
            return f"declared: {''.join(SEATS[seat] for seat in seats) or 'nobody'}"
        case e.ChickenThrown(tile=tile):
            return f"first chicken {tile}"
        case e.ChickenFlipped(tile=tile):
            return f"flipped {tile}"
        case _:
            return table.told(event)
