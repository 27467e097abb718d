"""One event of every type, with every field and slot filled, for golden bytes and round trips."""

from __future__ import annotations

from typing import Any

from ledger import events as e
from ledger.events import Event
from tests import book_examples

AT = 1_795_867_200_000_000
OPTIONS = {"players": 2, "zhong_wild": True, "patterns": ["di_hu"]}
WALL = "1m2m5z"
SECRET = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
LOCKS = (e.Lock("discard_win", "own_draw"), e.Lock("kong", "hand", "8p"))

PAID = book_examples.PAID
STARTED: dict[str, Any] = {
    "at": AT,
    "number": 3,
    "ruleset": "huaihua/1",
    "options": OPTIONS,
    "seats": ("mem_1", "mem_2"),
    "dealer": 1,
    "streak": 2,
    "hands": 8,
    "low_score": 10,
    "recorder": "key_1",
    "totals": (6, -6),
    "wilds": ("1z",),
    "tiles": 112,
}
BUILT = (None, None, e.WallBuilt(WALL, SECRET))

EXAMPLES: dict[str, Event] = {
    **book_examples.EXAMPLES,
    "ClubFounded/1": Event(e.ClubFounded("Asia/Shanghai", 360)),
    "KeyIssued/1": Event(e.KeyIssued("key_1", ("member", "referee"), "mem_1", AT)),
    "KeyRevoked/1": Event(e.KeyRevoked("key_1")),
    "MemberJoined/1": Event(e.MemberJoined("M-0007")),
    "Invited/1": Event(e.Invited(("member", "referee"), "mem_1", AT)),
    "InvitationAccepted/1": Event(e.InvitationAccepted("per_1")),
    "InvitationRevoked/1": Event(e.InvitationRevoked()),
    "RolesChanged/1": Event(e.RolesChanged(("manager", "member"), "mem_1")),
    "LinkIssued/1": Event(e.LinkIssued("lnk_1", AT)),
    "PersonForgotten/1": Event(e.PersonForgotten("per_1")),
    "MemberForgotten/1": Event(e.MemberForgotten()),
    "TableOpened/1": Event(
        e.TableOpened(
            ruleset="huaihua/1",
            options=OPTIONS,
            hands=8,
            low_score=10,
            seats=("mem_1", "mem_2"),
            dealer=1,
            recorder="key_1",
            room="aa",
            floor="bb",
            ref=None,
            at=AT,
        )
    ),
    "TableClosed/1": Event(e.TableClosed(AT, "played", "cc", 8, (6, -6))),
    "TableTicked/1": Event(e.TableTicked(AT, True, "cc")),
    "HandStarted/1": Event(e.UncappedHandStarted(**STARTED), BUILT),
    "HandStarted/2": Event(e.HandStarted(**STARTED, cap=64, balances="aa", balances_at=41), BUILT),
    "DissolutionVoted/1": Event(
        e.DissolutionVoted(AT, 0, (e.Vote(1, "agreed", 12), e.Vote(2, "silent", 60)), True, (6, -6))
    ),
    "SeatsChanged/1": Event(e.SeatsChanged(AT, ("mem_2", "mem_3"), (1, 0))),
    "Prompted/1": Event(e.Prompted(AT, "bet"), (e.Offer(("bet_0", "bet_1", "bet_2")), None, None)),
    "BetsShown/1": Event(e.BetsShown(AT, (2, 0))),
    "VoidSuitsShown/1": Event(e.VoidSuitsShown(AT, ("m", "s"))),
    "ReadyShown/1": Event(e.ReadyShown(AT, (1,))),
    "WeekdaySet/1": Event(e.WeekdaySet(AT, 6)),
    "Dealt/1": Event(
        e.Dealt(AT), (e.DealtTiles("123m456p789s1234s"), e.DealtTiles("123m5z"), None)
    ),
    "Drawn/1": Event(e.Drawn(AT, 0, True), (e.DrawnTile("5z"), None, None)),
    "Discarded/1": Event(
        e.Discarded(AT, 1, "9m", "ready", "timeout"), (None, e.Passed(LOCKS, "9m"), None)
    ),
    "Offered/1": Event(e.Offered(AT, 1), (e.Offer(("win", "pung", "kong", "touzi")), None, None)),
    "FaceDownOffered/1": Event(
        e.FaceDownOffered(AT, 1), (e.FaceDownOffer(("win", "pung"), "9m"), None, None)
    ),
    "ChickenThrown/1": Event(e.ChickenThrown(AT, 1, "1s")),
    "Answered/1": Event(e.Answered(AT), (e.Answer("pung", "timeout", LOCKS), None, None)),
    "Punged/1": Event(e.Punged(AT, 0, "8p", 1)),
    "KongAnnounced/1": Event(
        e.KongAnnounced(AT, 0, "8p", False, True, "player"), (e.Passed(LOCKS), None, None)
    ),
    "Konged/1": Event(
        e.Konged(AT, 0, "added", "8p", 1, True, False, "auto"), (e.Passed(LOCKS), None, None)
    ),
    "Won/1": Event(e.Won(AT, 0, "8p", "rob_kong", 1, "player")),
    "BirdsTurned/1": Event(e.BirdsTurned(AT, ("1m", "5z"), 2)),
    "ChickenFlipped/1": Event(e.ChickenFlipped(AT, "2p")),
    "HandEntered/1": Event(e.HandEntered(AT, {"ruleset": "huaihua/1", "dealer": 1}, (6, -6), 1)),
    "HandEnded/1": Event(e.HandEnded(AT, "win", SECRET, 6, "2026-11-28", "2026-11-27")),
    "HandVoided/1": Event(e.HandVoided(AT, SECRET, "dd", 9)),
    "HandSettled/1": Event(
        e.HandSettled(
            table="tab_1",
            number=3,
            ruleset="huaihua/1",
            seats=("mem_1", "mem_2"),
            end="win",
            totals=(4, -4),
            payments=(PAID,),
            wins=(e.Scored(0, ("qi_dui",), 2),),
            not_counted=(e.Void(1, "added_kong", "8p", "robbed", "huaihua/1 C3.7"),),
            ended_at=AT,
            ended_position=77,
            booked_date="2026-11-28",
            effective_date="2026-11-27",
        )
    ),
}
