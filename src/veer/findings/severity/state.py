"""Static data that no caller of the entry finds so.

static FILE *input;                        NULL until process_file() opens it
static void done(void) { fclose(input); }  nobody outside can call done() before: only functions of the unit call it,
                                           and they may have set that data
static unsigned used;                      set free: put() ends where it is 4, and veer found no calls behind which it
void put(int x) { table[used] = x; ... }   is more
FILE *progress;                            set by no function of these sources: another one does that before it calls
void show(void) { fputs(".", progress); }  show()
static char **fields;                      NULL until init() allocates it, which field() does not call: whoever calls
char *field(int i) { return fields[i]; }   field() has called init() before
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
_NULL_ENDINGS = (Outcome.SEGFAULT_NULL, Outcome.SEGFAULT_WILD)
_ZERO_ENDINGS = (*_NULL_ENDINGS, Outcome.DIVISION, Outcome.UNDEFINED)


def broken(witness: Witness) -> Iterator[Broken]:
    """Values that were set free, or what a static entry reads of data that others write before they call it."""
    if is_set_free(witness.program.state, witness.inputs):
        yield _set_free(witness)
        return
    yield from _left_to_others(witness)
    yield from _called_too_early(witness)
    program, fault = witness.program, witness.fault
    entry = program.function(program.entry)
    if program.sequence is not None or entry is None or not program.is_internal(entry) or not _is_called(witness):
        return
    inputs = _inputs(witness)
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
    program = witness.program
    if witness.fault.outcome not in _ZERO_ENDINGS or _is_null_followed(witness):
        return
    lines, inputs = _lines(witness), _inputs(witness)
    for name in sorted({name for function, line, name in witness.facts.unset if (function, line) in lines} - inputs):
        yield Broken(
            f"{name} is set before {program.entry} is called",
            f"it needs `{name}` as it begins: no function of these sources sets it, so another source does",
        )


def _called_too_early(witness: Witness) -> Iterator[Broken]:
    """The pointers that the fault followed before any function that allocates what they lead to was called."""
    program = witness.program
    if witness.fault.outcome not in _NULL_ENDINGS or _is_null_followed(witness):
        return
    lines, inputs = _lines(witness), _inputs(witness)
    called = witness.reached_from(
        (*program.starts, *(each.function for each in calls_before(program.state, witness.inputs)))
    )
    for function, line, name, writers in witness.facts.awaited:
        if (function, line) in lines and name not in inputs and called.isdisjoint(writers):
            yield Broken(
                f"{name} is set before {program.entry} is called",
                f"it needs `{name}` as it begins, and {_named(writers, 'or')} is to set it before",
            )


def _is_null_followed(witness: Witness) -> bool:
    """Whether the run followed NULL of the input."""
    return any(pointer.target is None and pointer.followed and not pointer.function for _, pointer in witness.pointers)


def _lines(witness: Witness) -> set[tuple[str, int]]:
    """Where the run was when it ended."""
    return {(frame.function, frame.line) for frame in witness.fault.stack}


def _inputs(witness: Witness) -> set[str]:
    return {root.name for root in witness.inputs.roots}


def _is_read(held: Held, variable: str) -> bool:
    """Whether this is a value in the variable that the run looked at."""
    is_its_own = re.match(rf"{re.escape(variable)}(?!\w)", held.words) is not None and not held.owner
    return is_its_own and (held.value.used if isinstance(held.value, Scalar) else held.value.decided)


def _named(names: Sequence[str], joined: str = "and") -> str:
    first = [f"`{name}`" for name in names[:_NAMED]]
    if len(names) > _NAMED:
        return f"{', '.join(first)} {joined} {len(names) - _NAMED} more"
    return f" {joined} ".join(first)


def _is_called(witness: Witness) -> bool:
    program = witness.program
    others = (each for each in program.functions if each.name != program.entry)
    return program.entry in program.addresses or any(program.entry in (*each.calls, *each.takes) for each in others)
