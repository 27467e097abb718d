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
from ledger.hand import DEAL, Due, Hand, Kong, Meld, Player, Turn, Win, Window
from ledger.tiles import UNKNOWN, parse_seen, parse_tile, parse_tiles, put, take

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
    )


def evolve(hand: Hand, event: Event) -> Hand:
    """The hand after one more of its events."""
    return _ARMS[type(event.fact)](hand, event, event.fact)


def _dealt(hand: Hand, event: Event, fact: e.Dealt) -> Hand:
    seats = []
    for seat in range(hand.players):
        own = slot(event, seat, e.DealtTiles)
        count = DEAL + (seat == hand.dealer)
        tiles = parse_seen(own.tiles) if own else (UNKNOWN,) * count
        seats.append(Player(hand=tiles, dealt=tiles))
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
        _with(hand, fact.seat, hand=put(player.hand, tile), locks=_kept(player, "own_draw")),
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
        ),
        at=fact.at,
        turn=None,
        last=(fact.seat, tile),
        due=Due(hand.after(fact.seat)),
    )


def _offered(hand: Hand, event: Event, fact: e.Offered) -> Hand:
    shown = hand.shown
    tile = shown.tile if shown else hand.last[1] if hand.last else UNKNOWN
    offers = [slot(event, seat, e.Offer) for seat in range(hand.players)]
    may = tuple(offer.may if offer else () for offer in offers)
    window = Window(fact.seat, tile, shown, may, (None,) * hand.players, (None,) * hand.players)
    return replace(hand, at=fact.at, window=window)


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
        _from_river(hand, fact.from_seat),
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
    if fact.how == "exposed" and fact.from_seat is not None:
        hand = _from_river(hand, fact.from_seat)
    player = hand.seats[fact.seat]
    copies = {"concealed": 4, "exposed": 3, "added": 1}[fact.how]
    meld = Meld(tile, fact.how, fact.from_seat, fact.late)
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


def _hand_ended(hand: Hand, event: Event, fact: e.HandEnded) -> Hand:
    return replace(_over(hand, fact), end=fact.end, weekday=fact.weekday)


def _hand_voided(hand: Hand, event: Event, fact: e.HandVoided) -> Hand:
    return replace(_over(hand, fact), end="void")


_ARMS: dict[type[e.Fact], Callable[[Hand, Event, Any], Hand]] = {
    e.Dealt: _dealt,
    e.Drawn: _drawn,
    e.Discarded: _discarded,
    e.Offered: _offered,
    e.Answered: _answered,
    e.Punged: _punged,
    e.KongAnnounced: _kong_announced,
    e.Konged: _konged,
    e.Won: _won,
    e.BirdsTurned: _birds_turned,
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


def _from_river(hand: Hand, seat: Seat) -> Hand:
    """The hand with a seat's last discard taken from its river."""
    return _with(hand, seat, river=hand.seats[seat].river[:-1])


def _melded(melds: tuple[Meld, ...], meld: Meld) -> tuple[Meld, ...]:
    """Melds with one more; an added kong keeps the place of its pung."""
    if meld.how != "added":
        return (*melds, meld)
    return tuple(meld if (old.tile, old.how) == (meld.tile, "pung") else old for old in melds)


def _tile_leaves(hand: Hand, win: Win) -> Hand:
    """The hand with the winning tile taken from where it lay, once for all its winners."""
    if win.how == "discard" and win.from_seat is not None:
        return _from_river(hand, win.from_seat)
    holder = win.seat if win.from_seat is None else win.from_seat
    return _with(hand, holder, hand=take(hand.seats[holder].hand, win.tile))
