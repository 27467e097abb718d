"""The books over HTTP: who is shown what of balances, accounts, statements and the journal."""

from __future__ import annotations

import pytest

from ledger.access import find_club, keep_text, text_digest
from ledger.keyset import Page
from projections.statement import club_journal
from tests.projections.booked import allow, correct, dispute, play, reverse
from tests.projections.reader import Reader, code
from tests.world import Club, World


@pytest.fixture
def reader(world: World) -> Reader:
    """A club with 100 points given, a hand lost by 5, undone and corrected to 3."""
    reader = Reader(world)
    world.once(kept_books, reader.club)
    return reader


def kept_books(club: Club) -> None:
    allow(club, "alw_1", {0: 100}, booked="2026-11-28")
    play(club, 1, (0, 1, 5))
    dispute(club, "dsp_1")
    reverse(club, 1, (5, -5, 0, 0))
    correct(club, 1, (0, 1, 3))
    club.catch_up()


def entries(reader: Reader) -> list[str]:
    """The ids of the club's entries, the first one first."""
    with reader.world.database.read() as connection:
        listed, _ = club_journal(connection, reader.club.id, Page(100))
    return [one.id for one in listed[::-1]]


def test_a_balance_says_what_is_in_dispute(reader: Reader) -> None:
    """With the version of the account and the hands that were settled."""
    [own] = reader.data("member 0", "/clubs/{club}/balances")
    shown = {name: own[name] for name in ("points", "version", "hands", "disputed", "last_hand")}
    assert shown == {
        "points": 97,
        "version": 4,
        "hands": 1,
        "disputed": -3,
        "last_hand": "tbl_a-1",
    }


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("known_on=2026-11-28", [100, 0]),
        ("known_on=2026-11-29", [95, 5]),
        ("true_on=2026-11-28", [97, 3]),
        ("at=2027-01-15T08:00:00Z", [0, 0]),
        ("at=2030-01-01T00:00:00%2B08:00", [97, 3]),
    ],
)
def test_balances_of_another_time(reader: Reader, query: str, wanted: list[int]) -> None:
    """As known and as true on a day, as of a moment; to a member his own alone."""
    listed = reader.data("owner", f"/clubs/{{club}}/balances?{query}&limit=2")
    assert [one["points"] for one in listed] == wanted
    assert "hands" not in listed[0]
    [own] = reader.data("member 1", f"/clubs/{{club}}/balances?{query}")
    assert (own["id"], own["points"]) == (reader.club.members[1], wanted[1])


def test_balances_as_of_a_position(reader: Reader) -> None:
    """What stood after an event of the log; of one that is not there nothing is said."""
    first, second, *_ = (int(one.removeprefix("jrn_")) for one in entries(reader))
    for position, wanted in ((first, 100), (second, 95)):
        listed = reader.data("owner", f"/clubs/{{club}}/balances?at_position={position}")
        assert listed[0]["points"] == wanted
    beyond = reader.get("owner", "/clubs/{club}/balances?at_position=9999")
    assert code(beyond) == (400, "position_ahead")


def test_all_balances_then(reader: Reader) -> None:
    """Who checks the club reads those of all members, of who had none then too."""
    listed = reader.data("auditor", "/clubs/{club}/balances?known_on=2026-11-28")
    assert [one["points"] for one in listed] == [100, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("path", "fault"),
    [
        ("balances?known_on=2026-11-28&true_on=2026-11-28", "parameters_exclude"),
        ("balances?known_on=2026-11-31", "date_form"),
        ("balances?known_on=20261128", "date_form"),
        ("balances?at=yesterday", "time_form"),
        ("journal?first=2026-11-29&last=2026-11-28", "dates_crossed"),
        ("journal?kind=gift", "field_choice"),
    ],
)
def test_wrong_times(reader: Reader, path: str, fault: str) -> None:
    """A time that cannot be, or two of them, are refused at their parameter."""
    refused = reader.get("owner", f"/clubs/{{club}}/{path}")
    assert code(refused) == (400, "query_invalid")
    assert {one["code"] for one in refused.get_json()["errors"]} == {fault}


def test_accounts(reader: Reader) -> None:
    """The points issued and the members', with their sum, which is 0 on every page."""
    answer = reader.get("auditor", "/clubs/{club}/accounts?limit=2").get_json()
    told = [(one["id"], one["name"], one["code"], one["points"]) for one in answer["data"]]

    assert told == [
        ("issued", "Equity:Points:Issued", None, -100),
        (reader.club.members[0], "Assets:Members:M-0001", "M-0001", 97),
    ]
    assert (answer["sum"], answer["has_more"]) == (0, True)
    rest = reader.data("owner", "/clubs/{club}/accounts?starting_after=issued&limit=1")
    assert rest[0]["id"] == reader.club.members[0]


def test_entries_of_all_kinds(reader: Reader) -> None:
    """A member reads each of his entries with what it is linked with."""
    given, settled, undone, corrected = entries(reader)
    path = "/clubs/{club}/members/M-0001/entries"
    listed = reader.data("member 0", path)[::-1]

    links = [(one["kind"], one["reverses"], one["reversed_by"], one["corrects"]) for one in listed]
    assert links == [
        ("allowance", None, None, None),
        ("settlement", None, undone, None),
        ("reversal", settled, None, None),
        ("correction", None, None, settled),
    ]
    assert [one["id"] for one in listed] == [given, settled, undone, corrected]
    assert [one["balance_after"] for one in listed] == [100, 95, 100, 97]
    first = listed[0]
    assert (first["table"], first["hand"], first["reason"]) == (None, None, "top_up")
    assert (first["allowance"], first["counterparties"]) == ("alw_1", [])
    assert (listed[2]["hand"], listed[2]["dispute"]) == ("tbl_a-1", "dsp_1")


def test_a_statement(reader: Reader) -> None:
    """Opening, lines with what came and went, closing, totals; the next page runs on."""
    path = "/clubs/{club}/members/M-0001/statement?first=2026-11-29&limit=2"
    answer = reader.get("member 0", path)
    told = answer.get_json()

    head = {name: told[name] for name in ("object", "opening", "total_in", "total_out", "closing")}
    assert head == {
        "object": "statement",
        "opening": 100,
        "total_in": 5,
        "total_out": 8,
        "closing": 97,
    }
    assert (told["first"], told["last"], told["by"]) == ("2026-11-29", None, "booked")
    moved = [(line["in"], line["out"], line["balance_after"]) for line in told["data"]]
    assert moved == [(0, 5, 95), (5, 0, 100)]
    link = answer.headers["Link"].partition("<")[2].partition(">")[0].removeprefix("/v1")
    rest = reader.get("owner", link).get_json()
    assert [(line["out"], line["balance_after"]) for line in rest["data"]] == [(3, 97)]
    assert "Link" not in reader.get("owner", link).headers


def test_a_statement_by_when_it_counts(reader: Reader) -> None:
    """All of it counts on the day of the hand, which no later day shows."""
    path = "/clubs/{club}/members/M-0001/statement?by=effective&last=2026-11-28"
    told = reader.get("owner", path).get_json()
    assert (told["opening"], told["closing"], len(told["data"])) == (0, 97, 4)
    assert (told["first"], told["last"]) == (None, "2026-11-28")


def test_the_journal(reader: Reader) -> None:
    """Who booked it, how much it moves, in how many lines; by member, hand and day."""
    given, settled, undone, corrected = entries(reader)

    def ids(query: str) -> list[str]:
        return [one["id"] for one in reader.data("auditor", f"/clubs/{{club}}/journal?{query}")]

    assert ids("") == [corrected, undone, settled, given]
    assert ids("account=M-0002") == [corrected, undone, settled]
    assert ids("account=issued") == [given]
    assert ids("hand=tbl_a-1&last=2026-11-29") == [settled]
    assert ids("dispute=dsp_1&kind=reversal") == [undone]
    first = reader.data("owner", "/clubs/{club}/journal?limit=1&kind=allowance")[0]
    assert (first["object"], first["amount"], first["lines"]) == ("journal_entry", 100, 2)
    assert (first["actor"], first["role"]) == ("key_recorder", "recorder")


def test_an_entry(reader: Reader) -> None:
    """With its lines, which sum to zero, from whom points came, and whose they are."""
    club = reader.club
    given, settled, *_ = entries(reader)
    told = reader.get("owner", f"/clubs/{{club}}/journal/{settled}").get_json()

    lines = [(one["line"], one["code"], one["points"]) for one in told["postings"]]
    assert lines == [(1, "M-0001", -5), (2, "M-0002", 5)]
    assert told["postings"][1]["counterparties"] == [{"member": club.members[0], "points": 5}]
    issued = reader.get("owner", f"/clubs/{{club}}/journal/{given}").get_json()["postings"][1]
    assert (issued["account"], issued["code"], issued["points"]) == ("issued", None, -100)


def test_a_note_is_told_in_words(reader: Reader) -> None:
    """The digest of an entry stands for a text that is kept beside the log."""
    club = reader.club
    with reader.world.database.write() as connection:
        row = find_club(connection, club.id)
        assert row is not None
        keep_text(connection, row, "New year 新年")
    position = allow(club, "alw_2", {1: 8}, note=text_digest(row, "New year 新年"))
    [first] = reader.data("owner", f"/clubs/{{club}}/journal?limit=1&min_position={position}")
    assert (first["id"], first["note"]) == (f"jrn_{position}", "New year 新年")


@pytest.mark.parametrize("entry", ["jrn_1", "jrn_999999", "jrn_x", "evt_9"])
def test_no_entry(reader: Reader, entry: str) -> None:
    """An id that names no entry, or nothing at all."""
    refused = reader.get("owner", f"/clubs/{{club}}/journal/{entry}")
    assert code(refused) == (404, "entry_unknown")


@pytest.mark.parametrize(
    ("who", "path"),
    [
        ("member 0", "accounts"),
        ("member 0", "journal"),
        ("member 0", "journal/jrn_1"),
        ("member 0", "members/M-0002/statement"),
        ("recorder", "members/M-0002/statement"),
        ("recorder", "journal"),
    ],
)
def test_not_for_all(reader: Reader, who: str, path: str) -> None:
    """The whole books are for who runs or checks the club; a statement for its member too."""
    assert code(reader.get(who, f"/clubs/{{club}}/{path}")) == (403, "role_missing")


def test_statement_of_nobody(reader: Reader) -> None:
    """Somebody who is no member has no statement."""
    unknown = reader.get("owner", "/clubs/{club}/members/mem_none/statement")
    assert code(unknown) == (404, "member_unknown")
