"""A club with hands that may be doubted, by whom, and what its books must say of them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

from msgspec.structs import asdict
from sqlalchemy import select

from ledger import codec, dealing, disputing, governing, store
from ledger.access import Caller
from ledger.acts import Asked, Desk
from ledger.claiming import Claim
from ledger.disputing import OPEN, Verdict, open_disputes
from ledger.events import Ruling
from ledger.perform import Done
from ledger.refusal import Refused
from ledger.streams import settlement
from ledger.streams.club import NO_LIMITS, SetLimits
from ledger.streams.dispute import Dispute
from projections.balances import sum_of_all
from projections.disputes import club_disputes
from projections.history import club_hands
from projections.statement import club_journal, entry
from tests.world import Club, World

Totals = tuple[int, ...]
BOOKED: tuple[Totals, ...] = ((6, -2, -2, -2), (0, 0, 0, 0), (-9, 3, 3, 3))
"""What the hands of the table come to as they were entered."""
KEYS = count(1)


def _booked(world: World) -> tuple[Club, str]:
    """A club of five, and its table."""
    club = world.club(members=5)
    table = club.open(hands=len(BOOKED) + 1)
    for totals in BOOKED:
        dealing.enter_hand(club.desk, table, totals=totals)
        world.settle()
    return club, table


class Doubted:
    """A table of four with some hands that are settled, a fifth member, and referees."""

    def __init__(self, world: World, limit: int | None = None) -> None:
        self.world = world
        self.club, self.table = world.once(_booked, world)
        if limit is not None:
            limits = {**asdict(NO_LIMITS), "tables": 99, "correction": limit}
            governing.set_limits(self.club.desk_of_owner, SetLimits(**limits))
        self.stands: dict[int, Totals | None] = dict(enumerate(BOOKED, 1))
        self.players = [self.club.member(place) for place in range(5)]
        self.referees = [Caller(f"key_r{n}", self.club.id, ("referee",)) for n in range(3)]
        both = ("referee", "member")
        self.party = Caller("key_both", self.club.id, both, self.club.members[0])

    @property
    def everybody(self) -> list[Caller]:
        """Whoever may try something; the last player sat in no hand."""
        return [*self.players, *self.referees, self.party]

    def desk(self, caller: Caller, key: str | None = None) -> Desk:
        """Where somebody asks, each time with a request of its own unless one is named."""
        asked = Asked(key or f"request-{next(KEYS)}")
        return Desk(self.world.ledger, caller, self.club.id, asked)

    def file(self, by: Caller, number: int, totals: Totals | None = None) -> str:
        """The id of a dispute, just filed."""
        done = disputing.file(self.desk(by), self.table, number, Claim(totals), "wrong")
        return done.stream.removeprefix("dispute/")

    def decide(
        self, by: Caller, dispute: str, ruling: Ruling, totals: Totals | None = None
    ) -> Done:
        """A ruling, which stands from now on unless it waits for a second person."""
        done = disputing.decide(self.desk(by), dispute, verdict(ruling, totals))
        self.ruled(done)
        return done

    def ruled(self, done: Done) -> None:
        """Keep in mind what stands by a ruling just made: in its own words, not the hand's."""
        with self.world.database.read() as connection:
            written = done.last - done.first + 1
            rows = store.read_log(connection, self.club.id, done.first - 1, written)
        for row in rows:
            told = codec.unseal(row.type, row.public).fact
            if row.type == "DisputeDecided/1" and told.ruling == "void":  # type: ignore[attr-defined]
                self.stands[self.found(done.stream.removeprefix("dispute/")).number] = None
            if row.type == "HandCorrected/1":
                self.stands[told.number] = told.totals  # type: ignore[attr-defined]

    def found(self, dispute: str) -> Dispute:
        """A dispute as its events make it."""
        with self.world.database.read() as connection:
            return disputing.find(connection, self.club.id, dispute)

    def version(self, dispute: str) -> int:
        """The version to which a dispute has come."""
        with self.world.database.read() as connection:
            return store.stream_version(connection, self.club.id, f"dispute/{dispute}")

    def later(self, hours: int) -> None:
        """Let time go by."""
        self.world.now += hours * 3600 * 1_000_000

    def check(self) -> None:
        """What is true after every act, whoever did what."""
        self.club.catch_up()
        self._check_hands()
        self._check_books()
        self._check_disputes()

    def _check_hands(self) -> None:
        """What stands of each hand is what its last ruling says, by events and in the list."""
        with self.world.database.read() as connection:
            for number, stands in self.stands.items():
                rows = store.read_stream(connection, self.club.id, f"hand/{self.table}/{number}")
                money = settlement.fold(codec.unseal(row.type, row.public) for row in rows)
                assert money is not None
                assert money.totals == stands
            listed, _ = club_hands(connection, self.club.id)
        told = {hand.number: hand.totals and tuple(hand.totals) for hand in listed}
        assert told == self.stands

    def _check_books(self) -> None:
        """Each member has what stands; every entry sums to zero, and so do all accounts."""
        points = [0] * 5
        for stands in self.stands.values():
            for seat, won in enumerate(stands or ()):
                points[seat] += won
        assert self.club.balances() == dict(zip(self.club.members, points, strict=True))
        with self.world.database.read() as connection:
            assert sum_of_all(connection, self.club.id) == 0
            entries, _ = club_journal(connection, self.club.id)
            for one in entries:
                found = entry(connection, self.club.id, one.id)
                assert found is not None
                assert sum(line.points for line in found[1]) == 0

    def _check_disputes(self) -> None:
        """Of a hand one dispute at most is open, and who is asked for the open ones says so."""
        with self.world.database.read() as connection:
            listed, _ = club_disputes(connection, self.club.id)
            mine = open_disputes.c.club == self.club.id
            rows = select(open_disputes.c.hand, open_disputes.c.dispute).where(mine)
            kept = sorted(map(tuple, connection.execute(rows)))
            hands, _ = club_hands(connection, self.club.id)
        states = {row.id: self.found(row.id) for row in listed}
        assert {row.id: row.state for row in listed} == {
            name: found.state for name, found in states.items()
        }
        waiting = [(name, found) for name, found in states.items() if found.state in OPEN]
        assert kept == sorted((f"{self.table}-{found.number}", name) for name, found in waiting)
        doubted = [found.number for _, found in waiting]
        assert len(doubted) == len(set(doubted))
        self._check_newest([states[row.id] for row in reversed(listed)])
        assert {hand.number for hand in hands if hand.disputed} == set(doubted)

    def _check_newest(self, filed: list[Dispute]) -> None:
        """Of a hand the last dispute alone waits, and none follows one decided on appeal."""
        newest = {found.number: found for found in filed}
        for found in filed:
            if newest[found.number] is not found:
                assert found.state not in OPEN
                assert found.ruling is None or not found.ruling.final


def verdict(ruling: Ruling, totals: Totals | None = None) -> Verdict:
    """A ruling for one and the same reason."""
    return Verdict(ruling, "rules", right=Claim(totals))


def tried(act: Callable[[], Done]) -> Done | str:
    """What an act comes to: what was done, or the code of its refusal."""
    try:
        return act()
    except Refused as refusal:
        return refusal.code
