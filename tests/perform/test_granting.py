"""Points that officers give: not to themselves, not twice at the beginning, not bit by bit."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from msgspec.structs import asdict, replace

from ledger import admission, forgetting, governing, granting, sessions
from ledger.access import Caller
from ledger.acts import Asked
from ledger.events import Line
from ledger.granting import Grant
from ledger.refusal import Refused
from ledger.streams.club import NO_LIMITS, SetLimits
from ledger.streams.member import SetMemberLimits
from tests.perform.granted import Office, give, refusal
from tests.world import SECOND, World

DAY = 24 * 3600 * SECOND
STRANGER = Caller("", None, ())


@pytest.fixture
def office(world: World) -> Office:
    return Office(world)


def limited(office: Office, allowance: int) -> None:
    limits = SetLimits(**{**asdict(NO_LIMITS), "allowance": allowance})
    governing.set_limits(office.operator, limits)


# --- one's own affair ---------------------------------------------------------------------------


def test_a_treasurer_gives_no_points_to_the_member_that_he_is(office: Office) -> None:
    own = office.desk("treasurer", "member", member=office.members[0])
    with pytest.raises(Refused) as refused:
        give(own, office.members[0], 1_000_000)
    assert refusal(refused) == ("own_affair", "/lines/0/member")
    give(own, office.members[1], 5)
    assert office.points() == [0, 5, 0, 0, 0, 0]
    office.check_sound()


def test_an_owner_gives_them_to_himself_and_nobody_approves_his_own(office: Office) -> None:
    """Given a limit of 10, when an owner who is M-0001 asks for 50, then another approves it."""
    limited(office, 10)
    owner = office.desk("owner", "member", member=office.members[0])
    other = office.desk("owner", "member", member=office.members[1])
    waits = give(owner, office.members[0], 50)
    for_himself = give(owner, office.members[1], 50)
    with pytest.raises(Refused) as refused:
        granting.approve(other, for_himself)
    assert refusal(refused) == ("own_affair", "")
    granting.approve(other, waits)
    assert office.points() == [50, 0, 0, 0, 0, 0]
    office.check_sound()


def test_a_treasurer_does_not_undo_what_was_taken_from_himself(office: Office) -> None:
    taken = give(office.operator, office.members[0], -70)
    with pytest.raises(Refused) as refused:
        granting.reverse(office.desk("treasurer", "member", member=office.members[0]), taken, None)
    assert refusal(refused) == ("own_affair", "")
    assert office.points()[0] == -70


def test_who_was_another_member_before_gives_that_one_nothing_either(office: Office) -> None:
    """Given Ann, who was M-0001 and is M-0002 now, then of neither she decides."""
    roles, ledger = ("treasurer", "member"), office.world.ledger
    made = admission.invite(office.operator, roles, "Ann", office.members[0])
    sessions.enter_by_link(ledger, STRANGER, Asked("in"), made.token or "", "Ann")
    admission.change_roles(office.operator, made.id, roles, office.members[1])
    link = admission.issue_link(office.operator, made.id)
    session = sessions.enter_by_link(ledger, STRANGER, Asked("again"), link.token or "").session
    ann = Caller(session.person, office.club.id, roles, office.members[1], session.session)
    desk = replace(office.operator, caller=ann)
    for member in office.members[:2]:
        with pytest.raises(Refused) as refused:
            give(desk, member, 5)
        assert refusal(refused) == ("own_affair", "/lines/0/member")
    give(desk, office.members[2], 5)
    office.check_sound()


def test_nobody_bars_readmits_or_limits_the_member_that_he_is(office: Office) -> None:
    """Not a manager, and not an owner; another member's he does, and the operator all."""
    free = SetMemberLimits(None, None, None, 1_000_000, None)
    mine, other = office.members[:2]
    governing.bar(office.operator, mine, None)
    for role in ("manager", "owner"):
        desk = office.desk(role, "member", member=mine)
        with pytest.raises(Refused) as refused:
            governing.readmit(desk, mine, "I am sorry")
        assert refused.value.code == "own_affair"
        with pytest.raises(Refused) as refused:
            governing.set_member_limits(desk, mine, free)
        assert refused.value.code == "own_affair"
    desk = office.desk("manager", "member", member=other)
    with pytest.raises(Refused) as refused:
        governing.bar(desk, other, None)
    assert refused.value.code == "own_affair"
    governing.readmit(desk, mine, None)
    governing.set_member_limits(desk, mine, free)
    office.check_sound()


def test_who_may_not_bar_anybody_hears_that_first(office: Office) -> None:
    with pytest.raises(Refused) as refused:
        governing.bar(office.desk("member", member=office.members[0]), office.members[0], None)
    assert refused.value.code == "role_missing"


# --- opening balances ---------------------------------------------------------------------------


def test_a_member_has_one_opening_balance_until_it_is_undone(office: Office) -> None:
    first = give(office.operator, office.members[0], 1000, "opening")
    with pytest.raises(Refused) as refused:
        give(office.operator, office.members[0], 1000, "opening")
    assert refusal(refused) == ("opening_given", "/lines/0/member")
    assert office.points()[0] == 1000
    granting.reverse(office.operator, first, "typed wrong")
    give(office.operator, office.members[0], 900, "opening")
    assert office.points()[0] == 900
    office.check_sound()


def test_the_same_request_comes_again_and_is_one(office: Office) -> None:
    """A retry is told what it was, though the books are opened by now, or opened anew."""
    desk = replace(office.operator, asked=Asked("first"))
    first = give(desk, office.members[0], 1000, "opening")
    assert give(desk, office.members[0], 1000, "opening") == first
    granting.reverse(office.operator, first, None)
    give(office.operator, office.members[0], 900, "opening")
    assert give(desk, office.members[0], 1000, "opening") == first
    assert office.points()[0] == 900


def test_of_two_opening_balances_that_wait_one_is_approved(office: Office) -> None:
    limited(office, 10)
    first, second = (give(office.operator, office.members[0], 500, "opening") for _ in range(2))
    owner = office.desk("owner")
    granting.approve(owner, first)
    with pytest.raises(Refused) as refused:
        granting.approve(owner, second)
    assert refusal(refused) == ("opening_given", "")
    assert office.points()[0] == 500
    office.check_sound()


def at_once(*acts: Callable[[], object]) -> list[str]:
    """What becomes of acts that happen at the same time: the codes of those that are refused."""
    barrier = Barrier(len(acts))

    def one(act: Callable[[], object]) -> str:
        barrier.wait()
        try:
            act()
        except Refused as refused:
            return refused.code
        return ""

    with ThreadPoolExecutor(len(acts)) as pool:
        return sorted(pool.map(one, acts))


def test_of_opening_balances_at_the_same_time_one_is_booked(office: Office) -> None:
    desks = [office.desk("treasurer") for _ in range(3)]
    codes = at_once(
        *(lambda desk=desk: give(desk, office.members[0], 7, "opening") for desk in desks)
    )
    assert codes == ["", "opening_given", "opening_given"]
    assert office.points()[0] == 7
    office.check_sound()


# --- what one person moves on a day -------------------------------------------------------------


def test_what_is_above_the_limit_is_not_given_bit_by_bit(office: Office) -> None:
    """Given a limit of 10, when 6 and 5 are asked for on one day, then the 5 wait; on the next not.

    What another person gives, or for another member, is measured by itself.
    """
    limited(office, 10)
    desk, mine, other = office.desk("treasurer"), *office.members[:2]
    give(desk, mine, 6)
    waits = give(desk, mine, 5)
    give(desk, other, 10)
    give(office.desk("treasurer"), mine, 10)
    assert office.points()[:2] == [16, 10]
    granting.approve(office.desk("owner"), waits)
    assert office.points()[:2] == [21, 10]
    give(desk, mine, 4)
    assert office.points()[:2] == [25, 10]
    office.world.now += DAY
    give(desk, mine, 10)
    assert office.points()[:2] == [35, 10]
    office.check_sound()


def test_points_at_the_same_time_are_measured_together(office: Office) -> None:
    """Given a limit of 10, when one person gives 6 three times at once, then 6 are booked."""
    limited(office, 10)
    desk = office.desk("treasurer")
    assert at_once(*(lambda: give(desk, office.members[0], 6) for _ in range(3))) == ["", "", ""]
    assert office.points()[0] == 6


# --- days, and members who are gone -------------------------------------------------------------


def test_points_do_not_count_from_before_the_club(office: Office) -> None:
    """The club was founded on 2027-01-15 by its own clock."""
    lines = (Line(office.members[0], 50),)
    with pytest.raises(Refused) as refused:
        granting.request(
            office.operator, Grant("allowance", lines, "other", effective_date="2027-01-14")
        )
    assert refusal(refused) == ("date_before_club", "/effective_date")
    granting.request(
        office.operator, Grant("allowance", lines, "other", effective_date="2027-01-15")
    )
    assert office.points()[0] == 50
    office.check_sound()


def test_who_was_forgotten_or_has_left_is_given_nothing(office: Office) -> None:
    """What he still has may be taken."""
    forgotten, gone = office.members[:2]
    for member in (forgotten, gone):
        give(office.operator, member, 30)
    forgetting.forget_member(office.world.ledger, office.club.id, forgotten)
    governing.leave(office.operator, gone, None)
    for member, code in ((forgotten, "member_forgotten"), (gone, "member_left")):
        with pytest.raises(Refused) as refused:
            give(office.operator, member, 5)
        assert refusal(refused) == (code, "/lines/0/member")
        give(office.operator, member, -30)
    assert office.points()[:2] == [0, 0]
    office.check_sound()
