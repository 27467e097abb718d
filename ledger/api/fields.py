"""The fields of what may be sent: bounded, of one type, and refused with a code.

A message of marshmallow's is a code of ledger/texts.py here, with the numbers of its sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from itertools import islice
from typing import Any

import marshmallow
from marshmallow import ValidationError, fields
from marshmallow.validate import ContainsNoneOf, Length, OneOf, Range, Regexp

from ledger.outcome import LONGEST_OPTION_NAME, MOST_OPTIONS
from ledger.record import microseconds
from ledger.refusal import Refused
from ledger.tiles import TILE

LONGEST_ROLE = 20
LARGEST = 2**53 - 1
"""The largest number that every reader of JSON reads alike."""
MOST_FAULTS = 50
"""How many faults are told at once; nobody reads more of them."""

NUMBER = re.compile("0|-?[1-9][0-9]{0,17}")

NUMBERS = re.compile(r"(\w+)=(.*?)(?: (?=\w+=)|\Z)")
"""The numbers of a message: `low=1 high=3`, `allowed=m, p, s`."""


def _codes(wanted: str) -> dict[str, Any]:
    """The codes of what may be wrong with a value that should be of some type of JSON."""
    wrong = f"field_type wanted={wanted}"
    return {
        "required": "field_missing",
        "null": "field_null",
        "unknown": "field_unknown",
        "type": wrong,
        "invalid": wrong,
        "invalid_utf8": wrong,
    }


OPTION_VALUE = {
    "anyOf": [
        {"type": ["boolean", "integer", "string"]},
        {
            "type": "array",
            "items": {"type": ["boolean", "integer", "string"]},
            "maxItems": MOST_OPTIONS,
        },
    ]
}
"""What an option may be: its own ruleset says which of these."""

OPTIONS_FORM: dict[str, Any] = {
    "additionalProperties": OPTION_VALUE,
    "maxProperties": MOST_OPTIONS,
}


class Body(marshmallow.Schema):
    """What may be sent; an unknown field is refused."""

    error_messages = _codes("object")


class Query(marshmallow.Schema):
    """The parameters that a query may have; an unknown one is refused."""

    error_messages = _codes("object") | {"unknown": "parameter_unknown"}


class BodyInvalid(Refused):
    """A body that has not its form: every fault with the place where it was found."""

    def __init__(self, messages: Any) -> None:
        """Take the faults over from marshmallow."""
        super().__init__("body_invalid")
        self.faults = tuple(islice(_faults(messages, ""), MOST_FAULTS))


class QueryInvalid(Refused):
    """Query parameters that have not their form; a pointer is the parameter's name."""

    def __init__(self, messages: Any) -> None:
        """Take the faults over from marshmallow."""
        super().__init__("query_invalid")
        self.faults = tuple(islice(_faults(messages, ""), MOST_FAULTS))


class Flag(fields.Boolean):
    """True or false, and nothing that is taken for it."""

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


class Items(fields.List[Any]):
    """A list whose length is judged before its items: a million wrong ones cost nothing."""

    def __init__(self, item: fields.Field[Any], low: int, high: int, **more: Any) -> None:
        """Take what each item is, and how many there may be."""
        self._length = Length(low, high, error="list_length low={min} high={max}")
        super().__init__(item, validate=self._length, **more)

    def _deserialize(self, value: Any, *args: Any, **more: Any) -> list[Any]:
        if isinstance(value, list):
            self._length(value)
        return super()._deserialize(value, *args, **more)


class Digits(fields.Integer):
    """A whole number of a query, written as a JSON number is: 17, not 017, +17 or 1_7."""

    def _deserialize(self, value: Any, *args: Any, **more: Any) -> Any:
        if NUMBER.fullmatch(value) is None:
            raise self.make_error("invalid", input=value)
        return super()._deserialize(value, *args, **more)


class Moment(fields.String):
    """A time of RFC 3339, read as microseconds of UTC."""

    def _deserialize(self, value: Any, *args: Any, **more: Any) -> Any:
        text = super()._deserialize(value, *args, **more)
        try:
            return microseconds(text)
        except ValueError:
            raise ValidationError("time_form") from None


class Day(fields.String):
    """A day of the calendar, in the one form that is in the order of its letters: 2026-11-28."""

    def _deserialize(self, value: Any, *args: Any, **more: Any) -> Any:
        text: str = super()._deserialize(value, *args, **more)
        try:
            if date.fromisoformat(text).isoformat() == text:
                return text
        except ValueError:
            pass
        raise ValidationError("date_form")


class Options(fields.Dict):
    """The options of a ruleset by name; each is checked by the ruleset itself."""

    def _deserialize(self, value: Any, *args: Any, **more: Any) -> dict[Any, Any]:
        options: dict[Any, Any]
        options = super()._deserialize(value, *args, **more)  # type: ignore[no-untyped-call]
        named = all(len(name) <= LONGEST_OPTION_NAME for name in options)
        if len(options) > MOST_OPTIONS or not named or not all(map(_is_plain, options.values())):
            raise ValidationError("options_form")
        return options


def text(low: int, high: int, **more: Any) -> fields.String:
    """A text of some length, without NUL, which a database may not hold."""
    length = Length(low, high, error="text_length low={min} high={max}")
    form = ContainsNoneOf("\0", error=f"text_form longest={high}")
    return fields.String(validate=(length, form), error_messages=_codes("string"), **more)


def matching(pattern: str, code: str, **more: Any) -> fields.String:
    """A text of one form."""
    form = Regexp(re.compile(f"(?:{pattern})\\Z"), error=code)
    told = {"pattern": f"^({pattern})$", **more.pop("metadata", {})}
    return fields.String(validate=form, error_messages=_codes("string"), metadata=told, **more)


def word(*allowed: str, **more: Any) -> fields.String:
    """One of some words."""
    one = OneOf(allowed, error="field_choice allowed=" + ", ".join(allowed))
    return fields.String(validate=one, error_messages=_codes("string"), **more)


def role(*allowed: str) -> fields.String:
    """A role; that it is none of these is for the ledger to say, which knows who may give which."""
    return text(1, LONGEST_ROLE, metadata={"enum": allowed})


def whole(low: int = -LARGEST, high: int = LARGEST, **more: Any) -> fields.Integer:
    """A whole number within bounds, written as a JSON number."""
    within = Range(low, high, error="field_range low={min} high={max}")
    return fields.Integer(strict=True, validate=within, error_messages=_codes("integer"), **more)


def digits(low: int, high: int = LARGEST, **more: Any) -> Digits:
    """A whole number within bounds, written in a query."""
    within = Range(low, high, error="field_range low={min} high={max}")
    return Digits(validate=within, error_messages=_codes("integer"), **more)


def flag(**more: Any) -> Flag:
    """True or false."""
    return Flag(error_messages=_codes("boolean"), **more)


def switch(**more: Any) -> fields.Boolean:
    """True or false, written in a query."""
    return fields.Boolean(
        truthy={"true"}, falsy={"false"}, error_messages=_codes("boolean"), **more
    )


def moment(**more: Any) -> Moment:
    """A time of RFC 3339."""
    told = {"format": "date-time", **more.pop("metadata", {})}
    return Moment(error_messages=_codes("string"), metadata=told, **more)


def day(**more: Any) -> Day:
    """A day of the calendar."""
    told = {"format": "date", **more.pop("metadata", {})}
    return Day(error_messages=_codes("string"), metadata=told, **more)


def each(item: fields.Field[Any], low: int, high: int, **more: Any) -> Items:
    """A list of so many items."""
    return Items(item, low, high, error_messages=_codes("array"), **more)


def nested(schema: type[Body], **more: Any) -> fields.Nested:
    """An object with a form of its own."""
    return fields.Nested(schema, error_messages=_codes("object"), **more)


def options(**more: Any) -> Options:
    """The options of a ruleset by name."""
    return Options(
        keys=fields.String(), error_messages=_codes("object"), metadata=OPTIONS_FORM, **more
    )


def tile(**more: Any) -> fields.String:
    """One tile as text: 5m, 7z."""
    return matching(TILE, "tile_form", **more)


def _is_plain(value: object) -> bool:
    if isinstance(value, list):
        return len(value) <= MOST_OPTIONS and all(isinstance(one, str | int) for one in value)
    return isinstance(value, str | int)


def _faults(messages: Any, pointer: str) -> Iterator[Refused]:
    """Each fault of a nested message, at its pointer."""
    if isinstance(messages, dict):
        for name, inner in messages.items():
            yield from _faults(inner, pointer if name == "_schema" else f"{pointer}/{step(name)}")
        return
    for message in messages:
        code, _, numbers = str(message).partition(" ")
        yield Refused(code, pointer=pointer, **dict(NUMBERS.findall(numbers)))


def step(name: object) -> str:
    """A name as one step of a JSON pointer."""
    return str(name).replace("~", "~0").replace("/", "~1")
