"""An event and the exact bytes that are hashed, and the hashes themselves.

What is hashed is what is stored: bytes are made once, here, and never made again. `lp` is a
big-endian u32 length and the bytes. Source: docs/adr/0003-what-is-hashed.md.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import astuple

from ledger import events
from ledger.events import Event, Fact, Private
from ledger.refusal import Refused

TYPES: dict[str, tuple[type[Fact], type[Private] | None, type[Private] | None]] = {
    "ClubFounded/1": (events.ClubFounded, None, None),
    "KeyIssued/1": (events.KeyIssued, None, None),
    "KeyRevoked/1": (events.KeyRevoked, None, None),
    "LimitsSet/1": (events.LimitsSet, None, None),
    "DeadlinesSet/1": (events.DeadlinesSet, None, None),
    "MemberJoined/1": (events.MemberJoined, None, None),
    "Invited/1": (events.Invited, None, None),
    "InvitationAccepted/1": (events.InvitationAccepted, None, None),
    "InvitationRevoked/1": (events.InvitationRevoked, None, None),
    "RolesChanged/1": (events.RolesChanged, None, None),
    "LinkIssued/1": (events.LinkIssued, None, None),
    "PersonForgotten/1": (events.PersonForgotten, None, None),
    "MemberForgotten/1": (events.MemberForgotten, None, None),
    "MemberLimitsSet/1": (events.MemberLimitsSet, None, None),
    "MemberBarred/1": (events.MemberBarred, None, None),
    "MemberReadmitted/1": (events.MemberReadmitted, None, None),
    "MemberLeft/1": (events.MemberLeft, None, None),
    "MemberReturned/1": (events.MemberReturned, None, None),
    "MemberGrouped/1": (events.MemberGrouped, None, None),
    "TableOpened/1": (events.TableOpened, None, None),
    "TableClosed/1": (events.TableClosed, None, None),
    "TableTicked/1": (events.TableTicked, None, None),
    "HandStarted/1": (events.UncappedHandStarted, events.Nothing, events.WallBuilt),
    "HandStarted/2": (events.HandStarted, events.Nothing, events.WallBuilt),
    "DissolutionVoted/1": (events.DissolutionVoted, None, None),
    "SeatsChanged/1": (events.SeatsChanged, None, None),
    "Prompted/1": (events.Prompted, events.Offer, events.Nothing),
    "BetsShown/1": (events.BetsShown, None, None),
    "VoidSuitsShown/1": (events.VoidSuitsShown, None, None),
    "ReadyShown/1": (events.ReadyShown, None, None),
    "WeekdaySet/1": (events.WeekdaySet, None, None),
    "Dealt/1": (events.Dealt, events.DealtTiles, events.Nothing),
    "Drawn/1": (events.Drawn, events.DrawnTile, events.Nothing),
    "Discarded/1": (events.Discarded, events.Passed, events.Nothing),
    "Offered/1": (events.Offered, events.Offer, events.Nothing),
    "FaceDownOffered/1": (events.FaceDownOffered, events.FaceDownOffer, events.Nothing),
    "ChickenThrown/1": (events.ChickenThrown, None, None),
    "Answered/1": (events.Answered, events.Answer, events.Nothing),
    "Punged/1": (events.Punged, None, None),
    "KongAnnounced/1": (events.KongAnnounced, events.Passed, events.Nothing),
    "Konged/1": (events.Konged, events.Passed, events.Nothing),
    "Won/1": (events.Won, None, None),
    "BirdsTurned/1": (events.BirdsTurned, None, None),
    "ChickenFlipped/1": (events.ChickenFlipped, None, None),
    "HandEntered/1": (events.HandEntered, None, None),
    "HandEnded/1": (events.HandEnded, None, None),
    "HandVoided/1": (events.HandVoided, None, None),
    "HandSettled/1": (events.HandSettled, None, None),
    "HandReversed/1": (events.HandReversed, None, None),
    "HandCorrected/1": (events.HandCorrected, None, None),
    "AllowanceRequested/1": (events.AllowanceRequested, None, None),
    "AllowanceApproved/1": (events.AllowanceApproved, None, None),
    "AllowanceRefused/1": (events.AllowanceRefused, None, None),
    "AllowancePosted/1": (events.AllowancePosted, None, None),
    "AllowanceReversed/1": (events.AllowanceReversed, None, None),
    "DisputeFiled/1": (events.DisputeFiled, None, None),
    "EvidenceLocked/1": (events.EvidenceLocked, None, None),
    "DisputeAnswered/1": (events.DisputeAnswered, None, None),
    "DecisionProposed/1": (events.DecisionProposed, None, None),
    "DisputeDecided/1": (events.DisputeDecided, None, None),
    "DisputeAppealed/1": (events.DisputeAppealed, None, None),
    "DisputeWithdrawn/1": (events.DisputeWithdrawn, None, None),
    "DisputeExpired/1": (events.DisputeExpired, None, None),
    "PeriodClosed/1": (events.PeriodClosed, None, None),
    "PeriodReopened/1": (events.PeriodReopened, None, None),
    "BalanceConfirmed/1": (events.BalanceConfirmed, None, None),
    "BalanceContested/1": (events.BalanceContested, None, None),
}
"""Each type of event with what its seats' slots and its table's slot hold; None is a type
without slots."""

NEWER: dict[type[Fact], type[Fact]] = {events.UncappedHandStarted: events.HandStarted}
"""The newest version of an event of an older one, whose fields are the first of the newer's."""

STREAMS = {
    "club": ("ClubFounded/1", "KeyIssued/1", "KeyRevoked/1", "LimitsSet/1", "DeadlinesSet/1"),
    "member": (
        "MemberJoined/1",
        "MemberForgotten/1",
        "MemberLimitsSet/1",
        "MemberBarred/1",
        "MemberReadmitted/1",
        "MemberLeft/1",
        "MemberReturned/1",
        "MemberGrouped/1",
    ),
    "membership": (
        "Invited/1",
        "InvitationAccepted/1",
        "InvitationRevoked/1",
        "RolesChanged/1",
        "LinkIssued/1",
        "PersonForgotten/1",
    ),
    "hand": ("HandSettled/1", "HandReversed/1", "HandCorrected/1"),
    "allowance": (
        "AllowanceRequested/1",
        "AllowanceApproved/1",
        "AllowanceRefused/1",
        "AllowancePosted/1",
        "AllowanceReversed/1",
    ),
    "dispute": (
        "DisputeFiled/1",
        "EvidenceLocked/1",
        "DisputeAnswered/1",
        "DecisionProposed/1",
        "DisputeDecided/1",
        "DisputeAppealed/1",
        "DisputeWithdrawn/1",
        "DisputeExpired/1",
    ),
    "period": ("PeriodClosed/1", "PeriodReopened/1", "BalanceConfirmed/1", "BalanceContested/1"),
}
"""The kinds of streams with the types of their events; all the others are a table's."""
_KIND_OF = {name: kind for kind, names in STREAMS.items() for name in names}
_STREAM = re.compile(
    r"(club)|(member|membership|table|allowance|dispute|period)/\w+|(hand)/\w+/[1-9][0-9]*",
    re.ASCII,
)

NAMES = {fact: name for name, (fact, _, _) in TYPES.items()}
SEATS_CHANGED = "SeatsChanged/1"
HAND_STARTS = ("HandStarted/1", "HandStarted/2")
FIRST_PREVIOUS = bytes(32)
EMPTY = b"{}"

_encode = msgspec.json.Encoder().encode


class Sealed(Struct, frozen=True):
    """An event as it is stored: its type, its parts as bytes, and a digest for each slot."""

    type: str
    public: bytes
    slots: tuple[bytes, ...] = ()
    digests: tuple[bytes, ...] = ()


class Envelope(Struct, frozen=True):
    """Where and by whom an event was recorded: all that its leaf holds besides its parts.

    `recorded_at` is in microseconds of UTC; `command` is the digest of club, caller and key.
    """

    club: str
    stream: str
    version: int
    recorded_at: int
    actor: str
    role: str
    command: bytes


def seal(event: Event, version: int, secret: bytes) -> Sealed:
    """The bytes of an event at a version of its stream, its slots salted by the hand's secret."""
    name, parts = NAMES[type(event.fact)], _slots(event)
    digests = tuple(
        slot_digest(secret, version, audience, part) for audience, part in enumerate(parts)
    )
    return Sealed(name, _encode(event.fact), parts, digests)


def _slots(event: Event) -> tuple[bytes, ...]:
    return tuple(EMPTY if part is None else _encode(part) for part in event.slots)


def unseal(name: str, public: bytes, slots: tuple[bytes | None, ...] = ()) -> Event:
    """The event of stored bytes in its newest version; a slot that may not be seen is None."""
    event = _unsealed(name, public, slots)
    newer = NEWER.get(type(event.fact))
    return event if newer is None else Event(newer(*astuple(event.fact)), event.slots)


def kind_of(name: str) -> type[Fact]:
    """What the event of a type is once it is read: a fact of the newest version."""
    kind = TYPES[name][0]
    return NEWER.get(kind, kind)


def _unsealed(name: str, public: bytes, slots: tuple[bytes | None, ...]) -> Event:
    """The event of stored bytes in the version in which it was recorded."""
    if name not in TYPES:
        raise Refused("event_type_unknown", type=name)
    fact, seat, table = _decoders(name)
    kinds = [*[seat] * (len(slots) - 1), table] if slots else []
    parts = [
        None if part in (None, EMPTY) else kind(part)
        for kind, part in zip(kinds, slots, strict=True)
    ]
    return Event(fact(public), tuple(parts))


def is_canonical(name: str, public: bytes, slots: tuple[bytes, ...] = ()) -> bool:
    """Whether stored bytes are those in which this module writes the event that they tell.

    So no event can be told in two ways: with other spaces, keys twice or in another order, other
    escapes, slots where its type has none. Refuses an unknown type (`event_type_unknown`).
    """
    if name in TYPES and bool(slots) is (TYPES[name][1] is None):
        return False
    try:
        event = _unsealed(name, public, slots)
        return (_encode(event.fact), _slots(event)) == (public, slots)
    except (ValueError, OverflowError, RecursionError):  # bytes that nobody here wrote
        return False


@cache
def _decoders(name: str) -> tuple[Any, Any, Any]:
    """The decoding functions of a type's public part, seat slot and table slot."""
    return tuple(  # type: ignore[return-value]
        msgspec.json.Decoder(kind or events.Nothing).decode for kind in TYPES[name]
    )


def belongs(name: str, stream: str) -> bool:
    """Whether an event of a type can stand in a stream: a settlement in a hand's alone."""
    found = _STREAM.fullmatch(stream)
    return found is not None and _KIND_OF.get(name, "table") == found[found.lastindex or 0]


def slot_digest(secret: bytes, version: int, audience: int, part: bytes) -> bytes:
    """The digest of a slot, which a reader gets who may not see it."""
    place = version.to_bytes(8, "big") + audience.to_bytes(1, "big")
    salt = hmac.digest(secret, place, "sha256")
    return hashlib.sha256(salt + part).digest()


def leaf(where: Envelope, sealed: Sealed) -> bytes:
    """The leaf of an event: the hash of its envelope, its public part and its digests."""
    return hashlib.sha256(
        b"".join(
            (
                b"\x00",
                lp(where.club.encode()),
                lp(where.stream.encode()),
                where.version.to_bytes(8, "big"),
                lp(sealed.type.encode()),
                where.recorded_at.to_bytes(8, "big"),
                lp(where.actor.encode()),
                lp(where.role.encode()),
                lp(where.command),
                lp(sealed.public),
                len(sealed.digests).to_bytes(1, "big"),
                *sealed.digests,
            )
        )
    ).digest()


def chain(previous: bytes, position: int, leaf_hash: bytes) -> bytes:
    """The hash of an event at its position, chained to the one before it."""
    return hashlib.sha256(b"\x02" + previous + position.to_bytes(8, "big") + leaf_hash).digest()


def lp(part: bytes) -> bytes:
    """Bytes behind their length, so that no two lists of parts have the same bytes."""
    return len(part).to_bytes(4, "big") + part


def pack(parts: tuple[bytes, ...]) -> bytes:
    """Several byte strings as one, each behind its length."""
    return b"".join(map(lp, parts))


def unpack(packed: bytes) -> tuple[bytes, ...]:
    """The byte strings of a packed one."""
    parts: list[bytes] = []
    at = 0
    while at < len(packed):
        size = int.from_bytes(packed[at : at + 4], "big")
        parts.append(packed[at + 4 : at + 4 + size])
        at += 4 + size
    return tuple(parts)
