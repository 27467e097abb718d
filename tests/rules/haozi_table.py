"""What the tests of 耗子 are written with: outcomes and hands in play, in words.

Seats are the letters of the rule page, A to D. Hands that a test does not tell hold tiles that
are left and wait for nothing. Unless a test says otherwise, 1z is wild, in 双耗子 1z and 2z.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import reduce
from typing import Any

from msgspec.structs import replace

from ledger import events as e
from ledger.events import Event
from ledger.evolve import begin, evolve
from ledger.hand import Hand, outcome
from ledger.outcome import AfterKong, Meld, Outcome, SeatOutcome, Settlement, Win
from ledger.record import Choice
from ledger.refusal import Refused
from ledger.rules import play, turns
from ledger.rules.catalog import ruleset, settle
from ledger.tiles import NUMBERS, Tile, parse_tiles, tile_set, tile_text, tiles_text
from tests.rules import table
from tests.rules.table import NOW, SEATS, seat_of

_SINGLES = (0, 3, 6, 9, 12, 15, 18, 21, 24, 1, 4, 7, 10, 13, 16, 19, 22, 25)
"""Numbers of which any thirteen, one of a kind, wait for nothing."""


def melds(text: str) -> tuple[Meld, ...]:
    """Melds in words: "pung 9s C, exposed 1m B, exposed 2m B!, concealed 7p".

    Who fed it comes last, with "!" if he had declared.
    """
    return tuple(_meld(words.split()) for words in text.split(",") if words)


def _meld(words: list[str]) -> Meld:
    how, tile, *fed = words
    source = seat_of(fed[0][0]) if fed else None
    declared = bool(fed) and fed[0].endswith("!")
    if how == "pung":
        return Meld("pung", tile, None, source)
    return Meld("kong", tile, how, source, False, declared)  # type: ignore[arg-type]


def seat(hand: str = "", melded: str = "", *, declared: bool = True) -> SeatOutcome:
    """A seat at the end of a hand, which has declared 报听 unless a test says otherwise."""
    return SeatOutcome(hand, melds(melded), "", "ready" if declared else None)


def idle(melded: str = "") -> SeatOutcome:
    """A seat that has not declared and waits for nothing."""
    return seat("", melded, declared=False)


def passed(told: SeatOutcome) -> SeatOutcome:
    """The same seat after it has passed a win 过胡."""
    return replace(told, self_draw_only=True)


def ended(
    seats: dict[str, SeatOutcome],
    *wins: Win,
    end: str = "win",
    wilds: str = "",
    dealer: str = "A",
    after: AfterKong | None = None,
    **options: Any,
) -> Outcome:
    """An outcome; hands that are not told hold what is left and matter to nobody."""
    drawn = wilds or ("12z" if options.get("variant") == "double_rat" else "1z")
    return Outcome(
        ruleset="haozi/1",
        options=options,
        seats=_filled(seats, options.get("players", 4), [win.tile for win in wins[:1]]),
        dealer=seat_of(dealer),
        end=end,  # type: ignore[arg-type]
        wilds=tuple(map(tile_text, parse_tiles(drawn))),
        wins=wins,
        after_kong=after,
    )


def _filled(
    seats: dict[str, SeatOutcome], players: int, gone: list[str]
) -> tuple[SeatOutcome, ...]:
    left = tile_set((*NUMBERS, *parse_tiles("1234567z")))
    for told in seats.values():
        left.subtract(parse_tiles(told.hand + told.river))
        for meld in told.melds:
            left.subtract(parse_tiles(meld.tile) * (3 + (meld.kind == "kong")))
    left.subtract(parse_tiles("".join(gone)))
    return tuple(
        replace(one, hand=one.hand or _idle_tiles(left, 13 - 3 * len(one.melds)))
        for one in (seats.get(letter, idle()) for letter in SEATS[:players])
    )


def _idle_tiles(left: Counter[Tile], count: int) -> str:
    free = [tile for tile in _SINGLES if left[tile] > 0]
    free.sort(key=lambda tile: -left[tile])
    hand = free[:count]
    left.subtract(hand)
    return tiles_text(sorted(hand))


def self_draw(letter: str, tile: str, *, first_turn: bool = False) -> Win:
    """A win by the own draw 自摸."""
    return Win(seat_of(letter), tile, "self_draw", None, first_turn)


def on_discard(letter: str, tile: str, source: str) -> Win:
    """A win on somebody's discard 接炮."""
    return Win(seat_of(letter), tile, "discard", seat_of(source))


def robbing(letter: str, tile: str, source: str) -> Win:
    """A win on somebody's added kong 抢杠."""
    return Win(seat_of(letter), tile, "rob_kong", seat_of(source))


def paid(settlement: Settlement, reason: str = "win") -> list[str]:
    """The payments of a reason in words, in their order: "B>A 18"."""
    return [
        f"{SEATS[one.payer]}>{SEATS[one.payee]} {one.points}"
        for one in settlement.payments
        if one.reason == reason
    ]


def kongs(settlement: Settlement) -> list[str]:
    """The payments for kongs in words."""
    return paid(settlement, "kong")


def void(settlement: Settlement) -> list[str]:
    """What is not counted, in words: "C added_kong 7m robbed"."""
    return [f"{SEATS[one.seat]} {one.what} {one.tile} {one.why}" for one in settlement.not_counted]


def read(hand: str, tile: str, melded: str = "", **more: Any) -> str:
    """What A's self-drawn win is read as, with its value: "standard 9"."""
    found = settle(ended({"A": seat(hand, melded)}, self_draw("A", tile), **more))
    return f"{' '.join(found.wins[0].patterns)} {found.wins[0].value}"


def refusal_of(outcome: Outcome) -> str:
    """The code, the pointer and the paragraph with which an outcome is refused."""
    try:
        settle(outcome)
    except Refused as refusal:
        return " ".join(filter(None, (refusal.code, refusal.pointer, refusal.rule)))
    raise AssertionError("the outcome was not refused")


# --- hands in play ----------------------------------------------------------------------------


class Table(table.Table):
    """A hand of 耗子 in play, told and asked in words; "declare 3z" is a discard that declares."""

    def __init__(
        self,
        draws: str = "",
        *,
        dealer: str = "A",
        ends: bool = False,
        hands: dict[str, str] | None = None,
        wilds: str = "",
        **options: Any,
    ) -> None:
        """Deals `hands`, filled up idly; then the wall holds `draws`, with `ends` no more."""
        self.rules = ruleset("haozi/1", options)
        drawn = wilds or ("12z" if options.get("variant") == "double_rat" else "1z")
        self.wilds = tuple(map(tile_text, parse_tiles(drawn)))
        self.wall = self._stack(draws, seat_of(dealer), ends, hands or {})
        self.started = self._start(seat_of(dealer))
        self.events = [self.started]
        self.hand = begin(self.started)
        self.log: list[str] = []
        self._fold(play.deal(self.started, self.rules, NOW))

    def _start(self, dealer: int) -> Event:
        started = super()._start(dealer)
        assert isinstance(started.fact, e.HandStarted)
        fact = replace(started.fact, ruleset="haozi/1", wilds=self.wilds)
        return Event(fact, started.slots)

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
        """What a seat may choose, discards and declarations apart."""
        return [words for words in super().may(letter) if not words.startswith("declare")]

    def declares(self, letter: str) -> list[str]:
        """The tiles with whose discard a seat may declare 报听."""
        words = [words.split() for words in self.all(letter)]
        return [said[1] for said in words if said[0] == "declare"]

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
        """A seat's locks in words: "kong 5m hand", "taken_win hand"."""
        return table.locks(self.hand, letter)

    def settles(self) -> Settlement:
        """Who pays whom for the hand that has ended."""
        return self.rules.settle(outcome(self.hand))


def _masked(event: Event, own: int) -> Event:
    parts = (part if seat == own else None for seat, part in enumerate(event.slots))
    return Event(event.fact, tuple(parts))


def choice(line: str) -> Choice:
    """A choice in words: "A discard 5m", "A declare 5m", "B kong", "D pass"."""
    letter, word, *tile = line.split()
    if word == "declare" and tile:
        return Choice(seat_of(letter), "discard", tile[0], declare=True)
    return table.choice(line)


def _words(one: Choice) -> str:
    word = "declare" if one.declare else one.action
    return f"{word} {one.tile}" if one.tile else word


def told(event: Event) -> str:
    """An event in words, private parts included."""
    fact = event.fact
    if isinstance(fact, e.Discarded) and fact.tile is None:
        hidden = e.slot(event, fact.seat, e.Passed)
        return f"{SEATS[fact.seat]} declares {hidden.tile if hidden else '?'}"
    if isinstance(fact, e.FaceDownOffered):
        parts = [(seat, part) for seat, part in enumerate(event.slots) if part]
        offers = [
            f"{SEATS[seat]} {' '.join(part.may)} {part.tile}"
            for seat, part in parts
            if isinstance(part, e.FaceDownOffer)
        ]
        return f"offered face down: {', '.join(offers)}"
    return table.told(event)
