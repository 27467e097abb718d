"""What the files for plain-text accounting have in common: entries, their days, what it comes to.

The rows of the journal come in the order of booking. A file wants its days in order, and those may
go back: a hand can be settled when there is an entry of the next day. So the entries' texts are
put aside in a file without a name, and told again day by day.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, BinaryIO, NamedTuple

import sqlalchemy as sa
from sqlalchemy import case, func, select

from ledger import codec, store
from ledger.days import day_of
from ledger.events import PeriodClosed, PeriodReopened
from projections.balances import of_entry, whole_sum
from projections.exports.entries import entry_no
from projections.exports.sheet import Sheet, Value
from projections.exports.source import Source
from projections.exports.words import word
from projections.journal import ISSUED, accounts, journal, postings
from projections.statement import DAYS, END

UNIT = "PTS"
MEMBERS = "Assets:Members"
"""The account above those of all members."""
PIECE = 1 << 20
OFFICERS = {"allowance": "Allowance", "opening": "Opening"}
BEFORE = {"en": "Balances before", "zh": "期初余额"}
"""The entry with which a file begins that does not begin with the club."""
_UNSEEN = re.compile(
    "[\x00-\x20\x7f-\xa0\u061c\u200b\u200e\u200f\u2028-\u202f\u2060-\u206f\u3000\ufeff"
    "\ufdd0-\ufdef\ufff9-\ufffb\ud800-\udfff"
    + "".join(chr(plane | 0xFFFE) + chr(plane | 0xFFFF) for plane in range(0, 0x110000, 0x10000))
    + "]+"
)
"""Spaces, and what controls a screen, turns the direction of writing, or is no character at all.
A fixed list: what Python knows of a character changes with its version."""


class Line(NamedTuple):
    """A line of an entry: the account, the points that came to it, and what it has then."""

    account: str
    points: int
    balance: int


@dataclass(frozen=True)
class Entry:
    """An entry: what its rows say alike, and beside them what the journal links it with."""

    told: Mapping[str, Any]
    linked: Mapping[str, Any]
    lines: list[Line]
    language: str

    @property
    def hand(self) -> str | None:
        """The hand, by its id."""
        table = self.told["table_id"]
        return table and f"{table}-{self.told['hand_no']}"

    @property
    def payee(self) -> str:
        """With whom it is: the table, or what officers did."""
        if self.told["table_id"] is not None:
            return str(self.told["table_id"])
        if self.linked["period"] is not None:
            return _period(self.linked["period"], self.language)
        kind = self.told["kind"]
        return officers_name("opening" if kind == "opening" else "allowance", self.language)

    @property
    def facts(self) -> dict[str, str]:
        """All that is known of it, by name, as ids and words; what there is not is left out."""
        told, linked = self.told, self.linked
        known = {
            "entry": told["entry_no"],
            "kind": told["kind"],
            "table": told["table_id"],
            "hand": self.hand,
            "allowance": linked["allowance"],
            "period": linked["period"],
            "dispute": told["dispute_id"],
            "reverses": told["reverses"],
            "reversed-by": entry_no(linked["reversed_by"]),
            "corrects": told["corrects"],
            "corrected-by": entry_no(linked["corrected_by"]),
            "booked-at": told["booked_at_utc"],
            "posted-by": told["posted_by"],
            "replay": told["replay_url"],
            "hash": told["entry_hash"],
        }
        return {name: str(value) for name, value in known.items() if value is not None}


def officers_name(kind: str, language: str) -> str:
    """What an entry is called that is of no hand."""
    return OFFICERS[kind] if language == "en" else word(kind, "zh")


def _period(number: int, language: str) -> str:
    return f"Close {number}" if language == "en" else f"{word('closing', 'zh')} {number}"


def entries(sheet: Sheet) -> Iterator[Entry]:
    """The entries of a journal, one by one, in the order of booking."""
    names = [column.name for column in sheet.columns]
    line = itemgetter(*map(names.index, ("account_code", "debit", "credit")))
    openings = sheet.source.openings()
    beside = sheet.source.read(_beside(sheet.source))
    rows = zip(sheet.rows, beside, strict=True)
    for _, lines in groupby(rows, lambda pair: pair[1].position):
        pairs = list(lines)
        row, linked = pairs[0]
        posted = [_line(line(one), other, openings) for one, other in pairs]
        told = dict(zip(names, row, strict=True))
        yield Entry(told, linked._mapping, posted, sheet.language)


def _line(told: tuple[Any, ...], beside: Any, openings: Mapping[str, int]) -> Line:
    account, debit, credit = told
    return Line(account, debit - credit, openings.get(beside.account, 0) + beside.balance)


def _beside(source: Source) -> sa.Select[Any]:
    """Of each line what its account has had by then in the order of the days, and of its entry
    what the rows of the journal do not tell, as of the position.
    """
    later = journal.alias()
    reversed_by = case((journal.c.reversed_by <= source.position, journal.c.reversed_by))
    corrected_by = (
        select(func.min(later.c.position))
        .where(later.c.club == journal.c.club, later.c.generation == journal.c.generation)
        .where(later.c.kind == "correction")
        .where(later.c.table_id == journal.c.table_id, later.c.number == journal.c.number)
        .where(later.c.position > journal.c.position, later.c.position <= source.position)
        .where(journal.c.kind.in_(("settlement", "correction")))
        .scalar_subquery()
    )
    by_day = (source.day(postings), postings.c.version)
    had = func.sum(postings.c.points).over(partition_by=postings.c.account, order_by=by_day)
    lines = select(
        postings.c.position,
        postings.c.account,
        whole_sum(had).label("balance"),
        journal.c.allowance,
        journal.c.period,
        reversed_by.label("reversed_by"),
        corrected_by.label("corrected_by"),
    ).join_from(postings, journal, of_entry())
    whole = lines.where(*source.within(postings))
    return whole.order_by(postings.c.position, postings.c.line)


# --- in the order of the days -------------------------------------------------------------------


class Days:
    """Texts of entries, put aside as they come and told again day by day.

    In memory is only where the parts of each day lie.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._parts: dict[str, array[int]] = {}
        self._size, self._day = 0, ""

    def add(self, day: str, text: str) -> None:
        """Put the text of an entry aside, behind those of its day."""
        if day != self._day:
            self._parts.setdefault(day, array("q")).extend((self._size, self._size))
            self._day = day
        self._size += self._file.write(text.encode())
        self._parts[day][-1] = self._size

    @property
    def first(self) -> str | None:
        """The first day of which there is an entry."""
        return min(self._parts, default=None)

    @property
    def last(self) -> str | None:
        """The last one."""
        return max(self._parts, default=None)

    def read(self) -> Iterator[bytes]:
        """All of it in the order of the days, in pieces."""
        for day in sorted(self._parts):
            parts = self._parts[day]
            for begin, end in zip(parts[::2], parts[1::2], strict=True):
                self._file.seek(begin)
                for place in range(begin, end, PIECE):
                    yield self._file.read(min(PIECE, end - place))


@dataclass(frozen=True)
class Frame:
    """What stands around the entries: the days, and what each account has before and after.

    `begin` is the day on which accounts are opened, `end` the one at whose close they have
    what they have.
    """

    begin: str
    end: str
    openings: Mapping[str, int]
    closings: Mapping[str, int]
    payees: Callable[[], Iterator[str]]


def write_days(
    sheet: Sheet,
    path: Path,
    told: Callable[[Entry], str],
    head: Callable[[Sheet, Frame], Iterator[str]],
    foot: Callable[[Sheet, Frame], Iterator[str]],
) -> None:
    """Write such a file: its head, the entries day by day, and at the foot what it comes to."""
    day = DAYS[sheet.source.asked.by]
    with TemporaryFile(dir=path.parent) as aside, path.open("wb") as file:
        days = Days(aside)
        for entry in entries(sheet):
            days.add(entry.told[day], told(entry))
        frame = _frame(sheet.source, days)
        file.writelines(text.encode() for text in head(sheet, frame))
        file.writelines(days.read())
        file.writelines(text.encode() for text in foot(sheet, frame))


def _frame(source: Source, days: Days) -> Frame:
    asked = source.asked
    founded = day_of(source.club.zone, source.club.day_cutoff)(source.club.created_at)
    begin = max(asked.since, min(filter(None, (days.first, founded, asked.last))))
    until = asked.until if asked.until != END else None
    end = max(begin, until or days.last or begin)
    named = {account: source.account(account)[0] for account in source.accounts}
    had = {named[account]: points for account, points in source.openings().items()}
    has = {named[account]: points for account, points in closing_balances(source).items()}
    return Frame(begin, end, had, has, lambda: _payees(source))


def day_after(day: str) -> str:
    """The day after a day."""
    return (date.fromisoformat(day) + timedelta(days=1)).isoformat()


def closing_balances(source: Source) -> dict[str, int]:
    """What each account has at the end of the days, as the books keep it.

    That is its balance as of the position, which is kept apart from its lines, without what lies
    behind the last day. No sum of the lines that are told takes part in it, so whoever reads the
    file checks the books.
    """
    mine = (*source.booked(postings), postings.c.account == accounts.c.account)
    newest = select(postings.c.balance_after).where(*mine).order_by(postings.c.position.desc())
    kept = func.coalesce(newest.limit(1).scalar_subquery(), 0)
    here = (*source.books.rows(accounts), accounts.c.joined <= source.position)
    has = select(accounts.c.account, kept).where(*here).order_by(accounts.c.joined)
    behind = _behind(source)
    return {
        account: points - behind.get(account, 0)
        for account, points in source.connection.execute(has)
    }


def _behind(source: Source) -> dict[str, int]:
    """What came to each account behind the last day."""
    last = source.asked.last
    if last is None:
        return {}
    sums = select(postings.c.account, whole_sum(func.sum(postings.c.points)))
    after = sums.where(*source.booked(postings), source.day(postings) > last)
    return dict(map(tuple, source.connection.execute(after.group_by(postings.c.account))))


def _payees(source: Source) -> Iterator[str]:
    """With whom the entries are: officers, and each table."""
    language = source.asked.language
    yield from (officers_name(kind, language) for kind in OFFICERS)
    for column in (journal.c.period, journal.c.table_id):
        first = func.min(journal.c.position)
        seen = select(column).where(*source.within(journal), column.is_not(None))
        for (with_whom,) in source.read(seen.group_by(column).order_by(first)):
            is_table = column is journal.c.table_id
            yield with_whom if is_table else _period(with_whom, language)


class Closed(NamedTuple):
    """A closing of the books, or its undoing where there is no mode: when, and of which period."""

    day: str
    number: int
    last: str
    mode: str | None
    hash: str


def closings(source: Source) -> list[Closed]:
    """The closings that lie in the days, as the log tells them up to the position."""
    club, asked = source.club.club, source.asked
    found = []
    for row in store.read_stream(source.connection, club, f"period/{club}"):
        fact = codec.unseal(row.type, row.public).fact
        if row.position > source.position or not isinstance(fact, PeriodClosed | PeriodReopened):
            continue
        mode = fact.mode if isinstance(fact, PeriodClosed) else None
        day = fact.booked_date if asked.by == "booked" else fact.last
        if asked.since <= day <= asked.until:
            found.append(Closed(day, fact.number, fact.last, mode, row.hash.hex()))
    return found


# --- texts --------------------------------------------------------------------------------------


def plain(text: str) -> str:
    """A text of people on one line, of characters that are seen, with single spaces."""
    return _UNSEEN.sub(" ", text).strip(" ")


def nicks(source: Source) -> Iterator[tuple[str, str]]:
    """Each account in the order of joining, and what people call it, as plain text."""
    for account in source.accounts:
        code, name = source.account(account)
        yield code, "" if account == ISSUED else plain(name)


def remarks(sheet: Sheet) -> Iterator[str]:
    """What a file says of itself above all: the club, the position and its head, the clock."""
    told: dict[str, Value] = {
        "club": f"{sheet.facts['club']} {plain(sheet.facts['club_name'])}".strip(),
        "position": sheet.facts["position"],
        "head": sheet.facts["head"],
        "timezone": sheet.facts["timezone"],
        "day cutoff": sheet.facts["day_cutoff"],
        **sheet.facts["filters"],
    }
    yield from (f"{name}: {value}" for name, value in told.items())
    yield {
        "en": "Points are a score, no cash value.",
        "zh": "积分仅用于计分，无现金价值。",
    }[sheet.language]
