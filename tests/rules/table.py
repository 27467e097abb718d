"""What the rules' tests are written with: outcomes, hands from a stacked wall, and their words.

Seats are the letters of the rule page, A to D. What a test does not say is filled in from the
tiles that are left: hands that wait for nothing and claim nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from ledger import events as e
from ledger.events import Event, slots
from ledger.evolve import begin, evolve
from ledger.hand import Hand
from ledger.outcome import AfterKong, Meld, Outcome, SeatOutcome, Settlement, Win
from ledger.record import Choice
from ledger.refusal import Refused
from ledger.rules import play, shapes, turns
from ledger.rules.catalog import ruleset, settle
from ledger.rules.options import write_options
from ledger.tiles import NUMBERS, Tile, parse_tiles, tile_set, tile_text, tiles_text, wall_text

KEY = "huaihua/1"
SEATS = "ABCD"
NOW = play.Moment(1_700_000_000_000_000, "2023-11-14", "2023-11-14", 2)
SECRET = "5e" * 32

_SPREAD = sorted(NUMBERS, key=lambda tile: (tile % 3 + tile // 9) % 3)


def seat_of(letter: str) -> int:
    """The seat of a letter: "B" -> 1."""
    return SEATS.index(letter)


# --- outcomes ---------------------------------------------------------------------------------


def melds(text: str) -> tuple[Meld, ...]:
    """Melds in words: "pung 9s C, exposed 1m B, added 2p D, concealed 7p" (who fed comes last)."""
    return tuple(_meld(words.split()) for words in text.split(",") if words)


def _meld(words: list[str]) -> Meld:
    how, tile, *fed = words
    source = seat_of(fed[0]) if fed else None
    if how == "pung":
        return Meld("pung", tile, None, source)
    return Meld("kong", tile, how, source)  # type: ignore[arg-type]


def seat(hand: str, melded: str = "", *, frozen: bool = False, river: str = "") -> SeatOutcome:
    """A seat at the end of a hand."""
    declared = "frozen" if frozen else None
    return SeatOutcome(hand, melds(melded), river, declared)  # type: ignore[arg-type]


def ended(
    seats: dict[str, SeatOutcome],
    *wins: Win,
    end: str = "win",
    birds: str = "",
    dealer: str = "A",
    after: AfterKong | None = None,
    **options: Any,
) -> Outcome:
    """An outcome; hands that are not told hold what is left and matter to nobody."""
    players = options.get("players", 4)
    return Outcome(
        ruleset=KEY,
        options=options,
        seats=_filled(seats, players, [win.tile for win in wins[:1]], birds),
        dealer=seat_of(dealer),
        end=end,  # type: ignore[arg-type]
        wins=wins,
        after_kong=after,
        birds=tuple(tile_text(tile) for tile in parse_tiles(birds)),
    )


def _filled(
    seats: dict[str, SeatOutcome], players: int, gone: list[str], birds: str
) -> tuple[SeatOutcome, ...]:
    left = tile_set(NUMBERS)
    for told in seats.values():
        left.subtract(parse_tiles(told.hand + told.river))
        for meld in told.melds:
            left.subtract(parse_tiles(meld.tile) * (3 + (meld.kind == "kong")))
    left.subtract(parse_tiles("".join(gone) + birds))
    all_seats = [seats.get(letter, SeatOutcome("")) for letter in SEATS[:players]]
    return tuple(
        replace(one, hand=one.hand or tiles_text(sorted(idle(left, 13 - 3 * len(one.melds)))))
        for one in all_seats
    )


def idle(left: Counter[Tile], count: int = 13, beside: tuple[Tile, ...] = ()) -> list[Tile]:
    """Takes single tiles that wait for nothing from what is left, none of a kind held."""
    free = [tile for tile in _SPREAD if left[tile] > 0 and tile not in beside]
    free.sort(key=lambda tile: -left[tile])
    hands = (free[start : start + count] for start in range(len(free) - count + 1))
    hand = next(hand for hand in hands if beside or not shapes.waits(tuple(hand), 0, NUMBERS))
    left.subtract(hand)
    return hand


def self_draw(letter: str, tile: str, *, first_turn: bool = False) -> Win:
    """A win by the own draw 自摸."""
    return Win(seat_of(letter), tile, "self_draw", None, first_turn)


def on_discard(letter: str, tile: str, source: str, *, first_turn: bool = False) -> Win:
    """A win on somebody's discard 接炮."""
    return Win(seat_of(letter), tile, "discard", seat_of(source), first_turn)


def robbing(letter: str, tile: str, source: str) -> Win:
    """A win on somebody's added kong 抢杠."""
    return Win(seat_of(letter), tile, "rob_kong", seat_of(source))


def kongs(settlement: Settlement) -> list[str]:
    """The payments for kongs in words: "C>A 3"."""
    return paid(settlement, "kong")


def paid(settlement: Settlement, reason: str = "win") -> list[str]:
    """The payments of a reason in words, in their order: "B>A 2"."""
    return [
        f"{SEATS[one.payer]}>{SEATS[one.payee]} {one.points}"
        for one in settlement.payments
        if one.reason == reason
    ]


def read(
    hand: str,
    tile: str,
    melded: str = "",
    *,
    how: str = "self_draw",
    first_turn: bool = False,
    dealer: bool = False,
    touzi: bool = False,
    **options: Any,
) -> str:
    """What A's winning hand is read as, with its value: "qi_dui qing_yi_se ×4"."""
    source = None if how == "self_draw" else 1
    win = Win(0, tile, how, source, first_turn)  # type: ignore[arg-type]
    after = AfterKong(melds(melded)[-1].how, False, True) if touzi else None  # type: ignore[arg-type]
    seats = {"A": seat(hand, melded, frozen=touzi)}
    if how == "rob_kong":
        seats["B"] = seat("", f"pung {tile} C")
    options.setdefault("win_mode", "discard")
    found = settle(ended(seats, win, dealer="A" if dealer else "D", after=after, **options))
    return f"{' '.join(found.wins[0].patterns)} ×{found.wins[0].value}"


def refusal_of(outcome: Outcome) -> tuple[str, str]:
    """The code and the pointer with which an outcome is refused."""
    try:
        settle(outcome)
    except Refused as refusal:
        return refusal.code, refusal.pointer
    raise AssertionError("the outcome was not refused")


# --- hands in play ----------------------------------------------------------------------------


class Table:
    """A hand in play, told and asked in words."""

    def __init__(
        self,
        draws: str = "",
        *,
        dealer: str = "A",
        ends: bool = False,
        hands: dict[str, str] | None = None,
        **options: Any,
    ) -> None:
        """Deals `hands`, filled up idly; then the wall holds `draws`, with `ends` no more."""
        self.rules = ruleset(KEY, options)
        self.wall = self._stack(draws, seat_of(dealer), ends, hands or {})
        self.started = self._start(seat_of(dealer))
        self.events = [self.started]
        self.hand = begin(self.started)
        self.log: list[str] = []
        self._fold(play.deal(self.started, self.rules, NOW))

    def _stack(
        self, draws: str, dealer: int, ends: bool, hands: dict[str, str]
    ) -> tuple[Tile, ...]:
        left = tile_set(self.rules.kinds)
        left.subtract(parse_tiles("".join(hands.values()) + draws))
        assert min(left.values()) >= 0, f"too many copies: {-left}"
        dealt: list[Tile] = []
        for step in range(self.rules.players):
            letter = SEATS[(dealer + step) % self.rules.players]
            given = parse_tiles(hands.get(letter, ""))
            dealt += [*given, *idle(left, 13 + (step == 0) - len(given), given)]
            assert len(dealt) == 14 + 13 * step, f"too many tiles for {letter}"
        rest = () if ends else tuple(sorted(left.elements()))
        return (*dealt, *parse_tiles(draws), *rest)

    def _start(self, dealer: int) -> Event:
        players = self.rules.players
        options = write_options(self.rules.options)
        totals, nobody = (0,) * players, ("?",) * players
        fact = e.HandStarted(
            NOW.at, 1, KEY, options, nobody, dealer, 1, 1, 0, "key", totals, (), len(self.wall)
        )
        built = e.WallBuilt(wall_text(self.wall), SECRET)
        return Event(fact, slots(players, {players: built}))

    def _fold(self, happened: Iterable[Event]) -> list[str]:
        new = [told(event) for event in happened if self._evolve(event)]
        self.log += new
        return new

    def _evolve(self, event: Event) -> bool:
        self.events.append(event)
        self.hand = evolve(self.hand, event)
        return True

    def does(self, *lines: str) -> list[str]:
        """Plays choices such as "A discard 5m" or "B pung"; what the last one brought about."""
        happened: list[str] = []
        for line in lines:
            happened = self._fold(play.play(self.hand, choice(line), self.rules, NOW))
        return happened

    def dissolves(self) -> list[str]:
        """Ends the hand in the middle."""
        return self._fold(play.dissolve(self.hand, self.rules, NOW))

    def may(self, letter: str) -> list[str]:
        """What a seat may choose, discards apart: ["win", "kong 9s", "touzi 9s", "pass"]."""
        return [words for words in self.all(letter) if not words.startswith("discard")]

    def all(self, letter: str) -> list[str]:
        """Everything a seat may choose."""
        legal = turns.legal_actions(self.hand, seat_of(letter), self.rules)
        return [_words(one) for one in legal]

    def discards(self, letter: str) -> str:
        """The kinds a seat may discard, in run form."""
        words = [words.split() for words in self.all(letter)]
        return tiles_text(
            tile for said in words if said[0] == "discard" for tile in parse_tiles(said[1])
        )

    def asked(self) -> str:
        """The letters of the seats that may choose something."""
        letters = SEATS[: self.rules.players]
        return "".join(letter for letter in letters if self.all(letter))

    def refuses(self, line: str) -> str:
        """The code and the paragraph with which a choice is refused."""
        try:
            play.play(self.hand, choice(line), self.rules, NOW)
        except Refused as refusal:
            return f"{refusal.code}, {refusal.rule}"
        raise AssertionError(f"{line} was not refused")

    def holds(self, letter: str) -> str:
        """A seat's concealed tiles, in run form."""
        return tiles_text(self.hand.seats[seat_of(letter)].hand)


def choice(line: str) -> Choice:
    """A choice in words: "A discard 5m", "B kong", "C touzi 9s", "D pass"."""
    letter, word, *tile = line.split()
    action = "kong" if word == "touzi" else word
    named = tile[0] if tile else None
    return Choice(seat_of(letter), action, named, word == "touzi")  # type: ignore[arg-type]


def _words(one: Choice) -> str:
    word = "touzi" if one.touzi else one.action
    return f"{word} {one.tile}" if one.tile else word


# --- events in words --------------------------------------------------------------------------


def told(event: Event) -> str:
    """An event in words, private parts included."""
    fact = event.fact
    name = SEATS[fact.seat] if hasattr(fact, "seat") else ""
    auto = " (auto)" if getattr(fact, "cause", "") == "auto" else ""
    match fact:
        case e.Drawn():
            part = e.slot(event, fact.seat, e.DrawnTile)
            what = "replaces" if fact.replacement else "draws"
            return f"{name} {what} {part.tile if part else '?'}"
        case e.Discarded():
            return f"{name} discards {fact.tile}{auto}"
        case e.Offered():
            return f"offered: {_each(event, e.Offer)}"
        case e.Answered():
            return f"answered: {_each(event, e.Answer)}"
        case e.Punged():
            return f"{name} pungs {fact.tile} of {SEATS[fact.from_seat]}"
        case e.KongAnnounced():
            return f"{name} shows {fact.tile}"
        case _:
            return _told_rest(fact, name, auto)


def _told_rest(fact: e.Fact, name: str, auto: str) -> str:
    match fact:
        case e.Konged():
            fed = "" if fact.from_seat is None else f" of {SEATS[fact.from_seat]}"
            return f"{name} kongs {fact.tile} {fact.how}{fed}{' touzi' * fact.touzi}"
        case e.Won():
            source = "" if fact.from_seat is None else f" of {SEATS[fact.from_seat]}"
            return f"{name} wins {fact.tile} {fact.how}{source}{auto}"
        case e.BirdsTurned():
            return f"birds {' '.join(fact.tiles)}"
        case e.HandEnded():
            return f"ended: {fact.end}"
        case _:
            return type(fact).__name__


def _each(event: Event, kind: type[Any]) -> str:
    parts = [(SEATS[who], part) for who, part in enumerate(event.slots) if isinstance(part, kind)]
    return ", ".join(
        f"{name} {' '.join(part.may) if isinstance(part, e.Offer) else part.choice}"
        for name, part in parts
    )


def locks(hand: Hand, letter: str) -> list[str]:
    """A seat's locks in words: "kong 5m hand", "discard_win own_draw"."""
    found = hand.seats[seat_of(letter)].locks
    return [" ".join(filter(None, (one.what, one.tile, one.until))) for one in found]
