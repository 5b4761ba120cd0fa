"""Where the parts of a value lie: the leaves of a type that C can name one by one, and how they are written."""

from __future__ import annotations

from veer.model.literal import NAMELESS, Leaf, object_leaves
from veer.model.program import Program
from veer.model.types import Type


def assignable(program: Program, type_: Type, count: int, size: int = 0) -> list[Leaf]:
    """The leaves of an object that are alone at their bytes (two at the same bytes are bit-fields).

    `count` elements, or one with a flexible array within `size` bytes.
    """
    found = [leaf for leaf in object_leaves(program.types, type_, count, size) if NAMELESS not in leaf.path]
    found.sort(key=lambda leaf: leaf.offset)
    alone: list[Leaf] = []
    for position, leaf in enumerate(found):
        before = position > 0 and found[position - 1].offset + found[position - 1].type.size > leaf.offset
        behind = position + 1 < len(found) and leaf.offset + leaf.type.size > found[position + 1].offset
        if not before and not behind:
            alone.append(leaf)
    return alone


def place(name: str, path: str, *, is_block: bool, is_single: bool) -> str:
    """A part of a variable or of the block that it points to: `x.v`, `p->next`, `p[2].v`, `*p`."""
    if not is_block or not is_single:
        return name + path
    if path.startswith("."):
        return f"{name}->{path[1:]}"
    return f"(*{name}){path}" if path else f"*{name}"
