"""How often one may ask: by address, by key, and to sign in; told in the headers of every answer.

A quota is so many requests in a minute that begins with the first of them. An address is
counted before anything is looked up, a key once it was found right, so that nobody can use up
another's quota with a wrong secret. Where the store of the counts cannot be reached nothing is
counted and everybody is let in: a limit must not stop the ledger.
"""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address
from math import ceil

import structlog
from flask import Flask, Response, current_app, g, request
from limits import RateLimitItemPerMinute
from limits.errors import StorageError
from limits.storage import storage_from_string
from limits.strategies import FixedWindowRateLimiter

from ledger.refusal import Refused

EXTENSION = "paizhang-limits"
LIMITED = "/v1/"
WINDOW = 60
PATIENCE = 0.5
BLIND = 5
"""How many seconds a store that did not answer is left alone."""
KEY = "key"
ADDRESS = "address"
SIGN_IN = "sign-in"
log = structlog.get_logger()


@dataclass(frozen=True)
class Limits:
    """How many requests a minute are let in, and where they are counted."""

    per_key: int = 6000
    per_address: int = 12000
    sign_ins_per_address: int = 60
    sign_ins_per_login: int = 10
    store: str = field(default="memory://", repr=False)


@dataclass(frozen=True)
class Quota:
    """How it stands with one quota of a caller's: what is left of it, and for how many seconds."""

    policy: str
    amount: int
    left: int
    seconds: int


class Counts:
    """The requests of the running minutes."""

    def __init__(self, limits: Limits) -> None:
        """Count in the store of the limits; it is reached at the first request."""
        waits = {} if limits.store.startswith("memory:") else _waits()
        self.limits = limits
        self._windows = FixedWindowRateLimiter(
            storage_from_string(limits.store, wrap_exceptions=True, **waits)
        )
        self._blind_until = 0.0

    def count(self, policy: str, amount: int, kind: str, subject: str) -> None:
        """Count a request against one quota; refuses it when the quota is used up."""
        if time.monotonic() < self._blind_until:
            return
        window = RateLimitItemPerMinute(amount)
        names = (policy, kind, hashlib.sha256(subject.encode()).hexdigest())
        try:
            let_in = self._windows.hit(window, *names)
            reset, left = self._windows.get_window_stats(window, *names)
        except StorageError as fault:
            self._blind_until = time.monotonic() + BLIND
            log.warning("rate_store_unreachable", error=repr(fault.__cause__))
            return
        quota = Quota(policy, amount, left, max(0, ceil(reset - time.time())))
        _quotas().append(quota)
        if not let_in:
            raise Refused("rate_limited", seconds=max(1, quota.seconds))


def limit(app: Flask, limits: Limits) -> None:
    """Limit the requests to an application's API; its health and its docs are free."""
    app.extensions[EXTENSION] = Counts(limits)
    app.before_request(_count_address)
    app.after_request(_tell)


def count_caller(actor: str) -> None:
    """Count the request of a caller whose key was found right; refuses one too many."""
    counts = _counts()
    counts.count(KEY, counts.limits.per_key, "key", actor)


def attempt_sign_in(login: str) -> None:
    """Count an attempt to sign in, before its password is looked at; refuses one too many.

    A login is counted by address, so that nobody locks another out from a place of his own.
    """
    counts, address = _counts(), _address()
    counts.count(SIGN_IN, counts.limits.sign_ins_per_address, "address", address)
    counts.count(SIGN_IN, counts.limits.sign_ins_per_login, "login", f"{address} {login}")


def attempt_password(person: str) -> None:
    """Count an attempt to change a password; refuses one too many."""
    counts = _counts()
    counts.count(SIGN_IN, counts.limits.sign_ins_per_login, "person", person)


def _waits() -> dict[str, float]:
    return {"socket_timeout": PATIENCE, "socket_connect_timeout": PATIENCE}


def _count_address() -> None:
    if request.path.startswith(LIMITED):
        counts = _counts()
        counts.count(ADDRESS, counts.limits.per_address, "address", _address())


def _address() -> str:
    """Where a request comes from; of IPv6 the network, for its users have 2^64 addresses each.

    A proxy may write a port behind it. What is no address at all is one and the same nowhere.
    """
    text = request.remote_addr or ""
    host, _, port = text.rpartition(":")
    with_port = port.isdecimal() and ("." in host or host.endswith("]"))
    try:
        address = ip_address(host.strip("[]") if with_port else text.strip("[]"))
    except ValueError:
        return "nowhere"
    if isinstance(address, IPv6Address):
        return str(address.ipv4_mapped or int(address) >> 64)
    return str(address)


def _tell(response: Response) -> Response:
    """Say how it stands with the quota that is nearest to its end."""
    if _quotas():
        told = min(_quotas(), key=lambda quota: quota.left)
        response.headers["RateLimit-Policy"] = f'"{told.policy}";q={told.amount};w={WINDOW}'
        response.headers["RateLimit"] = f'"{told.policy}";r={told.left};t={told.seconds}'
    return response


def _counts() -> Counts:
    counts: Counts = current_app.extensions[EXTENSION]
    return counts


def _quotas() -> list[Quota]:
    """The quotas that this request was counted against."""
    quotas: list[Quota] = g.setdefault("quotas", [])
    return quotas
