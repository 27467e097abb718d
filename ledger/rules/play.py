"""What follows: from a player's choice to the next moment at which somebody must choose.

The ledger itself draws, resolves claim windows, discards for a frozen hand, turns the birds and
ends the hand, all in the same append. Nothing is paid or moved before a window resolves.
Source: docs/rules/common.md.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from ledger import events as e
from ledger.events import Cause, Event, Fact, Private, Seat
from ledger.evolve import begin, evolve
from ledger.hand import DEAL, Hand, Window
from ledger.outcome import HandEnd, WinHow
from ledger.record import Choice
from ledger.refusal import Refused
from ledger.rules import turns
from ledger.rules.ruleset import Ruleset, touzi_of
from ledger.tiles import UNKNOWN, parse_tile, tile_text, tiles_text


class Moment(Struct, frozen=True):
    """When something happens: microseconds of UTC, the club's business days for it, and the day
    of the week there, Monday 1 to Sunday 7.
    """

    at: int
    booked_date: str
    effective_date: str
    weekday: int


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


def deal(
    started: Event, rules: Ruleset, now: Moment, weekday: int | None = None
) -> tuple[Event, ...]:
    """What follows the start of a hand: prompts and deal, until somebody must choose.

    `weekday` is the one that counts in this hand, where it is known before its end.
    """
    course = _Course(begin(started), rules, now)
    if weekday is not None:
        course.happen(e.WeekdaySet(now.at, weekday))
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
        raise why.refused(seat=choice.seat, action=choice.action, tile=choice.tile or "")
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
        _act_win(course, choice.seat, cause)
    elif choice.action == "kong":
        _own_kong(course, choice, cause)
    else:
        _discard(course, choice, cause)


def _act_win(course: _Course, seat: Seat, cause: Cause) -> None:
    tile = course.rules.winning_tile(course.hand, seat)
    _win(course, seat, tile_text(tile), "self_draw", None, cause)


def _answer(course: _Course, choice: Choice, cause: Cause) -> None:
    word, window = turns.claim(choice), course.hand.window
    prompted = window is not None and window.prompt is not None
    locks = () if prompted else course.rules.claim_locks(course.hand, choice.seat, word)
    course.happen(e.Answered(course.now.at), {choice.seat: e.Answer(word, cause, locks)})


def _discard(course: _Course, choice: Choice, cause: Cause) -> None:
    """A discard, and the window it opens; a frozen seat's pass discards the tile it drew."""
    hand, seat = course.hand, choice.seat
    assert hand.turn is not None
    drawn = tile_text(hand.turn.tile) if hand.turn.tile is not None else ""
    tile = choice.tile or drawn
    locks = course.rules.move_locks(hand, seat, "discard")
    declares = course.rules.declares if choice.declare else None
    shown, hidden = (None, tile) if declares == "ready" else (tile, "")
    course.happen(
        e.Discarded(course.now.at, seat, shown, declares, cause), {seat: e.Passed(locks, hidden)}
    )
    _throw_chicken(course, seat, tile)
    _open_window(course, seat)


def _throw_chicken(course: _Course, seat: Seat, tile: str) -> None:
    """Tells that a discard is the first of a default chicken, if it is."""
    kind = parse_tile(tile)
    thrown = {chicken.tile for chicken in course.hand.chickens}
    if kind in course.rules.chickens and kind not in thrown:
        course.happen(e.ChickenThrown(course.now.at, seat, tile))


def _own_kong(course: _Course, choice: Choice, cause: Cause) -> None:
    """A concealed or added kong; an added one is first shown where somebody may rob it."""
    hand, seat, at = course.hand, choice.seat, course.now.at
    text = choice.tile or ""
    touzi = touzi_of(hand, choice)
    late = course.rules.is_late(hand, seat, parse_tile(text))
    passed = e.Passed(course.rules.move_locks(hand, seat, "kong"))
    parts: dict[int, Private] = {seat: passed}
    if turns.kong_how(hand, seat, parse_tile(text)) == "concealed":
        course.happen(e.Konged(at, seat, "concealed", text, None, late, touzi, cause), parts)
        return
    shown = e.KongAnnounced(at, seat, text, late, touzi, cause)
    seen = evolve(hand, Event(shown, e.slots(hand.players, parts)))
    if any(turns.offers(seen, course.rules)):
        course.happen(shown, parts)
        _open_window(course, seat)
    else:
        _add_kong(course, shown, passed)


def _add_kong(course: _Course, shown: e.KongAnnounced, passed: e.Passed) -> None:
    tile, seat = parse_tile(shown.tile), shown.seat
    fed = next(meld.from_seat for meld in course.hand.seats[seat].melds if meld.tile == tile)
    course.happen(
        e.Konged(
            course.now.at, seat, "added", shown.tile, fed, shown.late, shown.touzi, shown.cause
        ),
        {seat: passed},
    )


def _open_window(course: _Course, seat: Seat) -> None:
    """Asks every seat that has a claim on what just happened, unless one of them must win."""
    hand, at = course.hand, course.now.at
    may = turns.offers(hand, course.rules)
    winner = next((who for who in _order(hand, seat) if _must_take(course, who, may[who])), None)
    if winner is not None:
        _take_wins(course, [winner], seat, dict.fromkeys((winner,), "auto"))
    elif any(may) and hand.shown is None and hand.last is not None and hand.last.face_down:
        tile = tile_text(hand.last.tile)
        seen: dict[int, Private] = {
            who: e.FaceDownOffer(words, tile) for who, words in enumerate(may) if words
        }
        course.happen(e.FaceDownOffered(at, seat), seen)
    elif any(may):
        offers: dict[int, Private] = {who: e.Offer(words) for who, words in enumerate(may) if words}
        course.happen(e.Offered(at, seat), offers)


def _must_take(course: _Course, seat: Seat, may: tuple[str, ...]) -> bool:
    """Whether a seat must win what is offered to it."""
    return "win" in may and course.rules.must_win(course.hand, seat)


def _order(hand: Hand, source: Seat) -> list[Seat]:
    """The other seats in turn order from a discarder, or from who shows a kong."""
    return [hand.after(source, step) for step in range(1, hand.players)]


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
        elif not (_opening(course) or _forced(course)):
            return


def _opening(course: _Course) -> bool:
    """The next step before the first turn: a prompt, or the deal."""
    asks = course.rules.prompt and course.rules.prompt(course.hand)
    if asks:
        prompt, may = asks
        offers: dict[int, Private] = {who: e.Offer(words) for who, words in enumerate(may) if words}
        course.happen(e.Prompted(course.now.at, prompt), offers)
    elif course.hand.taken == 0:
        _deal(course)
    else:
        return False
    return True


def _deal(course: _Course) -> None:
    """Fourteen tiles to the dealer, thirteen to each seat after him."""
    hand = course.hand
    parts: dict[int, Private] = {}
    taken = 0
    for step in range(hand.players):
        count = DEAL + (step == 0)
        own = sorted(hand.wall[taken : taken + count])
        parts[hand.after(hand.dealer, step)] = e.DealtTiles(tiles_text(own))
        taken += count
    course.happen(e.Dealt(course.now.at), parts)


def _end_prompt(course: _Course, window: Window) -> None:
    """What all have answered to a prompt, shown together; a win as dealt 天胡 ends the hand."""
    at, answers = course.now.at, [word or "" for word in window.answers]
    if window.prompt == "bet":
        course.happen(e.BetsShown(at, tuple(turns.answer(0, word).points or 0 for word in answers)))
    elif window.prompt == "void_suit":
        suits = (turns.answer(0, word).suit for word in answers)
        course.happen(e.VoidSuitsShown(at, tuple(suit for suit in suits if suit is not None)))
    elif "win" in answers:
        _act_win(course, answers.index("win"), window.causes[answers.index("win")] or "player")
    else:
        ready = (seat for seat, word in enumerate(answers) if word == "declare")
        course.happen(e.ReadyShown(at, tuple(ready)))


def _resolve(course: _Course) -> None:
    """How a window ends: the winners, else the kong or pung, else it is as if nobody asked."""
    window = course.hand.window
    assert window is not None
    if window.prompt is not None:
        _end_prompt(course, window)
        return
    order = _order(course.hand, window.seat)
    winners = [seat for seat in order if window.answers[seat] == "win"]
    if winners:
        several = winners[:1] if course.rules.one_winner else winners
        _take_wins(course, several, window.seat, dict(enumerate(window.causes)))
        return
    taker = next((seat for seat in order if window.answers[seat] not in (None, "pass")), None)
    if taker is not None:
        _take(course, taker)
    elif window.kong is not None:
        kong, at = window.kong, course.now.at
        text = tile_text(kong.tile)
        shown = e.KongAnnounced(at, kong.seat, text, kong.late, kong.touzi, kong.cause)
        _add_kong(course, shown, e.Passed())
    else:
        _draw(course)


def _take_wins(
    course: _Course, winners: list[Seat], source: Seat, causes: Mapping[Seat, Cause | None]
) -> None:
    """The wins on what lies open, in turn order: a discard, or a kong that is robbed."""
    hand = course.hand
    assert hand.last is not None or hand.shown is not None
    how: WinHow = "rob_kong" if hand.shown else "discard"
    tile = hand.shown.tile if hand.shown else hand.last.tile if hand.last else UNKNOWN
    for seat in winners:
        _win(course, seat, tile_text(tile), how, source, causes[seat] or "player")


def _take(course: _Course, seat: Seat) -> None:
    """The pung or the exposed kong of a seat that answered so."""
    hand, window = course.hand, course.hand.window
    assert window is not None
    assert window.tile is not None
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
    if course.rules.is_exhausted(hand):
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
    """The end, stamped with the weekday where the rules ask for one."""
    now, hand = course.now, course.hand
    weekday = hand.weekday
    if weekday is None and course.rules.weekday == "end":
        weekday = now.weekday
    course.happen(
        e.HandEnded(now.at, end, hand.secret, weekday, now.booked_date, now.effective_date)
    )
