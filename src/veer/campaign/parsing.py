"""Values of options, on the command line and in the Python API: durations, numbers, names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from veer.model.errors import UsageError

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


def one_of(value: str, known: Sequence[str], option: str) -> str:
    """The value; raises UsageError when it is none of the known ones."""
    if value not in known:
        raise UsageError(f"{option} {value}: there is no such {option.lstrip('-')}; known are {', '.join(known)}")
    return value


def at_least(number: int, least: int, option: str) -> int:
    """The number; raises UsageError when it is smaller."""
    if number < least:
        raise UsageError(f"{option} {number}: it must be at least {least}")
    return number


def bounds(
    given: int | str | Sequence[int | str], default: int, option: str
) -> tuple[int, tuple[tuple[str, str, int], ...]]:
    """`N` and `NAME=N`, given again or as a sequence → the general bound, and those of single parameters.

    Raises UsageError for what is neither.
    """
    most, own = default, []
    for each in [given] if isinstance(given, (int, str)) else given:
        name, is_own, number = str(each).rpartition("=")
        if not re.fullmatch(r"[+-]?\d+", number.strip()) or (is_own and not re.fullmatch(r"\w+", name.strip())):
            raise UsageError(f"{option} {each}: write {option} N, or {option} NAME=N for one parameter")
        if is_own:
            own.append((option.removeprefix("--"), name.strip(), _within(int(number), f"{option} {each}")))
        else:
            most = _within(int(number), f"{option} {each}")
    return most, tuple(own)


def _within(number: int, asked: str) -> int:
    if number < 0:
        raise UsageError(f"{asked}: it must be at least 0")
    return number


def listed(values: Sequence[str]) -> tuple[str, ...]:
    """Values that may be given one by one or with commas."""
    return tuple(part.strip() for value in values for part in value.split(",") if part.strip())


def formats(given: Sequence[str], known: Sequence[str]) -> tuple[str, ...]:
    """The formats that were asked for, each once. Raises UsageError for one that is not known."""
    return tuple(dict.fromkeys(one_of(name, known, "--format") for name in listed(given)))
