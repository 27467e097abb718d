"""What holds at every step of every hand, whatever is played under whatever options."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from ledger import codec
from ledger import events as e
from ledger.events import Event, slots
from ledger.evolve import begin, evolve
from ledger.hand import Hand, Player, Turn, Window, outcome
from ledger.outcome import Payment
from ledger.record import Choice, Does
from ledger.rules import play, turns
from ledger.rules.catalog import ruleset, settle
from ledger.rules.ruleset import Ruleset
from ledger.simulate import choose, random_options
from ledger.tiles import COPIES, KINDS, UNKNOWN, Tile, tile_text, wall_text
from tests.rules.table import KEY, NOW, SECRET

HANDS = range(30)
MANY = range(1000, 3000)
NOBODY = -1
ACTIONS: tuple[Does, ...] = (
    "win",
    "pass",
    "pung",
    "kong",
    "discard",
    "bet",
    "void_suit",
    "declare",
)


class Played:
    """A hand in play, folded as it goes by everybody who watches it."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.rules: Ruleset = ruleset(KEY, random_options(self.rng, KEY))
        wall = list(self.rules.kinds * COPIES)
        self.rng.shuffle(wall)
        started = self._started(tuple(wall))
        self.hand = begin(started)
        self.events = [started]
        self.viewers = {viewer: begin(masked(started, viewer)) for viewer in (NOBODY, *self.seats)}
        self._fold(play.deal(started, self.rules, NOW))

    @property
    def seats(self) -> range:
        return range(self.rules.players)

    def _started(self, wall: tuple[Tile, ...]) -> Event:
        count = self.rules.players
        zeros, nobody, dealer = (0,) * count, ("?",) * count, self.rng.randrange(count)
        written = self.rules.written_options
        fact = e.HandStarted(
            NOW.at, 1, KEY, written, nobody, dealer, 1, 1, 0, "key", zeros, (), len(wall)
        )
        return Event(fact, slots(count, {count: e.WallBuilt(wall_text(wall), SECRET)}))

    def _fold(self, happened: tuple[Event, ...]) -> None:
        self.events += happened
        for event in happened:
            self.hand = evolve(self.hand, event)
            for viewer, state in self.viewers.items():
                self.viewers[viewer] = evolve(state, masked(event, viewer))

    def legal(self) -> tuple[Choice, ...]:
        """Every choice that is open to anybody."""
        return tuple(
            one for seat in self.seats for one in turns.legal_actions(self.hand, seat, self.rules)
        )

    def moments(self) -> Iterator[Hand]:
        """Plays to the end; the hand at each moment at which somebody must choose, and after."""
        while self.hand.end is None:
            yield self.hand
            self._fold(play.play(self.hand, choose(self.rng, self.legal()), self.rules, NOW))
        yield self.hand


def masked(event: Event, viewer: int) -> Event:
    """An event as a seat sees it while the hand runs; nobody sees the table's slot."""
    shown = (part if seat == viewer else None for seat, part in enumerate(event.slots))
    return Event(event.fact, tuple(shown))


def projected(hand: Hand, viewer: int) -> Hand:
    """The state of a hand with everything hidden that a viewer may not know."""
    own = [seat == viewer for seat in range(hand.players)]
    pairs = list(zip(own, hand.seats, strict=True))
    return replace(
        hand,
        wall=(UNKNOWN,) * len(hand.wall),
        secret=hand.secret if hand.end else "",
        seats=tuple(player if seen else _hidden(player) for seen, player in pairs),
        turn=_hidden_turn(hand.turn, viewer),
        window=_hidden_window(hand.window, own),
    )


def _hidden(player: Player) -> Player:
    unknown = (UNKNOWN,) * len(player.hand)
    return replace(player, hand=unknown, dealt=(UNKNOWN,) * len(player.dealt), locks=())


def _hidden_turn(turn: Turn | None, viewer: int) -> Turn | None:
    if turn is None or turn.seat == viewer or turn.tile is None:
        return turn
    return replace(turn, tile=UNKNOWN)


def _hidden_window(window: Window | None, own: list[bool]) -> Window | None:
    if window is None:
        return None
    may = zip(own, window.may, strict=True)
    answers = zip(own, window.answers, strict=True)
    return replace(
        window,
        may=tuple(one if seen else () for seen, one in may),
        answers=tuple(one if seen else None for seen, one in answers),
    )


def on_the_table(hand: Hand, birds: tuple[Tile, ...]) -> Counter[Tile]:
    """Every tile that somebody can touch."""
    tiles = Counter(birds)
    for player in hand.seats:
        tiles.update(player.hand + player.river)
        for meld in player.melds:
            tiles[meld.tile] += 3 + (meld.how != "pung")
    tiles.update(win.tile for win in hand.wins[:1])
    return tiles


def everything(seats: range) -> Iterator[Choice]:
    """Every choice anybody could ever send, tile by tile."""
    for seat in seats:
        for action in ACTIONS:
            for touzi in (False, True):
                yield Choice(seat, action, touzi=touzi)
                for tile in range(KINDS):
                    yield Choice(seat, action, tile_text(tile), touzi)


@pytest.mark.parametrize("seed", HANDS)
def test_tiles_are_neither_lost_nor_made(seed: int) -> None:
    played = Played(seed)
    for hand in played.moments():
        turned = [event.fact for event in played.events if isinstance(event.fact, e.BirdsTurned)]
        birds = hand.birds or () if turned and turned[0].taken else ()
        assert on_the_table(hand, birds) == Counter(hand.wall[: hand.taken])


@pytest.mark.parametrize("seed", HANDS)
def test_until_the_end_somebody_can_choose_and_afterwards_nobody(seed: int) -> None:
    played = Played(seed)
    for hand in played.moments():
        assert bool(played.legal()) == (hand.end is None)


@pytest.mark.parametrize("seed", range(6))
def test_what_is_legal_is_exactly_what_is_not_refused(seed: int) -> None:
    played = Played(seed)
    for step, hand in enumerate(played.moments()):
        if step % 4 == 0:
            tile = tile_text(hand.window.tile) if hand.window else None
            legal = set(played.legal())
            if tile:
                named = (one for one in legal if one.action != "pass")
                legal |= {replace(one, tile=tile) for one in named}
            every = everything(played.seats)
            assert {one for one in every if turns.bar(hand, one, played.rules) is None} == legal


@pytest.mark.parametrize("seed", HANDS)
def test_what_a_viewer_folds_is_the_hand_without_what_he_may_not_see(seed: int) -> None:
    played = Played(seed)
    for hand in played.moments():
        for viewer, state in played.viewers.items():
            assert state == projected(hand, viewer)


@pytest.mark.parametrize("seed", HANDS)
def test_stored_events_fold_to_the_same_hand(seed: int) -> None:
    played = Played(seed)
    list(played.moments())
    secret = bytes.fromhex(SECRET)
    sealed = [codec.seal(one, version, secret) for version, one in enumerate(played.events, 1)]
    read = [codec.unseal(one.type, one.public, one.slots) for one in sealed]
    again = [codec.seal(one, version, secret) for version, one in enumerate(read, 1)]
    assert again == sealed
    hand = begin(read[0])
    for event in read[1:]:
        hand = evolve(hand, event)
    assert hand == played.hand


@pytest.mark.parametrize("seed", HANDS)
def test_every_hand_leaves_an_outcome_that_settles_to_zero(seed: int) -> None:
    played = Played(seed)
    list(played.moments())
    settlement = settle(outcome(played.hand))
    assert sum(settlement.totals) == 0
    assert len(settlement.wins) == len(played.hand.wins)
    for payment in settlement.payments:
        assert payment.points == explained(payment) > 0
        assert payment.payer != payment.payee
    order = [(one.rule, one.payee, one.payer) for one in settlement.payments]
    assert order == sorted(order)


@pytest.mark.parametrize("seed", HANDS)
def test_a_hand_may_be_dissolved_at_any_moment(seed: int) -> None:
    played = Played(seed)
    for hand in played.moments():
        if hand.end is None:
            ended = hand
            for event in play.dissolve(hand, played.rules, NOW):
                ended = evolve(ended, event)
            assert sum(settle(outcome(ended)).totals) == 0


@pytest.mark.parametrize("seed", HANDS)
def test_a_hand_may_be_voided_at_any_moment(seed: int) -> None:
    """Every tile stays where it is, and nobody can choose any more."""
    played = Played(seed)
    for hand in played.moments():
        if hand.end is None:
            voided = evolve(hand, Event(e.HandVoided(NOW.at, SECRET, "n0te", 2)))
            assert (voided.seats, voided.taken, voided.end) == (hand.seats, hand.taken, "void")
            assert not any(turns.legal_actions(voided, seat, played.rules) for seat in played.seats)


def explained(payment: Payment) -> int:
    """The points that the parts of a payment come to."""
    points = sum(part.points or 0 for part in payment.parts)
    return points * math.prod(part.factor or 1 for part in payment.parts)


def test_the_hands_played_here_hold_what_happens_in_ordinary_play() -> None:
    """Robbing is too rare for so few hands: test_huaihua_kongs has it."""
    happened: Counter[str] = Counter()
    for seed in HANDS:
        played = Played(seed)
        list(played.moments())
        happened.update(type(event.fact).__name__ for event in played.events)
        happened.update(win.how for win in played.hand.wins)
        happened.update(str(player.declared) for player in played.hand.seats)
    assert set(happened) >= ORDINARY


ORDINARY = {
    *("HandStarted", "Dealt", "Drawn", "Discarded", "Offered", "Answered", "Punged", "Konged"),
    *("Won", "BirdsTurned", "HandEnded", "self_draw", "discard", "frozen"),
}


@pytest.mark.deep
@pytest.mark.parametrize("seed", MANY)
def test_all_this_holds_in_many_more_hands(seed: int) -> None:
    test_tiles_are_neither_lost_nor_made(seed)
    test_what_is_legal_is_exactly_what_is_not_refused(seed)
    test_what_a_viewer_folds_is_the_hand_without_what_he_may_not_see(seed)
    test_stored_events_fold_to_the_same_hand(seed)
    test_every_hand_leaves_an_outcome_that_settles_to_zero(seed)
    test_a_hand_may_be_dissolved_at_any_moment(seed)
    test_a_hand_may_be_voided_at_any_moment(seed)
