"""The read side on a terminal: hands of a table told step by step, tiles as Unicode."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any, Protocol

import click

from ledger import access
from ledger import events as e
from ledger.database import Database
from ledger.events import Event, HandSettled, Lock, Seat, slot
from ledger.evolve import begin, evolve
from ledger.hand import Hand, Meld
from ledger.refusal import Refused
from ledger.rules.catalog import entry
from ledger.tiles import UNKNOWN, Tile, Tiles, parse_tile, rank, suit, tiles_text
from projections import operating, projection
from projections.replay import Replay, hand_at

_FIRST_SIGN = {"m": 0x1F007, "p": 0x1F019, "s": 0x1F010, "z": 0x1F000}
_BACK = "\N{MAHJONG TILE BACK}"
_TEXT_STYLE = "\N{VARIATION SELECTOR-15}"
"""Red dragons would come as an emoji without it."""

SEATS = "ABCD"
DEALER = "庄"
LOST = {
    "discard_win": "winning a discard",
    "taken_win": "winning but by its own draw",
    "kong": "the kong of",
}
UNTIL = {
    "own_draw": "until the next draw",
    "own_move": "until the next move",
    "hand": "for this hand",
}
PROMPTS = {
    "bet": "all are asked for a bet",
    "void_suit": "all are asked for a void suit",
    "as_dealt": "asked as dealt",
}
HOW_WON = {
    "self_draw": "by self-draw",
    "discard": "on {0}'s discard",
    "rob_kong": "robbing {0}'s kong",
}
ENDS = {
    "win": "The hand ends with a win.",
    "exhausted": "The hand ends: the wall is empty.",
    "dissolved": "The hand ends: the match is dissolved.",
    "void": "The hand is voided.",
    "unknown": "The hand ends; how is not known.",
}


UNSETTLED = {None: "The hand is not over.", "void": "Nothing is paid."}


class House(Protocol):
    """What the composition root hands to the commands."""

    @property
    def database(self) -> Database:
        """The database of this installation."""


def add_to(commands: click.Group) -> None:
    """Add the commands of the read side."""
    commands.add_command(rebuild)
    commands.add_command(operating.standing)


@click.command()
@click.argument("club")
@click.argument("projections", metavar="[PROJECTION]...", nargs=-1)
@click.pass_obj
def rebuild(house: House, club: str, projections: tuple[str, ...]) -> None:
    """Make what is shown of a club anew from its log, beside what is shown meanwhile."""
    for name in projections or [one.name for one in projection.ALL]:
        generation = projection.rebuild(house.database, club, name, _now)
        click.echo(f"{name} is made anew, as generation {generation}.")


def _now() -> int:
    return time.time_ns() // 1000


def replay(database: Database, table: str, number: int | None) -> Iterator[str]:
    """The lines that tell a table's hands in order, or one of them.

    Tiles of a hand that runs are shown to nobody here; refuses an unknown table or hand.
    """
    signs = _can_show(_BACK + DEALER)
    for played in (number,) if number else count(1):
        try:
            with database.read() as connection:
                hand = hand_at(connection, access.operator(), table, played)
                members = access.find_members(connection, hand.club, hand.seats)
        except Refused as refusal:
            if refusal.code != "hand_unknown" or number or played == 1:
                raise
            return
        codes = tuple(members[seat].code if seat in members else seat for seat in hand.seats)
        if played > 1 and not number:
            yield ""
        yield from _Teller(codes, signs).tell(hand)


def tile_sign(tile: Tile) -> str:
    """A tile as a Unicode character, one that is not seen as a tile's back."""
    if tile == UNKNOWN:
        return _BACK
    sign = chr(_FIRST_SIGN[suit(tile)] + rank(tile) - 1)
    return sign + _TEXT_STYLE if sign == "\N{MAHJONG TILE RED DRAGON}" else sign


def _can_show(text: str) -> bool:
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


class _Teller:
    """Tells a hand to people: who sits where, and how tiles are written."""

    def __init__(self, codes: tuple[str, ...], signs: bool) -> None:
        self.codes = codes
        self.signs = signs

    def tell(self, replay: Replay) -> Iterator[str]:
        """Every event of a hand, and who pays whom."""
        first, *rest = (seen.event for seen in replay.events)
        hand = begin(first)
        yield self._title(replay, hand)
        for step, event in enumerate(rest, 2):
            hand = evolve(hand, event)
            yield f"{step:>4}  {hand.left:>3} left  {self._told(event)}"
            if isinstance(event.fact, e.Dealt | e.HandEnded | e.HandVoided):
                yield from self._hands(hand)
        yield from self._settlement(replay)

    def _title(self, replay: Replay, hand: Hand) -> str:
        table, dealer = f"table {replay.table}", self._who(hand.dealer)
        streak = f", for the {hand.streak}th time in a row" if hand.streak > 1 else ""
        return f"Hand {hand.number} of {table}: {hand.ruleset}, {dealer} deals{streak}"

    def _told(self, event: Event) -> str:
        """An event in words."""
        fact: Any = event.fact
        said = _WORDS[type(fact)](self, event, fact)
        cause = getattr(fact, "cause", "player")
        return said if cause == "player" else f"{said} ({cause})"

    def _hands(self, hand: Hand) -> Iterator[str]:
        for seat, player in enumerate(hand.seats):
            melds = "".join(f"  [{self._meld(meld)}]" for meld in player.melds)
            deals = f" {DEALER if self.signs else 'dealer'}" if seat == hand.dealer else ""
            yield f"{'':16}{self._who(seat)}{deals}  {self.tiles(player.hand)}{melds}"

    def _meld(self, meld: Meld) -> str:
        source = "" if meld.from_seat is None else f" from {self._who(meld.from_seat)}"
        kind = "pung" if meld.how == "pung" else f"{meld.how} kong"
        return f"{kind} {self.tiles((meld.tile,))}{source}"

    def _who(self, seat: Seat) -> str:
        return f"{SEATS[seat]} {self.codes[seat]}"

    def tiles(self, tiles: Tiles) -> str:
        """Tiles as signs, or as text where the terminal has none."""
        return " ".join(map(tile_sign, tiles)) if self.signs else tiles_text(tiles)

    def tile(self, text: str | None) -> str:
        """One tile by its text; None is one that is not seen."""
        return self.tiles((UNKNOWN if text is None else parse_tile(text),))

    def _settlement(self, replay: Replay) -> Iterator[str]:
        settled = replay.settled
        if settled is None:
            yield UNSETTLED.get(replay.end, "Not settled yet.")
            return
        for score in settled.wins:
            names = entry(settled.ruleset).patterns
            patterns = ", ".join(self._names(names[pattern]) for pattern in score.patterns)
            yield f"{self._who(score.seat)} wins with {patterns}, worth {score.value}"
        for paid in settled.payments:
            parts = ", ".join(map(_part, paid.parts))
            way = f"{self._who(paid.payer)} -> {self._who(paid.payee)}"
            yield f"  {way} {paid.points:>6}  {paid.reason}: {parts}  ({paid.rule})"
        for void in settled.not_counted:
            tile = "" if void.tile is None else f" {self.tile(void.tile)}"
            what = f"{self._who(void.seat)} {void.what}{tile}"
            yield f"  not counted: {what}, {void.why}  ({void.rule})"
        yield "  " + "   ".join(self._totals(settled))

    def _names(self, names: tuple[str, str]) -> str:
        """What a pattern is called, in both languages where the terminal has both."""
        english, chinese = names
        return f"{chinese} {english}" if self.signs else english

    def _kind(self, lock: Lock) -> str:
        return f" {self.tile(lock.tile)}" if lock.tile else ""

    def _totals(self, settled: HandSettled) -> Iterator[str]:
        for seat, points in enumerate(settled.totals):
            yield f"{self._who(seat)} {points:+}"

    def _prompted(self, event: Event, fact: e.Prompted) -> str:
        may = self._may(event)
        return f"{PROMPTS[fact.prompt]}: {may}" if may else PROMPTS[fact.prompt]

    def _bets_shown(self, event: Event, fact: e.BetsShown) -> str:
        return "the bets: " + ", ".join(
            f"{self._who(seat)} {bet}" for seat, bet in enumerate(fact.bets)
        )

    def _void_suits_shown(self, event: Event, fact: e.VoidSuitsShown) -> str:
        return "the void suits: " + ", ".join(
            f"{self._who(seat)} {suit}" for seat, suit in enumerate(fact.suits)
        )

    def _ready_shown(self, event: Event, fact: e.ReadyShown) -> str:
        if not fact.seats:
            return "nobody declares as dealt"
        return f"{', '.join(map(self._who, fact.seats))} declares hard"

    def _weekday_set(self, event: Event, fact: e.WeekdaySet) -> str:
        return f"the weekday that counts is {fact.weekday}"

    def _dealt(self, event: Event, fact: e.Dealt) -> str:
        return "The tiles are dealt."

    def _drawn(self, event: Event, fact: e.Drawn) -> str:
        own = slot(event, fact.seat, e.DrawnTile)
        after = " after the kong" if fact.replacement else ""
        return f"{self._who(fact.seat)} draws {self.tile(own.tile if own else None)}{after}"

    def _discarded(self, event: Event, fact: e.Discarded) -> str:
        own = slot(event, fact.seat, e.Passed)
        text = fact.tile or (own.tile if own else None)
        down = "" if fact.tile else " face down"
        ready = f" and declares {fact.declares}" if fact.declares else ""
        said = f"{self._who(fact.seat)} discards {self.tile(text)}{down}{ready}"
        return said + self._locks(own.locks if own else ())

    def _offered(self, event: Event, fact: e.Offered | e.FaceDownOffered) -> str:
        may = self._may(event)
        return f"open to claims: {may}" if may else "open to claims"

    def _may(self, event: Event) -> str:
        """What each seat may answer, as far as it is seen."""
        offers = zip(self.codes, event.slots, strict=False)
        return ", ".join(
            f"{self._who(seat)} {' or '.join(offer.may)}"
            for seat, (_, offer) in enumerate(offers)
            if isinstance(offer, e.Offer | e.FaceDownOffer)
        )

    def _chicken_thrown(self, event: Event, fact: e.ChickenThrown) -> str:
        return f"it is the first {self.tile(fact.tile)} of the hand"

    def _answered(self, event: Event, fact: e.Answered) -> str:
        for seat in range(len(self.codes)):
            answer = slot(event, seat, e.Answer)
            if answer is not None:
                cause = "" if answer.cause == "player" else f" ({answer.cause})"
                said = f"{self._who(seat)} answers {answer.choice}{cause}"
                return said + self._locks(answer.locks)
        return "a seat answers"

    def _punged(self, event: Event, fact: e.Punged) -> str:
        source = self._who(fact.from_seat)
        return f"{self._who(fact.seat)} pungs {self.tile(fact.tile)} from {source}"

    def _kong_announced(self, event: Event, fact: e.KongAnnounced) -> str:
        return f"{self._who(fact.seat)} shows {self.tile(fact.tile)} for a kong{_touzi(fact)}"

    def _konged(self, event: Event, fact: e.Konged) -> str:
        source = "" if fact.from_seat is None else f" from {self._who(fact.from_seat)}"
        tile = self.tile(fact.tile)
        return f"{self._who(fact.seat)} kongs {tile} {fact.how}{source}{_touzi(fact)}"

    def _won(self, event: Event, fact: e.Won) -> str:
        source = "" if fact.from_seat is None else self._who(fact.from_seat)
        how = HOW_WON[fact.how].format(source)
        return f"{self._who(fact.seat)} wins with {self.tile(fact.tile)} {how}"

    def _birds_turned(self, event: Event, fact: e.BirdsTurned) -> str:
        return f"the birds are {self.tiles(tuple(map(parse_tile, fact.tiles)))}"

    def _chicken_flipped(self, event: Event, fact: e.ChickenFlipped) -> str:
        return f"{self.tile(fact.tile)} is turned for the chickens"

    def _hand_entered(self, event: Event, fact: e.HandEntered) -> str:
        if fact.totals is None:
            return "The hand was played elsewhere, and is entered by its outcome."
        points = ", ".join(f"{self._who(seat)} {own:+}" for seat, own in enumerate(fact.totals))
        return f"The hand was played elsewhere, and is entered by its points: {points}."

    def _hand_ended(self, event: Event, fact: e.HandEnded) -> str:
        return ENDS[fact.end]

    def _hand_voided(self, event: Event, fact: e.HandVoided) -> str:
        return ENDS["void"]

    def _locks(self, locks: tuple[Lock, ...]) -> str:
        """What a decision costs its seat."""
        lost = [f"{LOST[lock.what]}{self._kind(lock)} {UNTIL[lock.until]}" for lock in locks]
        return f"; gives up {', '.join(lost)}" if lost else ""


_WORDS: dict[type[e.Fact], Callable[[_Teller, Event, Any], str]] = {
    e.Prompted: _Teller._prompted,
    e.BetsShown: _Teller._bets_shown,
    e.VoidSuitsShown: _Teller._void_suits_shown,
    e.ReadyShown: _Teller._ready_shown,
    e.WeekdaySet: _Teller._weekday_set,
    e.Dealt: _Teller._dealt,
    e.Drawn: _Teller._drawn,
    e.Discarded: _Teller._discarded,
    e.Offered: _Teller._offered,
    e.FaceDownOffered: _Teller._offered,
    e.ChickenThrown: _Teller._chicken_thrown,
    e.Answered: _Teller._answered,
    e.Punged: _Teller._punged,
    e.KongAnnounced: _Teller._kong_announced,
    e.Konged: _Teller._konged,
    e.Won: _Teller._won,
    e.BirdsTurned: _Teller._birds_turned,
    e.ChickenFlipped: _Teller._chicken_flipped,
    e.HandEntered: _Teller._hand_entered,
    e.HandEnded: _Teller._hand_ended,
    e.HandVoided: _Teller._hand_voided,
}


def _touzi(fact: e.Konged | e.KongAnnounced) -> str:
    return ", touzi" if fact.touzi else ""


def _part(part: e.Part) -> str:
    """A term of a payment: points that add up, or a factor."""
    return f"{part.name} {part.points}" if part.factor is None else f"{part.name} x{part.factor}"
