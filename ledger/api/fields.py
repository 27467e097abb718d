"""The fields of what may be sent: bounded, of one type, and refused with a code.

A message of marshmallow's is a code of ledger/texts.py here, with the numbers of its sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import marshmallow
import msgspec
from marshmallow import ValidationError, fields
from marshmallow.validate import ContainsNoneOf, Length, OneOf, Range, Regexp

from ledger.refusal import Refused

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MOST_OPTIONS = 64
LONGEST_OPTION_NAME = 64
LARGEST = 2**53 - 1
"""The largest number that every reader of JSON reads alike."""

CODES: dict[str, Any] = {
    "required": "field_missing",
    "null": "field_null",
    "unknown": "field_unknown",
    "type": "field_type",
    "invalid": "field_type",
    "invalid_utf8": "field_type",
}


class Body(marshmallow.Schema):
    """What may be sent; an unknown field is refused."""

    error_messages = CODES


class BodyInvalid(Refused):
    """A body that has not its form: every fault with the place where it was found."""

    def __init__(self, messages: Any) -> None:
        """Take the faults over from marshmallow."""
        super().__init__("body_invalid")
        self.faults = tuple(_faults(messages, ""))


class QueryInvalid(Refused):
    """Query parameters that have not their form; a pointer is the parameter's name."""

    def __init__(self, messages: Any) -> None:
        """Take the faults over from marshmallow."""
        super().__init__("query_invalid")
        self.faults = tuple(_faults(messages, ""))


class Flag(fields.Boolean):
    """True or false, and nothing that is taken for it."""

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


class Moment(fields.String):
    """A time of RFC 3339, read as microseconds of UTC."""

    def _deserialize(self, value: Any, *args: Any, **more: Any) -> Any:
        text = super()._deserialize(value, *args, **more)
        try:
            moment = msgspec.convert(text, datetime)
            whole = (moment - EPOCH) // EPOCH.resolution
        except (msgspec.ValidationError, TypeError):
            raise ValidationError("time_form") from None
        if whole < 0:
            raise ValidationError("time_form")
        return whole


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
    return fields.String(validate=(length, form), error_messages=CODES, **more)


def matching(pattern: str, code: str, **more: Any) -> fields.String:
    """A text of one form."""
    form = Regexp(re.compile(f"(?:{pattern})\\Z"), error=code)
    return fields.String(
        validate=form, error_messages=CODES, metadata={"pattern": f"^({pattern})$"}, **more
    )


def word(*allowed: str, **more: Any) -> fields.String:
    """One of some words."""
    one = OneOf(allowed, error="field_choice allowed=" + ",".join(allowed))
    return fields.String(validate=one, error_messages=CODES, **more)


def whole(low: int = -LARGEST, high: int = LARGEST, **more: Any) -> fields.Integer:
    """A whole number within bounds, written as a JSON number."""
    within = Range(low, high, error="field_range low={min} high={max}")
    return fields.Integer(strict=True, validate=within, error_messages=CODES, **more)


def digits(low: int, high: int = LARGEST, **more: Any) -> fields.Integer:
    """A whole number within bounds, written in a query."""
    within = Range(low, high, error="field_range low={min} high={max}")
    return fields.Integer(validate=within, error_messages=CODES, **more)


def flag(**more: Any) -> Flag:
    """True or false."""
    return Flag(error_messages=CODES, **more)


def moment(**more: Any) -> Moment:
    """A time of RFC 3339."""
    return Moment(error_messages=CODES, metadata={"format": "date-time"}, **more)


def each(item: fields.Field[Any], low: int, high: int, **more: Any) -> fields.List[Any]:
    """A list of so many items."""
    length = Length(low, high, error="list_length low={min} high={max}")
    return fields.List(item, validate=length, error_messages=CODES, **more)


def nested(schema: type[Body], **more: Any) -> fields.Nested:
    """An object with a form of its own."""
    return fields.Nested(schema, error_messages=CODES, **more)


def options(**more: Any) -> Options:
    """The options of a ruleset by name."""
    return Options(keys=fields.String(), error_messages=CODES, **more)


def tile(**more: Any) -> fields.String:
    """One tile as text: 5m, 7z."""
    return matching("[1-9][mps]|[1-7]z", "tile_form", **more)


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
        code, *numbers = str(message).split(" ")
        yield Refused(code, pointer=pointer, **dict(pair.split("=", 1) for pair in numbers))


def step(name: object) -> str:
    """A name as one step of a JSON pointer."""
    return str(name).replace("~", "~0").replace("/", "~1")
