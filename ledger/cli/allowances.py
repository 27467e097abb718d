"""The commands of points that officers give and take: allowances 上分 / 下分, opening balances."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal

import click

from ledger.cli.books import (
    balance_of,
    dry_run,
    note,
    on_trial,
    people_of,
    points_of,
    show_balances,
)
from ledger.cli.frame import Failure, House, commands, desk_of, house, machine, sentence_of, write
from ledger.refusal import Refused
from ledger.streams.allowance import REASONS
from ledger.terminal import DAY, said, say, show_facts

if TYPE_CHECKING:
    from ledger.acts import Desk
    from ledger.events import Line
    from ledger.granting import Grant
    from ledger.granting_files import Sheet
    from ledger.streams.allowance import Allowance

STATES = {"requested": "待批准", "posted": "已入账", "refused": "已拒绝", "reversed": "已撤销"}
OPENING: Literal["opening"] = "opening"
_LINE = re.compile(r"/line/([0-9]+)")


@commands.group()
def allowance() -> None:
    """Points that officers give members or take from them 上分 / 下分, and opening balances.

    Where it takes two persons, whoever asked cannot approve. All that is done here is done by
    the operator, so the second person approves with a key or a session of his own, by the API.
    """


class Points(click.ParamType[tuple[str, int]]):
    """A member and points, such as M-0007=500 or M-0007=-500."""

    name = "MEMBER=POINTS"

    def convert(self, value: Any, *_: Any) -> tuple[str, int]:
        """The member and the points of a text."""
        try:
            member, points = str(value).rsplit("=", 1)
            return member, int(points)
        except ValueError:
            self.fail(f"{value!r} is no member and points such as M-0007=500.")


@allowance.command("request")
@click.argument("club")
@click.argument("points", metavar="[MEMBER=POINTS]...", type=Points(), nargs=-1)
@click.option("--csv", "file", type=click.File("rb"), help="The lines, under member,points.")
@click.option("--reason", type=click.Choice(list(REASONS)), help="A word for why.")
@click.option("--kind", type=click.Choice(["allowance", OPENING]), help="opening: 期初.")
@note
@click.option("--effective-date", type=DAY, help="From when it counts.  [default: today]")
@click.option("--control", type=int, help="The sum that the lines must have.")
@dry_run
@machine
@house
def request_allowance(
    house: House,
    /,
    club: str,
    points: tuple[tuple[str, int], ...],
    file: Any,
    dry_run: bool,
    machine: bool,
    **given: Any,
) -> None:
    """Give members points, or take some from them: within the club's limit at once.

    Above it the whole waits for a second person. A file is CSV with the columns member,points,
    members by code or id. With --dry-run each balance is shown before and after.
    """
    from ledger import granting

    sheet = _sheet(points, file)
    grant = _grant(sheet, given)
    with on_trial(desk_of(house, club), dry_run) as desk:
        members = _ids(desk, sheet, opens=grant.kind == OPENING)
        before = points_of(desk, members) if dry_run else {}
        try:
            done = granting.request(desk, grant)
        except Refused as refusal:
            raise _by_line([sheet.placed(refusal)]) from None
        _tell_allowance(desk, done.stream.removeprefix("allowance/"), machine, before)


def _sheet(points: tuple[tuple[str, int], ...], file: Any) -> Sheet:
    """The lines that are given, in words or in a file."""
    from ledger.events import Line
    from ledger.granting_files import Sheet, SheetInvalid, read_sheet

    if bool(points) is (file is not None):
        raise click.UsageError("Name MEMBER=POINTS, or a file by --csv.")
    if file is None:
        return Sheet(tuple(Line(*one) for one in points), ())
    try:
        return read_sheet(file.read())
    except SheetInvalid as invalid:
        raise _by_line(invalid.faults) from None


def _grant(sheet: Sheet, given: dict[str, Any]) -> Grant:
    """What is asked for; the kind and the reason `opening` go together, so one of them will do."""
    from ledger.granting import Grant

    is_opening = OPENING in (given["kind"], given["reason"])
    reason = given["reason"] or (OPENING if is_opening else None)
    if reason is None:
        raise click.UsageError(f"Say --reason: one of {', '.join(REASONS)}.")
    return Grant(
        kind=given["kind"] or (OPENING if is_opening else "allowance"),
        lines=sheet.lines,
        reason=reason,
        note=given["note"],
        effective_date=given["effective_date"],
        control=given["control"],
    )


def _ids(desk: Desk, sheet: Sheet, *, opens: bool) -> tuple[str, ...]:
    """The members of the lines by id; what is wrong with those of a file is told all at once.

    Where it `opens` their books, they have no opening balance yet.
    """
    from ledger import access, acts
    from ledger.granting_files import SheetInvalid, check_members, check_unopened

    acts.club_of(desk)
    names = tuple(line.member for line in sheet.lines)
    with desk.ledger.database.read() as connection:
        if sheet.rows:
            try:
                check_members(connection, desk.club, sheet)
                if opens:
                    check_unopened(connection, desk.club, sheet)
            except SheetInvalid as invalid:
                raise _by_line(invalid.faults) from None
        found = access.find_members(connection, desk.club, names)
    return tuple(row.member for row in found.values())


def _by_line(faults: Sequence[Refused]) -> Exception:
    """Refusals of a file's lines, each with its line; any other one as it is."""
    told = [(_LINE.match(fault.pointer), fault) for fault in faults]
    if any(place is None for place, _ in told):
        return faults[0]
    lines = (
        said("books.line", line=place[1], fault=sentence_of(fault))
        for place, fault in told
        if place
    )
    return Failure("\n".join(lines))


@allowance.command("approve")
@click.argument("club")
@click.argument("allowance")
@machine
@house
def approve_allowance(house: House, club: str, allowance: str, machine: bool) -> None:
    """Agree, as a second person, to one that somebody else has asked for, and book it."""
    from ledger import granting

    desk = desk_of(house, club)
    granting.approve(desk, allowance)
    _tell_allowance(desk, allowance, machine)


WITH_NOTE = {
    "refuse": "Do not give what waits for a second person; or take back what one has asked for.",
    "reverse": "Undo what was booked 撤销 by its exact opposite, once; ask anew what is right.",
}
"""What is done with an allowance, and may have a note of why."""


def _add_with_note(act: str) -> None:
    """Add the command of something that is done with an allowance."""

    @allowance.command(act, help=WITH_NOTE[act])
    @click.argument("club")
    @click.argument("allowance")
    @note
    @machine
    @house
    def do(house: House, club: str, allowance: str, note: str | None, machine: bool) -> None:
        from ledger import granting

        desk = desk_of(house, club)
        getattr(granting, act)(desk, allowance, note)
        _tell_allowance(desk, allowance, machine)


for _act in WITH_NOTE:
    _add_with_note(_act)


def _tell_allowance(
    desk: Desk, name: str, machine: bool, before: dict[str, int] | None = None
) -> None:
    """How an allowance stands; on trial with the balances before it and after it."""
    found = _allowance(desk, name)
    asked, posted = found.asked, found.posted
    told = {
        "club": desk.club,
        "allowance": name,
        "state": found.state,
        "kind": asked.kind,
        "reason": asked.reason,
        "lines": len(asked.lines),
        "sum": sum(line.points for line in asked.lines),
        "booked_date": posted and posted.booked_date,
        "effective_date": posted.effective_date if posted else asked.effective_date,
    }
    balances = list(_balances(desk, asked.lines, before)) if before else []
    if machine:
        write({**told, **({"balances": balances} if before else {})})
        return
    chinese = {"state": STATES[found.state], "reason": REASONS[asked.reason][1]}
    show_facts({name: _both(value, chinese.get(name)) for name, value in told.items()})
    if balances:
        show_balances(balances)
    if found.state == "requested":
        say("books.waits")


def _both(value: object, chinese: str | None) -> object:
    """A word with its Chinese one beside it, where it has one."""
    return value if chinese is None else f"{value} {chinese}"


def _allowance(desk: Desk, name: str) -> Allowance:
    from ledger import codec, store
    from ledger.streams import allowance as stream

    with desk.ledger.database.read() as connection:
        rows = store.read_stream(connection, desk.club, f"allowance/{name}")
    found = stream.fold(codec.unseal(row.type, row.public) for row in rows)
    if found is None:
        raise Refused("allowance_unknown")
    return found


def _balances(
    desk: Desk, lines: Sequence[Line], before: dict[str, int]
) -> Iterator[dict[str, Any]]:
    people = people_of(desk, [line.member for line in lines])
    for line in lines:
        yield balance_of(line.member, people[line.member], before[line.member], line.points)
