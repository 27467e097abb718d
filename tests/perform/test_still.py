"""Rights that end between the door and the log: who takes one away may rely on it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from threading import Barrier

import pytest

from ledger import access, acts, admission, passwords, people, sessions
from ledger.access import Caller
from ledger.acts import Asked, Desk
from ledger.perform import Ledger
from ledger.refusal import Refused
from tests.world import Club, World


def meanwhile(world: World, happens: Callable[[], object]) -> Ledger:
    """A ledger during whose next write, when it was let in and before it is written, it happens."""
    waiting = [happens]

    def clock() -> int:
        if waiting:
            waiting.pop()()
        return world.clock()

    return replace(world.ledger, clock=clock)


def refusal(write: Callable[[], object]) -> str:
    with pytest.raises(Refused) as caught:
        write()
    return caught.value.code


@pytest.mark.holds("a key is revoked while its request runs")
def test_a_key_that_is_revoked_meanwhile_writes_nothing(club: Club, world: World) -> None:
    key = acts.issue_key(club.desk_of_owner, ("owner",), "short")
    late = Caller(key.key, club.id, ("owner",))
    ledger = meanwhile(world, lambda: acts.revoke_key(club.desk_of_owner, key.key))
    code = refusal(lambda: acts.join_member(Desk(ledger, late, club.id), "Late"))
    assert code == "key_invalid"
    assert club.log()[-1].type == "KeyRevoked/1"


@pytest.fixture
def ann(club: Club, world: World) -> Caller:
    """An owner of the club in a session, as the edge lets her in."""
    made = admission.invite(club.desk_of_owner, ("owner",), "Ann")
    stranger = Caller("", None, ())
    entry = sessions.enter_by_link(world.ledger, stranger, Asked("in"), made.token or "", "Ann")
    session = entry.session
    return Caller(session.person, club.id, ("owner",), session=session.session)


def test_a_session_that_ends_meanwhile_writes_nothing(
    club: Club, world: World, ann: Caller
) -> None:
    assert ann.session is not None
    session = ann.session
    ledger = meanwhile(world, lambda: sessions.end_session(world.ledger, ann, session))
    code = refusal(lambda: acts.join_member(Desk(ledger, ann, club.id), "Late"))
    assert code == "key_invalid"
    assert club.log()[-1].type == "InvitationAccepted/1"


@pytest.mark.parametrize("roles", [("referee",), ()])
def test_a_role_that_is_taken_away_meanwhile_allows_nothing(
    club: Club, world: World, ann: Caller, roles: tuple[str, ...]
) -> None:
    """Neither for one who has other roles now, nor for one who has left."""
    second_owner(club, world)
    with world.ledger.database.read() as connection:
        [row] = people.person_memberships(connection, ann.actor)
    ledger = meanwhile(
        world, lambda: admission.change_roles(club.desk_of_owner, row.membership, roles)
    )
    code = refusal(lambda: acts.join_member(Desk(ledger, ann, club.id), "Late"))
    assert code == "role_missing"
    assert club.log()[-1].type == "RolesChanged/1"


def second_owner(club: Club, world: World) -> None:
    made = admission.invite(club.desk_of_owner, ("owner",), "Ben")
    stranger = Caller("", None, ())
    sessions.enter_by_link(world.ledger, stranger, Asked("in too"), made.token or "", "Ben")


def test_a_session_that_ends_meanwhile_joins_no_club(club: Club, world: World, ann: Caller) -> None:
    other = world.club()
    made = admission.invite(other.desk_of_owner, ("referee",), "Ann")
    assert ann.session is not None
    session = ann.session
    ledger = meanwhile(world, lambda: sessions.end_session(world.ledger, ann, session))
    code = refusal(lambda: admission.join_club(ledger, ann, Asked("late"), made.token or ""))
    assert code == "key_invalid"
    assert other.log()[-1].type == "Invited/1"


FIRST, SECOND, THIRD = (f"the {place} long one" for place in ("first", "second", "third"))


@pytest.fixture
def overtaken(world: World, ann: Caller, monkeypatch: pytest.MonkeyPatch) -> Caller:
    """Ann, whose first password is changed while the next request looks at it."""
    sessions.set_password(world.ledger, ann, "ann", FIRST)
    right = passwords.is_password

    def slow(kept: str | None, password: str) -> bool:
        monkeypatch.setattr(passwords, "is_password", right)
        sessions.set_password(world.ledger, ann, "ann", SECOND, FIRST)
        return right(kept, password)

    monkeypatch.setattr(passwords, "is_password", slow)
    return ann


@pytest.mark.holds("a password is changed while somebody signs in with the old one")
@pytest.mark.usefixtures("overtaken")
def test_a_password_that_changes_meanwhile_opens_nothing(world: World) -> None:
    stranger = Caller("", None, ())
    enter = partial(sessions.enter_by_password, world.ledger, stranger, Asked("late"), "ann")
    assert refusal(lambda: enter(FIRST)) == "login_wrong"
    assert enter(SECOND).token is not None


def test_a_password_that_changes_meanwhile_is_not_changed_by_the_old_one(
    world: World, overtaken: Caller
) -> None:
    change = partial(sessions.set_password, world.ledger, overtaken, "ann", THIRD)
    assert refusal(lambda: change(FIRST)) == "old_password_wrong"
    assert change(SECOND) is None


@pytest.mark.holds("the answer to a new password is lost, and it is sent again")
def test_a_password_that_is_set_again_is_set(world: World, ann: Caller) -> None:
    """The first one six times at once, and a change twice, each has one answer: it is so."""
    first = partial(sessions.set_password, world.ledger, ann, "ann", FIRST)
    with ThreadPoolExecutor(6) as pool:
        asked = [pool.submit(first) for _ in range(6)]
    assert [one.result() for one in asked] == [None] * 6

    change = partial(sessions.set_password, world.ledger, ann, "Ann", SECOND, FIRST)
    assert [change(), change()] == [None, None]
    assert refusal(lambda: sessions.set_password(world.ledger, ann, "anna", SECOND, FIRST)) == (
        "old_password_wrong"
    )
    assert refusal(first) == "old_password_wrong"


def test_first_uses_of_a_key_at_once_are_one(world: World) -> None:
    """Given a key that eight requests use first and at once, then none of them fails."""
    start = Barrier(8)

    def use(at: int) -> None:
        with world.database.read() as connection:
            assert access.last_use(connection, "key_new") == 0
        start.wait()
        with world.database.write() as connection:
            access.keep_use(connection, "key_new", at)

    with ThreadPoolExecutor(8) as pool:
        used = [pool.submit(use, at) for at in range(1, 9)]
    assert [one.result() for one in used] == [None] * 8
    with world.database.read() as connection:
        assert access.last_use(connection, "key_new") in range(1, 9)


def test_a_session_that_ends_meanwhile_changes_no_password(
    world: World, ann: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ann.session is not None
    session, kept = ann.session, passwords.password_hash

    def slow(password: str) -> str:
        sessions.end_session(world.ledger, ann, session)
        return kept(password)

    monkeypatch.setattr(passwords, "password_hash", slow)
    code = refusal(lambda: sessions.set_password(world.ledger, ann, "ann", "the first long one"))
    assert code == "key_invalid"
    with world.ledger.database.read() as connection:
        assert people.find_login(connection, "ann") is None


def test_what_is_no_key_cannot_be_revoked(world: World) -> None:
    with world.ledger.database.read() as connection:
        assert not access.has_ended(connection, "operator", world.now)
