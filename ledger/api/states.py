"""A match and a hand as they are shown: the forms of what ledger/view.py tells."""

from __future__ import annotations

from typing import Any

from marshmallow import fields

from ledger.api import shown
from ledger.api.answers import Shown
from ledger.api.fields import OPTIONS_FORM

CLAIMS = ("win", "pung", "kong", "touzi")
ANSWERS = (
    *CLAIMS,
    "declare",
    *(f"bet_{points}" for points in range(3)),
    *(f"void_{suit}" for suit in "mps"),
)
"""What a window may be answered with, besides a pass."""


class ChoiceSchema(Shown):
    """What a seat may choose; what has its ordinary value is left out."""

    seat = shown.seat()
    action = shown.one_of("bet", "void_suit", "declare", "discard", "kong", "pung", "win", "pass")
    tile = shown.tile(metadata={"optional": True})
    touzi = fields.Boolean(metadata={"optional": True})
    declare = fields.Boolean(metadata={"optional": True})
    points = shown.within(0, 2, metadata={"optional": True})
    suit = shown.one_of("m", "p", "s", metadata={"optional": True})


class TurnSchema(Shown):
    """Whose turn it is, how it came, and the tile that came with it."""

    seat = shown.seat()
    by = shown.one_of("deal", "draw", "replacement", "pung")
    tile = shown.tile(allow_none=True)


class KongSchema(Shown):
    """A kong that is shown and may yet be robbed."""

    seat = shown.seat()
    how = shown.one_of("concealed", "exposed", "added")
    tile = shown.tile()
    late = fields.Boolean()
    touzi = fields.Boolean()


class WindowSchema(Shown):
    """An open claim window on a tile of `seat`, or a prompt before the first turn, without one.

    Offers and answers are told by seat, as far as the viewer sees the seat.
    """

    prompt = shown.one_of("bet", "void_suit", "as_dealt", allow_none=True)
    seat = shown.seat()
    tile = shown.tile(allow_none=True)
    robs = fields.Nested(KongSchema, allow_none=True)
    may = shown.by_seat(fields.List(shown.one_of(*ANSWERS)))
    answers = shown.by_seat(shown.one_of(*ANSWERS, "pass", allow_none=True))


class DueSchema(Shown):
    """The draw that follows when nobody claims."""

    seat = shown.seat()
    replacement = fields.Boolean()


class DiscardSchema(Shown):
    """A tile and who discarded it."""

    seat = shown.seat()
    tile = shown.tile()
    face_down = fields.Boolean()


class ChickenSchema(Shown):
    """The first discard of a default chicken, and the seats that took it."""

    tile = shown.tile()
    by = shown.seat()
    takers = fields.List(shown.seat())


class MeldSchema(Shown):
    """A pung or a kong on the table; an added kong's `from` is who fed the pung."""

    class Meta:
        """`from` is a word of Python's."""

        include = {"from": shown.seat(allow_none=True)}

    kind = shown.one_of("pung", "kong")
    how = shown.one_of("concealed", "exposed", "added", allow_none=True)
    tile = shown.tile()
    late = fields.Boolean()


class LockSchema(Shown):
    """What a pass has cost a seat: what it may not do, until when, and on which kind."""

    what = shown.one_of("discard_win", "taken_win", "kong")
    until = shown.one_of("own_draw", "own_move", "hand")
    tile = shown.tile(metadata={"optional": True})


class PlayerSchema(Shown):
    """A seat during a hand."""

    hand = shown.tiles()
    melds = fields.List(fields.Nested(MeldSchema))
    river = shown.tiles()
    declared = shown.one_of("ready", "hard", "soft", "frozen", allow_none=True)
    bet = shown.within(0, 2)
    void_suit = shown.one_of("m", "p", "s", allow_none=True)
    locks = fields.List(fields.Nested(LockSchema))


class WonSchema(Shown):
    """A win; `from` is the discarder or the robbed seat."""

    class Meta:
        """`from` is a word of Python's."""

        include = {"from": shown.seat(allow_none=True)}

    seat = shown.seat()
    tile = shown.tile()
    how = shown.one_of("self_draw", "discard", "rob_kong")
    first_turn = fields.Boolean()


class HandStateSchema(Shown):
    """A hand at one moment, as its viewer may see it; a tile he may not see is `?`.

    `left` counts the tiles of the wall that nobody has drawn; the wall itself is shown when
    the hand has ended.
    """

    number = shown.within(1)
    dealer = shown.seat()
    streak = shown.within(1)
    wilds = fields.List(shown.tile())
    weekday = shown.within(1, 7, allow_none=True)
    left = shown.within(0)
    turn = fields.Nested(TurnSchema, allow_none=True)
    window = fields.Nested(WindowSchema, allow_none=True)
    due = fields.Nested(DueSchema, allow_none=True)
    last_discard = fields.Nested(DiscardSchema, allow_none=True)
    seats = shown.by_seat(fields.Nested(PlayerSchema))
    chickens = fields.List(fields.Nested(ChickenSchema))
    wins = fields.List(fields.Nested(WonSchema))
    flip = shown.tile(allow_none=True)
    birds = fields.List(shown.tile(), allow_none=True)
    entered = shown.one_of("outcome", "totals", allow_none=True)
    end = shown.one_of("win", "exhausted", "dissolved", "void", "unknown", allow_none=True)
    wall = shown.shaped("([1-9][mps]|[1-7]z)*", allow_none=True)


class MatchStateSchema(Shown):
    """A match at one moment: who sits where, how far it has come, and its latest hand.

    `totals` are the points of the hands that have ended. `dealer` deals the hand that is told,
    `next_dealer` the one after it, once it is known.
    """

    ruleset = fields.String()
    options = fields.Dict(keys=fields.String(), metadata=OPTIONS_FORM)
    seats = shown.by_seat(shown.id_of("mem"))
    hands = shown.within(1)
    low_score = fields.Integer()
    dealer = shown.seat()
    next_dealer = shown.seat(allow_none=True)
    totals = shown.by_seat(fields.Integer())
    closed = shown.one_of("played", "dissolved", "closed", allow_none=True)
    hand = fields.Nested(HandStateSchema, allow_none=True)


def legal_actions() -> fields.List[Any]:
    """What each seat may choose, null for a seat that the caller does not see."""
    return shown.by_seat(fields.List(fields.Nested(ChoiceSchema), allow_none=True))
