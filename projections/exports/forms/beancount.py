"""A beancount file of the journal, which `bean-check` accepts and whose balances it checks.

Entries stand on the days by which they are asked for. What each account has at the close of the
last day is asserted on the day after it, since beancount looks at the start of a day. What people
have written stands in quoted strings alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from projections.exports.forms.accounting import (
    BEFORE,
    MEMBERS,
    UNIT,
    Closed,
    Entry,
    Frame,
    closings,
    day_after,
    nicks,
    plain,
    remarks,
    write_days,
)
from projections.exports.sheet import Sheet
from projections.statement import DAYS, By

COMMODITY = {
    "en": "Club points (a score, no cash value)",
    "zh": "俱乐部积分（仅用于计分，无现金价值）",
}
PLUGINS = ("check_commodity", "noduplicates")
OTHER_DAY: dict[By, str] = {"booked": "effective_date", "effective": "booked_date"}
"""The day of an entry that is not the one on which it stands."""


def write(sheet: Sheet, path: Path) -> None:
    """Write a journal, all of its entries whole."""
    by = sheet.source.asked.by
    write_days(sheet, path, lambda entry: _transaction(entry, by), _head, _foot)


def _head(sheet: Sheet, frame: Frame) -> Iterator[str]:
    """What the file is, its accounts, and what each had before."""
    yield from (f"; {remark}\n" for remark in remarks(sheet))
    yield f'\noption "title" {_quoted(str(sheet.facts["club_name"]))}\n'
    yield f'option "operating_currency" "{UNIT}"\n'
    yield from (f'plugin "beancount.plugins.{plugin}"\n' for plugin in PLUGINS)
    yield f"\n{frame.begin} commodity {UNIT}\n  name: {_quoted(COMMODITY[sheet.language])}\n"
    yield f"{frame.begin} open {MEMBERS} {UNIT}\n"
    for account, nick in nicks(sheet.source):
        yield f"{frame.begin} open {account} {UNIT}\n"
        if nick:
            yield f"  nick: {_quoted(nick)}\n"
    yield "\n"
    if frame.openings:
        yield f"{frame.begin} * {_quoted(BEFORE[sheet.language])} #before\n"
        yield from (_posting(*had) for had in frame.openings.items())
        yield "\n"


def _transaction(entry: Entry, by: By) -> str:
    """An entry with its links: its number and those of the entries that it stands to."""
    told, facts = entry.told, entry.facts
    head = (told[DAYS[by]], "*", _quoted(entry.payee), _quoted(told["narration"]))
    links = (f"^{link}" for link in _links(entry))
    lines = [" ".join((*head, f"#{told['kind']}", *links)) + "\n"]
    other = OTHER_DAY[by]
    lines.append(f"  {other.replace('_', '-')}: {told[other]}\n")
    lines += (f"  {name}: {_quoted(value)}\n" for name, value in facts.items())
    lines += (_posting(line.account, line.points) for line in entry.lines)
    return "".join(lines) + "\n"


def _links(entry: Entry) -> Iterator[str]:
    """By which an entry is found with its reversal, its corrections, and those of its hand.

    The first is its own, so that no two are alike to `noduplicates`.
    """
    facts = entry.facts
    yield facts["entry"]
    yield from (facts[name] for name in ("reverses", "corrects") if name in facts)
    yield from (f"{name}-{facts[name]}" for name in ("hand", "table", "period") if name in facts)
    yield from (facts[name] for name in ("allowance", "dispute") if name in facts)


def _posting(account: str, points: int) -> str:
    return f"  {account}  {points} {UNIT}\n"


def _foot(sheet: Sheet, frame: Frame) -> Iterator[str]:
    """What each account has at the close, with that of all members; and what was closed."""
    after = day_after(frame.end)
    members = sum(has for account, has in frame.closings.items() if account.startswith(MEMBERS))
    for account, has in {**frame.closings, MEMBERS: members}.items():
        yield f"{after} balance {account}  {has} {UNIT}\n"
    yield from map(_closed, closings(sheet.source))


def _closed(one: Closed) -> str:
    """A closing, or its undoing, with the period's last day and the hash of the event."""
    did = '"period-reopen"' if one.mode is None else '"period-close"'
    mode = "" if one.mode is None else f'"{one.mode}" '
    return f'{one.day} custom {did} "{one.number}" {one.last} {mode}"sha256:{one.hash}"\n'


def _quoted(text: str) -> str:
    """A text as a string: on one line, with what would end it made harmless."""
    plainly = plain(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{plainly}"'
