"""Whether the wins of an outcome could be: the hand, the tile, the kong behind it, the pass.

Source: B1.2, B3, B4.
"""

from __future__ import annotations

from msgspec.structs import replace

from ledger.outcome import AfterKong, Outcome, Win
from ledger.refusal import Refused
from ledger.rules.ruleset import Bar
from ledger.rules.zhuoji.booking import paragraph
from ledger.rules.zhuoji.options import Options
from ledger.rules.zhuoji.patterns import Holding, Reading, best_reading, has_void
from ledger.rules.zhuoji.standing import holding
from ledger.tiles import parse_tile, suit

VOID_HELD = Bar("void_suit_held", paragraph("B1.2"))
VOID_KEPT = Bar("void_suit_kept", paragraph("B1.2"))
NO_PASS = Bar("pass_card_missing", paragraph("B3.3"))
NOT_COMPLETE = Bar("hand_not_complete", paragraph("B4"))


def check_wins(options: Options, outcome: Outcome) -> None:
    """Refuses a win that could not be, and a kong behind it that is not there."""
    _check_after_kong(outcome)
    for index, win in enumerate(outcome.wins):
        pointer = f"/wins/{index}"
        if win.first_turn and not _could_be_first_turn(outcome, win):
            raise Refused("not_first_turn", pointer=f"{pointer}/first_turn")
        barred = _bar(options, outcome, win)
        if barred is not None:
            told = {"seat": win.seat, "tile": win.tile}
            raise barred.refused(pointer, **told)


def is_heavenly(outcome: Outcome, win: Win) -> bool:
    """Whether the dealer wins with the fourteen tiles dealt 天胡."""
    return win.first_turn and win.seat == outcome.dealer


def reading_of(options: Options, outcome: Outcome, win: Win) -> Reading | None:
    """What a winner's hand is read as, or None where it is no win. Of dealt tiles none is last."""
    seat, tile = holding(outcome.seats[win.seat]), parse_tile(win.tile)
    if is_heavenly(outcome, win):
        return best_reading(replace(seat, hand=(*seat.hand, tile)), None, options)
    return best_reading(seat, tile, options)


def _check_after_kong(outcome: Outcome) -> None:
    """The kong behind a win lies with its owner; robbed, it was added, and must be told."""
    first = outcome.wins[0] if outcome.wins else None
    after = outcome.after_kong
    if after is None:
        if first is not None and first.how == "rob_kong":
            raise Refused("robbed_kong_untold", pointer="/after_kong", rule=paragraph("B3.9"))
    elif first is None or not _fits(outcome, first, after):
        raise Refused("after_kong", pointer="/after_kong")


def _fits(outcome: Outcome, win: Win, after: AfterKong) -> bool:
    if win.how == "rob_kong":
        return after.how == "added"
    owner = outcome.seats[win.seat if win.from_seat is None else win.from_seat]
    return any((meld.how, meld.late) == (after.how, after.late) for meld in owner.melds)


def _could_be_first_turn(outcome: Outcome, win: Win) -> bool:
    """A first turn comes before the own first discard, with which alone 软报 is declared; the
    dealer's as dealt, before any discard, meld and declaration at all.
    """
    if not is_heavenly(outcome, win):
        return outcome.seats[win.seat].declared != "soft"
    seats = outcome.seats
    return not any(seat.river or seat.melds or seat.declared is not None for seat in seats)


def _bar(options: Options, outcome: Outcome, win: Win) -> Bar | None:
    """Why a seat could not have won with a tile."""
    seat, tile = holding(outcome.seats[win.seat]), parse_tile(win.tile)
    if has_void(seat, tile):
        return VOID_HELD
    reading = reading_of(options, outcome, win)
    if reading is None:
        return NOT_COMPLETE
    if win.how != "discard" or win.from_seat is None:
        return None
    giver = holding(outcome.seats[win.from_seat])
    if has_void(giver) and suit(tile) != giver.void_suit:
        return VOID_KEPT
    return NO_PASS if lacks_pass(seat, reading, free=_needs_no_pass(outcome, win)) else None


def lacks_pass(seat: Holding, reading: Reading, *, free: bool) -> bool:
    """Whether a hand wins no discard for want of a pass 通行证, which only 平胡 needs: a kong of
    its own. `free`: nobody needs one for this tile.
    """
    return reading.pattern == "ping_hu" and not free and not seat.kongs


def _needs_no_pass(outcome: Outcome, win: Win) -> bool:
    """Whether nobody needs a pass for a discard: 热炮, or the winner or discarder has declared."""
    declared = {outcome.seats[one].declared for one in (win.seat, win.from_seat) if one is not None}
    return outcome.after_kong is not None or declared != {None}
