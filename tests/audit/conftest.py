"""A club with officers, and another house into which what a forger made of its log is put."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.audit.lines import Shared
from tests.audit.office import Office
from tests.lies.forging import House, house


@pytest.fixture(scope="package")
def office() -> Iterator[Office]:
    with house() as honest:
        yield Office(honest)


@pytest.fixture
def other() -> Iterator[House]:
    with house() as made:
        yield made


@pytest.fixture(scope="package")
def shared() -> Iterator[Shared]:
    with house() as honest:
        yield Shared(honest)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where an exported log lies."""
    return tmp_path / "events_158.ndjson"
