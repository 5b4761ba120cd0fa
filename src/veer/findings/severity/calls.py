"""A function that keeps what it knows of its argument, and is called with another one.

static int at;                                   next("ab"), then next(""): `at` says where the function is in "ab", and
char next(const char *s) { return s[at++]; }     nothing of the other text
"""

from __future__ import annotations

from collections.abc import Iterator

from veer.findings.severity.witness import Witness
from veer.model.inputs import InputMap, Pointer
from veer.model.outcome import Outcome
from veer.model.severity import Broken
from veer.model.state import calls_before

_ENDINGS = (Outcome.BOUNDS_READ, Outcome.BOUNDS_WRITE)


def broken(witness: Witness) -> Iterator[Broken]:
    """Each parameter whose object the access went out of, and that was another one in the call before."""
    program, inputs = witness.program, witness.inputs
    earlier = [each for each in calls_before(program.state, inputs) if each.function == program.entry]
    entry = program.function(program.entry)
    if not earlier or entry is None or witness.fault.outcome not in _ENDINGS or not witness.is_out_of_an_input:
        return
    missed = {item.number for item in witness.missed}
    for parameter in entry.parameters:
        now = _target(inputs, parameter.name, 0)
        before = [_target(inputs, *each.root(parameter.name)) for each in earlier]
        last = next((target for target in reversed(before) if target is not None), now)
        if now in missed and now != last:
            yield Broken(
                f"{parameter.name} of {program.entry} stays the same",
                f"it needs another `{parameter.name}` than in the call of `{program.entry}` before, "
                "of which the static data still is",
            )


def _target(inputs: InputMap, name: str, occurrence: int) -> int | None:
    """The object that a root leads to; None for NULL, and where it is none."""
    for root in inputs.roots:
        if (root.name, root.occurrence) == (name, occurrence) and root.cells:
            value = root.cells[0].value
            return value.target if isinstance(value, Pointer) else None
    return None
