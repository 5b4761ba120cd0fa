"""What a call left behind in a language of objects, as its runtime and its runs tell it (runtime/tracer/graphs.c).

R #1                                          what it returns
T @1                                          the object that it was called on
@1 F pkg.Node pkg.Node#value=I7 pkg.Node#next=#1
#1 A [I I1 I2

@1 is an input object by its number, #1 one that the call made. Values: I7 a number of a primitive type, bits in
hexadecimal; null; S61.62 a text by its units; bI5 a box; epkg.Color:52.45.44 a constant; ? what is not looked into.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

RESULT, OBJECT = "R", "T"
"""The roots."""


class Left(Struct, frozen=True):
    """An object: its class, then its elements, or its fields by "pkg.Type#field"."""

    name: str
    parts: tuple[tuple[str, str], ...]
    is_array: bool = False

    def part(self, name: str) -> str:
        """The value of a field, by its name without its class; "?" where there is none."""
        return next((value for each, value in self.parts if each.rpartition("#")[2] == name), "?")


class ObjectGraph(Struct, frozen=True):
    """The roots, and the objects by what leads to them ("@1", "#1")."""

    roots: dict[str, str]
    objects: dict[str, Left]


def read(lines: Sequence[str]) -> ObjectGraph:
    """The graph of a text."""
    roots, objects = dict[str, str](), dict[str, Left]()
    for line in lines:
        key, *words = line.split(" ")
        if key in (RESULT, OBJECT):
            roots[key] = words[0]
        elif len(words) > 1 and words[0] == "F":
            parts = (each.partition("=") for each in words[2:])
            objects[key] = Left(words[1], tuple((name, value) for name, _, value in parts))
        elif len(words) > 1:
            objects[key] = Left(
                words[1], tuple((f"[{at}]", value) for at, value in enumerate(words[2:])), is_array=True
            )
    return ObjectGraph(roots, objects)
