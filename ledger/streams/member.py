"""A member 成员 of a club: who joined, under which code."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from ledger import events as e
from ledger.events import Event
from ledger.refusal import Refused
from ledger.streams.now import Now


class Member(Struct, frozen=True):
    """A member at one moment; the code is unique in the club and never used again."""

    code: str
    forgotten: bool = False


class Join(Struct, frozen=True):
    """Takes a person into the club under a code."""

    code: str


class ForgetMember(Struct, frozen=True):
    """Says that the member's name is kept no longer."""


MemberCommand = Join | ForgetMember


def fold(events: Iterable[Event]) -> Member | None:
    """The state of a member from its events."""
    member: Member | None = None
    for event in events:
        member = evolve(member, event)
    return member


def evolve(member: Member | None, event: Event) -> Member:
    """The member after one more of its events."""
    if isinstance(event.fact, e.MemberJoined):
        return Member(event.fact.code)
    assert isinstance(event.fact, e.MemberForgotten)
    assert member is not None
    return replace(member, forgotten=True)


def decide(member: Member | None, command: MemberCommand, _: Now) -> tuple[Event, ...]:
    """The events of a command on a member; nothing where he is forgotten already."""
    if isinstance(command, ForgetMember):
        if member is None:
            raise Refused("member_unknown")
        return () if member.forgotten else (Event(e.MemberForgotten()),)
    if member is not None:
        raise Refused("member_exists")
    return (Event(e.MemberJoined(command.code)),)


def code_text(number: int) -> str:
    """The code of the so-manieth member of a club: 7 -> "M-0007"."""
    return f"M-{number:04}"
