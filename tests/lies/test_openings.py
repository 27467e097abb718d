"""Lies about a match around a hand, told by the house itself, which has the machine and the key.

Of one hand alone nobody sees the others; what its file holds is decided from the opening on.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from ledger import acts, dealing, demo, settlement
from ledger.access import Caller
from ledger.acts import Desk, Opening
from ledger.audit.lies import Found
from ledger.outcome import read_outcome
from ledger.perform import Ledger
from ledger.refusal import Refused
from ledger.settings import load
from ledger.store import Stored
from tests.lies.conftest import Forge, Told
from tests.lies.forging import NOON, House, Rows, changed, checked, hashed_again, public


def of_hand(told: Told, log: Rows, first: int, last: int) -> Rows:
    """Of a log what a file of the first hand holds, with the table's events between positions."""
    beside = ("ClubFounded/1", "TableOpened/1")
    return [
        row
        for row in log
        if row.type in beside
        or (row.stream == f"table/{told.table}" and first <= row.position <= last)
        or row.stream == f"hand/{told.table}/1"
    ]


# --- what belongs to a hand ---------------------------------------------------------------------


@pytest.mark.lie("a doctored payment")
def test_a_second_settlement(told: Told, forge: Forge) -> None:
    """A hand is settled once, at its end: what a reader sees first is not covered by the last."""
    start, settled = told.row("HandStarted/2"), told.row("HandSettled/1")
    false, right = public(settled, totals=[300, -300, 0, 0]), replace(settled, version=2)
    rows = [
        put
        for row in told.rows
        for put in ((false, right) if row.position == settled.position else (row,))
    ]
    forged = forge(hashed_again(rows))
    log = forged.rows(told.club)
    file = forged.shown(told.evidence, of_hand(told, log, start.position, settled.position))
    assert checked(file, told.keys).found == Found("order", settled.position)


@pytest.mark.lie("a hand that another table played")
def test_a_second_hand_in_the_file(told: Told, forge: Forge) -> None:
    """With the same secret in both, so that all of it can be opened: a file tells one hand."""
    start, second = told.row("HandStarted/2"), told.row("HandStarted/2", 1)
    own, other = (json.loads(row.slots[-1])["secret"].encode() for row in (start, second))

    def with_one_secret(row: Stored) -> Stored:
        slots = tuple(part.replace(other, own) for part in row.slots)
        return replace(row, public=row.public.replace(other, own), slots=slots)

    forged = forge(hashed_again(list(map(with_one_secret, told.rows))))
    log, end = forged.rows(told.club), told.row("HandEnded/1", 1)
    rows = of_hand(told, log, start.position, end.position)
    unsettled = [row for row in rows if row.type != "HandSettled/1"]
    file = replace(forged.shown(told.evidence, unsettled), settlement=None)
    assert checked(file, told.keys).found == Found("not_of_this_hand", second.position)


@pytest.mark.lie("a left-out event")
@pytest.mark.parametrize("hand", [1, 2])
def test_a_left_out_opening(told: Told, hand: int) -> None:
    """A hand is of a match, which was opened: the first version of its table is missing."""
    file = told.house.evidence(told.table, hand)
    opened, started = file.events[1:3]
    assert (opened.type, started.type) == ("TableOpened/1", "HandStarted/2")
    file = replace(file, events=(file.events[0], *file.events[2:]))
    expected = Found("left_out", started.position, version=1)
    assert checked(file, told.keys).found == expected


@pytest.mark.lie("a left-out event")
def test_a_left_out_start(told: Told) -> None:
    """Between the opening and the start of a later hand lie other hands, and nothing else."""
    file = told.house.evidence(told.table, 2)
    dealt = file.events[3]
    file = replace(file, events=(*file.events[:2], *file.events[3:]))
    assert checked(file, told.keys).found == Found("not_of_this_hand", dealt.position)


def test_time_does_not_go_back(told: Told, forge: Forge) -> None:
    start, drawn = told.row("HandStarted/2"), told.row("Drawn/1", 3)
    earlier = drawn.recorded_at - 5_000_000
    rows = [
        replace(row, recorded_at=earlier) if row.position >= drawn.position else row
        for row in told.rows
    ]
    forged = forge(hashed_again(rows))
    assert start.recorded_at > earlier
    file = forged.evidence(told.table, 1)
    assert checked(file, told.keys).found == Found("order", drawn.position)


# --- what a hand starts with --------------------------------------------------------------------


@pytest.mark.lie("a hand that starts with what its match cannot have come to")
@pytest.mark.parametrize(
    "told_so",
    [
        {"streak": 77},
        {"totals": [1000, -1000, 0, 0]},
        {"hands": 1},
        {"tiles": 5},
        {"recorder": "key_zz"},
        {"low_score": 99},
        {"dealer": 3},
        {"seats": ["mem_a", "mem_a", "mem_b", "mem_c"]},
    ],
)
def test_a_first_hand_follows_from_the_opening(
    told: Told, forge: Forge, told_so: dict[str, Any]
) -> None:
    """Nothing was played before it: all that it starts with is known."""
    start = told.row("HandStarted/2")
    forged = forge(changed(told.rows, start.position, lambda row: public(row, **told_so)))
    seen = checked(forged.evidence(told.table, 1), told.keys).found
    assert seen == Found("otherwise", start.position)


@pytest.mark.lie("a hand that starts with what its match cannot have come to")
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ruleset", "zhuoji/1"),
        ("options", {"players": 4}),
        ("seats", ["mem_a", "mem_a", "mem_b", "mem_c"]),
        ("recorder", "key_zz"),
        ("low_score", 99),
        ("hands", -5),
        ("hands", 1),
        ("hands", 9),
        ("tiles", 5),
        ("dealer", 4),
        ("dealer", -1),
        ("streak", 0),
        ("totals", [0] * 7),
        ("totals", [1000, -900, 0, 0]),
    ],
)
def test_a_later_hand_fits_its_match(told: Told, forge: Forge, name: str, value: Any) -> None:
    """Rules, seats, recorder and length are the opening's; there are points for every seat."""
    start = told.row("HandStarted/2", 1)
    forged = forge(changed(told.rows, start.position, lambda row: public(row, **{name: value})))
    seen = checked(forged.evidence(told.table, 2), told.keys).found
    assert seen == Found("opened_otherwise", start.position, place=f"/{name}")


@pytest.mark.lie("a hand that starts with what its match cannot have come to")
def test_a_later_hand_has_hands_before_it(told: Told, forge: Forge) -> None:
    """Of a second hand that follows the opening at once there was no first."""
    start = told.row("HandStarted/2")
    forged = forge(changed(told.rows, start.position, lambda row: public(row, number=2)))
    log = [row for row in forged.rows(told.club) if row.position <= 97]
    rows = [row for row in log if row.type == "ClubFounded/1" or row.stream == start.stream]
    file = replace(forged.shown(told.evidence, rows), hand=2, settlement=None)
    assert checked(file, told.keys).found == Found("order", start.position)


OUTCOME = {
    "ruleset": "huaihua/1",
    "dealer": 1,
    "seats": [
        {"hand": "1458m2358p23669s"},
        {"hand": "123m456p789s55s67p"},
        {"hand": "267899m1149p347s"},
        {"hand": "369m1223499p148s"},
    ],
    "end": "win",
    "wins": [{"seat": 1, "tile": "8p", "how": "self_draw"}],
}


@pytest.fixture
def entered(tmp_path: Path) -> Iterator[tuple[House, str, str]]:
    """A house in which three hands were entered, by points, by an outcome and by points again."""
    own = House(tmp_path)
    ledger = Ledger(own.database, lambda: NOON, Random(7).randbytes, lambda *_: None)
    club = demo.found(ledger, 4)
    desk = Desk(ledger, Caller(club.recorder_key, club.club, ("recorder",)), club.club)
    opening = Opening("huaihua/1", {}, tuple(club.members), 3, 0, 0)
    table = acts.open_table(desk, opening).stream.removeprefix("table/")
    entries: list[dict[str, Any]] = [
        {"totals": (3, -1, -1, -1), "next_dealer": 1},
        {"outcome": read_outcome(OUTCOME)},
        {"totals": (-1, 3, -1, -1)},
    ]
    for entry in entries:
        dealing.enter_hand(desk, table, **entry)
        settlement.sweep(ledger, load({"PAIZHANG_DATA": "/nowhere"}))
    own.sign(club.club)
    yield own, club.club, table
    own.database.close()


@pytest.mark.lie("a hand that starts with what its match cannot have come to")
@pytest.mark.parametrize(
    ("hand", "told_so"),
    [
        (2, {"dealer": 2}),
        (2, {"streak": 2}),
        (2, {"wilds": ["5z"]}),
        (2, {"tiles": 136}),
        (3, {"wilds": ["5z"]}),
        (3, {"tiles": 136}),
    ],
)
def test_an_entered_hand_starts_as_it_was_entered(
    entered: tuple[House, str, str], forger: House, hand: int, told_so: dict[str, Any]
) -> None:
    """Dealer and streak are the outcome's, and there is no wall."""
    own, club, table = entered
    assert checked(own.evidence(table, hand), [own.key()]).is_so
    rows = own.rows(club)
    start = [row for row in rows if row.type == "HandStarted/2"][hand - 1]
    shutil.copy(own.key_file, forger.key_file)
    forger.keep(changed(rows, start.position, lambda row: public(row, **told_so)))
    forger.sign(club)
    seen = checked(forger.evidence(table, hand), [own.key()]).found
    assert seen == Found("opened_otherwise", start.position, place=f"/{next(iter(told_so))}")


def test_a_match_that_nobody_could_open(told: Told, forge: Forge) -> None:
    """Two seats of one member: refused as when it is opened."""
    opened = told.row("TableOpened/1")
    seats = json.loads(opened.public)["seats"]
    twice = [seats[0], *seats[:-1]]
    forged = forge(changed(told.rows, opened.position, lambda row: public(row, seats=twice)))
    seen = checked(forged.evidence(told.table, 1), told.keys).found
    assert seen == Found("refused", opened.position, code="member_seated_twice")


@pytest.mark.lie("a secret that can be guessed")
def test_a_secret_that_is_too_short(told: Told, forge: Forge) -> None:
    """It has 32 bytes; with a shorter one whoever has a proof could try out what a slot holds."""
    start = told.row("HandStarted/2")
    secret = json.loads(start.slots[-1])["secret"].encode()

    def short(row: Stored) -> Stored:
        slots = tuple(part.replace(secret, secret[:62]) for part in row.slots)
        return replace(row, public=row.public.replace(secret, secret[:62]), slots=slots)

    forged = forge(hashed_again(list(map(short, told.rows))))
    seen = checked(forged.evidence(told.table, 1), told.keys).found
    assert seen == Found("malformed", start.position)


# --- how an event is written --------------------------------------------------------------------


@pytest.mark.lie("an event that different readers read differently")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"{", b"{ "),
        (b'"tile":', b'"tile":"9z","tile":'),
        (b'"seat":3', b'"seat":3.0'),
        (b'"seat":3', b'"seat":3,"note":"x"'),
    ],
)
def test_an_event_is_written_in_one_way(told: Told, forge: Forge, old: bytes, new: bytes) -> None:
    """No other spaces, no key twice or unknown, no fraction: the bytes are the codec's own."""
    row = told.row("Discarded/1", 1)
    assert row.public.count(old) == 1

    def other(row: Stored) -> Stored:
        return replace(row, public=row.public.replace(old, new))

    forged = forge(changed(told.rows, row.position, other))
    seen = checked(forged.evidence(told.table, 1), told.keys).found
    assert seen == Found("malformed", row.position)


@pytest.mark.lie("an event that different readers read differently")
@pytest.mark.parametrize("new", [b"{ }", b'{"tile":"5z","tile":"1m"}', b"["])
def test_a_slot_is_written_in_one_way(told: Told, forge: Forge, new: bytes) -> None:
    row = told.row("Drawn/1", 2)

    def other(row: Stored) -> Stored:
        return replace(row, slots=(*row.slots[:-1], new))

    forged = forge(changed(told.rows, row.position, other))
    seen = checked(forged.evidence(told.table, 1), told.keys).found
    assert seen == Found("malformed", row.position)


def test_a_type_that_cannot_stand_in_its_stream(told: Told, forge: Forge) -> None:
    row = told.row("Drawn/1", 2)

    def other(row: Stored) -> Stored:
        return replace(row, type="KeyRevoked/1", public=b'{"key":"key_1"}', slots=())

    forged = forge(changed(told.rows, row.position, other))
    seen = checked(forged.evidence(told.table, 1), told.keys).found
    assert seen == Found("not_of_this_hand", row.position)


@pytest.mark.parametrize(
    ("kind", "old", "new"),
    [
        ("Dealt/1", b"", b""),
        ("", b"huaihua/1", b"huaihua/2"),
        ("", b'"options":{', b'"options":{"one_more":1,'),
    ],
)
def test_what_a_newer_release_made_is_no_lie(
    told: Told, forge: Forge, kind: str, old: bytes, new: bytes
) -> None:
    """A type of events, a ruleset or an option that is unknown here: it is said that it is."""
    rows = [
        replace(row, type="Dealt/2" if row.type == kind else row.type)
        if kind
        else replace(row, public=row.public.replace(old, new))
        for row in told.rows
    ]
    forged = forge(hashed_again(rows))
    with pytest.raises(Refused) as refused:
        checked(forged.evidence(told.table, 1), told.keys)
    assert refused.value.code == "evidence_newer"
