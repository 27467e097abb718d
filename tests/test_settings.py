"""Settings: what the environment may say, and what it is told when it says it wrongly."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from ledger.refusal import Refused
from ledger.settings import SECRETS, Settings, load

DOCS = Path(__file__).parent.parent / "docs" / "settings.md"


def refused(environ: dict[str, str]) -> dict[str, object]:
    """What a wrong environment is told."""
    with pytest.raises(Refused, match="setting_invalid") as refusal:
        load(environ)
    return refusal.value.params


def test_defaults(tmp_path: Path) -> None:
    """With nothing but a folder, everything is embedded in it and listens on this machine."""
    assert load({"PAIZHANG_DATA": str(tmp_path)}) == Settings(
        data=tmp_path,
        database_url=f"sqlite:///{tmp_path}/paizhang.db",
        broker_url="filesystem://",
        signing_key=tmp_path / "signing.key",
        host="127.0.0.1",
        port=8000,
        sweep_seconds=2,
        lease_seconds=60,
        max_attempts=5,
        log_level="WARNING",
        rate_per_key=6000,
        rate_per_address=12000,
        sign_ins_per_address=60,
        rate_store="memory://",
        proxies=0,
    )


def test_default_folder() -> None:
    """Without a folder the user's own data folder is taken."""
    data = load({}).data

    assert data.is_absolute()
    assert data.name == "paizhang"


def test_everything_given(tmp_path: Path) -> None:
    """Every setting can be given."""
    environ = {
        "PAIZHANG_DATA": str(tmp_path),
        "PAIZHANG_DATABASE_URL": "postgresql+psycopg://club:secret@db/ledger",
        "PAIZHANG_BROKER_URL": "redis://queue:6379/0",
        "PAIZHANG_HOST": "0.0.0.0",
        "PAIZHANG_PORT": "65535",
        "PAIZHANG_SWEEP_SECONDS": "10",
        "PAIZHANG_LEASE_SECONDS": "120",
        "PAIZHANG_MAX_ATTEMPTS": "1",
        "PAIZHANG_LOG_LEVEL": "debug",
        "PAIZHANG_RATE_PER_KEY": "60",
        "PAIZHANG_RATE_PER_ADDRESS": "600",
        "PAIZHANG_SIGN_INS_PER_ADDRESS": "7",
        "PAIZHANG_RATE_STORE": "redis://:secret@counts:6379/1",
        "PAIZHANG_PROXIES": "2",
        "PAIZHANG_PG_BIN": "/opt/postgresql/bin",
        "PAIZHANG_DRILL": "always",
        "PAIZHANG_EXPORT_DAYS": "30",
        "PAIZHANG_SIGNING_KEY": "/etc/paizhang/signing.key",
    }

    assert load(environ) == Settings(
        data=tmp_path,
        database_url="postgresql+psycopg://club:secret@db/ledger",
        broker_url="redis://queue:6379/0",
        signing_key=Path("/etc/paizhang/signing.key"),
        host="0.0.0.0",
        port=65535,
        sweep_seconds=10,
        lease_seconds=120,
        max_attempts=1,
        log_level="DEBUG",
        rate_per_key=60,
        rate_per_address=600,
        sign_ins_per_address=7,
        rate_store="redis://:secret@counts:6379/1",
        proxies=2,
        pg_bin="/opt/postgresql/bin",
        drill="always",
        export_days=30,
    )


def test_empty_is_not_given() -> None:
    """An empty value, as compose files leave it, is no value."""
    assert load({"PAIZHANG_PORT": "", "PAIZHANG_BROKER_URL": " "}) == load({})


def test_others_variables_are_not_read() -> None:
    """Only variables with our prefix count."""
    assert load({"PORT": "1", "DATABASE_URL": "nonsense"}) == load({})


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_postgresql_driver(scheme: str) -> None:
    """However a user writes PostgreSQL, the driver is psycopg."""
    url = load({"PAIZHANG_DATABASE_URL": f"{scheme}://club@db/ledger"}).database_url

    assert url == "postgresql+psycopg://club@db/ledger"


@pytest.mark.parametrize("name", ["DATABASE_URL", "BROKER_URL"])
def test_secret_from_a_file(tmp_path: Path, name: str) -> None:
    """A secret may lie in a file, with the line end that an editor leaves."""
    url = {"DATABASE_URL": "sqlite:////srv/ledger.db", "BROKER_URL": "amqp://u:p@mq//"}[name]
    (tmp_path / "secret").write_text(url + "\n", encoding="utf-8")

    settings = load({f"PAIZHANG_{name}_FILE": str(tmp_path / "secret")})

    assert url in (settings.database_url, settings.broker_url)


@pytest.mark.parametrize("content", [None, b"", b"\n", b"\xff"])
def test_secret_file_that_holds_none(tmp_path: Path, content: bytes | None) -> None:
    """A secret's file that is missing, empty or no text is refused by name."""
    path = tmp_path / "secret"
    if content is not None:
        path.write_bytes(content)

    assert refused({"PAIZHANG_DATABASE_URL_FILE": str(path)}) == {
        "name": "PAIZHANG_DATABASE_URL_FILE",
        "value": str(path),
        "allowed": "a text file that can be read and is not empty",
    }


def test_secret_given_twice() -> None:
    """A secret comes from one place."""
    environ = {"PAIZHANG_BROKER_URL": "redis://queue", "PAIZHANG_BROKER_URL_FILE": "/run/secret"}

    assert refused(environ) == {
        "name": "PAIZHANG_BROKER_URL_FILE",
        "value": "/run/secret",
        "allowed": "unset while PAIZHANG_BROKER_URL is set",
    }


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("PORT", "tcp://10.0.0.1:80", "a whole number from 1 to 65535"),
        ("PORT", "0", "a whole number from 1 to 65535"),
        ("PORT", "65536", "a whole number from 1 to 65535"),
        ("PORT", "８０", "a whole number from 1 to 65535"),
        ("SWEEP_SECONDS", "0.5", "a whole number from 1 to 86400"),
        ("LEASE_SECONDS", "-1", "a whole number from 1 to 86400"),
        ("MAX_ATTEMPTS", "never", "a whole number from 1 to 1000"),
        ("LOG_LEVEL", "LOUD", "DEBUG, INFO, WARNING, ERROR"),
        ("RATE_PER_KEY", "0", "a whole number from 1 to 1000000"),
        ("RATE_PER_ADDRESS", "1000001", "a whole number from 1 to 1000000"),
        ("DRILL", "on", "auto, always, never"),
        ("PROXIES", "-1", "a whole number from 0 to 10"),
        ("PROXIES", "11", "a whole number from 0 to 10"),
    ],
)
def test_wrong_value(name: str, value: str, allowed: str) -> None:
    """A wrong value is refused by its variable's name and with what is allowed."""
    assert refused({f"PAIZHANG_{name}": value}) == {
        "name": f"PAIZHANG_{name}",
        "value": value,
        "allowed": allowed,
    }


@pytest.mark.parametrize(
    "url", ["mysql://root:secret@db/x", "secret", "sqlite://", "sqlite:///", "sqlite:///:memory:"]
)
def test_wrong_database(url: str) -> None:
    """Another database, or one that is not kept, is refused without repeating its password."""
    assert refused({"PAIZHANG_DATABASE_URL": url}) == {
        "name": "PAIZHANG_DATABASE_URL",
        "value": "***",
        "allowed": "sqlite:///<file> or postgresql://<server>/<name>",
    }


@pytest.mark.parametrize("url", ["memory://", "redis", "sqs://key:secret@"])
def test_wrong_broker(url: str) -> None:
    """Another broker is refused without repeating its password."""
    assert refused({"PAIZHANG_BROKER_URL": url}) == {
        "name": "PAIZHANG_BROKER_URL",
        "value": "***",
        "allowed": "filesystem://, redis://, rediss://, amqp://, amqps://",
    }


@pytest.mark.parametrize("url", ["filesystem://", "redis", "memcached://key:secret@"])
def test_wrong_rate_store(url: str) -> None:
    """Another store of counts is refused without repeating its password."""
    assert refused({"PAIZHANG_RATE_STORE": url}) == {
        "name": "PAIZHANG_RATE_STORE",
        "value": "***",
        "allowed": "memory://, redis://, rediss://",
    }


def test_secrets_are_not_printed() -> None:
    """Printed settings show no password."""
    settings = load(
        {
            "PAIZHANG_DATABASE_URL": "postgresql://club:secret@db/ledger",
            "PAIZHANG_RATE_STORE": "redis://:secret@counts",
        }
    )

    assert "secret" not in repr(settings)


def test_every_variable_is_documented() -> None:
    """docs/settings.md has a row for each variable, and no other."""
    rows = re.findall(r"^\| `(PAIZHANG_\w+)` \|", DOCS.read_text(encoding="utf-8"), re.MULTILINE)

    names = [f"PAIZHANG_{field.name.upper()}" for field in fields(Settings)]
    assert sorted(rows) == sorted(names + [f"{name}_FILE" for name in SECRETS])


def test_documented_defaults() -> None:
    """The defaults in docs/settings.md are those of the code."""
    text = DOCS.read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `PAIZHANG_(\w+)` \| `([^`]+)` \|", text, re.MULTILINE))

    plain = {name: str(getattr(Settings, name.lower())) for name in rows}
    assert rows == plain
    assert sorted(rows) == [
        "DRILL",
        "EXPORT_DAYS",
        "HOST",
        "LEASE_SECONDS",
        "LOG_LEVEL",
        "MAX_ATTEMPTS",
        "PORT",
        "PROXIES",
        "RATE_PER_ADDRESS",
        "RATE_PER_KEY",
        "RATE_STORE",
        "SIGN_INS_PER_ADDRESS",
        "SWEEP_SECONDS",
    ]


@pytest.mark.parametrize(
    ("name", "url"),
    [
        ("PAIZHANG_DATABASE_URL", "postgresql://localhost:notaport/x"),
        ("PAIZHANG_DATABASE_URL", "sqlite:////srv/ledger.db?timeout=abc"),
        ("PAIZHANG_BROKER_URL", "redis://localhost:notaport"),
        ("PAIZHANG_RATE_STORE", "redis://localhost:notaport"),
    ],
)
def test_a_url_with_a_word_for_a_number(name: str, url: str) -> None:
    """A URL that no driver could read is refused at the start, without its words."""
    assert refused({name: url}) == {
        "name": name,
        "value": "***",
        "allowed": "a URL whose port and timeout are numbers",
    }


def test_a_number_without_end() -> None:
    """A number longer than any that is allowed is refused like another wrong one."""
    assert refused({"PAIZHANG_PORT": "9" * 5000})["allowed"] == "a whole number from 1 to 65535"
