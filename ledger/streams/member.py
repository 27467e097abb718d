"""A member 成员 of a club: his code, his own limits, and whether he may play.

What a club wants of them, a sentence each:

- A bar keeps a member from the next seat; at the table where he sits he plays to the end.
- A bar outlasts leaving: who left and is let in again is still barred until he is readmitted, and
  who has left may be barred, so that nobody lets him play again who does not know.
- Who has left gets no limits and no group (`member_left`): another member was meant.
- Who was forgotten gets none either and does not return (`member_forgotten`): nobody knows him.
- Who has left returns under his old code, with his points, his limits and his group.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import asdict, replace

from ledger import events as e
from ledger.events import Event
from ledger.refusal import Refused
from ledger.streams.limits import check_limits
from ledger.streams.now import Now

CLUBS_LIMITS = e.MemberLimitsSet(None, None, None, None, None)
"""The limits of a member who has none of his own."""


class Member(Struct, frozen=True):
    """A member at one moment; the code is unique in the club and never used again."""

    code: str
    forgotten: bool = False
    limits: e.MemberLimitsSet = CLUBS_LIMITS
    barred: bool = False
    left: bool = False
    group: str | None = None


class Join(Struct, frozen=True):
    """Takes a person into the club under a code."""

    code: str


class ForgetMember(Struct, frozen=True):
    """Says that the member's name is kept no longer."""


class SetMemberLimits(Struct, frozen=True):
    """Sets a member's own limits, whole; None is the club's."""

    entry_floor: int | None
    entry_ceiling: int | None
    pause_floor: int | None
    day_loss: int | None
    alarm: int | None


class Bar(Struct, frozen=True):
    """Lets a member sit down no more 禁玩; `note` is the digest of why."""

    note: str | None = None


class Readmit(Struct, frozen=True):
    """Lets a member who was barred sit down again; `note` is the digest of why."""

    note: str | None = None


class Leave(Struct, frozen=True):
    """Lets a member leave 退出; `note` is the digest of why."""

    note: str | None = None


class Return(Struct, frozen=True):
    """Lets a member who has left in again."""


class Group(Struct, frozen=True):
    """Puts a member into a group 分组, named by the digest of a text; None takes him out."""

    group: str | None


_Change = ForgetMember | SetMemberLimits | Bar | Readmit | Leave | Return | Group
MemberCommand = Join | _Change


def fold(events: Iterable[Event]) -> Member | None:
    """The state of a member from its events."""
    member: Member | None = None
    for event in events:
        member = evolve(member, event)
    return member


def evolve(member: Member | None, event: Event) -> Member:
    """The member after one more of its events."""
    fact = event.fact
    if isinstance(fact, e.MemberJoined):
        return Member(fact.code)
    assert member is not None
    if isinstance(fact, e.MemberLimitsSet):
        return replace(member, limits=fact)
    if isinstance(fact, e.MemberBarred | e.MemberReadmitted):
        return replace(member, barred=isinstance(fact, e.MemberBarred))
    if isinstance(fact, e.MemberLeft | e.MemberReturned):
        return replace(member, left=isinstance(fact, e.MemberLeft))
    if isinstance(fact, e.MemberGrouped):
        return replace(member, group=fact.group)
    assert isinstance(fact, e.MemberForgotten)
    return replace(member, forgotten=True)


def decide(member: Member | None, command: MemberCommand, _: Now) -> tuple[Event, ...]:
    """The events of a command on a member; nothing where the wanted state stands already."""
    if isinstance(command, Join):
        if member is not None:
            raise Refused("member_exists")
        return (Event(e.MemberJoined(command.code)),)
    if member is None:
        raise Refused("member_unknown")
    fact = _fact(command)
    if evolve(member, Event(fact)) == member:
        return ()
    _check_there(member, command)
    return (Event(fact),)


def _fact(command: _Change) -> e.Fact:
    """What a command wants to be so, as it is written where it is new and allowed."""
    if isinstance(command, SetMemberLimits):
        check_limits(asdict(command))
        return e.MemberLimitsSet(**asdict(command))
    if isinstance(command, Bar):
        return e.MemberBarred(command.note)
    if isinstance(command, Readmit):
        return e.MemberReadmitted(command.note)
    if isinstance(command, Leave):
        return e.MemberLeft(command.note)
    if isinstance(command, Group):
        return e.MemberGrouped(command.group)
    return e.MemberReturned() if isinstance(command, Return) else e.MemberForgotten()


def _check_there(member: Member, command: _Change) -> None:
    """Refuses what is for a member who is there of one who was forgotten or has left."""
    settles = isinstance(command, SetMemberLimits | Group)
    if member.forgotten and (settles or isinstance(command, Return)):
        raise Refused("member_forgotten", member=member.code)
    if member.left and settles:
        raise Refused("member_left", member=member.code)


def code_text(number: int) -> str:
    """The code of the so-manieth member of a club: 7 -> "M-0007"."""
    return f"M-{number:04}"
