"""The functions that could be an entry, with what is made for their parameters, in the words of C."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from veer.frontends.c import inputs
from veer.frontends.c.analysis import (
    ALL_FUNCTIONS,
    can_open,
    can_take_lists,
    compile_modules,
    module_shapes,
    object_bounds,
)
from veer.frontends.c.declarations import declarations
from veer.frontends.c.interrupts import routine_of
from veer.frontends.c.shapes import Shape
from veer.frontends.c.typetable import TypeTable
from veer.frontends.llvm.compiled import Module
from veer.frontends.protocol import Entry, EntryInput
from veer.model.buildoptions import BuildOptions
from veer.model.endpointers import leads_from
from veer.model.errors import UnsupportedInputError
from veer.model.program import Function, Parameter
from veer.model.types import ARGUMENT_LIST, ExtentKind, Type, TypeKind
from veer.model.variadic import has_rest
from veer.toolchain.compiler import CXX_SUFFIXES, Toolchain


def entries(options: BuildOptions, toolchain: Toolchain) -> tuple[Entry, ...]:
    """All functions that the sources define. Raises UsageError, ToolchainError."""
    return tuple(entry(shape.function, types, shape.contract.words) for shape, types in functions(options, toolchain))


def entry(function: Function, types: Sequence[Type], contract: tuple[str, ...] = ()) -> Entry:
    """A function as a face shows it."""
    return Entry(
        function.name,
        function.file,
        function.line,
        tuple(_input(function, place, types) for place in range(len(function.parameters))),
        ("static",) if function.is_static else (),
        why_no_entry(function, types),
        contract,
    )


def _input(function: Function, place: int, types: Sequence[Type]) -> EntryInput:
    parameters = function.parameters
    parameter = parameters[place]
    if parameter.unsupported:
        return EntryInput(parameter.name, "", parameter.unsupported)
    type_ = types[parameter.type]
    shape = _end_shape(parameters, types, place) or input_shape(type_)
    if place == len(parameters) - 1 and has_rest(function, types):
        return EntryInput(parameter.name, f"... ({shape})")
    name = "va_list" if type_.name == ARGUMENT_LIST else type_.name
    if type_.is_taken:
        name, shape = f"{'const ' * type_.const}void *", f"{shape}; the code takes it for {type_.name}"
    if type_.declared >= 0:
        shape = f"{shape}; the code takes it for a part of {types[type_.target].name}"
    return EntryInput(parameter.name, f"{name}{f' ({shape})' if shape else ''}")


def _end_shape(parameters: Sequence[Parameter], types: Sequence[Type], place: int) -> str:
    """The same of a parameter that leads into what another one leads to; "" for others."""
    at = leads_from(parameters, types, place)
    if at is None:
        return ""
    buffer, most = f"{'*' * at.is_behind}{parameters[at.buffer].name}", types[parameters[place].type].maximum
    return f"{buffer} + 0 to {most if at.end == place else parameters[at.end].name}"


def input_shape(type_: Type) -> str:
    """What veer makes for a value of this type, in words; empty when the type says it."""
    if type_.extent is ExtentKind.OPEN:
        none = "NULL, or " if type_.kind is TypeKind.POINTER else "-1, or "
        return f"{none if type_.nullable else ''}an open file with any content"
    if type_.kind != TypeKind.POINTER:
        is_length = type_.maximum and type_.kind in (TypeKind.SIGNED, TypeKind.UNSIGNED)
        return f"{type_.minimum} to {type_.maximum}" if type_.is_ranged or is_length else ""
    if type_.name == ARGUMENT_LIST:
        return f"{type_.maximum} arguments: numbers and texts, as they are read"
    null = "NULL, or " if type_.nullable else ""
    if type_.extent == ExtentKind.STRING:
        return f"{null}a string of up to {type_.maximum} characters"
    if type_.extent == ExtentKind.LENGTH:
        return f"{null}as many elements as {type_.length} says"
    if type_.extent == ExtentKind.FIXED:
        return f"{null}{type_.maximum} elements"
    if type_.extent == ExtentKind.ONE:
        return f"{null}one element"
    if type_.extent == ExtentKind.COUNT:
        return f"{null}1 to {type_.maximum} elements"
    if type_.extent == ExtentKind.FLEXIBLE:
        return f"{null}a struct with {type_.length or f'0 to {type_.maximum}'} elements behind it"
    if type_.extent == ExtentKind.FUNCTION:
        return f"{null}a stub that returns anything"
    return "always NULL"


def functions(options: BuildOptions, toolchain: Toolchain) -> tuple[tuple[Shape, tuple[Type, ...]], ...]:
    """All functions that the sources define, each with the table of types that its type ids point into.

    Functions of headers outside of the sources' directories are left out. Raises UsageError, ToolchainError.
    """
    found: list[tuple[Shape, tuple[Type, ...]]] = []
    modules = compile_modules(options, toolchain, ALL_FUNCTIONS)
    if options.interrupt:
        routine_of(modules, options)
    for module in modules:
        table = TypeTable(object_bounds(options))
        opens = can_open(module, options)
        takes_lists = can_take_lists(module, options)
        shapes = module_shapes(module, table, 0, options.contracts, infers=True, opens=opens, takes_lists=takes_lists)
        types = tuple(table.types)
        found += [(each, types) for each in shapes if _is_own(module, each.function)]
    return tuple(found)


def why_no_entry(function: Function, types: Sequence[Type]) -> str:
    """Why a function cannot be an entry, or empty: inputs that cannot be made, C++ that C cannot call."""
    why = inputs.why_no_entry(function, types)
    if why or Path(function.file).suffix not in CXX_SUFFIXES:
        return why
    try:
        declarations(function, types)
    except UnsupportedInputError as error:
        return str(error)
    return ""


def _is_own(module: Module, function: Function) -> bool:
    path = Path(function.file)
    return path == module.source or module.source.parent in path.parents
