"""Sheets of allowances: CSV whose first line is `member,points`, with a member in each after it.

What is wrong is told by the line of the file, as `/line/7/points`, and all of it at once.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence

from msgspec import Struct
from sqlalchemy import Connection

from ledger import access, store
from ledger.events import Line
from ledger.refusal import Refused
from ledger.seating import OPENING
from ledger.streams.allowance import MOST_LINES

COLUMNS = ("member", "points")
MOST_FAULTS = 50
"""How many faults are told at once; nobody reads more of them."""

_MEMBER = re.compile(r"mem_[0-9a-z]{1,40}|M-[0-9]{1,12}")
_POINTS = re.compile(r"[+-]?[0-9]{1,15}")
_PLACE = re.compile(r"/lines/([0-9]+)(.*)")


class Sheet(Struct, frozen=True):
    """The lines of a sheet, members by id or code, and in which line of the file each stands."""

    lines: tuple[Line, ...]
    rows: tuple[int, ...]

    def placed(self, refusal: Refused) -> Refused:
        """A refusal of one of the lines, at its place in the file; others as they are."""
        found = _PLACE.fullmatch(refusal.pointer)
        if found is None or int(found[1]) >= len(self.rows):
            return refusal
        place = f"/line/{self.rows[int(found[1])]}{found[2]}"
        return Refused(refusal.code, rule=refusal.rule, pointer=place, **refusal.params)


class SheetInvalid(Refused):
    """A sheet that is wrong in some of its lines: every fault with its place in the file."""

    def __init__(self, faults: Sequence[Refused]) -> None:
        """Take the faults, each with its pointer."""
        super().__init__("sheet_invalid", n=len(faults))
        self.faults = tuple(faults[:MOST_FAULTS])


def read_sheet(raw: bytes) -> Sheet:
    """Read a sheet; refuses what is no CSV (`sheet_unreadable`), and lines that are wrong.

    A byte order mark, as Excel writes it, and lines without anything are passed over.
    """
    rows = _rows(raw)
    _, head = next(rows, (1, []))
    if tuple(head) != COLUMNS:
        raise SheetInvalid([Refused("sheet_columns", pointer="/line/1", found=",".join(head))])
    lines: list[Line] = []
    places, faults = [], []
    for place, cells in rows:
        if len(lines) == MOST_LINES:
            raise Refused("list_length", pointer=f"/line/{place}", low=1, high=MOST_LINES)
        try:
            lines.append(_line(cells))
            places.append(place)
        except Refused as fault:
            faults.append(fault.at(f"/line/{place}"))
    if faults:
        raise SheetInvalid(faults)
    if not lines:
        raise Refused("list_length", pointer="/line/1", low=1, high=MOST_LINES)
    return Sheet(tuple(lines), tuple(places))


def check_members(connection: Connection, club: str, sheet: Sheet) -> None:
    """Refuse a sheet that names members whom the club has not, all of them at once."""
    known = access.find_members(connection, club, tuple(line.member for line in sheet.lines))
    faults = [
        Refused("member_unknown", pointer=f"/line/{place}/member", member=line.member)
        for line, place in zip(sheet.lines, sheet.rows, strict=True)
        if line.member not in known
    ]
    if faults:
        raise SheetInvalid(faults)


def check_unopened(connection: Connection, club: str, sheet: Sheet) -> None:
    """Refuse a sheet of opening balances whose members have one that stands, all of them at once.

    Its members are the club's.
    """
    known = access.find_members(connection, club, tuple(line.member for line in sheet.lines))
    held = store.guards_of(connection, club, OPENING)
    faults = [
        Refused("opening_given", pointer=f"/line/{place}/member", member=line.member)
        for line, place in zip(sheet.lines, sheet.rows, strict=True)
        if OPENING + known[line.member].member in held
    ]
    if faults:
        raise SheetInvalid(faults)


def _rows(raw: bytes) -> Iterator[tuple[int, list[str]]]:
    """The rows of a file that hold anything, each with the line in which it begins."""
    place = 1
    try:
        reader = csv.reader(io.StringIO(raw.decode("utf-8-sig"), newline=""), strict=True)
        for found in reader:
            cells = [cell.strip() for cell in found]
            if any(cells):
                yield place, cells
            place = reader.line_num + 1
    except (UnicodeDecodeError, csv.Error) as fault:
        raise Refused("sheet_unreadable", pointer=f"/line/{place}", fault=fault) from None


def _line(cells: list[str]) -> Line:
    if len(cells) != len(COLUMNS):
        raise Refused("sheet_cells", n=len(cells))
    member, points = cells
    if _MEMBER.fullmatch(member) is None:
        raise Refused("member_form", pointer="/member")
    if _POINTS.fullmatch(points) is None:
        raise Refused("sheet_points", pointer="/points", value=points)
    return Line(member, int(points))
