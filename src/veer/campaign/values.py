"""What a user gives for an option → the value of its field, checked: by the option's kind, bounds and choices.

A value from the command line is a text, a number or a list of texts; the Python API takes what `keywords.py` says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from veer.campaign.parsing import listed
from veer.model.buildoptions import OwnBound
from veer.model.errors import UsageError
from veer.model.option import Kind, Option

_MOST = (1 << 63) - 1
_UNITS = {"ms": 0.001, "s": 1.0, "": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}
_DURATION = re.compile(r"(\d+(?:\.\d+)?|\.\d+)\s*([a-z]*)")


def duration(text: str, option: str) -> float:
    """`500ms`, `60s`, `2m`, `1h`, `90` → seconds. Raises UsageError; no time at all is an error too."""
    matched = _DURATION.fullmatch(text.strip().lower())
    if matched is None or matched[2] not in _UNITS:
        raise UsageError(f"{option} {text}: that is no time; write it like 500ms, 60s or 2m")
    seconds = float(matched[1]) * _UNITS[matched[2]]
    if seconds <= 0:
        raise UsageError(f"{option} {text}: that leaves no time to run anything; write it like 500ms, 60s or 2m")
    return seconds


def chosen(options: Iterable[Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that these options set, with their values; those that are not given, or None, are left out.

    Raises UsageError for a value that cannot be.
    """
    values = {each.field: _value(each, given[each.name]) for each in options if given.get(each.name) is not None}
    return {field: value for field, value in values.items() if value is not None}


def own_bounds(options: Iterable[Option], given: Mapping[str, Any]) -> tuple[OwnBound, ...]:
    """The bounds of single parameters. Raises UsageError for what is none."""
    bounds = (each for each in options if each.kind is Kind.BOUND and given.get(each.name) is not None)
    return tuple(own for each in bounds for own in _bounds(each, given[each.name])[1])


def _value(option: Option, given: Any) -> Any:
    match option.kind:
        case Kind.SWITCH:
            return bool(given)
        case Kind.NUMBER:
            return _number(option, given) * option.unit
        case Kind.TIME:
            return duration(str(given), option.flag)
        case Kind.TEXT:
            return _known(option, given)
        case Kind.FILE:
            return Path(given)
        case Kind.TEXTS:
            return tuple(_several(given))
        case Kind.NAMES:
            return _names(option, listed(_several(given)))
        case Kind.BOUND:
            return _bounds(option, given)[0]


def _several(given: Any) -> Sequence[Any]:
    """One, or a sequence of them."""
    return [given] if isinstance(given, str | int) else list(given)


def _number(option: Option, given: Any) -> int:
    if isinstance(given, bool) or not isinstance(given, int):
        raise UsageError(f"{option.flag} {given}: that is no whole number")
    if option.least is not None and given < option.least:
        raise UsageError(f"{option.flag} {given}: it must be at least {option.least}")
    if given * option.unit > _MOST:
        raise UsageError(f"{option.flag} {given}: that is too large; at most {_MOST // option.unit}")
    return given


def _names(option: Option, given: Sequence[str]) -> tuple[str, ...]:
    """Each once; in the order of the choices, where all of them are known."""
    if not option.choices:
        return tuple(dict.fromkeys(given))
    names = {_known(option, name) for name in given}
    return tuple(name for name in option.choices if name in names)


def _known(option: Option, name: str) -> str:
    if option.choices and name not in option.choices:
        unknown = option.unknown or f"there is no such {option.name}"
        raise UsageError(f"{option.flag} {name}: {unknown}; known are {', '.join(option.choices)}")
    return name


def _bounds(option: Option, given: Any) -> tuple[int | None, tuple[OwnBound, ...]]:
    """The general bound, None if there is none, and those of single parameters."""
    most, own = None, []
    for each in _several(given):
        name, is_own, text = str(each).rpartition("=")
        if not re.fullmatch(r"[+-]?\d+", text.strip()) or (is_own and not re.fullmatch(r"\w+", name.strip())):
            raise UsageError(f"{option.flag} {each}: write {option.flag} N, or {option.flag} NAME=N for one parameter")
        number = int(text)
        if number < 0:
            raise UsageError(f"{option.flag} {each}: it must be at least 0")
        if is_own:
            own.append((option.flag.removeprefix("--"), name.strip(), number))
        else:
            most = number
    return most, tuple(own)
