"""Static data that no caller of the entry finds so.

static FILE *input;                        NULL until process_file() opens it
static void done(void) { fclose(input); }  nobody outside can call done() before: only functions of the unit call it,
                                           and they may have set that data
static unsigned used;                      set free: put() ends where it is 4, and veer found no calls behind which it
void put(int x) { table[used] = x; ... }   is more
FILE *progress;                            set by no function of these sources: another one does that before it calls
void show(void) { fputs(".", progress); }  show()
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from veer.findings.severity.witness import Held, Witness
from veer.model.inputs import Scalar
from veer.model.outcome import Outcome
from veer.model.severity import Broken
from veer.model.state import calls_before, is_set_free

_NAMED = 2
_ZERO_ENDINGS = (Outcome.SEGFAULT_NULL, Outcome.SEGFAULT_WILD, Outcome.DIVISION, Outcome.UNDEFINED)


def broken(witness: Witness) -> Iterator[Broken]:
    """Values that were set free, or what a static entry reads of data that others write before they call it."""
    if is_set_free(witness.program.state, witness.inputs):
        yield _set_free(witness)
        return
    yield from _left_to_others(witness)
    program, fault = witness.program, witness.fault
    entry = program.function(program.entry)
    if program.sequence is not None or entry is None or not program.is_internal(entry) or not _is_called(witness):
        return
    inputs = {root.name for root in witness.inputs.roots}
    on_the_way = {frame.function for frame in fault.stack} | (
        {fault.site.function} if fault.site is not None else set()
    )
    read = {name for function, names in witness.facts.state if function in on_the_way for name in names}
    names = sorted(read - inputs)
    if not names:
        return
    cause = f"{', '.join(names)} of {program.entry} as it begins"
    calls = calls_before(program.state, witness.inputs)
    how = f"as {calls[-1].function} left it" if calls else "as it begins"
    own = f"the {program.linkage(entry.name)} `{entry.name}`"
    yield Broken(cause, f"it needs {_named(names)} {how}, and what calls {own} may have set it")


def _set_free(witness: Witness) -> Broken:
    """The values that the run looked at, of the variables that were set."""
    state = witness.program.state
    free = state.free if state is not None else ()
    names = [name for name in free if any(_is_read(held, name) for held in witness.held)] or list(free)
    cause = f"{', '.join(names)} of {witness.program.entry} as calls leave it"
    return Broken(
        cause, f"it needs values in {_named(names)} that were set, and no calls are known that bring them there"
    )


def _left_to_others(witness: Witness) -> Iterator[Broken]:
    """The variables that the fault followed as they begin, and that only other sources set."""
    program, fault = witness.program, witness.fault
    followed = any(
        pointer.target is None and pointer.followed and not pointer.function for _, pointer in witness.pointers
    )
    if fault.outcome not in _ZERO_ENDINGS or followed:
        return
    lines = {(frame.function, frame.line) for frame in fault.stack}
    inputs = {root.name for root in witness.inputs.roots}
    for name in sorted({name for function, line, name in witness.facts.unset if (function, line) in lines} - inputs):
        yield Broken(
            f"{name} is set before {program.entry} is called",
            f"it needs `{name}` as it begins: no function of these sources sets it, so another source does",
        )


def _is_read(held: Held, variable: str) -> bool:
    """Whether this is a value in the variable that the run looked at."""
    is_its_own = re.match(rf"{re.escape(variable)}(?!\w)", held.words) is not None and not held.owner
    return is_its_own and (held.value.used if isinstance(held.value, Scalar) else held.value.decided)


def _named(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(f"`{name}`" for name in names[:_NAMED]) + more


def _is_called(witness: Witness) -> bool:
    program = witness.program
    others = (each for each in program.functions if each.name != program.entry)
    return program.entry in program.addresses or any(program.entry in (*each.calls, *each.takes) for each in others)
