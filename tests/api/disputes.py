"""Hands that are settled and may be doubted, for the tests of disputes over HTTP."""

from __future__ import annotations

from typing import Any

from msgspec.structs import asdict

from ledger import governing, settlement
from ledger.access import operator
from ledger.acts import Desk
from ledger.settings import load
from ledger.streams.club import NO_LIMITS, SetLimits
from projections.projection import catch_up
from tests.api.conftest import Answer, Caller, Club

OUTCOME: dict[str, Any] = {
    "ruleset": "huaihua/1",
    "dealer": 0,
    "seats": [
        {"hand": "123m456p789s55s67p", "river": "9m"},
        {"hand": "1458m2358p23669s"},
        {"hand": "267899m1149p347s"},
        {"hand": "369m1223499p148s"},
    ],
    "end": "win",
    "wins": [{"seat": 0, "tile": "8p", "how": "self_draw"}],
}
"""A plain win of the dealer by his own draw: 2 from each other seat (C5.1)."""
FED = {**OUTCOME, "wins": [{"seat": 0, "tile": "8p", "how": "discard", "from": 1}]}
"""The same hand, won on the discard of seat 1."""
BOOKED = [6, -2, -2, -2]


def caught_up(club: Club) -> None:
    """Let the worker and the lists do what waits for them."""
    settlement.sweep(club.ledger, load({"PAIZHANG_DATA": "/nowhere"}))
    catch_up(club.ledger.database, club.id)


def settled(club: Club, hands: int = 1) -> str:
    """The path of a table at which so many hands were entered and settled, the first of them so."""
    table = club.open_table(hands=hands + 2)
    for number in range(hands):
        enter(club, table, **({"totals": BOOKED} if number else {"outcome": OUTCOME}))
    return table


def enter(club: Club, table: str, **entry: Any) -> None:
    """A hand that was played elsewhere, entered and settled."""
    entered = club.recorder.post(f"{table}/hands", entry)
    assert entered.status_code == 201, entered.text
    caught_up(club)


def limited(club: Club, **limits: int) -> None:
    """Let the club have limits."""
    desk = Desk(club.ledger, operator(), club.id)
    governing.set_limits(desk, SetLimits(**{**asdict(NO_LIMITS), "tables": 999, **limits}))


def filed(by: Caller, hand: str, **claim: Any) -> str:
    """The path of a dispute about a hand, just filed."""
    answer = by.post(f"{hand}/disputes", claim)
    assert answer.status_code == 201, answer.text
    return str(answer.headers["Location"])


def decided(by: Caller, dispute: str, ruling: str, **more: Any) -> Answer:
    """A ruling."""
    return by.post(f"{dispute}/decide", {"ruling": ruling, "reason": "rules", **more})


def contested(club: Club, hand: str) -> str:
    """A dispute of the second member, whose claim is answered: nobody has won."""
    dispute = filed(club.players[1], hand, totals=[0, 0, 0, 0], note="no win 没胡")
    answer = club.players[0].post(f"{dispute}/answer", {"note": "it was"})
    assert answer.status_code == 200, answer.text
    return dispute


def id_of(path: str) -> str:
    """The id with which a path ends."""
    return path.rpartition("/")[2]
