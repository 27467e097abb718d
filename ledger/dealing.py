"""Starting a hand under a club's limits: dealt here, or entered as it was played elsewhere."""

from __future__ import annotations

from msgspec.structs import replace
from sqlalchemy import Connection

from ledger import limiting
from ledger.acts import Desk, order_on_table, rules_of
from ledger.limiting import Admitted
from ledger.orders import Order
from ledger.outcome import Outcome
from ledger.perform import Asking, Beside, Done, perform, perform_as_seen, was_done
from ledger.refusal import Refused
from ledger.streams.table import EnterHand, StartHand
from ledger.tiles import COPIES, Tiles, drawn, shuffled

TRIES = 5
"""How often it is looked anew at who sits at a table, where others sit down meanwhile."""


def start_hand(
    desk: Desk,
    table: str,
    wall: Tiles | None = None,
    at: int | None = None,
    wilds: Tiles | None = None,
) -> Done:
    """Start the next hand, with the wall and the wild kinds that the game server brings, or with
    those that the secret of the hand gives here.
    """
    secret, rules = desk.ledger.token(32), rules_of(desk, table)
    if wall is None:
        wall = shuffled(rules.kinds * COPIES, secret)
    if wilds is None:
        wilds = drawn(rules.wild_kinds, rules.wild_count, secret)
    return _start(desk, table, StartHand(wall, secret.hex(), wilds, at))


def enter_hand(
    desk: Desk,
    table: str,
    outcome: Outcome | None = None,
    totals: tuple[int, ...] | None = None,
    next_dealer: int | None = None,
    at: int | None = None,
) -> Done:
    """Enter the next hand as it was played elsewhere, by its outcome or by its points."""
    secret = desk.ledger.token(32).hex()
    return _start(desk, table, EnterHand(secret, outcome, totals, next_dealer, at))


def _start(desk: Desk, table: str, command: StartHand | EnterHand) -> Done:
    """Start a hand under the club's limits; one that was started by the same request is."""
    order = order_on_table(desk, table, (command,))
    if was_done(desk.ledger, desk.caller, order):
        return perform(desk.ledger, desk.caller, order)
    for _ in range(TRIES):
        admitted = limiting.admission(desk.ledger, desk.club, table, command.at)
        started = replace(order, commands=(replace(command, admission=admitted.admission),))
        try:
            asking = _for_whom_it_is(desk.club, table, started, admitted)
            return perform_as_seen(desk.ledger, desk.caller, desk.club, asking)
        except Refused as refusal:
            if refusal.code != "seats_moved":
                raise
    raise Refused("busy")


def _for_whom_it_is(club: str, table: str, order: Order, admitted: Admitted) -> Asking:
    """An order that is refused where others sit there than were admitted."""

    def asking(connection: Connection) -> tuple[Order, Beside]:
        limiting.check_fits(connection, club, table, admitted)
        return order, admitted.keep

    return asking
