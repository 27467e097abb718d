"""Who sees what of a hand over HTTP, while it runs and after it has ended."""

from __future__ import annotations

import hashlib
import hmac
import json
from datetime import UTC, datetime
from typing import Any

import pytest

from ledger.tiles import NUMBERS, parse_tiles, wall_text
from tests.api.conftest import Caller, Club, found_club
from tests.api.hand import BEFORE, DEALT, FED, PUNG, WALL, WIN

HIDDEN = ["?" * 13, "?" * 13, "?" * 13, "?" * 13]


@pytest.fixture
def table(club: Club) -> str:
    """A table in the middle of a window: seat 1 has answered, seat 2 is still asked."""
    return play_into_the_window(club)


def play_into_the_window(club: Club) -> str:
    path = club.open_table()
    club.recorder.post(f"{path}/hands", {"wall": WALL})
    actions = {"actions": [*BEFORE, FED, PUNG]}
    assert club.recorder.post(f"{path}/actions", actions, If_Match='"3"').status_code == 201
    return path


def hands(caller: Caller, table: str) -> list[str]:
    seats: list[dict[str, str]] = caller.get(table).json["state"]["hand"]["seats"]
    return [seat["hand"] for seat in seats]


def test_while_a_hand_runs_each_sees_what_is_his(club: Club, table: str) -> None:
    """The recorder sees every seat, a player his own, the owner none."""
    assert hands(club.recorder, table)[1:] == list(DEALT[1:])
    assert hands(club.players[1], table) == [HIDDEN[0], DEALT[1], *HIDDEN[2:]]
    assert hands(club.owner, table) == HIDDEN


def test_nobody_sees_the_undrawn_wall_of_a_running_hand(club: Club, table: str) -> None:
    """Neither the wall nor the secret, whoever asks."""
    after = club.head()[0] - 14
    for caller in (club.recorder, club.owner, club.players[0], club.operator):
        assert caller.get(table).json["state"]["hand"]["wall"] is None
        events = caller.get(f"{club.path}/events?after={after}&limit=100").text
        assert "HandStarted/2" in events
        assert WALL not in events
        assert '"wall"' not in events
        assert '"secret"' not in events


def test_offers_and_answers_are_private_to_their_seat(club: Club, table: str) -> None:
    """Seat 2 is not told that seat 1 has answered, nor seat 1 what seat 2 may do."""
    asked = [[], [], ["win"], []]
    window = club.players[2].get(table).json["state"]["hand"]["window"]
    assert (window["may"], window["answers"]) == (asked, [None, None, None, None])
    window = club.players[1].get(table).json["state"]["hand"]["window"]
    assert (window["may"][2], window["answers"]) == ([], [None, "pung", None, None])
    window = club.owner.get(table).json["state"]["hand"]["window"]
    assert (window["may"], window["answers"]) == ([[], [], [], []], [None, None, None, None])


def test_legal_actions_are_told_for_the_seats_one_sees(club: Club, table: str) -> None:
    """null for a seat that is not the caller's to see."""
    win = [{"seat": 2, "action": "win"}, {"seat": 2, "action": "pass"}]
    assert club.recorder.get(table).json["legal_actions"] == [[], [], win, []]
    assert club.players[2].get(table).json["legal_actions"] == [None, None, win, None]
    assert club.owner.get(table).json["legal_actions"] == [None, None, None, None]


def test_a_table_is_no_business_of_another_member(club: Club, table: str) -> None:
    """403 with a sentence within the club; another recorder is told the same."""
    refused = club.other.get(table)
    assert (refused.status_code, refused.json["code"]) == (403, "table_not_yours")
    made = club.owner.post(f"{club.path}/keys", {"roles": ["recorder"], "label": "second"}).json
    second = Caller(club.owner.client, made["token"], made["id"])
    assert second.get(table).json["code"] == "table_not_yours"
    refused = second.post(f"{table}/actions", WIN, If_Match='"14"')
    assert (refused.status_code, refused.json["code"]) == (403, "not_the_recorder")


def test_outside_of_its_club_a_table_is_not_there(club: Club, table: str) -> None:
    """Another club's owner and recorder get for it what they get for nothing."""
    stranger = found_club(club.app, "Other")
    nothing = "/v1/tables/tbl_00000000000000000000"
    for caller in (stranger.owner, stranger.recorder, stranger.players[0]):
        told, of_nothing = caller.get(table), caller.get(nothing)
        assert told.status_code == of_nothing.status_code == 404
        assert told.json["detail"] == of_nothing.json["detail"]
        assert caller.post(f"{table}/actions", WIN, If_Match='"14"').status_code == 404
        assert caller.get(club.path).json["code"] == "club_unknown"
        assert caller.get(f"{club.path}/events").status_code == 404
        assert caller.post(f"{club.path}/members", {"name": "x"}).status_code == 404


def test_when_the_hand_has_ended_everything_is_shown(club: Club, table: str) -> None:
    """Owner and players see every tile, the wall and the secret that proves them."""
    club.recorder.post(f"{table}/actions", WIN, If_Match='"14"')
    for caller in (club.owner, club.players[3], club.recorder):
        state = caller.get(table).json["state"]["hand"]
        assert [seat["hand"] for seat in state["seats"]][1:] == list(DEALT[1:])
        assert state["wall"] == WALL
    assert club.other.get(table).status_code == 403


def test_a_running_hand_is_kept_by_nobody(club: Club, table: str) -> None:
    """no-store while it runs; afterwards a reader may keep it and ask with its ETag."""
    assert club.players[0].get(table).headers["Cache-Control"] == "no-store"
    club.recorder.post(f"{table}/actions", WIN, If_Match='"14"')
    ended = club.players[0].get(table)
    assert ended.headers["Cache-Control"] == "private, no-cache"
    unchanged = club.players[0].get(table, If_None_Match=ended.headers["ETag"])
    assert (unchanged.status_code, unchanged.data) == (304, b"")


@pytest.mark.parametrize("ended", [False, True], ids=["running", "ended"])
def test_the_chain_verifies_from_whatever_one_may_read(new_club: Club, ended: bool) -> None:
    """Line by line: every hash follows from the one before, every leaf from what is shown."""
    club, table = new_club, play_into_the_window(new_club)
    if ended:
        club.recorder.post(f"{table}/actions", WIN, If_Match='"14"')
    verify(club.other, club, sees_table=False)
    for caller in (club.owner, club.recorder, club.players[0], club.operator):
        verify(caller, club, sees_table=True)


def verify(caller: Caller, club: Club, sees_table: bool) -> None:
    events = read_log(caller, club)
    assert [event["position"] for event in events] == list(range(1, club.head()[0] + 1))
    previous = bytes(32)
    for event in events:
        previous = chained(previous, event)
        assert previous.hex() == event["hash"]
        if "public" in event:
            assert leaf(club.id, event).hex() == event["leaf"]
    assert previous == club.head()[1]
    shown = [event for event in events if event.get("stream", "").startswith("table/")]
    assert bool(shown) == sees_table


def test_after_the_end_every_slot_can_be_checked_with_the_secret(new_club: Club) -> None:
    """digest = SHA-256(HMAC(secret, version, slot) followed by the part)."""
    club, table = new_club, play_into_the_window(new_club)
    club.recorder.post(f"{table}/actions", WIN, If_Match='"14"')
    events = read_log(club.players[3], club)
    secret = next(e["public"]["secret"] for e in events if e.get("type") == "HandEnded/1")
    slots = [(e, n, slot) for e in events for n, slot in enumerate(e.get("slots", []))]
    assert len(slots) > 50
    for event, number, slot in slots:
        place = event["version"].to_bytes(8, "big") + number.to_bytes(1, "big")
        expected = digest(bytes.fromhex(secret), place, compact(slot["part"]))
        assert slot["digest"] == expected.hex()


def test_a_page_that_begins_or_ends_within_a_hand_is_masked_the_same(new_club: Club) -> None:
    """Events read one by one are those read at once: running, ended, and with a later hand."""
    club, table = new_club, play_into_the_window(new_club)

    def one_by_one(caller: Caller, first: int) -> list[Any]:
        path = f"{club.path}/events"
        return [
            caller.get(f"{path}?after={position}&limit=1").json["data"][0]
            for position in range(first, club.head()[0])
        ]

    opened = club.head()[0] - 14
    for next_step in (None, WIN, "next hand"):
        if next_step == WIN:
            club.recorder.post(f"{table}/actions", WIN, If_Match='"14"')
        if next_step == "next hand":
            club.recorder.post(f"{table}/hands", {"wall": reversed_wall()})
        for caller in (club.players[1], club.recorder, club.owner):
            assert one_by_one(caller, opened) == read_log(caller, club)[opened:]


def test_the_wall_is_dealt_as_it_was_sent() -> None:
    """The hand of these tests is the one its wall holds."""
    dealt = [parse_tiles(tiles) for tiles in DEALT]
    assert parse_tiles(WALL)[: 13 * 4 + 1] == tuple(tile for tiles in dealt for tile in tiles)


def reversed_wall() -> str:
    return wall_text(tuple(reversed(NUMBERS)) * 4)


def read_log(caller: Caller, club: Club) -> list[Any]:
    read = caller.get(f"{club.path}/events", Accept="application/x-ndjson")
    assert read.content_type == "application/x-ndjson"
    return [json.loads(line) for line in read.text.splitlines()]


def chained(previous: bytes, event: dict[str, Any]) -> bytes:
    position = event["position"].to_bytes(8, "big")
    return hashlib.sha256(b"\x02" + previous + position + bytes.fromhex(event["leaf"])).digest()


def leaf(club: str, event: dict[str, Any]) -> bytes:
    """A leaf as docs/adr/0003-what-is-hashed.md has it, written a second time."""
    digests = [bytes.fromhex(slot["digest"]) for slot in event["slots"]]
    parts = [
        b"\x00",
        lp(club.encode()),
        lp(event["stream"].encode()),
        event["version"].to_bytes(8, "big"),
        lp(event["type"].encode()),
        microseconds(event["recorded_at"]).to_bytes(8, "big"),
        lp(event["actor"].encode()),
        lp(event["role"].encode()),
        lp(bytes.fromhex(event["command"])),
        lp(compact(event["public"])),
        len(digests).to_bytes(1, "big"),
        *digests,
    ]
    return hashlib.sha256(b"".join(parts)).digest()


def digest(secret: bytes, place: bytes, part: bytes) -> bytes:
    return hashlib.sha256(hmac.digest(secret, place, "sha256") + part).digest()


def compact(data: object) -> bytes:
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode()


def lp(part: bytes) -> bytes:
    return len(part).to_bytes(4, "big") + part


def microseconds(text: str) -> int:
    moment = datetime.fromisoformat(text)
    assert text.endswith("Z")
    return (moment - datetime(1970, 1, 1, tzinfo=UTC)) // datetime.resolution
