"""The commands that show the books: balances 余额, statements 对账单, the journal 流水."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any, TypeVar

import click
from msgspec.structs import replace
from sqlalchemy import Connection

from ledger.keyset import Page
from ledger.refusal import Refused
from ledger.terminal import DAY, machine, show, show_facts, write
from projections import balances as has
from projections import statement as told
from projections.balances import When
from projections.journal import ISSUED, JOURNAL, KINDS
from projections.looking import (
    codes,
    facts,
    looking,
    member_id,
    names,
    page_of,
    paged,
    say_more,
)
from projections.operating import House
from projections.statement import BEGINNING, DAYS, END, Entry, Posted, Statement, Wanted

Command = TypeVar("Command", bound=Callable[..., Any])
MOST = 1000
"""How many balances and lines are read at once."""
KIND_NAMES = {
    "settlement": "结算",
    "reversal": "冲销",
    "correction": "更正",
    "allowance": "上下分",
    "opening": "期初",
    "closing": "结账",
}
ISSUED_NAME = "Equity:Points:Issued"


class Moment(click.ParamType[int]):
    """A moment such as 2026-11-28T21:14:03+08:00, in microseconds of UTC."""

    name = "TIME"

    def convert(self, value: Any, *_: Any) -> int:
        """The microseconds of a text."""
        try:
            moment = datetime.fromisoformat(str(value))
        except ValueError:
            self.fail(f"{value!r} is no time such as 2026-11-28T21:14:03+08:00.")
        if moment.tzinfo is None:
            self.fail(f"{value!r} does not say its zone, as in 2026-11-28T21:14:03+08:00.")
        return int(moment.timestamp()) * 1_000_000 + moment.microsecond


# --- balances -------------------------------------------------------------------------------------


@click.command()
@click.argument("club")
@click.option("--at", type=Moment(), help="As they stood at a moment.")
@click.option("--at-position", type=click.IntRange(1), help="As they stood at a position.")
@click.option("--known-on", type=DAY, help="As known: what was booked by the end of a day.")
@click.option("--true-on", type=DAY, help="As true: what counts by the end of a day.")
@machine
@click.pass_obj
def balances(house: House, /, club: str, machine: bool, **times: Any) -> None:
    """Show what each member has 余额, now or at another time, and that all sums to zero."""
    when = _when(**times)
    with looking(house, JOURNAL, club) as connection:
        rows = list(_balances(connection, club, when))
        issued = (
            has.issued(connection, club) if when is None else -sum(row["points"] for row in rows)
        )
    if machine:
        for row in rows:
            write(row)
        return
    disputed = ("disputed 争议中",) if when is None else ()
    show(
        [
            ("", "", "points 积分", *disputed),
            *((row["code"], row["name"], row["points"], *_disputed(row)) for row in rows),
            (ISSUED_NAME, "已发出", issued, *("" for _ in disputed)),
        ]
    )


def _disputed(row: dict[str, Any]) -> tuple[object, ...]:
    return (row["disputed"] or "",) if "disputed" in row else ()


def _when(
    at: int | None, at_position: int | None, known_on: str | None, true_on: str | None
) -> When | None:
    """The time that is asked for, if it is not now."""
    asked = [
        when(value)
        for when, value in (
            (has.as_of_moment, at),
            (has.as_of, at_position),
            (has.as_known, known_on),
            (has.as_true, true_on),
        )
        if value is not None
    ]
    if len(asked) > 1:
        raise click.UsageError("Ask for one time: --at, --at-position, --known-on or --true-on.")
    return asked[0] if asked else None


def _balances(connection: Connection, club: str, when: When | None) -> Iterator[dict[str, Any]]:
    """Every member's balance, in the order of joining."""
    page, more = Page(MOST), True
    while more:
        rows: list[Any]
        if when is None:
            rows, more = has.club_balances(connection, club, page)
        else:
            rows, more = has.club_points(connection, club, when, page)
        people = names(connection, club, [row.member for row in rows])
        for row in rows:
            code, name = people[row.member]
            points = {key: getattr(row, key) for key in row.__struct_fields__ if key != "member"}
            yield {"member": row.member, "code": code, "name": name, **points}
        page = Page(MOST, starting_after=rows[-1].member if rows else None)


# --- statements -----------------------------------------------------------------------------------


@click.command()
@click.argument("club")
@click.argument("member")
@click.option("--first", type=DAY, default=BEGINNING, help="The first day.  [default: all]")
@click.option("--last", type=DAY, default=END, help="The last day.  [default: up to now]")
@click.option("--by", type=click.Choice(list(DAYS)), default="booked", show_default=True)
@machine
@click.pass_obj
def statement(
    house: House, club: str, member: str, first: str, last: str, by: told.By, machine: bool
) -> None:
    """Show what a member had, what came and went, and what he has then 对账单.

    By the days on which it was booked, or by those from which it counts (effective).
    """
    if first > last:
        raise click.UsageError("--first is after --last.")
    with looking(house, JOURNAL, club) as connection:
        who = member_id(connection, club, member)
        assert who is not None
        made = _whole(connection, club, who, first, last, by)
        lines = [_line(connection, club, one) for one in made.lines]
        [(code, name)] = names(connection, club, [who]).values()
    head = {"club": club, "member": who, "code": code, "name": name, "by": by}
    sums = {"opening": made.opening, "in": made.came, "out": made.went, "closing": made.closing}
    if machine:
        write({**head, **sums, "lines": lines})
    else:
        _show_statement(code, name, sums, lines, by)


def _whole(
    connection: Connection, club: str, member: str, first: str, last: str, by: told.By
) -> Statement:
    """A statement with all of its lines."""
    made = told.statement(connection, club, member, first, last, by, Page(MOST))
    lines, part = list(made.lines), made
    while part.more:
        page = Page(MOST, starting_after=lines[-1].entry.id)
        part = told.statement(connection, club, member, first, last, by, page)
        lines += part.lines
    return replace(made, lines=lines, more=False)


def _line(connection: Connection, club: str, one: Posted) -> dict[str, Any]:
    points = one.posting.points
    moved = {"in": max(points, 0), "out": max(-points, 0)}
    after = {"balance_after": one.posting.balance_after}
    return {**_entry(connection, club, one.entry), **moved, **after}


def _show_statement(
    code: str, name: str, sums: dict[str, int], lines: list[dict[str, Any]], by: told.By
) -> None:
    """A statement for people: the days on which it goes, and the other ones where they differ."""
    day, other = DAYS[by], DAYS["effective" if by == "booked" else "booked"]
    click.echo(f"{code} {name}")
    head = (day.replace("_", " "), "entry", "", "", "in 入", "out 出", "balance 余额", "")
    rows = [
        (
            line[day],
            line["entry"],
            f"{line['kind']} {KIND_NAMES[line['kind']]}",
            _about(line),
            line["in"] or "",
            line["out"] or "",
            line["balance_after"],
            "" if line[other] == line[day] else f"{other.replace('_', ' ')} {line[other]}",
        )
        for line in lines
    ]
    opening = ("", "", "opening 期初", "", "", "", sums["opening"], "")
    closing = ("", "", "closing 期末", "", sums["in"], sums["out"], sums["closing"], "")
    show([head, opening, *rows, closing])


def _about(line: dict[str, Any]) -> str:
    """What an entry is about: a hand, an allowance, a closing; and the dispute that it is of."""
    period = None if line["period"] is None else f"closing {line['period']}"
    about = (line["hand"], line["allowance"], period, line["dispute"])
    return " ".join(one for one in about if one is not None)


# --- the journal ----------------------------------------------------------------------------------


@click.command()
@click.argument("club")
@click.argument("entry", required=False)
@click.option("--kind", type=click.Choice(list(KINDS)))
@click.option("--member", help="Those that moved this member's account, by code or id.")
@click.option("--table")
@click.option("--hand", help="Such as tbl_…-3.")
@click.option("--dispute")
@click.option("--first", type=DAY, help="Booked on this day or later.")
@click.option("--last", type=DAY, help="Booked on this day or before.")
@paged
@machine
@click.pass_obj
def journal(
    house: House,
    /,
    club: str,
    entry: str | None,
    limit: int,
    after: str | None,
    machine: bool,
    **wanted: Any,
) -> None:
    """Show the entries of the books 流水, the newest first; or one of them with its lines."""
    with looking(house, JOURNAL, club) as connection:
        if entry is not None:
            _show_entry(connection, club, entry, machine)
            return
        account = member_id(connection, club, wanted.pop("member"))
        asked = Wanted(account=account, **wanted)
        rows, more = told.club_journal(connection, club, page_of(limit, after), asked)
        lines = [_entry(connection, club, row) for row in rows]
    if machine:
        for line in lines:
            write(line)
    else:
        show(map(_entry_line, lines))
    say_more(more, rows[-1].id if rows else None)


def _entry(connection: Connection, club: str, row: Entry) -> dict[str, Any]:
    """An entry as JSON: its links by the numbers of entries."""
    links = ("reverses", "reversed_by", "corrects")
    found = facts(connection, club, row)
    hand = None if row.table is None else f"{row.table}-{row.number}"
    linked = {name: None if found[name] is None else f"jrn_{found[name]}" for name in links}
    return {"entry": row.id, **found, **linked, "hand": hand}


def _entry_line(line: dict[str, Any]) -> tuple[object, ...]:
    link = next((f"{name} {line[name]}" for name in ("reverses", "corrects") if line[name]), "")
    undone = f"reversed by {line['reversed_by']}" if line["reversed_by"] else ""
    counts = line["effective_date"]
    return (
        line["entry"],
        line["booked_date"],
        "" if counts == line["booked_date"] else f"effective {counts}",
        f"{line['kind']} {KIND_NAMES[line['kind']]}",
        line["amount"],
        _about(line),
        link or undone,
    )


def _show_entry(connection: Connection, club: str, name: str, machine: bool) -> None:
    """An entry with its lines, which sum to zero."""
    found = told.entry(connection, club, name)
    if found is None:
        raise Refused("entry_unknown", entry=name)
    row, lines = found
    called = {**codes(connection, club, [line.account for line in lines]), ISSUED: ISSUED_NAME}
    entry = _entry(connection, club, row)
    postings = [
        {
            "account": line.account,
            "name": called[line.account],
            "points": line.points,
            "balance_after": line.balance_after,
            "version": line.version,
        }
        for line in lines
    ]
    if machine:
        write({**entry, "postings": postings})
        return
    show_facts({name: value for name, value in entry.items() if value is not None})
    show([(one["name"], one["points"], one["balance_after"]) for one in postings])
