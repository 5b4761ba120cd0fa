"""All memory graphs with so many objects at most, enumerated whole, as cases for the brute force's executable.

This is the check of lazy initialisation: veer, and the brute force's own search, decide a cell when it is first looked
at. Here every cell of every object has a value before the run begins, reached by it or not. Objects are made in breadth
first order, a pointer leads to NULL, to any object that is there, or to the next new one: each graph comes once,
however its objects might be numbered.

    p = @1   @1.next = @2   @1.prev = NULL   @2.next = NULL   @2.prev = @1
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from dataclasses import dataclass

from brute_header import Expectation, Target, Values

Cells = tuple[tuple[str, Values | Target], ...]
_SCALARS = {"unsigned char": ctypes.c_ubyte, "int": ctypes.c_int}


@dataclass(frozen=True)
class Slot:
    """A cell to decide: its owner's label in the replay's format, its offset, what it holds, and the owner's cells."""

    label: str
    offset: int
    content: Values | Target
    owner: Cells


def graphs(expectation: Expectation, callbacks: int = 3) -> Iterator[list[str]]:
    """The cases: every graph of at most `expectation.graphs` objects, every value, `callbacks` results."""
    layouts = _layouts(expectation.path.read_text())
    slots = [Slot(f"{each.name}#0", 0, each.cells[0][1], each.cells) for each in expectation.inputs]
    for number in range(callbacks if _stub(expectation) else 0):
        values = _stub(expectation)
        assert values is not None
        slots.append(Slot(f"veer_callback_1()#{number}", 0, values, ()))
    yield from _filled(slots, [], layouts, expectation.graphs or 0)


def _filled(slots: list[Slot], made: list[Cells], layouts: dict[str, dict[str, int]], most: int) -> Iterator[list[str]]:
    """Every way to fill the slots, first one first; objects that come about have their slots behind the others."""
    if not slots:
        yield []
        return
    slot, rest = slots[0], slots[1:]
    if isinstance(slot.content, Values):
        for low, high in slot.content.ranges or ():
            for value in range(low, high + 1):
                for below in _filled(rest, made, layouts, most):
                    yield [f"L {slot.label} {slot.offset} {value}", *below]
        return
    if slot.content.returns:
        for value in (-1, 0):
            for below in _filled(rest, made, layouts, most):
                yield [f"P {slot.label} {slot.offset} {value}", *below]
        return
    cells = slot.owner if slot.content.own else slot.content.cells
    choices = [-1, *(number for number, each in enumerate(made, 1) if each == cells)]
    for number in choices:
        for below in _filled(rest, made, layouts, most):
            yield [f"P {slot.label} {slot.offset} {number}", *below]
    if len(made) < most:
        number = len(made) + 1
        ctype = _target_type(layouts, cells)
        inner = [Slot(f"@{number}", layouts[ctype][path], content, cells) for path, content in cells]
        for below in _filled([*rest, *inner], [*made, cells], layouts, most):
            yield [f"P {slot.label} {slot.offset} {number}", *below]


def _target_type(layouts: dict[str, dict[str, int]], cells: Cells) -> str:
    """The struct that has exactly these members."""
    (found,) = [name for name, offsets in layouts.items() if set(offsets) == {path for path, _ in cells}]
    return found


def _layouts(text: str) -> dict[str, dict[str, int]]:
    """Struct → the offsets of its cells, by the layout that ctypes gives them."""
    found = {}
    for name, body in re.findall(r"^struct (\w+) \{ (.*) \};$", text, re.MULTILINE):
        members: list[tuple[str, type[ctypes._SimpleCData]]] = []
        for declaration in body.rstrip("; ").split("; "):
            base = next((each for each in _SCALARS if declaration.startswith(f"{each} ")), "")
            is_pointer = "*" in declaration
            for member in declaration.removeprefix(base).split(",") if "(" not in declaration else [declaration]:
                name_of = re.search(r"(\w+)\s*(?:\[(\d+)\])?\s*(?:\)\(.*)?$", member)
                assert name_of is not None
                paths = [f".{name_of[1]}[{k}]" for k in range(int(name_of[2]))] if name_of[2] else [f".{name_of[1]}"]
                members += [(path, ctypes.c_void_p if is_pointer else _SCALARS[base]) for path in paths]
        made = type(name, (ctypes.Structure,), {"_fields_": members})
        found[name] = {path: getattr(made, path).offset for path, _ in members}
    return found


def _stub(expectation: Expectation) -> Values | None:
    """The results of the function that pointers lead to, if there are such pointers."""
    for given in expectation.inputs:
        for _, content in given.cells:
            for _, inner in content.cells if isinstance(content, Target) else ():
                if isinstance(inner, Target) and inner.returns:
                    values = inner.cells[0][1]
                    assert isinstance(values, Values)
                    return values
    return None
