"""Allowances and opening balances over HTTP: asked for, approved, booked, undone."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.conftest import Answer, Caller, Club, found_club
from tests.api.everything import everything
from tests.api.test_governing import limit
from tests.api.test_people import code, person

GIVEN: dict[str, Any] = {
    "lines": [{"member": "M-0001", "points": 300}, {"member": "M-0002", "points": 200}],
    "reason": "top_up",
}
SHEET = "member,points\nM-0001,300\nM-0002,200\n"


def ask(club: Club, body: dict[str, Any] | None = None, query: str = "", **headers: str) -> Answer:
    return club.owner.post(f"{club.path}/allowances{query}", body or GIVEN, **headers)


def send(club: Club, text: str | bytes, query: str = "reason=top_up", **headers: str) -> Answer:
    """Send a sheet."""
    data = text if isinstance(text, bytes) else text.encode()
    headers.setdefault("Idempotency_Key", f"sheet-{club.head()[0]}-{hash((data, query))}")
    headers.setdefault("Content_Type", "text/csv")
    return club.owner.send("POST", f"{club.path}/allowances?{query}", data, **headers)


def faults(answer: Answer) -> list[tuple[str, str]]:
    return [(one["pointer"], one["code"]) for one in answer.json["errors"]]


def waiting(club: Club, by: Caller | None = None) -> Answer:
    """One that waits for a second person."""
    limit(club, allowance=250)
    asked = (by or club.owner).post(f"{club.path}/allowances", GIVEN)
    assert (asked.status_code, asked.json["state"]) == (201, "requested"), asked.text
    return asked


def balances(club: Club) -> list[int]:
    path = f"{club.path}/balances?min_position={club.head()[0]}"
    return [one["points"] for one in club.owner.get(path).json["data"]]


# --- asked for and booked ----------------------------------------------------------------------


def test_points_are_given_with_what_each_had_before_and_after(new_club: Club) -> None:
    """Within the club's limit they are booked at once, as one entry of the journal."""
    ask(new_club, {"lines": [{"member": "M-0001", "points": 50}], "reason": "other"})
    given = ask(new_club, {**GIVEN, "note": "现场", "control": 500})
    assert given.status_code == 201, given.text
    told = given.json
    assert (told["state"], told["kind"], told["reason"]) == ("posted", "allowance", "top_up")
    assert (told["note"], told["total"]) == ("现场", 500)
    assert (told["effective_date"], told["booked_date"]) == ("2025-11-28", "2025-11-28")
    lines = [tuple(line.values())[1:] for line in told["lines"]]
    assert lines == [("M-0001", 300, 50, 350), ("M-0002", 200, 0, 200)]
    assert (told["asked"]["by"], told["asked"]["role"]) == (new_club.owner.id, "owner")
    assert (told["approved"], told["refused"], told["reversed"]) == (None, None, None)
    assert (told["version"], given.headers["ETag"]) == (2, '"2"')
    assert new_club.owner.get(given.headers["Location"]).json == told
    assert balances(new_club)[:2] == [350, 200]
    entry = new_club.owner.get(f"{new_club.path}/journal/{told['entry']}").json
    assert (entry["kind"], entry["allowance"], entry["amount"]) == ("allowance", told["id"], 500)


def test_points_are_taken_below_zero(new_club: Club) -> None:
    """A withdrawal is below zero, and may leave less than nothing."""
    lines = [{"member": new_club.members[0], "points": -70}]
    taken = ask(new_club, {"lines": lines, "reason": "withdrawal"})
    assert taken.json["lines"][0]["balance_after"] == -70


def test_opening_balances_are_a_kind_of_their_own(new_club: Club) -> None:
    opened = ask(new_club, {**GIVEN, "kind": "opening", "reason": "opening"})
    assert (opened.json["kind"], opened.json["state"]) == ("opening", "posted")
    refused = ask(new_club, {**GIVEN, "kind": "opening"})
    assert (code(refused), faults(refused)) == ((422, "reason_kind"), [("/reason", "reason_kind")])


@pytest.mark.parametrize(
    ("wrong", "pointer", "why"),
    [
        ({"lines": []}, "/lines", "list_length"),
        ({"reason": "gift"}, "/reason", "reason_unknown"),
        ({"reason": "withdrawal"}, "/lines/0/points", "reason_sign"),
        ({"control": 499}, "/control", "control_total"),
        ({"effective_date": "2025-11-29"}, "/effective_date", "date_in_future"),
        ({"effective_date": "28.11.2025"}, "/effective_date", "date_form"),
        ({"kind": "fee"}, "/kind", "field_choice"),
        ({"lines": [{"member": "M-0001", "points": 0}]}, "/lines/0/points", "points_zero"),
        ({"lines": [{"member": "M-0099", "points": 1}]}, "/lines/0/member", "member_unknown"),
        ({"lines": [{"member": "M-0001", "points": 1.5}]}, "/lines/0/points", "field_type"),
        ({"lines": [GIVEN["lines"][0]] * 2}, "/lines/1/member", "member_twice"),
        ({"fee": 1}, "/fee", "field_unknown"),
    ],
)
def test_an_allowance_has_its_form(
    sqlite_club: Club, wrong: dict[str, Any], pointer: str, why: str
) -> None:
    refused = ask(sqlite_club, {**GIVEN, **wrong})
    assert (refused.status_code, faults(refused)) == (422, [(pointer, why)])


def test_treasurers_give_and_nobody_else(new_club: Club) -> None:
    path = f"{new_club.path}/allowances"
    for caller in (new_club.recorder, new_club.other, person(new_club, "referee")):
        assert code(caller.post(path, GIVEN)) == (403, "role_missing")
    given = person(new_club, "treasurer").post(path, GIVEN)
    assert (given.status_code, given.json["asked"]["role"]) == (201, "treasurer")
    stranger = found_club(new_club.app, "Elsewhere").owner
    assert code(stranger.post(path, GIVEN)) == (404, "club_unknown")
    assert code(stranger.get(f"{path}/{given.json['id']}")) == (404, "club_unknown")


def test_a_trial_tells_what_each_would_have_and_writes_nothing(new_club: Club) -> None:
    """Of what would be booked at once, and of what would wait for a second person."""
    ask(new_club, {"lines": [{"member": "M-0001", "points": 50}], "reason": "other"})
    limit(new_club, allowance=1000)
    for cap, state in ((1000, "posted"), (250, "requested")):
        limit(new_club, allowance=cap)
        before = everything(new_club)
        tried = ask(new_club, query="?dry_run=true")
        assert (tried.status_code, tried.headers["Dry-Run"]) == (201, "true")
        lines = [(one["balance_before"], one["balance_after"]) for one in tried.json["lines"]]
        assert (tried.json["state"], lines) == (state, [(50, 350), (0, 200)])
        assert everything(new_club) == before


def test_the_same_request_is_one_allowance(new_club: Club) -> None:
    """Told as it was booked first, whatever each has by now, or whether it was undone."""
    key: dict[str, Any] = {"Idempotency_Key": f"give-{new_club.id}"}
    first = ask(new_club, **key)
    new_club.owner.post(f"{new_club.path}/allowances/{first.json['id']}/reverse")
    head = new_club.head()
    again = ask(new_club, **key)
    assert (again.status_code, again.json) == (201, first.json)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert new_club.head() == head
    other = ask(new_club, {**GIVEN, "reason": "other"}, **key)
    assert code(other) == (422, "idempotency_key_reused")


# --- a second person ---------------------------------------------------------------------------


def test_above_the_limit_it_waits_for_a_second_person(new_club: Club) -> None:
    """Who asked cannot agree himself; until another does nothing is booked."""
    asked = waiting(new_club)
    path = f"{new_club.path}/allowances/{asked.json['id']}"
    assert (asked.json["entry"], asked.json["booked_date"]) == (None, None)
    assert asked.json["lines"][0]["balance_after"] is None
    assert balances(new_club)[0] == 0
    assert code(new_club.owner.post(f"{path}/approve")) == (403, "second_person")
    second = person(new_club, "treasurer")
    approved = second.post(f"{path}/approve", {}, If_Match='"1"')
    assert (approved.status_code, approved.json["state"]) == (200, "posted")
    assert approved.json["approved"]["by"] == second.id
    assert approved.json["lines"][0]["balance_after"] == 300
    assert new_club.owner.get(path).json == approved.json
    assert balances(new_club)[:2] == [300, 200]


def test_what_waits_is_refused_with_a_note(new_club: Club) -> None:
    """Then nobody approves it any more."""
    asked = waiting(new_club)
    path = f"{new_club.path}/allowances/{asked.json['id']}"
    refused = person(new_club, "treasurer").post(f"{path}/refuse", {"note": "金额不对"})
    assert (refused.json["state"], refused.json["refused"]["note"]) == ("refused", "金额不对")
    late = person(new_club, "treasurer").post(f"{path}/approve")
    assert code(late) == (409, "allowance_not_waiting")
    assert code(new_club.owner.post(f"{path}/reverse")) == (409, "allowance_not_posted")


def test_what_was_booked_is_undone_once(new_club: Club) -> None:
    """By its exact opposite, which is linked with it."""
    given = ask(new_club)
    path = f"{new_club.path}/allowances/{given.json['id']}"
    undone = new_club.owner.post(f"{path}/reverse", {"note": "typed wrong"})
    assert (undone.status_code, undone.json["state"]) == (200, "reversed")
    assert undone.json["reversed"]["note"] == "typed wrong"
    assert undone.json["lines"] == given.json["lines"]
    assert balances(new_club)[:2] == [0, 0]
    reversal = new_club.owner.get(f"{new_club.path}/journal/{undone.json['reversal']}").json
    assert (reversal["kind"], reversal["reverses"]) == ("reversal", given.json["entry"])
    assert code(new_club.owner.post(f"{path}/reverse")) == (409, "already_reversed")


@pytest.mark.parametrize("act", ["approve", "refuse", "reverse"])
def test_acts_on_allowances_are_tried_repeated_and_versioned(new_club: Club, act: str) -> None:
    """A trial writes nothing, a retry has the first answer, a stale version is refused."""
    asked = ask(new_club) if act == "reverse" else waiting(new_club)
    path = f"{new_club.path}/allowances/{asked.json['id']}"
    second = person(new_club, "treasurer")
    before = everything(new_club)
    tried = second.post(f"{path}/{act}?dry_run=true")
    assert tried.status_code == 200, tried.text
    assert everything(new_club) == before
    key: dict[str, Any] = {"Idempotency_Key": f"{act}-{new_club.id}"}
    first = second.post(f"{path}/{act}", {}, If_Match=asked.headers["ETag"], **key)
    assert first.json["lines"] == tried.json["lines"]
    if act == "approve":
        new_club.owner.post(f"{path}/reverse")
    again = second.post(f"{path}/{act}", {}, If_Match=asked.headers["ETag"], **key)
    assert again.json == first.json
    assert again.headers["Idempotent-Replayed"] == "true"
    stale = second.post(f"{path}/{act}", {}, If_Match=asked.headers["ETag"])
    assert code(stale) == (412, "version_stale")
    for caller in (new_club.other, person(new_club, "manager")):
        assert code(caller.post(f"{path}/{act}")) == (403, "role_missing")
    unknown = f"{new_club.path}/allowances/alw_0/{act}"
    assert code(new_club.owner.post(unknown)) == (404, "allowance_unknown")


# --- sheets ------------------------------------------------------------------------------------


def test_a_sheet_is_an_allowance(new_club: Club) -> None:
    """With what JSON says beside the lines in its query; members by id or by code."""
    text = f"member,points\r\n{new_club.members[0]},300\r\n\r\nM-0002,+200\r\n,\r\n"
    query = "kind=opening&reason=opening&control=500&note=Nov&effective_date=2025-11-28"
    given = send(new_club, "\ufeff" + text, query)
    assert given.status_code == 201, given.text
    assert (given.json["kind"], given.json["note"]) == ("opening", "Nov")
    assert (given.json["effective_date"], given.json["booked_date"]) == ("2025-11-28", "2025-11-28")
    assert balances(new_club)[:2] == [300, 200]
    assert new_club.owner.get(given.headers["Location"]).json == given.json


def test_a_sheet_and_the_json_that_says_the_same_are_one_request(new_club: Club) -> None:
    """And with another query it is another request."""
    key: dict[str, Any] = {"Idempotency_Key": f"sheet-{new_club.id}"}
    first = send(new_club, SHEET, **key)
    again = ask(new_club, **key)
    assert (again.json, again.headers["Idempotent-Replayed"]) == (first.json, "true")
    other = send(new_club, SHEET, "reason=other", **key)
    assert code(other) == (422, "idempotency_key_reused")


def test_a_sheet_is_tried_first(new_club: Club) -> None:
    before = everything(new_club)
    tried = send(new_club, SHEET, "reason=top_up&control=500&dry_run=true")
    assert [one["balance_after"] for one in tried.json["lines"]] == [300, 200]
    assert everything(new_club) == before
    wrong = send(new_club, SHEET, "reason=top_up&control=501&dry_run=true")
    assert faults(wrong) == [("/control", "control_total")]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("M-0001,300\n", [("/line/1", "sheet_columns")]),
        ("", [("/line/1", "sheet_columns")]),
        ("member,points\n", [("/line/1", "list_length")]),
        ("member,points\nM-0001\n", [("/line/2", "sheet_cells")]),
        (
            'member,points\nM-0001,"1,000"\n\nM-9,5,6\n老张,4\n',
            [
                ("/line/2/points", "sheet_points"),
                ("/line/4", "sheet_cells"),
                ("/line/5/member", "member_form"),
            ],
        ),
        (
            "member,points\nM-0001,1\nM-0098,2\nM-0099,3\n",
            [
                ("/line/3/member", "member_unknown"),
                ("/line/4/member", "member_unknown"),
            ],
        ),
        ("member,points\n\nM-0001,0\n", [("/line/3/points", "points_zero")]),
        ("member,points\nM-0001,1\n\nM-0001,2\n", [("/line/4/member", "member_twice")]),
        ("member,points\nM-0001,1\nM-0002,-2\n", [("/line/3/points", "reason_sign")]),
        ("member,points\nM-0001,9999999999\n", [("/line/2/points", "field_range")]),
        ('member,points\nM-0001,"3', [("/line/2", "sheet_unreadable")]),
        (b"member,points\n\xff,3\n", [("/line/1", "sheet_unreadable")]),
    ],
)
def test_what_is_wrong_in_a_sheet_is_told_by_its_lines(
    sqlite_club: Club, text: str | bytes, told: list[tuple[str, str]]
) -> None:
    """As many faults as there are, each with the line of the file."""
    refused = send(sqlite_club, text)
    assert (refused.status_code, faults(refused)) == (422, told)


def test_a_sheet_is_not_longer_than_a_request(sqlite_club: Club) -> None:
    text = "member,points\n" + "M-0001,1\n" * 1001
    assert faults(send(sqlite_club, text)) == [("/line/1002", "list_length")]


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ("reason=top_up&control=5.0", "control"),
        ("reason=top_up&kind=fee", "kind"),
        ("reason=top_up&fee=1", "fee"),
        ("reason=top_up&reason=other", "reason"),
    ],
)
def test_the_query_of_a_sheet_has_its_form(sqlite_club: Club, query: str, parameter: str) -> None:
    refused = send(sqlite_club, SHEET, query)
    assert code(refused) == (400, "query_invalid")
    assert refused.json["errors"][0]["parameter"] == parameter


def test_what_goes_with_a_sheet_does_not_go_with_json(sqlite_club: Club) -> None:
    """Whoever says it there might think that it was heard."""
    refused = ask(sqlite_club, query="?reason=other")
    assert refused.json["errors"][0]["code"] == "parameter_unknown"
    assert faults(send(sqlite_club, SHEET, "control=500")) == [("/reason", "field_missing")]


@pytest.mark.parametrize("media_type", ["text/csv; charset=gbk", "text/plain"])
def test_a_sheet_is_csv_in_utf_8(sqlite_club: Club, media_type: str) -> None:
    refused = send(sqlite_club, SHEET, "dry_run=true", Content_Type=media_type)
    assert code(refused) == (415, "media_type")


def test_a_sheet_of_who_may_not_is_not_read(sqlite_club: Club) -> None:
    """What is wrong with it is nobody's business before that."""
    refused = sqlite_club.other.send(
        "POST", f"{sqlite_club.path}/allowances", b"x", Content_Type="text/csv"
    )
    assert code(refused) == (403, "role_missing")
    elsewhere = sqlite_club.owner.send(
        "POST",
        f"{sqlite_club.path}/members",
        SHEET.encode(),
        Content_Type="text/csv",
        Idempotency_Key="sheet-of-members",
    )
    assert code(elsewhere) == (415, "media_type")


# --- lists -------------------------------------------------------------------------------------


def test_allowances_are_listed_the_newest_first(new_club: Club) -> None:
    """In the shape in which each is shown alone; those in a state, those of a member."""
    first = ask(new_club)
    asked = waiting(new_club)
    path = f"{new_club.path}/allowances?min_position={new_club.head()[0]}"
    listed = new_club.owner.get(path).json["data"]
    assert listed == [asked.json, first.json]
    assert new_club.owner.get(f"{path}&state=posted").json["data"] == [first.json]
    only = {"lines": [{"member": "M-0003", "points": 7}], "reason": "other"}
    third = ask(new_club, only)
    path = f"{new_club.path}/allowances?min_position={new_club.head()[0]}"
    assert new_club.owner.get(f"{path}&member=M-0003").json["data"] == [third.json]
    page = new_club.owner.get(f"{path}&limit=1")
    onward = new_club.owner.get(page.headers["Link"].split(">")[0].removeprefix("<"))
    assert onward.json["data"] == [asked.json]
    assert new_club.owner.get(f"{path}&state=lost").status_code == 400


def test_a_member_sees_his_own_lines(new_club: Club) -> None:
    """Of an allowance for several his line alone, and of one for others nothing."""
    ask(new_club)
    other = ask(new_club, {"lines": [{"member": "M-0003", "points": 7}], "reason": "other"})
    member = new_club.players[0]
    path = f"{new_club.path}/allowances?min_position={new_club.head()[0]}"
    [mine] = member.get(path).json["data"]
    assert [line["member"] for line in mine["lines"]] == [new_club.members[0]]
    assert mine["total"] == 300
    alone = f"{new_club.path}/allowances/{mine['id']}"
    assert member.get(alone).json == mine
    hidden = member.get(f"{new_club.path}/allowances/{other.json['id']}")
    assert code(hidden) == (404, "allowance_unknown")
    assert code(member.get(f"{path}&member=M-0003")) == (403, "role_missing")
    assert member.get(f"{path}&member=M-0001").json["data"] == [mine]
    assert new_club.other.get(path).json["data"] == []
    assert code(new_club.recorder.get(path)) == (403, "role_missing")
    for role in ("treasurer", "auditor"):
        assert len(person(new_club, role).get(path).json["data"]) == 2


def test_an_allowance_that_is_not_there(new_club: Club) -> None:
    """And one that has not changed is not told again."""
    assert code(new_club.owner.get(f"{new_club.path}/allowances/alw_0")) == (
        404,
        "allowance_unknown",
    )
    given = ask(new_club)
    path = given.headers["Location"]
    assert new_club.owner.get(path, If_None_Match=given.headers["ETag"]).status_code == 304
