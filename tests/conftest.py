"""What every test may ask for: a fresh, migrated database on SQLite or PostgreSQL, and a broker.

A run under xdist starts its servers once, in the controller, and the workers find them in the
environment; a run without workers starts each when the first test asks for it.
"""

import gc
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from itertools import count
from pathlib import Path

import psycopg
import pytest
import redis
from argon2 import PasswordHasher
from hypothesis import settings
from psycopg.sql import SQL, Identifier
from sqlalchemy.engine import make_url

from ledger import passwords
from tests import servers
from tests.fresh import fresh, learned_once

settings.register_profile("quick", deadline=None, print_blob=True)
settings.register_profile("ci", settings.get_profile("quick"), derandomize=True)
settings.register_profile("deep", settings.get_profile("quick"), max_examples=2000)
settings.load_profile("ci" if os.environ.get("CI") else "quick")

Administer = Callable[..., object]
NUMBERS = count(1)
VALKEY_DATABASES = 16

NOBODY = passwords._NOBODY
"""The hash against which an unknown login is tried, as it is at work."""

KINDS = ["sqlite", pytest.param("postgresql", marks=pytest.mark.deep)]
"""The databases for tests of what stands above the store: what differs between the two is held by
the tests of the store, of `perform`, of the projections and of backups, so the second one is for
`make test-deep`. What many do at once is tried on both."""

NO_KEY = Path("/nowhere/signing.key")
"""Where there is no signing key, and none can be made."""


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("numprocesses", None):
        started = ExitStack()
        config.add_cleanup(started.close)
        os.environ["PAIZHANG_TEST_POSTGRES"] = started.enter_context(servers.postgres())
        os.environ["PAIZHANG_TEST_VALKEY"] = started.enter_context(servers.valkey())


@pytest.fixture(scope="session", autouse=True)
def dear_passwords() -> Iterator[PasswordHasher]:
    """The real hasher of passwords, which takes a fifth of a second each time; others are cheap.

    tests/test_passwords.py holds what it costs.
    """
    dear, cheap = passwords._HASHER, PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "_HASHER", cheap)
        patch.setattr(passwords, "_NOBODY", cheap.hash(""))
        yield dear


@pytest.fixture(scope="session", autouse=True)
def rubbish_is_seldom_looked_for() -> None:
    """What was imported stays, and most of what tests make goes by itself."""
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)


@pytest.fixture(scope="session", autouse=True)
def quick_engines() -> Iterator[None]:
    """Engines that know the statements of the tests before."""
    with learned_once():
        yield


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> str:
    """A fresh, migrated database; a test that asks for it runs once on each kind."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """A fresh, migrated SQLite file."""
    return fresh(tmp_path / "paizhang.sqlite3")


@pytest.fixture
def postgresql_url(
    postgres_role: str, postgres_template: str, administer: Administer
) -> Iterator[str]:
    """A fresh, migrated PostgreSQL database for the application's role, dropped after the test."""
    name = f"{postgres_template}_{next(NUMBERS)}"
    administer("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY", name, postgres_template)
    yield address(postgres_role, name)
    administer("DROP DATABASE {} WITH (FORCE)", name)


@pytest.fixture
def valkey_url(valkey_server: str, worker_id: str) -> str:
    """An empty Valkey database for this worker alone, as a Redis address."""
    number = int(worker_id.removeprefix("gw")) if worker_id.startswith("gw") else 0
    assert number < VALKEY_DATABASES, "more workers than Valkey has databases"
    url = f"{valkey_server}/{number}"
    with closing(redis.Redis.from_url(url)) as client:
        client.flushdb()
    return url


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated SQLite file with its write-ahead log folded in, ready to be copied."""
    template = tmp_path_factory.mktemp("sqlite") / "template.sqlite3"
    fresh(template)
    return template


@pytest.fixture(scope="session")
def postgres_template(
    postgres_server: str, administer: Administer, testrun_uid: str, worker_id: str
) -> Iterator[str]:
    """The name of a migrated database, this worker's own, that PostgreSQL can copy."""
    from ledger.database import upgrade

    name = f"test_{testrun_uid[:12]}_{worker_id}"
    administer("CREATE DATABASE {}", name)
    upgrade(address(postgres_server, name))
    yield name
    administer("DROP DATABASE {} WITH (FORCE)", name)
    administer("DROP ROLE IF EXISTS {}", _role(name))


@pytest.fixture(scope="session")
def postgres_role(postgres_server: str, postgres_template: str) -> str:
    """The address of the server for the role that the application has at work."""
    from ledger.database import make_role

    role = _role(postgres_template)
    password = make_role(address(postgres_server, postgres_template), role)
    url = make_url(postgres_server).set(username=role, password=password)
    return url.render_as_string(hide_password=False)


def _role(template: str) -> str:
    return f"{template}_app"


@pytest.fixture(scope="session")
def administer(postgres_server: str) -> Iterator[Administer]:
    """Runs a statement on the server itself, with the names of databases in its `{}`."""
    url = make_url(postgres_server).set(drivername="postgresql")
    with psycopg.connect(url.render_as_string(hide_password=False), autocommit=True) as connection:
        yield lambda statement, *names: connection.execute(
            SQL(statement).format(*map(Identifier, names))
        )


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    with servers.postgres() as url:
        yield url


@pytest.fixture(scope="session")
def valkey_server() -> Iterator[str]:
    with servers.valkey() as url:
        yield url


@pytest.fixture
def owner_url(database_url: str, postgres_server: str) -> str:
    """The same database for its owner, who is bound by no role; a SQLite file has but one."""
    url = make_url(database_url)
    if url.get_backend_name() == "sqlite":
        return database_url
    assert url.database is not None
    return address(postgres_server, url.database)


def address(server: str, database: str) -> str:
    return make_url(server).set(database=database).render_as_string(hide_password=False)
