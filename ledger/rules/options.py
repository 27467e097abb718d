"""The options of a ruleset: fields of a frozen dataclass that describe themselves."""

from __future__ import annotations

import dataclasses
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import Struct

from ledger.refusal import Refused

T = TypeVar("T")
Kind = Literal["flag", "number", "choice", "set"]


GROUPS = {
    "table": ("Table", "牌桌"),
    "tiles": ("Tiles", "牌张"),
    "ready": ("Ready hands", "听牌"),
    "winning": ("Winning", "胡牌"),
    "kongs": ("Kongs", "杠"),
    "patterns": ("Patterns", "牌型"),
    "birds": ("Birds", "鸟"),
    "chickens": ("Chickens", "鸡"),
    "drawn": ("Drawn hands", "荒庄"),
}
"""What options are about, in the order in which a form shows them, with names for people."""


class OptionInfo(Struct, frozen=True):
    """What a form needs to know of an option: labels, group, kind, values, default, dependence."""

    name: str
    group: str
    en: str
    zh: str
    kind: Kind
    default: Any
    house_rule: bool
    choices: tuple[Any, ...]
    minimum: int | None
    maximum: int | None
    needs: dict[str, Any]


def flag(group: str, default: bool, en: str, zh: str, **more: Any) -> Any:
    """An option that is on or off."""
    return _option("flag", group, default, en, zh, **more)


def number(
    group: str, default: int, en: str, zh: str, minimum: int, maximum: int, **more: Any
) -> Any:
    """An option that is a whole number within bounds."""
    return _option("number", group, default, en, zh, minimum=minimum, maximum=maximum, **more)


def one_of(
    group: str, default: Any, en: str, zh: str, choices: tuple[Any, ...], **more: Any
) -> Any:
    """An option that is one of some values."""
    return _option("choice", group, default, en, zh, choices=choices, **more)


def any_of(group: str, en: str, zh: str, choices: tuple[str, ...], **more: Any) -> Any:
    """An option that is any selection of some values, none by default."""
    return _option("set", group, (), en, zh, choices=choices, **more)


def _option(kind: Kind, group: str, default: Any, en: str, zh: str, **more: Any) -> Any:
    about = {"kind": kind, "group": group, "en": en, "zh": zh, **more}
    return dataclasses.field(default=default, metadata=about)


def describe_options(options: type[Any]) -> tuple[OptionInfo, ...]:
    """The options of a ruleset as forms, docs and the API tell them."""
    return tuple(_describe(field) for field in dataclasses.fields(options))


def _describe(field: dataclasses.Field[Any]) -> OptionInfo:
    about = field.metadata
    return OptionInfo(
        name=field.name,
        group=about["group"],
        en=about["en"],
        zh=about["zh"],
        kind=about["kind"],
        default=field.default,
        house_rule=about.get("house_rule", False),
        choices=about.get("choices", ()),
        minimum=about.get("minimum"),
        maximum=about.get("maximum"),
        needs=about.get("needs", {}),
    )


def read_options(kind: type[T], given: dict[str, Any]) -> T:
    """The options of a table: what is given, checked by name, and the defaults of the rest."""
    known = {info.name: info for info in describe_options(kind)}
    for name in given:
        if name not in known:
            raise Refused("option_unknown", option=name, allowed=", ".join(known))
    return kind(**{name: _value(known[name], value) for name, value in given.items()})


def write_options(options: Any) -> dict[str, Any]:
    """All options as plain JSON values, in their own order, defaults filled in."""
    values = ((field.name, getattr(options, field.name)) for field in dataclasses.fields(options))
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values}


def _value(info: OptionInfo, value: Any) -> Any:
    """A value in an option's own form, or a refusal that names what is allowed."""
    if info.kind == "set" and isinstance(value, list | tuple):
        if len(set(map(repr, value))) == len(value) and all(one in info.choices for one in value):
            return tuple(choice for choice in info.choices if choice in value)
    elif _fits(info, value):
        return value
    raise Refused(
        "option_value",
        option=info.name,
        value=msgspec.json.encode(value).decode()[:40],
        allowed=_allowed(info),
    )


def _fits(info: OptionInfo, value: Any) -> bool:
    if info.kind == "flag":
        return isinstance(value, bool)
    if isinstance(value, bool) or not isinstance(value, type(info.default)):
        return False
    if info.kind == "choice":
        return value in info.choices
    return info.minimum is not None and info.minimum <= value <= (info.maximum or 0)


def _allowed(info: OptionInfo) -> str:
    if info.kind == "flag":
        return "true, false"
    if info.kind == "number":
        return f"{info.minimum}–{info.maximum}"
    return ", ".join(map(str, info.choices))
