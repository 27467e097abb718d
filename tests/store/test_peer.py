"""The recorder cases that ship in the package `eventsourcing`, run against our store.

They run as they ship, none is adapted. Left out is what the package itself calls optional and
does not run on SQLite: a subscription, for which our readers ask by position instead.
"""

from __future__ import annotations

import threading
import unittest

import pytest
from eventsourcing.tests import persistence as theirs

from ledger import store
from ledger.database import Database
from tests.store.peer import CLUB, Aggregates, Application


class OnOurStore:
    """What makes a case run here; pytest is not to collect it by itself, without a database."""

    __test__ = False
    database: Database


class AggregateCase(OnOurStore, theirs.AggregateRecorderTestCase):
    def create_recorder(self) -> Aggregates:
        return Aggregates(self.database)


class ApplicationCase(OnOurStore, theirs.ApplicationRecorderTestCase):
    def create_recorder(self) -> Application:
        return Application(self.database)


class NonInterleavingCase(OnOurStore, theirs.NonInterleavingNotificationIDsBaseCase):
    def create_recorder(self) -> Application:
        return Application(self.database)


Case = AggregateCase | ApplicationCase | NonInterleavingCase

WRITTEN: list[tuple[type[Case], str, int]] = [
    (AggregateCase, "test_insert_and_select", 4),
    (AggregateCase, "test_performance", 110),
    (ApplicationCase, "test_concurrent_no_conflicts", 10_000),
    (ApplicationCase, "test_concurrent_throughput", 700),
    (ApplicationCase, "test_insert_select", 3),
    (ApplicationCase, "test_performance", 110),
    (NonInterleavingCase, "test", 2_000),
]
"""Each test of each case, with the number of events that it writes."""


@pytest.mark.holds("ten threads append batches, as the cases of the package eventsourcing have it")
@pytest.mark.parametrize(("case", "test", "events"), WRITTEN)
def test_a_case_of_the_peer(case: type[Case], test: str, events: int, database: Database) -> None:
    """It passes, and every event that it wrote is there, at positions without a gap."""
    running = set(threading.enumerate())
    run = case(test)
    run.database = database

    run.debug()

    for reader in set(threading.enumerate()) - running:
        reader.join()
    with database.read() as connection:
        log = store.read_log(connection, CLUB, after=0, limit=store.NO_END)
    assert [event.position for event in log] == list(range(1, events + 1))


@pytest.mark.parametrize("case", [AggregateCase, ApplicationCase, NonInterleavingCase])
def test_no_test_of_a_case_is_left_out(case: type[Case]) -> None:
    """A test that a later release of the package adds is run too."""
    named = [test for of, test, _ in WRITTEN if of is case]
    assert unittest.TestLoader().getTestCaseNames(case) == named
