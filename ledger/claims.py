"""Claimed and computed: what a claim says of a hand beside what the rules make of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from ledger.outcome import NotCounted, Payment, Settlement
from ledger.refusal import Refused

Totals = tuple[int, ...]


class Line(Struct, frozen=True):
    """A payment as it is computed and as it is claimed; None is none."""

    computed: Payment | None
    claimed: Payment | None

    @property
    def differs(self) -> bool:
        """Whether there is only one of them, or the points or parts are others."""
        if self.computed is None or self.claimed is None:
            return True
        return _worth(self.computed) != _worth(self.claimed)


class Comparison(Struct, frozen=True):
    """A claim beside what is computed, by seat and line by line, and where they part.

    `first` is the first line that differs, `seat` the first seat whose points do, `rule` the
    paragraph that decides it. `void` is what the claim counts and the rules do not.
    A claim by points has no lines; `missing` are the computed payments of one thing that it
    leaves out, where they are all of the difference. An outcome that cannot be has the code of
    its `refusal`, and no points.
    """

    computed: Totals
    claimed: Totals | None
    lines: tuple[Line, ...] = ()
    first: Line | None = None
    seat: int | None = None
    rule: str | None = None
    void: NotCounted | None = None
    missing: tuple[Payment, ...] = ()
    refusal: str | None = None


def compare(computed: Settlement, claim: Settlement | Totals | Refused) -> Comparison:
    """A claim beside the settlement of the hand: by an outcome's settlement, or by points alone.

    A claim whose outcome was refused is told by that refusal. Where either side is points without
    payments, there are only seats to compare.
    """
    if isinstance(claim, Refused):
        return Comparison(computed.totals, None, rule=claim.rule, refusal=claim.code)
    if not isinstance(claim, Settlement):
        return _by_totals(computed, claim)
    if _is_points(claim) or _is_points(computed):
        return _by_totals(computed, claim.totals)
    return _by_lines(computed, claim)


def _is_points(settled: Settlement) -> bool:
    """Whether only the points are known, and not who pays whom."""
    return not settled.payments and any(settled.totals)


def _by_lines(computed: Settlement, claim: Settlement) -> Comparison:
    lines = _matched(computed.payments, claim.payments)
    first = next((line for line in lines if line.differs), None)
    void = _uncounted(first, computed.not_counted) if first else None
    paid = first.computed or first.claimed if first else None
    return Comparison(
        computed=computed.totals,
        claimed=claim.totals,
        lines=lines,
        first=first,
        seat=_first_seat(computed.totals, claim.totals),
        rule=_decides(void, paid),
        void=void,
    )


def _matched(computed: Iterable[Payment], claimed: Iterable[Payment]) -> tuple[Line, ...]:
    """Lines of one reason, payer and payee beside each other, in the computed order.

    Of several the same ones find each other first: a pair of kongs is not taken crosswise. What
    is claimed alone follows.
    """
    left = list(claimed)
    lines = [Line(one, _take(left, one, same=True)) for one in computed]
    for place, line in enumerate(lines):
        if line.computed is not None and line.claimed is None:
            lines[place] = Line(line.computed, _take(left, line.computed, same=False))
    return (*lines, *(Line(None, one) for one in left))


def _take(left: list[Payment], wanted: Payment, *, same: bool) -> Payment | None:
    """Take out of what is left the first payment for the same, and of the same worth if asked."""
    for place, one in enumerate(left):
        if _what(one) == _what(wanted) and (not same or _worth(one) == _worth(wanted)):
            return left.pop(place)
    return None


def _what(payment: Payment) -> tuple[str, int, int]:
    return payment.reason, payment.payer, payment.payee


def _worth(payment: Payment) -> tuple[int, object]:
    return payment.points, payment.parts


def _uncounted(line: Line, void: Iterable[NotCounted]) -> NotCounted | None:
    """What the rules do not count for the payee, of that which only the claim has in a line."""
    if line.claimed is None:
        return None
    words = {part.name for part in line.claimed.parts}
    if line.computed is None:
        words.add(line.claimed.reason)
    else:
        words -= {part.name for part in line.computed.parts}
    payee = line.claimed.payee
    return next((one for one in void if one.seat == payee and one.what in words), None)


def _decides(void: NotCounted | None, payment: Payment | None) -> str | None:
    """The paragraph that decides: why something does not count, or why something is paid."""
    told = void or payment
    return None if told is None else told.rule


def _first_seat(computed: Totals, claimed: Totals) -> int | None:
    pairs = enumerate(zip(computed, claimed, strict=True))
    return next((seat for seat, (ours, told) in pairs if ours != told), None)


def _by_totals(computed: Settlement, claimed: Totals) -> Comparison:
    """The first seat that differs, and the one thing that explains it all, if one does."""
    more = tuple(told - ours for ours, told in zip(computed.totals, claimed, strict=True))
    missing = next((some for some in _things(computed.payments) if _lost(some, more)), ())
    void = None if missing else _only_void(computed.not_counted, more)
    return Comparison(
        computed=computed.totals,
        claimed=claimed,
        seat=_first_seat(computed.totals, claimed),
        rule=_decides(void, missing[0] if missing else None),
        void=void,
        missing=missing,
    )


def _things(payments: tuple[Payment, ...]) -> Iterator[tuple[Payment, ...]]:
    """Every payment alone, then together what one thing brings its owner from several seats."""
    yield from ((one,) for one in payments)
    kinds = dict.fromkeys((one.reason, one.payee, one.parts, one.rule) for one in payments)
    for kind in kinds:
        same = [one for one in payments if (one.reason, one.payee, one.parts, one.rule) == kind]
        yield tuple({one.payer: one for one in same}.values())


def _lost(payments: tuple[Payment, ...], more: Totals) -> bool:
    """Whether a claim that is otherwise right leaves out just these payments."""
    left_out = [0] * len(more)
    for payment in payments:
        left_out[payment.payer] += payment.points
        left_out[payment.payee] -= payment.points
    return tuple(left_out) == more


def _only_void(void: tuple[NotCounted, ...], more: Totals) -> NotCounted | None:
    """The only thing of the only seat that gains, where those who lose by it lose the same."""
    gaining = [seat for seat, points in enumerate(more) if points > 0]
    losses = {points for points in more if points < 0}
    if len(gaining) != 1 or len(losses) != 1:
        return None
    its = [one for one in void if one.seat == gaining[0]]
    return its[0] if len(its) == 1 else None
