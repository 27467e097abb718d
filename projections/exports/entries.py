"""The journal 序时账 line by line, and a member's statement 对账单."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, groupby
from operator import attrgetter
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy import select

from ledger.store import events
from projections.balances import of_entry
from projections.exports.sheet import Row, columns
from projections.exports.source import Source
from projections.exports.words import OPENING, reason_name
from projections.journal import ISSUED, journal, postings

COMMODITY = "PTS"

HELD = (
    journal.c.position,
    journal.c.kind,
    journal.c.booked_at,
    journal.c.booked_date,
    journal.c.effective_date,
    journal.c.table_id,
    journal.c.number,
    journal.c.allowance,
    journal.c.dispute,
    journal.c.period,
    journal.c.reason,
    journal.c.note,
    journal.c.reverses,
    journal.c.corrects,
    journal.c.actor,
    journal.c.role,
    journal.c.lines,
)
"""What is read of an entry beside each of its lines."""

ABOUT = {
    "settlement": {"en": "Hand {0.number}", "zh": "第 {0.number} 局"},
    "correction": {"en": "Hand {0.number} corrected", "zh": "第 {0.number} 局更正"},
    "closing": {"en": "Close of period {0.period}", "zh": "第 {0.period} 期清零"},
    "reversal": {"en": "Reversal of jrn_{0.reverses}", "zh": "冲销 jrn_{0.reverses}"},
}
"""What entries are about by their kinds; the others have a reason."""

JOURNAL = columns(
    """
entry_no 凭证号 id
  The entry's number, made of its position in the club's log.
line_no 分录号 count
  The number of the line in its entry.
booked_date 记账日期 day
  The business day on which the entry was booked.
booked_at_local 记账时间 local
  When it was booked, by the club's clock.
booked_at_utc 记账时间(UTC) utc
  The same in UTC.
effective_date 业务日期 day
  The business day from which it counts: of a hand the day of its play.
kind 类别 word
  settlement, reversal, correction, allowance, opening or closing.
narration 摘要 text
  What the entry is about.
account_code 科目编码 id
  The account: `Assets:Members:` and a member's code, or `Equity:Points:Issued`.
account_name 科目名称 text
  Whose account it is.
debit 借方 points+
  The points that came to the account.
credit 贷方 points+
  The points that went from it.
commodity 单位 id
  Always PTS: points are a score, without cash value.
table_id 牌桌 id
  The table of the hand.
hand_no 局次 count
  The number of the hand at its table.
replay_url 回放 text
  Where the hand is replayed, below the address of the server.
reverses 冲销凭证 id
  The entry that this one undoes.
corrects 更正凭证 id
  The entry of the hand's first settlement, in the place of which this stands.
dispute_id 争议 id
  The dispute by which it was decided.
posted_by 经手人 id
  Who booked it, after the role in which he did.
entry_hash 凭证哈希 id
  The hash of the event behind it, which the club's checkpoints hold.
"""
)


class _Entry(NamedTuple):
    """What all lines of an entry say: before the account, and after its points."""

    number: str
    before: Row
    after: Row


def journal_lines(source: Source) -> Iterator[Row]:
    """Every line of every entry, in the order in which they were booked."""
    for _, lines in groupby(source.read(_lines(source)), attrgetter("position")):
        first = next(lines)
        entry = _told(source, first)
        for account, number, points, *_ in chain((first,), lines):
            yield (
                entry.number,
                number,
                *entry.before,
                *source.account(account),
                *sides(points),
                *entry.after,
            )


def _told(source: Source, line: Any) -> _Entry:
    """What an entry says, by any of its lines."""
    before = (
        line.booked_date,
        source.local(line.booked_at),
        source.utc(line.booked_at),
        line.effective_date,
        line.kind,
        narration(source, line),
    )
    after = (
        COMMODITY,
        line.table_id,
        line.number,
        line.table_id and f"/v1/tables/{line.table_id}/hands/{line.number}",
        entry_no(line.reverses),
        entry_no(line.corrects),
        line.dispute,
        f"{line.role} {line.actor}",
        line.hash.hex(),
    )
    return _Entry(f"jrn_{line.position}", before, after)


def _lines(source: Source) -> sa.Select[Any]:
    """The lines with their entries and the events behind them."""
    of_event = (events.c.club == journal.c.club) & (events.c.position == journal.c.position)
    whole = select(postings.c.account, postings.c.line, postings.c.points, events.c.hash, *HELD)
    whole = whole.join_from(postings, journal, of_entry()).join(events, of_event)
    whole = whole.where(*source.within(postings), *source.books.rows(journal), *source.chosen)
    return whole.order_by(postings.c.position, postings.c.line)


def entry_no(position: int | None) -> str | None:
    """The number of the entry at a position."""
    return None if position is None else f"jrn_{position}"


def sides(points: int) -> tuple[int, int]:
    """Points as what comes and what goes: a debit or a credit."""
    return max(points, 0), max(-points, 0)


STATEMENT = columns(
    """
member_code 会员编号 id
  The member's code.
member_name 会员 text
  The member's name.
date_local 日期 local
  When it was booked, by the club's clock.
time_utc 时间(UTC) utc
  The same in UTC.
effective_date 业务日期 day
  The business day from which it counts.
entry_no 凭证号 id
  The entry's number; empty in the line that tells what he had before.
kind 类别 word
  settlement, reversal, correction, allowance, opening or closing.
description 摘要 text
  What the entry is about.
table 牌桌 id
  The table of the hand.
hand 牌局 id
  The hand.
in 收入 points+
  The points that came to him.
out 支出 points+
  The points that went from him.
balance 余额 points
  What he has after the line.
"""
)


def statement_lines(source: Source) -> Iterator[Row]:
    """Each member's lines, or those of the one who is asked for, after what he had before."""
    openings = source.openings()
    for member in source.accounts:
        if member != ISSUED:
            yield from _of_member(source, member, openings.get(member, 0))


def _of_member(source: Source, member: str, balance: int) -> Iterator[Row]:
    named = source.person(member)
    if balance:
        words = OPENING[source.asked.language]
        first = source.asked.first
        yield (*named, None, None, first, None, None, words, None, None, None, None, balance)
    for line in source.read(_mine(source, member)):
        balance += line.points
        yield (
            *named,
            source.local(line.booked_at),
            source.utc(line.booked_at),
            line.effective_date,
            f"jrn_{line.position}",
            line.kind,
            narration(source, line),
            line.table_id,
            line.table_id and f"{line.table_id}-{line.number}",
            *sides(line.points),
            balance,
        )


def _mine(source: Source, member: str) -> sa.Select[Any]:
    mine = (*source.within(postings), postings.c.account == member)
    found = select(postings.c.points, *HELD).join_from(postings, journal, of_entry()).where(*mine)
    return found.order_by(source.day(postings), postings.c.version)


# --- what an entry is about ---------------------------------------------------------------------


def narration(source: Source, entry: Any) -> str:
    """What an entry is about, in a few words of the language asked for."""
    language = source.asked.language
    about = ABOUT.get(entry.kind)
    words = about[language].format(entry) if about else reason_name(entry.reason, language)
    note = source.text(entry.note)
    return f"{words}: {note}" if note else words
