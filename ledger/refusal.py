"""A refusal: what a caller asked for and may not have, said once for every room."""

from __future__ import annotations


class Refused(Exception):
    """A refusal by a stable code, with its parameters and the rule paragraph behind it.

    `code` never changes once published. `rule` is a paragraph of a ruleset's page, such as
    "huaihua/1 C3.5", or None where no rule of a game is in question. `pointer` is a JSON
    pointer into what the caller sent. The sentence a reader sees is chosen from the code's
    text at the edge, in the reader's language.
    """

    def __init__(
        self, code: str, *, rule: str | None = None, pointer: str = "", **params: object
    ) -> None:
        """Name the refusal; `params` fill the gaps in its text."""
        super().__init__(code)
        self.code = code
        self.rule = rule
        self.pointer = pointer
        self.params = params

    def at(self, pointer: str) -> Refused:
        """The same refusal, found at a place further up in what the caller sent."""
        return Refused(self.code, rule=self.rule, pointer=pointer + self.pointer, **self.params)

    def __str__(self) -> str:
        """The code with its parameters, for logs."""
        said = ", ".join(f"{name}={value}" for name, value in self.params.items())
        return f"{self.code}({said})"
