"""The read API: who is shown what, page by page, and a hand at any step."""

from __future__ import annotations

import pytest

from ledger.events import MemberJoined
from ledger.rules.catalog import ruleset
from ledger.streams.table import Dissolve
from projections.checkpoint import Projection
from projections.projection import catch_up
from tests.projections.reader import Reader, code, issued
from tests.world import Club, World


@pytest.fixture
def reader(world: World) -> Reader:
    return Reader(world)


@pytest.fixture
def table(reader: Reader) -> str:
    """A table at which a match of two hands was played, settled and projected."""
    return reader.world.once(two_hands, reader.club)


def two_hands(club: Club) -> str:
    table = club.match(hands=2)
    club.catch_up()
    return table


# --- balances and entries ---------------------------------------------------------------------


@pytest.mark.parametrize("who", ["owner", "auditor", "operator"])
def test_balances(reader: Reader, table: str, who: str) -> None:
    """Who runs or checks the club sees every member's balance."""
    listed = reader.data(who, "/clubs/{club}/balances")

    assert {one["id"]: one["points"] for one in listed} == reader.club.points()
    assert [one["code"] for one in listed] == ["M-0001", "M-0002", "M-0003", "M-0004", "M-0005"]
    assert listed[0]["last_hand"] == f"{table}-2"
    assert (listed[0]["object"], listed[0]["name"], listed[0]["hands"]) == ("balance", "P0", 2)


def test_own_balance(reader: Reader, table: str) -> None:
    """A member sees his own balance alone."""
    [own] = reader.data("member 1", "/clubs/{club}/balances")

    assert own["id"] == reader.club.members[1]
    assert own["points"] == reader.club.points()[own["id"]]


@pytest.mark.parametrize(
    "path",
    [
        "/clubs/{club}/balances",
        "/clubs/{club}/members/mem_1/entries",
        "/clubs/{club}/hands",
        "/clubs/{club}/tables",
    ],
)
def test_another_club_is_unknown(reader: Reader, path: str) -> None:
    """To another club's owner there is no such club."""
    assert code(reader.get("elsewhere", path)) == (404, "club_unknown")


def test_a_recorder_reads_no_books(reader: Reader) -> None:
    """A game server's key opens its tables and nothing else."""
    mine = f"/clubs/{{club}}/members/{reader.club.members[0]}/entries"
    assert code(reader.get("recorder", "/clubs/{club}/balances")) == (403, "role_missing")
    assert code(reader.get("recorder", mine)) == (403, "role_missing")


def test_entries(reader: Reader, table: str) -> None:
    """The owner and the member himself read his entries, and they add up to his balance."""
    path = f"/clubs/{{club}}/members/{reader.club.members[0]}/entries"
    entries = reader.data("member 0", path)

    assert reader.data("owner", path) == entries
    assert sum(entry["points"] for entry in entries) == reader.club.points()[reader.club.members[0]]
    assert all(entry["table"] == table and entry["kind"] == "settlement" for entry in entries)
    assert code(reader.get("member 1", path)) == (403, "role_missing")


def test_entries_of_nobody(reader: Reader) -> None:
    """Somebody who is no member has no entries."""
    unknown = reader.get("owner", "/clubs/{club}/members/mem_none/entries")
    assert code(unknown) == (404, "member_unknown")


# --- pages ------------------------------------------------------------------------------------


def test_following_pages(reader: Reader, table: str) -> None:
    """The link of each page leads to the next one, until there is no more."""
    path, seen = "/clubs/{club}/balances?limit=2", []
    while path:
        answer = reader.get("owner", path)
        body = answer.get_json()
        seen += [one["code"] for one in body["data"]]
        link = answer.headers.get("Link", "")
        assert body["has_more"] == bool(link)
        path = link.partition("<")[2].partition(">")[0].removeprefix("/v1")

    assert seen == ["M-0001", "M-0002", "M-0003", "M-0004", "M-0005"]


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("limit=0", "query_invalid"),
        ("limit=101", "query_invalid"),
        ("limit=x", "query_invalid"),
        ("starting_after=mem_none", "cursor_unknown"),
    ],
)
def test_wrong_pages(reader: Reader, query: str, wanted: str) -> None:
    """A page that cannot be is refused."""
    assert code(reader.get("owner", f"/clubs/{{club}}/balances?{query}")) == (400, wanted)


def test_read_your_writes(reader: Reader) -> None:
    """Who names the position of his own write is shown it, though nobody has caught up."""
    reader.club.match(hands=1)
    head = len(reader.club.log())

    [hand] = reader.data("owner", f"/clubs/{{club}}/hands?min_position={head}")
    assert (hand["state"], hand["settled_position"]) == ("settled", head)


def test_a_position_that_is_not_there(reader: Reader) -> None:
    """One that the log has not come to is refused at once: nobody waits for what may never be."""
    beyond = len(reader.club.log()) + 1
    answer = reader.get("owner", f"/clubs/{{club}}/balances?min_position={beyond}")

    assert code(answer) == (400, "position_ahead")
    assert not answer.get_json()["retryable"]


def test_a_stopped_projection_does_not_reach(reader: Reader) -> None:
    """A projection that was stopped answers what it has, and refuses what it has not."""

    def joined(*_: object) -> None:
        raise ValueError("no")

    broken = (Projection("journal", (), {MemberJoined: joined}),)
    catch_up(reader.world.database, reader.club.id, projections=broken)

    assert reader.data("owner", "/clubs/{club}/balances") == []
    answer = reader.get("owner", "/clubs/{club}/balances?min_position=3")
    assert code(answer) == (503, "position_not_reached")


# --- hands and tables -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("who", "hands"),
    [("owner", 2), ("auditor", 2), ("recorder", 2), ("member 0", 2), ("member 4", 0)],
)
def test_hands_and_tables(reader: Reader, table: str, who: str, hands: int) -> None:
    """The lists show the club's hands and tables, to members and recorders their own."""
    listed = reader.data(who, "/clubs/{club}/hands")
    tables = reader.data(who, "/clubs/{club}/tables")

    assert [hand["id"] for hand in listed] == [f"{table}-2", f"{table}-1"][:hands]
    assert [one["id"] for one in tables] == [table][: hands and 1]


def test_other_recorders_tables(reader: Reader, table: str) -> None:
    """A table that another key opened is in no recorder's list."""
    reader.tokens["another"], _ = issued(reader.club, "recorder")

    assert reader.data("another", "/clubs/{club}/hands") == []
    assert reader.data("another", "/clubs/{club}/tables") == []


def test_filtered_hands(reader: Reader, table: str) -> None:
    """The list of hands is cut down to a table or a member."""
    other = reader.club.match(hands=1)
    reader.club.catch_up()

    of_table = reader.data("owner", f"/clubs/{{club}}/hands?table={table}")
    of_outsider = reader.data("owner", f"/clubs/{{club}}/hands?member={reader.club.members[4]}")
    newest = reader.data("member 0", "/clubs/{club}/hands?limit=1")

    assert [hand["number"] for hand in of_table] == [2, 1]
    assert of_outsider == []
    assert newest[0]["table"] == other


def test_somebody_elses_hands(reader: Reader, table: str) -> None:
    """A member who asks for another's hands is refused."""
    path = f"/clubs/{{club}}/hands?member={reader.club.members[0]}"
    assert code(reader.get("member 4", path)) == (403, "role_missing")


def test_a_listed_table(reader: Reader, table: str) -> None:
    """A table in the list tells how far it came and its points by seat."""
    [listed] = reader.data("owner", "/clubs/{club}/tables")

    assert (listed["status"], listed["hands_played"], listed["hands_planned"]) == ("played", 2, 2)
    assert dict(zip(listed["seats"], listed["totals"], strict=True)).items() <= (
        reader.club.points().items()
    )


# --- a hand -----------------------------------------------------------------------------------


def test_a_hand_at_a_step(reader: Reader, table: str) -> None:
    """A hand is shown after so many of its events, with what each seat could choose then."""
    hand = reader.get("member 0", f"/tables/{table}/hands/1?step=3").get_json()

    assert (hand["object"], hand["id"], hand["step"]) == ("hand", f"{table}-1", 3)
    assert hand["steps"] == len(hand["events"]) > 3
    assert hand["seats"] == list(reader.club.members[:4])
    assert len(hand["legal_actions"]) == 4
    assert hand["outcome"]["end"] == hand["settlement"]["end"]


def test_an_outcome_can_be_scored_again(reader: Reader, table: str) -> None:
    """The outcome of a hand, scored again, gives the totals of its settlement."""
    outcome = reader.get("owner", f"/tables/{table}/hands/1/outcome")
    settlement = reader.get("owner", f"/tables/{table}/hands/1/settlement").get_json()
    again = reader.http.post(
        "/v1/rulesets/huaihua/1/settle",
        json=outcome.get_json(),
        headers={"Authorization": f"Bearer {reader.tokens['owner']}"},
    )

    assert outcome.headers["Cache-Control"] == "private, max-age=31536000, immutable"
    assert again.get_json()["totals"] == settlement["totals"]
    assert again.get_json()["payments"] == settlement["payments"]


def test_unchanged_is_not_sent_again(reader: Reader, table: str) -> None:
    """Who has seen an ended hand is told that it is as it was."""
    path = f"/tables/{table}/hands/1"
    first = reader.get("owner", path)
    again = reader.get("owner", path, **{"If-None-Match": first.headers["ETag"]})

    assert first.headers["Cache-Control"] == "private, no-cache"
    assert again.status_code == 304


def test_a_running_hand_is_masked_and_not_kept(reader: Reader) -> None:
    """While a hand runs its owner sees no tile of it, a member his own, and nobody keeps it."""
    table = reader.club.open()
    reader.club.start(table, actions=4)
    path = f"/tables/{table}/hands/1"
    owner, member = (reader.get(who, path) for who in ("owner", "member 1"))
    hands = [
        [set(seat["hand"]) == {"?"} for seat in answer.get_json()["state"]["seats"]]
        for answer in (owner, member)
    ]

    assert owner.headers["Cache-Control"] == "no-store"
    assert owner.get_json()["legal_actions"] == [None, None, None, None]
    assert hands == [[True, True, True, True], [True, False, True, True]]
    parts = [slot for event in owner.get_json()["events"] for slot in event["slots"]]
    assert parts
    assert not any("part" in slot for slot in parts)


def test_before_and_after_the_settlement(reader: Reader) -> None:
    """A hand that runs has no outcome, and one that has just ended no settlement yet."""
    table = reader.club.open()
    reader.club.start(table)
    path = f"/tables/{table}/hands/1"
    running = [code(reader.get("owner", f"{path}/{part}")) for part in ("outcome", "settlement")]
    reader.club.command(table, Dissolve())
    waiting = code(reader.get("owner", f"{path}/settlement"))
    reader.world.settle()
    settled = reader.get("owner", f"{path}/settlement").get_json()

    assert running == [(409, "hand_running"), (409, "hand_running")]
    assert waiting == (409, "settlement_pending")
    assert (settled["object"], settled["id"], settled["end"]) == (
        "settlement",
        f"{table}-1",
        "dissolved",
    )


@pytest.mark.parametrize(
    ("who", "number", "wanted"),
    [
        ("member 4", "1", (403, "table_not_yours")),
        ("elsewhere", "1", (404, "table_unknown")),
        ("owner", "3", (404, "hand_unknown")),
        ("owner", "999999999", (404, "hand_unknown")),
        ("owner", "99999999999999999999999", (404, "not_found")),
    ],
)
def test_hands_that_are_not_shown(
    reader: Reader, table: str, who: str, number: str, wanted: tuple[int, str]
) -> None:
    """A hand that is not there, or is no business of the caller's, is refused in every part."""
    for part in ("", "/outcome", "/settlement"):
        assert code(reader.get(who, f"/tables/{table}/hands/{number}{part}")) == wanted


@pytest.mark.parametrize("step", ["0", "9999"])
def test_steps_that_are_not_there(reader: Reader, table: str, step: str) -> None:
    """A step that the hand does not have is refused as a parameter, before it and after it."""
    refused = reader.get("owner", f"/tables/{table}/hands/1?step={step}")

    assert code(refused) == (400, "query_invalid")
    [fault] = refused.get_json()["errors"]
    assert (fault["parameter"], fault["code"]) == ("step", "field_range")


def test_a_hand_without_its_events(reader: Reader, table: str) -> None:
    """With `events=false` they alone are left out."""
    whole = reader.get("owner", f"/tables/{table}/hands/1?step=3").get_json()
    short = reader.get("owner", f"/tables/{table}/hands/1?step=3&events=false").get_json()

    assert whole.pop("events")
    assert short == whole


def test_rules_of_the_match(reader: Reader, table: str) -> None:
    """The outcome carries the complete options, so that anybody can score it."""
    outcome = reader.get("owner", f"/tables/{table}/hands/1/outcome").get_json()

    assert ruleset("huaihua/1", outcome["options"]).written_options == outcome["options"]


@pytest.mark.parametrize(
    "path", ["hands?member=%00", "tables?starting_after=%00", "balances?ending_before=a%00"]
)
def test_a_query_with_nul(reader: Reader, path: str) -> None:
    """A character that a database may not hold is refused by every database alike."""
    assert reader.get("owner", f"/clubs/{{club}}/{path}").status_code == 400
