"""Where the parts of a value lie: the leaves of a type that C can name one by one, and how they are written."""

from __future__ import annotations

from veer.model.literal import NAMELESS, Leaf, leaves
from veer.model.program import Program, Type


def assignable(program: Program, type_: Type, count: int) -> list[Leaf]:
    """The leaves of `count` elements that are alone at their bytes (two at the same bytes are bit-fields)."""
    found: list[Leaf] = []
    for index in range(count):
        path = f"[{index}]" if count > 1 else ""
        found += leaves(program.types, type_, index * type_.size, path)
    found.sort(key=lambda leaf: leaf.offset)
    found = [leaf for leaf in found if NAMELESS not in leaf.path]
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
