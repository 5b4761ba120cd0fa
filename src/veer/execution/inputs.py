"""The leaves of a recorded run → its logical input map (CUTE section 3.1).

A leaf is (object, offset) → bits of the input; an object is a root, or was reached through a pointer leaf (`via`). A
pointer leaf is listed when it is first loaded, and behind one that leads to an earlier object the leaf, marked, whose
fresh object that is:

    p:0 = 1 (fresh → object 1)    object(via p:0):0 = 7    object(via p:0):8 = 2 (the object via p:0 → object 1)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, pairwise

import numpy as np
from msgspec import Struct, field

from veer.model.errors import ExecutorError
from veer.model.inputs import Cell, InputMap, MemoryObject, Pointer, Root, Scalar
from veer.model.literal import Leaf as Slot
from veer.model.literal import all_offered, flexible, leaves, object_leaves
from veer.model.program import Parameter
from veer.model.types import ExtentKind, Type, TypeKind
from veer.wire.layout import NONE, TARGET_MARK, Kind, LeafKind
from veer.wire.shared import Shared

_NULL, _FRESH = 0, 1
SINGLE = (ExtentKind.ONE, ExtentKind.FLEXIBLE)
"""Extents of pointers to one object, whose cells have no index."""
_OPEN = (ExtentKind.ONE, ExtentKind.COUNT, ExtentKind.FLEXIBLE)
"""Extents of pointers that are decided when they are followed, not when they are loaded (tracer/undecided.c)."""
_MOST_MEMBERS = 255
_MOST_CHOICES = 0xFFFF
"""Alternatives of a pointer leaf, less by its number among the pointers of a union (VEER_MOST_CHOICES)."""
UNION_OFFSET = 0x4000_0000
"""Added to the offset of what members of a union share: which of them it holds (VEER_UNION_OFFSET, unions.h)."""
COUNT_OFFSET = 0xFFFF_FFF0
"""Where an object's own count of elements lies (VEER_COUNT_OFFSET of runtime/include/veer_harness.h)."""


class _Leaf(Struct, frozen=True):
    """A leaf that the run made: its place, and its value in this run's input."""

    index: int
    object: int
    offset: int
    width: int
    kind: LeafKind
    bits: int
    member: int = 0  # of a pointer that lies where a union's made member does: its number among such pointers
    at: int = -1  # in the input

    @property
    def end(self) -> int:
        return self.offset + (self.width + 7) // 8


class _Owner(Struct):
    """A root or an object of the run while its contents are gathered; `pointer` is the type that led to it."""

    wire: int
    type: int
    name: str = ""
    occurrence: int = 0
    number: int = 0
    count: int = 0  # elements of an object whose pointer has the extent count; those behind what a length says
    pointer: Type | None = None
    path: str = ""
    leaves: dict[int, _Leaf] = field(default_factory=dict)
    holder: _Owner | None = None  # of an object: what holds the pointer to it, and where
    held_at: int = 0


def input_map(shared: Shared, types: Sequence[Type], parameters: Sequence[Parameter], raw: bytes) -> InputMap:
    """The input map of the last recorded run, whose input was `raw`.

    `parameters` of the entry that the run never looked at are added, undecided.

    Raises:
        ExecutorError: indices in the shared memory point nowhere.
    """
    return _Decoder(shared, types, raw).decode(parameters)


def _followed(shared: Shared) -> frozenset[int]:
    """The pointer leaves that the last run settled: each GUARD of a settled pointer asks about its leaf alone."""
    trace, nodes = shared.published("trace"), shared.published("nodes")
    literals = trace["literal"][trace["kind"] == Kind.GUARD]
    supports = nodes["support"][literals[literals < len(nodes)]]
    return frozenset((supports[(supports > 0) & (supports < TARGET_MARK)] - 1).tolist())


class _Decoder:
    def __init__(self, shared: Shared, types: Sequence[Type], raw: bytes) -> None:
        self._shared = shared
        self._types = types
        self._raw = raw
        self._records = shared.published("leaves")
        self._objects = shared.published("objects")
        self._owners: dict[int, _Owner] = {}  # by the object's index in the shared table
        self._reached: dict[int, _Owner] = {}  # by the pointer leaf that the fresh object hangs on
        self._targets: dict[int, Pointer] = {}  # by pointer leaf
        self._followed = _followed(shared)
        self._aliases: dict[int, int] = {}  # pointer leaf → the one whose fresh object it leads to

    def decode(self, parameters: Sequence[Parameter]) -> InputMap:
        """See input_map."""
        count = self._shared.run.run_leaf_count
        ids = self._shared.region("ids")[:count].tolist()
        self._aliases = {leaf: mark ^ TARGET_MARK for leaf, mark in pairwise(ids) if mark & TARGET_MARK}
        made = [self._leaf(index) for index in dict.fromkeys(ids) if not index & TARGET_MARK]
        for leaf in made:
            owner = self._owner(leaf.object)
            if leaf.offset == COUNT_OFFSET:
                owner.count = leaf.bits
            else:
                owner.leaves[leaf.offset] = leaf
        self._resolve_pointers([leaf for leaf in made if leaf.kind is LeafKind.CHOICE])
        roots = [o for o in self._owners.values() if not o.number and self._is_root(o.wire)]
        objects = sorted(self._reached.values(), key=lambda owner: owner.number)
        lengths = {(root.name, root.occurrence): next(iter(root.leaves.values())) for root in roots if root.leaves}
        decoded = [self._root(root) for root in roots]
        known = {root.name for root in decoded}
        decoded += [self._untouched(p) for p in parameters if p.name not in known and self._is_made(p)]
        order = {parameter.name: place for place, parameter in enumerate(parameters)}
        decoded.sort(key=lambda root: order.get(root.name, len(order)))
        return InputMap(tuple(decoded), tuple(self._object(o, lengths) for o in objects), self._raw)

    # -- from the shared memory ----------------------------------------------------------------------------------

    def _leaf(self, index: int) -> _Leaf:
        if index >= len(self._records):
            raise ExecutorError(f"the shared memory is damaged: no leaf {index}")
        record = self._records[index]
        start, width = int(record["input_offset"]), int(record["width"])
        bits = int.from_bytes(self._raw[start : start + (width + 7) // 8], "little")
        kind = LeafKind(int(record["kind"]))
        member = _MOST_CHOICES - int(record["maximum"])
        is_member = kind is LeafKind.CHOICE and 0 < member <= _MOST_MEMBERS
        number = member if is_member else 0
        return _Leaf(index, int(record["object"]), int(record["offset"]), width, kind, bits, number, start)

    def _owner(self, index: int) -> _Owner:
        owner = self._owners.get(index)
        if owner is None:
            if index >= len(self._objects):
                raise ExecutorError(f"the shared memory is damaged: no object {index}")
            record = self._objects[index]
            type_id = int(record["type"])
            owner = _Owner(index, type_id if type_id < len(self._types) else -1)
            if int(record["via"]) == NONE:
                owner.name = self._shared.name_at(int(record["name"]))
                owner.occurrence = int(record["occurrence"])
            self._owners[index] = owner
        return owner

    def _is_root(self, index: int) -> bool:
        return int(self._objects[index]["via"]) == NONE

    # -- pointers ------------------------------------------------------------------------------------------------

    def _resolve_pointers(self, choices: Sequence[_Leaf]) -> None:
        """Numbers fresh objects in the order of the decisions, and finds what aliases point to."""
        for leaf in choices:
            pointer = self._pointer_type(leaf)
            if pointer is None:
                continue  # an n-way choice of the harness: a number, no pointer
            if leaf.bits == _NULL:
                is_followed = pointer.extent not in _OPEN or leaf.index in self._followed
                self._targets[leaf.index] = Pointer(None, followed=is_followed)
            elif pointer.extent == ExtentKind.FUNCTION:
                self._targets[leaf.index] = Pointer(None, function=pointer.callback)
            elif leaf.bits == _FRESH:
                self._targets[leaf.index] = self._to(self._fresh(leaf, pointer), pointer)
            else:
                owner = self._reached.get(self._aliases.get(leaf.index, NONE))
                self._targets[leaf.index] = self._to(owner, pointer) if owner is not None else Pointer(None)

    def _to(self, owner: _Owner, pointer: Type) -> Pointer:
        """A pointer to an object, or to a part of it: as veer_leads_into of tracer/aliases.c has it."""
        if pointer.declared < 0 or not 0 <= owner.type < len(self._types):
            return Pointer(owner.number)
        made = self._types[owner.type]
        inside = pointer.inside if owner.type == pointer.target else 0
        if owner.type not in (pointer.target, pointer.declared):
            inside = self._first_member(made, pointer.declared) or 0
        if made.size and inside >= made.size:
            return Pointer(owner.number, inside=inside, part=f"[{inside // made.size}]")
        if owner.type == pointer.declared:
            return Pointer(owner.number)
        return Pointer(owner.number, inside=inside, part=self._member_at(made, inside, pointer.declared))

    def _first_member(self, type_: Type, wanted: int) -> int | None:
        """Where the first member of a type lies, in a struct within this one, too: has_member of tracer/aliases.c."""
        for each in type_.fields if type_.kind is TypeKind.STRUCT else ():
            if each.type == wanted:
                return each.offset
            if (inner := self._first_member(self._types[each.type], wanted)) is not None:
                return each.offset + inner
        return None

    def _member_at(self, type_: Type, offset: int, wanted: int) -> str:
        """The access path of the member of the wanted type that lies there; of any type where that is void."""
        for each in type_.fields if type_.kind is TypeKind.STRUCT else ():
            own = self._types[each.type]
            if not each.name or not each.offset <= offset < each.offset + max(own.size, 1):
                continue
            if each.offset == offset and (wanted in (0, each.type) or own.kind is not TypeKind.STRUCT):
                return f".{each.name}[0]" if own.kind is TypeKind.ARRAY else f".{each.name}"
            inner = self._member_at(own, offset - each.offset, wanted)
            return f".{each.name}{inner}" if inner else ""
        return ""

    def _pointer_type(self, leaf: _Leaf) -> Type | None:
        """The type of the pointer cell that a choice leaf stands for; None if it is no pointer."""
        owner = self._owner(leaf.object)
        if not 0 <= owner.type < len(self._types):
            return None
        type_ = self._types[owner.type]
        member, offset = flexible(self._types, type_), leaf.offset
        if member is not None and offset >= member.offset:
            type_ = self._types[self._types[member.type].target]
            offset -= member.offset
        offset = offset % type_.size if type_.size else offset
        if leaf.member:
            return next(
                (s.type for k, s in all_offered(self._types, type_) if (k, s.offset) == (leaf.member, offset)), None
            )
        slot = next((s for s in leaves(self._types, type_) if s.offset == offset), None)
        return slot.type if slot is not None and slot.type.kind == TypeKind.POINTER else None

    def _fresh(self, leaf: _Leaf, pointer: Type) -> _Owner:
        known = np.flatnonzero(self._objects["via"] == leaf.index)
        made = [int(o) for o in known if int(o) in self._owners] or [int(o) for o in known[-1:]]
        owner = self._owner(made[0]) if made else _Owner(-1, pointer.target)
        owner.number = len(self._reached) + 1
        owner.pointer = pointer
        owner.holder, owner.held_at = self._owner(leaf.object), leaf.offset
        owner.occurrence = owner.holder.occurrence
        owner.path = self._path_of(leaf)
        self._reached[leaf.index] = owner
        return owner

    def _path_of(self, leaf: _Leaf) -> str:
        """The C expression of a pointer cell: `p`, `s.next`, `p->next`, `q[2].link`."""
        owner = self._owner(leaf.object)
        slot = next((s for s in self._slots(owner, leaf.end) if s.offset == leaf.offset), None)
        if leaf.member:
            slot = self._member(owner, leaf, leaf.end)
        step = slot.path if slot is not None else f"[{leaf.offset}]"
        if owner.number and step.startswith("."):
            return f"{owner.path}->{step[1:]}"
        if owner.number:
            return f"{owner.path}{step}" if step else f"*{owner.path}"
        return f"{owner.name}{step}"

    # -- contents ------------------------------------------------------------------------------------------------

    def _member(self, owner: _Owner, leaf: _Leaf, size: int) -> Slot | None:
        """The pointer of a union's other member that was taken."""
        type_ = self._types[owner.type]
        single = self._is_single(owner) or not type_.size
        for index in range(1 if single else size // type_.size):
            for number, slot in all_offered(self._types, type_, index * type_.size, "" if single else f"[{index}]"):
                if (number, slot.offset) == (leaf.member, leaf.offset):
                    return slot
        return None

    def _is_single(self, owner: _Owner) -> bool:
        pointer = owner.pointer
        is_one = owner.count == 1 and (pointer is None or pointer.extent is not ExtentKind.LENGTH)
        return not owner.number or is_one or (pointer is not None and pointer.extent in SINGLE)

    def _slots(self, owner: _Owner, size: int) -> Iterator[Slot]:
        """The scalar and pointer cells of an owner's type within `size` bytes."""
        if not 0 <= owner.type < len(self._types):
            return
        type_ = self._types[owner.type]
        single = self._is_single(owner)
        count = 1 if single or not type_.size else size // type_.size
        for index in range(count):
            yield from leaves(self._types, type_, index * type_.size, "" if single else f"[{index}]")
        if owner.pointer is not None and owner.pointer.extent == ExtentKind.FLEXIBLE:
            yield from islice(object_leaves(self._types, type_, 1, size), len(list(leaves(self._types, type_))), None)

    def _cells(self, owner: _Owner, size: int) -> tuple[Cell, ...]:
        """All cells: those of the type, and leaves that the type does not explain (raw bytes)."""
        cells: dict[int, Cell] = {}
        for slot in self._slots(owner, size):
            is_end = slot.type.kind == TypeKind.POINTER and slot.type.extent == ExtentKind.END
            value = self._end(owner, slot) if is_end else self._value(owner.leaves.get(slot.offset), slot.type)
            cells[slot.offset] = Cell(slot.offset, slot.path, value)
        for leaf in owner.leaves.values():
            taken = self._member(owner, leaf, size) if leaf.member else None
            if taken is not None:
                for place in range(leaf.offset, leaf.end):
                    cells.pop(place, None)
                cells[leaf.offset] = Cell(leaf.offset, taken.path, self._value(leaf, taken.type))
        single = not cells and len(owner.leaves) == 1 and not owner.number and 0 in owner.leaves
        taken_over = {place for leaf in owner.leaves.values() if leaf.member for place in range(leaf.offset, leaf.end)}
        for offset in sorted(owner.leaves.keys() - cells.keys() - taken_over):
            leaf = owner.leaves[offset]
            if offset < size:
                path = "" if single else f"[{offset // max(1, leaf.width // 8)}]"
                cells[offset] = Cell(offset, path, Scalar(leaf.bits, leaf.width, leaf.kind.name.lower(), at=leaf.at))
        return tuple(cells[offset] for offset in sorted(cells))

    def _value(self, leaf: _Leaf | None, type_: Type) -> Scalar | Pointer:
        if type_.kind == TypeKind.POINTER:
            return self._targets.get(leaf.index, Pointer(None)) if leaf else Pointer(None, decided=False)
        if leaf is None:
            return Scalar(0, 8 * type_.size, type_.kind, used=False)
        return Scalar(leaf.bits, leaf.width, leaf.kind.name.lower(), at=leaf.at)

    def _end(self, owner: _Owner, slot: Slot) -> Pointer:
        """Where a member leads that is counted from another one, which a number in its place says."""
        leaf, start = owner.leaves.get(slot.offset), owner.leaves.get(slot.offset + slot.type.start)
        led = self._targets.get(start.index) if start is not None else None
        if leaf is None or led is None:
            return Pointer(None, decided=False)
        size = self._types[slot.type.target].size or 1 if slot.type.target >= 0 else 1
        return Pointer(led.target, into=leaf.bits * size if led.target is not None else 0)

    def _root(self, owner: _Owner) -> Root:
        size = self._types[owner.type].size if owner.type >= 0 else _end(owner)
        return Root(owner.name, owner.occurrence, owner.type, size, self._cells(owner, size))

    def _is_made(self, parameter: Parameter) -> bool:
        """Whether it is an input itself; of a parameter that is an open file the inputs are the file's."""
        is_open = parameter.type >= 0 and self._types[parameter.type].extent is ExtentKind.OPEN
        return not parameter.unsupported and not is_open

    def _untouched(self, parameter: Parameter) -> Root:
        owner = _Owner(-1, parameter.type, parameter.name)
        size = self._types[parameter.type].size
        return Root(parameter.name, 0, parameter.type, size, self._cells(owner, size))

    def _object(self, owner: _Owner, lengths: dict[tuple[str, int], _Leaf]) -> MemoryObject:
        element = (self._types[owner.type].size if owner.type >= 0 else 1) or 1
        count = self._elements(owner, element, lengths)
        size = max(count * element, self._flexible_end(owner))
        cells = self._cells(owner, size)
        if owner.pointer is not None and owner.pointer.extent == ExtentKind.STRING:
            cells = _terminated(cells, (count - 1) * element, element)
        return MemoryObject(owner.number, owner.path, owner.type, count, size, cells)

    def _flexible_end(self, owner: _Owner) -> int:
        """Where a struct's flexible array ends; 0 if it has none."""
        if owner.pointer is None or owner.pointer.extent != ExtentKind.FLEXIBLE:
            return 0
        type_ = self._types[owner.type]
        member, size = type_.fields[-1], self._types[self._types[type_.fields[-1].type].target].size
        counters = [each.offset for each in type_.fields if owner.pointer.length and each.name == owner.pointer.length]
        number = owner.count
        if counters and counters[0] in owner.leaves:
            leaf = owner.leaves[counters[0]]
            number = Scalar(leaf.bits, leaf.width, leaf.kind.name.lower()).number
        return member.offset + max(0, min(number, owner.pointer.maximum)) * size

    def _elements(self, owner: _Owner, element: int, lengths: dict[tuple[str, int], _Leaf]) -> int:
        """How many elements an object has, by the extent of the pointer that made it."""
        pointer, touched = owner.pointer, -(-_end(owner) // element)
        if pointer is not None and pointer.extent == ExtentKind.FLEXIBLE:
            return 1
        if pointer is None or pointer.extent == ExtentKind.ONE:
            return max(1, touched)
        if pointer.extent == ExtentKind.COUNT:
            return max(owner.count, touched, 1)
        if pointer.extent == ExtentKind.STRING:
            ends = [offset for offset, leaf in owner.leaves.items() if leaf.bits == 0]
            return min([*ends, _end(owner)]) // element + 1
        if pointer.extent == ExtentKind.LENGTH and pointer.end:
            counted = owner.holder.leaves.get(owner.held_at + pointer.end) if owner.holder is not None else None
            number = counted.bits if counted is not None else 0
            return max(touched, min(number, pointer.maximum) + owner.count)
        if pointer.extent == ExtentKind.LENGTH and (pointer.length, owner.occurrence) in lengths:
            leaf = lengths[pointer.length, owner.occurrence]
            number = Scalar(leaf.bits, leaf.width, leaf.kind.name.lower()).number
            return max(touched, min(number, pointer.maximum) + pointer.count + owner.count)
        return max(touched, pointer.maximum)


def _end(owner: _Owner) -> int:
    return max((leaf.end for leaf in owner.leaves.values()), default=0)


def _terminated(cells: tuple[Cell, ...], end: int, element: int) -> tuple[Cell, ...]:
    """A string's cells with the NUL at offset `end`, which is no leaf when the string has its greatest length."""
    made = tuple(cell for cell in cells if cell.offset < end)
    return (*made, Cell(end, f"[{end // element}]", Scalar(0, 8 * element, "char" if element == 1 else "unsigned")))
