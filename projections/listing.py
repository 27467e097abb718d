"""The commands that list and show allowances 上下分, disputes 争议 and closings 结账."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

import click
from sqlalchemy import Connection

from ledger.keyset import Page
from ledger.refusal import Refused
from ledger.terminal import machine, show, show_facts, time_text, write
from projections import allowances, disputes, periods
from projections.allowances import ALLOWANCES, AllowanceRow
from projections.disputes import DISPUTES, DisputeRow, StepRow
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
from projections.periods import PERIODS

MOST = 1000
"""How many balances of a closing are read at once."""
WORDS = {"confirmed": "已确认", "contested": "有异议", "silent": "未表态"}
STEP_NAMES = {
    "filed": "提出",
    "evidence_locked": "锁定证据",
    "answered": "答复",
    "proposed": "提议",
    "decided": "裁决",
    "appealed": "申诉",
    "withdrawn": "撤回",
    "expired": "过期",
    "reversed": "冲销",
    "corrected": "更正",
}
Facts = dict[str, Any]


def add_to(commands: click.Group) -> None:
    """Add what is shown to the groups of what is done."""
    for group, those in {
        "allowance": (list_allowances, show_allowance),
        "dispute": (list_disputes, show_dispute),
        "period": (list_periods, show_period),
    }.items():
        home = commands.commands[group]
        assert isinstance(home, click.Group)
        for command in those:
            home.add_command(command)


def _write_or_show(told: list[Facts], columns: Iterable[str], machine: bool) -> None:
    """A list as JSON, or some of its columns for people."""
    if machine:
        for one in told:
            write(one)
    elif told:
        show((list(columns), *([one[name] for name in columns] for one in told)))


# --- allowances -----------------------------------------------------------------------------------


@click.command("list")
@click.argument("club")
@click.option("--state", type=click.Choice(["requested", "posted", "refused", "reversed"]))
@click.option("--member", help="Those with a line of this member, by code or id.")
@paged
@machine
@click.pass_obj
def list_allowances(
    house: House,
    club: str,
    state: str | None,
    member: str | None,
    limit: int,
    after: str | None,
    machine: bool,
) -> None:
    """List the allowances of a club, the newest first."""
    with looking(house, ALLOWANCES, club) as connection:
        whose = member_id(connection, club, member)
        page = page_of(limit, after)
        rows, more = allowances.club_allowances(connection, club, page, state=state, member=whose)
        told = [_allowance(connection, club, row) for row in rows]
    columns = ("id", "state", "reason", "lines", "total_in", "total_out", "asked_at", "asked_by")
    _write_or_show(told, columns, machine)
    say_more(more, rows[-1].id if rows else None)


@click.command("show")
@click.argument("club")
@click.argument("allowance")
@machine
@click.pass_obj
def show_allowance(house: House, club: str, allowance: str, machine: bool) -> None:
    """Show an allowance with its lines."""
    with looking(house, ALLOWANCES, club) as connection:
        found = allowances.allowance(connection, club, allowance)
        if found is None:
            raise Refused("allowance_unknown")
        row, lines = found
        told = _allowance(connection, club, row)
        people = names(connection, club, [line.member for line in lines])
    listed = [
        {"member": line.member, "code": people[line.member][0], "points": line.points}
        for line in lines
    ]
    if machine:
        write({**told, "lines": listed})
        return
    show_facts({name: value for name, value in told.items() if value is not None})
    show((*people[line.member], line.points) for line in lines)


def _allowance(connection: Connection, club: str, row: AllowanceRow) -> Facts:
    return {**facts(connection, club, row), **_entries(row, "posted_position", "reversed_position")}


def _entries(row: AllowanceRow, *names: str) -> Facts:
    """The numbers of the entries that were booked at positions."""
    return {
        name.replace("_position", "_entry"): None
        if getattr(row, name) is None
        else f"jrn_{getattr(row, name)}"
        for name in names
    }


# --- disputes -------------------------------------------------------------------------------------


@click.command("list")
@click.argument("club")
@click.option("--state", help="open, answered, decided, appealed, final, withdrawn, expired.")
@click.option("--open", "is_open", is_flag=True, help="Those that somebody has yet to decide.")
@click.option("--member", help="About hands in which this member sat, by code or id.")
@click.option("--table", help="About hands of this table.")
@paged
@machine
@click.pass_obj
def list_disputes(
    house: House,
    /,
    club: str,
    is_open: bool,
    member: str | None,
    limit: int,
    after: str | None,
    machine: bool,
    **wanted: Any,
) -> None:
    """List the disputes of a club, the newest first; `due` is the next deadline."""
    with looking(house, DISPUTES, club) as connection:
        whose, page = member_id(connection, club, member), page_of(limit, after)
        only = True if is_open else None
        rows, more = disputes.club_disputes(
            connection, club, page, member=whose, open=only, **wanted
        )
        told = [_dispute(connection, club, row) for row in rows]
    columns = ("id", "hand", "state", "ruling", "stake", "opened_at", "opened_by", "due")
    _write_or_show(told, columns, machine)
    say_more(more, rows[-1].id if rows else None)


@click.command("show")
@click.argument("club")
@click.argument("dispute")
@machine
@click.pass_obj
def show_dispute(house: House, club: str, dispute: str, machine: bool) -> None:
    """Show a dispute, and what has happened in it step by step."""
    with looking(house, DISPUTES, club) as connection:
        found = disputes.dispute(connection, club, dispute)
        if found is None:
            raise Refused("dispute_unknown")
        row, steps = found
        own = [step for step in steps if step.step not in ("reversed", "corrected")]
        told = {**_dispute(connection, club, row), "version": len(own)}
        history = [facts(connection, club, step) for step in steps]
        called = codes(connection, club, [*row.seats, row.member, *(one.member for one in steps)])
    if machine:
        write({**told, "steps": history})
        return
    seats = {"seats": " ".join(called[seat] for seat in row.seats)}
    who = {"member": row.member and called[row.member]}
    lines = {**told, **seats, **who, "entries": " ".join(told["entries"])}
    show_facts({name: value for name, value in lines.items() if value not in (None, "")})
    show(_step(step, one, called) for step, one in zip(steps, history, strict=True))


def _step(step: StepRow, told: Facts, called: dict[str, str]) -> tuple[object, ...]:
    """When what happened, and who did it, with what he says."""
    name = f"{step.step} {STEP_NAMES[step.step]}"
    who = f"{step.role} {called[step.member] if step.member else step.actor}"
    ruling = step.told.get("ruling")
    return told["at"], name, who, ruling or "", told["note"] or ""


def _dispute(connection: Connection, club: str, row: DisputeRow) -> Facts:
    due = row.due(time.time_ns() // 1000)
    return {
        **facts(connection, club, row),
        "hand": f"{row.table}-{row.number}",
        "entries": [f"jrn_{position}" for position in row.entries],
        "due": None if due is None else time_text(due),
    }


# --- closings -------------------------------------------------------------------------------------


@click.command("list")
@click.argument("club")
@paged
@machine
@click.pass_obj
def list_periods(house: House, club: str, limit: int, after: str | None, machine: bool) -> None:
    """List the closings of a club, the newest first."""
    with looking(house, PERIODS, club) as connection:
        rows, more = periods.club_periods(connection, club, page_of(limit, after))
        told = [facts(connection, club, row) for row in rows]
    columns = ("number", "first", "last", "mode", "state", "members", "total", "closed_at")
    _write_or_show(told, columns, machine)
    say_more(more, rows[-1].id if rows else None)


@click.command("show")
@click.argument("club")
@click.argument("number", type=click.IntRange(1))
@machine
@click.pass_obj
def show_period(house: House, club: str, number: int, machine: bool) -> None:
    """Show a closing with each member's balance and his word on it 对账确认."""
    with looking(house, PERIODS, club) as connection:
        row = periods.period(connection, club, number)
        if row is None:
            raise Refused("period_unknown", number=number)
        told = {**facts(connection, club, row), "words": periods.words(connection, club, number)}
        balances = _balances(connection, club, number)
    if machine:
        write({**told, "balances": balances})
        return
    told["words"] = ", ".join(f"{word} {WORDS[word]} {n}" for word, n in told["words"].items())
    told["carried"] = " ".join(told["carried"])
    show_facts({name: value for name, value in told.items() if value not in (None, "")})
    show(
        (one["code"], one["name"], one["points"], WORDS[one["word"]], one["note"] or "")
        for one in balances
    )


def _balances(connection: Connection, club: str, number: int) -> list[Facts]:
    """Every balance of a closing, in the order in which it tells them."""
    told: list[Facts] = []
    more = True
    while more:
        page = Page(MOST, starting_after=told[-1]["member"] if told else None)
        rows, more = periods.balances_of(connection, club, number, page)
        people = names(connection, club, [row.member for row in rows])
        for row in rows:
            code, name = people[row.member]
            told.append({**facts(connection, club, row), "code": code, "name": name})
    return told
