"""The pages about faults and lies are true: each row is a test that is there and says so."""

from __future__ import annotations

import pytest

from tests import reliability


@pytest.mark.parametrize("mark", reliability.PAGES)
def test_the_page_tells_what_the_tests_hold(mark: str) -> None:
    """Written anew by `python -m tests.reliability`."""
    written = reliability.PAGES[mark].read_text(encoding="utf-8")
    assert written == reliability.page(mark)


@pytest.mark.parametrize(("mark", "rows"), [("holds", 40), ("lie", 25)])
def test_no_row_is_lost(mark: str, rows: int) -> None:
    """Rows are added as faults and lies are thought of."""
    assert len(list(reliability.marked(mark))) >= rows
