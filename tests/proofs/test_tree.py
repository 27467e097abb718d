"""The kept tree gives what a tree made of all leaves would give, with a few hashes of many."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from math import log2
from typing import Any

import pytest
from sqlalchemy import event, select, text

from ledger.database import Database
from ledger.refusal import Refused
from ledger.store import tree
from ledger.store.tables import nodes
from tests.proofs import rfc
from tests.proofs.conftest import grow, leaves
from tests.store.conftest import Log

Together = Callable[..., list[Any]]
SIZE = 41


@pytest.fixture
def forty_one(empty: Log) -> list[bytes]:
    """The leaves of the club `c1`, whose log has 41 events under its tree."""
    made = grow(empty, "c1", SIZE)
    keep(empty.database, "c1", SIZE)
    return made


def keep(database: Database, club: str, upto: int) -> None:
    """Let a club's tree grow up to a position."""
    with database.write() as connection:
        tree.grow(connection, club, upto)


def kept(database: Database, club: str) -> dict[tuple[int, int], bytes]:
    """The nodes that are kept of a club's tree, by level and number."""
    asked = select(nodes.c.level, nodes.c.number, nodes.c.hash).where(nodes.c.club == club)
    with database.read() as connection:
        return {(level, number): hash_ for level, number, hash_ in connection.execute(asked)}


@contextmanager
def counted(database: Database) -> Iterator[list[str]]:
    """The statements that are read with in this time."""
    told: list[str] = []

    def tell(_: object, __: object, statement: str, *___: object) -> None:
        told.append(statement)

    event.listen(database.reader, "before_cursor_execute", tell)
    yield told
    event.remove(database.reader, "before_cursor_execute", tell)


# --- growing ----------------------------------------------------------------------------------


@pytest.mark.parametrize("page", [tree.PAGE, 7])
def test_a_tree_grown_in_any_steps(empty: Log, page: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether at once, one by one or by chance, however many are read at a time: the same nodes."""
    monkeypatch.setattr(tree, "PAGE", page)
    rng = random.Random(page)
    ways = [[SIZE], range(1, SIZE + 1), range(2, SIZE, 2), range(1, SIZE, 3)]
    ways += [sorted(rng.sample(range(1, SIZE), 6)) for _ in range(4)]
    for number, way in enumerate(ways):
        club = f"c{number}"
        made = grow(empty, club, SIZE)
        for upto in (*way, SIZE):
            keep(empty.database, club, upto)
        assert kept(empty.database, club) == rfc.complete_nodes(made), way


@pytest.mark.parametrize("size", range(1, 10))
def test_a_tree_of_few_events(empty: Log, size: int) -> None:
    """One event has no node above it, three have one, four have three."""
    made = grow(empty, "c1", size)
    keep(empty.database, "c1", size)
    found = kept(empty.database, "c1")
    assert len(found) == [0, 0, 1, 1, 3, 3, 4, 4, 7, 7][size]
    assert found == rfc.complete_nodes(made)


def test_growing_again_changes_nothing(empty: Log, forty_one: list[bytes]) -> None:
    """Nor does growing up to what is there long since."""
    before = kept(empty.database, "c1")
    for upto in (SIZE, 1, 16, 0):
        keep(empty.database, "c1", upto)
    assert kept(empty.database, "c1") == before == rfc.complete_nodes(forty_one)


@pytest.mark.parametrize(("upto", "under"), [(0, 0), (1, 0), (2, 2), (3, 2), (40, 40), (41, 40)])
def test_how_far_a_tree_has_grown(empty: Log, upto: int, under: int) -> None:
    """An event without its neighbour stands under no node yet."""
    grow(empty, "c1", SIZE)
    keep(empty.database, "c1", upto)
    with empty.database.read() as connection:
        assert tree.grown(connection, "c1") == under


def test_each_club_has_a_tree_of_its_own(empty: Log) -> None:
    made = {club: grow(empty, club, size) for club, size in (("c1", 9), ("c2", 13))}
    for club, size in (("c2", 5), ("c1", 9), ("c2", 13)):
        keep(empty.database, club, size)
    assert kept(empty.database, "c1") == rfc.complete_nodes(made["c1"])
    assert kept(empty.database, "c2") == rfc.complete_nodes(made["c2"])


def test_several_grow_a_tree_at_once(empty: Log, together: Together) -> None:
    """Given five that grow it at the same moment, to different sizes, then nobody is refused."""
    made = grow(empty, "c1", 300)
    sizes = (300, 299, 300, 150, 7)
    grown = together(*(lambda upto=upto: keep(empty.database, "c1", upto) for upto in sizes))
    assert grown == [None] * 5
    assert kept(empty.database, "c1") == rfc.complete_nodes(made)


def test_growing_that_is_undone_leaves_nothing(empty: Log) -> None:
    """The nodes are kept with the checkpoint that needs them, or not at all."""
    grow(empty, "c1", SIZE)
    with empty.database.writer.connect() as connection, connection.begin() as transaction:
        tree.grow(connection, "c1", SIZE)
        transaction.rollback()
    assert kept(empty.database, "c1") == {}


@pytest.mark.holds("somebody deletes an event below its locks before it is under a checkpoint")
@pytest.mark.parametrize("missing", [1, 5, 8, 9])
def test_a_log_that_lacks_an_event(log: Log, unlocked: Database, missing: int) -> None:
    """The tree does not close up over the gap: it tells the position, and keeps nothing."""
    log.append("table/a", 0, ("Drawn/1",) * 8)
    with unlocked.write() as connection:
        connection.execute(text(f"DELETE FROM events WHERE position = {missing}"))
    with pytest.raises(Refused) as refused:
        keep(log.database, "c1", 9)
    assert (refused.value.code, refused.value.params) == ("event_unknown", {"position": missing})
    assert kept(log.database, "c1") == {}


# --- roots and proofs -------------------------------------------------------------------------


@pytest.mark.parametrize("asked", [tree.ASKED, 3])
def test_roots_and_proofs_of_every_size(
    empty: Log, forty_one: list[bytes], asked: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All are those of the RFC, however many nodes one question names."""
    monkeypatch.setattr(tree, "ASKED", asked)
    with empty.database.read() as connection:
        for size in range(1, SIZE + 1):
            first = forty_one[:size]
            assert tree.root(connection, "c1", size) == rfc.mth(first)
            positions = range(1, size + 1)
            paths = tree.inclusions(connection, "c1", positions, size)
            assert paths == [rfc.path(position - 1, first) for position in positions]
            for smaller in (1, size // 2 or 1, size - 1 or 1, size):
                proof = tree.consistency(connection, "c1", smaller, size)
                assert proof == rfc.proof(smaller, first)


def test_roots_and_proofs_of_a_long_log(empty: Log) -> None:
    """Given a thousand events and some, then pairs taken by chance are proven as by the RFC."""
    rng, made = random.Random(6962), grow(empty, "c1", 1237)
    keep(empty.database, "c1", 1237)
    with empty.database.read() as connection:
        for _ in range(40):
            first, size = sorted(rng.sample(range(1, 1238), 2))
            assert tree.root(connection, "c1", size) == rfc.mth(made[:size])
            [path] = tree.inclusions(connection, "c1", [first], size)
            assert path == rfc.path(first - 1, made[:size])
            proof = tree.consistency(connection, "c1", first, size)
            assert proof == rfc.proof(first, made[:size])


def test_a_proof_is_short_however_long_the_log(empty: Log) -> None:
    """At most 2·log2(n) + 2 hashes, read with two questions: one for leaves, one for nodes."""
    for club, size in (("c1", 60), ("c2", 1900)):
        grow(empty, club, size)
        keep(empty.database, club, size)
        rng, most = random.Random(size), 2 * log2(size) + 2
        for first in rng.sample(range(1, size), 25):
            with counted(empty.database) as read, empty.database.read() as connection:
                [path] = tree.inclusions(connection, club, [first], size)
            assert (len(path) <= most, len(selects(read)) <= 2) == (True, True)
            with counted(empty.database) as read, empty.database.read() as connection:
                proof = tree.consistency(connection, club, first, size)
            assert (len(proof) <= most, len(selects(read)) <= 2) == (True, True)


def test_many_events_are_proven_with_few_questions(empty: Log) -> None:
    """All two hundred events of a hand, of a log of a thousand, in four questions."""
    grow(empty, "c1", 1000)
    keep(empty.database, "c1", 1000)
    with counted(empty.database) as read, empty.database.read() as connection:
        paths = tree.inclusions(connection, "c1", range(601, 801), 1000)
    assert len(paths) == 200
    assert len(selects(read)) <= 4


def selects(statements: list[str]) -> list[str]:
    """The statements that read, without those that begin a transaction."""
    return [one for one in statements if one.lstrip().upper().startswith("SELECT")]


# --- what is beyond ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("positions", "size"), [([1], 10), ([1], 12), ([9, 1], 8), ([0], 8), ([-1], 8), ([1, 41], 40)]
)
def test_an_inclusion_beyond_the_tree(empty: Log, positions: list[int], size: int) -> None:
    """What the tree has not come to, and what does not lie among the events, is not proven.

    (An event without its neighbour needs no node that is not there: that it is under no
    checkpoint yet is for `proving` to know.)
    """
    grow(empty, "c1", SIZE)
    keep(empty.database, "c1", 8)
    with empty.database.read() as connection, pytest.raises(Refused) as refused:
        tree.inclusions(connection, "c1", positions, size)
    assert refused.value.code == "not_under_a_checkpoint"


@pytest.mark.parametrize(("first", "second"), [(5, 10), (10, 10), (3, 44), (44, 44)])
def test_a_consistency_beyond_the_tree(empty: Log, first: int, second: int) -> None:
    """Equal sizes need no hash: there is nothing to read, so nothing is refused."""
    grow(empty, "c1", SIZE)
    keep(empty.database, "c1", 8)
    with empty.database.read() as connection:
        if first == second:
            assert tree.consistency(connection, "c1", first, second) == []
            return
        with pytest.raises(Refused, match="not_under_a_checkpoint"):
            tree.consistency(connection, "c1", first, second)


@pytest.mark.parametrize("size", [10, 16, 42, 100])
def test_a_root_beyond_the_tree(empty: Log, size: int) -> None:
    grow(empty, "c1", SIZE)
    keep(empty.database, "c1", 8)
    with empty.database.read() as connection, pytest.raises(Refused) as refused:
        tree.root(connection, "c1", size)
    assert refused.value.code == "not_under_a_checkpoint"


def test_another_clubs_log_has_no_tree(empty: Log, forty_one: list[bytes]) -> None:
    """Of a club that is not there nothing is proven; the root over nothing is that of nothing."""
    assert len(forty_one) == len(leaves(empty.database, "c1"))
    with empty.database.read() as connection:
        assert tree.root(connection, "c9", 0) == rfc.mth([])
        with pytest.raises(Refused, match="not_under_a_checkpoint"):
            tree.inclusions(connection, "c9", [1], 2)


def test_two_databases_have_the_same_nodes(sqlite_url: str, postgresql_url: str) -> None:
    """SQLite and PostgreSQL keep the same of the same log."""
    found = []
    for url in (sqlite_url, postgresql_url):
        with closing(Database.open(url)) as opened:
            grow(Log(opened), "c1", SIZE)
            keep(opened, "c1", SIZE)
            found.append(kept(opened, "c1"))
    assert found[0] == found[1]
    assert len(found[0]) == 20 + 10 + 5 + 2 + 1
