"""The memory graph of a test's inputs, ready to be drawn: boxes with fields, and arrows between them.

p ──► cell_1 ┌──────────┐
             │ .v    3  │
             │ .next ●──┼─► cell_1
             └──────────┘
"""

from __future__ import annotations

from msgspec import Struct

from veer.model.arraywords import Part, folded
from veer.model.describe import object_names, type_at
from veer.model.inputs import Cell, InputMap, MemoryObject, Pointer, Root, Scalar
from veer.model.literal import image, leaves, scalar, string
from veer.model.program import Program
from veer.model.types import Type, TypeKind

_MOST_FIELDS = 24


class GraphField(Struct, frozen=True):
    """A line of a box: access path, value as C, and the box that it points to (empty: to none)."""

    path: str
    value: str
    target: str = ""


class GraphNode(Struct, frozen=True):
    """A box: a root (a parameter, a global) or an object; `type` as C source, empty for raw bytes."""

    name: str
    type: str
    is_root: bool
    fields: tuple[GraphField, ...]


def memory_graph(program: Program, inputs: InputMap) -> tuple[GraphNode, ...]:
    """Roots that hold pointers, and all objects; nothing when no pointer is among the inputs."""
    names = object_names(program, inputs)
    roots = [root for root in inputs.roots if any(isinstance(cell.value, Pointer) for cell in root.cells)]
    if not roots and not inputs.objects:
        return ()
    owners: list[Root | MemoryObject] = [*roots, *inputs.objects]
    return tuple(_box(program, owner, names) for owner in owners)


def _box(program: Program, owner: Root | MemoryObject, names: dict[int, str]) -> GraphNode:
    type_ = type_at(program, owner.type)
    is_root = isinstance(owner, Root)
    name = owner.name if isinstance(owner, Root) else names[owner.number]
    count = 1 if isinstance(owner, Root) else owner.count
    title = type_.name if type_ is not None else ""
    if count != 1 and title:
        title = f"{title} [{count}]"
    return GraphNode(name, title, is_root, _fields(program, type_, owner, count, names))


def _fields(
    program: Program, type_: Type | None, owner: Root | MemoryObject, count: int, names: dict[int, str]
) -> tuple[GraphField, ...]:
    if type_ is None or (type_.kind == TypeKind.CHAR and count > 1):
        return (GraphField("", string(image(owner.cells, owner.size))),)
    types = {
        leaf.offset: leaf.type
        for index in range(min(count, 256))
        for leaf in leaves(program.types, type_, index * type_.size)
    }
    fields = [_field(program, cell, types.get(cell.offset), names) for cell in owner.cells]
    parts = [Part(field.path, cell, field.value) for field, cell in zip(fields, owner.cells, strict=True)]
    own = {(field.path, field.value): field for field in fields}
    shown = [own.get(part, GraphField(*part)) for part in folded(parts)]
    more = len(shown) - _MOST_FIELDS
    return (*shown[:_MOST_FIELDS], GraphField("...", f"{more} more")) if more > 0 else tuple(shown)


def _field(program: Program, cell: Cell, type_: Type | None, names: dict[int, str]) -> GraphField:
    if isinstance(cell.value, Scalar):
        return GraphField(cell.path, scalar(cell.value, type_))
    if cell.value.target is None:
        return GraphField(cell.path, cell.value.function or program.null)
    name = names.get(cell.value.target, "")
    return GraphField(cell.path, f"&{name}" if name else "a pointer", name)
