"""Every kind of export: what it tells, of which columns, to whom, and in which forms."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ledger.access import BOOKS, OVERSEERS, READERS, WATCHERS
from projections.checkpoint import Projection
from projections.dissolutions import DISSOLUTIONS
from projections.exports import chain, entries, ledgers, lines, matches, people, scores
from projections.exports.sheet import Column, Row
from projections.exports.source import Source
from projections.journal import JOURNAL
from projections.operator_log import OPERATOR_LOG
from projections.pairs import PAIRS
from projections.statistics import STATISTICS
from projections.tables import TABLES

SHEETS = ("csv", "csv_excel", "xlsx", "json", "ndjson")
"""The forms that every sheet has."""
DAYS = ("first", "last")
BOOKED = (*DAYS, "by", "position")


@dataclass(frozen=True)
class Kind:
    """A kind of export. `filters` are what it can be narrowed by.

    One that takes a position can be had as of any; the others tell how it stands now. Without a
    projection it is read from the log alone.
    """

    name: str
    en: str
    zh: str
    told: str
    roles: tuple[str, ...]
    projection: Projection | None
    columns: tuple[Column, ...]
    rows: Callable[[Source], Iterator[Row]]
    filters: tuple[str, ...]
    forms: tuple[str, ...] = SHEETS


_ALL = (
    Kind(
        "trial_balance",
        "Trial balance",
        "科目余额表",
        "Each account with what it had before some days, what came and went, and what it had then.",
        BOOKS,
        JOURNAL,
        ledgers.TRIAL_BALANCE,
        ledgers.trial_balance,
        (*BOOKED, "member"),
    ),
    Kind(
        "general_ledger",
        "General ledger",
        "明细账",
        "Account by account every line with the balance after it.",
        BOOKS,
        JOURNAL,
        ledgers.GENERAL_LEDGER,
        ledgers.general_ledger,
        (*BOOKED, "member"),
    ),
    Kind(
        "journal",
        "Journal",
        "序时账",
        "Every entry line by line, in the order of booking.",
        BOOKS,
        JOURNAL,
        entries.JOURNAL,
        entries.journal_lines,
        (*BOOKED, "member", "entry_kind", "table"),
        (*SHEETS, "beancount", "hledger"),
    ),
    Kind(
        "member_statement",
        "Statement",
        "对账单",
        "A member's lines with the balance after each, or those of all members one by one.",
        (*BOOKS, "member"),
        JOURNAL,
        entries.STATEMENT,
        entries.statement_lines,
        (*BOOKED, "member"),
        (*SHEETS, "page"),
    ),
    Kind(
        "score_history",
        "Score history",
        "战绩",
        "A row for every table: who sat there, how many hands, the points, and how it ended.",
        READERS,
        TABLES,
        scores.SCORE_HISTORY,
        scores.score_history,
        (*DAYS, "member", "ruleset"),
    ),
    Kind(
        "settlement_lines",
        "Settlement lines",
        "结算明细",
        "Of every hand that is booked who paid whom, what for, and how it is worked out.",
        READERS,
        JOURNAL,
        lines.SETTLEMENT_LINES,
        lines.settlement_lines,
        (*BOOKED, "member", "table", "ruleset"),
    ),
    Kind(
        "operator_log",
        "Operator log",
        "操作日志",
        "Who did what in the club, in which role, from where, and why.",
        OVERSEERS,
        OPERATOR_LOG,
        people.OPERATOR_LOG,
        people.operator_log,
        (*DAYS, "position"),
    ),
    Kind(
        "dissolutions",
        "Dissolutions",
        "解散记录",
        "Who wished to end a match early, who agreed, and how the points stood.",
        READERS,
        DISSOLUTIONS,
        people.DISSOLUTIONS,
        people.dissolutions,
        (*DAYS, "member", "ruleset"),
    ),
    Kind(
        "pairs",
        "Pairs",
        "往来矩阵",
        "Every two members who sat together, each way, and what of it is unusual.",
        WATCHERS,
        PAIRS,
        people.PAIRS,
        people.pairs,
        (*DAYS, "member", "ruleset"),
    ),
    Kind(
        "leaderboard",
        "Leaderboards",
        "排行榜",
        "Every member who played, with his statistics and his rank on each board.",
        READERS,
        STATISTICS,
        people.LEADERBOARD,
        people.leaderboards,
        (*DAYS, "ruleset"),
    ),
    Kind(
        "events",
        "Event chain",
        "事件链",
        "Every event of the log, each chained to the one before it: `paizhang verify` checks it.",
        OVERSEERS,
        None,
        chain.EVENTS,
        chain.events,
        ("position",),
        ("ndjson",),
    ),
    Kind(
        "records",
        "Match records",
        "牌谱",
        "Every match as a record, what was entered as entries; `paizhang import` takes them.",
        READERS,
        TABLES,
        matches.RECORDS,
        matches.records,
        (*DAYS, "member", "table", "ruleset", "position"),
        ("ndjson",),
    ),
)
KINDS = {kind.name: kind for kind in _ALL}
