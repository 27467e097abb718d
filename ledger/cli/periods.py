"""The commands that close the books 结账 / 清零, and open them again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from msgspec import structs

from ledger.cli.books import dry_run, note, on_trial, people_of
from ledger.cli.frame import House, commands, desk_of, house, machine, sentence_of, write
from ledger.refusal import Refused
from ledger.terminal import DAY, said, show, show_facts

if TYPE_CHECKING:
    from ledger.acts import Desk
    from ledger.closing import Checklist


@commands.group()
def period() -> None:
    """Closing the books over business days 结账 / 清零, and opening them again.

    Each member says himself whether his balance is right 对账确认, with his own key or session:
    POST /v1/clubs/CLUB/periods/NUMBER/confirm, or …/contest.
    """


@period.command("check")
@click.argument("club")
@click.argument("last", type=DAY)
@machine
@house
@click.pass_context
def check_period(context: click.Context, house: House, club: str, last: str, machine: bool) -> None:
    """Show what a closing up to a day, that day included, would be; writes nothing.

    Ends with 1 where something stands in its way.
    """
    from ledger import closing

    desk = desk_of(house, club)
    _club_of(desk)
    listed = closing.checklist(desk, last)
    in_the_way = _hindrance(desk, last)
    if machine:
        code = in_the_way and in_the_way.code
        write({"club": club, **structs.asdict(listed), "in_the_way": code})
    else:
        _show_checklist(desk, listed)
        click.echo(sentence_of(in_the_way) if in_the_way else said("period.free"))
    context.exit(1 if in_the_way else 0)


def _hindrance(desk: Desk, last: str) -> Refused | None:
    """Why the books cannot be closed up to a day just now, if they cannot."""
    from ledger import closing

    with on_trial(desk, dry_run=True) as trial:
        try:
            closing.close(trial, last, "carry", None)
        except Refused as refusal:
            return refusal
    return None


def _show_checklist(desk: Desk, listed: Checklist) -> None:
    people = people_of(desk, [line.member for line in listed.balances])
    show(
        [
            ("days 日期", f"{listed.first} – {listed.last}"),
            ("open tables 未结束牌桌", ", ".join(listed.open_tables) or "none 无"),
            ("unsettled hands 未结算牌局", ", ".join(listed.unsettled) or "none 无"),
            ("disputes carried over 结转争议", ", ".join(listed.disputes) or "none 无"),
        ]
    )
    show(sorted((*people[line.member], line.points) for line in listed.balances))


@period.command("close")
@click.argument("club")
@click.argument("last", type=DAY)
@click.option("--mode", type=click.Choice(["carry", "clear"]), required=True)
@note
@dry_run
@machine
@house
def close_period(
    house: House, club: str, last: str, mode: Any, note: str | None, dry_run: bool, machine: bool
) -> None:
    """Close the books up to a day, that day included.

    carry 结转: everybody goes on with what he has. clear 清零: everybody begins at 0. The log gets
    a signed checkpoint where there is a key.
    """
    from ledger import closing

    _club_of(desk_of(house, club))
    with on_trial(desk_of(house, club), dry_run) as desk:
        closing.close(desk, last, mode, note)
        _tell_closing(desk, None, machine)
    if not dry_run:
        house.seal(club)


@period.command("reopen")
@click.argument("club")
@click.argument("number", type=click.IntRange(1))
@click.option("--note", required=True, help="Why.")
@machine
@house
def reopen_period(house: House, club: str, number: int, note: str, machine: bool) -> None:
    """Open the last closed period again, and undo what its closing booked."""
    from ledger import closing

    desk = desk_of(house, club)
    _club_of(desk)
    closing.reopen(desk, number, note)
    _tell_closing(desk, number, machine)


def _club_of(desk: Desk) -> None:
    """Refuse an unknown club."""
    from ledger import acts

    acts.club_of(desk)


def _tell_closing(desk: Desk, number: int | None, machine: bool) -> None:
    """How a closing stands, the newest where none is named."""
    from ledger import closing

    with desk.ledger.database.read() as connection:
        closings = closing.periods_of(connection, desk.club).closings
    found = closings[number or max(closings)]
    told = {
        "club": desk.club,
        "number": found.number,
        "last": found.last,
        "mode": found.mode,
        "state": "reopened" if found.reopened else "closed",
        "members": len(found.balances),
        "total": sum(line.points for line in found.balances),
    }
    if machine:
        write(told)
    else:
        show_facts(told)
