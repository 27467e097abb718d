"""Whether what somebody shows of a hand is so: checked with the file, the rules and a key alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from ledger import codec, merkle
from ledger.audit.agreeing import Agreement, Consistent, agree
from ledger.audit.evidence import Evidence, Proven
from ledger.audit.lies import Found, Lying
from ledger.audit.shown import check_hand, entry_of, is_shuffled, settling_of
from ledger.audit.told import Told, told_of
from ledger.audit.trust import following, ids, standing
from ledger.checkpoints import Checkpoint, read_note
from ledger.codec import HAND_STARTS, SEATS_CHANGED, Envelope, Sealed
from ledger.refusal import Refused
from ledger.signing import PublicKey, read_key

Entered = Literal["outcome", "points"]
Unchecked = Literal["key", "points", "wall", "secret", "settlement", "beside", "others"]
"""What a file, and what was given to check it with, leave open."""


class Verdict(Struct, frozen=True):
    """What came of checking a file; all of it only where nothing was found.

    `trusted`: the key came from elsewhere than the file. `shuffled`: the wall follows from the
    secret. `entered`: the hand was played elsewhere, and by what it was entered. `against` says of
    every other checkpoint that was given what it is to the file's.
    """

    club: str
    table: str
    hand: int
    position: int
    events: int
    trusted: bool
    shuffled: bool
    settled: bool
    entered: Entered | None
    against: tuple[Agreement, ...] = ()
    found: Found | None = None
    told: Told | None = None

    @property
    def unchecked(self) -> tuple[Unchecked, ...]:
        """What could not be checked; nothing else counts of a file in which a lie was found."""
        so: dict[Unchecked, bool] = {
            "key": not self.trusted,
            "points": self.entered == "points",
            "wall": not self.shuffled and not self.entered,
            "secret": self.shuffled,
            "settlement": not self.settled,
            "beside": True,
            "others": True,
        }
        return tuple(what for what, is_open in so.items() if is_open and self.found is None)

    @property
    def is_so(self) -> bool:
        """Whether all that was asked could be answered, and nothing was found."""
        return self.found is None and all(one == "agrees" for one in self.against)


def check(
    evidence: Evidence,
    keys: Sequence[PublicKey],
    against: Sequence[Checkpoint] = (),
    proofs: Sequence[Consistent] = (),
) -> Verdict:
    """Check all that a file of evidence says, with keys that one trusts; without, with its own.

    `against` are checkpoints that one has kept oneself, `proofs` what joins them to the file's.
    Refuses a file whose checkpoint is none (`checkpoint_malformed`) or that only a newer release
    can read (`evidence_newer`), and among those kept one that no trusted key has signed
    (`checkpoint_untrusted`), or whose text was changed (`checkpoint_altered`).
    """
    checkpoint, known = read_note(evidence.checkpoint), trusted(evidence, keys)
    agreed = tuple(agree(checkpoint, other, proofs) for other in against)
    try:
        _check_signed(evidence, checkpoint, known)
        for other in against:
            if other.club == evidence.club:
                check_kept(other, known, is_own=not keys)
        if "contradicts" in agreed:
            raise Lying("contradicted", against[agreed.index("contradicts")].position)
        _check_log(evidence, checkpoint)
        check_hand(evidence)
    except Lying as lying:
        return _verdict(evidence, checkpoint, keys, agreed, lying.found)
    return _verdict(evidence, checkpoint, keys, agreed)


def _verdict(
    evidence: Evidence,
    checkpoint: Checkpoint,
    keys: Sequence[PublicKey],
    agreed: tuple[Agreement, ...],
    found: Found | None = None,
) -> Verdict:
    entry = None if found else entry_of(evidence)
    return Verdict(
        club=evidence.club,
        table=evidence.table,
        hand=evidence.hand,
        position=checkpoint.position,
        events=len(evidence.events),
        trusted=bool(keys),
        shuffled=found is None and is_shuffled(evidence),
        settled=settling_of(evidence) is not None,
        entered=None if entry is None else "points" if entry.outcome is None else "outcome",
        against=agreed,
        found=found,
        told=None if found else told_of(evidence),
    )


def trusted(evidence: Evidence, keys: Sequence[PublicKey]) -> list[PublicKey]:
    """The keys that one trusts, and those that they have signed as the next; or the file's own."""
    listed = [(read_key(one.key), one.signed_by_former) for one in evidence.keys]
    return following(list(keys) or [key for key, _ in listed], listed)


def check_kept(one: Checkpoint, keys: Sequence[PublicKey], *, is_own: bool) -> None:
    """Refuses a kept checkpoint that says nothing: changed since, or of a key that is not trusted.

    Of keys that are a file's own (`is_own`) nothing is known, so another than those may be right.
    """
    how = standing(one, keys)
    if how == "altered" or (how == "untrusted" and not is_own):
        raise Refused(
            f"checkpoint_{how}",
            club=one.club,
            position=one.position,
            key=one.key,
            trusted=ids(keys),
        )


def _check_signed(evidence: Evidence, own: Checkpoint, keys: Sequence[PublicKey]) -> None:
    """The file's checkpoint is of its club, and a trusted key has signed it."""
    if own.club != evidence.club:
        raise Lying("other_club", place=own.club)
    how = standing(own, keys)
    if how != "signed":
        raise Lying("altered" if how == "altered" else "signature", key=own.key)


def _check_log(evidence: Evidence, checkpoint: Checkpoint) -> None:
    """Every event of the hand is there, in order, and lies in the log where it says."""
    table = f"table/{evidence.table}"
    _check_before_start(evidence)
    streams = {"club": 1, table: 1, f"hand/{evidence.table}/{evidence.hand}": 1}
    last, time = 0, 0
    for one in evidence.events:
        if one.stream not in streams:
            raise Lying("not_of_this_hand", one.position)
        expected = _expected(evidence, one, streams[one.stream])
        if one.version > expected:
            raise Lying("left_out", one.position, version=expected)
        is_late = one.position <= last or one.recorded_at < time
        if one.version < expected or is_late:
            raise Lying("order", one.position)
        streams[one.stream], last, time = one.version + 1, one.position, one.recorded_at
    secret = bytes.fromhex(evidence.secret)
    for one in evidence.events:
        if not _is_in_log(evidence.club, one, secret, checkpoint):
            raise Lying("not_in_log", one.position)


def _check_before_start(evidence: Evidence) -> None:
    """Between the opening and a later hand nothing is shown but changes of seats."""
    if [one.type for one in evidence.events[1:2]] != ["TableOpened/1"]:
        return
    for one in evidence.events[2:]:
        if evidence.hand == 1 or one.type in HAND_STARTS:
            return
        if one.type != SEATS_CHANGED:
            raise Lying("not_of_this_hand", one.position)


def _expected(evidence: Evidence, one: Proven, following: int) -> int:
    """Which version of its stream an event must have, where the one before it has the last.

    Between the opening and a later hand lie others: its start, and seats that changed before, are
    where they say. Each hand before has a start and an end at least.
    """
    if evidence.hand == 1 or one.type not in (SEATS_CHANGED, *HAND_STARTS):
        return following
    least = 2 * evidence.hand if one.type in HAND_STARTS else following
    return max(least, one.version, following)


def _is_in_log(club: str, one: Proven, secret: bytes, checkpoint: Checkpoint) -> bool:
    """Whether an event, hashed as it stands, lies at its position under the checkpoint."""
    slots = tuple(part.encode() for part in one.slots)
    digests = tuple(
        codec.slot_digest(secret, one.version, audience, part)
        for audience, part in enumerate(slots)
    )
    where = Envelope(
        club,
        one.stream,
        one.version,
        one.recorded_at,
        one.actor,
        one.role,
        bytes.fromhex(one.command),
    )
    leaf = codec.leaf(where, Sealed(one.type, one.public.encode(), slots, digests))
    if one.position > checkpoint.position:
        return False
    path = [bytes.fromhex(text) for text in one.proof]
    return merkle.root_by(one.position - 1, checkpoint.position, leaf, path) == checkpoint.root
