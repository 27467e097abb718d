"""What holds at every step of every hand, whatever is played under whatever options."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import TypeVar

import pytest
from msgspec import Struct
from msgspec.structs import replace

from ledger import codec
from ledger import events as e
from ledger.events import Event, slots
from ledger.evolve import begin, evolve
from ledger.hand import Discard, Hand, Player, Turn, Window
from ledger.outcome import Payment, Suit
from ledger.record import Choice, Does
from ledger.rules import play, turns
from ledger.rules.catalog import CATALOG, ruleset, settle_hand
from ledger.rules.ruleset import Ruleset
from ledger.simulate import choose, random_options
from ledger.tiles import COPIES, KINDS, UNKNOWN, Tile, tile_text, wall_text
from tests.rules.table import NOW, SECRET

T = TypeVar("T")

SEEDS = (*range(27), 41, 55, 60)
"""In the last three a tile is laid face down in 耗子 that somebody may claim."""
MANY = range(1000, 3000)
NOBODY = -1
SUITS: tuple[Suit, ...] = ("m", "p", "s")
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

every_hand = pytest.mark.parametrize("seed", SEEDS)
some_hands = pytest.mark.parametrize("seed", range(6))
pytestmark = pytest.mark.parametrize("key", CATALOG)


class Moment(Struct, frozen=True):
    """A hand when somebody must choose, or when it has ended: what is legal, what each sees.

    `face_down` are the tiles that lie face down: seat by seat their place in the river.
    """

    hand: Hand
    legal: tuple[Choice, ...]
    viewers: dict[int, Hand]
    face_down: dict[int, int]


class Played:
    """A hand played to its end, folded as it went by everybody who watches it."""

    def __init__(self, key: str, seed: int) -> None:
        self.rng = random.Random(seed)
        self.rules: Ruleset = ruleset(key, random_options(self.rng, key))
        self.started = self._started()
        self.hand = begin(self.started)
        self.events = [self.started]
        self.viewers = {
            viewer: begin(masked(self.started, viewer)) for viewer in (NOBODY, *self.seats)
        }
        self.face_down: dict[int, int] = {}
        weekday = NOW.weekday if self.rules.weekday == "opening" else None
        self._fold(play.deal(self.started, self.rules, NOW, weekday))
        self.moments = [self._moment()]
        while self.hand.end is None:
            chosen = choose(self.rng, self.moments[-1].legal)
            self._fold(play.play(self.hand, chosen, self.rules, NOW))
            self.moments.append(self._moment())

    @property
    def seats(self) -> range:
        return range(self.rules.players)

    def _started(self) -> Event:
        count, rng = self.rules.players, self.rng
        wall = list(self.rules.kinds * COPIES)
        rng.shuffle(wall)
        zeros, nobody, dealer = (0,) * count, ("?",) * count, rng.randrange(count)
        wilds = map(tile_text, rng.sample(self.rules.wild_kinds, self.rules.wild_count))
        fact = e.HandStarted(
            at=NOW.at,
            number=1,
            ruleset=self.rules.key,
            options=self.rules.written_options,
            seats=nobody,
            dealer=dealer,
            streak=1,
            hands=1,
            low_score=0,
            recorder="key",
            totals=zeros,
            wilds=tuple(wilds),
            tiles=len(wall),
        )
        return Event(fact, slots(count, {count: e.WallBuilt(wall_text(wall), SECRET)}))

    def _fold(self, happened: tuple[Event, ...]) -> None:
        self.events += happened
        for event in happened:
            self._lay(event.fact)
            self.hand = evolve(self.hand, event)
            for viewer, state in self.viewers.items():
                self.viewers[viewer] = evolve(state, masked(event, viewer))

    def _lay(self, fact: e.Fact) -> None:
        """Keeps account of what is laid face down, and of what is taken up again."""
        if isinstance(fact, e.Discarded) and fact.tile is None:
            self.face_down[fact.seat] = len(self.hand.seats[fact.seat].river)
        taken = isinstance(fact, e.Punged | e.Konged | e.Won)
        last = self.hand.last
        if taken and last and last.face_down and _takes(fact, last):
            self.face_down.pop(last.seat, None)

    def _moment(self) -> Moment:
        legal = (
            one for seat in self.seats for one in turns.legal_actions(self.hand, seat, self.rules)
        )
        return Moment(self.hand, tuple(legal), dict(self.viewers), dict(self.face_down))


@lru_cache(maxsize=256)
def play_out(key: str, seed: int) -> Played:
    """A hand of a ruleset under options drawn by lot; the same seed plays the same."""
    return Played(key, seed)


def _takes(fact: e.Fact, last: Discard) -> bool:
    """Whether a claim takes the discard that lies open."""
    how = getattr(fact, "how", "pung")
    return getattr(fact, "from_seat", None) == last.seat and how in ("pung", "exposed", "discard")


def masked(event: Event, viewer: int) -> Event:
    """An event as a seat sees it while the hand runs; nobody sees the table's slot."""
    shown = (part if seat == viewer else None for seat, part in enumerate(event.slots))
    return Event(event.fact, tuple(shown))


def projected(moment: Moment, viewer: int) -> Hand:
    """The state of a hand with everything hidden that a viewer may not know."""
    hand = moment.hand
    seats = (
        player if seat == viewer else _hidden(player, moment.face_down.get(seat))
        for seat, player in enumerate(hand.seats)
    )
    return replace(
        hand,
        wall=(UNKNOWN,) * len(hand.wall),
        secret=hand.secret if hand.end else "",
        seats=tuple(seats),
        turn=_hidden_turn(hand.turn, viewer),
        window=_hidden_window(hand, viewer),
        last=_hidden_discard(hand.last, viewer),
    )


def _hidden(player: Player, face_down: int | None) -> Player:
    unknown = (UNKNOWN,) * len(player.hand)
    return replace(
        player,
        hand=unknown,
        dealt=(UNKNOWN,) * len(player.dealt),
        drawn=(UNKNOWN,) * len(player.drawn),
        river=tuple(
            UNKNOWN if place == face_down else tile for place, tile in enumerate(player.river)
        ),
        locks=(),
    )


def _hidden_turn(turn: Turn | None, viewer: int) -> Turn | None:
    if turn is None or turn.seat == viewer or turn.tile is None:
        return turn
    return replace(turn, tile=UNKNOWN)


def _hidden_discard(last: Discard | None, viewer: int) -> Discard | None:
    if last is None or not last.face_down or last.seat == viewer:
        return last
    return replace(last, tile=UNKNOWN)


def _hidden_window(hand: Hand, viewer: int) -> Window | None:
    """What others may and have answered is hidden; a tile laid face down from who is not asked."""
    window = hand.window
    if window is None:
        return None
    own = [seat == viewer for seat in range(hand.players)]
    may = tuple(one if seen else () for seen, one in zip(own, window.may, strict=True))
    face_down = window.tile is not None and window.kong is None
    face_down = face_down and hand.last is not None and hand.last.face_down
    return replace(
        window,
        tile=UNKNOWN if face_down and not any(may) else window.tile,
        may=may,
        answers=_own_part(window.answers, own),
        causes=_own_part(window.causes, own),
    )


def _own_part(parts: tuple[T | None, ...], own: list[bool]) -> tuple[T | None, ...]:
    return tuple(part if seen else None for seen, part in zip(own, parts, strict=True))


def on_the_table(hand: Hand, birds: tuple[Tile, ...]) -> Counter[Tile]:
    """Every tile that somebody can touch."""
    tiles = Counter(birds if hand.flip is None else (*birds, hand.flip))
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
            for touzi, declare in ((False, False), (True, False), (False, True)):
                yield Choice(seat, action, None, touzi, declare)
                for tile in range(KINDS):
                    yield Choice(seat, action, tile_text(tile), touzi, declare)
            yield from (Choice(seat, action, points=points) for points in range(3))
            yield from (Choice(seat, action, suit=suit) for suit in SUITS)


@every_hand
def test_tiles_are_neither_lost_nor_made(key: str, seed: int) -> None:
    played = play_out(key, seed)
    turned = [event.fact for event in played.events if isinstance(event.fact, e.BirdsTurned)]
    for moment in played.moments:
        hand = moment.hand
        birds = hand.birds or () if turned and turned[0].taken else ()
        assert on_the_table(hand, birds) == Counter(hand.wall[: hand.taken])


@every_hand
def test_until_the_end_somebody_can_choose_and_afterwards_nobody(key: str, seed: int) -> None:
    for moment in play_out(key, seed).moments:
        assert bool(moment.legal) == (moment.hand.end is None)


@some_hands
def test_what_is_legal_is_exactly_what_is_not_refused(key: str, seed: int) -> None:
    played = play_out(key, seed)
    for moment in played.moments[::4]:
        hand, legal = moment.hand, set(moment.legal)
        if hand.window is not None and hand.window.tile is not None:
            tile = tile_text(hand.window.tile)
            legal |= {replace(one, tile=tile) for one in legal if one.action != "pass"}
        every = everything(played.seats)
        assert {one for one in every if turns.bar(hand, one, played.rules) is None} == legal


@every_hand
def test_what_a_viewer_folds_is_the_hand_without_what_he_may_not_see(key: str, seed: int) -> None:
    for moment in play_out(key, seed).moments:
        for viewer, state in moment.viewers.items():
            assert state == projected(moment, viewer)


@every_hand
def test_stored_events_fold_to_the_same_hand(key: str, seed: int) -> None:
    played = play_out(key, seed)
    secret = bytes.fromhex(SECRET)
    sealed = [codec.seal(one, version, secret) for version, one in enumerate(played.events, 1)]
    read = [codec.unseal(one.type, one.public, one.slots) for one in sealed]
    again = [codec.seal(one, version, secret) for version, one in enumerate(read, 1)]
    assert again == sealed
    hand = begin(read[0])
    for event in read[1:]:
        hand = evolve(hand, event)
    assert hand == played.hand


@every_hand
def test_every_hand_leaves_an_outcome_that_settles_to_zero(key: str, seed: int) -> None:
    played = play_out(key, seed)
    settlement = settle_hand(played.hand)
    assert sum(settlement.totals) == 0
    assert len(settlement.wins) == len(played.hand.wins)
    for payment in settlement.payments:
        assert payment.points == explained(payment) > 0
        assert payment.payer != payment.payee
    order = [(one.rule, one.payee, one.payer) for one in settlement.payments]
    assert order == sorted(order)


@every_hand
def test_a_hand_may_be_dissolved_at_any_moment(key: str, seed: int) -> None:
    played = play_out(key, seed)
    for moment in played.moments[:-1]:
        ended = moment.hand
        for event in play.dissolve(ended, played.rules, NOW):
            ended = evolve(ended, event)
        assert sum(settle_hand(ended).totals) == 0


@every_hand
def test_a_hand_may_be_voided_at_any_moment(key: str, seed: int) -> None:
    """Every tile stays where it is, and nobody can choose any more."""
    played = play_out(key, seed)
    for moment in played.moments[:-1]:
        hand = moment.hand
        voided = evolve(hand, Event(e.HandVoided(NOW.at, SECRET, "n0te", 2)))
        assert (voided.seats, voided.taken, voided.end) == (hand.seats, hand.taken, "void")
        assert not any(turns.legal_actions(voided, seat, played.rules) for seat in played.seats)


def explained(payment: Payment) -> int:
    """The points that the parts of a payment come to, one after the other."""
    points = 0
    for part in payment.parts:
        points = (points + (part.points or 0)) * (1 if part.factor is None else part.factor)
    return points


def test_the_hands_played_here_hold_what_happens_in_ordinary_play(key: str) -> None:
    """Robbing is too rare for so few hands: each ruleset has a test of its own for it."""
    happened: Counter[str] = Counter()
    for seed in SEEDS:
        played = play_out(key, seed)
        happened.update(type(event.fact).__name__ for event in played.events)
        happened.update(win.how for win in played.hand.wins)
        happened.update(str(player.declared) for player in played.hand.seats)
    assert set(happened) >= ORDINARY | ORDINARY_HERE[key]


ORDINARY = {
    *("HandStarted", "Dealt", "Drawn", "Discarded", "Offered", "Answered", "Punged", "Konged"),
    *("Won", "HandEnded", "self_draw", "discard"),
}
ORDINARY_HERE = {
    "huaihua/1": {"BirdsTurned", "frozen"},
    "haozi/1": {"FaceDownOffered", "ready"},
    "zhuoji/1": {
        "Prompted",
        "BetsShown",
        "VoidSuitsShown",
        "ChickenThrown",
        "ChickenFlipped",
        "soft",
    },
}


@pytest.mark.deep
@pytest.mark.parametrize("seed", MANY)
def test_all_this_holds_in_many_more_hands(key: str, seed: int) -> None:
    test_tiles_are_neither_lost_nor_made(key, seed)
    test_what_is_legal_is_exactly_what_is_not_refused(key, seed)
    test_what_a_viewer_folds_is_the_hand_without_what_he_may_not_see(key, seed)
    test_stored_events_fold_to_the_same_hand(key, seed)
    test_every_hand_leaves_an_outcome_that_settles_to_zero(key, seed)
    test_a_hand_may_be_dissolved_at_any_moment(key, seed)
    test_a_hand_may_be_voided_at_any_moment(key, seed)
