"""Checkpoints of a club's log: one for a position, and none that contradicts the one before.

What is signed is the root over the nodes that are kept and the hash at the end of the log. So a
log that was changed below its locks is not signed where that shows at the place of the newest
checkpoint: its end is missing, it has another hash there (its hashes were made anew), or a node
or the leaf beside the nodes is another. What does not show there is not looked for, since that
would be to read the log from its beginning: an event changed in the middle, with its hash and
all after it left as they were, is found by an audit. Signing is not deceived by it: the root
stays that of the log as it was, and no proof of the changed event comes to it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from ledger import checkpoints, merkle, proving, signing
from ledger.checkpoints import Checkpoint
from ledger.database import Database
from ledger.keyset import Page
from ledger.refusal import Refused
from ledger.texts import sentence
from tests.lies.forging import signed
from tests.proofs import rfc
from tests.proofs.conftest import NOON, grow, leaves, noon
from tests.store.conftest import Log

Together = Callable[..., list[Any]]
SECOND = 1_000_000
FORGED = bytes(32)


def make(log: Log, file: Path, now: int = NOON) -> Checkpoint:
    """The checkpoint of the club `c1` as its log stands."""
    return checkpoints.make(log.database, "c1", file, lambda: now)


def make_all(log: Log, file: Path, positions: tuple[int, ...]) -> list[Checkpoint]:
    """A log that grows to these positions, a second and a checkpoint at each."""
    made = []
    for position in positions:
        add(log, position - len(leaves(log.database, "c1")))
        made.append(make(log, file, NOON + position * SECOND))
    return made


def add(log: Log, events: int, at: int = 1000) -> None:
    """Events of a new table."""
    if events:
        log.append(f"table/{len(log.all())}", 0, ("Drawn/1",) * events, at=at)


def positions(found: list[Checkpoint]) -> list[int]:
    return [one.position for one in found]


def refused(log: Log, file: Path) -> Refused:
    """How a checkpoint is refused."""
    with pytest.raises(Refused) as caught:
        make(log, file)
    return caught.value


# --- making -----------------------------------------------------------------------------------


def test_a_checkpoint_says_what_the_log_is(log: Log, key_file: Path) -> None:
    """The root over every leaf, the hash of the last event, and the key that signed."""
    add(log, 10)
    made = make(log, key_file)
    assert (made.club, made.position, made.created_at) == ("c1", 11, NOON)
    assert made.root == rfc.mth(leaves(log.database, "c1"))
    assert made.head == log.all()[-1].hash
    with log.database.read() as connection:
        [key] = signing.listed(connection)
        assert checkpoints.at(connection, "c1", 11) == made
    assert (key.key.id, made.is_signed_by(key.key)) == (made.key, True)


def test_each_checkpoint_goes_on_from_the_one_before(log: Log, key_file: Path) -> None:
    """Of logs that grow by any steps, the proof between any two comes to both roots."""
    made = make_all(log, key_file, (1, 2, 3, 8, 9, 31))
    for first in made:
        for second in made[made.index(first) :]:
            with log.database.read() as connection:
                proof = proving.consistency(connection, "c1", first.position, second.position)
            path = [bytes.fromhex(told) for told in proof.hashes]
            roots = merkle.roots_by(first.position, second.position, first.root, path)
            assert roots == (first.root, second.root)


def test_a_log_that_has_not_grown_keeps_its_checkpoint(log: Log, key_file: Path) -> None:
    """Asked again later, under another key, it is the same note."""
    first = make(log, key_file)
    with log.database.write() as connection:
        signing.rotate(connection, key_file, NOON)
    assert make(log, key_file, NOON + 3600 * SECOND) == first
    add(log, 1)
    assert make(log, key_file).key != first.key


def test_several_at_once_are_one(log: Log, key_file: Path, together: Together) -> None:
    """Given four who ask at the same moment, each by his own clock, then all get one note."""
    add(log, 20)
    asked = (lambda late=late: make(log, key_file, NOON + late * SECOND) for late in range(4))
    made = together(*asked)
    with log.database.read() as connection:
        assert signed(connection, "c1") == [made[0]]
    assert made == [made[0]] * 4


def test_a_checkpoint_beside_one_who_writes(log: Log, key_file: Path, together: Together) -> None:
    """Given a log that grows meanwhile, then nobody takes that for a change of it."""

    def write() -> None:
        for number in range(30):
            log.append(f"table/beside{number}", 0)

    def sign() -> str:
        return {make(log, key_file).club for _ in range(15)}.pop()

    assert together(write, sign, sign, sign) == [None, "c1", "c1", "c1"]
    assert make(log, key_file).root == rfc.mth(leaves(log.database, "c1"))


def test_a_clock_that_is_behind(log: Log, key_file: Path) -> None:
    """A checkpoint is not older than the last event under it; it tells whole seconds."""
    add(log, 1, at=NOON + 5 * SECOND + 999_999)
    assert make(log, key_file).created_at == NOON + 5 * SECOND


def test_the_key_begins_before_it_signs(log: Log, key_file: Path) -> None:
    """As the list and the note tell it, in whole seconds."""
    made = make(log, key_file, NOON + 999_999)
    with log.database.read() as connection:
        assert signing.listed(connection)[0].begun_at == made.created_at == NOON


def test_an_unknown_club(log: Log, key_file: Path) -> None:
    """It is refused, and no key is made for it."""
    with pytest.raises(Refused) as caught:
        checkpoints.make(log.database, "c9", key_file, noon)
    assert (caught.value.code, caught.value.params) == ("club_unknown", {"club": "c9"})
    assert not key_file.exists()


def test_a_key_that_signs_nothing_leaves_no_checkpoint(log: Log, key_file: Path) -> None:
    key_file.parent.mkdir()
    key_file.write_bytes(b"garbage")
    assert refused(log, key_file).code == "signing_key_unreadable"
    with log.database.read() as connection:
        assert signed(connection, "c1") == []
        assert connection.execute(text("SELECT count(*) FROM nodes")).scalar_one() == 0


# --- what was signed is not contradicted ------------------------------------------------------


def below(unlocked: Database, *statements: str) -> None:
    """Change the database by hand, past its locks."""
    with unlocked.write() as connection:
        for statement in statements:
            connection.execute(text(statement), {"forged": FORGED})


CUT = "DELETE FROM events WHERE position > {0}"
ENDS = "UPDATE heads SET position = {0}, hash = (SELECT hash FROM events WHERE position = {0})"
TAMPERED = {
    "a node": ("UPDATE nodes SET hash = :forged WHERE level = 3",),
    "the leaf beside the nodes": ("UPDATE events SET leaf = :forged WHERE position = 9",),
    "the hashes made anew": ("UPDATE events SET hash = :forged WHERE position >= 5",),
    "the event at the checkpoint gone": ("DELETE FROM events WHERE position = 9",),
}
SHORTENED = {
    "the end cut off": (CUT.format(8), ENDS.format(8)),
    "the end cut off, where another checkpoint was": (CUT.format(4), ENDS.format(4)),
    "the head set back": (ENDS.format(6),),
}


@pytest.mark.holds("somebody changes a log below its locks, and a checkpoint is asked for")
@pytest.mark.parametrize(
    ("what", "grown"), [*((what, grown) for what in TAMPERED for grown in (0, 3))]
)
def test_a_log_that_does_not_begin_as_was_signed(
    log: Log, unlocked: Database, key_file: Path, what: str, grown: int
) -> None:
    """Given checkpoints at 4 and 9, then what was changed below is not signed over."""
    made = make_all(log, key_file, (4, 9))
    add(log, grown)
    below(unlocked, *TAMPERED[what])
    assert_contradicted(log, key_file, made)


@pytest.mark.holds("somebody cuts a log below its locks, and a checkpoint is asked for")
@pytest.mark.parametrize("what", list(SHORTENED))
def test_a_log_that_is_shorter_than_was_signed(
    log: Log, unlocked: Database, key_file: Path, what: str
) -> None:
    """The newest checkpoint tells, even where the log ends as an older one says."""
    made = make_all(log, key_file, (4, 9))
    below(unlocked, *SHORTENED[what])
    assert_contradicted(log, key_file, made)


def assert_contradicted(log: Log, file: Path, made: list[Checkpoint]) -> None:
    """The refusal names the newest checkpoint, and there is no other."""
    why = refused(log, file)
    assert (why.code, why.params) == ("checkpoint_contradicted", {"position": 9})
    assert sentence(why, "en") == (
        "It does not begin as the checkpoint at 9 says; nothing is signed."
    )
    with log.database.read() as connection:
        assert signed(connection, "c1") == made


def test_a_cut_log_that_has_grown_again(log: Log, unlocked: Database, key_file: Path) -> None:
    """Given other events where the old ones were, then the new end does not hide the old one."""
    make_all(log, key_file, (4, 9))
    below(unlocked, CUT.format(6), ENDS.format(6))
    log.append("table/another", 0, ("Dealt/1",) * 8)
    assert refused(log, key_file).code == "checkpoint_contradicted"


def test_nodes_that_are_missing(log: Log, unlocked: Database, key_file: Path) -> None:
    """A tree with a hole has no root; nothing is signed."""
    make_all(log, key_file, (4, 9))
    below(unlocked, "DELETE FROM nodes WHERE level = 3")
    assert refused(log, key_file).code == "not_under_a_checkpoint"


def test_an_event_missing_since_the_checkpoint(
    log: Log, unlocked: Database, key_file: Path
) -> None:
    """It is told by its position, and the tree does not close over it."""
    make_all(log, key_file, (4,))
    add(log, 5)
    below(unlocked, "DELETE FROM events WHERE position = 7")
    why = refused(log, key_file)
    assert (why.code, why.params) == ("event_unknown", {"position": 7})
    assert sentence(why, "en") == "The log has no event at position 7."


def test_an_event_changed_in_the_middle_is_not_seen_but_not_signed_either(
    log: Log, unlocked: Database, key_file: Path
) -> None:
    """The next root is still over the leaf that was; the leaf that is there comes to another."""
    make_all(log, key_file, (9,))
    before = leaves(log.database, "c1")
    below(unlocked, "UPDATE events SET leaf = :forged WHERE position = 5")
    add(log, 4)
    made = make(log, key_file)
    assert made.root == rfc.mth([*before, *leaves(log.database, "c1")[9:]])
    with log.database.read() as connection:
        proof = proving.inclusion(connection, "c1", 5)
    assert proof.leaf == FORGED
    assert merkle.root_by(4, 9, before[4], proof.hashes) == proof.checkpoint.root
    assert merkle.root_by(4, 9, proof.leaf, proof.hashes) != proof.checkpoint.root


# --- finding ----------------------------------------------------------------------------------


def test_finding_a_checkpoint(log: Log, key_file: Path) -> None:
    """The newest, the one at a position, the first under which an event lies; all, oldest first."""
    made = make_all(log, key_file, (1, 5, 9))
    with log.database.read() as connection:
        assert checkpoints.newest(connection, "c1") == made[2]
        assert checkpoints.at(connection, "c1", 5) == made[1]
        assert checkpoints.at(connection, "c1", 4) is None
        found = [checkpoints.first_from(connection, "c1", place) for place in range(1, 11)]
        assert found == [made[0], *[made[1]] * 4, *[made[2]] * 4, None]
        assert signed(connection, "c1") == made


def test_a_club_without_checkpoints(log: Log, key_file: Path) -> None:
    """Another club's are not its own."""
    make_all(log, key_file, (3,))
    grow(log, "c2", 3)
    with log.database.read() as connection:
        assert checkpoints.newest(connection, "c2") is None
        assert checkpoints.at(connection, "c2", 3) is None
        assert checkpoints.first_from(connection, "c2", 1) is None
        assert signed(connection, "c2") == []
        assert checkpoints.of_club(connection, "c2", Page()) == ([], False)


def test_pages_of_checkpoints(log: Log, key_file: Path) -> None:
    """The newest first; from one place to another, and within a time."""
    make_all(log, key_file, (1, 3, 5, 10, 11))
    for page, wanted in (
        (Page(), ([11, 10, 5, 3, 1], False)),
        (Page(limit=2), ([11, 10], True)),
        (Page(limit=2, starting_after="chk_10"), ([5, 3], True)),
        (Page(limit=2, starting_after="chk_3"), ([1], False)),
        (Page(starting_after="chk_1"), ([], False)),
        (Page(limit=2, ending_before="chk_3"), ([10, 5], True)),
        (Page(first=NOON + 3 * SECOND, last=NOON + 10 * SECOND), ([10, 5, 3], False)),
        (Page(first=NOON + 10 * SECOND + 1), ([11], False)),
    ):
        with log.database.read() as connection:
            found, more = checkpoints.of_club(connection, "c1", page)
        assert (positions(found), more) == wanted, page


@pytest.mark.parametrize("cursor", ["chk_4", "chk_0", "chk_03", "3", "jrn_3", "chk_"])
def test_a_page_after_what_is_no_checkpoint(log: Log, key_file: Path, cursor: str) -> None:
    make_all(log, key_file, (3,))
    with log.database.read() as connection, pytest.raises(Refused) as caught:
        checkpoints.of_club(connection, "c1", Page(starting_after=cursor))
    assert caught.value.code == "cursor_unknown"
    assert caught.value.params == {"parameter": "starting_after"}


# --- proofs under them ------------------------------------------------------------------------


def test_an_event_is_proven_under_the_first_checkpoint_from_it_on(log: Log, key_file: Path) -> None:
    """Or under one that is named, if it reaches so far."""
    made = make_all(log, key_file, (4, 9))
    with log.database.read() as connection:
        for size, position, sealed in ((None, 3, made[0]), (None, 5, made[1]), (9, 3, made[1])):
            proof = proving.inclusion(connection, "c1", position, size)
            assert proof.checkpoint == sealed
            assert proof.leaf == leaves(log.database, "c1")[position - 1]
            place = (position - 1, sealed.position)
            assert merkle.root_by(*place, proof.leaf, proof.hashes) == sealed.root


@pytest.mark.parametrize(
    ("position", "size", "code"),
    [
        (10, None, "not_under_a_checkpoint"),
        (5, 4, "not_under_a_checkpoint"),
        (3, 5, "not_under_a_checkpoint"),
        (12, None, "event_unknown"),
        (12, 9, "event_unknown"),
        (0, None, "event_unknown"),
    ],
)
def test_an_event_that_is_not_proven(
    log: Log, key_file: Path, position: int, size: int | None, code: str
) -> None:
    """Given checkpoints at 4 and 9 and eleven events."""
    make_all(log, key_file, (4, 9))
    add(log, 2)
    with log.database.read() as connection, pytest.raises(Refused) as caught:
        proving.inclusion(connection, "c1", position, size)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("first", "second", "code"),
    [
        (0, 4, "number_range"),
        (5, 4, "number_range"),
        (4, 10, "not_under_a_checkpoint"),
        (10, 10, "not_under_a_checkpoint"),
    ],
)
def test_sizes_whose_consistency_is_not_proven(
    log: Log, key_file: Path, first: int, second: int, code: str
) -> None:
    """Sizes in no order, and what is beyond the newest checkpoint, here at 9."""
    make_all(log, key_file, (4, 9))
    add(log, 2)
    with log.database.read() as connection, pytest.raises(Refused) as caught:
        proving.consistency(connection, "c1", first, second)
    assert caught.value.code == code
