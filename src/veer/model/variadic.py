"""The arguments behind `...` of an entry: one more parameter of it, a list of arguments as a va_list has them.

    int put(const char *format, ...)        format, rest → 8 arguments, each a number, a text or a `double`
    put("%d %f", 7ll, 2.5)                  a call in a suite

What reads an argument says which it is (docs/decisions/0447, 0570).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import chain, count

from msgspec import Struct

from veer.model.inputs import InputMap, Pointer, Root, Scalar
from veer.model.program import Function, Program
from veer.model.types import ARGUMENT_LIST, Type

MOST_ARGUMENTS = 8
"""So many a list has."""
READ = "..."
"""Begins the name of a root that says which argument was read: `...0`, or as a floating-point number `...0.real`."""
REAL = ".real"
_SIZE = 8
_NAME = "rest"


def rest_name(taken: Collection[str]) -> str:
    """What the arguments behind `...` are called, beside parameters of these names."""
    names = chain((_NAME,), (f"{_NAME}_{number}" for number in count(2)))
    return next(name for name in names if name not in taken)


def has_rest(function: Function, types: Sequence[Type]) -> bool:
    """Whether the last parameter is what the function gets behind `...`."""
    last = function.parameters[-1] if function.variadic and function.parameters else None
    return last is not None and last.type >= 0 and types[last.type].name == ARGUMENT_LIST


def takes_list(program: Program) -> bool:
    """Whether a parameter of the entry is a va_list."""
    entry = program.function(program.entry)
    if entry is None:
        return False
    declared = entry.parameters[:-1] if has_rest(entry, program.types) else entry.parameters
    return any(each.type >= 0 and program.types[each.type].name == ARGUMENT_LIST for each in declared)


class Argument(Struct, frozen=True):
    """An argument that a run read; `value` is None where no input tells it."""

    value: Scalar | Pointer | None
    is_real: bool  # it was read as a floating-point number


def arguments(program: Program, inputs: InputMap) -> tuple[Argument, ...]:
    """What a run read behind `...`, up to the last argument that it read."""
    reads = [root.name.removeprefix(READ) for root in inputs.roots if is_read(root)]
    reals = {int(each.removesuffix(REAL)) for each in reads if each.endswith(REAL)}
    count = max((int(each.removesuffix(REAL)) + 1 for each in reads), default=0)
    found = rest_list(program, inputs)
    cells = [cell for item in inputs.objects if found and item.number == found[1] for cell in item.cells]
    values = {cell.offset // _SIZE: cell.value for cell in cells}
    return tuple(Argument(values.get(place), place in reals) for place in range(count))


def rest_list(program: Program, inputs: InputMap) -> tuple[Root, int | None] | None:
    """The input that leads to the arguments behind `...`, and the number of the object that they lie in, None where
    nobody read one. None if the entry has no such arguments."""
    entry = program.function(program.entry)
    if entry is None or not has_rest(entry, program.types):
        return None
    lists = [root for root in inputs.roots if root.name == entry.parameters[-1].name and root.cells]
    value = lists[0].cells[0].value if lists else None
    return (lists[0], value.target) if isinstance(value, Pointer) else None


def is_read(root: Root) -> bool:
    """Whether this is no input of the program's: it says that an argument was read."""
    return root.name.startswith(READ)
