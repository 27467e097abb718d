"""A wish to dissolve a match 申请解散: who had it, and what the others said to it."""

from __future__ import annotations

from msgspec import Struct

from ledger import events as e
from ledger.events import Event, Seat
from ledger.refusal import Refused
from ledger.rules.play import Moment
from ledger.rules.ruleset import Ruleset
from ledger.streams.match import Table, match_totals

ANSWERS = ("agreed", "refused", "silent")
LONGEST_VOTE = 86_400


class Wish(Struct, frozen=True):
    """A seat's wish to dissolve, and the votes of the others; how many it takes is the club's."""

    seat: Seat
    votes: tuple[e.Vote, ...] = ()


class KeepPlaying(Struct, frozen=True):
    """Tells a wish to dissolve that came to nothing."""

    wish: Wish
    at: int | None = None


def voted(
    table: Table, wish: Wish, rules: Ruleset, moment: Moment, *, passed: bool
) -> tuple[Event, ...]:
    """The vote as it was taken; refuses one of seats that are not there, or that vote twice.

    The scores are the match's where each sits now: a hand that runs has none yet.
    """
    players = len(table.seats)
    _check_seat(wish.seat, players, "/wish/seat")
    seen = {wish.seat}
    for place, vote in enumerate(wish.votes):
        pointer = f"/wish/votes/{place}"
        _check_seat(vote.seat, players, f"{pointer}/seat")
        if vote.seat in seen:
            raise Refused("voted_twice", pointer=f"{pointer}/seat", seat=vote.seat)
        seen.add(vote.seat)
        _check_vote(vote, pointer)
    _check_outcome(wish, players, passed=passed)
    scores = match_totals(table, rules)
    fact = e.DissolutionVoted(moment.at, wish.seat, wish.votes, passed, scores)
    return (Event(fact),)


def _check_seat(seat: Seat, players: int, pointer: str) -> None:
    if not 0 <= seat < players:
        raise Refused("seat_unknown", pointer=pointer, seat=seat, players=players)


def _check_outcome(wish: Wish, players: int, *, passed: bool) -> None:
    """Refuses a wish that nobody else agreed to and that passed, and one of all that did not."""
    agreed = sum(vote.answer == "agreed" for vote in wish.votes)
    if agreed == (0 if passed else players - 1):
        pointer = "/wish/votes"
        raise Refused("vote_contradicts", pointer=pointer, agreed=agreed, others=players - 1)


def _check_vote(vote: e.Vote, pointer: str) -> None:
    if not 0 <= vote.seconds <= LONGEST_VOTE:
        raise Refused(
            "number_range",
            pointer=f"{pointer}/seconds",
            value=vote.seconds,
            low=0,
            high=LONGEST_VOTE,
        )
