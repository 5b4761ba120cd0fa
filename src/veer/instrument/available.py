"""Loads that need no test: the same bytes were loaded or stored before, and nothing may have changed them since.

    %a = load i32, ptr %p        tested
    ...                          no call, no store that may overlap
    %b = load i32, ptr %q        %q is the same address as %p: a plain load, its shadow is that of %a

The address is the same when it is computed by the same operations from the same values. What is known at the end of a
block holds at the beginning of one that has no other predecessor. The loads themselves stay, so that nothing depends on
this but the cost of the tests.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from veer.instrument.instructions import Instruction
from veer.instrument.lexer import Operand
from veer.instrument.module import Block, successors
from veer.instrument.opcodes import BINARY, CASTS
from veer.instrument.symbolic import address_terms
from veer.instrument.taint import Step
from veer.instrument.typelayout import Layout

_MOST_KNOWN = 64
_MOST_DEPTH = 32


class _Place(Struct, frozen=True):
    """Bytes in memory: `offset` from a base that has a number, and the type of what lies there."""

    base: int
    offset: int
    type: str


class LoadedValue(Struct, frozen=True):
    """What lies at a place: the value and its shadows."""

    value: str
    shadows: tuple[str, ...]


class AvailableLoads:
    """What is known at the current point of one function. Blocks are visited in the order of the text."""

    def __init__(self, layout: Layout, blocks: tuple[Block, ...], steps: Sequence[Step]) -> None:
        self._layout = layout
        self._predecessors = _only_predecessors(blocks)
        self._definitions = {step.instruction.result: step.instruction for step in steps if step.instruction.result}
        self._numbers: dict[object, int] = {}
        self._of_value: dict[str, int] = {}
        self._objects: set[int] = set()  # numbers of addresses of distinct objects
        self._known: dict[_Place, LoadedValue] = {}
        self._at_end: dict[int, dict[_Place, LoadedValue]] = {}

    def note_object(self, value: str) -> None:
        """The value is the address of a local or global of its own."""
        self._objects.add(self._number(Operand("ptr", value)))

    def enter(self, block: int) -> None:
        """Begins a block."""
        before = self._predecessors.get(block)
        self._known = dict(self._at_end.get(before, ())) if before is not None else {}

    def leave(self, block: int) -> None:
        """Ends it."""
        self._at_end[block] = self._known

    def forget(self) -> None:
        """Something may have written anywhere."""
        self._known.clear()

    def load(self, instruction: Instruction) -> LoadedValue | None:
        """What a load gives, if that is known."""
        if not _is_plain(instruction):
            return None
        found = self._known.get(self._place(instruction.operands[0], instruction.type))
        if found is not None and instruction.result not in self._of_value:
            self._of_value[instruction.result] = self._number(Operand(instruction.type, found.value))
        return found

    def loaded(self, instruction: Instruction, shadows: tuple[str, ...]) -> None:
        """A load was made and tested."""
        if shadows and _is_plain(instruction):
            self._note(self._place(instruction.operands[0], instruction.type), LoadedValue(instruction.result, shadows))

    def stored(self, instruction: Instruction, value: Operand, shadows: tuple[str, ...]) -> None:
        """A store was made and tested."""
        place = self._place(instruction.operands[1], value.type)
        self._known = {other: known for other, known in self._known.items() if self._are_apart(place, other)}
        # The shadow in memory is that of a whole number of bytes.
        if _is_plain(instruction) and self._layout.width(value.type) == 8 * self._layout.store_size(value.type):
            self._note(place, LoadedValue(value.value, shadows))

    def _note(self, place: _Place, known: LoadedValue) -> None:
        if len(self._known) < _MOST_KNOWN:
            self._known[place] = known

    def _are_apart(self, one: _Place, other: _Place) -> bool:
        if one.base != other.base:
            return one.base in self._objects and other.base in self._objects
        size = self._layout.store_size
        return one.offset + size(one.type) <= other.offset or other.offset + size(other.type) <= one.offset

    def _place(self, pointer: Operand, type_: str) -> _Place:
        base, offset = self._address(pointer, 0)
        return _Place(base, offset, type_)

    def _address(self, pointer: Operand, depth: int) -> tuple[int, int]:
        """(number of the base, constant offset) of an address."""
        instruction = self._definitions.get(pointer.value)
        if instruction is None or instruction.opcode != "getelementptr" or instruction.type != "ptr":
            return self._number(pointer, depth), 0
        if depth > _MOST_DEPTH:
            return self._fresh(pointer.value), 0
        base, offset = self._address(instruction.operands[0], depth + 1)
        constant, terms = address_terms(self._layout, instruction)
        if constant >> 63:
            constant -= 1 << 64
        if terms:
            parts = tuple((self._number(index, depth + 1), index.type, size) for index, size in terms)
            base = self._numbered(("address", base, parts))
        return base, offset + constant

    def _number(self, operand: Operand, depth: int = 0) -> int:
        """Equal numbers mean equal values."""
        value = operand.value
        if value[0] != "%":
            return self._numbered((operand.type, value))
        found = self._of_value.get(value)
        if found is None:
            found = self._of_value[value] = self._compute(value, depth)
        return found

    def _compute(self, value: str, depth: int) -> int:
        instruction = self._definitions.get(value)
        if instruction is None or depth > _MOST_DEPTH:
            return self._fresh(value)
        opcode = instruction.opcode
        if opcode == "getelementptr" and instruction.type == "ptr":
            return self._numbered(("sum", *self._address(Operand("ptr", value), depth + 1)))
        if opcode not in BINARY and opcode not in CASTS:
            return self._fresh(value)
        operands = tuple(self._number(operand, depth + 1) for operand in instruction.operands)
        return self._numbered((opcode, instruction.type, operands))

    def _numbered(self, what: object) -> int:
        return self._numbers.setdefault(what, len(self._numbers))

    def _fresh(self, value: str) -> int:
        return self._numbered(("value", value))


def _is_plain(instruction: Instruction) -> bool:
    """Neither volatile nor atomic."""
    return not any(f"{instruction.opcode} {word} " in instruction.text for word in ("volatile", "atomic"))


def _only_predecessors(blocks: tuple[Block, ...]) -> dict[int, int]:
    """Block → the only block that leads to it."""
    labels = {block.label: index for index, block in enumerate(blocks)}
    found: dict[int, set[int]] = {}
    for index, block in enumerate(blocks):
        for label in successors(block):
            found.setdefault(labels[label], set()).add(index)
    return {block: sources.pop() for block, sources in found.items() if len(sources) == 1}
