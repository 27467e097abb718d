"""Whether what somebody shows of a hand is so: checked with the file, the rules and a key alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct

from ledger import codec, merkle
from ledger import events as e
from ledger.audit.agreeing import Consistent, agree
from ledger.audit.chain import UNREADABLE
from ledger.audit.evidence import Evidence, Proven
from ledger.audit.tables import Days, Otherwise, Recorded, TableAgain, check_settlement
from ledger.checkpoints import Checkpoint, read_note
from ledger.codec import Envelope, Sealed
from ledger.days import day_of, weekday_of
from ledger.events import slot
from ledger.rules.catalog import ruleset
from ledger.signing import PublicKey, read_key
from ledger.tiles import COPIES, drawn, parse_tiles, shuffled, tile_text

Lie = Literal[
    "signature",
    "contradicted",
    "order",
    "left_out",
    "not_in_log",
    "not_of_this_hand",
    "told_otherwise",
    "refused",
    "otherwise",
    "settlement",
]


class Found(Struct, frozen=True):
    """The first thing in a file that is not so, and the event at which that shows.

    `version` is of an event that was left out, `place` where the file tells something else than
    its events, `code` and `rule` why a decision was not open.
    """

    lie: Lie
    position: int | None = None
    version: int | None = None
    place: str | None = None
    code: str | None = None
    rule: str | None = None


class Verdict(Struct, frozen=True):
    """What came of checking a file; all of it only where nothing was found.

    `trusted`: the key came from elsewhere than the file. `shuffled`: the wall follows from the
    secret. `entered`: the hand was played elsewhere. `against`: so many other checkpoints agree,
    and `unjoined` could not be compared for want of a proof.
    """

    club: str
    table: str
    hand: int
    position: int
    events: int
    trusted: bool
    shuffled: bool
    settled: bool
    entered: bool
    against: int
    unjoined: int
    found: Found | None = None


class _Lying(Exception):
    """Something in the file is not so."""

    def __init__(self, lie: Lie, position: int | None = None, **more: Any) -> None:
        """Say what, and where."""
        super().__init__(lie)
        self.found = Found(lie, position, **more)


def check(
    evidence: Evidence,
    keys: Sequence[PublicKey],
    against: Sequence[Checkpoint] = (),
    proofs: Sequence[Consistent] = (),
) -> Verdict:
    """Check all that a file of evidence says, with keys that one trusts; without, with its own.

    `against` are checkpoints that one has kept oneself, `proofs` what joins them to the file's.
    Refuses a file whose checkpoint is none (`checkpoint_malformed`).
    """
    checkpoint = read_note(evidence.checkpoint)
    agreed = [agree(checkpoint, other, proofs) for other in against]
    found: Found | None = None
    try:
        _check_signature(evidence, checkpoint, keys)
        if False in agreed:
            raise _Lying("contradicted", against[agreed.index(False)].position)
        _check_log(evidence, checkpoint)
        _check_hand(evidence)
    except _Lying as lying:
        found = lying.found
    return Verdict(
        club=evidence.club,
        table=evidence.table,
        hand=evidence.hand,
        position=checkpoint.position,
        events=len(evidence.events),
        trusted=bool(keys),
        shuffled=found is None and _is_shuffled(evidence),
        settled=_settling(evidence) is not None,
        entered=any(one.type.startswith("HandEntered/") for one in evidence.events),
        against=agreed.count(True),
        unjoined=agreed.count(None),
        found=found,
    )


def _check_signature(evidence: Evidence, checkpoint: Checkpoint, keys: Sequence[PublicKey]) -> None:
    """The checkpoint is of this club, signed by a key that is trusted or follows from one."""
    if checkpoint.club != evidence.club:
        raise _Lying("signature")
    if not any(checkpoint.is_signed_by(key) for key in _trusted(evidence, keys)):
        raise _Lying("signature")


def _trusted(evidence: Evidence, keys: Sequence[PublicKey]) -> list[PublicKey]:
    """The keys that one trusts, and those that they have signed as the next; or the file's own."""
    listed = [(read_key(one.key), one.signature) for one in evidence.keys]
    trusted = list(keys) or [key for key, _ in listed]
    for key, signature in listed:
        text = key.text.encode()
        if signature and any(one.signed(text, bytes.fromhex(signature)) for one in trusted):
            trusted.append(key)
    return trusted


def _check_log(evidence: Evidence, checkpoint: Checkpoint) -> None:
    """Every event of the hand is there, in order, and lies in the log where it says."""
    streams = {
        "club": 1,
        f"table/{evidence.table}": evidence.events[1].version if evidence.events[1:] else 1,
        f"hand/{evidence.table}/{evidence.hand}": 1,
    }
    last = 0
    for one in evidence.events:
        if one.stream not in streams:
            raise _Lying("not_of_this_hand", one.position)
        if one.version > streams[one.stream]:
            raise _Lying("left_out", one.position, version=streams[one.stream])
        if one.version < streams[one.stream] or one.position <= last:
            raise _Lying("order", one.position)
        streams[one.stream], last = one.version + 1, one.position
    secret = _secret(evidence)
    for one in evidence.events:
        if not _is_in_log(evidence.club, one, secret, checkpoint):
            raise _Lying("not_in_log", one.position)


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


def _check_hand(evidence: Evidence) -> None:
    """The hand begins, goes on and ends by the rules, and what is told beside is what it says."""
    try:
        founded, started, days, played = _opened(evidence)
    except UNREADABLE:
        raise _Lying("not_of_this_hand", evidence.events[0].position) from None
    if founded.position != 1 or started is None or started.number != evidence.hand:
        raise _Lying("not_of_this_hand", evidence.events[0].position)
    again = TableAgain(days)
    try:
        again.begin(played)
    except Otherwise as otherwise:
        raise _otherwise(otherwise) from None
    except UNREADABLE:
        raise _Lying("otherwise", played[0].position) from None
    _check_end(evidence, again, played, days)
    _check_told(evidence, started, played[0])


def _opened(
    evidence: Evidence,
) -> tuple[Recorded, e.HandStarted | None, Days, list[Recorded]]:
    """The founding, the start, the club's days, and the events of the table."""
    first, *rest = map(_recorded, evidence.events)
    founded = first.event.fact
    assert isinstance(founded, e.ClubFounded)
    days = Days(day_of(founded.zone, founded.day_cutoff), weekday_of(founded.zone))
    played = [one for one in rest if not isinstance(one.event.fact, e.HandSettled)]
    started = played[0].event.fact
    return first, started if isinstance(started, e.HandStarted) else None, days, played


def _otherwise(otherwise: Otherwise) -> _Lying:
    refused = otherwise.refused
    position = otherwise.place.position
    if refused is None:
        return _Lying("otherwise", position)
    return _Lying("refused", position, code=refused.code, rule=refused.rule)


def _check_end(
    evidence: Evidence, again: TableAgain, played: Sequence[Recorded], days: Days
) -> None:
    """The hand has ended, and if it is settled then so."""
    last, settled = played[-1], _settling(evidence)
    if not isinstance(last.event.fact, e.HandEnded | e.HandVoided):
        raise _Lying("left_out", last.position, version=evidence.events[-1].version + 1)
    if settled is None:
        return
    place = _recorded(settled)
    assert again.table is not None
    try:
        check_settlement(evidence.table, again.table, last, place, days)
    except (Otherwise, *UNREADABLE):
        raise _Lying("settlement", settled.position) from None


def _check_told(evidence: Evidence, started: e.HandStarted, first: Recorded) -> None:
    """What the file tells beside its events is what they say."""
    built = slot(first.event, len(started.seats), e.WallBuilt) or e.WallBuilt()
    said = {
        "/ruleset": (evidence.ruleset, started.ruleset),
        "/options": (evidence.options, started.options),
        "/seats": (evidence.seats, started.seats),
        "/wilds": (evidence.wilds, started.wilds),
        "/wall": (evidence.wall, built.wall),
        "/secret": (evidence.secret, built.secret),
    }
    for place, (told, known) in said.items():
        if told != known:
            raise _Lying("told_otherwise", first.position, place=place)
    settled = _settling(evidence)
    paid = None if settled is None else settlement_told(_recorded(settled).event.fact)
    if evidence.settlement != paid:
        raise _Lying("told_otherwise", settled.position if settled else None, place="/settlement")


def settlement_told(fact: e.Fact) -> dict[str, Any]:
    """A settlement as a file of evidence tells it for reading."""
    told: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(fact))
    return {name: told[name] for name in ("totals", "payments", "wins", "not_counted")}


def _is_shuffled(evidence: Evidence) -> bool:
    """Whether wall and wild kinds follow from the secret, so that nobody chose them."""
    rules, secret = ruleset(evidence.ruleset, evidence.options), _secret(evidence)
    wilds = tuple(map(tile_text, drawn(rules.wild_kinds, rules.wild_count, secret)))
    wall = shuffled(rules.kinds * COPIES, secret)
    return parse_tiles(evidence.wall) == wall and evidence.wilds == wilds


def _settling(evidence: Evidence) -> Proven | None:
    """The event that settles the hand."""
    last = evidence.events[-1]
    return last if last.type.startswith("HandSettled/") else None


def _secret(evidence: Evidence) -> bytes:
    """The secret of the hand as the file tells it; its events prove it."""
    try:
        return bytes.fromhex(evidence.secret)
    except ValueError:
        return b""


def _recorded(one: Proven) -> Recorded:
    slots: Iterable[bytes] = (part.encode() for part in one.slots)
    return Recorded(
        one.position, one.recorded_at, codec.unseal(one.type, one.public.encode(), tuple(slots))
    )
