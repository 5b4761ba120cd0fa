"""Where an indirect jump or call goes when the instructions before it say so: auipc and jalr, movw and movt and bx.

It is a hint for descent alone: the lifted code compares the target that a run computes with what is known.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field

from veer.frontends.machine.decoder import CONST, MEMORY, Instruction, Operation, Varnode
from veer.frontends.machine.image import Image

INDIRECT = frozenset(("BRANCHIND", "CALLIND"))
ISA_MODE = "setISAMode"
"""What tells on ARM in which instruction set a jump goes on."""
_Place = tuple[str, int]


def static_target(
    image: Image, before: Sequence[Instruction], instruction: Instruction, *, guesses: bool = False
) -> int | None:
    """The address, with the mark of its instruction set, or None. `before`: straight code that leads to it; `guesses`:
    variables hold what they begin with, as a table of hooks does."""
    values = Values(image, guesses)
    for each in before:
        for operation in each.operations:
            values.run(operation)
    for operation in instruction.operations:
        if operation.name in INDIRECT:
            target, mode = values.read(operation.inputs[0]), mode_of(instruction)
            mark = values.read(mode) if mode is not None else 0
            return None if target is None or mark is None else image.architecture.code_base + target | mark
        values.run(operation)
    return None


def mode_of(instruction: Instruction) -> Varnode | None:
    """What holds the mode that an instruction goes on in; None where it does not change it."""
    return next((each.inputs[0] for each in instruction.operations if each.named == ISA_MODE), None)


class Values(Struct):
    """What registers and temporaries hold, as far as it is known behind straight code."""

    image: Image
    guesses: bool = False
    _known: dict[_Place, tuple[int, int]] = field(default_factory=dict)  # size in bytes, number

    def read(self, varnode: Varnode) -> int | None:
        """The number; None where it is not known."""
        if varnode.space == CONST:
            return varnode.offset % (1 << 8 * varnode.size)
        if varnode.space == MEMORY:
            return self._memory(varnode.offset, varnode.size)
        size, number = self._known.get((varnode.space, varnode.offset), (0, 0))
        is_little = not self.image.architecture.is_big
        if size < varnode.size or (size > varnode.size and not is_little):
            return None
        return number % (1 << 8 * varnode.size)

    def run(self, operation: Operation) -> None:
        """Goes on behind an operation."""
        output = operation.output
        if output is None or output.space in (CONST, MEMORY):
            return
        number = self._result(operation, output)
        first, behind = output.offset, output.offset + output.size
        for space, offset in list(self._known):
            size = self._known[space, offset][0]
            if space == output.space and offset < behind and first < offset + size:
                del self._known[space, offset]
        if number is not None:
            self._known[output.space, first] = (output.size, number % (1 << 8 * output.size))

    def _result(self, operation: Operation, output: Varnode) -> int | None:
        inputs = [self.read(each) for each in operation.inputs]
        if any(each is None for each in inputs):
            return None
        numbers = [each for each in inputs if each is not None]
        sizes = [each.size for each in operation.inputs]
        match operation.name, numbers:
            case (("COPY" | "INT_ZEXT"), [a]):
                return a
            case "INT_SEXT", [a]:
                return a - (1 << 8 * sizes[0]) if a >> (8 * sizes[0] - 1) else a
            case "INT_ADD", [a, b]:
                return a + b
            case "INT_SUB", [a, b]:
                return a - b
            case "INT_MULT", [a, b]:
                return a * b
            case "INT_NEGATE", [a]:
                return ~a
            case "INT_2COMP", [a]:
                return -a
            case "INT_AND", [a, b]:
                return a & b
            case "INT_OR", [a, b]:
                return a | b
            case "INT_LEFT", [a, b]:
                return a << b if b < 8 * sizes[0] else 0
            case "INT_NOTEQUAL", [a, b]:
                return int(a != b)
            case "SUBPIECE", [a, b]:
                return a >> 8 * b
            case "LOAD", [a]:
                return self._memory(a, output.size) if operation.space == MEMORY else None
        return None

    def _memory(self, address: int, size: int) -> int | None:
        """What stands there for ever, or at first."""
        segment = self.image.segment(address)
        data = self.image.read(address, size)
        if segment is None or (segment.is_writable and not self.guesses) or len(data) < size:
            return None
        return int.from_bytes(data, "big" if self.image.architecture.is_big else "little")
