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


def unseen() -> Hand:
    """The same hand for somebody who sees no seat's tiles."""
    hand = begin(Event(STARTED, (None, None, None)))
    return evolve(hand, Event(e.Dealt(0), (None, None, None)))


def test_a_hand_after_the_deal() -> None:
    """A seat's own tiles stand in run form, another's as question marks; the wall is not shown."""
    nothing: dict[str, object] = {
        "melds": [],
        "river": "",
        "declared": None,
        "bet": 0,
        "void_suit": None,
        "locks": [],
    }
    assert state_view(dealt()) == {
        "number": 3,
        "dealer": 1,
        "streak": 2,
        "wilds": ["7m"],
        "weekday": None,
        "left": 81,
        "turn": {"seat": 1, "by": "deal", "tile": None},
        "window": None,
        "due": None,
        "last_discard": None,
        "seats": [
            {"hand": "?????????????", **nothing},
            {"hand": "1122m345p678s55577z", **nothing},
        ],
        "chickens": [],
        "wins": [],
        "flip": None,
        "birds": None,
        "entered": None,
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

    assert shown["last_discard"] == {"seat": 1, "tile": "1m", "face_down": False}
    assert shown["window"] == {
        "prompt": None,
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


def test_what_others_bet_is_not_shown_until_all_have() -> None:
    """A prompt has no tile; bets are told by seat once they are shown together."""
    hand = begin(Event(STARTED, (None, None, None)))
    asked = slots(2, {1: e.Offer(("bet_0", "bet_1", "bet_2"))})
    hand = evolve(hand, Event(e.Prompted(0, "bet"), asked))
    hand = evolve(hand, Event(e.Answered(0), (None, None, None)))
    shown = state_view(hand)
    after = state_view(evolve(hand, Event(e.BetsShown(0, (2, 1)))))

    assert shown["window"] == {
        "prompt": "bet",
        "seat": 1,
        "tile": None,
        "robs": None,
        "may": [[], ["bet_0", "bet_1", "bet_2"]],
        "answers": [None, None],
    }
    assert (after["window"], [seat["bet"] for seat in after["seats"]]) == (None, [2, 1])


def test_a_tile_laid_face_down_is_shown_to_who_may_claim_it_while_he_may() -> None:
    """In the river it lies face down for him too."""
    declared = Event(e.Discarded(0, 1, None, "ready", "player"), (None, None, None))
    hand = evolve(unseen(), declared)
    offer = slots(2, {0: e.FaceDownOffer(("pung",), "1m")})
    shown = state_view(evolve(hand, Event(e.FaceDownOffered(0, 1), offer)))
    others = state_view(evolve(hand, Event(e.FaceDownOffered(0, 1), (None, None, None))))

    assert shown["last_discard"] == {"seat": 1, "tile": "?", "face_down": True}
    assert shown["window"]["tile"] == "1m"
    assert others["window"]["tile"] == "?"
    assert (shown["seats"][1]["river"], shown["seats"][1]["declared"]) == ("?", "ready")


def test_the_first_chicken_and_who_took_it() -> None:
    """A later one of the same seat is nobody's to answer for; a flip is the tile turned."""
    hand = evolve(unseen(), Event(e.Discarded(0, 1, "1m", None, "player"), (None, None, None)))
    hand = evolve(hand, Event(e.ChickenThrown(0, 1, "1m")))
    stood = state_view(hand)
    taken = state_view(evolve(hand, Event(e.Punged(0, 0, "1m", 1))))
    again = evolve(hand, Event(e.Drawn(0, 0, False), (None, None, None)))
    again = evolve(again, Event(e.Discarded(0, 0, "1m", None, "player"), (None, None, None)))
    again = evolve(again, Event(e.Punged(0, 1, "1m", 0)))
    turned = state_view(evolve(hand, Event(e.ChickenFlipped(0, "2p"))))

    assert stood["chickens"] == [{"tile": "1m", "by": 1, "takers": []}]
    assert taken["chickens"] == [{"tile": "1m", "by": 1, "takers": [0]}]
    assert state_view(again)["chickens"] == [{"tile": "1m", "by": 1, "takers": []}]
    assert (turned["flip"], turned["left"]) == ("2p", 80)
