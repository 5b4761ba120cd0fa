"""Plug-ins by entry point: a group and a name → the object. veer's own are found first, and registered the same way."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from veer.model.errors import UsageError

_OWN = "veer."


def names(group: str) -> tuple[str, ...]:
    """The names that a group offers, veer's own first, each once."""
    return tuple(dict.fromkeys(point.name for point in _points(group)))


def find(group: str, name: str) -> Any:
    """What is registered under this name.

    Raises:
        UsageError: there is none of that name, or the package that offers it cannot be loaded.
    """
    point = next((each for each in _points(group) if each.name == name), None)
    if point is None:
        kind = group.removeprefix(_OWN).removesuffix("s")
        raise UsageError(f"there is no {kind} `{name}`; known are {', '.join(names(group))}")
    return load(point)


def load(point: EntryPoint) -> Any:
    """The object of an entry point. Raises UsageError when its package cannot be loaded."""
    try:
        return point.load()
    except Exception as error:  # whatever the package raises
        raise UsageError(f"{point.group} `{point.name}` of {point.value} cannot be loaded: {error}") from error


def _points(group: str) -> Iterator[EntryPoint]:
    found = entry_points(group=group)
    yield from (point for point in found if point.value.startswith(_OWN))
    yield from (point for point in found if not point.value.startswith(_OWN))
