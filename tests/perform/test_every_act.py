"""Whatever is done to the books, in whatever order: they add up, and the log is sound.

A club plays, gives and takes points, disputes, decides, appeals, closes and reopens, as chance has
it. Most of what chance asks for is refused; what is not, is booked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace as with_
from datetime import date
from random import Random

import pytest
from msgspec.structs import asdict
from sqlalchemy import func, select

from ledger import acts, audit, closing, dealing, disputing, docket, governing, granting, ticking
from ledger.access import Caller, operator
from ledger.acts import Desk, Opening
from ledger.disputing import Claim, Verdict
from ledger.events import Line
from ledger.granting import Grant
from ledger.refusal import Refused
from ledger.streams.club import NO_LIMITS, SetDeadlines, SetLimits
from projections import standing
from projections.balances import club_balances, sum_of_all
from projections.journal import accounts, postings
from projections.projection import ALL, catch_up, rebuild
from tests.world import KEY, OPTIONS, SECOND, World

DAY = 24 * 3600 * SECOND
EPOCH = date(1970, 1, 1)
ROLES = ("owner", "manager", "treasurer", "referee", "recorder")
Act = Callable[["Chance"], object]


class Chance:
    """A club whose people do what chance tells them, each with a key of his own."""

    def __init__(self, world: World, seed: int) -> None:
        self.rng, self.world = Random(seed), world
        world.ledger = with_(world.ledger, books=standing)
        self.club = world.club(6)
        self.people = [self._caller((role,)) for role in (*ROLES, "referee", "treasurer")]
        self.members = [self._caller(("member",), member) for member in self.club.members]
        self.tables: list[str] = []
        self.things: dict[str, list[str]] = {"alw": [], "dsp": []}
        self.done = 0

    def _caller(self, roles: tuple[str, ...], member: str | None = None) -> Caller:
        desk = Desk(self.world.ledger, operator(), self.club.id)
        key = acts.issue_key(desk, roles, roles[0], member).key
        return Caller(key, self.club.id, roles, member)

    def desk(self, role: str | None = None) -> Desk:
        """The desk of somebody: one who has a role, or anybody."""
        able = [one for one in (*self.people, *self.members) if role is None or one.has(role)]
        return Desk(self.world.ledger, self.rng.choice(able), self.club.id)

    def points(self) -> int:
        return self.rng.choice((-70, -9, -1, 1, 8, 60))

    def totals(self) -> tuple[int, ...]:
        won = self.rng.choice((0, 3, 9, 120))
        return tuple(self.rng.sample((won, -won // 3, -won // 3, -won // 3), 4))

    def hand(self) -> tuple[str, int]:
        return self.rng.choice(self.tables or ["tbl_none"]), self.rng.randint(1, 3)

    def thing(self, kind: str) -> str:
        return self.rng.choice(self.things[kind] or [f"{kind}_none"])

    def today(self, back: int) -> str:
        days = self.world.ledger.clock() // DAY - back
        return date.fromordinal(EPOCH.toordinal() + days).isoformat()


def open_table(chance: Chance) -> None:
    seats = tuple(chance.rng.sample(chance.club.members, 4))
    done = acts.open_table(chance.desk("recorder"), Opening(KEY, OPTIONS, seats, 3, dealer=0))
    chance.tables.append(done.stream.removeprefix("table/"))


def enter_hand(chance: Chance) -> None:
    dealing.enter_hand(chance.desk("recorder"), chance.hand()[0], totals=chance.totals())
    if chance.rng.random() < 0.9:
        chance.world.settle()


def change_seats(chance: Chance) -> None:
    seats = tuple(chance.rng.sample(chance.club.members, 4))
    acts.change_seats(chance.desk("recorder"), chance.hand()[0], seats)


def end_table(chance: Chance) -> None:
    acts.end_table(chance.desk("manager"), chance.hand()[0], dissolve=chance.rng.random() < 0.5)
    chance.world.settle()


def tick(chance: Chance) -> None:
    desk, ticked = chance.desk(), chance.rng.random() < 0.7
    ticking.tick(desk, chance.hand()[0], ticked=ticked)


def set_limits(chance: Chance) -> None:
    some = {
        name: chance.rng.choice((None, low))
        for name, low in {
            "entry_floor": -150,
            "pause_floor": -200,
            "hand_cap": 20,
            "day_loss": 250,
            "allowance": 50,
            "correction": 10,
        }.items()
    }
    limits = SetLimits(**{**asdict(NO_LIMITS), **some, "tables": chance.rng.randint(1, 3)})
    governing.set_limits(chance.desk("owner"), limits)


def set_hours(chance: Chance) -> None:
    hours = (chance.rng.choice((1, 24, 72)) for _ in range(4))
    governing.set_deadlines(chance.desk("owner"), SetDeadlines(*hours))


def grant(chance: Chance) -> None:
    members = chance.rng.sample(chance.club.members, 2)
    lines = tuple(Line(member, chance.points()) for member in members)
    day = chance.rng.choice((None, None, chance.today(chance.rng.randint(0, 6))))
    done = granting.request(
        chance.desk("treasurer"), Grant("allowance", lines, "other", effective_date=day)
    )
    chance.things["alw"].append(done.stream.removeprefix("allowance/"))


def approve(chance: Chance) -> None:
    granting.approve(chance.desk("treasurer"), chance.thing("alw"))


def undo(chance: Chance) -> None:
    granting.reverse(chance.desk("treasurer"), chance.thing("alw"), None)


def claim(chance: Chance) -> Claim:
    return chance.rng.choice((Claim(), Claim(chance.totals())))


def file(chance: Chance) -> None:
    told = claim(chance)
    desk = chance.desk(chance.rng.choice(("member", "referee")))
    done = disputing.file(desk, *chance.hand(), told, "it was not so")
    chance.things["dsp"].append(done.stream.removeprefix("dispute/"))


def answer(chance: Chance) -> None:
    disputing.answer(chance.desk("member"), chance.thing("dsp"), "it was so")


def verdict(chance: Chance) -> Verdict:
    ruling = chance.rng.choice(("uphold", "correct", "correct", "void", "no_fault"))
    right = Claim(chance.totals()) if ruling == "correct" else Claim()
    return Verdict(ruling, "mistyped", right=right)  # type: ignore[arg-type]


def decide(chance: Chance) -> None:
    disputing.decide(chance.desk("referee"), chance.thing("dsp"), verdict(chance))


def agree(chance: Chance) -> None:
    desk, dispute = chance.desk("referee"), chance.thing("dsp")
    with chance.world.database.read() as connection:
        _, seen = docket.as_seen(connection, desk.club, dispute)
    disputing.approve(desk, dispute, seen)


def appeal(chance: Chance) -> None:
    disputing.appeal(chance.desk("member"), chance.thing("dsp"), None)


def withdraw(chance: Chance) -> None:
    disputing.withdraw(chance.desk(), chance.thing("dsp"), None)


def correct(chance: Chance) -> None:
    done = disputing.correct(chance.desk("referee"), *chance.hand(), verdict(chance))
    chance.things["dsp"].append(done.stream.removeprefix("dispute/"))


def time_passes(chance: Chance) -> None:
    chance.world.now += chance.rng.choice((DAY // 24, DAY, 4 * DAY))
    disputing.expire_due(chance.world.ledger)


def close(chance: Chance) -> None:
    mode = chance.rng.choice(("carry", "clear"))
    closing.close(chance.desk("owner"), chance.today(chance.rng.randint(1, 4)), mode, None)  # type: ignore[arg-type]


def reopen(chance: Chance) -> None:
    closing.reopen(chance.desk("owner"), chance.rng.randint(1, 3), "a mistake")


def confirm(chance: Chance) -> None:
    desk, number = chance.desk("member"), chance.rng.randint(1, 3)
    if chance.rng.random() < 0.5:
        closing.confirm(desk, number)
    else:
        closing.contest(desk, number, "that is not mine")


def of_member(chance: Chance) -> None:
    desk, member = chance.desk("manager"), chance.rng.choice(chance.club.members)
    act = chance.rng.choice((governing.bar, governing.readmit, governing.leave))
    if chance.rng.random() < 0.4:
        governing.come_back(desk, member)
    else:
        act(desk, member, None)


DOES: tuple[Act, ...] = (
    *((open_table,) * 4 + (enter_hand,) * 8 + (grant,) * 4),
    *(change_seats, end_table, end_table, set_limits, approve, approve, undo),
    *((file,) * 3 + (answer,) * 3 + (decide,) * 4 + (correct,) * 3),
    *(agree, agree, appeal, appeal, withdraw, set_hours, time_passes, time_passes),
    *(close, close, reopen, confirm, of_member, tick, tick, tick),
)


@pytest.fixture
def chance(world: World, request: pytest.FixtureRequest) -> Chance:
    """A club to which two hundred things were done, as far as they were allowed."""
    made = Chance(world, request.param)
    for _ in range(200):
        try:
            made.rng.choice(DOES)(made)
            made.done += 1
        except Refused:
            continue
    world.settle()
    catch_up(world.database, made.club.id)
    return made


SEEDS = [0, 1, *(pytest.param(seed, marks=pytest.mark.deep) for seed in range(2, 100))]


@pytest.mark.parametrize("chance", SEEDS, indirect=True)
def test_whatever_is_done_the_books_add_up_and_the_log_is_sound(chance: Chance) -> None:
    """The sum over all is 0, every entry balances, each balance is the fold of its postings, a
    rebuild changes nothing, and an audit decides all of it again.
    """
    database, club = chance.world.database, chance.club.id
    assert chance.done > 30
    with database.read() as connection:
        assert sum_of_all(connection, club) == 0
        by_entry = select(func.sum(postings.c.points)).group_by(postings.c.position)
        assert set(connection.execute(by_entry).scalars()) <= {0}
        folded = select(postings.c.account, func.sum(postings.c.points)).group_by("account")
        folds = dict(connection.execute(folded).all())
        moved = accounts.c.version > 0
        held = select(accounts.c.account, accounts.c.points).where(moved)
        assert dict(connection.execute(held).all()) == folds
        before = club_balances(connection, club)
    for projection in ALL:
        rebuild(database, club, projection.name, chance.world.ledger.clock)
    with database.read() as connection:
        assert club_balances(connection, club) == before
    assert audit.verify(database, club).fault is None
