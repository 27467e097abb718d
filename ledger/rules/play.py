"""What follows: from a player's choice to the next moment at which somebody must choose.

The ledger itself draws, resolves claim windows, discards for a frozen hand, turns the birds and
ends the hand, all in the same append. Nothing is paid or moved before a window resolves.
Source: docs/rules/common.md.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from ledger import events as e
from ledger.events import Cause, Event, Fact, Private, Seat
from ledger.evolve import begin, evolve
from ledger.hand import DEAL, Hand
from ledger.outcome import HandEnd, WinHow
from ledger.record import Choice
from ledger.refusal import Refused
from ledger.rules import turns
from ledger.rules.ruleset import Ruleset, touzi_of
from ledger.tiles import parse_tile, tile_text, tiles_text


class Moment(Struct, frozen=True):
    """When something happens: microseconds of UTC, and the club's business days for it."""

    at: int
    booked_date: str
    effective_date: str


class _Course:
    """A hand on its way through one append: the events so far and the state they made."""

    def __init__(self, hand: Hand, rules: Ruleset, now: Moment) -> None:
        self.hand = hand
        self.rules = rules
        self.now = now
        self.events: list[Event] = []

    def happen(self, fact: Fact, parts: dict[int, Private] | None = None) -> None:
        """One more event; `parts` is given for a type that has slots."""
        event = Event(fact, () if parts is None else e.slots(self.hand.players, parts))
        self.events.append(event)
        self.hand = evolve(self.hand, event)


def deal(started: Event, rules: Ruleset, now: Moment) -> tuple[Event, ...]:
    """The deal of a hand that has started, and what follows it."""
    course = _Course(begin(started), rules, now)
    hand = course.hand
    parts: dict[int, Private] = {}
    taken = 0
    for step in range(hand.players):
        count = DEAL + (step == 0)
        own = sorted(hand.wall[taken : taken + count])
        parts[hand.after(hand.dealer, step)] = e.DealtTiles(tiles_text(own))
        taken += count
    course.happen(e.Dealt(now.at), parts)
    _follow(course)
    return tuple(course.events)


def play(
    hand: Hand, choice: Choice, rules: Ruleset, now: Moment, cause: Cause = "player"
) -> tuple[Event, ...]:
    """The events of a player's choice and of all that follows from it; refuses what is barred."""
    if not 0 <= choice.seat < hand.players:
        raise Refused("seat_unknown", pointer="/seat", seat=choice.seat, players=hand.players)
    why = turns.bar(hand, choice, rules)
    if why is not None:
        raise Refused(
            why.code, rule=why.rule, seat=choice.seat, action=choice.action, tile=choice.tile or ""
        )
    course = _Course(hand, rules, now)
    _act(course, choice, cause)
    _follow(course)
    return tuple(course.events)


def dissolve(hand: Hand, rules: Ruleset, now: Moment) -> tuple[Event, ...]:
    """The end of a hand whose match is dissolved in the middle of it."""
    course = _Course(hand, rules, now)
    _end(course, "dissolved")
    return tuple(course.events)


def _act(course: _Course, choice: Choice, cause: Cause) -> None:
    """The choice itself, which is legal or follows from the rules."""
    if course.hand.window is not None:
        _answer(course, choice, cause)
    elif choice.action == "win":
        tile = course.rules.winning_tile(course.hand, choice.seat)
        _win(course, choice.seat, tile_text(tile), "self_draw", None, cause)
    elif choice.action == "kong":
        _own_kong(course, choice, cause)
    else:
        _discard(course, choice, cause)


def _answer(course: _Course, choice: Choice, cause: Cause) -> None:
    word = turns.claim(choice)
    locks = course.rules.claim_locks(course.hand, choice.seat, word)
    course.happen(e.Answered(course.now.at), {choice.seat: e.Answer(word, cause, locks)})


def _discard(course: _Course, choice: Choice, cause: Cause) -> None:
    """A discard, and the window it opens; a frozen seat's pass discards the tile it drew."""
    hand, seat = course.hand, choice.seat
    assert hand.turn is not None
    drawn = tile_text(hand.turn.tile) if hand.turn.tile is not None else ""
    tile = choice.tile or drawn
    locks = course.rules.discard_locks(hand, seat)
    course.happen(e.Discarded(course.now.at, seat, tile, None, cause), {seat: e.Passed(locks)})
    _open_window(course, seat)


def _own_kong(course: _Course, choice: Choice, cause: Cause) -> None:
    """A concealed or added kong; an added one is first shown where somebody may rob it."""
    hand, seat, at = course.hand, choice.seat, course.now.at
    text = choice.tile or ""
    touzi = touzi_of(hand, choice)
    if turns.kong_how(hand, seat, parse_tile(text)) == "concealed":
        course.happen(
            e.Konged(at, seat, "concealed", text, None, False, touzi, cause), {seat: e.Passed()}
        )
        return
    shown = e.KongAnnounced(at, seat, text, False, touzi, cause)
    parts: dict[int, Private] = {seat: e.Passed()}
    seen = evolve(hand, Event(shown, e.slots(hand.players, parts)))
    if any(turns.offers(seen, course.rules)):
        course.happen(shown, parts)
        _open_window(course, seat)
    else:
        _add_kong(course, shown)


def _add_kong(course: _Course, shown: e.KongAnnounced) -> None:
    tile, seat = parse_tile(shown.tile), shown.seat
    fed = next(meld.from_seat for meld in course.hand.seats[seat].melds if meld.tile == tile)
    course.happen(
        e.Konged(
            course.now.at, seat, "added", shown.tile, fed, shown.late, shown.touzi, shown.cause
        ),
        {seat: e.Passed()},
    )


def _open_window(course: _Course, seat: Seat) -> None:
    """Asks every seat that has a claim on what just happened, if any has."""
    may = turns.offers(course.hand, course.rules)
    parts: dict[int, Private] = {who: e.Offer(words) for who, words in enumerate(may) if words}
    if parts:
        course.happen(e.Offered(course.now.at, seat), parts)


def _follow(course: _Course) -> None:
    """All that happens of itself, until somebody must choose or the hand has ended."""
    while course.hand.end is None:
        hand = course.hand
        if hand.wins:
            _end_won(course)
        elif hand.window is not None:
            if turns.asked(hand, course.rules):
                return
            _resolve(course)
        elif hand.due is not None:
            _draw(course)
        elif not _forced(course):
            return


def _resolve(course: _Course) -> None:
    """How a window ends: the winners, else the kong or pung, else it is as if nobody asked."""
    window = course.hand.window
    assert window is not None
    order = [course.hand.after(window.seat, step) for step in range(1, course.hand.players)]
    winners = [seat for seat in order if window.answers[seat] == "win"]
    if winners:
        how: Literal["discard", "rob_kong"] = "rob_kong" if window.kong else "discard"
        for seat in winners[:1] if course.rules.one_winner else winners:
            cause = window.causes[seat] or "player"
            _win(course, seat, tile_text(window.tile), how, window.seat, cause)
        return
    taker = next((seat for seat in order if window.answers[seat] not in (None, "pass")), None)
    if taker is not None:
        _take(course, taker)
    elif window.kong is not None:
        kong = window.kong
        text = tile_text(kong.tile)
        _add_kong(
            course,
            e.KongAnnounced(course.now.at, kong.seat, text, kong.late, kong.touzi, kong.cause),
        )
    else:
        _draw(course)


def _take(course: _Course, seat: Seat) -> None:
    """The pung or the exposed kong of a seat that answered so."""
    hand, window = course.hand, course.hand.window
    assert window is not None
    word, text = window.answers[seat], tile_text(window.tile)
    if word == "pung":
        course.happen(e.Punged(course.now.at, seat, text, window.seat))
        return
    touzi = touzi_of(hand, turns.answer(seat, word or ""))
    cause = window.causes[seat] or "player"
    course.happen(
        e.Konged(course.now.at, seat, "exposed", text, window.seat, False, touzi, cause),
        {seat: e.Passed()},
    )


def _draw(course: _Course) -> None:
    """The next tile to the seat that must draw, or the end when the wall is empty 荒庄."""
    hand = course.hand
    assert hand.due is not None
    if hand.left == 0:
        _end(course, "exhausted")
        return
    seat, tile = hand.due.seat, tile_text(hand.wall[hand.taken])
    course.happen(e.Drawn(course.now.at, seat, hand.due.replacement), {seat: e.DrawnTile(tile)})


def _forced(course: _Course) -> bool:
    """The win that must be taken, or the discard of a frozen hand that has no choice."""
    turn = course.hand.turn
    assert turn is not None
    if course.rules.must_win(course.hand, turn.seat):
        _act(course, Choice(turn.seat, "win"), "auto")
        return True
    frozen = course.hand.seats[turn.seat].declared is not None
    if not frozen or turns.needs_answer(course.hand, turn.seat, course.rules):
        return False
    _discard(course, Choice(turn.seat, "pass"), "auto")
    return True


def _win(
    course: _Course, seat: Seat, tile: str, how: WinHow, source: Seat | None, cause: Cause
) -> None:
    course.happen(e.Won(course.now.at, seat, tile, how, source, cause))


def _end_won(course: _Course) -> None:
    """The tiles turned after a win, and the end."""
    turned = course.rules.turned(course.hand, course.now.at)
    if turned is not None:
        course.happen(turned)
    _end(course, "win")


def _end(course: _Course, end: HandEnd) -> None:
    now = course.now
    course.happen(
        e.HandEnded(now.at, end, course.hand.secret, None, now.booked_date, now.effective_date)
    )
