"""The story of the API's description ends in the office: limits, members, allowances, a closing."""

from __future__ import annotations

from typing import Any, Protocol

JSON = dict[str, Any]
DAY = 24 * 3600 * 1_000_000


class Asks(Protocol):
    """The story, as far as it is asked here."""

    now: int
    told: JSON

    def ask(self, name: str, method: str, path: str, body: object = None, **more: Any) -> Any:
        """Send a request, and keep it with its answer unless it is said aside."""

    def work(self, club: str) -> None:
        """Let the worker and the lists do what waits for them."""


def tell_seats(story: Asks, club: str, recorder: str, members: list[str]) -> None:
    """Two members change seats before the first hand, and a wish to dissolve comes to nothing."""
    opening = {"ruleset": "huaihua/1", "seats": members, "hands": 1, "dealer": 0}
    path = f"/v1/clubs/{club}/tables"
    table = story.ask("swap", "POST", path, opening, by=recorder, aside=True)["id"]
    first, second, *others = members
    seats = {"seats": [second, first, *others]}
    story.ask("change_seats", "POST", f"/v1/tables/{table}/seats", seats, by=recorder)
    votes = [
        {"seat": 0, "answer": "agreed", "seconds": 4},
        {"seat": 1, "answer": "refused", "seconds": 9},
        {"seat": 3, "answer": "silent", "seconds": 60},
    ]
    wish = {"wish": {"seat": 2, "votes": votes}}
    story.ask("keep_playing", "POST", f"/v1/tables/{table}/votes", wish, by=recorder)
    story.ask("end", "POST", f"/v1/tables/{table}/close", {}, aside=True)


def tell_office(story: Asks, club: str, owner: str, members: list[str], table: str) -> None:
    """Who runs the club sees to its members, gives points, and closes the books of the day."""
    path = f"/v1/clubs/{club}"
    _members(story, path, owner, members)
    _allowances(story, path, owner, members)
    _limits(story, path, owner, members)
    voided: str = story.told["void_hand"]["request"]["path"].removesuffix("/hands/1/void")
    for one in (table, voided):
        story.ask(f"end {one}", "POST", f"{one}/close", {}, by=owner, aside=True)
    story.work(club)
    right = {"ticked": True, "note": "As the game server says 与服务器一致"}
    story.ask("tick_table", "POST", f"{table}/tick", right, by=owner)
    story.now += DAY
    _closing(story, club, owner, members)


def _members(story: Asks, path: str, owner: str, members: list[str]) -> None:
    member = f"{path}/members/{members[3]}"
    story.ask("group_member", "POST", f"{member}/group", {"group": "东风组"}, by=owner)
    note = {"note": "吵架"}
    story.ask("bar_member", "POST", f"{member}/bar", note, by=owner)
    story.ask("readmit_member", "POST", f"{member}/readmit", {"note": "道歉了"}, by=owner)
    joined = story.ask("guest", "POST", f"{path}/members", {"name": "客人"}, by=owner, aside=True)
    guest = f"{path}/members/{joined['id']}"
    story.ask("leave_member", "POST", f"{guest}/leave", {"note": "moves away"}, by=owner)
    story.ask("return_member", "POST", f"{guest}/return", {}, by=owner)


def _allowances(story: Asks, path: str, owner: str, members: list[str]) -> None:
    """One that is booked at once and undone; two that wait for a second person."""
    there = f"{path}/allowances"
    lines = [{"member": "M-0001", "points": 300}, {"member": members[1], "points": 200}]
    given = {"lines": lines, "reason": "top_up", "note": "现场", "control": 500}
    made = story.ask("request_allowance", "POST", there, given, by=owner)
    story.work(path.rpartition("/")[2])
    query = {"state": "posted", "limit": 1}
    story.ask("list_allowances", "GET", there, by=owner, query=query)
    story.ask("get_allowance", "GET", f"{there}/{made['id']}", by=owner)
    note = {"note": "typed twice"}
    story.ask("reverse_allowance", "POST", f"{there}/{made['id']}/reverse", note, by=owner)
    limits = story.ask("get_limits", "GET", f"{path}/limits", by=owner)
    mine = {name: limits[name] for name in limits if name not in ("object", "version")}
    two = {**mine, "allowance": 100}
    story.ask("second", "POST", f"{path}/limits", two, by=owner, aside=True)
    for act, body in (("approve", {}), ("refuse", {"note": "Not on a Friday"})):
        asked = story.ask(f"to {act}", "POST", there, given, by=owner, aside=True)["id"]
        story.ask(f"{act}_allowance", "POST", f"{there}/{asked}/{act}", body)


def _limits(story: Asks, path: str, owner: str, members: list[str]) -> None:
    hours = {"file_hours": 12, "answer_hours": 24, "decide_hours": 48, "appeal_hours": 48}
    story.ask("get_deadlines", "GET", f"{path}/deadlines", by=owner)
    story.ask("set_deadlines", "POST", f"{path}/deadlines", hours, by=owner)
    member = f"{path}/members/{members[0]}/limits"
    own = {"entry_floor": 100, "entry_ceiling": None, "pause_floor": 0}
    body = {**own, "day_loss": 500, "alarm": 300}
    story.ask("set_member_limits", "POST", member, body, by=owner)
    story.ask("get_member_limits", "GET", member, by=owner)
    story.ask("list_reached_limits", "GET", f"{path}/limits/reached", by=owner, query={"near": 50})


def _closing(story: Asks, club: str, owner: str, members: list[str]) -> None:
    path = f"/v1/clubs/{club}"
    last = {"last": "2025-11-28"}
    story.ask("get_checklist", "GET", f"{path}/closing", by=owner, query=last)
    body = {**last, "mode": "carry", "note": "十一月"}
    story.ask("close_period", "POST", f"{path}/periods", body, by=owner)
    first, second = (_key(story, path, owner, members[seat]) for seat in (0, 1))
    there = f"{path}/periods/1"
    story.ask("confirm_balance", "POST", f"{there}/confirm", {}, by=first)
    story.ask("contest_balance", "POST", f"{there}/contest", {"note": "少了一局"}, by=second)
    story.work(club)
    story.ask("list_periods", "GET", f"{path}/periods", by=owner, query={"limit": 1})
    story.ask("get_period", "GET", there, by=owner)
    word = {"word": "contested"}
    story.ask("list_closing_balances", "GET", f"{there}/balances", by=owner, query=word)
    reason = {"note": "A hand was missing"}
    story.ask("reopen_period", "POST", f"{there}/reopen", reason, by=owner)


def _key(story: Asks, path: str, owner: str, member: str) -> str:
    """The token of a member's own key."""
    body = {"roles": ["member"], "member": member, "label": "App"}
    name = f"own key of {member}"
    made = story.ask(name, "POST", f"{path}/keys", body, by=owner, aside=True)
    token: str = made["token"]
    return token
