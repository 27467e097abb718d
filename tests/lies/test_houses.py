"""Lies of the house itself, which has the machine and the key: every hash is made anew and signed.

The rules find what was not played by them; what was replaced by other legal play is found by
whoever has kept a checkpoint.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from ledger import proving
from ledger.audit import Fault
from ledger.audit.bundle import check
from ledger.audit.lies import Found
from ledger.store import Stored
from tests.lies.conftest import Forge, Told
from tests.lies.forging import House, Rows, changed, checked, hashed_again, public


def test_an_honest_log_is_sound(told: Told) -> None:
    """Two hands were decided and settled again, and both checkpoints fit."""
    report = told.house.verify(told.club)
    assert (report.fault, report.events) == (None, len(told.rows))
    assert (report.hands, report.checkpoints) == (2, 2)


def test_a_log_put_into_another_database_is_as_sound(told: Told, forge: Forge) -> None:
    """So what the other tests find is their lie, and nothing that forging leaves behind."""
    forged = forge(hashed_again(told.rows))
    assert forged.verify(told.club).fault is None
    assert checked(forged.evidence(told.table, 1), told.keys).found is None


@pytest.mark.lie("a tile discarded that the seat did not hold")
def test_a_tile_that_was_not_held(told: Told, forge: Forge) -> None:
    """The rules do not let the seat discard it, and the paragraph says so."""
    row = told.row("Discarded/1", 1)
    forged = forge(changed(told.rows, row.position, lambda one: public(one, tile="5z")))
    assert_found(told, forged, row, "refused", code="tile_not_held", rule="common 5")


@pytest.mark.lie("a decision out of turn")
def test_a_decision_out_of_turn(told: Told, forge: Forge) -> None:
    """Seat 3 discarded; in the forged log it is seat 0."""
    row = told.row("Discarded/1", 1)
    forged = forge(changed(told.rows, row.position, lambda one: public(one, seat=0)))
    assert_found(told, forged, row, "refused", code="not_your_turn", rule="common 5")


@pytest.mark.lie("another tile drawn than the wall had")
def test_another_tile_drawn(told: Told, forge: Forge) -> None:
    """What is drawn is the next tile of the wall."""
    row = told.row("Drawn/1", 2)

    def with_9p(one: Stored) -> Stored:
        slots = (b'{"tile":"9p"}' if part.startswith(b'{"tile"') else part for part in one.slots)
        return replace(one, slots=tuple(slots))

    forged = forge(changed(told.rows, row.position, with_9p))
    assert_found(told, forged, row, "otherwise")


@pytest.mark.lie("another wall")
def test_another_wall(told: Told, forge: Forge) -> None:
    """The tiles that were dealt are not its first ones."""
    start, dealt = told.row("HandStarted/2"), told.row("Dealt/1")
    forged = forge(changed(told.rows, start.position, walled(lambda wall: wall[2:] + wall[:2])))
    assert_found(told, forged, dealt, "otherwise")


@pytest.mark.lie("a wall with five tiles of a kind")
def test_a_wall_that_cannot_be(told: Told, forge: Forge) -> None:
    """A hand cannot be started with it."""
    start = told.row("HandStarted/2")
    forged = forge(changed(told.rows, start.position, walled(lambda wall: "5z" + wall[2:])))
    assert_found(told, forged, start, "refused", code="wall_composition", rule=None)


@pytest.mark.lie("a hand that ended otherwise")
def test_a_win_turned_into_a_drawn_hand(told: Told, forge: Forge) -> None:
    """After a win the hand ends as won."""
    row = told.row("HandEnded/1")
    forged = forge(changed(told.rows, row.position, lambda one: public(one, end="exhausted")))
    assert_found(told, forged, row, "otherwise")


@pytest.mark.lie("a doctored payment")
def test_a_doctored_payment(told: Told, forge: Forge) -> None:
    """The hand is settled again: the totals are not those."""
    row = told.row("HandSettled/1")
    totals = [9, -9, 0, 0]
    forged = forge(changed(told.rows, row.position, lambda one: public(one, totals=totals)))
    assert checked(forged.evidence(told.table, 1), told.keys).found == Found(
        "settlement", row.position
    )
    assert forged.verify(told.club).fault == Fault(
        row.position, "settlement", row.stream, row.version
    )


@pytest.mark.lie("a hand booked on another day")
def test_another_business_day(told: Told, forge: Forge) -> None:
    """The day follows from the time of the end, the club's zone and its cutoff."""
    row = told.row("HandEnded/1")
    day = "2027-01-17"
    forged = forge(changed(told.rows, row.position, lambda one: public(one, booked_date=day)))
    assert_found(told, forged, row, "otherwise")


@pytest.mark.lie("an event left out, and everything after it signed again")
def test_an_event_left_out_of_the_log(told: Told, forge: Forge) -> None:
    """A draw too few: what its seat did next does not follow."""
    row = told.row("Drawn/1", 2)
    rows = [one for one in told.rows if one.position != row.position]
    moved = [
        replace(one, version=one.version - 1)
        if one.stream == row.stream and one.version > row.version
        else one
        for one in rows
    ]
    forged = forge(hashed_again(moved))
    behind = next(one for one in forged.rows(told.club) if one.position == row.position)
    assert_found(told, forged, behind, "otherwise")


# --- legal play in the place of what was played -------------------------------------------------


def _later(rows: Rows) -> Rows:
    """The same play, recorded a moment later: as legal as what was played."""
    return [replace(row, recorded_at=row.recorded_at + 1) for row in rows]


@pytest.mark.lie("a suffix replaced by other legal play and signed again")
def test_another_hand_by_the_rules_contradicts_a_checkpoint_that_was_kept(
    told: Told, forge: Forge
) -> None:
    """Nothing in the forged file is against the rules; whoever kept a checkpoint sees it."""
    kept = told.house.checkpoint(told.club)
    forged = forge(
        hashed_again([replace(row, recorded_at=row.recorded_at + 1) for row in told.rows])
    )
    evidence = forged.evidence(told.table, 1)
    assert checked(evidence, told.keys).found is None
    assert checked(evidence, told.keys, kept).found == Found("contradicted", kept.position)
    assert forged.verify(told.club, kept).fault == Fault(kept.position, "root")


@pytest.mark.lie("a suffix replaced by other legal play and signed again")
def test_a_longer_forgery_has_no_proof_that_it_only_grew(told: Told, forge: Forge) -> None:
    """Asked for the proof that joins it with the kept one, the forger has only wrong ones.

    That shows no lie, for anybody can make a wrong proof; what was asked stays open.
    """
    kept = told.house.checkpoint(told.club, 98)
    forged = forge(
        hashed_again([replace(row, recorded_at=row.recorded_at + 1) for row in told.rows])
    )
    evidence = forged.evidence(told.table, 1)
    with forged.database.read() as connection:
        proof = proving.consistency(connection, told.club, 98, len(told.rows))
    unjoined = check(evidence, told.keys, [kept])
    assert (unjoined.found, unjoined.against, unjoined.is_so) == (None, ("unjoined",), False)
    joined = check(evidence, told.keys, [kept], [proof])
    assert (joined.found, joined.against, joined.is_so) == (None, ("misproven",), False)


@pytest.mark.parametrize(
    "wrong",
    [lambda _: (), lambda hashes: tuple(hash_[::-1] for hash_ in hashes)],
    ids=["empty", "garbage"],
)
def test_a_wrong_proof_makes_no_honest_file_a_lie(told: Told, wrong: Any) -> None:
    """Nor do a right one and a wrong one together: the right one joins."""
    kept = told.house.checkpoint(told.club, 98)
    with told.house.database.read() as connection:
        proof = proving.consistency(connection, told.club, 98, len(told.rows))
    bad = replace(proof, hashes=wrong(proof.hashes))
    verdict = check(told.evidence, told.keys, [kept], [bad])
    assert (verdict.found, verdict.against) == (None, ("misproven",))
    assert check(told.evidence, told.keys, [kept], [bad, proof]).is_so


def test_an_older_checkpoint_agrees_by_its_proof(told: Told) -> None:
    """Given the proof that the log only grew, then the kept checkpoint vouches for the file."""
    kept = told.house.checkpoint(told.club, 98)
    with told.house.database.read() as connection:
        proof = proving.consistency(connection, told.club, 98, len(told.rows))
    verdict = check(told.evidence, told.keys, [kept], [proof])
    assert (verdict.found, verdict.against) == (None, ("agrees",))


@pytest.mark.lie("the end of the log cut off, with its head and its checkpoints")
def test_a_tail_cut_off(told: Told, forge: Forge) -> None:
    """The rest is sound in itself; a kept checkpoint reaches beyond it."""
    kept = told.house.checkpoint(told.club)
    forged = forge(told.rows[:98])
    assert forged.verify(told.club).fault is None
    assert forged.verify(told.club, kept).fault == Fault(99, "cut")


def walled(change: Callable[[str], str]) -> Callable[[Stored], Stored]:
    """Another wall in the start of a hand."""

    def with_wall(row: Stored) -> Stored:
        slot = json.loads(row.slots[-1])
        slot["wall"] = change(slot["wall"])
        return replace(row, slots=(*row.slots[:-1], msgspec.json.encode(slot)))

    return with_wall


def assert_found(
    told: Told,
    forged: House,
    row: Stored,
    why: Any,
    code: str | None = None,
    rule: str | None = None,
) -> None:
    """A stranger finds it in the file, and an audit in the log, at the same event."""
    seen = checked(forged.evidence(told.table, 1), told.keys).found
    assert seen == Found(why, row.position, code=code, rule=rule)
    fault = forged.verify(told.club).fault
    assert fault == Fault(row.position, why, row.stream, row.version, code, rule)
