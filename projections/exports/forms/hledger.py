"""An hledger journal, which `hledger check -s` accepts with accounts, commodities, payees and days.

Entries stand on the days by which they are asked for, with the other day as their second date: of
a file by booking `hledger bal` tells what was known, `--date2` what is true. Each line asserts what
its account has then, and the last entry what all have. What people have written stands in tags.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from projections.exports.forms.accounting import (
    BEFORE,
    MEMBERS,
    UNIT,
    Entry,
    Frame,
    nicks,
    plain,
    remarks,
    write_days,
)
from projections.exports.sheet import Sheet
from projections.statement import DAYS, By

AFTER = {"en": "Control totals", "zh": "控制总额"}
"""The entry at the end, which moves nothing and asserts what each account has."""
OTHER_DAY: dict[By, By] = {"booked": "effective", "effective": "booked"}
COMMAS = str.maketrans({",": "\N{FULLWIDTH COMMA}", ";": "\N{FULLWIDTH SEMICOLON}"})
"""A comma ends the value of a tag; a semicolon would begin another comment."""


def write(sheet: Sheet, path: Path) -> None:
    """Write a journal, all of its entries whole."""
    by = sheet.source.asked.by
    write_days(sheet, path, lambda entry: _transaction(entry, by), _head, _foot)


def _head(sheet: Sheet, frame: Frame) -> Iterator[str]:
    """What the file is, what may be in it, and what each account had before."""
    yield from (f"; {remark}\n" for remark in remarks(sheet))
    yield f"\ndecimal-mark .\ncommodity 1,000. {UNIT}\n\naccount {_name(MEMBERS)}  ; type:A\n"
    for account, nick in nicks(sheet.source):
        told = f"; nick:{_value(nick)}" if nick else "; type:E" if "Equity" in account else ""
        yield f"account {_name(account)}  {told}".rstrip() + "\n"
    yield "\n"
    language = sheet.language
    for payee in (BEFORE[language], *frame.payees(), AFTER[language]):
        yield f"payee {payee}\n"
    yield "\n"
    if frame.openings:
        yield f"{frame.begin} * {BEFORE[language]}\n"
        yield from (f"    {_name(one)}  {had} {UNIT}\n" for one, had in frame.openings.items())
        yield "\n"


def _transaction(entry: Entry, by: By) -> str:
    told = entry.told
    day, other = told[DAYS[by]], told[DAYS[OTHER_DAY[by]]]
    words, _, note = told["narration"].partition(": ")
    dates = day if other == day else f"{day}={other}"
    facts = {**entry.facts, OTHER_DAY[by]: other}
    text = [f"{dates} * ({told['entry_no']}) {entry.payee} | {_value(words)}\n"]
    text += (f"    ; {name}:{_value(value)}\n" for name, value in facts.items())
    if _value(note):
        text.append(f"    ; note:{_value(note)}\n")
    for line in entry.lines:
        text.append(f"    {_name(line.account)}  {line.points} {UNIT} = {line.balance} {UNIT}\n")
    return "".join(text) + "\n"


def _foot(sheet: Sheet, frame: Frame) -> Iterator[str]:
    """An entry that moves nothing: what each account has, and what all members have."""
    yield f"{frame.end} * {AFTER[sheet.language]}\n"
    for account, has in frame.closings.items():
        yield f"    {_name(account)}  0 {UNIT} == {has} {UNIT}\n"
    members = sum(has for account, has in frame.closings.items() if account.startswith(MEMBERS))
    yield f"    {_name(MEMBERS)}  0 {UNIT} ==* {members} {UNIT}\n"


def _name(account: str) -> str:
    """An account as hledger's users write it: `assets:members:M-0007`."""
    *above, last = account.split(":")
    last = last if above[0] == "Assets" and len(above) == 2 else last.lower()
    return ":".join([*(part.lower() for part in above), last])


def _value(text: str) -> str:
    """A text as the value of a tag."""
    return plain(text).translate(COMMAS)
