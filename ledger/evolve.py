"""How a hand's events make its state.

`evolve` takes no ruleset: every consequence that lasts stands in an event, so a game played
under rules of long ago replays for ever. It folds masked events too: a tile that the viewer
may not see is UNKNOWN, and nothing else differs, so a viewer's state can hold no more than
the events he was given.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeVar

from msgspec.structs import replace

from ledger import events as e
from ledger.events import Event, Lock, Seat, slot
from ledger.hand import (
    DEAL,
    Chicken,
    Discard,
    Due,
    Entered,
    Hand,
    Kong,
    Meld,
    Player,
    Turn,
    Win,
    Window,
    as_told,
)
from ledger.outcome import read_outcome
from ledger.tiles import UNKNOWN, Tile, parse_seen, parse_tile, parse_tiles, put, take

T = TypeVar("T")


def begin(event: Event) -> Hand:
    """The state of a hand that has just started."""
    fact = event.fact
    assert isinstance(fact, e.HandStarted)
    built = slot(event, len(fact.seats), e.WallBuilt)
    return Hand(
        number=fact.number,
        ruleset=fact.ruleset,
        options=fact.options,
        dealer=fact.dealer,
        streak=fact.streak,
        wilds=tuple(map(parse_tile, fact.wilds)),
        wall=parse_tiles(built.wall) if built else (UNKNOWN,) * fact.tiles,
        secret=built.secret if built else "",
        at=fact.at,
        seats=(Player(),) * len(fact.seats),
        cap=fact.cap,
    )


def evolve(hand: Hand, event: Event) -> Hand:
    """The hand after one more of its events."""
    return _ARMS[type(event.fact)](hand, event, event.fact)


def _prompted(hand: Hand, event: Event, fact: e.Prompted) -> Hand:
    window = replace(_window(hand, event, hand.dealer, None), prompt=fact.prompt)
    return replace(hand, at=fact.at, window=window)


def _prompt_over(hand: Hand, at: int) -> Hand:
    """The hand in which all who were prompted have answered."""
    assert hand.window is not None
    assert hand.window.prompt is not None
    return replace(hand, at=at, window=None, prompts=(*hand.prompts, hand.window.prompt))


def _bets_shown(hand: Hand, event: Event, fact: e.BetsShown) -> Hand:
    seats = (replace(seat, bet=bet) for seat, bet in zip(hand.seats, fact.bets, strict=True))
    return replace(_prompt_over(hand, fact.at), seats=tuple(seats))


def _void_suits_shown(hand: Hand, event: Event, fact: e.VoidSuitsShown) -> Hand:
    pairs = zip(hand.seats, fact.suits, strict=True)
    seats = tuple(replace(seat, void_suit=suit) for seat, suit in pairs)
    return replace(_prompt_over(hand, fact.at), seats=seats)


def _ready_shown(hand: Hand, event: Event, fact: e.ReadyShown) -> Hand:
    for seat in fact.seats:
        hand = _with(hand, seat, declared="hard")
    return _prompt_over(hand, fact.at)


def _weekday_set(hand: Hand, event: Event, fact: e.WeekdaySet) -> Hand:
    return replace(hand, at=fact.at, weekday=fact.weekday)


def _dealt(hand: Hand, event: Event, fact: e.Dealt) -> Hand:
    seats = []
    for seat in range(hand.players):
        own = slot(event, seat, e.DealtTiles)
        count = DEAL + (seat == hand.dealer)
        tiles = parse_seen(own.tiles) if own else (UNKNOWN,) * count
        seats.append(replace(hand.seats[seat], hand=tiles, dealt=tiles))
    return replace(
        hand,
        at=fact.at,
        seats=tuple(seats),
        taken=DEAL * hand.players + 1,
        turn=Turn(hand.dealer, "deal"),
    )


def _drawn(hand: Hand, event: Event, fact: e.Drawn) -> Hand:
    own = slot(event, fact.seat, e.DrawnTile)
    tile = parse_tile(own.tile) if own else UNKNOWN
    player = hand.seats[fact.seat]
    by: Literal["draw", "replacement"] = "replacement" if fact.replacement else "draw"
    return replace(
        _with(
            hand,
            fact.seat,
            hand=put(player.hand, tile),
            locks=_kept(player, "own_draw"),
            drawn=(*player.drawn, tile),
        ),
        at=fact.at,
        taken=hand.taken + 1,
        turn=Turn(fact.seat, by, tile),
        window=None,
        due=None,
        kong=hand.kong if fact.replacement else None,
    )


def _discarded(hand: Hand, event: Event, fact: e.Discarded) -> Hand:
    own = slot(event, fact.seat, e.Passed)
    text = fact.tile or (own.tile if own else "")
    tile = parse_tile(text) if text else UNKNOWN
    player = hand.seats[fact.seat]
    return replace(
        _with(
            hand,
            fact.seat,
            hand=take(player.hand, tile),
            river=(*player.river, tile),
            discards=player.discards + 1,
            declared=fact.declares or player.declared,
            locks=player.locks + (own.locks if own else ()),
            drawn=(),
        ),
        at=fact.at,
        turn=None,
        last=Discard(fact.seat, tile, face_down=fact.tile is None),
        due=Due(hand.after(fact.seat)),
    )


def _offered(hand: Hand, event: Event, fact: e.Offered) -> Hand:
    tile = hand.shown.tile if hand.shown else hand.last.tile if hand.last else UNKNOWN
    return replace(hand, at=fact.at, window=_window(hand, event, fact.seat, tile))


def _face_down_offered(hand: Hand, event: Event, fact: e.FaceDownOffered) -> Hand:
    """Who sees an offer sees the tile, and sees it only here: in the river it lies face down."""
    offers = (slot(event, seat, e.FaceDownOffer) for seat in range(hand.players))
    shown = next((parse_tile(offer.tile) for offer in offers if offer), UNKNOWN)
    return replace(hand, at=fact.at, window=_window(hand, event, fact.seat, shown))


def _window(hand: Hand, event: Event, seat: Seat, tile: Tile | None) -> Window:
    """A window in which nobody has answered; what each seat may lies in its slot."""
    parts = event.slots[: hand.players]
    may = tuple(part.may if isinstance(part, e.Offer | e.FaceDownOffer) else () for part in parts)
    nobody = (None,) * hand.players
    return Window(seat, tile, hand.shown, may, nobody, nobody)


def _chicken_thrown(hand: Hand, event: Event, fact: e.ChickenThrown) -> Hand:
    assert hand.last is not None
    chicken = Chicken(parse_tile(fact.tile), fact.seat)
    last = replace(hand.last, chicken=True)
    return replace(hand, at=fact.at, last=last, chickens=(*hand.chickens, chicken))


def _answered(hand: Hand, event: Event, fact: e.Answered) -> Hand:
    for seat in range(hand.players):
        answer = slot(event, seat, e.Answer)
        if answer is not None and hand.window is not None:
            player = hand.seats[seat]
            answers = _set(hand.window.answers, seat, answer.choice)
            causes = _set(hand.window.causes, seat, answer.cause)
            hand = replace(hand, window=replace(hand.window, answers=answers, causes=causes))
            hand = _with(hand, seat, locks=player.locks + answer.locks)
    return replace(hand, at=fact.at)


def _punged(hand: Hand, event: Event, fact: e.Punged) -> Hand:
    tile = parse_tile(fact.tile)
    player = hand.seats[fact.seat]
    meld = Meld(tile, "pung", fact.from_seat)
    hand = _with(
        _taken(hand, fact.from_seat, fact.seat),
        fact.seat,
        hand=take(player.hand, tile, 2),
        melds=(*player.melds, meld),
        locks=_kept(player, "own_move"),
    )
    turn = Turn(fact.seat, "pung")
    return replace(hand, at=fact.at, turn=turn, window=None, due=None, kong=None)


def _kong_announced(hand: Hand, event: Event, fact: e.KongAnnounced) -> Hand:
    kong = Kong(fact.seat, "added", parse_tile(fact.tile), fact.late, fact.touzi, fact.cause)
    hand = _locked(hand, event, fact.seat)
    return replace(hand, at=fact.at, turn=None, shown=kong, due=None)


def _konged(hand: Hand, event: Event, fact: e.Konged) -> Hand:
    tile = parse_tile(fact.tile)
    hand = _locked(hand, event, fact.seat)
    fed_ready = False
    if fact.how == "exposed" and fact.from_seat is not None:
        hand = _taken(hand, fact.from_seat, fact.seat)
        fed_ready = hand.seats[fact.from_seat].declared == "ready"
    player = hand.seats[fact.seat]
    copies = {"concealed": 4, "exposed": 3, "added": 1}[fact.how]
    meld = Meld(tile, fact.how, fact.from_seat, fact.late, fed_ready)
    hand = _with(
        hand,
        fact.seat,
        hand=take(player.hand, tile, copies),
        melds=_melded(player.melds, meld),
        locks=_kept(player, "own_move"),
        declared="frozen" if fact.touzi else player.declared,
    )
    return replace(
        hand,
        at=fact.at,
        turn=None,
        window=None,
        shown=None,
        due=Due(fact.seat, replacement=True),
        kong=Kong(fact.seat, fact.how, tile, fact.late, fact.touzi),
    )


def _won(hand: Hand, event: Event, fact: e.Won) -> Hand:
    tile = parse_tile(fact.tile)
    player = hand.seats[fact.seat]
    first = not player.melds and not player.discards
    win = Win(fact.seat, tile, fact.how, fact.from_seat, first)
    if not hand.wins:
        hand = _tile_leaves(hand, win)
    elif win.how == "discard":
        hand = _chicken_taken(hand, win.seat)
    kong = hand.kong if hand.shown is None else replace(hand.shown, touzi=False)
    return replace(
        hand,
        at=fact.at,
        turn=None,
        window=None,
        shown=None,
        due=None,
        kong=kong,
        wins=(*hand.wins, win),
    )


def _birds_turned(hand: Hand, event: Event, fact: e.BirdsTurned) -> Hand:
    birds = tuple(map(parse_tile, fact.tiles))
    return replace(hand, at=fact.at, birds=birds, taken=hand.taken + fact.taken)


def _chicken_flipped(hand: Hand, event: Event, fact: e.ChickenFlipped) -> Hand:
    return replace(hand, at=fact.at, flip=parse_tile(fact.tile), taken=hand.taken + 1)


def _hand_entered(hand: Hand, event: Event, fact: e.HandEntered) -> Hand:
    entered = Entered(fact.outcome, fact.totals, fact.next_dealer)
    if fact.outcome is not None:
        hand = as_told(hand, read_outcome(fact.outcome))
    return replace(hand, at=fact.at, entered=entered)


def _hand_ended(hand: Hand, event: Event, fact: e.HandEnded) -> Hand:
    return replace(_over(hand, fact), end=fact.end, weekday=fact.weekday)


def _hand_voided(hand: Hand, event: Event, fact: e.HandVoided) -> Hand:
    return replace(_over(hand, fact), end="void")


_ARMS: dict[type[e.Fact], Callable[[Hand, Event, Any], Hand]] = {
    e.Prompted: _prompted,
    e.BetsShown: _bets_shown,
    e.VoidSuitsShown: _void_suits_shown,
    e.ReadyShown: _ready_shown,
    e.WeekdaySet: _weekday_set,
    e.Dealt: _dealt,
    e.Drawn: _drawn,
    e.Discarded: _discarded,
    e.Offered: _offered,
    e.FaceDownOffered: _face_down_offered,
    e.ChickenThrown: _chicken_thrown,
    e.Answered: _answered,
    e.Punged: _punged,
    e.KongAnnounced: _kong_announced,
    e.Konged: _konged,
    e.Won: _won,
    e.BirdsTurned: _birds_turned,
    e.ChickenFlipped: _chicken_flipped,
    e.HandEntered: _hand_entered,
    e.HandEnded: _hand_ended,
    e.HandVoided: _hand_voided,
}


def _over(hand: Hand, fact: e.HandEnded | e.HandVoided) -> Hand:
    """The hand in which nobody is to choose any more, its secret shown."""
    closed = replace(hand, turn=None, window=None, shown=None, due=None)
    return replace(closed, at=fact.at, secret=fact.secret)


def _with(hand: Hand, seat: Seat, /, **changes: object) -> Hand:
    """The hand with one seat changed."""
    return replace(hand, seats=_set(hand.seats, seat, replace(hand.seats[seat], **changes)))


def _set(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    """A tuple with one item replaced."""
    return (*items[:index], item, *items[index + 1 :])


def _kept(player: Player, done: e.Until) -> tuple[Lock, ...]:
    """The locks left after a draw, a pung or a kong; a draw lifts what any of them lifts."""
    lifted = ("own_draw", "own_move") if done == "own_draw" else ("own_move",)
    return tuple(lock for lock in player.locks if lock.until not in lifted)


def _locked(hand: Hand, event: Event, seat: Seat) -> Hand:
    """The hand with the locks that an event sets on the seat that acts."""
    own = slot(event, seat, e.Passed)
    return _with(hand, seat, locks=hand.seats[seat].locks + own.locks) if own else hand


def _taken(hand: Hand, source: Seat, taker: Seat) -> Hand:
    """The hand with a seat's last discard taken from its river by another."""
    hand = _chicken_taken(hand, taker)
    return _with(hand, source, river=hand.seats[source].river[:-1])


def _chicken_taken(hand: Hand, taker: Seat) -> Hand:
    """The hand in which one more seat has taken the chicken 责任鸡, if that is what lies open."""
    if hand.last is None or not hand.last.chicken:
        return hand
    *before, last = hand.chickens
    taken = replace(last, takers=(*last.takers, taker))
    return replace(hand, chickens=(*before, taken))


def _melded(melds: tuple[Meld, ...], meld: Meld) -> tuple[Meld, ...]:
    """Melds with one more; an added kong keeps the place of its pung."""
    if meld.how != "added":
        return (*melds, meld)
    return tuple(meld if (old.tile, old.how) == (meld.tile, "pung") else old for old in melds)


def _tile_leaves(hand: Hand, win: Win) -> Hand:
    """The hand with the winning tile taken from where it lay, once for all its winners."""
    if win.how == "discard" and win.from_seat is not None:
        return _taken(hand, win.from_seat, win.seat)
    holder = win.seat if win.from_seat is None else win.from_seat
    return _with(hand, holder, hand=take(hand.seats[holder].hand, win.tile))
