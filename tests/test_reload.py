"""A new release comes in by a reload of the web, as its unit has it, and a broken one does not."""

from __future__ import annotations

import runpy
import shlex
import shutil
import signal
import subprocess
from pathlib import Path

import httpx
import pytest

from ledger.database import upgrade
from tests.deployed import DEPLOY, PATIENCE, TREE, Machine, commands, running
from tests.machine import free_port, until

AFTER_RELOAD = """
import runpy, sys
globals().update(runpy.run_path({config!r}))
def on_reload(_):
    print(*sorted({{name.partition(".")[0] for name in sys.modules}}), flush=True)
"""
"""A configuration of gunicorn that is another, and tells what its master has imported."""


@pytest.mark.holds("a new release is reloaded")
def test_a_reload_brings_the_new_code_and_no_code_that_does_not_start(tmp_path: Path) -> None:
    """From the unit's own lines: what is changed on the disk answers, and the master knew nothing.

    Code that does not start is tried first and not let in.
    """
    machine = _machine_with_its_own_tree(tmp_path)
    with running(machine, "paizhang-web") as [process]:
        until(lambda: _answers(machine))
        assert _quota(machine) == '"address";q=12000;w=60'

        change(machine.tree / "ledger" / "settings.py", "int = 12000", "int = 7777")
        assert _reload(machine, process) == 0
        until(lambda: _quota(machine) == '"address";q=7777;w=60')

        change(machine.tree / "ledger" / "logs.py", "import re\n", "import re, nowhere\n")
        assert _reload(machine, process) == 1
        assert _quota(machine) == '"address";q=7777;w=60'
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0
    imported = set(machine.log("paizhang-web").with_suffix(".out").read_text().split())
    assert {"gunicorn", "json"} <= imported
    assert imported & {"ledger", "projections", "wsgi", "flask", "structlog", "sqlalchemy"} == set()


def test_a_start_forgets_what_ended_processes_counted(tmp_path: Path) -> None:
    """Of the files of counts those of living processes and of other machines stay."""
    names = ("histogram_vm-1.db", "histogram_vm-4194999.db", "histogram_other-4194999.db")
    for name in names:
        (tmp_path / name).touch()
    config = runpy.run_path(str(DEPLOY / "gunicorn.conf.py"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PROMETHEUS_MULTIPROC_DIR", str(tmp_path))
        patch.setitem(config["on_starting"].__globals__, "gethostname", lambda: "vm")
        config["on_starting"](None)
    assert sorted(path.name for path in tmp_path.iterdir()) == [names[2], names[0]]


def test_gunicorn_says_a_wrong_setting_in_a_sentence(tmp_path: Path) -> None:
    """Given a port that is none, then gunicorn does not start, and shows no traceback."""
    machine = Machine(tmp_path, 0, "nobody")
    machine.set_up()
    _keep_secrets(machine, "sqlite:////nowhere/paizhang.db")
    with running(machine, "paizhang-web") as [process]:
        assert process.wait(PATIENCE) == 1
    assert machine.log("paizhang-web").read_text() == (
        "PAIZHANG_PORT is 0; it must be a whole number from 1 to 65535.\n"
    )


# --- a machine with a release of its own ------------------------------------------------------


def _machine_with_its_own_tree(folder: Path) -> Machine:
    """A machine on a copy of this release, with SQLite, on which code can be changed."""
    tree = folder / "tree"
    for room in ("ledger", "projections", "migrations", "deploy"):
        shutil.copytree(TREE / room, tree / room, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(TREE / "wsgi.py", tree)
    machine = Machine(folder, free_port(), "nobody", tree)
    machine.set_up()
    machine.variables["PYTHONPATH"] = str(tree)
    (tree / "deploy" / "gunicorn.conf.py").rename(tree / "deploy" / "own.py")
    telling = AFTER_RELOAD.format(config=str(tree / "deploy" / "own.py"))
    (tree / "deploy" / "gunicorn.conf.py").write_text(telling)
    url = f"sqlite:///{folder}/data/paizhang.db"
    upgrade(url)
    _keep_secrets(machine, url)
    return machine


def change(file: Path, old: str, new: str) -> None:
    """Change code on the disk in one place."""
    text = file.read_text()
    assert text.count(old) == 1
    file.write_text(text.replace(old, new))


def _keep_secrets(machine: Machine, database: str) -> None:
    for name in ("broker_url", "operator_token"):
        machine.keep_secret(name, "redis://localhost:9")
    machine.keep_secret("rate_store", "memory://")
    machine.keep_secret("database_url", database)


def _reload(machine: Machine, process: subprocess.Popen[bytes]) -> int:
    """Reload the web as its unit does; the status of the first command that fails."""
    for line in commands("paizhang-web", "ExecReload"):
        words = shlex.split(machine.here(line).replace("$MAINPID", str(process.pid)))
        done = subprocess.run(
            words, cwd=machine.folder, env=machine.settings(), capture_output=True, check=False
        )
        if done.returncode:
            return done.returncode
    return 0


def _answers(machine: Machine) -> bool:
    try:
        return _quota(machine) != ""
    except httpx.TransportError:
        return False


def _quota(machine: Machine) -> str:
    return httpx.get(f"{machine.base}/v1/rulesets", timeout=PATIENCE).headers["RateLimit-Policy"]
