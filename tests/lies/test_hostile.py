"""Files that somebody made to deceive or to break whoever checks them: refused in a sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ledger.audit.agreeing import read_consistent
from ledger.audit.evidence import Key, read_evidence
from ledger.audit.lies import Found
from ledger.audit.strict import same
from ledger.cli.verdicts import plain, verdict_lines
from ledger.refusal import Refused
from ledger.signing import PublicKey
from tests.lies.conftest import Run, Told
from tests.lies.forging import checked

File = dict[str, Any]
DEEP = "[" * 100_000 + "]" * 100_000


@pytest.fixture
def text(told: Told) -> str:
    """The honest file, to be written over."""
    return msgspec.json.encode(told.evidence).decode()


@pytest.fixture
def file(text: str) -> File:
    data: File = json.loads(text)
    return data


def refused_at(content: str | bytes | File) -> str:
    """Where a file is not what it should be."""
    if isinstance(content, dict):
        content = json.dumps(content)
    with pytest.raises(Refused) as refused:
        read_evidence(content.encode() if isinstance(content, str) else content)
    assert refused.value.code == "evidence_malformed"
    return str(refused.value.params["place"])


# --- one way to tell a thing --------------------------------------------------------------------


@pytest.mark.lie("a file that different readers read differently")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"settlement":{', '"settlement":{"totals":[99,-99,0,0]},"settlement":{'),
        ('"totals":', '"totals":[99,-99,0,0],"totals":'),
        ('"options":{', '"options":{"players":3,"players":4,'),
        ('"hand":1', '"hand":2,"hand":1'),
        ('{"position":1,', '{"position":2,"position":1,'),
    ],
)
def test_a_key_that_stands_twice(text: str, old: str, new: str) -> None:
    """One reader takes the first, another the last: whoever shows it knows which."""
    assert refused_at(text.replace(old, new, 1)) == "/"


@pytest.mark.lie("a file that different readers read differently")
def test_a_fraction_is_no_whole_number(told: Told, file: File) -> None:
    """6.0 is told for 6."""
    file["settlement"]["totals"] = [float(points) for points in file["settlement"]["totals"]]
    settled = told.event("HandSettled/1").position
    expected = Found("told_otherwise", settled, place="/settlement")
    assert checked(file, told.keys).found == expected


@pytest.mark.lie("a file that different readers read differently")
def test_true_is_not_one(told: Told, file: File) -> None:
    players = file["options"]
    yes = next(name for name, value in players.items() if value is True)
    players[yes] = 1
    start = told.event("HandStarted/2").position
    expected = Found("told_otherwise", start, place="/options")
    assert checked(file, told.keys).found == expected


def test_what_is_the_same_json() -> None:
    """Keys in any order, a list for a tuple; not a number of another kind."""
    assert same({"a": 1, "b": (2,)}, {"b": [2], "a": 1})
    assert not same({"a": 1}, {"a": True})
    assert not same([6], [6.0])
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    assert not same(deep, deep)


def upper(text: str) -> str:
    return text.upper()


def spaced(text: str) -> str:
    return f" {text}"


def short(text: str) -> str:
    return text[:-2]


@pytest.mark.parametrize("change", [upper, spaced, short])
def test_hashes_are_told_in_one_way(file: File, change: Callable[[str], str]) -> None:
    """In small letters, without spaces, whole."""
    event, hash_ = file["events"][5], "ab" * 32
    event["command"] = change(hash_)
    assert refused_at(file) == "/events/5"
    event["command"], event["proof"][0] = hash_, change(hash_)
    assert refused_at(file) == "/events/5"
    event["proof"][0] = hash_
    assert read_evidence(json.dumps(file).encode()).events[5].command == hash_


@pytest.mark.parametrize("change", [upper, spaced])
def test_the_secret_is_told_in_one_way(file: File, change: Callable[[str], str]) -> None:
    """One of another length is found with the events, which show it."""
    file["secret"] = change(file["secret"])
    assert refused_at(file) == "/secret"


def test_a_proof_of_consistency_is_told_in_one_way() -> None:
    proof = {"object": "consistency_proof", "club": "c1", "first": 1, "second": 2}
    good = json.dumps({**proof, "hashes": ["ab" * 32]})
    assert read_consistent(good.encode()).second == 2
    for bad in (
        good.replace("ab", "AB"),
        good.replace('"first": 1', '"first": 1, "first": 1'),
        good.replace('"second": 2', f'"second": {2**63}'),
        good.replace('"first": 1', '"first": 3'),
        good.replace('["ab', f'[{DEEP}, "ab'),
    ):
        with pytest.raises(Refused) as refused:
            read_consistent(bad.encode())
        assert refused.value.code == "proof_malformed"


# --- too much of anything -----------------------------------------------------------------------


def test_more_slots_than_can_be_hashed(file: File) -> None:
    """Their number is one byte of the leaf."""
    file["events"][3]["slots"] = ["{}"] * 256
    assert refused_at(file) == "/events/3"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("signature", "zz" * 64),
        ("signature", ""),
        ("signature", "ab"),
        ("signature", "AB" * 64),
        ("key", "zz"),
        ("begun_at", 2**63),
        ("begun_at", -1),
    ],
)
def test_a_key_that_is_none(file: File, name: str, value: object) -> None:
    file["keys"][0][name] = value
    assert refused_at(file) == "/keys/0"


def test_more_keys_than_anybody_has(told: Told) -> None:
    """Each could be signed by each before it."""
    keys = tuple(Key(PublicKey(bytes([n] * 32)).text, 1, "11" * 64) for n in range(64))
    most = msgspec.structs.replace(told.evidence, keys=keys)
    assert len(read_evidence(msgspec.json.encode(most)).keys) == 64
    more = msgspec.structs.replace(told.evidence, keys=(*keys, *told.evidence.keys))
    assert refused_at(msgspec.json.encode(more)) == "/keys"


@pytest.mark.parametrize(
    ("name", "value", "place"),
    [
        ("hand", 0, "/hand"),
        ("hand", 2**64, "/hand"),
        ("club", "club\x1b[2J", "/club"),
        ("table", "tbl_ok\x1b[2K\r  checked: everything\x1b[8m", "/table"),
        ("table", "tbl_\u202e1", "/table"),
        ("table", "", "/table"),
        ("secret", "\u00e9", "/secret"),
        ("events", [], "/events"),
        ("\x1b[8m", 1, "/"),
    ],
)
def test_names_and_numbers_that_are_none(file: File, name: str, value: object, place: str) -> None:
    """What a screen obeys is in no name, and in no place that is told."""
    file[name] = value
    assert refused_at(file) == place


@pytest.mark.parametrize("name", ["position", "version", "recorded_at"])
@pytest.mark.parametrize("value", [0, -1, 2**63])
def test_numbers_of_an_event(file: File, name: str, value: int) -> None:
    file["events"][2][name] = value
    assert refused_at(file) == "/events/2"


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace('"options":{', f'"options":{{"a":{DEEP},', 1),
        lambda text: text.replace('{"format"', f'{{"z":{DEEP},"format"', 1),
        lambda text: text.replace('"hand":1', '"hand":NaN', 1),
        lambda text: text + text,
        lambda text: text.encode("utf-16"),
        lambda text: text.replace("club_", "\\ud800", 1),
        lambda _: "[]",
    ],
    ids=["deep", "deep beside", "NaN", "two", "utf-16", "half a character", "list"],
)
def test_what_is_no_such_json(text: str, change: Callable[[str], str | bytes]) -> None:
    assert refused_at(change(text)) == "/"


def test_a_mark_of_the_byte_order_is_skipped(text: str, told: Told) -> None:
    assert read_evidence(b"\xef\xbb\xbf" + text.encode()) == told.evidence


@pytest.mark.parametrize(
    "events",
    [slice(0, 1), slice(0, 2), slice(1, None), slice(0, None, 95), slice(2, 3), slice(-1, None)],
)
def test_a_few_of_the_events(told: Told, events: slice) -> None:
    """However few are left, something is missing, and it is said at which event."""
    few = told.evidence.events[events]
    file = msgspec.structs.replace(told.evidence, events=few)
    found = checked(file, told.keys).found
    assert found is not None
    assert found.position in {one.position for one in few}


# --- what is said of it -------------------------------------------------------------------------


def test_nothing_is_printed_that_a_screen_obeys(told: Told) -> None:
    assert plain("中 M-0007\x1b[2J\u202e\r\n\x9b") == "中 M-0007\\x1b[2J\\u202e\\r\\n\\x9b"
    verdict = checked(told.evidence, told.keys)
    odd = msgspec.structs.replace(verdict, table="tbl\x1b[2K\r")
    assert next(verdict_lines(odd)) == f"Hand 1 of table tbl\\x1b[2K\\r in {told.club}."


def test_a_checkpoint_with_such_a_name(told: Told, run: Run, tmp_path: Path) -> None:
    note = told.house.checkpoint(told.club).note.replace(told.club, "club\x1b[2J\u202e")
    (tmp_path / "odd.txt").write_text(note, encoding="utf-8")
    answer = run("verify", tmp_path / "odd.txt", "--key", told.keys[0].text)
    assert answer.exit_code == 1
    assert answer.stdout == (
        f"The checkpoint of club\\x1b[2J\\u202e at 158 ({tmp_path}/odd.txt) is NOT what key "
        f"{told.keys[0].id} has signed: its text was changed.\n"
    )


@pytest.mark.parametrize(
    ("option", "most"),
    [("FILE", 64_000_000), ("--key", 1_000_000), ("--against", 1_000_000), ("--proof", 1_000_000)],
)
def test_a_file_that_is_too_large(
    run: Run, tmp_path: Path, text: str, option: str, most: int
) -> None:
    """Refused before it is read."""
    hand, large = tmp_path / "hand.json", tmp_path / "large"
    hand.write_text(text, encoding="utf-8")
    with large.open("wb") as out:
        out.truncate(2**31)
    words = [large] if option == "FILE" else [hand, option, large]
    words += ["--against", large] if option == "--proof" else []
    answer = run("verify", *words)
    assert (answer.exit_code, answer.stdout) == (2, "")
    said = f"Error: large is larger than such a file can be ({most} bytes).\n"
    assert answer.stderr == said


def test_the_places_of_a_file_are_told(file: File) -> None:
    """Of the names that a file can have, never of others."""
    file["seats"][1] = 7
    assert refused_at(file) == "/seats/1"
