"""A machine's clock that was wrong: what ends and what waits goes by the clock as it is now."""

from __future__ import annotations

import pytest
from structlog.testing import capture_logs

from ledger import acts, admission, jobs, metrics, present, sessions, settlement
from ledger.access import Caller
from ledger.acts import Asked, Desk
from ledger.jobs import SETTLE
from ledger.refusal import Refused
from ledger.streams.table import StartHand
from ledger.tiles import Tiles
from tests.world import SECOND, Club, World

WALL: Tiles = tuple(range(27)) * 4
HOUR = 3600 * SECOND
DAY = 24 * HOUR
STRANGER = Caller("", None, ())


def enter(world: World, token: str | None, name: str) -> Caller:
    """An owner who has come in by an invitation."""
    session = sessions.enter_by_link(world.ledger, STRANGER, Asked(name), token or "", name).session
    return Caller(session.person, None, ("owner",), session=session.session)


def of_club(caller: Caller, club: Club, world: World) -> Desk:
    return Desk(
        world.ledger, Caller(caller.actor, club.id, ("owner",), None, caller.session), club.id
    )


def once_ahead(club: Club, world: World, by: int) -> None:
    """Something is written while the clock is ahead; then it is set right."""
    world.now += by
    acts.join_member(club.desk_of_owner, "Early")
    world.now -= by


@pytest.mark.holds("the clock was ahead for a while, and is set back")
def test_sessions_keys_and_invitations_end_by_the_clock_as_it_is(club: Club, world: World) -> None:
    """Given one write with a clock 40 days ahead, then who was in is in, and others may come."""
    ann = enter(world, admission.invite(club.desk_of_owner, ("owner",), "Ann").token, "Ann")
    waiting = admission.invite(club.desk_of_owner, ("owner",), "Ben")
    key = acts.issue_key(club.desk_of_owner, ("owner",), "a month", None, world.now + 30 * DAY)
    once_ahead(club, world, 40 * DAY)

    acts.join_member(of_club(ann, club, world), "by her session")
    acts.join_member(Desk(world.ledger, Caller(key.key, club.id, ("owner",)), club.id), "by key")
    ben = enter(world, waiting.token, "Ben")
    acts.issue_key(of_club(ben, club, world), ("auditor",), "a day", None, world.now + DAY)
    admission.invite(of_club(ben, club, world), ("owner",), "Cid")
    assert [row.type for row in club.log()[-5:]] == [
        "MemberJoined/1",
        "MemberJoined/1",
        "InvitationAccepted/1",
        "KeyIssued/1",
        "Invited/1",
    ]


def test_what_has_ended_by_the_clock_has_ended(club: Club, world: World) -> None:
    """Given a log's time before the end of a session and the clock after it, then it is over."""
    ann = enter(world, admission.invite(club.desk_of_owner, ("owner",), "Ann").token, "Ann")
    world.now += 40 * DAY
    with pytest.raises(Refused, match="key_invalid"):
        acts.join_member(of_club(ann, club, world), "late")
    with pytest.raises(Refused, match="expired_already"):
        admission.invite(club.desk_of_owner, ("owner",), "Ben", None, world.now - HOUR)


def ended(club: Club) -> None:
    table = club.open()
    acts.on_table(club.desk, table, (StartHand(WALL, "5e" * 32),))
    acts.end_table(club.desk, table, dissolve=True)


def test_how_long_a_job_waits_is_told_by_the_clock(club: Club, world: World) -> None:
    """Given a log ahead of the clock, then a hand that waits for three hours is seen to wait."""
    once_ahead(club, world, 40 * DAY)
    ended(club)
    with world.database.read() as connection:
        told = list(metrics.of_jobs(connection, world.now + 3 * HOUR))
    assert [round(sample.value) for sample in told[1].samples] == [3 * 3600]


@pytest.mark.holds("a worker whose clock is a year ahead takes a job and is killed")
def test_a_lease_of_a_clock_that_was_ahead_has_run_out(club: Club, world: World) -> None:
    """Given a lease of a minute that ends in a year, then the next worker takes the hand."""
    ended(club)
    with world.database.write() as connection:
        leased = jobs.lease(connection, SETTLE, "the dead one", world.now + 365 * DAY, 60, 5)
    assert leased is not None
    assert settlement.sweep(world.ledger, world.settings) == (club.id,)
    assert len(club.settlements()) == 1


@pytest.mark.parametrize(("ahead", "warned"), [(23 * HOUR, 0), (25 * HOUR, 1)])
def test_a_clock_that_is_a_day_behind_is_told_once(
    club: Club, world: World, ahead: int, warned: int
) -> None:
    present._warn.cache_clear()
    once_ahead(club, world, ahead)
    with capture_logs() as lines:
        acts.join_member(club.desk_of_owner, "one")
        acts.join_member(club.desk_of_owner, "two")
    told = [line for line in lines if line["event"] == "clock_behind_log"]
    assert [line["club"] for line in told] == [club.id] * warned
