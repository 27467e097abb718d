"""A member 成员 of a club: who joined, under which code."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from ledger import events as e
from ledger.events import Event
from ledger.refusal import Refused
from ledger.streams.now import Now


class Member(Struct, frozen=True):
    """A member at one moment; the code is unique in the club and never used again."""

    code: str


class Join(Struct, frozen=True):
    """Takes a person into the club under a code."""

    code: str


def fold(events: Iterable[Event]) -> Member | None:
    """The state of a member from its events."""
    member: Member | None = None
    for event in events:
        member = evolve(member, event)
    return member


def evolve(_: Member | None, event: Event) -> Member:
    """The member after one more of its events."""
    assert isinstance(event.fact, e.MemberJoined)
    return Member(event.fact.code)


def decide(member: Member | None, command: Join, _: Now) -> tuple[Event, ...]:
    """The events of a command on a member."""
    if member is not None:
        raise Refused("member_exists")
    return (Event(e.MemberJoined(command.code)),)


def code_text(number: int) -> str:
    """The code of the so-manieth member of a club: 7 -> "M-0007"."""
    return f"M-{number:04}"
