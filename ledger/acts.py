"""What people ask of the ledger, made into orders: found a club, make a key, open a table.

Each act goes through `perform`; what belongs to it outside of events (names, texts, a key's
hash) is written in the same transaction. A command id with the same request is done once: the
ids of new things are made from it, so a repeated act names the same thing.
"""

from __future__ import annotations

import hashlib
from typing import Any

from msgspec import Struct
from sqlalchemy import Connection

from ledger import access, codec, limiting, seating, sight, store
from ledger.access import Caller, ClubRow, KeyRow, MemberRow
from ledger.days import zones
from ledger.names import check_text
from ledger.orders import Order
from ledger.perform import Beside, Done, Ledger, perform, perform_as_seen, was_done
from ledger.present import present
from ledger.refusal import Refused
from ledger.rights import Command
from ledger.rules.catalog import ruleset
from ledger.rules.ruleset import Ruleset
from ledger.store import Guard
from ledger.streams.club import FoundClub, IssueKey, RevokeKey
from ledger.streams.member import Join, code_text
from ledger.streams.table import (
    ChangeSeats,
    CloseTable,
    Dissolve,
    OpenTable,
    TableCommand,
    Void,
    Wish,
)

MEMBER_NUMBER = "member_number"


class Asked(Struct, frozen=True):
    """How an act was asked: the command id, the hash of the request, the version seen."""

    key: str | None = None
    request: bytes = bytes(32)
    expected: int | None = None


class Desk(Struct, frozen=True):
    """Where an act is asked for: of which ledger, by whom, in which club, and how."""

    ledger: Ledger
    caller: Caller
    club: str
    asked: Asked = Asked()


class Opening(Struct, frozen=True):
    """A match to be opened. Seats are members' ids or codes; no dealer means by lot.

    The texts are room, floor and ref; the ref is the sender's own name of the match, unique in
    the club.
    """

    ruleset: str
    options: dict[str, Any]
    seats: tuple[str, ...]
    hands: int
    low_score: int = 0
    dealer: int | None = None
    room: str | None = None
    floor: str | None = None
    ref: str | None = None
    at: int | None = None

    @property
    def texts(self) -> dict[str, str]:
        """The texts that are told, by name."""
        told = {"room": self.room, "floor": self.floor, "ref": self.ref}
        return {name: text for name, text in told.items() if text is not None}


class NewKey(Struct, frozen=True):
    """A key just made; its token is shown once, and None in a retry."""

    key: str
    token: str | None


def found_club(
    ledger: Ledger, caller: Caller, asked: Asked, name: str, zone: str, day_cutoff: int
) -> Done:
    """Found a club with its time zone and the cutoff of its business day, in minutes."""
    check_text("/name", name)
    _check_zone(zone)
    club = new_id("", caller.actor, asked, ledger.token(16), "club")
    row = ClubRow(club, name, zone, day_cutoff, ledger.token(32), ledger.clock())
    order = Order(club, "club", (FoundClub(zone, day_cutoff),), asked.key, asked.request)
    return perform(ledger, caller, order, lambda connection: access.keep_club(connection, row))


def issue_key(
    desk: Desk,
    roles: tuple[str, ...],
    label: str,
    member: str | None = None,
    expires_at: int | None = None,
) -> NewKey:
    """Make an API key of a club; its secret is told here and never again."""
    check_text("/label", label)
    if member is not None:
        (member,) = members_of(desk, (member,), "/member")
    key, secret = named(desk, "key"), desk.ledger.token(32).hex()
    row = KeyRow(
        key=key,
        club=desk.club,
        secret_hash=access.secret_hash(secret),
        roles=",".join(roles),
        member=member,
        label=label,
        created_at=desk.ledger.clock(),
        expires_at=expires_at,
        revoked_at=None,
    )

    def beside(connection: Connection) -> None:
        if member is not None:
            seating.check_there(connection, desk.club, member, "/member")
        access.keep_key(connection, row)

    done = order_on(desk, "club", IssueKey(key, roles, member, expires_at), beside)
    return NewKey(key, None if done.replayed else access.bearer(key, secret))


def revoke_key(desk: Desk, key: str) -> Done:
    """Make a key useless for ever; one that is so already stays so."""
    now = desk.ledger.clock()
    return order_on(
        desk, "club", RevokeKey(key), lambda connection: access.revoke_key(connection, key, now)
    )


def join_member(desk: Desk, name: str) -> Done:
    """Take a person into a club, under the next code that nobody has had."""
    check_text("/name", name)
    member = named(desk, "mem")

    def asking(connection: Connection) -> tuple[Order, Beside]:
        last = store.guard(connection, desk.club, MEMBER_NUMBER)
        number = int(last or 0) + 1
        row = MemberRow(desk.club, member, code_text(number), name, desk.ledger.clock())
        guard = Guard(MEMBER_NUMBER, last, str(number))
        order = order_of(desk, f"member/{member}", Join(row.code), guard)
        return order, lambda connection: access.keep_member(connection, row)

    return perform_as_seen(desk.ledger, desk.caller, desk.club, asking)


def open_table(desk: Desk, opening: Opening, *, elsewhere: bool = False) -> Done:
    """Open a match; the caller's key is its recorder.

    One that was played `elsewhere` takes nobody's seat, and no limit of the club is about it.
    """
    club = club_of(desk)
    for name, text in opening.texts.items():
        check_text(f"/{name}", text)
    digests = {name: access.text_digest(club, text) for name, text in opening.texts.items()}
    table, seats = named(desk, "tbl"), members_of(desk, opening.seats, "/seats")
    keep = _keep(club, opening.texts)

    def beside(connection: Connection) -> None:
        keep(connection)
        if elsewhere:
            return
        day = present(connection, desk.club, desk.ledger.clock())
        opened = day.at if opening.at is None else opening.at
        seating.sit(connection, desk.club, table, seats, day.day(opened))

    guards = (Guard(f"ref/{digests['ref']}", None, table),) if "ref" in digests else ()
    command = OpenTable(
        ruleset=opening.ruleset,
        options=opening.options,
        seats=seats,
        hands=opening.hands,
        low_score=opening.low_score,
        dealer=_dealer(desk, opening),
        recorder=desk.caller.actor,
        **digests,
        at=opening.at,
    )
    order = order_of(desk, f"table/{table}", command, *guards)
    if not elsewhere:
        _check_admitted(desk, order, seats, opening.at)
    try:
        return perform(desk.ledger, desk.caller, order, beside)
    except Refused as refusal:
        if refusal.code != "guard_stale":
            raise
        raise Refused("ref_taken", pointer="/ref", table=refusal.params["value"]) from None


def _dealer(desk: Desk, opening: Opening) -> int:
    """Who deals first: the one named, or one by lot."""
    if opening.dealer is not None:
        return opening.dealer
    return desk.ledger.token(1)[0] % ruleset(opening.ruleset, opening.options).players


def on_table(
    desk: Desk,
    table: str,
    commands: tuple[TableCommand, ...],
    *,
    listed: bool = False,
) -> Done:
    """Commands on a table, together or not at all; `listed`: refusals say which of them."""
    return perform(desk.ledger, desk.caller, order_on_table(desk, table, commands, listed=listed))


def end_table(
    desk: Desk,
    table: str,
    *,
    dissolve: bool,
    note: str | None = None,
    at: int | None = None,
    wish: Wish | None = None,
) -> Done:
    """Dissolve a match at once, or close it between two hands, with a note of why.

    `wish` tells whose it was to dissolve, and what the others said.
    """
    digest, keep = noted(desk, note)
    command = Dissolve(digest, at, wish) if dissolve else CloseTable(digest, at)
    return perform(desk.ledger, desk.caller, order_on_table(desk, table, (command,)), keep)


def void_hand(desk: Desk, table: str, hand: int, note: str, at: int | None = None) -> Done:
    """Void a hand that runs, with a note of why; the match goes on as if it had not begun."""
    digest, keep = noted(desk, note)
    assert digest is not None
    order = order_on_table(desk, table, (Void(hand, digest, at),))
    return perform(desk.ledger, desk.caller, order, keep)


def change_seats(desk: Desk, table: str, seats: tuple[str, ...], at: int | None = None) -> Done:
    """Let members change seats between two hands, or another one take a seat over."""
    ids = members_of(desk, seats, "/seats")
    order = order_on_table(desk, table, (ChangeSeats(ids, at),))
    with desk.ledger.database.read() as connection:
        staying = seating.members_at(connection, desk.club, table)
    _check_admitted(desk, order, ids, at, staying)

    def keep(connection: Connection) -> None:
        seating.change(connection, desk.club, table, ids)

    return perform(desk.ledger, desk.caller, order, keep)


def _check_admitted(
    desk: Desk,
    order: Order,
    members: tuple[str, ...],
    at: int | None,
    staying: frozenset[str] = frozenset(),
) -> None:
    """Refuse a seat to whom a limit keeps from it, unless this was done already."""
    if not was_done(desk.ledger, desk.caller, order):
        limiting.check_admitted(desk.ledger, desk.club, members, at, staying)


def order_on_table(
    desk: Desk, table: str, commands: tuple[Command, ...], *, listed: bool = False
) -> Order:
    """Commands on a table, as they were asked."""
    asked = desk.asked
    return Order(
        desk.club,
        f"table/{table}",
        commands,
        asked.key,
        asked.request,
        expected=asked.expected,
        listed=listed,
    )


def order_on(desk: Desk, stream: str, command: Command, beside: Beside, *guards: Guard) -> Done:
    """One command on a stream of the club, with what is written beside it."""
    return perform(desk.ledger, desk.caller, order_of(desk, stream, command, *guards), beside)


def order_of(desk: Desk, stream: str, command: Command, *guards: Guard) -> Order:
    """One command on a stream of the club, as it was asked."""
    asked = desk.asked
    return Order(desk.club, stream, (command,), asked.key, asked.request, asked.expected, guards)


def noted(desk: Desk, note: str | None, pointer: str = "/note") -> tuple[str | None, Beside]:
    """The digest of a note, and what keeps its text; without a note there is neither."""
    club = club_of(desk)
    if note is None:
        return None, lambda _: None
    check_text(pointer, note)
    return access.text_digest(club, note), _keep(club, {"note": note})


def _keep(club: ClubRow, texts: dict[str, str]) -> Beside:
    """Keeps texts under the digests that stand for them in events."""

    def keep(connection: Connection) -> None:
        for text in texts.values():
            access.keep_text(connection, club, text)

    return keep


def named(desk: Desk, kind: str) -> str:
    """The id of a new thing; a repeated act names the same thing again."""
    return new_id(desk.club, desk.caller.actor, desk.asked, desk.ledger.token(16), kind)


def new_id(club: str, actor: str, asked: Asked, chance: bytes, kind: str) -> str:
    """An id that nobody can guess; made from the command id where there is one.

    A command id is one club's and one caller's, as in `perform`: the operator's own in two clubs
    names two things.
    """
    if asked.key is not None:
        chance = codec.pack(tuple(part.encode() for part in (kind, club, actor, asked.key)))
    return f"{kind}_{hashlib.sha256(chance).hexdigest()[:20]}"


def club_of(desk: Desk) -> ClubRow:
    """The club of a desk; refuses an unknown one (`club_unknown`)."""
    with desk.ledger.database.read() as connection:
        row = access.find_club(connection, desk.club)
    if row is None:
        raise Refused("club_unknown", club=desk.club)
    return row


def members_of(desk: Desk, names: tuple[str, ...], pointer: str) -> tuple[str, ...]:
    """The ids of members named by id or code; refuses a name that is none of the club's."""
    with desk.ledger.database.read() as connection:
        found = access.find_members(connection, desk.club, names)
    for index, name in enumerate(names):
        if name not in found:
            place = f"{pointer}/{index}" if pointer == "/seats" else pointer
            raise Refused("member_unknown", pointer=place, member=name)
    return tuple(found[name].member for name in names)


def rules_of(desk: Desk, table: str) -> Ruleset:
    """The rules that a table was opened with."""
    with desk.ledger.database.read() as connection:
        _, opened = sight.opening(connection, desk.club, table)
    return ruleset(opened.ruleset, opened.options)


def _check_zone(zone: str) -> None:
    if zone not in zones():
        raise Refused("zone_unknown", pointer="/zone", zone=zone[:40])
