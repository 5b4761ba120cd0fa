"""What is said of outputs that hold what nobody wrote: no bug, for a copy is no use, but no test expects it."""

from __future__ import annotations

from collections.abc import Sequence

from veer.model.literal import leaves
from veer.model.program import Program
from veer.model.result import Output, Test
from veer.model.written import place_of


def unwritten_outputs(program: Program, tests: Sequence[Test]) -> tuple[str, ...]:
    """A note for each object or variable that held such bytes, padding apart, when the entry had returned."""
    first: dict[str, str] = {}
    for test in tests:
        for output in test.outputs:
            if _has_unwritten_member(program, output):
                first.setdefault(output.name if output.number == 0 else f"what {output.name} leads to", test.name)
    return tuple(
        f"{name} has bytes that were never written when the entry returns ({test}): no test expects anything of them"
        for name, test in first.items()
    )


def _has_unwritten_member(program: Program, output: Output) -> bool:
    if not output.unwritten or not 0 <= output.type < len(program.types):
        return False
    element = program.types[output.type]
    held = {at % element.size for at in output.unwritten} if element.size else set()
    return any(not held.isdisjoint(place_of(leaf)) for leaf in leaves(program.types, element))
