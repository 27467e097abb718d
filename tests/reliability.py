"""The tables that are made from the tests: `python -m tests.reliability` writes them.

A test says with `@pytest.mark.holds("…")` which fault it holds against, for docs/reliability.md,
and with `@pytest.mark.lie("…")` which lie it finds, for docs/trust.md.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parent
DOCS = TESTS.parent / "docs"
HEADS = {
    "holds": "| what goes wrong | what holds | the test |\n| --- | --- | --- |\n",
    "lie": "| what is not so | what finds it | the test |\n| --- | --- | --- |\n",
}
"""Each mark with the head of its table."""
PAGES = {"holds": DOCS / "reliability.md", "lie": DOCS / "trust.md"}


def marked(mark: str) -> Iterator[tuple[str, str, str]]:
    """What the tests are marked with, what each says in its first line or its name, and where."""
    for path in sorted(TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                named = node.name.removeprefix("test_").replace("_", " ").capitalize()
                said = (ast.get_docstring(node) or f"{named}.").partition("\n")[0]
                place = f"`{path.relative_to(TESTS.parent)}::{node.name}`"
                yield from ((what, said, place) for what in _told(node, mark))


def _told(function: ast.FunctionDef, mark: str) -> Iterator[str]:
    for decorator in function.decorator_list:
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == f"pytest.mark.{mark}":
            yield from (str(ast.literal_eval(what)) for what in decorator.args)


def table(mark: str) -> str:
    """What the tests are marked with, in order, a row each."""
    return HEADS[mark] + "".join(f"| {' | '.join(row)} |\n" for row in sorted(marked(mark)))


def page(mark: str) -> str:
    """The page with the table as the tests have it now."""
    before, _, _ = PAGES[mark].read_text(encoding="utf-8").partition(HEADS[mark])
    return before + table(mark)


if __name__ == "__main__":
    for each, file in PAGES.items():
        file.write_text(page(each), encoding="utf-8")
