"""What the C library is given: something else than an open file, a format that asks for arguments that are not there.

fread(buf, 1, n, tar->stream)           `void *stream`: only what fopen() gave is a stream
union { char *text; FILE *file; } u;    u.text that goes to fwrite() as u.file is none
void put(const char *format, ...)       `put("%n")`: the caller's format has to fit the caller's arguments, and
{ vsnprintf(to, n, format, list); }     veer passes none but the declared ones
int sum(int n, ...) { va_arg(...) }     nor are there any that the function could take one by one
FILE *f = va_arg(list, FILE *);         what a list leads to is a number or a text, and no stream
"""

from __future__ import annotations

from collections.abc import Iterator

from veer.findings.severity.witness import Held, Witness
from veer.model.describe import type_at
from veer.model.inputs import MemoryObject, Scalar
from veer.model.outcome import Outcome
from veer.model.severity import Broken
from veer.model.types import ARGUMENT, ExtentKind

_OF_ARGUMENTS = (
    Outcome.SEGFAULT_NULL,
    Outcome.SEGFAULT_WILD,
    Outcome.BOUNDS_READ,
    Outcome.BOUNDS_WRITE,
    Outcome.UNINITIALISED,
)
_CONVERSION = ord("%")
_SAVED_REGISTERS = 176
"""Bytes: where x86-64 keeps the arguments in registers for va_arg() (System V ABI, figure 3.33)."""


def broken(witness: Witness) -> Iterator[Broken]:
    """Each pointer that the unit gives to the library as a stream and that is none, and formats with conversions."""
    reached = witness.reached_from(witness.program.starts)
    given = {place for name, places in witness.facts.gives if name in reached for place in places}
    for held, pointer in witness.pointers:
        is_stream = held.place in witness.facts.streams or held.in_union in given
        if is_stream and held.type.extent is not ExtentKind.OPEN:
            yield Broken(f"{held.words} is an open file", f"it needs `{held.words}` to be no open file")
        if held.place in witness.facts.formats and witness.fault.outcome in _OF_ARGUMENTS:
            target = next((item for item in witness.inputs.objects if item.number == pointer.target), None)
            if target is not None and _converts(target):
                yield _format(held)
    yield from _variable_arguments(witness)
    yield from _listed_arguments(witness)


def _listed_arguments(witness: Witness) -> Iterator[Broken]:
    """The texts among the arguments of a va_list, where the library ends the run or an address is none: what was read
    for a pointer to something else is a text all the same."""
    if witness.fault.outcome not in (Outcome.ABORTED, Outcome.SEGFAULT_WILD):
        return
    texts = {item.number for item in witness.inputs.objects if _is_of_arguments(witness, item)}
    for held, pointer in witness.pointers:
        if held.owner in texts and pointer.target is not None:
            yield Broken(
                f"{held.words} is what the code takes it for",
                f"it needs a text in `{held.words}`, which the code may take for something else",
            )


def _is_of_arguments(witness: Witness, item: MemoryObject) -> bool:
    type_ = type_at(witness.program, item.type)
    return type_ is not None and type_.name == ARGUMENT


def _variable_arguments(witness: Witness) -> Iterator[Broken]:
    """What a function with `...` took for an argument that nobody passed: an address that is none of the input's, one
    near NULL that is followed while no pointer of the input is NULL, or what is behind the arguments in registers."""
    fault, under_way = witness.fault, {frame.function for frame in witness.fault.stack}
    starts = [each for each in map(witness.program.function, witness.program.starts) if each is not None]
    is_sequence = witness.program.sequence is not None
    entry = next((each for each in starts if each.variadic and (not is_sequence or each.name in under_way)), None)
    is_behind = fault.outcome is Outcome.BOUNDS_READ and fault.object_size == _SAVED_REGISTERS
    if entry is None:
        return
    is_null = fault.outcome is Outcome.SEGFAULT_NULL and not _has_null(witness)
    if fault.outcome is Outcome.SEGFAULT_WILD or is_null or (is_behind and not witness.is_out_of_an_input):
        yield Broken(
            f"the arguments of {entry.name} are passed",
            f"it needs arguments behind `...` of `{entry.name}` that nobody passes",
        )


def _has_null(witness: Witness) -> bool:
    return any(at.target is None and at.followed and not at.function for _, at in witness.pointers)


def _converts(text: MemoryObject) -> bool:
    return any(isinstance(cell.value, Scalar) and cell.value.bits == _CONVERSION for cell in text.cells)


def _format(held: Held) -> Broken:
    return Broken(
        f"{held.words} fits the arguments",
        f"it needs a conversion in `{held.words}` for which no argument is passed",
    )
