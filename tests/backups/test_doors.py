"""Keys and memberships of a backup are those that the events of its clubs made."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ledger import access, acts
from ledger.acts import Desk
from ledger.demo import DemoClub
from tests.backups.conftest import back_up, faulty, meddle, run
from wsgi import House

A_KEY = (
    "INSERT INTO keys (key, club, secret_hash, roles, label, created_at) "
    "VALUES ('key_ghost', :club, x'00', 'owner', 'ghost', 1)"
)


def fault(house: House, folder: Path) -> str:
    """What a drill of a new backup finds first."""
    return faulty(run(house, "restore", back_up(house, folder), "--check"))


def of_key(club: str, key: str) -> str:
    return f"In {club} the key {key} is not one that its log has, or is another there."


def of_membership(club: str, name: str) -> str:
    return f"In {club} the membership {name} is not one of its log, or another there."


@pytest.fixture
def key(sqlite_house: House, sqlite_club: DemoClub) -> str:
    """A key of the club that was revoked."""
    desk = Desk(sqlite_house.ledger(), access.operator(), sqlite_club.club)
    made = acts.issue_key(desk, ("auditor",), "for a day").key
    acts.revoke_key(desk, made)
    return made


@pytest.fixture
def membership(sqlite_house: House, sqlite_club: DemoClub) -> str:
    """An invitation as a manager that waits."""
    words = ("person", "invite", sqlite_club.club, "--role", "manager", "--label", "Ben", "--json")
    return str(json.loads(run(sqlite_house, *words).stdout)["membership"])


def test_keys_and_memberships_that_events_made_are_no_fault(
    sqlite_house: House, key: str, membership: str, tmp_path: Path
) -> None:
    """Given a key that was revoked and an invitation that waits, then nothing is wrong."""
    checked = run(sqlite_house, "restore", back_up(sqlite_house, tmp_path), "--check")
    assert checked.exit_code == 0, checked.output


@pytest.mark.holds("a key was put into a database by hand before its backup")
def test_a_key_that_no_event_made_is_found(
    sqlite_house: House, sqlite_club: DemoClub, tmp_path: Path
) -> None:
    """The log tells of every key; one beside it opens the club to nobody knows whom."""
    meddle(sqlite_house, A_KEY, club=sqlite_club.club)
    assert fault(sqlite_house, tmp_path) == of_key(sqlite_club.club, "key_ghost")


def test_a_key_of_a_club_that_is_not_there_is_found(
    sqlite_house: House, sqlite_club: DemoClub, tmp_path: Path
) -> None:
    assert sqlite_club
    meddle(sqlite_house, A_KEY, club="club_ghost")
    assert fault(sqlite_house, tmp_path) == of_key("club_ghost", "key_ghost")


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE keys SET revoked_at = NULL WHERE key = :key",
        "UPDATE keys SET roles = 'owner' WHERE key = :key",
        "UPDATE keys SET member = 'mem_1' WHERE key = :key",
        "UPDATE keys SET expires_at = 1 WHERE key = :key",
        "DELETE FROM keys WHERE key = :key",
    ],
)
def test_a_key_that_is_another_than_its_events_tell_is_found(
    sqlite_house: House, sqlite_club: DemoClub, key: str, change: str, tmp_path: Path
) -> None:
    """Its roles, its member, whether and when it ends; and that it is there."""
    meddle(sqlite_house, change, key=key)
    assert fault(sqlite_house, tmp_path) == of_key(sqlite_club.club, key)


@pytest.mark.holds("roles were given in a database by hand before its backup")
@pytest.mark.parametrize(
    "change",
    [
        "UPDATE memberships SET roles = 'owner' WHERE membership = :name",
        "UPDATE memberships SET person = 'per_1' WHERE membership = :name",
        "UPDATE memberships SET member = 'mem_1' WHERE membership = :name",
        "UPDATE memberships SET revoked_at = 1 WHERE membership = :name",
        "DELETE FROM memberships WHERE membership = :name",
    ],
)
def test_a_membership_that_is_another_than_its_events_tell_is_found(
    sqlite_house: House, sqlite_club: DemoClub, membership: str, change: str, tmp_path: Path
) -> None:
    """Its roles, whose it is, as which member, and whether it was taken back."""
    meddle(sqlite_house, change, name=membership)
    assert fault(sqlite_house, tmp_path) == of_membership(sqlite_club.club, membership)
