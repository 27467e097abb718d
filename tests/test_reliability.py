"""The page about faults is true: each row is a test that is there and says so."""

from __future__ import annotations

from tests import reliability


def test_the_page_tells_what_the_tests_hold() -> None:
    """Written anew by `python -m tests.reliability`."""
    assert reliability.PAGE.read_text(encoding="utf-8") == reliability.page()


def test_no_row_is_lost() -> None:
    """Rows are added as faults are thought of."""
    assert len(list(reliability.faults())) >= 40
