"""What people ask of the ledger, made into orders: found a club, make a key, open a table.

Each act goes through `perform`; what belongs to it outside of events (names, texts, a key's
hash) is written in the same transaction. A command id with the same request is done once: the
ids of new things are made from it, so a repeated act names the same thing.
"""

from __future__ import annotations

import hashlib
from typing import Any
from zoneinfo import ZoneInfo

from msgspec import Struct
from sqlalchemy import Connection

from ledger import access, codec, store
from ledger.access import Caller, ClubRow, KeyRow, MemberRow
from ledger.perform import TRIES, Done, Ledger, Order, perform
from ledger.refusal import Refused
from ledger.rules.catalog import ruleset
from ledger.store import Guard
from ledger.streams.club import FoundClub, IssueKey, RevokeKey
from ledger.streams.member import Join, code_text
from ledger.streams.table import Act, CloseTable, Dissolve, OpenTable, StartHand
from ledger.tiles import Tiles

LONGEST_NAME = 64
MEMBER_NUMBER = "member_number"


class Asked(Struct, frozen=True):
    """How an act was asked: the command id, the hash of the request, the version seen."""

    key: str | None = None
    request: bytes = bytes(32)
    expected: int | None = None


class NewKey(Struct, frozen=True):
    """A key just made; its token is shown once, and None in a retry."""

    key: str
    token: str | None


def found_club(
    ledger: Ledger, caller: Caller, asked: Asked, name: str, zone: str, day_cutoff: int
) -> Done:
    """Found a club with its time zone and the cutoff of its business day, in minutes."""
    _check_text("/name", name)
    _check_zone(zone)
    club = _new_id(ledger, caller, asked, "club")
    row = ClubRow(club, name, zone, day_cutoff, ledger.token(32), ledger.clock())
    order = Order(club, "club", (FoundClub(zone, day_cutoff),), *_bound(asked))
    return perform(ledger, caller, order, lambda connection: access.keep_club(connection, row))


def issue_key(
    ledger: Ledger,
    caller: Caller,
    asked: Asked,
    club: str,
    roles: tuple[str, ...],
    label: str,
    member: str | None = None,
    expires_at: int | None = None,
) -> NewKey:
    """Make an API key of a club; its secret is told here and never again."""
    _check_text("/label", label)
    now = ledger.clock()
    if member is not None:
        (member,) = _members(ledger, club, (member,), "/member")
    key, secret = _new_id(ledger, caller, asked, "key"), ledger.token(32).hex()
    kept = ",".join(roles)
    hashed = access.secret_hash(secret)
    row = KeyRow(key, club, hashed, kept, member, label, now, expires_at, None)
    command = IssueKey(key, roles, member, expires_at)
    order = Order(club, "club", (command,), *_bound(asked))
    done = perform(ledger, caller, order, lambda connection: access.keep_key(connection, row))
    return NewKey(key, None if done.replayed else access.bearer(key, secret))


def revoke_key(ledger: Ledger, caller: Caller, asked: Asked, club: str, key: str) -> Done:
    """Make a key useless for ever; one that is so already stays so."""
    now = ledger.clock()
    order = Order(club, "club", (RevokeKey(key),), *_bound(asked))
    return perform(
        ledger, caller, order, lambda connection: access.revoke_key(connection, key, now)
    )


def join_member(ledger: Ledger, caller: Caller, asked: Asked, club: str, name: str) -> Done:
    """Take a person into a club, under the next code that nobody has had."""
    _check_text("/name", name)
    member = _new_id(ledger, caller, asked, "mem")
    for _ in range(TRIES):
        try:
            return _join(ledger, caller, asked, club, member, name)
        except Refused as refusal:
            if refusal.code != "guard_stale":
                raise
    raise Refused("busy")


def _join(ledger: Ledger, caller: Caller, asked: Asked, club: str, member: str, name: str) -> Done:
    with ledger.database.read() as connection:
        last = store.guard(connection, club, MEMBER_NUMBER)
    number = int(last or 0) + 1
    row = MemberRow(club, member, code_text(number), name, ledger.clock())
    guard = Guard(MEMBER_NUMBER, last, str(number))
    order = Order(club, f"member/{member}", (Join(row.code),), *_bound(asked), guards=(guard,))
    return perform(ledger, caller, order, lambda connection: access.keep_member(connection, row))


def open_table(
    ledger: Ledger,
    caller: Caller,
    asked: Asked,
    club: str,
    *,
    ruleset_key: str,
    options: dict[str, Any],
    seats: tuple[str, ...],
    hands: int,
    low_score: int = 0,
    dealer: int | None = None,
    texts: dict[str, str | None] | None = None,
    at: int | None = None,
) -> Done:
    """Open a match. Seats are members' ids or codes; a dealer who is not named is drawn by lot.

    `texts` may hold room, floor and ref; the ref is the sender's own name of the match, unique
    in the club.
    """
    row = _club(ledger, club)
    players = ruleset(ruleset_key, options).players
    named = {name: text for name, text in (texts or {}).items() if text is not None}
    for name, text in named.items():
        _check_text(f"/{name}", text)
    digests = {name: access.text_digest(row, text) for name, text in named.items()}
    command = OpenTable(
        ruleset=ruleset_key,
        options=options,
        seats=_members(ledger, club, seats, "/seats"),
        hands=hands,
        low_score=low_score,
        dealer=ledger.token(1)[0] % players if dealer is None else dealer,
        recorder=caller.actor,
        **digests,
        at=at,
    )
    table = _new_id(ledger, caller, asked, "tbl")
    guards = (Guard(f"ref/{digests['ref']}", None, table),) if "ref" in digests else ()
    order = Order(club, f"table/{table}", (command,), *_bound(asked), guards=guards)
    try:
        return perform(ledger, caller, order, lambda connection: _keep(connection, row, named))
    except Refused as refusal:
        if refusal.code != "guard_stale":
            raise
        raise Refused("ref_taken", pointer="/ref", table=refusal.params["value"]) from None


def start_hand(
    ledger: Ledger,
    caller: Caller,
    asked: Asked,
    club: str,
    table: str,
    wall: Tiles | None = None,
    at: int | None = None,
) -> Done:
    """Start the next hand, with the wall that the game server brings or one shuffled here."""
    if wall is None:
        wall = ledger.shuffle(_set_of(ledger, club, table))
    command = StartHand(wall, ledger.token(32).hex(), at=at)
    return on_table(ledger, caller, asked, club, table, (command,))


def on_table(
    ledger: Ledger,
    caller: Caller,
    asked: Asked,
    club: str,
    table: str,
    commands: tuple[StartHand | Act | Dissolve | CloseTable, ...],
    *,
    listed: bool = False,
) -> Done:
    """Commands on a table, together or not at all."""
    order = Order(
        club, f"table/{table}", commands, *_bound(asked), expected=asked.expected, listed=listed
    )
    return perform(ledger, caller, order)


def end_table(
    ledger: Ledger,
    caller: Caller,
    asked: Asked,
    club: str,
    table: str,
    *,
    dissolve: bool,
    note: str | None = None,
    at: int | None = None,
) -> Done:
    """Dissolve a match at once, or close it between two hands, with a note of why."""
    row = _club(ledger, club)
    named = {} if note is None else {"note": note}
    for text in named.values():
        _check_text("/note", text)
    digest = None if note is None else access.text_digest(row, note)
    command = Dissolve(digest, at) if dissolve else CloseTable(digest, at)
    order = Order(club, f"table/{table}", (command,), *_bound(asked), expected=asked.expected)
    return perform(ledger, caller, order, lambda connection: _keep(connection, row, named))


def _keep(connection: Connection, club: ClubRow, texts: dict[str, str]) -> None:
    for text in texts.values():
        access.keep_text(connection, club, text)


def _bound(asked: Asked) -> tuple[str | None, bytes]:
    return asked.key, asked.request


def _new_id(ledger: Ledger, caller: Caller, asked: Asked, kind: str) -> str:
    """An id that nobody can guess; made from the command id where there is one."""
    if asked.key is None:
        return f"{kind}_{ledger.token(10).hex()}"
    parts = (kind.encode(), (caller.club or "").encode(), caller.actor.encode(), asked.key.encode())
    return f"{kind}_{hashlib.sha256(codec.pack(parts)).hexdigest()[:20]}"


def _club(ledger: Ledger, club: str) -> ClubRow:
    with ledger.database.read() as connection:
        row = access.find_club(connection, club)
    if row is None:
        raise Refused("club_unknown", club=club)
    return row


def _members(ledger: Ledger, club: str, names: tuple[str, ...], pointer: str) -> tuple[str, ...]:
    """The ids of members named by id or code; refuses a name that is none of the club's."""
    with ledger.database.read() as connection:
        found = access.find_members(connection, club, names)
    for index, name in enumerate(names):
        if name not in found:
            place = f"{pointer}/{index}" if pointer == "/seats" else pointer
            raise Refused("member_unknown", pointer=place, member=name)
    return tuple(found[name].member for name in names)


def _set_of(ledger: Ledger, club: str, table: str) -> Tiles:
    """The tiles of a table's game, unshuffled."""
    with ledger.database.read() as connection:
        opening = store.read_stream(connection, club, f"table/{table}", upto=1)
    if not opening:
        raise Refused("table_unknown")
    row = opening[0]
    fact = codec.unseal(row.type, row.public).fact
    return ruleset(fact.ruleset, fact.options).kinds * 4  # type: ignore[attr-defined]


def _check_text(pointer: str, text: str) -> None:
    """A text of people: some characters, not too many, none that controls a screen."""
    if not 1 <= len(text) <= LONGEST_NAME or not text.isprintable() or not text.strip():
        raise Refused("text_form", pointer=pointer, longest=LONGEST_NAME)


def _check_zone(zone: str) -> None:
    try:
        ZoneInfo(zone)
    except (KeyError, ValueError, OSError):
        raise Refused("zone_unknown", pointer="/zone", zone=zone[:40]) from None
