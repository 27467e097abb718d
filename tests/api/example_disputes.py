"""The story of the API's description goes on: a hand is doubted, decided, and decided again."""

from __future__ import annotations

from typing import Any, Protocol

JSON = dict[str, Any]


class Asks(Protocol):
    """The story, as far as it is asked here."""

    told: JSON

    def ask(self, name: str, method: str, path: str, body: object = None, **more: Any) -> Any:
        """Send a request, and keep it with its answer unless it is said aside."""

    def work(self, club: str) -> None:
        """Let the worker and the lists do what waits for them."""


def tell_disputes(story: Asks, club: str, owner: str, members: list[str], table: str) -> None:
    """Seat 0 fed the winning tile, and says that he did not; a mistyped hand beside."""
    path, hand = f"/v1/clubs/{club}", f"{table}/hands/1"
    loser, winner = (_key(story, path, owner, members[seat]) for seat in (0, 2))
    referee = _key(story, path, owner, None)
    nothing = [0, 0, 0, 0]
    story.ask("compare_claim", "POST", f"{hand}/claims", {"totals": nothing}, by=loser)
    claim = {"totals": nothing, "note": "It was not ready 他没有听牌"}
    filed = story.ask("file_dispute", "POST", f"{hand}/disputes", claim, by=loser)
    there = f"{path}/disputes/{filed['id']}"
    said = {"note": "It was 5p, see the replay"}
    story.ask("answer_dispute", "POST", f"{there}/answer", said, by=winner)
    ruling = {
        "ruling": "correct",
        "reason": "evidence",
        "rule": "huaihua/1 C5.2",
        "note": "The replay shows nothing",
        "totals": nothing,
    }
    story.ask("decide_dispute", "POST", f"{there}/decide", ruling, by=referee)
    story.ask("appeal_dispute", "POST", f"{there}/appeal", {"note": "It does"}, by=winner)
    story.work(club)
    story.ask("list_disputes", "GET", f"{path}/disputes", by=owner, query={"open": True})
    story.ask("get_dispute", "GET", there, by=loser)
    _one_step(story, path, owner, referee)
    _by_two(story, path, owner, there)


def _one_step(story: Asks, path: str, owner: str, referee: str) -> None:
    """The hand of the match that was dissolved is doubted in vain, then corrected at once."""
    dissolved: str = story.told["dissolve"]["request"]["path"].removesuffix("/dissolve")
    typed = {
        "ruling": "correct",
        "reason": "mistyped",
        "totals": [3, -1, -1, -1],
        "note": "The sheet says so",
    }
    hand = f"{dissolved}/hands/1"
    doubt = {"note": "Which sheet?"}
    vain = story.ask("vain", "POST", f"{hand}/disputes", doubt, by=owner, aside=True)
    body = {"note": "This one"}
    withdraw = f"{path}/disputes/{vain['id']}/withdraw"
    story.ask("withdraw_dispute", "POST", withdraw, body, by=owner)
    story.ask("correct_hand", "POST", f"{hand}/correct", typed, by=referee)


def _by_two(story: Asks, path: str, owner: str, dispute: str) -> None:
    """The appeal is decided by two persons, since the club lets nobody move points alone."""
    limits = story.ask("limits", "GET", f"{path}/limits", by=owner, aside=True)
    mine = {name: limits[name] for name in limits if name not in ("object", "version")}
    story.ask("two", "POST", f"{path}/limits", {**mine, "correction": 0}, by=owner, aside=True)
    right = {"ruling": "correct", "reason": "evidence", "totals": [-1, 0, 1, 0]}
    waits = story.ask("proposed", "POST", f"{dispute}/decide", right, by=owner, aside=True)
    seen = f'"{waits["version"]}"'
    story.ask("approve_decision", "POST", f"{dispute}/approve", {}, If_Match=seen)
    story.ask("one", "POST", f"{path}/limits", mine, by=owner, aside=True)


def _key(story: Asks, path: str, owner: str, member: str | None) -> str:
    """The token of a member's own key, or of a referee's."""
    of = {"roles": ["referee"]} if member is None else {"roles": ["member"], "member": member}
    name = f"key of {member or 'referee'}"
    made = story.ask(name, "POST", f"{path}/keys", {**of, "label": "App"}, by=owner, aside=True)
    token: str = made["token"]
    return token
