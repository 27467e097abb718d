"""The commands of what a club allows 额度与限制, and of what each member may do."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ledger.cli.books import note
from ledger.cli.frame import House, commands, desk_of, house, machine, write
from ledger.cli.people import member
from ledger.terminal import show

if TYPE_CHECKING:
    from msgspec import Struct

    from ledger.access import MemberRow
    from ledger.acts import Desk
    from ledger.streams.limits import Room
    from ledger.streams.member import Member

Command = TypeVar("Command", bound=Callable[..., Any])
LIMITS = {
    "entry_floor": ("入桌下限", "With fewer points nobody sits down."),
    "entry_ceiling": ("入桌上限", "With more points nobody sits down."),
    "pause_floor": ("暂停下限", "With fewer points of one who sits, the next hand does not start."),
    "hand_cap": ("单局封顶", "What a seat can lose in a hand."),
    "day_loss": ("每日输分上限", "What a member can lose in a business day."),
    "alarm": ("预警分", "At these points or below the club is told."),
    "tables": ("同时开桌数", "At how many open tables a member may sit."),
    "allowance": ("上下分审批线", "A line of more points takes two persons; at 0 each does."),
    "correction": ("更正审批线", "A correction that moves more takes two persons; at 0 each does."),
}
"""A club's limits: what each is called, and what it does."""
OWN = ("entry_floor", "entry_ceiling", "pause_floor", "day_loss", "alarm")
"""The limits that a member may have of his own."""
DEADLINES = {
    "file_hours": ("提出", "From the table's end until a member can file."),
    "answer_hours": ("答复", "From the filing until the others can answer."),
    "decide_hours": ("裁决", "After that until it can be decided."),
    "appeal_hours": ("申诉", "From the first ruling until it can be appealed against."),
}
STATUSES = {"active": "正常", "barred": "禁玩", "left": "已退", "forgotten": "已遗忘"}


def _limit_options(names: tuple[str, ...], without: str) -> Callable[[Command], Command]:
    """An option for each limit, and one that takes limits away."""
    none = [_option(name) for name in names if name != "tables"]

    def add(command: Command) -> Command:
        told = click.option("--none", multiple=True, type=click.Choice(none), help=without)
        command = told(command)
        for name in reversed(names):
            chinese, sentence = LIMITS[name]
            told = click.option(f"--{_option(name)}", type=int, help=f"{chinese}: {sentence}")
            command = told(command)
        return command

    return add


def _option(name: str) -> str:
    return name.replace("_", "-")


# --- a club ---------------------------------------------------------------------------------------


@commands.command()
@click.argument("club")
@_limit_options(tuple(LIMITS), "This one is no limit any more. May be given more than once.")
@machine
@house
def limits(house: House, /, club: str, none: tuple[str, ...], machine: bool, **given: Any) -> None:
    """Show what a club allows 额度与限制; or change what is named, and leave the rest as it is."""
    from ledger import governing, seating
    from ledger.streams.club import SetLimits

    desk = desk_of(house, club)
    changes = _changes(given, none)
    if changes:
        now, desk = _seen(desk, seating.club_limits)
        governing.set_limits(desk, SetLimits(**{**now, **changes}))
    now, _ = _seen(desk, seating.club_limits)
    if machine:
        write({"club": club, **now})
    else:
        show((name, LIMITS[name][0], value) for name, value in now.items())


@commands.command()
@click.argument("club")
@click.option("--file-hours", type=int, help=f"提出: {DEADLINES['file_hours'][1]}")
@click.option("--answer-hours", type=int, help=f"答复: {DEADLINES['answer_hours'][1]}")
@click.option("--decide-hours", type=int, help=f"裁决: {DEADLINES['decide_hours'][1]}")
@click.option("--appeal-hours", type=int, help=f"申诉: {DEADLINES['appeal_hours'][1]}")
@machine
@house
def deadlines(house: House, /, club: str, machine: bool, **given: Any) -> None:
    """Show the hours of a club's disputes; or change those named, for disputes from now on."""
    from ledger import governing, seating
    from ledger.streams.club import SetDeadlines

    desk = desk_of(house, club)
    changes = _changes(given, ())
    if changes:
        now, desk = _seen(desk, seating.club_deadlines)
        governing.set_deadlines(desk, SetDeadlines(**{**now, **changes}))
    now, _ = _seen(desk, seating.club_deadlines)
    if machine:
        write({"club": club, **now})
    else:
        show((name, DEADLINES[name][0], hours) for name, hours in now.items())


def _changes(given: dict[str, int | None], none: tuple[str, ...]) -> dict[str, int | None]:
    """What is to be changed; refuses what is set and taken away at once."""
    changes = {name: value for name, value in given.items() if value is not None}
    gone = [name.replace("-", "_") for name in none]
    for name in gone:
        if name in changes:
            raise click.UsageError(
                f"--{_option(name)} and --none {_option(name)} exclude each other."
            )
    return {**changes, **dict.fromkeys(gone)}


def _seen(desk: Desk, what: Callable[..., Struct]) -> tuple[dict[str, Any], Desk]:
    """What a club has set, and a desk at which it is changed only if nobody has done so since."""
    from msgspec.structs import asdict, replace

    from ledger import acts, store

    club = acts.club_of(desk).club
    with desk.ledger.database.read() as connection:
        version = store.stream_version(connection, club, "club")
        told = asdict(what(connection, club))
    return told, replace(desk, asked=acts.Asked(expected=version))


# --- members --------------------------------------------------------------------------------------


WITH_NOTE = {
    "bar": "Let a member sit down no more 禁玩; a table at which he sits is played to its end.",
    "readmit": "Let a member who was barred sit down again.",
    "leave": "Let a member leave 退出; his code, points and hands stay in the books.",
}
"""What is done with a member, and may have a note of why."""


def _add_with_note(act: str) -> None:
    """Add the command of something that is done with a member."""

    @member.command(act, help=WITH_NOTE[act])
    @click.argument("club")
    @click.argument("member")
    @note
    @machine
    @house
    def do(house: House, club: str, member: str, note: str | None, machine: bool) -> None:
        from ledger import governing

        desk = desk_of(house, club)
        getattr(governing, act)(desk, member, note)
        _tell_member(desk, member, machine)


for _act in WITH_NOTE:
    _add_with_note(_act)


@member.command("return")
@click.argument("club")
@click.argument("member")
@machine
@house
def come_back(house: House, club: str, member: str, machine: bool) -> None:
    """Let a member who has left in again, under his old code."""
    from ledger import governing

    desk = desk_of(house, club)
    governing.come_back(desk, member)
    _tell_member(desk, member, machine)


@member.command("group")
@click.argument("club")
@click.argument("member")
@click.argument("group", required=False)
@click.option("--none", is_flag=True, help="Out of any group.")
@machine
@house
def group(
    house: House, club: str, member: str, group: str | None, none: bool, machine: bool
) -> None:
    """Put a member into a group 分组, or with --none out of any."""
    from ledger import governing

    if (group is None) is not none:
        raise click.UsageError("Name a group, or say --none.")
    desk = desk_of(house, club)
    governing.group(desk, member, group)
    _tell_member(desk, member, machine)


@member.command("limits")
@click.argument("club")
@click.argument("member")
@_limit_options(OWN, "The club's holds for him again. May be given more than once.")
@machine
@house
def member_limits(
    house: House, /, club: str, member: str, none: tuple[str, ...], machine: bool, **given: Any
) -> None:
    """Show how far a member is from each limit; or give him limits of his own.

    Where he has none of his own, the club's holds.
    """
    from msgspec.structs import asdict

    from ledger import governing
    from ledger.streams.member import SetMemberLimits

    desk = desk_of(house, club)
    changes = _changes(given, none)
    if changes:
        _, state = _member(desk, member)
        governing.set_member_limits(
            desk, member, SetMemberLimits(**{**asdict(state.limits), **changes})
        )
    _tell_room(desk, member, machine)


def _member(desk: Desk, named: str) -> tuple[MemberRow, Member]:
    """A member as he is kept and as he stands; refuses a name that is none of the club's."""
    from ledger import access, acts, seating

    acts.club_of(desk)
    (found,) = acts.members_of(desk, (named,), "")
    with desk.ledger.database.read() as connection:
        row = access.find_members(connection, desk.club, (found,))[found]
        return row, seating.member_of(connection, desk.club, found)


def _tell_member(desk: Desk, named: str, machine: bool) -> None:
    """How a member stands."""
    from ledger import access

    row, state = _member(desk, named)
    with desk.ledger.database.read() as connection:
        group = state.group and access.find_text(connection, desk.club, state.group)
    who = {"club": desk.club, "member": row.member, "code": row.code, "name": row.name}
    status = _status(state)
    if machine:
        write({**who, "status": status, "group": group})
    else:
        show([(row.code, row.name, f"{status} {STATUSES[status]}", group)])


def _status(state: Member) -> str:
    """How a member stands in a word; a bar outlasts his leaving, and is told when he is back."""
    words = {"forgotten": state.forgotten, "left": state.left, "barred": state.barred}
    return next((word for word, holds in words.items() if holds), "active")


def _tell_room(desk: Desk, named: str, machine: bool) -> None:
    """How far a member is from each limit that holds for him, and which are his own."""
    from msgspec.structs import asdict

    from ledger import limiting

    row, state = _member(desk, named)
    ((_, rooms),) = limiting.rooms(desk.ledger, desk.club, (row.member,))
    own = {one.name: getattr(state.limits, one.name, None) is not None for one in rooms}
    if machine:
        told = [{**asdict(one), "own": own[one.name]} for one in rooms]
        write({"club": desk.club, "member": row.member, "code": row.code, "limits": told})
    else:
        show(
            [
                ("", "", "limit 限", "has 现有", "left 余", ""),
                *(_room_line(one, own[one.name]) for one in rooms),
            ]
        )


def _room_line(one: Room, own: bool) -> tuple[object, ...]:
    words = [word for word, holds in (("own 个人", own), ("reached 已达", one.reached)) if holds]
    return one.name, LIMITS[one.name][0], one.limit, one.has, one.left, ", ".join(words)
