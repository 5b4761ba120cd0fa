"""Which functions pointers to functions lead to, and which of them tests use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from veer.model.inputs import InputMap, MemoryObject, Pointer, Root
from veer.model.program import Program
from veer.model.result import Test
from veer.model.types import Type


def callback_types(program: Program) -> Mapping[str, Type]:
    """The type of the pointers that lead to each such function."""
    return {type_.callback: type_ for type_ in program.types if type_.callback}


def used_callbacks(program: Program, tests: Sequence[Test]) -> list[str]:
    """Those to which pointers among the inputs of these tests lead, in order."""
    types = callback_types(program)
    return sorted({name for test in tests for name in _functions(test.inputs) if name in types})


def _functions(inputs: InputMap) -> Iterator[str]:
    owners: list[Root | MemoryObject] = [*inputs.roots, *inputs.objects]
    for owner in owners:
        for cell in owner.cells:
            if isinstance(cell.value, Pointer) and cell.value.function:
                yield cell.value.function
