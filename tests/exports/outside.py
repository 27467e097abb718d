"""Programs of others that read what the exports write."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from projections.exports.asked import Asked
from projections.exports.making import make
from tests.exports.conftest import Place

PATIENCE = 60
BESIDE_PYTHON = Path(sys.executable).parent


def run(program: str, *words: object) -> subprocess.CompletedProcess[str]:
    """What a program says, in an environment that reads UTF-8 whatever the machine's is."""
    found = shutil.which(program, path=f"{BESIDE_PYTHON}:{os.environ['PATH']}")
    if found is None:
        told = f"NOT RUN: {program} is missing; `make system` installs it"
        assert "CI" not in os.environ, told
        pytest.skip(told)
    return subprocess.run(
        [found, *map(str, words)],
        env=os.environ | {"LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def made(place: Place, folder: Path, asked: Asked) -> Path:
    """The file of an export."""
    return folder / make(place.database, place.club, asked, folder, 0).files[0].name
