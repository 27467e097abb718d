"""docs/exports.md is true: its commands run as they stand, its columns are those of the code."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from projections.exporting import export
from projections.exports.catalog import KINDS
from projections.exports.forms import FORMS
from tests.exports.columns import GUIDE, written
from tests.exports.conftest import Place

TEXT = GUIDE.read_text(encoding="utf-8")
COMMANDS = re.findall(r"^paizhang export (.*)$", TEXT, re.MULTILINE)


def test_columns_are_told_as_they_are() -> None:
    """`python -m tests.exports.columns` writes them."""
    assert written() == TEXT


def test_every_kind_and_every_form_has_its_command_or_its_line() -> None:
    """A reader finds each of them."""
    assert {command.split()[0] for command in COMMANDS} == KINDS.keys()
    assert set(re.findall(r"^\| `(\w+)` \| [a-zA-Z, ]+ \|", TEXT, re.MULTILINE)) >= FORMS.keys()


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_does_what_it_says(
    hostile: Place, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It leaves its file and a manifest that tells it."""
    monkeypatch.chdir(tmp_path)
    arguments = shlex.split(command.replace("$club", hostile.club))
    done = CliRunner().invoke(export, [*arguments, "--json"], obj=hostile)

    assert (done.exit_code, done.stderr) == (0, "")
    manifest = json.loads(done.stdout)
    data, beside = map(Path, manifest["paths"])
    assert data.stat().st_size == manifest["files"][0]["bytes"]
    assert json.loads(beside.read_bytes())["rows"] == manifest["rows"]
    assert sorted(one.name for one in tmp_path.iterdir()) == sorted([data.name, beside.name])
