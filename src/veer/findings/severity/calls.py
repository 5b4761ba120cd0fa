"""Calls before the entry that no caller makes so: with another argument, or without a look at what they return.

static int at;                                   next("ab"), then next(""): `at` says where the function is in "ab", and
char next(const char *s) { return s[at++]; }     nothing of the other text
struct item *make(void);                         make(), then the entry: what make() returned is dropped by veer, and
                                                 leaks for that alone
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from veer.findings.severity.witness import Witness
from veer.model.inputs import InputMap, Pointer
from veer.model.outcome import Outcome
from veer.model.severity import Broken
from veer.model.state import CallBefore, calls_before

_ENDINGS = (Outcome.BOUNDS_READ, Outcome.BOUNDS_WRITE)


def broken(witness: Witness) -> Iterator[Broken]:
    """Each parameter whose object the access went out of, and that was another one in the call before; leaks of what
    calls before have returned."""
    calls = calls_before(witness.program.state, witness.inputs)
    yield from _dropped(witness, calls)
    yield from _anew(witness, [each for each in calls if each.function == witness.program.entry])


def _dropped(witness: Witness, calls: Sequence[CallBefore]) -> Iterator[Broken]:
    """The functions of calls before in which what leaks may have been allocated.

    A leak of the entry's own shows without such calls, too.
    """
    where = next((frame.function for frame in witness.fault.stack), "")
    if witness.fault.outcome is not Outcome.LEAK:
        return
    for name in sorted({each.function for each in calls}):
        if where in witness.reached_from([name]):
            yield Broken(
                f"what {name} returns is freed", f"it needs what `{name}` returned in the call before to be dropped"
            )


def _anew(witness: Witness, earlier: Sequence[CallBefore]) -> Iterator[Broken]:
    """The parameters that were another object in the call of the same function before."""
    program, inputs = witness.program, witness.inputs
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
