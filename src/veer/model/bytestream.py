"""Inputs that are one string of bytes, as fuzzers have them: which file or parameter of the entry holds it."""

from __future__ import annotations

from veer.model.describe import type_at
from veer.model.program import STANDARD_INPUT, Program, SymbolicFile
from veer.model.types import ExtentKind, TypeKind


def byte_file(program: Program) -> SymbolicFile | None:
    """Of a whole program: standard input where it is read, else the only file whose contents are an input."""
    named = next((file for file in program.files if file.name == STANDARD_INPUT), None)
    return named or (program.files[0] if len(program.files) == 1 else None)


def byte_parameters(program: Program) -> tuple[str, ...]:
    """The entry's parameters that are strings or buffers of bytes: where there is one, an input is bytes."""
    entry = program.function(program.entry)
    return tuple(
        parameter.name
        for parameter in (entry.parameters if entry is not None else ())
        if (type_ := type_at(program, parameter.type)) is not None
        and type_.kind == TypeKind.POINTER
        and type_.extent is not ExtentKind.OPEN
        and (target := type_at(program, type_.target)) is not None
        and (target.kind == TypeKind.OPAQUE or target.size == 1)
    )
