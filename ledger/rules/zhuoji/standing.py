"""How each seat stands when the hand ends: who is paid for kongs and chickens. Source: B5.2."""

from __future__ import annotations

from msgspec import Struct

from ledger.outcome import Outcome, SeatOutcome
from ledger.rules.zhuoji.options import Options
from ledger.rules.zhuoji.patterns import Holding, is_ready
from ledger.tiles import parse_tile, parse_tiles


class Standing(Struct, frozen=True):
    """A seat at the end: `ready` 听牌 or a winner, and `burned` by 热炮 or 抢杠."""

    ready: bool
    burned: bool

    @property
    def live(self) -> bool:
        """Whether it is paid for its kongs and chickens."""
        return self.ready and not self.burned


class Ended(Struct, frozen=True):
    """A hand at its end: its options, its outcome, and how each seat stands."""

    options: Options
    outcome: Outcome
    seats: tuple[Standing, ...]

    @property
    def won(self) -> bool:
        """Whether somebody has won it."""
        return self.outcome.end == "win"

    @property
    def live(self) -> tuple[int, ...]:
        """The seats that are paid for kongs and chickens."""
        return tuple(index for index, seat in enumerate(self.seats) if seat.live)

    def others(self, seat: int) -> tuple[int, ...]:
        """Every seat but one."""
        return tuple(other for other in range(len(self.seats)) if other != seat)

    def unpaid(self, seat: int) -> str | None:
        """Why a seat is paid for no chickens (and, but for a house rule, no kongs), if so."""
        if self.outcome.end == "dissolved":
            return "dissolved"
        if not self.seats[seat].live:
            return "burned" if self.seats[seat].burned else "not_ready"
        scores = self.won or self.options.draw_scores_ready_players
        return None if scores else "drawn_hand"


def ended(options: Options, outcome: Outcome) -> Ended:
    """A hand at its end; who is ready follows from what the seats hold."""
    winners = {win.seat for win in outcome.wins}
    burned = _burned_seat(outcome)
    seats = (
        Standing(index in winners or is_ready(holding(seat), options), index == burned)
        for index, seat in enumerate(outcome.seats)
    )
    return Ended(options, outcome, tuple(seats))


def holding(seat: SeatOutcome) -> Holding:
    """What a seat holds at the end, the winning tile not among it."""
    return Holding(
        hand=parse_tiles(seat.hand),
        pungs=tuple(parse_tile(meld.tile) for meld in seat.melds if meld.kind == "pung"),
        kongs=tuple(parse_tile(meld.tile) for meld in seat.melds if meld.kind == "kong"),
        void_suit=seat.void_suit,
    )


def _burned_seat(outcome: Outcome) -> int | None:
    """The seat that dealt in right after a kong 热炮, or whose kong was robbed 抢杠."""
    if not outcome.wins or outcome.after_kong is None:
        return None
    return outcome.wins[0].from_seat
