"""The calls that may bring about what a bug's input holds: `{heap_new,heap_push,heap_free},heap_pop`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import Struct

from veer.findings.reaching.making import Unit
from veer.model.ownstruct import OwnStruct
from veer.model.program import Function, Program
from veer.model.types import ARGUMENT_LIST

_TEARS_DOWN = re.compile(
    r"(^|_)(free|destroy|term|terminate|delete|deinit|uninit|fini|finish|release|close)($|_)", re.I
)
"""What a function is called behind which an object is used no more, whether its memory is freed or not."""
MOST_FUNCTIONS = 16
"""Functions of one sequence: more of them have more sequences than a short search runs."""


class Chains(Struct, frozen=True):
    """Sequences of calls: as `--sequence` takes them, what they make, and which functions they are of."""

    sequence: str
    own: tuple[OwnStruct, ...]
    functions: tuple[str, ...]


def chains(unit: Unit, structs: Iterable[str]) -> Chains | None:
    """The sequences that work on these structs and end with the entry; None where nobody can make such calls.

    A static entry is reached through its callers, which any number of calls are of.
    """
    entry = unit.functions.get(unit.program.entry)
    if entry is None or takes_list(unit.program):
        return None
    last = _callers(unit, entry.name) if unit.program.is_internal(entry) else [entry.name]
    if not last:
        return None
    wanted = [*structs, *(name for each in last for name in unit.given(unit.functions[each]))]
    own, functions = _closure(unit, wanted, last)
    names = ",".join(functions)
    text = f"{{{names}}},{last[0]}" if last == [entry.name] else f"{{{names}}}"
    return Chains(text, tuple(own.values()), tuple(functions))


def takes_list(program: Program) -> bool:
    """Whether the entry takes a va_list, which no sequence has."""
    entry = program.function(program.entry)
    return entry is not None and any(program.types[each.type].name == ARGUMENT_LIST for each in entry.parameters)


def _callers(unit: Unit, entry: str) -> list[str]:
    """The functions for other sources by way of which a static one is called."""
    return [name for name in unit.callable if entry in unit.reached(name)][:MOST_FUNCTIONS]


def _closure(unit: Unit, wanted: Iterable[str], last: list[str]) -> tuple[dict[str, OwnStruct], list[str]]:
    """The structs, those that their functions need, and these functions: makers first, then what changes them."""
    own: dict[str, OwnStruct] = {}
    functions = dict.fromkeys(last)
    waiting = list(dict.fromkeys(wanted))
    while waiting:
        struct = waiting.pop(0)
        made = unit.made(struct) if struct not in own else None
        if made is None:
            continue
        own[struct] = made
        changing = [name for name, each in unit.callable.items() if struct in unit.given(each) and _changes(unit, each)]
        for name in [*(name for name, _ in made.makers), *changing]:
            if _TEARS_DOWN.search(name) or name in functions or len(functions) >= MOST_FUNCTIONS:
                continue
            functions[name] = None
            waiting += unit.given(unit.functions[name])
    return own, list(functions)


def _changes(unit: Unit, function: Function) -> bool:
    """Whether a function stores to fields of what it is given, or calls what nobody here knows of: free()."""
    own = unit.program.functions
    is_pure = not unit.structs_written(function.name) and unit.reached(function.name) <= {each.name for each in own}
    return not is_pure
