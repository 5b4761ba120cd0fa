"""The logical input map: logical location → typed value (CUTE section 3.1), as plain values for tests and reports.

    p            Pointer → object 1          int *p = &object_1
    object 1     struct cell
      .v         Scalar 7
      .next      Pointer → object 1          a cycle: alias of an earlier object

Objects are numbered in the order of their creation in the run; object 0 is not used. A root is a parameter, a global,
a stub's result, or an input that a harness named.
"""

from __future__ import annotations

from collections import Counter

from msgspec import Struct

from veer.model.sequence import Call


class Scalar(Struct, frozen=True, eq=False):
    """A leaf's value: `bits` as an unsigned integer of `width` bits; `kind` as wire.LeafKind's name in lower case.

    `at`: its place in the engine's form of the input, in bytes; -1 where it has none.
    """

    bits: int
    width: int
    kind: str
    used: bool = True  # False: the run never made this leaf; its value is arbitrary
    at: int = -1  # no part of what it is: comparisons leave it out

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scalar) and self._compared() == other._compared()

    def __hash__(self) -> int:
        return hash(self._compared())

    def _compared(self) -> tuple[int, int, str, bool]:
        return self.bits, self.width, self.kind, self.used

    @property
    def number(self) -> int:
        """The value as the program sees it (signed kinds are sign-extended)."""
        if self.kind in ("signed", "char") and self.bits >> (self.width - 1):
            return self.bits - (1 << self.width)
        return self.bits


class Pointer(Struct, frozen=True):
    """A pointer's value: None = NULL, else an object's number. `decided` is False if the run never looked at it.

    `into`: of one that is counted from another pointer, how many bytes behind the beginning of the object it leads;
    None for all others. `function` names the stub that a pointer to a function leads to; its `target` is None.
    `followed` is False if the run only passed it on, or compared it. `inside`: of one to a part of the object, how many
    bytes behind its beginning that lies; `part`: its access path, `.hook`, `[1]`.
    """

    target: int | None
    decided: bool = True
    function: str = ""
    followed: bool = True
    into: int | None = None
    inside: int = 0
    part: str = ""


class Cell(Struct, frozen=True):
    """One scalar or pointer at a byte offset of a root or an object; `path`: its access path, as `.next`, `[3].v`."""

    offset: int
    path: str
    value: Scalar | Pointer


def is_open(cell: Cell | None) -> bool:
    """Whether no run has looked at a reference: neither null nor an object is decided."""
    return cell is None or (isinstance(cell.value, Pointer) and not cell.value.decided)


class Root(Struct, frozen=True):
    """A root input: the `occurrence`-th input of that name; `type` is a Type id or -1 for raw bytes."""

    name: str
    occurrence: int
    type: int
    size: int
    cells: tuple[Cell, ...]


class MemoryObject(Struct, frozen=True):
    """An object that a pointer input reaches: `count` elements of `type`."""

    number: int
    path: str  # how it was first reached, e.g. `p->next`
    type: int
    count: int
    size: int
    cells: tuple[Cell, ...]


class InputMap(Struct, frozen=True):
    """All that a run took as input."""

    roots: tuple[Root, ...]
    objects: tuple[MemoryObject, ...]
    raw: bytes = b""  # the engine's own form, for replay in an executor
    calls: tuple[Call, ...] = ()  # of a sequence harness, in their order


def shared_objects(inputs: InputMap) -> int:
    """How many pointers lead to objects that another one leads to."""
    cells = [cell for root in inputs.roots for cell in root.cells]
    cells += [cell for item in inputs.objects for cell in item.cells]
    leads = (cell.value.target for cell in cells if isinstance(cell.value, Pointer) and cell.value.into is None)
    return sum(count - 1 for target, count in Counter(leads).items() if target)
