"""Lies in a file of evidence, told by somebody who has the file: found without any database."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ledger import signing
from ledger.audit.evidence import Evidence, Key, Proven
from ledger.audit.lies import Found
from ledger.signing import PublicKey
from tests.lies.conftest import Told
from tests.lies.forging import House, checked

File = dict[str, Any]


@pytest.fixture
def file(told: Told) -> File:
    """The honest file, to be written over."""
    data: File = json.loads(msgspec.json.encode(told.evidence))
    return data


def found(told: Told, file: File | Evidence) -> Found | None:
    return checked(file, told.keys).found


def test_an_honest_file_is_so(told: Told) -> None:
    """Signed by a key that is trusted, whole, played and settled by the rules, nobody's wall."""
    verdict = checked(told.evidence, told.keys, told.house.checkpoint(told.club))
    assert verdict.found is None
    assert (verdict.club, verdict.table, verdict.hand) == (told.club, told.table, 1)
    assert (verdict.trusted, verdict.settled, verdict.entered) == (True, True, None)
    assert (verdict.against, verdict.is_so) == (("agrees",), True)


def test_an_honest_file_of_a_later_hand_is_so(told: Told) -> None:
    """Between the opening of its table and its start lie the hands before it."""
    evidence = told.house.evidence(told.table, 2)
    opened, started = evidence.events[1:3]
    assert (opened.version, started.version > 3) == (1, True)
    assert checked(evidence, told.keys).is_so


def test_without_a_key_of_ones_own_it_is_not_said_whose_it_is(told: Told) -> None:
    verdict = checked(told.evidence, ())
    assert (verdict.found, verdict.trusted) == (None, False)


@pytest.mark.lie("a changed tile")
def test_a_changed_tile(told: Told, file: File) -> None:
    """Its leaf is another, so the event is not the one under the checkpoint."""
    drawn = told.place("Drawn/1", 3)
    slots = file["events"][drawn]["slots"]
    held = next(number for number, part in enumerate(slots) if "tile" in part)
    slots[held] = '{"tile":"1m"}' if "1m" not in slots[held] else '{"tile":"2m"}'
    assert found(told, file) == Found("not_in_log", file["events"][drawn]["position"])


@pytest.mark.lie("a left-out event")
def test_a_left_out_event(told: Told, file: File) -> None:
    """The versions of its table, which are hashed with the events, have a gap."""
    gone = file["events"].pop(told.place("Drawn/1", 2))
    behind = next(one for one in file["events"] if one["position"] > gone["position"])
    expected = Found("left_out", behind["position"], version=gone["version"])
    assert found(told, file) == expected


@pytest.mark.lie("a left-out end")
def test_a_left_out_end(told: Told, file: File) -> None:
    """A hand ends with its end: what follows the last event that is shown is missing."""
    file["events"] = file["events"][: told.place("HandEnded/1")]
    file["settlement"] = None
    last = file["events"][-1]
    assert found(told, file) == Found("left_out", last["position"], version=last["version"] + 1)


@pytest.mark.lie("a swapped order")
def test_a_swapped_order(told: Told, file: File) -> None:
    """Versions and positions only grow."""
    at = told.place("Drawn/1", 2)
    events = file["events"]
    events[at], events[at + 1] = events[at + 1], events[at]
    late = events[at]
    assert found(told, file) == Found("left_out", late["position"], version=late["version"] - 1)


@pytest.mark.lie("a swapped order")
def test_a_swapped_order_with_changed_numbers(told: Told, file: File) -> None:
    """Who writes the numbers of one event into another has an event that the log has not."""
    at = told.place("Drawn/1", 2)
    one, other = file["events"][at], file["events"][at + 1]
    for name in ("position", "version", "proof"):
        one[name], other[name] = other[name], one[name]
    file["events"][at], file["events"][at + 1] = other, one
    assert found(told, file) == Found("not_in_log", other["position"])


@pytest.mark.lie("a doctored payment")
def test_a_doctored_payment_beside_the_events(told: Told, file: File) -> None:
    """What is told for reading is held against the event that settles the hand."""
    file["settlement"]["totals"][0] += 1
    settled = told.event("HandSettled/1").position
    assert found(told, file) == Found("told_otherwise", settled, place="/settlement")


@pytest.mark.lie("a doctored payment")
def test_a_doctored_payment_in_the_event(told: Told, file: File) -> None:
    """The event that settles the hand has another leaf."""
    settled = file["events"][told.place("HandSettled/1")]
    settled["public"] = settled["public"].replace('"totals":[', '"totals":[1', 1)
    assert found(told, file) == Found("not_in_log", settled["position"])


@pytest.mark.lie("another hand's settlement")
def test_a_settlement_of_another_hand(told: Told, file: File) -> None:
    """The second hand's settlement is of another stream."""
    other = told.house.evidence(told.table, 2)
    file["events"][-1] = json.loads(msgspec.json.encode(other.events[-1]))
    position = other.events[-1].position
    assert found(told, file) == Found("not_of_this_hand", position)


@pytest.mark.lie("another club's event")
def test_another_clubs_event(told: Told, file: File, forger: House) -> None:
    """With its own proof: that leads to another root, for the club is hashed with the event."""
    there = forger.play(1)
    rows = forger.rows(there)
    table = next(row.stream for row in rows if row.stream.startswith("table/"))
    theirs = forger.evidence(table.removeprefix("table/"), 1)
    at = told.place("Drawn/1", 1)
    own, put = file["events"][at], json.loads(msgspec.json.encode(theirs.events[at]))
    file["events"][at] = {**put, "stream": own["stream"], "version": own["version"]}
    file["events"][at]["position"] = own["position"]
    assert found(told, file) == Found("not_in_log", own["position"])


@pytest.mark.lie("another wall")
def test_another_wall_beside_the_events(told: Told, file: File) -> None:
    """The wall for reading is held against the one that the hand began with."""
    wall = file["wall"]
    file["wall"] = wall[2:] + wall[:2]
    start = told.event("HandStarted/2").position
    assert found(told, file) == Found("told_otherwise", start, place="/wall")


@pytest.mark.lie("another wall")
def test_another_wall_in_the_event(told: Told, file: File) -> None:
    """The digest of the table's part is another, and so is the leaf."""
    started = file["events"][told.place("HandStarted/2")]
    slot = json.loads(started["slots"][-1])
    wall = slot["wall"]
    slot["wall"] = file["wall"] = wall[2:] + wall[:2]
    started["slots"][-1] = json.dumps(slot, separators=(",", ":"))
    assert found(told, file) == Found("not_in_log", started["position"])


@pytest.mark.lie("other rules than those played by")
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ruleset", "zhuoji/1"),
        ("options", {"players": 4}),
        ("seats", ["mem_a", "mem_b", "mem_c", "mem_d"]),
        ("wilds", ["5z"]),
        ("secret", "00" * 32),
    ],
)
def test_other_facts_beside_the_events(told: Told, file: File, name: str, value: object) -> None:
    """What a reader reads is what the start of the hand says; the secret is in every leaf."""
    file[name] = value
    start = told.event("HandStarted/2").position
    other = Found("not_in_log", start) if name == "secret" else None
    assert found(told, file) == (other or Found("told_otherwise", start, place=f"/{name}"))


@pytest.mark.lie("a hand that another table played")
def test_the_hand_of_another_table(told: Told, file: File) -> None:
    """The stream that each event is of is hashed with it."""
    file["table"] = "tbl_other"
    opened = told.event("TableOpened/1").position
    assert found(told, file) == Found("not_of_this_hand", opened)


@pytest.mark.lie("a hand that another table played")
def test_another_number_of_a_hand(told: Told, file: File) -> None:
    """The first hand follows the opening, a later one does not; and its start says which it is."""
    file["hand"] = 2
    assert found(told, file) == Found("order", told.event("HandStarted/2").position)
    later = json.loads(msgspec.json.encode(told.house.evidence(told.table, 2)))
    later["hand"] = 3
    del later["events"][-1]
    start = later["events"][2]["position"]
    assert found(told, {**later, "settlement": None}) == Found("not_of_this_hand", start)


@pytest.mark.lie("a checkpoint that nobody signed")
def test_another_root_under_the_same_signature(told: Told, file: File) -> None:
    """The signature is over every line of the note."""
    lines = file["checkpoint"].splitlines(keepends=True)
    lines[2] = f"{'A' * 43}=\n"
    file["checkpoint"] = "".join(lines)
    assert found(told, file) == Found("altered", key=told.keys[0].id)


@pytest.mark.lie("a checkpoint that another key signed")
def test_a_key_of_somebody_else(told: Told, forger: House) -> None:
    """A stranger who trusts another key is told that this is not it."""
    forger.play(1)
    lie = Found("signature", key=told.keys[0].id)
    assert checked(told.evidence, [forger.key()]).found == lie


def test_an_older_key_vouches_for_the_one_that_followed_it(forger: House) -> None:
    """Given the key of the first day, then what its successor signed is trusted too."""
    club = forger.play(1)
    first = forger.key()
    with forger.database.write() as connection:
        signing.rotate(connection, forger.key_file, 1)
    table = next(row.stream for row in forger.rows(club) if row.stream.startswith("table/"))
    forger.grow(club)
    assert forger.sign(club).key == forger.key().id != first.id
    evidence = forger.evidence(table.removeprefix("table/"), 1)
    assert checked(evidence, [first]).found is None
    lie = Found("signature", key=forger.key().id)
    assert checked(evidence, [PublicKey(bytes(32))]).found == lie


def test_the_page_of_formats_names_every_key() -> None:
    page = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")
    told = page.partition("## Evidence of a hand")[2]
    names = {name for kind in (Evidence, Proven, Key) for name in kind.__struct_fields__}
    assert {name for name in names if f"`{name}`" not in told} == {"format"}
