"""Every word of a closed list that stands in an export has its Chinese name."""

from __future__ import annotations

import pytest

from ledger.streams.roles import ROLES
from projections.exports.catalog import KINDS
from projections.exports.words import WORDS
from projections.feeding import LABELS
from projections.journal import KINDS as ENTRY_KINDS
from projections.operator_log import ACTS
from tests.exports.conftest import Place
from tests.exports.made import Maker

LISTS = {
    "entries": ENTRY_KINDS,
    "acts": ACTS.values(),
    "roles": (*ROLES, "operator", "worker"),
    "labels": LABELS,
}


@pytest.mark.parametrize("name", LISTS)
def test_each_word_of_a_list_is_translated(name: str) -> None:
    """None stands in English among Chinese."""
    assert set(LISTS[name]) <= WORDS.keys()


def test_no_word_of_a_busy_club_is_left(
    hostile: Place, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Whatever a column of words holds."""
    maker = Maker(hostile.database, hostile.club, lambda: tmp_path_factory.mktemp("export"))
    told = {
        row[column.name]
        for kind in KINDS.values()
        if any(one.shape == "word" for one in kind.columns)
        for row in maker.rows(kind.name)
        for column in kind.columns
        if column.shape == "word" and row[column.name] is not None
    }
    assert {"settlement", "member_barred", "owner", "dissolved", "yes"} <= told
    assert told <= WORDS.keys()
