"""Lies about who recorded a hand, in a file of evidence that the house has signed."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from ledger.audit.lies import Found
from ledger.store import Stored
from tests.lies.conftest import Forge, Told
from tests.lies.forging import Change, checked, hashed_again, public

ORDER = bytes(range(32))
"""A command id."""


def found(told: Told, forge: Forge, change: Change) -> Found | None:
    """What a stranger finds in the file of the first hand after a change of the log."""
    forged = forge(hashed_again(list(map(change, told.rows))))
    return checked(forged.evidence(told.table, 1), told.keys).found


def is_of_hand(told: Told, row: Stored) -> bool:
    return row.stream in (f"table/{told.table}", f"hand/{told.table}/1")


def refused(row: Stored) -> Found:
    return Found("refused", row.position, code="role_missing")


@pytest.mark.lie("an officer who had not the role")
def test_a_founding_by_a_key(told: Told, forge: Forge) -> None:
    """The operator founds clubs."""
    founded = told.row("ClubFounded/1")

    def by_a_key(row: Stored) -> Stored:
        is_it = row.position == founded.position
        return replace(row, actor="key_1", role="recorder") if is_it else row

    assert found(told, forge, by_a_key) == refused(founded)


@pytest.mark.lie("a hand recorded by somebody else's key")
def test_an_opening_by_another_than_its_recorder(told: Told, forge: Forge) -> None:
    """Who opens a match records it."""
    opened = told.row("TableOpened/1")

    def by_another(row: Stored) -> Stored:
        return replace(row, actor="key_1") if row.position == opened.position else row

    assert found(told, forge, by_another) == Found("otherwise", opened.position)


@pytest.mark.lie("an officer who had not the role")
@pytest.mark.parametrize(("actor", "role"), [("per_1", "worker"), ("operator", "operator")])
def test_a_settlement_by_another_than_the_worker(
    told: Told, forge: Forge, actor: str, role: str
) -> None:
    """The worker settles, and nobody else is called so."""
    settled = told.row("HandSettled/1")

    def by_another(row: Stored) -> Stored:
        return replace(row, actor=actor, role=role) if row.position == settled.position else row

    assert found(told, forge, by_another) == Found("settlement", settled.position)


@pytest.mark.lie("an officer who had not the role")
@pytest.mark.parametrize(
    ("actor", "role"), [("operator", "recorder"), ("key_1", "operator"), ("worker", "recorder")]
)
def test_a_role_that_goes_with_another_name(
    told: Told, forge: Forge, actor: str, role: str
) -> None:
    """Operator and worker act in their own roles, in which nobody else acts."""
    opened = told.row("TableOpened/1")

    def so(row: Stored) -> Stored:
        return replace(row, actor=actor, role=role) if row.position == opened.position else row

    assert found(told, forge, so) == refused(opened)


@pytest.mark.lie("a key or a person under somebody else's name")
@pytest.mark.parametrize("name", ["", "\u202eowner\n", "mem_1"])
def test_a_recorder_who_can_be_nobody(told: Told, forge: Forge, name: str) -> None:
    """Keys and people have names that are known as such."""
    opened = told.row("TableOpened/1")

    def so(row: Stored) -> Stored:
        told_so = row.type in ("TableOpened/1", "HandStarted/2")
        changed = public(row, recorder=name) if told_so else row
        return replace(changed, actor=name) if row.stream == opened.stream else row

    assert found(told, forge, so) == Found("malformed", opened.position)


@pytest.mark.lie("a command that was done twice")
def test_a_command_id_of_recorder_and_worker(told: Told, forge: Forge) -> None:
    """A command has one who gave it, so what came of it is his."""
    settled = told.row("HandSettled/1")

    def by_one_command(row: Stored) -> Stored:
        return replace(row, command=ORDER) if is_of_hand(told, row) else row

    used = Found("refused", settled.position, code="idempotency_key_reused")
    assert found(told, forge, by_one_command) == used


@pytest.mark.lie("a command that was done twice")
def test_a_command_id_that_comes_again_in_a_hand(told: Told, forge: Forge) -> None:
    """What came of a command stands together."""
    first, second, last = (told.row("Drawn/1", number) for number in (0, 1, 2))

    def twice(row: Stored) -> Stored:
        return (
            replace(row, command=ORDER) if row.position in (first.position, last.position) else row
        )

    assert second.position < last.position
    used = Found("refused", last.position, code="idempotency_key_reused")
    assert found(told, forge, twice) == used
