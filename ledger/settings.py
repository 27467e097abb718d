"""Settings: what the environment says, read once, and refused by name where it is wrong.

Every variable stands in docs/settings.md. Reading settings touches no folder and opens nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from platformdirs import user_data_dir

from ledger.refusal import Refused

SECRETS = (
    "PAIZHANG_DATABASE_URL",
    "PAIZHANG_BROKER_URL",
    "PAIZHANG_OPERATOR_TOKEN",
    "PAIZHANG_RATE_STORE",
)
"""What may hold a password: it may come from a file, and a refusal never repeats it."""

LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
DRILLS = ("auto", "always", "never")
DATABASES = {
    "sqlite": "sqlite",
    "postgres": "postgresql+psycopg",
    "postgresql": "postgresql+psycopg",
    "postgresql+psycopg": "postgresql+psycopg",
}
BROKERS = ("filesystem", "redis", "rediss", "amqp", "amqps")
RATE_STORES = ("memory", "redis", "rediss")
LAST_PORT = 65535
A_DAY = 86400
MANY = 1000
MOST_REQUESTS = 1_000_000
MOST_PROXIES = 10
LONGEST_NUMBER = 9


@dataclass(frozen=True)
class Settings:
    """What one installation runs with; secrets stay out of its printed form."""

    data: Path
    database_url: str = field(repr=False)
    broker_url: str = field(repr=False)
    signing_key: Path
    operator_token: str | None = field(default=None, repr=False)
    host: str = "127.0.0.1"
    port: int = 8000
    sweep_seconds: int = 2
    lease_seconds: int = 60
    max_attempts: int = 5
    log_level: str = "WARNING"
    rate_per_key: int = 6000
    rate_per_address: int = 12000
    sign_ins_per_address: int = 60
    rate_store: str = field(default="memory://", repr=False)
    proxies: int = 0
    pg_bin: str | None = None
    drill: str = "auto"
    export_days: int = 7


def load(environ: Mapping[str, str]) -> Settings:
    """The settings that an environment asks for; refuses a wrong value (`setting_invalid`)."""
    given = _given(environ)
    data = Path(given.get("PAIZHANG_DATA") or user_data_dir("paizhang", appauthor=False))
    data = data.expanduser().absolute()
    key = Path(given.get("PAIZHANG_SIGNING_KEY") or data / "signing.key")
    return Settings(
        data=data,
        signing_key=key.expanduser().absolute(),
        database_url=_database_url(
            given.get("PAIZHANG_DATABASE_URL") or f"sqlite:///{data}/paizhang.db"
        ),
        broker_url=_url(given, "PAIZHANG_BROKER_URL", "filesystem://", BROKERS),
        operator_token=given.get("PAIZHANG_OPERATOR_TOKEN"),
        host=given.get("PAIZHANG_HOST", Settings.host),
        port=_whole(given, "PAIZHANG_PORT", Settings.port, LAST_PORT),
        sweep_seconds=_whole(given, "PAIZHANG_SWEEP_SECONDS", Settings.sweep_seconds, A_DAY),
        lease_seconds=_whole(given, "PAIZHANG_LEASE_SECONDS", Settings.lease_seconds, A_DAY),
        max_attempts=_whole(given, "PAIZHANG_MAX_ATTEMPTS", Settings.max_attempts, MANY),
        log_level=_log_level(given.get("PAIZHANG_LOG_LEVEL", Settings.log_level)),
        rate_per_key=_whole(given, "PAIZHANG_RATE_PER_KEY", Settings.rate_per_key, MOST_REQUESTS),
        rate_per_address=_whole(
            given, "PAIZHANG_RATE_PER_ADDRESS", Settings.rate_per_address, MOST_REQUESTS
        ),
        sign_ins_per_address=_whole(
            given, "PAIZHANG_SIGN_INS_PER_ADDRESS", Settings.sign_ins_per_address, MOST_REQUESTS
        ),
        rate_store=_url(given, "PAIZHANG_RATE_STORE", Settings.rate_store, RATE_STORES),
        proxies=_whole(given, "PAIZHANG_PROXIES", Settings.proxies, MOST_PROXIES, least=0),
        pg_bin=given.get("PAIZHANG_PG_BIN"),
        drill=_drill(given.get("PAIZHANG_DRILL", Settings.drill)),
        export_days=_whole(given, "PAIZHANG_EXPORT_DAYS", Settings.export_days, MANY),
    )


def _given(environ: Mapping[str, str]) -> dict[str, str]:
    """The values by name, with the secrets that lie in files; an empty one is not given."""
    given = {name: value.strip() for name, value in environ.items() if value.strip()}
    for name in SECRETS:
        path = given.get(f"{name}_FILE")
        if path and name in given:
            raise _invalid(f"{name}_FILE", path, f"unset while {name} is set")
        if path:
            given[name] = _from_file(name, path)
    return given


def _from_file(name: str, path: str) -> str:
    """The secret that a file holds, without the line end an editor leaves."""
    try:
        secret = Path(path).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        secret = ""
    if not secret:
        raise _invalid(f"{name}_FILE", path, "a text file that can be read and is not empty")
    return secret


def _database_url(url: str) -> str:
    """The URL with the driver that this house uses; a SQLite database must be a file."""
    scheme, _, place = url.partition("://")
    file = place.removeprefix("/")
    in_file = place.startswith("/") and file != "" and ":memory:" not in file
    if scheme not in DATABASES or (scheme == "sqlite" and not in_file):
        raise _invalid(
            "PAIZHANG_DATABASE_URL", "***", "sqlite:///<file> or postgresql://<server>/<name>"
        )
    return _parsed("PAIZHANG_DATABASE_URL", f"{DATABASES[scheme]}://{place}")


def _url(given: Mapping[str, str], name: str, default: str, schemes: tuple[str, ...]) -> str:
    """The URL of a server of one of the kinds that we can speak to."""
    url = given.get(name, default)
    scheme, found, _ = url.partition("://")
    if not found or scheme not in schemes:
        raise _invalid(name, "***", ", ".join(f"{known}://" for known in schemes))
    return _parsed(name, url)


def _parsed(name: str, url: str) -> str:
    """A URL whose port is a number, as is every number that SQLite is asked for."""
    parts = urlsplit(url)
    numbers = parse_qs(parts.query).get("timeout", [])
    try:
        _ = parts.port
        _ = [float(number) for number in numbers]
    except ValueError:
        raise _invalid(name, "***", "a URL whose port and timeout are numbers") from None
    return url


def _whole(given: Mapping[str, str], name: str, default: int, most: int, *, least: int = 1) -> int:
    """A whole number within bounds."""
    value = given.get(name, str(default))
    written = value.isascii() and value.isdigit() and len(value) <= LONGEST_NUMBER
    if not (written and least <= int(value) <= most):
        raise _invalid(name, value[:40], f"a whole number from {least} to {most}")
    return int(value)


def _log_level(value: str) -> str:
    """A level by its name, in capitals or not."""
    if value.upper() not in LOG_LEVELS:
        raise _invalid("PAIZHANG_LOG_LEVEL", value, ", ".join(LOG_LEVELS))
    return value.upper()


def _drill(value: str) -> str:
    """Whether restoring is tried every day: where it can be, always, or never."""
    if value not in DRILLS:
        raise _invalid("PAIZHANG_DRILL", value[:40], ", ".join(DRILLS))
    return value


def _invalid(name: str, value: str, allowed: str) -> Refused:
    """The refusal of a variable, by its name and with what is allowed."""
    return Refused("setting_invalid", name=name, value=value, allowed=allowed)
