"""A hand in words, event by event and with its settlement; tiles as Unicode or as text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ledger import events as e
from ledger.events import Event, HandCorrected, HandSettled, Lock, Seat, slot
from ledger.evolve import begin, evolve
from ledger.hand import Hand, Meld, Player
from ledger.rules.catalog import entry, name_of, ruleset
from ledger.rules.options import describe_options
from ledger.tiles import UNKNOWN, Tile, Tiles, parse_tile, rank, suit, tiles_text
from projections.replay import Replay

_FIRST_SIGN = {"m": 0x1F007, "p": 0x1F019, "s": 0x1F010, "z": 0x1F000}
_BACK = "\N{MAHJONG TILE BACK}"
_TEXT_STYLE = "\N{VARIATION SELECTOR-15}"
"""Red dragons would come as an emoji without it."""

SEATS = "ABCD"
DEALER = "庄"
SIGNS = _BACK + DEALER
"""What a terminal must be able to show for a hand to be told in signs."""
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
VOTES = {"agreed": "agrees", "refused": "refuses", "silent": "says nothing"}


def tile_sign(tile: Tile) -> str:
    """A tile as a Unicode character, one that is not seen as a tile's back."""
    if tile == UNKNOWN:
        return _BACK
    sign = chr(_FIRST_SIGN[suit(tile)] + rank(tile) - 1)
    return sign + _TEXT_STYLE if sign == "\N{MAHJONG TILE RED DRAGON}" else sign


class Teller:
    """Tells a hand to people: who sits where, and how tiles are written."""

    def __init__(self, codes: tuple[str, ...], signs: bool) -> None:
        self.codes = codes
        self.signs = signs

    def tell(self, replay: Replay) -> Iterator[str]:
        """Every event of a hand, and who pays whom."""
        first, *rest = (seen.event for seen in replay.events)
        hand = begin(first)
        yield from self._head(replay, hand)
        for step, event in enumerate(rest, 2):
            if not isinstance(event.fact, e.DissolutionVoted):
                hand = evolve(hand, event)
            yield f"{step:>4}  {hand.left:>3} left  {self._told(event)}"
            if isinstance(event.fact, e.Dealt | e.HandEnded | e.HandVoided):
                yield from self._seats(hand)
        yield from self._settlement(replay)

    def _head(self, replay: Replay, hand: Hand) -> Iterator[str]:
        """Which hand this is, who deals, and what its table has chosen."""
        table, dealer = f"table {replay.table}", self._who(hand.dealer)
        streak = f", {hand.streak} hands in a row" if hand.streak > 1 else ""
        yield f"Hand {hand.number} of {table}: {hand.ruleset}, {dealer} deals{streak}"
        yield from (f"  {chosen}" for chosen in self._chosen(hand))
        if hand.wilds:
            yield f"  wild {self.tiles(hand.wilds)}"

    def _chosen(self, hand: Hand) -> Iterator[str]:
        """The options of the table that are not as they are by default."""
        chosen = ruleset(hand.ruleset, hand.options).written_options
        for info in describe_options(entry(hand.ruleset).options):
            value, default = chosen[info.name], info.default
            if value != (list(default) if isinstance(default, tuple) else default):
                yield f"{self._names((info.en, info.zh))}: {self._value(hand.ruleset, value)}"

    def _value(self, key: str, value: Any) -> str:
        """The value of an option: on, off, a number, or the words of what is chosen."""
        if isinstance(value, bool):
            return "on" if value else "off"
        if isinstance(value, list):
            return ", ".join(self._value(key, one) for one in value) or "none"
        return self._word(key, value) if isinstance(value, str) else str(value)

    def _told(self, event: Event) -> str:
        """An event in words."""
        fact: Any = event.fact
        said = _WORDS[type(fact)](self, event, fact)
        cause = getattr(fact, "cause", "player")
        return said if cause == "player" else f"{said} ({cause})"

    def _seats(self, hand: Hand) -> Iterator[str]:
        """What each seat has: its hand, its melds, what binds it, and its river."""
        for seat, player in enumerate(hand.seats):
            melds = "".join(f"  [{self._meld(meld)}]" for meld in player.melds)
            deals = f" {DEALER if self.signs else 'dealer'}" if seat == hand.dealer else ""
            bound = "".join(f", {word}" for word in _bound(player))
            yield f"{'':16}{self._who(seat)}{deals}  {self.tiles(player.hand)}{melds}{bound}"
            if player.river:
                yield f"{'':18}discarded {self.tiles(player.river)}"

    def _meld(self, meld: Meld) -> str:
        source = "" if meld.from_seat is None else f" from {self._who(meld.from_seat)}"
        kind = "pung" if meld.how == "pung" else f"{meld.how} kong"
        late = ", made too late" if meld.late else ""
        return f"{kind} {self.tiles((meld.tile,))}{source}{late}"

    def _who(self, seat: Seat) -> str:
        return f"{SEATS[seat]} {self.codes[seat]}"

    def tiles(self, tiles: Tiles) -> str:
        """Tiles as signs, or as text where the terminal has none."""
        return " ".join(map(tile_sign, tiles)) if self.signs else tiles_text(tiles)

    def tile(self, text: str | None) -> str:
        """One tile by its text; None is one that is not seen."""
        return self.tiles((UNKNOWN if text is None else parse_tile(text),))

    def _settlement(self, replay: Replay) -> Iterator[str]:
        """What stands, and under it what was reversed, the latest first."""
        if replay.stands is not None:
            yield from self._paid(replay.stands.fact)
        elif replay.undone:
            yield f"Nothing is paid: dispute {replay.undone[0].undone_by} voided it."
        else:
            yield UNSETTLED.get(replay.end, "Not settled yet.")
        for one in replay.undone:
            yield f"Reversed by dispute {one.undone_by}, what stood as revision {one.revision}:"
            yield from self._paid(one.fact)

    def _paid(self, settled: HandSettled | HandCorrected) -> Iterator[str]:
        """Who pays whom, line by line, and what each seat comes to."""
        if isinstance(settled, HandCorrected):
            yield f"Corrected by dispute {settled.dispute}:"
        for score in settled.wins:
            patterns = ", ".join(self._word(settled.ruleset, one) for one in score.patterns)
            yield f"{self._who(score.seat)} wins with {patterns}, worth {score.value}"
        for paid in settled.payments:
            parts = ", ".join(self._part(settled.ruleset, part) for part in paid.parts)
            way = f"{self._who(paid.payer)} -> {self._who(paid.payee)}"
            reason = self._word(settled.ruleset, paid.reason)
            yield f"  {way} {paid.points:>6}  {reason}: {parts}  ({paid.rule})"
        for void in settled.not_counted:
            tile = "" if void.tile is None else f" {self.tile(void.tile)}"
            what = f"{self._who(void.seat)}, {self._word(settled.ruleset, void.what)}{tile}"
            why = self._word(settled.ruleset, void.why)
            yield f"  not counted: {what}: {why}  ({void.rule})"
        yield "  " + "   ".join(self._totals(settled))

    def _part(self, key: str, part: e.Part) -> str:
        """A term of a payment: points that add up, or a factor."""
        count = f"{part.points}" if part.factor is None else f"x{part.factor}"
        return f"{self._word(key, part.name)} {count}"

    def _word(self, key: str, word: str) -> str:
        return self._names(name_of(key, word))

    def _names(self, names: tuple[str, str]) -> str:
        """What something is called, in both languages where the terminal has both."""
        english, chinese = names
        return f"{chinese} {english}" if self.signs else english

    def _kind(self, lock: Lock) -> str:
        return f" {self.tile(lock.tile)}" if lock.tile else ""

    def _totals(self, settled: HandSettled | HandCorrected) -> Iterator[str]:
        for seat, points in enumerate(settled.totals):
            yield f"{self._who(seat)} {points:+}"

    def _voted(self, event: Event, fact: e.DissolutionVoted) -> str:
        said = [f"{self._who(vote.seat)} {VOTES[vote.answer]}" for vote in fact.votes]
        came = "the match is dissolved" if fact.passed else "the match goes on"
        asked = f"{self._who(fact.seat)} wishes to dissolve the match"
        return f"{', '.join((asked, *said))}: {came}"

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
        return f"{self._who(fact.seat)} shows {self.tile(fact.tile)} for a kong{_besides(fact)}"

    def _konged(self, event: Event, fact: e.Konged) -> str:
        source = "" if fact.from_seat is None else f" from {self._who(fact.from_seat)}"
        tile = self.tile(fact.tile)
        return f"{self._who(fact.seat)} kongs {tile} {fact.how}{source}{_besides(fact)}"

    def _won(self, event: Event, fact: e.Won) -> str:
        source = "" if fact.from_seat is None else self._who(fact.from_seat)
        how = HOW_WON[fact.how].format(source)
        return f"{self._who(fact.seat)} wins with {self.tile(fact.tile)} {how}"

    def _birds_turned(self, event: Event, fact: e.BirdsTurned) -> str:
        return f"the birds are {self.tiles(tuple(map(parse_tile, fact.tiles)))}"

    def _chicken_flipped(self, event: Event, fact: e.ChickenFlipped) -> str:
        return f"{self.tile(fact.tile)} is turned for the chickens"

    def _hand_entered(self, event: Event, fact: e.HandEntered) -> str:
        if fact.outcome is not None:
            told = "The hand was played elsewhere, and is entered by its outcome."
            turned = (fact.outcome.get("flip"), *fact.outcome.get("birds", ()))
            tiles = tuple(parse_tile(tile) for tile in turned if tile)
            return f"{told} Turned: {self.tiles(tiles)}." if tiles else told
        points = ", ".join(
            f"{self._who(seat)} {own:+}" for seat, own in enumerate(fact.totals or ())
        )
        return f"The hand was played elsewhere, and is entered by its points: {points}."

    def _hand_ended(self, event: Event, fact: e.HandEnded) -> str:
        return ENDS[fact.end]

    def _hand_voided(self, event: Event, fact: e.HandVoided) -> str:
        return ENDS["void"]

    def _locks(self, locks: tuple[Lock, ...]) -> str:
        """What a decision costs its seat."""
        lost = [f"{LOST[lock.what]}{self._kind(lock)} {UNTIL[lock.until]}" for lock in locks]
        return f"; gives up {', '.join(lost)}" if lost else ""


_WORDS: dict[type[e.Fact], Callable[[Teller, Event, Any], str]] = {
    e.DissolutionVoted: Teller._voted,
    e.Prompted: Teller._prompted,
    e.BetsShown: Teller._bets_shown,
    e.VoidSuitsShown: Teller._void_suits_shown,
    e.ReadyShown: Teller._ready_shown,
    e.WeekdaySet: Teller._weekday_set,
    e.Dealt: Teller._dealt,
    e.Drawn: Teller._drawn,
    e.Discarded: Teller._discarded,
    e.Offered: Teller._offered,
    e.FaceDownOffered: Teller._offered,
    e.ChickenThrown: Teller._chicken_thrown,
    e.Answered: Teller._answered,
    e.Punged: Teller._punged,
    e.KongAnnounced: Teller._kong_announced,
    e.Konged: Teller._konged,
    e.Won: Teller._won,
    e.BirdsTurned: Teller._birds_turned,
    e.ChickenFlipped: Teller._chicken_flipped,
    e.HandEntered: Teller._hand_entered,
    e.HandEnded: Teller._hand_ended,
    e.HandVoided: Teller._hand_voided,
}


def _besides(fact: e.Konged | e.KongAnnounced) -> str:
    """What a kong is besides: freezing the hand, or made too late to be paid."""
    return (", touzi" if fact.touzi else "") + (", too late" if fact.late else "")


def _bound(player: Player) -> Iterator[str]:
    """What a seat has bet, does without and has declared."""
    if player.bet:
        yield f"bet {player.bet}"
    if player.void_suit:
        yield f"void suit {player.void_suit}"
    if player.declared:
        yield "frozen" if player.declared == "frozen" else f"declared {player.declared}"
