"""The ledgers 账簿: the trial balance 科目余额表 and the general ledger 明细账."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from sqlalchemy import case, func, select

from projections.balances import of_entry, whole_sum
from projections.exports.entries import HELD, narration, sides
from projections.exports.sheet import Row, columns
from projections.exports.source import Source
from projections.exports.words import OPENING
from projections.journal import ISSUED, journal, postings

MOST_CONTRAS = 8
"""How many accounts are named on the other side of an entry; more are counted."""

TRIAL_BALANCE = columns(
    """
account_code 科目编码 id
  The account: `Assets:Members:` and a member's code, or `Equity:Points:Issued`.
account_name 科目名称 text
  Whose account it is: the member's name, or what it is for.
opening_debit 期初借方 points+
  What the account had before the first day, where that is above zero.
opening_credit 期初贷方 points+
  The same where it is below zero, without its sign.
period_debit 本期借方 points+
  All that came to it in the days asked for.
period_credit 本期贷方 points+
  All that went from it in them.
closing_debit 期末借方 points+
  What it had at their end, where that is above zero.
closing_credit 期末贷方 points+
  The same where it is below zero, without its sign.
"""
)


def trial_balance(source: Source) -> Iterator[Row]:
    """Each account with what it had, what came and went, and what it has then."""
    openings, moved = source.openings(), _moved(source)
    for account in source.accounts:
        opening, (came, went) = openings.get(account, 0), moved.get(account, (0, 0))
        points = (*sides(opening), came, went, *sides(opening + came - went))
        yield (*source.account(account), *points)


def _moved(source: Source) -> dict[str, tuple[int, int]]:
    """What came to each account in the days, and what went."""
    points = postings.c.points
    came = whole_sum(func.sum(case((points > 0, points), else_=0)))
    went = whole_sum(func.sum(case((points < 0, -points), else_=0)))
    each = select(postings.c.account, came, went).where(*source.within(postings))
    found = source.connection.execute(each.group_by(postings.c.account))
    return {account: (debit, credit) for account, debit, credit in found}


GENERAL_LEDGER = columns(
    """
account_code 科目编码 id
  The account: `Assets:Members:` and a member's code, or `Equity:Points:Issued`.
account_name 科目名称 text
  Whose account it is: the member's name, or what it is for.
booked_date 记账日期 day
  The business day on which the entry was booked.
effective_date 业务日期 day
  The business day from which it counts.
entry_no 凭证号 id
  The entry's number; empty in the line that tells the opening balance.
line_no 分录号 count
  The number of the line in its entry.
narration 摘要 text
  What the entry is about.
table_id 牌桌 id
  The table of the hand.
hand_id 牌局 id
  The hand.
debit 借方 points+
  The points that came to the account.
credit 贷方 points+
  The points that went from it.
balance 余额 points
  What the account has after the line.
contra_accounts 对方科目 text
  The accounts on the other side of the entry.
"""
)


def general_ledger(source: Source) -> Iterator[Row]:
    """Each account's lines in their order, after what it had before the days asked for."""
    openings = source.openings()
    for account in source.accounts:
        yield from _of_account(source, account, openings.get(account, 0))


def _of_account(source: Source, account: str, opening: int) -> Iterator[Row]:
    named, balance = source.account(account), opening
    if opening:
        words = OPENING[source.asked.language]
        first = source.asked.first
        yield (*named, first, first, None, None, words, None, None, None, None, opening, None)
    for line in source.read(_lines(source, account)):
        balance += line.points
        yield (
            *named,
            line.booked_date,
            line.effective_date,
            f"jrn_{line.position}",
            line.line,
            narration(source, line),
            line.table_id,
            line.table_id and f"{line.table_id}-{line.number}",
            *sides(line.points),
            balance,
            _contras(source, account, line),
        )


def _lines(source: Source, account: str) -> sa.Select[Any]:
    """An account's lines with their entries, by when they were booked or by when they count."""
    mine = (*source.within(postings), postings.c.account == account)
    columns = (postings.c.line, postings.c.points, postings.c.counterparties, *HELD)
    found = select(*columns).join_from(postings, journal, of_entry()).where(*mine)
    return found.order_by(source.day(postings), postings.c.version)


def _contras(source: Source, account: str, line: Any) -> str:
    """The accounts on the other side: of a hand the members who paid or were paid."""
    if line.counterparties:
        others = [party["member"] for party in line.counterparties]
    elif account != ISSUED and line.table_id is None:
        others = [ISSUED]
    else:
        return _others(source, line)
    return " ".join(source.account(other)[0] for other in others)


def _others(source: Source, line: Any) -> str:
    """The accounts that an entry moves the other way; of many the first, and how many more."""
    points = postings.c.points
    of = select(postings.c.account).where(*source.books.rows(postings))
    of = of.where(postings.c.position == line.position)
    of = of.where(points < 0 if line.points > 0 else points > 0).order_by(postings.c.line)
    others = list(source.connection.execute(of).scalars())
    named = [source.account(other)[0] for other in others[:MOST_CONTRAS]]
    more = len(others) - len(named)
    return " ".join([*named, *([f"(+{more})"] if more else [])])
