"""An allowance 上分 / 下分: points that an officer gives members or takes from them, with a reason.

Points enter and leave a club in no other way. What one person moves for a member on a business
day above the club's limit waits for a second person. What was booked is undone once, by its exact
opposite.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from ledger import events as e
from ledger.events import Event
from ledger.refusal import Refused
from ledger.streams.limits import MOST_POINTS, check_range
from ledger.streams.now import Now, is_day

MOST_LINES = 1000
REASONS = e.ALLOWANCE_REASONS


class Allowance(Struct, frozen=True):
    """An allowance at one moment: what was asked for, how it stands, and what was booked."""

    asked: e.AllowanceRequested
    state: Literal["requested", "posted", "refused", "reversed"] = "requested"
    posted: e.AllowancePosted | None = None


class Known(Struct, frozen=True):
    """What is known beside an allowance when it is decided, of its members and of who decides.

    `own` are the members that he has ever been and on whom he may not decide, `opened` those who
    have an opening balance that stands, `away` those who have left or were forgotten, each with
    the code of that refusal. `alone` is what he has moved for each today without a second person.
    `founded` is the business day of the club's founding.
    """

    own: frozenset[str] = frozenset()
    opened: frozenset[str] = frozenset()
    away: Mapping[str, str] = {}
    alone: Mapping[str, int] = {}
    founded: str | None = None


UNKNOWN = Known()
"""Where nothing is known that would forbid it."""


class RequestAllowance(Struct, frozen=True):
    """Asks that members be given points, or that some be taken from them below 0.

    `note` is the digest of a text. `effective_date` is the business day from which they count,
    None the day on which they are booked. `limit` is what one person may move for a member on a
    business day (None: anything), `closed_until` the last one that the books are closed for.
    """

    kind: e.Granting
    lines: tuple[e.Line, ...]
    reason: str
    note: str | None
    effective_date: str | None
    by: str
    limit: int | None
    closed_until: str | None
    known: Known = UNKNOWN


class ApproveAllowance(Struct, frozen=True):
    """Agrees as a second person to what waits, and books it."""

    by: str
    closed_until: str | None
    known: Known = UNKNOWN


class RefuseAllowance(Struct, frozen=True):
    """Says that what waits is not given; who asked may say so too. `note` is a digest."""

    note: str | None
    by: str


class ReverseAllowance(Struct, frozen=True):
    """Undoes what was booked 撤销, once and as a whole. `note` is a digest."""

    note: str | None
    by: str
    known: Known = UNKNOWN


AllowanceCommand = RequestAllowance | ApproveAllowance | RefuseAllowance | ReverseAllowance


def fold(events: Iterable[Event]) -> Allowance | None:
    """The state of an allowance from its events."""
    allowance: Allowance | None = None
    for event in events:
        allowance = evolve(allowance, event)
    return allowance


def evolve(allowance: Allowance | None, event: Event) -> Allowance:
    """The allowance after one more of its events; an approval is followed by the booking."""
    fact = event.fact
    if isinstance(fact, e.AllowanceRequested):
        return Allowance(fact)
    assert allowance is not None
    if isinstance(fact, e.AllowancePosted):
        return replace(allowance, state="posted", posted=fact)
    if isinstance(fact, e.AllowanceRefused):
        return replace(allowance, state="refused")
    if isinstance(fact, e.AllowanceReversed):
        return replace(allowance, state="reversed")
    assert isinstance(fact, e.AllowanceApproved)
    return allowance


def decide(allowance: Allowance | None, command: AllowanceCommand, now: Now) -> tuple[Event, ...]:
    """The events of a command on an allowance; nothing where it is approved or refused already.

    A second reversal is a mistake and is refused (`already_reversed`).
    """
    if isinstance(command, RequestAllowance):
        return _request(allowance, command, now)
    if allowance is None:
        raise Refused("allowance_unknown")
    if isinstance(command, ApproveAllowance):
        return _approve(allowance, command, now)
    if isinstance(command, RefuseAllowance):
        return _refuse(allowance, command, now)
    return _reverse(allowance, command, now)


def _request(allowance: Allowance | None, command: RequestAllowance, now: Now) -> tuple[Event, ...]:
    if allowance is not None:
        raise Refused("allowance_exists")
    _check_reason(command)
    _check_lines(command)
    _check_members(command.kind, command.lines, command.known, "/lines/{}/member")
    _check_dates(command, now.day(now.at))
    asked = e.AllowanceRequested(
        kind=command.kind,
        lines=command.lines,
        reason=command.reason,
        note=command.note,
        effective_date=command.effective_date,
        by=command.by,
        at=now.at,
    )
    if takes_two(command):
        return (Event(asked),)
    return Event(asked), Event(_posted(asked, now))


def takes_two(command: RequestAllowance) -> bool:
    """Whether a line moves, with what was moved for its member today, more than one person may."""
    limit = command.limit
    return limit is not None and any(moved > limit for moved in moved_alone(command).values())


def moved_alone(command: RequestAllowance) -> dict[str, int]:
    """What one person will have moved today for each member, whichever way, if it is booked."""
    before = command.known.alone
    return {line.member: before.get(line.member, 0) + abs(line.points) for line in command.lines}


def _posted(asked: e.AllowanceRequested, now: Now) -> e.AllowancePosted:
    booked, asked_for = now.day(now.at), asked.effective_date
    return e.AllowancePosted(
        kind=asked.kind,
        lines=asked.lines,
        reason=asked.reason,
        note=asked.note,
        at=now.at,
        booked_date=booked,
        effective_date=booked if asked_for is None else asked_for,
    )


def _approve(allowance: Allowance, command: ApproveAllowance, now: Now) -> tuple[Event, ...]:
    if allowance.state == "posted":
        return ()
    _check_waiting(allowance)
    if command.by == allowance.asked.by:
        raise Refused("second_person")
    asked = allowance.asked
    _check_members(asked.kind, asked.lines, command.known, "")
    posted = _posted(asked, now)
    _check_open(posted.effective_date, command.closed_until, "")
    return Event(e.AllowanceApproved(command.by, now.at)), Event(posted)


def _refuse(allowance: Allowance, command: RefuseAllowance, now: Now) -> tuple[Event, ...]:
    if allowance.state == "refused":
        return ()
    _check_waiting(allowance)
    return (Event(e.AllowanceRefused(command.note, command.by, now.at)),)


def _reverse(allowance: Allowance, command: ReverseAllowance, now: Now) -> tuple[Event, ...]:
    """The exact opposite, booked today and effective when the original was, in a closed period too.

    The books are closed for what is new; what was wrong in them is told where it was wrong.
    """
    if allowance.state == "reversed":
        raise Refused("already_reversed")
    if allowance.posted is None:
        raise Refused("allowance_not_posted", state=allowance.state)
    _check_own(allowance.posted.lines, command.known, "")
    opposite = e.AllowanceReversed(
        lines=tuple(e.Line(line.member, -line.points) for line in allowance.posted.lines),
        note=command.note,
        by=command.by,
        at=now.at,
        booked_date=now.day(now.at),
        effective_date=allowance.posted.effective_date,
    )
    return (Event(opposite),)


def _check_waiting(allowance: Allowance) -> None:
    if allowance.state != "requested":
        raise Refused("allowance_not_waiting", state=allowance.state)


def _check_reason(command: RequestAllowance) -> None:
    """Refuses a reason that is none, or another than `opening` for what opens the books."""
    if command.reason not in REASONS:
        allowed = ", ".join(REASONS)
        raise Refused("reason_unknown", pointer="/reason", reason=command.reason, allowed=allowed)
    if (command.reason == "opening") != (command.kind == "opening"):
        raise Refused("reason_kind", pointer="/reason", reason=command.reason, kind=command.kind)


def _check_lines(command: RequestAllowance) -> None:
    if not 1 <= len(command.lines) <= MOST_LINES:
        raise Refused("list_length", pointer="/lines", low=1, high=MOST_LINES)
    seen: set[str] = set()
    for place, line in enumerate(command.lines):
        if line.member in seen:
            pointer = f"/lines/{place}/member"
            raise Refused("member_twice", pointer=pointer, member=line.member)
        seen.add(line.member)
        _check_points(line.points, command.reason, f"/lines/{place}/points")


def _check_members(kind: e.Granting, lines: tuple[e.Line, ...], known: Known, pointer: str) -> None:
    """Refuses a member on whom one may not decide, who is gone, or whose books are opened.

    Of one who is gone points may be taken, so that his account can be emptied.
    """
    _check_own(lines, known, pointer)
    for place, line in enumerate(lines):
        where = {"pointer": pointer.format(place), "member": line.member}
        if line.points > 0 and line.member in known.away:
            raise Refused(known.away[line.member], **where)
        if kind == "opening" and line.member in known.opened:
            raise Refused("opening_given", **where)


def _check_own(lines: tuple[e.Line, ...], known: Known, pointer: str) -> None:
    """Refuses lines of a member that the one who decides is, or has been (`own_affair`)."""
    for place, line in enumerate(lines):
        if line.member in known.own:
            raise Refused("own_affair", pointer=pointer.format(place), member=line.member)


def _check_points(points: int, reason: str, pointer: str) -> None:
    """Refuses no points, too many, and points that go the other way than the reason says."""
    if points == 0:
        raise Refused("points_zero", pointer=pointer)
    check_range(points, (-MOST_POINTS, MOST_POINTS), pointer)
    if (reason == "top_up" and points < 0) or (reason == "withdrawal" and points > 0):
        raise Refused("reason_sign", pointer=pointer, reason=reason, points=points)


def _check_dates(command: RequestAllowance, today: str) -> None:
    """Refuses a day that is none, one before the club or yet to begin, and one that is closed."""
    asked, pointer, founded = command.effective_date, "/effective_date", command.known.founded
    effective = today if asked is None else asked
    if not is_day(effective):
        raise Refused("date_form", pointer=pointer, value=effective)
    if effective > today:
        raise Refused("date_in_future", pointer=pointer, date=effective, today=today)
    if founded is not None and effective < founded:
        raise Refused("date_before_club", pointer=pointer, date=effective, founded=founded)
    _check_open(effective, command.closed_until, pointer)


def _check_open(effective: str, closed_until: str | None, pointer: str) -> None:
    if closed_until is not None and effective <= closed_until:
        raise Refused("period_closed", pointer=pointer, closed_until=closed_until)
