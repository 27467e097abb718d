"""The role of the service: made under any name, and never one that may do more."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from psycopg import errors
from sqlalchemy import make_url

from ledger.database import make_role
from ledger.refusal import Refused

Administer = Callable[..., object]


@pytest.fixture
def role(request: pytest.FixtureRequest, administer: Administer, worker_id: str) -> Iterator[str]:
    """A name that no role has yet; asked for before the database, which goes first."""
    name = f"{worker_id} {request.param}"
    yield name
    administer("DROP ROLE {}", name)


def connect(url: str, role: str, password: str | None) -> psycopg.Connection[tuple[object, ...]]:
    place = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
    return psycopg.connect(place, user=role, password=password)


@pytest.mark.parametrize("role", ["a%b", "a%%b", "a%sb", "\"q\" 's'; --", "角色"], indirect=True)
def test_a_role_may_have_any_name(
    role: str, owner_url_of_postgresql: str, administer: Administer
) -> None:
    """It reads events and adds to them, and does not change them."""
    password = make_role(owner_url_of_postgresql, role)
    assert make_role(owner_url_of_postgresql, role) is None
    assert make_role(owner_url_of_postgresql, role, anew=True) not in (None, password)
    administer("GRANT CONNECT ON DATABASE {} TO {}", _name(owner_url_of_postgresql), role)
    with connect(owner_url_of_postgresql, role, password) as connection:
        assert connection.execute("SELECT current_user, count(*) FROM events").fetchone() == (
            role,
            0,
        )
        with pytest.raises(errors.InsufficientPrivilege):
            connection.execute("UPDATE events SET actor = ''")


@pytest.mark.parametrize("role", ["once"], indirect=True)
def test_a_role_that_is_made_at_once_is_made_once(role: str, owner_url_of_postgresql: str) -> None:
    """Of four who make it one is told its password, and none fails."""
    with ThreadPoolExecutor(4) as pool:
        told = list(pool.map(lambda _: make_role(owner_url_of_postgresql, role), range(4)))
    assert told.count(None) == 3


@pytest.mark.parametrize("name", ["", "public", "NONE", "pg_mine", "x" * 64, "角" * 22])
def test_what_can_be_no_role_is_refused(owner_url_of_postgresql: str, name: str) -> None:
    with pytest.raises(Refused, match="role_unfit"):
        make_role(owner_url_of_postgresql, name)


@pytest.mark.parametrize("role", ["heir"], indirect=True)
def test_who_may_act_as_the_owner_is_refused(
    role: str, owner_url_of_postgresql: str, administer: Administer
) -> None:
    """The owner himself, here a superuser too, and a member of his role: they keep all rights."""
    owner = make_url(owner_url_of_postgresql).username or ""
    administer("CREATE ROLE {}", role)
    administer("GRANT {} TO {}", owner, role)
    for name in (owner, role):
        with pytest.raises(Refused, match="role_unfit"):
            make_role(owner_url_of_postgresql, name)


def _name(url: str) -> str:
    return make_url(url).database or ""
