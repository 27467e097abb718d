"""What is shipped is whole: the wheel runs where the source tree is not."""

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SHIPPED = (
    "pyproject.toml",
    "README.md",
    "LICENSE",
    "wsgi.py",
    "ledger",
    "projections",
    "migrations",
    "examples",
)
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of a fresh environment with the wheel in it."""
    folder = tmp_path_factory.mktemp("wheel")
    environment = folder / "venv"
    venv.create(environment)
    install(build_wheel(folder), environment)
    lend_dependencies(environment)
    return environment / "bin"


def test_the_wheel_plays_a_demo_away_from_the_tree(installed: Path, tmp_path: Path) -> None:
    """An installed wheel founds a club, migrates its database and plays two hands."""
    data = tmp_path / "data"
    demo = run(installed / "paizhang", "demo", "--hands", "2", cwd=tmp_path, PAIZHANG_DATA=data)
    assert "club_" in demo
    assert any(data.iterdir())


@pytest.mark.parametrize(
    "package", ["wsgi", "ledger", "projections", "migrations", "paizhang_client"]
)
def test_the_wheel_brings_every_package(installed: Path, tmp_path: Path, package: str) -> None:
    """No package is found by way of the tree that the tests run in."""
    where = f"import importlib.util as u; print(u.find_spec({package!r}))"
    assert str(installed.parent) in run(installed / "python", "-c", where, cwd=tmp_path)


def build_wheel(folder: Path) -> Path:
    """Builds from a copy, so that nothing left in a `build` folder of the tree can get in."""
    copy = folder / "source"
    copy.mkdir()
    for part in SHIPPED:
        copy_part(ROOT / part, copy / part)
    subprocess.run(
        [*PIP, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, copy],
        check=True,
    )
    (wheel,) = folder.glob("*.whl")
    return wheel


def copy_part(part: Path, copy: Path) -> None:
    if part.is_dir():
        shutil.copytree(part, copy, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copyfile(part, copy)


def install(wheel: Path, environment: Path) -> None:
    python = environment / "bin" / "python"
    subprocess.run(
        [*PIP, "--python", python, "install", "--no-deps", "--no-index", wheel],
        check=True,
    )


def lend_dependencies(environment: Path) -> None:
    """Lets the environment import what is installed here, without downloading it again.

    The `.pth` files of the lent folder are not followed, so that the editable install stays out.
    """
    own = sysconfig.get_path("purelib", vars={"base": str(environment)})
    Path(own, "lent.pth").write_text(sysconfig.get_path("purelib"))


def run(program: Path, *arguments: str, cwd: Path, **settings: Path) -> str:
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("PAIZHANG_", "COVERAGE"))}
    environment = inherited | {name: str(value) for name, value in settings.items()}
    done = subprocess.run(
        [program, *arguments], cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
