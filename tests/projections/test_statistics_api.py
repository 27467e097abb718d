"""Statistics over HTTP: who is shown what, in which order, page by page."""

from __future__ import annotations

from typing import Any

import pytest

from ledger import access
from ledger.events import MemberGrouped, Vote, Won
from projections.api.ranked import page_of_ranked
from projections.leaderboards import Counts, Row
from tests.projections.reader import Reader, code
from tests.projections.told import Told
from tests.world import Club, World

READERS = ["owner", "auditor", "operator"]


@pytest.fixture
def reader(world: World) -> Reader:
    """A club in which seat 1 won with a discard of seat 0, and the match was dissolved."""
    reader = Reader(world)
    world.once(told_of, reader.club)
    return reader


def told_of(club: Club) -> None:
    told = Told(club)
    told.open("tbl_a")
    told.hand("tbl_a", 1, ((0, 1, 5),), Won(1, 1, "5m", "discard", 0, "player"), value=3)
    told.vote("tbl_a", 0, passed=True, votes=(Vote(1, "agreed", 4),), scores=(-5, 5, 0, 0))
    told.close("tbl_a", (-5, 5, 0, 0), "dissolved")
    club.catch_up()


def page(reader: Reader, path: str, who: str = "owner") -> dict[str, Any]:
    answer = reader.get(who, path)
    assert answer.status_code == 200, answer.text
    return dict(answer.get_json())


@pytest.mark.parametrize("who", READERS)
def test_statistics(reader: Reader, who: str) -> None:
    """A row for each who played, the best first, and the sums of all."""
    found = page(reader, "/clubs/{club}/statistics", who)

    assert [row["rank"] for row in found["data"]] == [1, 2, 2, 4]
    best = found["data"][0]
    assert (best["code"], best["points"], best["tables"], best["big_wins"]) == ("M-0002", 5, 1, 1)
    assert best["win_rate"] == {"count": 1, "of": 1, "per_mille": 1000}
    assert best["deal_in_rate"] == {"count": 0, "of": 1, "per_mille": 0}
    assert best["average_points"] == {"count": 5, "of": 1, "per_mille": 5000}
    assert best["patterns"] == [{"ruleset": "huaihua/1", "pattern": "ping_hu", "times": 1}]
    assert (found["totals"]["points"], found["totals"]["hands"]) == (0, 4)
    assert (found["totals"]["best"], found["totals"]["worst"]) == (5, -5)


def test_a_member_sees_his_own(reader: Reader) -> None:
    """With his rank among all; of another's row he is told nothing."""
    found = page(reader, "/clubs/{club}/statistics", "member 0")

    assert [(row["code"], row["rank"]) for row in found["data"]] == [("M-0001", 4)]
    assert found["totals"]["points"] == -5
    assert page(reader, "/clubs/{club}/statistics?member=M-0001", "member 0")["data"]
    answer = reader.get("member 0", "/clubs/{club}/statistics?member=M-0002")
    assert code(answer) == (403, "role_missing")


def test_who_did_not_play_has_no_row(reader: Reader) -> None:
    assert page(reader, "/clubs/{club}/statistics", "member 4")["data"] == []


def test_one_member_of_all(reader: Reader) -> None:
    """By id or by code, with the rank among all."""
    for name in ("M-0001", reader.club.members[0]):
        [row] = page(reader, f"/clubs/{{club}}/statistics?member={name}")["data"]
        assert (row["code"], row["rank"]) == ("M-0001", 4)


def test_pages_of_a_ranking(reader: Reader) -> None:
    """A page ends somewhere, the next one begins behind, and its sums are those of all."""
    path = "/clubs/{club}/statistics?sort=deal_ins&limit=1"
    first = page(reader, path)
    second = page(reader, f"{path}&starting_after={first['data'][0]['id']}")

    assert [row["code"] for row in first["data"]] == ["M-0001"]
    assert second["data"][0]["code"] != "M-0001"
    assert (first["has_more"], first["totals"]) == (True, second["totals"])
    unknown = reader.get("owner", f"{path}&starting_after=mem_none")
    assert code(unknown) == (400, "cursor_unknown")


def test_from_the_least(reader: Reader) -> None:
    found = page(reader, "/clubs/{club}/statistics?sort=points&order=ascending")
    assert [row["points"] for row in found["data"]] == [-5, 0, 0, 5]


@pytest.mark.parametrize(
    ("narrowed", "rows"),
    [
        ("first=2026-11-28&last=2026-11-28", 4),
        ("first=2026-11-29", 0),
        ("ruleset=haozi/1", 0),
        ("hour=8", 4),
        ("hour=9", 0),
        ("group=%E8%80%81", 0),
    ],
)
def test_filters(reader: Reader, narrowed: str, rows: int) -> None:
    """Days, ruleset, hour and group; the table was closed in another year, so hands alone count."""
    assert len(page(reader, f"/clubs/{{club}}/statistics?{narrowed}")["data"]) == rows


def test_days_in_order(reader: Reader) -> None:
    crossed = "first=2026-11-29&last=2026-11-28"
    answer = reader.get("owner", f"/clubs/{{club}}/statistics?{crossed}")

    assert (answer.status_code, answer.get_json()["errors"][0]["code"]) == (400, "dates_crossed")


@pytest.mark.parametrize(
    ("kind", "leaders", "value"),
    [("attendance", 4, 1), ("winners", 1, 1), ("points", 4, 5)],
)
def test_leaderboards(reader: Reader, kind: str, leaders: int, value: int) -> None:
    found = page(reader, f"/clubs/{{club}}/leaderboards/{kind}")["data"]

    assert (len(found), found[0]["rank"], found[0]["value"]) == (leaders, 1, value)


def test_no_such_leaderboard(reader: Reader) -> None:
    assert code(reader.get("owner", "/clubs/{club}/leaderboards/luck")) == (404, "not_found")


def test_a_group_by_its_name(reader: Reader) -> None:
    """The club names a group; a member is not told in which one he is."""
    with reader.world.database.write() as connection:
        row = access.find_club(connection, reader.club.id)
        assert row is not None
        access.keep_text(connection, row, "老友")
        digest = access.text_digest(row, "老友")
    member = reader.club.members[0]
    reader.club.tell(f"member/{member}", MemberGrouped(digest))
    reader.club.catch_up()

    [row_of_group] = page(reader, "/clubs/{club}/leaderboards/points?group=老友")["data"]
    assert (row_of_group["id"], row_of_group["group"]) == (member, "老友")
    [own] = page(reader, "/clubs/{club}/statistics", "member 0")["data"]
    assert own["group"] is None


# --- pairs ------------------------------------------------------------------------------------


def test_pairs(reader: Reader) -> None:
    """Each way; with one opportunity of a hundred there is nothing to say."""
    one, other, *_ = reader.club.members
    found = page(reader, "/clubs/{club}/pairs")["data"]

    assert len(found) == 12
    [pair] = [pair for pair in found if (pair["member"], pair["other"]) == (one, other)]
    assert (pair["feeds"], pair["net"], pair["opportunities"], pair["needed"]) == (1, 5, 1, 100)
    assert (pair["z"], pair["q"], pair["label"]) == (None, None, "not_enough_data")
    assert page(reader, "/clubs/{club}/pairs?label=unusual")["data"] == []
    assert len(page(reader, "/clubs/{club}/pairs?member=M-0001")["data"]) == 6


def test_telling_hands(reader: Reader) -> None:
    """By id or by code, each with the place of its replay."""
    [hand] = page(reader, "/clubs/{club}/pairs/M-0001/M-0002/hands")["data"]

    assert (hand["id"], hand["points"], hand["value"]) == ("tbl_a-1", 5, 3)
    assert hand["url"] == "/v1/tables/tbl_a/hands/1"
    assert page(reader, "/clubs/{club}/pairs/M-0002/M-0001/hands")["data"] == []


@pytest.mark.parametrize("path", ["pairs", "pairs/M-0001/M-0002/hands"])
@pytest.mark.parametrize("who", ["member 0", "recorder"])
def test_pairs_are_for_those_who_look_after_them(reader: Reader, who: str, path: str) -> None:
    assert code(reader.get(who, f"/clubs/{{club}}/{path}")) == (403, "role_missing")


# --- dissolutions and idle hands --------------------------------------------------------------


def test_dissolutions(reader: Reader) -> None:
    members = reader.club.members
    [one] = page(reader, "/clubs/{club}/dissolutions?member=M-0001")["data"]

    assert one["requester"] == {
        "member": members[0],
        "points": -5,
        "month": "1970-01",
        "tables": 1,
        "asked": 1,
        "asked_behind": 1,
    }
    assert one["votes"] == [{"member": members[1], "answer": "agreed", "seconds": 4}]
    assert (one["dissolved"], one["business_date"]) == (True, "1970-01-01")
    assert page(reader, "/clubs/{club}/dissolutions?member=M-0002")["data"] == []
    assert page(reader, "/clubs/{club}/dissolutions")["data"] == [one]


def test_idle_hands(reader: Reader) -> None:
    table = reader.club.open()
    reader.club.start(table, actions=1)
    reader.club.catch_up()
    assert page(reader, "/clubs/{club}/idle_hands")["data"] == []
    reader.world.now += 1_800_000_000

    [one] = page(reader, "/clubs/{club}/idle_hands")["data"]
    assert (one["id"], one["table"]) == (f"{table}-1", table)


@pytest.mark.parametrize("path", ["leaderboards/points", "dissolutions", "idle_hands"])
def test_members_have_no_business_there(reader: Reader, path: str) -> None:
    assert code(reader.get("member 0", f"/clubs/{{club}}/{path}")) == (403, "role_missing")


# --- pages ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "part", "more"),
    [
        ({}, "ab", True),
        ({"starting_after": "b"}, "cd", True),
        ({"starting_after": "c"}, "de", False),
        ({"ending_before": "d"}, "bc", True),
        ({"ending_before": "b"}, "a", True),
        ({"starting_after": "a", "ending_before": "c"}, "b", True),
    ],
)
def test_a_page_of_a_whole_list(asked: dict[str, str], part: str, *, more: bool) -> None:
    """Two at a time of a, b, c, d, e."""
    rows = [Row(name, None, 1, Counts()) for name in "abcde"]
    found, follows = page_of_ranked(rows, {"limit": 2, **asked})

    assert ("".join(row.id for row in found), follows) == (part, more)
