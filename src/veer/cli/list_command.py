"""`veer list`: the functions that could be an entry, with their input shapes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import typer

from veer.cli.exit_codes import NOTHING_FOUND
from veer.frontends.c.listing import functions, why_no_entry
from veer.model.options import BuildOptions
from veer.model.program import Function, Type
from veer.toolchain.compiler import find


def run(build: BuildOptions) -> int:
    """Prints each function of the sources with what is made for its parameters."""
    found = functions(build, find(build.cc))
    for function, types in found:
        for line in entry_lines(function, types):
            typer.echo(line)
    if not found:
        typer.echo("no function is defined here")
        return NOTHING_FOUND
    possible = sum(not why_no_entry(function, types) for function, types in found)
    typer.echo(f"{possible} of {len(found)} function{'' if len(found) == 1 else 's'} can be an entry")
    return NOTHING_FOUND


def entry_lines(function: Function, types: Sequence[Type]) -> list[str]:
    """A function and a line for each parameter: its type, and what is made for it."""
    where = f"{Path(function.file).name}:{function.line}"
    why = why_no_entry(function, types)
    verdict = ", cannot be an entry" if why else ""
    lines = [f"{function.name}  ({where}{', static' if function.is_static else ''}{verdict})"]
    for parameter in function.parameters:
        if parameter.unsupported:
            lines.append(f"    {parameter.name}: not supported: {parameter.unsupported}")
        else:
            type_ = types[parameter.type]
            shape = input_shape(type_)
            lines.append(f"    {parameter.name}: {type_.name}{f' ({shape})' if shape else ''}")
    if why and not any(parameter.unsupported for parameter in function.parameters):
        lines.append(f"    {why}")
    return lines


def input_shape(type_: Type) -> str:
    """What veer makes for a value of this type, in words; empty when the type says it."""
    if type_.kind != "pointer":
        return f"{type_.minimum} to {type_.maximum}" if type_.maximum and type_.kind in ("signed", "unsigned") else ""
    null = "NULL, or " if type_.nullable else ""
    if type_.extent == "string":
        return f"{null}a string of up to {type_.maximum} characters"
    if type_.extent == "length":
        return f"{null}as many elements as {type_.length} says"
    if type_.extent == "fixed":
        return f"{null}{type_.maximum} elements"
    if type_.extent == "one":
        return f"{null}one element"
    if type_.extent == "count":
        return f"{null}1 to {type_.maximum} elements"
    if type_.extent == "flexible":
        return f"{null}a struct with {type_.length or f'0 to {type_.maximum}'} elements behind it"
    if type_.extent == "function":
        return f"{null}a stub that returns anything"
    return "always NULL"
