"""What refusals say: a sentence that fits what was asked, and tells what would be taken."""

from __future__ import annotations

import pytest

from ledger.refusal import Refused
from ledger.texts import sentence
from tests.api.conftest import Answer, Club
from tests.api.hand import BEFORE, PUNG, WALL


@pytest.fixture
def club(sqlite_club: Club) -> Club:
    """No database changes what is said here."""
    return sqlite_club


@pytest.fixture
def table(club: Club) -> str:
    """A table at which a hand has just been dealt: it is at version 3."""
    opened = club.open_table()
    club.recorder.post(f"{opened}/hands", {"wall": WALL})
    return opened


def told(answer: Answer) -> tuple[int, str, str]:
    return answer.status_code, answer.json["code"], answer.json["detail"]


def test_a_version_that_was_overtaken_is_told_the_present_one(club: Club, table: str) -> None:
    assert told(club.recorder.post(f"{table}/actions", BEFORE[0], If_Match='"2"')) == (
        412,
        "version_stale",
        "It is at version 3 now; look at it and decide again.",
    )


def test_a_version_that_nobody_has_seen_is_told_so(club: Club, table: str) -> None:
    """With the present one too, as of a version that was overtaken."""
    refused = club.recorder.post(f"{table}/actions", BEFORE[0], If_Match='"4"')
    assert told(refused) == (
        412,
        "version_ahead",
        "It is at version 3 only; look at it and decide again.",
    )
    assert refused.json["current_version"] == 3


def test_what_is_new_has_no_version_to_be_seen(club: Club) -> None:
    """If-Match there is refused, not passed over, and nothing is made."""
    before = club.head()
    for caller, path, body in (
        (club.operator, "/v1/clubs", {"name": "x", "zone": "UTC"}),
        (club.owner, f"{club.path}/members", {"name": "x"}),
        (club.owner, f"{club.path}/keys", {"roles": ["auditor"], "label": "x"}),
        (club.owner, f"{club.path}/keys/{club.other.id}/revoke", {}),
    ):
        refused = caller.post(path, body, If_Match='"0"')
        assert (refused.status_code, refused.json["code"]) == (400, "version_not_taken")
    assert club.head() == before


def test_a_pung_of_nothing_is_told_that_nothing_can_be_claimed(club: Club, table: str) -> None:
    """It is not the seat's turn, and no window is open either."""
    assert told(club.recorder.post(f"{table}/actions", PUNG, If_Match='"3"')) == (
        422,
        "not_your_turn",
        "It is not the turn of seat 1, and no tile waits to be claimed.",
    )


def test_a_wrong_method_is_told_those_that_are_taken(club: Club) -> None:
    assert told(club.owner.send("DELETE", f"{club.path}/members")) == (
        405,
        "method_not_allowed",
        "This address takes GET, HEAD, OPTIONS, POST, and not DELETE.",
    )


@pytest.mark.parametrize(
    ("sent", "fault"),
    [
        (b'{"name": NaN}', "JSON is malformed: invalid character (byte 9)"),
        (b'{"name": "x"} y', "JSON is malformed: trailing characters (byte 15)"),
        (b'{"name": ', "Input data was truncated"),
    ],
)
def test_a_body_that_is_no_json_is_told_where(club: Club, sent: bytes, fault: str) -> None:
    """As far as the decoder knows it."""
    refused = club.owner.send("POST", f"{club.path}/members", sent, Idempotency_Key="k")
    assert told(refused) == (
        400,
        "json_malformed",
        f"This is not well-formed JSON in UTF-8; its reader says: {fault}.",
    )


@pytest.mark.parametrize("path", ["/members", "/events", "/operator_log"])
def test_an_unknown_parameter_is_no_field(club: Club, path: str) -> None:
    refused = club.owner.get(f"{club.path}{path}?wager=1")
    assert refused.json["errors"] == [
        {
            "parameter": "wager",
            "code": "parameter_unknown",
            "detail": "There is no parameter of this name here.",
        }
    ]


def test_a_role_that_nobody_has_is_none_to_look_for(club: Club) -> None:
    """Else a misspelt role would look like one in which nothing was done."""
    refused = club.owner.get(f"{club.path}/operator_log?role=king")
    assert refused.status_code == 400
    [fault] = refused.json["errors"]
    assert (fault["parameter"], fault["code"]) == ("role", "field_choice")


def test_a_long_list_is_cut_after_an_item() -> None:
    """Never within a word."""
    months = "January February March April May June July August September October November"
    allowed = ", ".join([*months.split(), *months.split()])
    assert sentence(Refused("field_choice", allowed=allowed), "en") == (
        "This must be one of January, February, March, April, May, June, July, August, "
        "September, October, November, January, February, March, …."
    )


def test_a_session_that_has_ended_is_spoken_of(club: Club) -> None:
    """A token of either kind is refused in words that fit it."""
    refused = club.owner.get(club.path, Authorization="Bearer ps_0_0")
    assert told(refused) == (
        401,
        "key_invalid",
        "The key or session is unknown, was revoked or ended, or has expired.",
    )


def test_an_answer_ends_its_line(club: Club) -> None:
    """So that a terminal begins a new one."""
    assert club.owner.get(club.path).text.endswith("}\n")
    assert club.owner.get("/v1/nothing").text.endswith("}\n")
