"""The verdict: what is wrong with a world that has come to rest; right is an empty list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from sqlalchemy import select

from ledger import audit, codec, jobs, store
from ledger.events import HandEnded, HandSettled, KeyRevoked, MemberJoined
from ledger.jobs import LEASE_RAN_OUT
from ledger.store import Stored
from projections import checkpoint, journal, projection
from tests.road.stage import FAILURES
from tests.road.world import World

Log = list[Stored]


class Verdict:
    """The logs of a world's clubs as they stand in the end, held against what was told."""

    def __init__(self, world: World) -> None:
        self.world = world
        with world.database.read() as connection:
            clubs = connection.execute(select(store.heads.c.club)).scalars().all()
            self.logs = {club: store.read_log(connection, club, 0, 100_000) for club in clubs}

    def gaps(self) -> list[Any]:
        """Clubs whose positions are not 1, 2, 3 …"""
        return [
            club
            for club, log in self.logs.items()
            if [row.position for row in log] != list(range(1, len(log) + 1))
        ]

    def lost(self) -> list[str]:
        """Answers that name events which are not there."""
        return [
            request.key
            for request in self.world.requests
            if isinstance(request.answer, tuple)
            and not self._stands(request.caller.actor, *request.answer)
        ]

    def done_twice(self) -> list[Any]:
        """Commands with events in two places of a log, and two commands with the same events."""
        found: list[Any] = []
        for club, log in self.logs.items():
            runs = [row.command for row in log[:1]] + [
                row.command for before, row in pairwise(log) if row.command != before.command
            ]
            counted = Counter(runs)
            found += [(club, command) for command, n in counted.items() if command and n > 1]
        told = Counter(
            (club, first)
            for request in self.world.requests
            if isinstance(request.answer, tuple)
            for club, _, _, first, _ in [request.answer]
            if first
        )
        return found + [answer for answer, n in told.items() if n > 1]

    def broken_chains(self) -> list[Any]:
        """What an audit finds."""
        reports = [audit.verify(self.world.database, club) for club in self.logs]
        return [report for report in reports if report.fault]

    def misread(self) -> list[Any]:
        """Readers who followed a log and were given something else than what stands in it."""
        return [
            tail.club
            for tail in self.world.tails
            if tail.read != self.logs[tail.club][: len(tail.read)]
        ]

    def after_revocation(self) -> list[Any]:
        """Events of a key behind the event that revoked it."""
        found = []
        for log in self.logs.values():
            revoked = {fact.key: row.position for row, fact in _facts(log, KeyRevoked)}
            found += [row for row in log if row.position > revoked.get(row.actor, row.position)]
        return found

    def wrongly_settled(self) -> list[Any]:
        """Hands with another number of settlements than of ends, and sums that are not zero."""
        found: list[Any] = []
        for log in self.logs.values():
            ended = Counter(_hand_at(log, row) for row, _ in _facts(log, HandEnded))
            settled = list(_facts(log, HandSettled))
            times = Counter((fact.table, fact.number) for _, fact in settled)
            found += [hand for hand in ended | times if (ended[hand], times[hand]) != (1, 1)]
            found += [fact for _, fact in settled if sum(fact.totals) != 0]
        return found

    def wrong_balances(self) -> list[Any]:
        """Balances and statements that are not what the log folds to."""
        found: list[Any] = []
        with self.world.database.read() as connection:
            for club, log in self.logs.items():
                right = _points(log, len(log))
                for table in (journal.accounts, journal.postings):
                    live = checkpoint.live_place(connection, club, journal.NAME).rows(table)
                    points = select(table.c.account, table.c.points).where(*live)
                    shown = dict.fromkeys(right, 0)
                    of_members = points.where(table.c.account != journal.ISSUED)
                    for member, won in connection.execute(of_members):
                        shown[member] += won
                    found += [(club, table.name, shown)] if shown != right else []
        return found

    def wrong_looks(self) -> list[Any]:
        """What readers saw in the midst of it that never was so."""
        return [
            look
            for look in self.world.looks
            if look.points != _points(self.logs[look.club], look.position)
        ]

    def seen_backwards(self) -> list[Any]:
        """What one reader saw later and was older."""
        return [
            (before, after)
            for club in self.logs
            for before, after in pairwise(look for look in self.world.looks if look.club == club)
            if (after.generation, after.position) < (before.generation, before.position)
            or after.position < before.position
        ]

    def changed_by_rebuild(self) -> list[Any]:
        """A projection of a club that is another when it is made anew: any one, now and then."""
        if self.world.rng.random() < 0.7:
            return []
        club = self.world.rng.choice(self.world.clubs).id
        name = self.world.rng.choice(projection.ALL).name
        before = self._rows(club, name)
        projection.rebuild(self.world.database, club, name, self.world.clock)
        return [(club, name)] if self._rows(club, name) != before else []

    def left(self) -> list[Any]:
        """Jobs that are not done, and those parked for a reason that no fault gave."""
        with self.world.database.read() as connection:
            undone = {state: n for state, n in jobs.counts(connection).items() if n}
        reasons = (LEASE_RAN_OUT, *FAILURES)
        unclear = [
            error
            for error in self.world.parked
            if not any(reason in (error or "") for reason in reasons)
        ]
        return [*undone, *unclear]

    def stopped(self) -> list[Any]:
        """Projections that an event has stopped."""
        with self.world.database.read() as connection:
            return checkpoint.stopped(connection)

    def _stands(
        self, actor: str, club: str, stream: str, version: int, first: int, last: int
    ) -> bool:
        """Whether what was answered is in the log: these events, by him, up to this version."""
        if first == 0:
            return True
        rows = self.logs[club][first - 1 : last]
        versions = list(range(version - (last - first), version + 1))
        return [(row.actor, row.stream, row.version) for row in rows] == [
            (actor, stream, each) for each in versions
        ]

    def _rows(self, club: str, name: str) -> list[Any]:
        (made,) = [each for each in projection.ALL if each.name == name]
        with self.world.database.read() as connection:
            live = checkpoint.live_place(connection, club, name)
            return [
                sorted(
                    repr([value for key, value in row.items() if key != "generation"])
                    for row in connection.execute(select(table).where(*live.rows(table))).mappings()
                )
                for table in made.tables
            ]


def _facts(log: Log, kind: type[Any]) -> Iterator[tuple[Stored, Any]]:
    """The events of a kind, with what they say."""
    name = codec.NAMES[kind]
    for row in log:
        if row.type == name:
            yield row, codec.unseal(row.type, row.public).fact


def _hand_at(log: Log, ended: Stored) -> tuple[str, int]:
    """The table and the number of a hand that ended."""
    starts = [
        row
        for row in log[: ended.position]
        if row.stream == ended.stream and row.type == "HandStarted/2"
    ]
    fact: Any = codec.unseal(starts[-1].type, starts[-1].public).fact
    return ended.stream.removeprefix("table/"), fact.number


def _points(log: Log, upto: int) -> dict[str, int]:
    """Every member's points as the log up to a position folds to them."""
    points = {row.stream.removeprefix("member/"): 0 for row, _ in _facts(log[:upto], MemberJoined)}
    for _, fact in _facts(log[:upto], HandSettled):
        for member, won in zip(fact.seats, fact.totals, strict=True):
            points[member] += won
    return points
