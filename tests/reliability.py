"""The table of docs/reliability.md, made from the tests: `python -m tests.reliability` writes it.

A test says with `@pytest.mark.holds("…")` which fault it holds against; the table names both.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parent
PAGE = TESTS.parent / "docs" / "reliability.md"
HEAD = "| what goes wrong | what holds | the test |\n| --- | --- | --- |\n"


def faults() -> Iterator[tuple[str, str, str]]:
    """Each fault, what its test says of it in its first line or its name, and where it stands."""
    for path in sorted(TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                named = node.name.removeprefix("test_").replace("_", " ").capitalize()
                said = (ast.get_docstring(node) or f"{named}.").partition("\n")[0]
                place = f"`{path.relative_to(TESTS.parent)}::{node.name}`"
                yield from ((fault, said, place) for fault in _held(node))


def _held(function: ast.FunctionDef) -> Iterator[str]:
    for mark in function.decorator_list:
        if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.holds":
            yield from (str(ast.literal_eval(fault)) for fault in mark.args)


def table() -> str:
    """The faults in order, a row each."""
    return HEAD + "".join(f"| {' | '.join(row)} |\n" for row in sorted(faults()))


def page() -> str:
    """The page with the table as the tests have it now."""
    before, _, _ = PAGE.read_text(encoding="utf-8").partition(HEAD)
    return before + table()


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
