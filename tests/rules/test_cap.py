"""The cap per hand 单局封顶: who gives back what somebody lost above it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ledger.outcome import Payment, Settlement, settlement
from ledger.rules.cap import capped

Paid = tuple[int, int, int]


def paid(players: int, *payments: Paid) -> Settlement:
    """A hand in which payers paid payees so many points."""
    told = (Payment(*one, "win", (), "huaihua/1 C5.1") for one in payments)
    return settlement(players, told, (), ())


def by_points(*totals: int) -> Settlement:
    """A hand of which only the points are known."""
    return Settlement(totals, (), (), ())


def back(settled: Settlement) -> list[Paid]:
    """What was given back, in the order in which it stands: payer, payee, points."""
    given_back = [one for one in settled.payments if one.reason == "cap"]
    assert settled.payments[len(settled.payments) - len(given_back) :] == tuple(given_back)
    assert {(one.parts, one.rule) for one in given_back} <= {((), "common cap")}
    return [(one.payer, one.payee, one.points) for one in given_back]


def test_without_a_cap_or_within_it_nothing_is_given_back() -> None:
    lost = paid(4, (3, 0, 100))
    assert capped(lost, None) is lost
    assert capped(lost, 100) is lost


def test_who_received_most_gives_back_what_is_above_the_cap() -> None:
    """Seat 3 has lost 130 and may lose 100."""
    settled = capped(paid(4, (3, 0, 100), (3, 1, 30)), 100)
    assert settled.totals == (70, 30, 0, -100)
    assert back(settled) == [(0, 3, 30)]


def test_who_received_less_gives_back_only_when_the_first_has_nothing_left() -> None:
    settled = capped(paid(4, (3, 0, 100), (3, 1, 30)), 20)
    assert settled.totals == (0, 20, 0, -20)
    assert back(settled) == [(0, 3, 100), (1, 3, 10)]


def test_of_equals_the_lower_seat_gives_first() -> None:
    settled = capped(paid(4, (3, 0, 50), (3, 1, 50)), 60)
    assert settled.totals == (10, 50, 0, -60)
    assert back(settled) == [(0, 3, 40)]


def test_what_the_loser_received_from_somebody_counts_off() -> None:
    """Seat 0 received 100 of seat 3 and paid him 60; seat 1 with his 50 has received more."""
    settled = capped(paid(4, (3, 0, 100), (0, 3, 60), (3, 1, 50)), 60)
    assert settled.totals == (40, 20, 0, -60)
    assert back(settled) == [(1, 3, 30)]


def test_a_giver_who_comes_below_the_cap_is_given_back_too() -> None:
    """Seat 0 won 100 of seat 1 and lost 90 to seat 2: he gives back 80, and receives 50."""
    settled = capped(paid(3, (1, 0, 100), (0, 2, 90)), 20)
    assert settled.totals == (-20, -20, 40)
    assert back(settled) == [(2, 0, 50), (0, 1, 80)]


def test_two_losers_are_given_back_each_what_is_above_his() -> None:
    settled = capped(paid(3, (1, 0, 40), (2, 0, 30)), 25)
    assert settled.totals == (50, -25, -25)
    assert back(settled) == [(0, 1, 15), (0, 2, 5)]


def test_of_points_alone_who_has_won_most_gives_back() -> None:
    """Seat 0 gives seat 2 back 45 of his 60; seat 1 with 40 has then won more than he."""
    settled = capped(by_points(60, 40, -70, -30), 25)
    assert settled.totals == (15, 35, -25, -25)
    assert back(settled) == [(0, 2, 45), (1, 3, 5)]


def test_what_was_won_and_what_did_not_count_stays_told() -> None:
    lost = paid(2, (1, 0, 9))
    settled = capped(lost, 4)
    assert settled.payments[0] == lost.payments[0]
    assert (settled.wins, settled.not_counted) == (lost.wins, lost.not_counted)


def test_a_ring_of_losses_comes_to_an_end() -> None:
    """Each has lost nearly all to the next, so that giving back goes round many times."""
    ring = paid(4, (0, 1, 9999), (1, 2, 9999), (2, 0, 9997), (0, 3, 10), (1, 3, 9), (2, 3, 12))
    settled = capped(ring, 9)
    assert settled.totals == (-9, -9, -9, 27)


seats = st.integers(0, 3)
payments = st.lists(
    st.tuples(seats, seats, st.integers(1, 300)).filter(lambda one: one[0] != one[1]), max_size=12
)
points = st.lists(st.integers(-300, 300), min_size=3, max_size=3)
hands = payments.map(lambda told: paid(4, *told)) | points.map(
    lambda told: by_points(*told, -sum(told))
)


@given(hands, st.integers(1, 200))
def test_any_hand_under_any_cap(lost: Settlement, cap: int) -> None:
    """Sums stay zero, nobody loses more than the cap, and who received lost just that much."""
    settled = capped(lost, cap)
    given_back = back(settled)
    assert sum(settled.totals) == 0
    assert min(settled.totals) >= -cap
    assert {settled.totals[payee] for _, payee, _ in given_back} <= {-cap}
    assert (settled is lost) == (min(lost.totals) >= -cap)
    assert capped(settled, cap) is settled


@given(hands, st.integers(1, 200))
def test_nobody_gives_back_more_than_he_received(lost: Settlement, cap: int) -> None:
    """One payment a pair, by payee and then payer, and totals that are what is paid."""
    settled = capped(lost, cap)
    given_back = back(settled)
    pairs = [(payee, payer) for payer, payee, _ in given_back]
    assert pairs == sorted(set(pairs))
    assert not {(payer, payee) for payee, payer in pairs} & set(pairs)
    for payer, payee, back_again in given_back:
        assert back_again <= received(lost, payer, payee)
    for seat, total in enumerate(lost.totals):
        moved = sum(n * ((payee == seat) - (payer == seat)) for payer, payee, n in given_back)
        assert settled.totals[seat] == total + moved


def received(lost: Settlement, payee: int, payer: int) -> int:
    """What a seat has received of another, what it paid him counted off; of points, all it won."""
    if not lost.payments:
        return lost.totals[payee]
    there = sum(one.points for one in lost.payments if (one.payer, one.payee) == (payer, payee))
    back_there = sum(
        one.points for one in lost.payments if (one.payer, one.payee) == (payee, payer)
    )
    return there - back_there
