"""Names that a user gives: formats, lists of them, one of the known words."""

from __future__ import annotations

from collections.abc import Sequence

from veer.model.errors import UsageError


def one_of(value: str, known: Sequence[str], option: str) -> str:
    """The value; raises UsageError when it is none of the known ones."""
    if value not in known:
        raise UsageError(f"{option} {value}: there is no such {option.lstrip('-')}; known are {', '.join(known)}")
    return value


def listed(values: Sequence[str]) -> tuple[str, ...]:
    """Values that may be given one by one or with commas."""
    return tuple(part.strip() for value in values for part in value.split(",") if part.strip())


def formats(given: Sequence[str], known: Sequence[str]) -> tuple[str, ...]:
    """The formats that were asked for, each once. Raises UsageError for one that is not known."""
    return tuple(dict.fromkeys(one_of(name, known, "--format") for name in listed(given)))
