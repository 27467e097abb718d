"""Whether an export can be asked for as it is, and of whom in the club it is."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace
from sqlalchemy import Connection

from ledger import access, store
from ledger.days import zones
from ledger.refusal import Refused
from ledger.rules.catalog import CATALOG
from projections.exports.asked import FILTERS, LANGUAGES, Asked
from projections.exports.catalog import KINDS, SHEETS, Kind
from projections.journal import KINDS as ENTRY_KINDS
from projections.statement import DAYS

WHOLE = ("first", "last", "by", "position")
"""What leaves no line of an entry out, which would not balance, and no entry of an account."""


def check(asked: Asked) -> Kind:
    """The kind of an export; refuses what there is not, and a filter that it does not take.

    `export_kind`, `export_format`, `export_filter`, `export_column`, `export_choice`,
    `dates_crossed`.
    """
    kind = KINDS.get(asked.kind)
    if kind is None:
        raise _refused("export_kind", "kind", asked.kind, KINDS)
    if asked.format not in kind.forms:
        raise _refused("export_format", "format", asked.format, kind.forms, kind=kind.name)
    _check_filters(asked, kind)
    _check_columns(asked, kind)
    _check_choices(asked)
    if asked.timezone is not None and asked.timezone not in zones():
        raise Refused("zone_unknown", pointer="/timezone", zone=asked.timezone)
    if asked.since > asked.until:
        raise Refused("export_days", pointer="/first", first=asked.first, last=asked.last)
    return kind


def named(connection: Connection, club: str, asked: Asked) -> Asked:
    """What is asked, with the member by his id; refuses one, or a table, that the club has not."""
    if asked.table is not None and store.find_stream(connection, f"table/{asked.table}") != club:
        raise Refused("table_unknown", pointer="/table")
    if asked.member is None:
        return asked
    found = access.find_members(connection, club, (asked.member,))
    if asked.member not in found:
        raise Refused("member_unknown", pointer="/member", member=asked.member)
    return replace(asked, member=found[asked.member].member)


def _check_filters(asked: Asked, kind: Kind) -> None:
    """Refuses what a kind cannot be narrowed by; books for another program are whole entries."""
    whole = asked.format in ("beancount", "hledger")
    taken = WHOLE if whole else kind.filters
    told = {name: getattr(asked, name) for name in FILTERS}
    for name, value in told.items():
        if value not in (None, "booked") and name not in taken:
            raise _refused("export_filter", name, name, taken, kind=kind.name)


def _check_choices(asked: Asked) -> None:
    choices: dict[str, Iterable[str]] = {
        "language": LANGUAGES,
        "by": DAYS,
        "entry_kind": ENTRY_KINDS,
        "ruleset": CATALOG,
    }
    for name, allowed in choices.items():
        value = getattr(asked, name)
        if value is not None and value not in allowed:
            raise _refused("export_choice", name, value, allowed)


def _check_columns(asked: Asked, kind: Kind) -> None:
    if asked.columns and asked.format not in SHEETS:
        raise Refused("export_columns_fixed", pointer="/columns", format=asked.format)
    known = [column.name for column in kind.columns]
    for name in asked.columns:
        if name not in known or asked.columns.count(name) > 1:
            raise _refused("export_column", "columns", name, known, kind=kind.name)


def _refused(code: str, field: str, value: str, allowed: Iterable[str], kind: str = "") -> Refused:
    listed = ", ".join(allowed)
    return Refused(code, pointer=f"/{field}", value=value, allowed=listed, kind=kind)
