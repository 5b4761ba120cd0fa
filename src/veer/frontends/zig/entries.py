"""The functions that a Zig source declares, and why some cannot be an entry."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from contextlib import suppress

from msgspec import Struct

from veer.frontends.llvm.harness import Part, Place
from veer.frontends.protocol import Entry, EntryInput
from veer.frontends.zig.compiler import Source, compile_root, describing_root, read_source
from veer.frontends.zig.described import NONE, Description, ZigFunction, described
from veer.frontends.zig.scanner import Declared
from veer.frontends.zig.types import LENGTH, TypeTable
from veer.model.buildoptions import BuildOptions
from veer.model.errors import UnsupportedInputError, UsageError
from veer.model.program import Parameter
from veer.model.types import ExtentKind, Type, TypeKind
from veer.toolchain.compiler import Toolchain

_MOST_NEAR = 3
_MOST_VARIABLES = 64
_LARGEST_VARIABLE = 4096  # bytes


class Signature(Struct, frozen=True):
    """What an entry takes and returns. `returns`: a type id, -1 where nothing can be recorded; `unrecorded`: why;
    `variables`: those that are recorded around the call."""

    arguments: tuple[Place, ...]
    result: Place
    returns: int
    types: tuple[Type, ...]
    unrecorded: str = ""
    variables: tuple[Parameter, ...] = ()

    @property
    def parts(self) -> tuple[Part, ...]:
        """All inputs."""
        return tuple(part for argument in self.arguments for part in argument.parts)


def entries(options: BuildOptions, toolchain: Toolchain) -> tuple[Entry, ...]:
    """All functions that the sources declare. Raises UsageError, ToolchainError."""
    return tuple(
        entry for path in options.sources for entry in _of_source(read_source(path.absolute()), options, toolchain)
    )


def _of_source(source: Source, options: BuildOptions, toolchain: Toolchain) -> Iterator[Entry]:
    usable = [each for each in source.declared if not why_private(each)]
    description = described(compile_root(describing_root(source, usable), source, toolchain))
    for each in source.declared:
        why = why_private(each)
        inputs: tuple[EntryInput, ...] = ()
        if not why:
            why = why_never(description.functions[each.name])
        if not why:
            inputs = tuple(_inputs(description, each, options))
            refused = next((one for one in inputs if one.refused), None)
            why = unsupported(refused.name, each.name, refused.refused) if refused is not None else ""
        yield Entry(each.name, str(source.path), each.line, inputs, () if each.is_public else ("private",), why)


def declared(source: Source, name: str) -> Declared:
    """The function of that name. Raises UsageError when there is none, or no other file can name it."""
    found = next((each for each in source.declared if each.name == name), None)
    if found is None:
        near = difflib.get_close_matches(name, [each.name for each in source.declared], _MOST_NEAR, 0.5)
        more = f"did you mean {' or '.join(near)}?" if near else f"`veer list {source.path}` shows the functions"
        raise UsageError(f"no function {name} is defined in {source.path}: {more}")
    if why := why_private(found):
        raise UsageError(why)
    return found


def signature(description: Description, entry: Declared, options: BuildOptions) -> Signature:
    """What the entry takes and returns. Raises UnsupportedInputError."""
    function = description.functions[entry.name]
    if why := why_never(function):
        raise UnsupportedInputError(why)
    table = _table(description, options)
    arguments = []
    for name, number in zip(entry.parameters, function.parameters, strict=True):
        try:
            parts = tuple(table.parts(number, name))
        except UnsupportedInputError as error:
            raise UnsupportedInputError(unsupported(name, entry.name, str(error))) from error
        given = description.types[number]
        arguments.append(Place(given.size, given.alignment, parts))
    result = description.types[function.returns]
    place, unrecorded, returns = Place(result.size, result.alignment), "", -1
    if result.size:
        try:
            returns = table.result(result.number)
        except UnsupportedInputError as error:
            unrecorded = f"what {entry.name} returns is not compared: {error}"
    variables = tuple(_variables(description, table))[:_MOST_VARIABLES]
    return Signature(tuple(arguments), place, returns, tuple(table.types), unrecorded, variables)


def _variables(description: Description, table: TypeTable) -> Iterator[Parameter]:
    """The variables whose values tests can look at."""
    for name, number in description.variables.items():
        size = description.types[number].size if number != NONE else 0
        if not 0 < size <= _LARGEST_VARIABLE:
            continue
        with suppress(UnsupportedInputError):
            yield Parameter(name, table.result(number))


def why_private(function: Declared) -> str:
    """Why no other file can call it, or empty."""
    if function.is_public:
        return ""
    more = "write `pub export fn`" if "export" in function.words else "write `pub fn`"
    return f"{function.name} is not public, so that no test can call it: {more}"


def why_never(function: ZigFunction) -> str:
    """Why a function cannot be an entry whatever its inputs are, or empty."""
    if function.is_generic or function.returns == NONE:
        return f"{function.name} is generic: it has no code of its own; test a function that calls it"
    if function.convention == "inline":
        return f"{function.name} is inline: it has no code of its own; test a function that calls it"
    return ""


def unsupported(parameter: str, function: str, why: str) -> str:
    """The sentence about a parameter that cannot be made."""
    return f"the parameter {parameter} of {function} is unsupported: {why}"


def _inputs(description: Description, function: Declared, options: BuildOptions) -> Iterator[EntryInput]:
    for name, number in zip(function.parameters, description.functions[function.name].parameters, strict=True):
        table = _table(description, options)
        type_name = description.types[number].name if number != NONE else "?"
        try:
            parts = tuple(table.parts(number, name))
        except UnsupportedInputError as error:
            yield EntryInput(name, "", str(error))
            continue
        shapes = [text for part in parts if (text := _shape(part, table.types))]
        more = f" ({', '.join(shapes)})" if shapes else ""
        yield EntryInput(name, type_name + more)


def _shape(part: Part, types: Sequence[Type]) -> str:
    """What is made for an input, in words; empty where its type says it."""
    type_ = types[part.type]
    null = "null, or " if type_.nullable and type_.kind == TypeKind.POINTER else ""
    if type_.extent == ExtentKind.LENGTH and type_.kind == TypeKind.POINTER:
        return f"{null}0 to {type_.maximum} elements"
    if type_.kind == TypeKind.POINTER and type_.extent == ExtentKind.STRING:
        return f"{null}0 to {type_.maximum} bytes before the 0"
    if part.name.endswith(f".{LENGTH}") or not type_.is_ranged or type_.enumerators:
        return ""
    return f"{type_.minimum} to {type_.maximum}"


def _table(description: Description, options: BuildOptions) -> TypeTable:
    return TypeTable(description.types, options.max_length, options.max_array)
