"""Static data as it begins, in a static function: only functions of the unit call it, and they may have set that data.

static FILE *input;                        NULL until process_file() opens it
static void done(void) { fclose(input); }  nobody outside can call done() before
"""

from __future__ import annotations

from collections.abc import Iterator

from veer.findings.severity.witness import Witness
from veer.model.severity import Broken

_NAMED = 2


def broken(witness: Witness) -> Iterator[Broken]:
    """What the faulty function, or one on the way to it, reads of data that others write before they call the entry."""
    program, fault = witness.program, witness.fault
    entry = program.function(program.entry)
    if program.sequence is not None or entry is None or not entry.is_static or not _is_called(witness):
        return
    inputs = {root.name for root in witness.inputs.roots}
    on_the_way = {frame.function for frame in fault.stack} | (
        {fault.site.function} if fault.site is not None else set()
    )
    read = {name for function, names in witness.facts.state if function in on_the_way for name in names}
    names = sorted(read - inputs)
    if not names:
        return
    shown = ", ".join(f"`{name}`" for name in names[:_NAMED])
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    cause = f"{', '.join(names)} of {program.entry} as it begins"
    yield Broken(
        cause, f"it needs {shown}{more} as it begins, and what calls the static `{program.entry}` may have set it"
    )


def _is_called(witness: Witness) -> bool:
    program = witness.program
    others = (each for each in program.functions if each.name != program.entry)
    return program.entry in program.addresses or any(program.entry in (*each.calls, *each.takes) for each in others)
