"""The one form in which a hand is shown as JSON."""

from __future__ import annotations

from ledger import events as e
from ledger.events import Event, slots
from ledger.evolve import begin, evolve
from ledger.hand import Hand
from ledger.view import state_view

STARTED = e.HandStarted(
    at=0,
    number=3,
    ruleset="huaihua/1",
    options={},
    seats=("mem_a", "mem_b"),
    dealer=1,
    streak=2,
    hands=8,
    low_score=0,
    recorder="key_r",
    totals=(0, 0),
    wilds=("7m",),
    tiles=108,
)


def dealt() -> Hand:
    """A hand of two seats as seat 1, the dealer, sees it after the deal."""
    own = slots(2, {1: e.DealtTiles("1122m345p678s55577z")})
    hand = begin(Event(STARTED, (None, None, None)))
    return evolve(hand, Event(e.Dealt(0), own))


def test_a_hand_after_the_deal() -> None:
    """A seat's own tiles stand in run form, another's as question marks; the wall is not shown."""
    nothing: dict[str, object] = {"melds": [], "river": "", "declared": None, "locks": []}
    assert state_view(dealt()) == {
        "number": 3,
        "dealer": 1,
        "streak": 2,
        "wilds": ["7m"],
        "left": 81,
        "turn": {"seat": 1, "by": "deal", "tile": None},
        "window": None,
        "due": None,
        "last_discard": None,
        "seats": [
            {"hand": "?????????????", **nothing},
            {"hand": "1122m345p678s55577z", **nothing},
        ],
        "wins": [],
        "birds": None,
        "end": None,
        "wall": None,
    }


def test_an_open_window() -> None:
    """An open window shows its tile and the viewer's own offers; the pass's locks are told."""
    hand = evolve(dealt(), Event(e.Discarded(0, 1, "1m", None, "player"), (None, None, None)))
    offered = slots(2, {0: e.Offer(("pung",))})
    hand = evolve(hand, Event(e.Offered(0, 1), offered))
    lock = e.Lock("win", "own_draw", "1m")
    hand = evolve(hand, Event(e.Answered(0), slots(2, {0: e.Answer("pass", "player", (lock,))})))
    shown = state_view(hand)

    assert shown["last_discard"] == {"seat": 1, "tile": "1m"}
    assert shown["window"] == {
        "seat": 1,
        "tile": "1m",
        "robs": None,
        "may": [["pung"], []],
        "answers": ["pass", None],
    }
    assert shown["seats"][0]["locks"] == [{"what": "win", "until": "own_draw", "tile": "1m"}]


def test_melds_and_wins() -> None:
    """A pung and a kong tell who fed them; a win tells how it came."""
    hand = evolve(dealt(), Event(e.Discarded(0, 1, "1m", None, "player"), (None, None, None)))
    hand = evolve(hand, Event(e.Punged(0, 0, "1m", 1)))
    kong = e.Konged(0, 0, "added", "1m", 1, False, False, "player")
    shown = state_view(evolve(hand, Event(kong, (None, None, None))))
    won = state_view(evolve(hand, Event(e.Won(0, 0, "2m", "self_draw", None, "player"))))

    assert shown["seats"][0]["melds"] == [
        {"kind": "kong", "how": "added", "tile": "1m", "from": 1, "late": False}
    ]
    assert shown["due"] == {"seat": 0, "replacement": True}
    assert won["seats"][0]["melds"][0]["kind"] == "pung"
    assert won["wins"] == [
        {"seat": 0, "tile": "2m", "how": "self_draw", "from": None, "first_turn": False}
    ]
