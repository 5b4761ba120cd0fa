"""Input shapes: which parameters of a function can be made, and how big what their pointers lead to is.

    char *s                       a string of up to max_length characters
    char *buffer, size_t length   exactly `length` bytes; `length` is 0 .. max_length
    int *a, int n / int n, int a[]   exactly `n` elements; `n` is 0 .. max_array
    int argc, char **argv         `argc` (1 .. max_array) strings, none of them NULL, and a NULL behind them
    int a[4]                      exactly 4 elements
    int *a                        1 .. max_array elements: how many is an input of its own
    int (*f)(int)                 NULL or a stub that returns a fresh input at each call
    struct { int n; int a[]; } *  one struct with n elements behind it; without such an n, 0 .. max_array
    struct cell *p                one object (memory graphs: decision 0002)
    void *p                       a block of max_length bytes

Following C's custom, a parameter is a length if it is an integer with the name of one and stands behind the pointer.
`int a[n]` and `--size-of BUF=LEN` say so outright, and `--size-of BUF=` that there is none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from veer.frontends.c.flexible import LENGTH_NAME, flexible_member
from veer.frontends.c.ownbounds import check_names, most_elements
from veer.frontends.c.typetable import (
    Extent,
    Limits,
    TypeTable,
    is_character,
    spelling,
    usual_extent,
    why_never,
)
from veer.frontends.llvm.debuginfo import NO_NODE, DebugFunction, DebugInfo, DebugParameter
from veer.model.errors import UsageError
from veer.model.options import OwnBound
from veer.model.program import ExtentKind, Function, Parameter

_GENERIC_NAME = re.compile(r"n|len|length|size|sz|cnt|count|num|nb|nelems?|nmemb|bytes|nbytes", re.IGNORECASE)
ARGUMENT_COUNT = "argc"
"""A length of this name that has `char **` beside it is main's: argv[argc] is NULL (C11 5.1.2.2.1)."""
_WIDE = "write a harness with veer.h that makes it from supported inputs, or test a function below this one"


@dataclass(frozen=True, slots=True)
class Shape:
    """How the parameters of one function are made: a model Function, and notes for the user (what is not explored)."""

    function: Function
    notes: tuple[str, ...] = ()


def shape(
    debug: DebugInfo,
    function: DebugFunction,
    table: TypeTable,
    text: str = "",
    size_of: tuple[str, ...] = (),
    unit: int = 0,
    own_bounds: tuple[OwnBound, ...] = (),
) -> Shape:
    """The input shape of a function. `text`: the source lines of its declarator (array sizes are not in debug info).

    Raises UsageError when `size_of` or `own_bounds` name a parameter that is not there or not of the right kind.
    """
    check_names(debug, function, own_bounds)
    arrays = array_sizes(text, tuple(parameter.name for parameter in function.parameters))
    lengths = _lengths(debug, function, arrays) | array_lengths(text, function, debug)
    lengths |= _named_lengths(debug, function, size_of)
    lengths = {buffer: length for buffer, length in lengths.items() if length}
    written = [name for name, size in arrays.items() if size > 0 and name not in lengths]
    own = most_elements(debug, function, own_bounds, lengths, written)
    bounds = _bounds(debug, function, table, lengths, own)
    sizes = _Sizes(arrays, lengths, bounds, own)
    parameters: list[Parameter] = []
    notes: list[str] = []
    inner = tags_within(text, function.name)
    for declared in function.parameters:
        parameter = without_inner_enum(debug, declared, inner)
        why = unsupported(debug, parameter.type) or _unnameable(debug, parameter.type, inner)
        identity = -1 if why else _type_of(debug, parameter, table, unit, sizes)
        parameters.append(Parameter(parameter.name, identity, why))
        note = _note(debug, parameter)
        if note and not why:
            notes.append(note)
    if function.is_variadic:
        notes.append(f"{function.name} is called without its variable arguments")
    made = Function(
        function.name,
        function.file,
        function.line,
        tuple(parameters),
        table.add(debug, function.returns, unit),
        function.is_static,
        function.is_variadic,
    )
    return Shape(made, tuple(notes))


@dataclass(frozen=True, slots=True)
class _Sizes:
    """What is known of the parameters, by name."""

    arrays: dict[str, int]  # sizes that the source has
    lengths: dict[str, str]  # the parameter that holds how many elements there are
    bounds: dict[str, int]  # of those parameters
    own: dict[str, int]  # most elements, where the user says it


def _type_of(debug: DebugInfo, parameter: DebugParameter, table: TypeTable, unit: int, sizes: _Sizes) -> int:
    name, bounds, lengths = parameter.name, sizes.bounds, sizes.lengths
    if name in bounds:
        # A program has a name: argc is never 0.
        least = int(name == ARGUMENT_COUNT and bounds[name] > 1)
        return table.bounded(debug, parameter.type, bounds[name], unit, least)
    if not _is_pointer(debug, parameter.type) or why_never(debug, _target(debug, parameter.type)):
        return table.add(debug, parameter.type, unit)
    if name in lengths:
        extent = Extent(ExtentKind.LENGTH, bounds[lengths[name]], lengths[name])
        if lengths[name] == ARGUMENT_COUNT and _leads_to_strings(debug, parameter.type):
            return table.argument_vector(debug, parameter.type, extent, unit)
        return table.pointer(debug, parameter.type, extent, unit)
    if sizes.arrays.get(name, 0) > 0:
        return table.pointer(debug, parameter.type, Extent(ExtentKind.FIXED, sizes.arrays[name]), unit)
    if name in sizes.own:
        limits = Limits(sizes.own[name], sizes.own[name])
        extent = usual_extent(debug, debug.node(debug.strip(parameter.type)), limits)
        return table.pointer(debug, parameter.type, extent, unit)
    return table.add(debug, parameter.type, unit)


def _bounds(
    debug: DebugInfo, function: DebugFunction, table: TypeTable, lengths: dict[str, str], own: dict[str, int]
) -> dict[str, int]:
    """Largest value of each length parameter: the least that one of its buffers may have, by the user's word first."""
    bounds: dict[str, int] = {}
    said: dict[str, int] = {}
    for parameter in function.parameters:
        if (length := lengths.get(parameter.name)) is None:
            continue
        target = _target(debug, parameter.type)
        in_bytes = debug.strip(target) == NO_NODE or is_character(debug, target)
        most = max(table.limits.max_length if in_bytes else table.limits.max_array, 1)
        bounds[length] = min(bounds.get(length, most), most)
        if parameter.name in own:
            wished = max(own[parameter.name], 1)
            said[length] = min(said.get(length, wished), wished)
    return bounds | said


def _lengths(debug: DebugInfo, function: DebugFunction, arrays: dict[str, int]) -> dict[str, str]:
    """Pointer parameter → the parameter that is its length, by C's customs."""
    found: dict[str, str] = {}
    parameters = function.parameters
    for position, parameter in enumerate(parameters):
        if not _is_length(debug, parameter):
            continue
        before = position - 1
        if before >= 0 and _comes_in_numbers(debug, parameters[before]) and arrays.get(parameters[before].name, 0) <= 0:
            found.setdefault(parameters[before].name, parameter.name)
            # `int *a, int *b, int n`: n counts both; strings keep their NUL (`const char *from, char *to, size_t n`).
            while before > 0 and _GENERIC_NAME.fullmatch(parameter.name) and _shares(debug, parameters, before):
                before -= 1
                found.setdefault(parameters[before].name, parameter.name)
            continue
        behind = parameters[position + 1] if position + 1 < len(parameters) else None
        if behind is None or not _comes_in_numbers(debug, behind):
            continue
        is_vector = parameter.name == ARGUMENT_COUNT and _leads_to_strings(debug, behind.type)
        if arrays.get(behind.name) == 0 or is_vector:
            found.setdefault(behind.name, parameter.name)
    return found


def _leads_to_strings(debug: DebugInfo, reference: int) -> bool:
    """Whether this is `char **` by any name."""
    strings = _target(debug, reference)
    return _is_pointer(debug, strings) and is_character(debug, _target(debug, strings))


def _shares(debug: DebugInfo, parameters: tuple[DebugParameter, ...], position: int) -> bool:
    """Whether the pointer before `position` has the same kind of elements, which are neither characters nor structs."""
    first, second = parameters[position - 1], parameters[position]
    if not _has_extent(debug, first):
        return False
    targets = [debug.strip(_target(debug, each.type)) for each in (first, second)]
    return (
        targets[0] == targets[1]
        and debug.node(targets[0]).kind == "DIBasicType"
        and not is_character(debug, targets[0])
    )


def _named_lengths(debug: DebugInfo, function: DebugFunction, size_of: tuple[str, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    by_name = {parameter.name: parameter for parameter in function.parameters}
    for pair in size_of:
        buffer, _, length = pair.partition("=")
        for name in (buffer, length):
            # `--size-of BUF=` takes a length away that custom would see.
            if name not in by_name and (name or not pair.endswith("=")):
                raise UsageError(
                    f"--size-of {pair}: {function.name} has no parameter {name!r}; write --size-of BUFFER=LENGTH"
                )
        if not _has_extent(debug, by_name[buffer]):
            raise UsageError(f"--size-of {pair}: the parameter {buffer} of {function.name} is no pointer to data")
        if length and not _is_integer(debug, by_name[length].type):
            raise UsageError(f"--size-of {pair}: the parameter {length} of {function.name} is no integer")
        found[buffer] = length
    return found


def _is_length(debug: DebugInfo, parameter: DebugParameter) -> bool:
    node = debug.node(debug.strip(parameter.type))
    is_plain = node.kind == "DIBasicType" and node.number("size") >= 8 and not is_character(debug, parameter.type)
    return is_plain and _is_integer(debug, parameter.type) and bool(LENGTH_NAME.fullmatch(parameter.name))


def _is_integer(debug: DebugInfo, reference: int) -> bool:
    node = debug.node(debug.strip(reference))
    encoding = node.fields.get("encoding", "")
    return encoding.startswith(("DW_ATE_signed", "DW_ATE_unsigned")) and node.number("size") in (8, 16, 32, 64)


def _is_pointer(debug: DebugInfo, reference: int) -> bool:
    return debug.node(debug.strip(reference)).tag == "DW_TAG_pointer_type"


def _target(debug: DebugInfo, reference: int) -> int:
    return debug.node(debug.strip(reference)).reference("baseType")


def _has_extent(debug: DebugInfo, parameter: DebugParameter) -> bool:
    """Whether this is a pointer to something that can come in numbers."""
    if not _is_pointer(debug, parameter.type):
        return False
    return not why_never(debug, _target(debug, parameter.type))


def _comes_in_numbers(debug: DebugInfo, parameter: DebugParameter) -> bool:
    """The same, by custom: a struct with a flexible array member stands alone, whatever number is beside it."""
    if not _has_extent(debug, parameter):
        return False
    return flexible_member(debug, debug.node(debug.strip(_target(debug, parameter.type)))) is None


def _note(debug: DebugInfo, parameter: DebugParameter) -> str:
    if not _is_pointer(debug, parameter.type):
        return ""
    target = _target(debug, parameter.type)
    node = debug.node(debug.strip(target))
    if node.kind == "DISubroutineType":
        return f"the parameter {parameter.name} is NULL or a stub that returns anything"
    if "DIFlagFwdDecl" in node.text("flags"):
        return (
            f"the parameter {parameter.name} leads to bytes: {spelling(debug, target)} is declared but not defined here"
        )
    return ""


def unsupported(debug: DebugInfo, reference: int) -> str:
    """Why a parameter of this type cannot be made and what to do, or ""."""
    node = debug.node(debug.strip(reference))
    size = node.number("size") // 8
    named = spelling(debug, debug.unqualified(reference))
    if _is_pointer(debug, reference):
        never = why_never(debug, _target(debug, reference))
        return f"veer cannot make {never}: {_WIDE}" if never and never != "a function" else ""
    if node.kind == "DIBasicType":
        encoding = node.fields.get("encoding", "")
        if encoding == "DW_ATE_complex_float":
            return f"veer has no complex numbers ({named}): {_WIDE}"
        if encoding == "DW_ATE_float" and size not in (4, 8):
            return f"veer has no {named}: change it to double, or {_WIDE}"
        return "" if size in (1, 2, 4, 8) else f"veer has no integers of {node.number('size')} bits ({named}): {_WIDE}"
    if node.tag == "DW_TAG_array_type":
        return f"veer has no vectors ({named}): {_WIDE}"
    if node.tag in ("DW_TAG_structure_type", "DW_TAG_union_type"):
        if "DIFlagFwdDecl" in node.text("flags"):
            return f"{named} is not defined in this source: include its header"
        if not node.text("name") and debug.strip(reference) not in debug.typedef_of:
            return "its struct has no name: give it a tag or a typedef"
        return ""
    if node.tag == "DW_TAG_enumeration_type":
        return ""
    return f"veer cannot make a value of this type ({named or 'unknown'}): {_WIDE}"


def tags_within(text: str, function: str) -> frozenset[str]:
    """What the parameter list of a function declares: `struct pair`, `enum` for one without a name.

    No caller can name such a type (C11 6.2.1p4), and debug info does not tell where it was declared.
    """
    start = re.search(rf"\b{re.escape(function)}\s*\(", text)
    found = re.findall(r"\b(struct|union|enum)\b\s*(\w*)\s*\{", text[start.end() :]) if start else []
    return frozenset(f"{kind} {name}".strip() for kind, name in found)


def without_inner_enum(debug: DebugInfo, parameter: DebugParameter, inner: frozenset[str]) -> DebugParameter:
    """The parameter as the integer that it is, if its enum's names are known in the function alone."""
    node = debug.node(debug.strip(parameter.type))
    is_inner = node.tag == "DW_TAG_enumeration_type" and spelling(debug, debug.strip(parameter.type)) in inner
    return DebugParameter(parameter.name, node.reference("baseType")) if is_inner else parameter


def _unnameable(debug: DebugInfo, reference: int, inner: frozenset[str]) -> str:
    """Why no caller can write this type, and what to do, or ""."""
    bare = debug.strip(reference)
    while _is_pointer(debug, bare):
        bare = debug.strip(_target(debug, bare))
    if bare == NO_NODE or (text := spelling(debug, bare)) not in inner:
        return ""
    named = text if " " in text else f"its {text}"
    return f"{named} is declared in the parameter list, where no caller can name it: declare it before the function"


def array_lengths(text: str, function: DebugFunction, debug: DebugInfo) -> dict[str, str]:
    """Parameters that are written with another one as their size, as in `int a[n]` → that one."""
    integers = [each.name for each in function.parameters if _is_integer(debug, each.type)]
    found: dict[str, str] = {}
    for parameter in function.parameters:
        pattern = rf"\b{re.escape(parameter.name)}\s*\[\s*(?:static\s+)?(\w+)\s*\]"
        matched = re.search(pattern, text)
        if matched and matched[1] in integers and _has_extent(debug, parameter):
            found[parameter.name] = matched[1]
    return found


def array_sizes(text: str, names: tuple[str, ...]) -> dict[str, int]:
    """Parameters that are written as arrays → their outermost size, 0 where none is written or it is no number."""
    found: dict[str, int] = {}
    for name in names:
        matched = re.search(rf"\b{re.escape(name)}\s*\[\s*([^\]]*?)\s*\]", text)
        if matched:
            size = re.sub(r"\b(static|const|restrict|volatile)\b", "", matched[1]).strip()
            found[name] = int(size, 0) if re.fullmatch(r"0[xX][0-9a-fA-F]+|[1-9]\d*", size) else 0
    return found
