"""Inputs that are one string of bytes, as fuzzers have them: which parameter of the entry holds it."""

from __future__ import annotations

from veer.model.describe import type_at
from veer.model.program import Program
from veer.model.types import ExtentKind, TypeKind


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
