"""The house style, held by reading the tree."""

import ast
import re
import statistics
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("ledger", "projections", "migrations", "tests", "benchmarks", "examples", "docs")
SOURCES = {".py", ".js", ".css", ".html"}
NOT_OURS = {"vendor", "__pycache__"}
NAMELESS = {"utils", "util", "helpers", "helper", "services", "service", "managers", "manager"}
ELSEWHERE = re.compile(r"://|^\s*-{1,2}(i|f|index-url|extra-index-url|find-links)\b", re.MULTILINE)
SETTING = re.compile(r"PAIZHANG_[A-Z0-9_]*[A-Z0-9]")

Function = ast.FunctionDef | ast.AsyncFunctionDef


def test_no_file_outgrows_400_lines() -> None:
    """Every file can be read in one sitting."""
    lengths = {name(path): len(text(path).splitlines()) for path in handwritten()}
    assert {file: length for file, length in lengths.items() if length > 400} == {}


def test_no_function_outgrows_50_lines() -> None:
    """Every function fits on a screen."""
    assert {where: length for where, length in function_lengths().items() if length > 50} == {}


def test_functions_are_small() -> None:
    """Half of the functions have at most 8 lines, and at most one in twenty has over 30."""
    lengths = list(function_lengths().values())
    assert statistics.median(lengths) <= 8
    assert sum(length > 30 for length in lengths) <= len(lengths) / 20


@pytest.mark.parametrize("room", ["ledger", "projections", "examples"])
def test_public_functions_and_classes_say_what_they_are(room: str) -> None:
    """A public function or class of the two sides, and of what is copied, has a docstring."""
    silent = [
        f"{name(path)}: {node.name}"
        for path in handwritten_python()
        if path.relative_to(ROOT).parts[0] == room
        for node in tree(path).body
        if isinstance(node, Function | ast.ClassDef)
        if not node.name.startswith("_") and not ast.get_docstring(node)
    ]
    assert silent == []


def test_no_file_has_a_name_that_says_nothing() -> None:
    """A file is called after what it knows, never `utils` or `helpers`."""
    assert [name(path) for path in sources() if path.stem.lower() in NAMELESS] == []


def test_locked_requirements_name_no_place() -> None:
    """Pinned requirements name versions and hashes, never where somebody downloaded them."""
    locks = [*ROOT.glob("requirements/*"), *ROOT.glob("*lock*"), *ROOT.glob(".npmrc")]
    committed = [path for path in locks if path.name != "uv.lock"]
    assert [name(path) for path in committed if ELSEWHERE.search(text(path))] == []


def test_every_locked_requirement_has_a_hash() -> None:
    """What is installed is exactly what was pinned."""
    for lock in ROOT.glob("requirements/*.txt"):
        pins = re.findall(r"^[a-z].*?(?=^[a-z]|\Z)", text(lock), re.MULTILINE | re.DOTALL)
        assert pins
        assert [pin.split()[0] for pin in pins if "--hash=sha256:" not in pin] == []


@pytest.mark.parametrize("command", ["make run", "make test"])
def test_the_readme_and_the_makefile_agree(command: str) -> None:
    """The two commands of the README are targets of the Makefile."""
    target = command.removeprefix("make ")
    assert command in text(ROOT / "README.md")
    assert re.search(rf"^{target}:", text(ROOT / "Makefile"), re.MULTILINE)


def test_every_setting_is_documented() -> None:
    """The settings that the code reads are those that the docs list."""
    read = settings_named_in(ROOT / "ledger" / "settings.py")
    documented = settings_named_in(ROOT / "docs" / "settings.md")
    assert read == documented


def settings_named_in(path: Path) -> set[str]:
    """The variables by their plain names: a `_FILE` form belongs to the setting it carries."""
    return {setting.removesuffix("_FILE") for setting in SETTING.findall(text(path))}


@cache
def function_lengths() -> dict[str, int]:
    return {
        f"{name(path)}:{node.lineno} {node.name}": (node.end_lineno or 0) - node.lineno + 1
        for path in handwritten_python()
        for node in statements(tree(path))
        if isinstance(node, Function)
    }


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """Every statement below a node; functions stand among them, and never in an expression."""
    for name in ("body", "orelse", "handlers", "finalbody", "cases"):
        within = getattr(node, name, [])
        for one in within if isinstance(within, list) else []:
            yield one
            yield from statements(one)


def handwritten_python() -> Iterator[Path]:
    return (path for path in handwritten() if path.suffix == ".py")


def handwritten() -> Iterator[Path]:
    """The sources without the migrations, which are written once and never read as a whole."""
    return (path for path in sources() if "migrations/versions" not in path.as_posix())


def sources() -> Iterator[Path]:
    """Every source file of ours: at the top, and in the rooms."""
    found = [*ROOT.glob("*"), *(path for room in ROOMS for path in (ROOT / room).rglob("*"))]
    return (p for p in found if p.suffix in SOURCES and not NOT_OURS.intersection(p.parts))


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(text(path))


def text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()
