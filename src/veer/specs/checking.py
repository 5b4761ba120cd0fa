"""What the grammar lets pass and no specification may be: no event, and names that mean several things."""

from __future__ import annotations

from veer.model.values import replace
from veer.specs.language import (
    RESULT,
    Condition,
    Moment,
    Pattern,
    Specification,
)
from veer.specs.scanner import error


def checked(specification: Specification) -> Specification:
    """With the name that patterns share. Raises UsageError."""
    patterns = specification.patterns
    if not patterns:
        raise error(specification.place, "it names no event, and would never be looked at: name one, as `call f()`")
    named: dict[str, list[Pattern]] = {}
    for pattern in patterns:
        for name in pattern.names:
            named.setdefault(name, []).append(pattern)
    for atom in specification.atoms:
        if isinstance(atom, Condition):
            _check_words(atom, named)
    shared = [name for name, users in named.items() if len(users) > 1]
    if len(shared) > 1:
        place = named[shared[1]][1].place
        raise error(
            place,
            f"`{shared[0]}` and `{shared[1]}` stand in several events each, and one name may: "
            "give each event names of its own, or `_`",
        )
    if shared:
        _check_shared(shared[0], named[shared[0]])
    return replace(specification, shared=shared[0]) if shared else specification


def _check_words(condition: Condition, named: dict[str, list[Pattern]]) -> None:
    for word in condition.words:
        if word in named:
            event = named[word][0]
            raise error(
                condition.place,
                f"`{word}` is a value of `{event.text}`, known at that event alone: "
                f"write `{event.moment} {event.function}(...) where (...)`, or give the event's value another name",
            )
        if word == RESULT:
            raise error(condition.place, "`result` is known where a function returns: write `return f() where (...)`")


def _check_shared(name: str, users: list[Pattern]) -> None:
    """One place of an event has the name, so that an event is about one value."""
    places: dict[tuple[Moment, str], int] = {}
    for pattern in users:
        place = -1 if pattern.result == name else [each.name for each in pattern.arguments].index(name)
        if places.setdefault(pattern.event, place) != place:
            raise error(pattern.place, f"`{name}` is another value of {pattern.event[1]} than before: name it once")
