"""What the C library is given: something else than an open file, a format that asks for arguments that are not there.

fread(buf, 1, n, tar->stream)           `void *stream`: only what fopen() gave is a stream
void put(const char *format, ...)       `put("%n")`: the caller's format has to fit the caller's arguments, and
{ vsnprintf(to, n, format, list); }     veer passes none but the declared ones
"""

from __future__ import annotations

from collections.abc import Iterator

from veer.findings.severity.witness import Held, Witness
from veer.model.inputs import MemoryObject, Scalar
from veer.model.outcome import Outcome
from veer.model.program import ExtentKind
from veer.model.severity import Broken

_OF_ARGUMENTS = (
    Outcome.SEGFAULT_NULL,
    Outcome.SEGFAULT_WILD,
    Outcome.BOUNDS_READ,
    Outcome.BOUNDS_WRITE,
    Outcome.UNINITIALISED,
)
_CONVERSION = ord("%")


def broken(witness: Witness) -> Iterator[Broken]:
    """Each pointer that the unit gives to the library as a stream and that is none, and formats with conversions."""
    for held, pointer in witness.pointers:
        if held.place in witness.facts.streams and held.type.extent is not ExtentKind.OPEN:
            yield Broken(f"{held.words} is an open file", f"it needs `{held.words}` to be no open file")
        if held.place in witness.facts.formats and witness.fault.outcome in _OF_ARGUMENTS:
            target = next((item for item in witness.inputs.objects if item.number == pointer.target), None)
            if target is not None and _converts(target):
                yield _format(held)


def _converts(text: MemoryObject) -> bool:
    return any(isinstance(cell.value, Scalar) and cell.value.bits == _CONVERSION for cell in text.cells)


def _format(held: Held) -> Broken:
    return Broken(
        f"{held.words} fits the arguments",
        f"it needs a conversion in `{held.words}` for which no argument is passed",
    )
