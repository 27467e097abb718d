"""What an export is of, in words: the facts of its manifest, one by one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from projections.exports.asked import Language
from projections.exports.sheet import Sheet

ABOUT: Mapping[Language, str] = {"en": "About", "zh": "说明"}
NO_CASH: Mapping[Language, str] = {
    "en": "Points are a score, no cash value",
    "zh": "积分仅用于计分，无现金价值",
}
TOTAL_OF: Mapping[Language, str] = {"en": "Total of {title}", "zh": "{title}合计"}
NAMES = {
    "kind": "种类",
    "format": "格式",
    "language": "语言",
    "club": "俱乐部编号",
    "club_name": "俱乐部",
    "timezone": "时区",
    "day_cutoff": "日切时间",
    "first": "起始日期",
    "last": "截止日期",
    "by": "日期口径",
    "member": "会员",
    "entry_kind": "凭证类别",
    "table": "牌桌",
    "ruleset": "玩法",
    "position": "日志位置",
    "head": "日志哈希",
    "commodity": "单位",
    "number_of_entries": "凭证数",
    "total_debit": "借方合计",
    "total_credit": "贷方合计",
    "rows": "行数",
    "cut_texts": "截断的文本",
    "content_sha256": "内容 SHA-256",
}
"""What facts are called in Chinese; in English by their names in the manifest."""
Told = tuple[str, str | int]


def told(sheet: Sheet) -> Iterator[Told]:
    """Each fact with what it is called; once all rows are read their number, sums and digest."""
    language, tally = sheet.language, sheet.tally
    for name, value in _flat(sheet.facts):
        yield called(name, language), value
    yield called("rows", language), tally.rows
    for column in sheet.columns:
        if column.adds:
            title = column.title(language)
            yield TOTAL_OF[language].format(title=title), tally.totals[column.name]
    yield called("content_sha256", language), tally.digest


def called(name: str, language: Language) -> str:
    """What a fact is called; one without a Chinese name by its own."""
    if language == "zh":
        return NAMES.get(name, name)
    return name.replace("_", " ").capitalize().replace("sha256", "SHA-256")


def _flat(facts: Mapping[str, Any]) -> Iterator[Told]:
    """The facts, and those within a fact in its place."""
    for name, value in facts.items():
        if isinstance(value, Mapping):
            yield from _flat(value)
        else:
            yield name, value
