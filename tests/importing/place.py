"""A club into which files are imported, as the command does it."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner, Result

import wsgi
from ledger import access, acts, cli, store
from ledger.access import operator
from ledger.acts import Asked, Desk
from projections import balances, history


class Place:
    """A club with four members, into which files are imported by the command."""

    def __init__(self, house: wsgi.House, folder: Path) -> None:
        self.house = house
        self.file = folder / "matches.jsonl"
        founded = acts.found_club(house.ledger(), operator(), Asked(), "Jade", "Asia/Shanghai", 300)
        self.club = founded.club
        desk = Desk(house.ledger(), operator(), self.club)
        for name in "ABCD":
            acts.join_member(desk, name)

    def run(self, *lines: object) -> Result:
        """Import a file of these lines."""
        self.file.write_text("".join(f"{text(line)}\n" for line in lines), encoding="utf-8")
        words = ["import", self.club, str(self.file)]
        return CliRunner().invoke(cli.commands, words, obj=self.house)

    def counts(self, *lines: object) -> list[int]:
        """How many lines were read, hands imported and there already, refusals, hands waiting."""
        told = self.run(*lines).stdout.splitlines()[-5:]
        return [int(line.split()[-1]) for line in told]

    def head(self) -> int:
        with self.house.database.read() as connection:
            head = store.head(connection, self.club)
        assert head is not None
        return head.position

    def points(self) -> list[int]:
        with self.house.database.read() as connection:
            members = access.find_members(connection, self.club, tuple(codes(4)))
            rows, _ = balances.club_balances(connection, self.club)
        points = {row.member: row.points for row in rows}
        return [points[members[code].member] for code in codes(4)]

    def hands(self) -> list[history.HandRow]:
        """The list of hands, the oldest first."""
        with self.house.database.read() as connection:
            rows, _ = history.club_hands(connection, self.club)
        return rows[::-1]


def text(line: object) -> str:
    return line if isinstance(line, str) else json.dumps(line, ensure_ascii=False)


def codes(players: int) -> list[str]:
    return [f"M-{number:04}" for number in range(1, players + 1)]
