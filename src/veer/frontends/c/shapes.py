"""Input shapes: which parameters of a function can be made, and how big what their pointers lead to is.

    char *s                       a string of up to max_length characters
    char *buffer, size_t length   exactly `length` bytes; `length` is 0 .. max_length
    char *p, char *end            `end` is `p` + 0 .. max_length; `char **pp, char *end` likewise
    int *a, int n / int n, int a[]   exactly `n` elements; `n` is 0 .. max_array
    int argc, char **argv         `argc` (1 .. max_array) strings, none of them NULL, and a NULL behind them
    int a[4]                      exactly 4 elements
    int *a                        1 .. max_array elements: how many is an input of its own
    int a[][4] / int (*a)[4]      1 .. max_array rows
    int (*f)(int)                 NULL or a stub that returns a fresh input at each call
    struct { int n; int a[]; } *  one struct with n elements behind it; without such an n, 0 .. max_array
    struct cell *p                one object (memory graphs: decision 0002); where the code takes p[1], or moves p on,
                                  1 .. max_array of them
    void *p                       a block of max_length bytes
    FILE *f, int fd               an open file with any content, where a whole function is tested

Which parameter is a length, how many elements there are, and what is never NULL is what the function's contract says
(contracts/). `--size-of BUF=LEN` comes first, and `--size-of BUF=` says that there is no length.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from types import MappingProxyType

from msgspec import Struct, field

from veer.frontends.c.contracts.clauses import Contract, Range
from veer.frontends.c.contracts.names import ARGUMENT_COUNT
from veer.frontends.c.contracts.openfiles import OpenFile
from veer.frontends.c.extents import Extent, ObjectBounds, usual_extent, why_never
from veer.frontends.c.ownbounds import check_names, most_elements
from veer.frontends.c.parameterkinds import (
    is_argument_list,
    is_bytes,
    is_pointer,
    leads_to_strings,
    target,
    variable_element,
)
from veer.frontends.c.spelling import spelling
from veer.frontends.c.typetable import Most, TypeTable
from veer.frontends.llvm.debuginfo import NO_NODE, DebugFunction, DebugInfo, DebugParameter
from veer.model.buildoptions import OwnBound
from veer.model.program import Function, Parameter
from veer.model.types import BoundKind, ExtentKind, TypeKind
from veer.model.values import replace
from veer.model.variadic import rest_name

_NONE: Mapping[str, OpenFile] = MappingProxyType({})
_WIDE = "write a harness with veer.h that makes it from supported inputs, or test a function below this one"


class Shape(Struct, frozen=True):
    """How the parameters of one function are made: a model Function, and notes for the user (what is not explored)."""

    function: Function
    notes: tuple[str, ...] = ()
    contract: Contract = field(default_factory=lambda: Contract(""))


def shape(
    debug: DebugInfo,
    function: DebugFunction,
    table: TypeTable,
    contract: Contract,
    head: str = "",
    unit: int = 0,
    own_bounds: tuple[OwnBound, ...] = (),
    opened: Mapping[str, OpenFile] = _NONE,
    *,
    takes_lists: bool = False,
    rows: Collection[str] = (),
) -> Shape:
    """The input shape of a function. `head`: its definition up to the body, as the compiler prints it; `opened`: the
    parameters that are open files; `takes_lists`: whether a va_list can be made for it, and arguments behind `...`;
    `rows`: the parameters of which the code takes other elements than the first.

    Raises UsageError when `own_bounds` name a parameter that is not there or not of the right kind.
    """
    check_names(debug, function, own_bounds)
    lengths, arrays = {**contract.lengths, **contract.ends}, contract.elements
    own = most_elements(debug, function, own_bounds, lengths, arrays)
    bounds = _bounds(debug, function, table, contract, own)
    sizes = _Sizes(arrays, lengths, bounds, own, contract, frozenset(rows))
    parameters: list[Parameter] = []
    notes: list[str] = []
    inner = tags_within(head, function.name)
    for declared in function.parameters:
        parameter = without_inner_enum(debug, declared, inner)
        is_bounded = parameter.name in contract.ranges or parameter.name in lengths.values()
        if (file := opened.get(parameter.name)) and not is_bounded:
            identity = table.open_file(
                debug, parameter.type, unit, nullable=file.may_be_none and parameter.name not in contract.not_null
            )
            parameters.append(Parameter(parameter.name, identity))
            continue
        if takes_lists and is_argument_list(debug, parameter.type):
            parameters.append(Parameter(parameter.name, table.argument_list()))
            continue
        why = unsupported(debug, parameter.type) or _unnameable(debug, parameter.type, inner)
        identity = -1 if why else _type_of(debug, parameter, table, unit, sizes)
        parameters.append(Parameter(parameter.name, identity, why))
        note = _note(debug, parameter)
        if note and not why:
            notes.append(note)
    if function.is_variadic and takes_lists:
        parameters.append(Parameter(rest_name({each.name for each in parameters}), table.argument_list()))
    elif function.is_variadic:
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
    return Shape(made, tuple(notes), contract)


class _Sizes(Struct, frozen=True):
    """What is known of the parameters, by name."""

    arrays: dict[str, int]  # sizes that are written
    lengths: dict[str, str]  # the parameter that holds how many elements there are
    bounds: dict[str, Most]  # of those parameters
    own: dict[str, int]  # most elements, where the user says it
    contract: Contract
    rows: frozenset[str]  # those of which other elements than the first are taken

    @property
    def leads_from(self) -> dict[str, str]:
        """Parameters that are ends of others, or lead into them → these."""
        ends = {end: buffer.removeprefix("*") for buffer, end in self.contract.ends.items()}
        return ends | self.contract.within


def _type_of(debug: DebugInfo, parameter: DebugParameter, table: TypeTable, unit: int, sizes: _Sizes) -> int:
    """The id of a parameter's type, with what its contract says of it."""
    identity = _by_size(debug, parameter, table, unit, sizes)
    is_pointer_row = identity >= 0 and table.types[identity].kind == TypeKind.POINTER
    if is_pointer_row and parameter.name in sizes.contract.not_null and table.types[identity].nullable:
        return table.not_null(identity)
    return identity


def _ends(values: Range, least: int, most: int) -> tuple[int, int]:
    """A range within other ends; a bound of veer's own gives way to a range that lies behind it."""
    low = least if values.low is None else max(least, values.low)
    return low, max(most if values.high is None else min(values.high, most), low)


def _by_size(debug: DebugInfo, parameter: DebugParameter, table: TypeTable, unit: int, sizes: _Sizes) -> int:
    name, bounds, lengths = parameter.name, sizes.bounds, sizes.lengths
    if (buffer := sizes.leads_from.get(name)) is not None:
        return table.end(debug, parameter.type, buffer, bounds[name], unit)
    values = sizes.contract.ranges.get(name)
    if values is not None and name in bounds:
        return table.ranged(debug, parameter.type, _ends(values, 0, bounds[name].number), unit)
    if values is not None and values.low is not None and values.high is not None:
        return table.ranged(debug, parameter.type, (values.low, values.high), unit)
    if name in bounds:
        # A program has a name: argc is never 0.
        least = int(name == ARGUMENT_COUNT and bounds[name].number > 1)
        return table.bounded(debug, parameter.type, bounds[name], unit, least)
    if not is_pointer(debug, parameter.type) or why_never(debug, target(debug, parameter.type)):
        return table.add(debug, parameter.type, unit)
    if (element := variable_element(debug, parameter.type)) is not None:
        return table.variable(debug, element, unit)
    if name in lengths:
        most = bounds[lengths[name]]
        is_guess = name in sizes.contract.guessed
        extent = Extent(ExtentKind.LENGTH, most.number, lengths[name], most.bound, is_guess)
        if lengths[name] == ARGUMENT_COUNT and leads_to_strings(debug, parameter.type):
            return table.argument_vector(debug, parameter.type, extent, unit)
        return table.pointer(debug, parameter.type, extent, unit)
    if (end := lengths.get(f"*{name}")) is not None:
        most, is_guess = bounds[end], f"*{name}" in sizes.contract.guessed
        extent = Extent(ExtentKind.LENGTH, most.number, end, most.bound, is_guess)
        inner = table.pointer(debug, target(debug, parameter.type), extent, unit)
        inner = table.not_null(inner) if f"*{name}" in sizes.contract.not_null else inner
        return table.to_one(debug, parameter.type, inner, unit)
    if name in sizes.arrays:
        return table.pointer(debug, parameter.type, Extent(ExtentKind.FIXED, sizes.arrays[name]), unit)
    if name in sizes.own:
        limits = ObjectBounds(sizes.own[name], sizes.own[name])
        extent = usual_extent(debug, debug.node(debug.strip(parameter.type)), limits)
        return table.pointer(debug, parameter.type, replace(extent, bound=None), unit)
    return table.row(debug, parameter.type, unit) if name in sizes.rows else table.add(debug, parameter.type, unit)


def _bounds(
    debug: DebugInfo, function: DebugFunction, table: TypeTable, contract: Contract, own: dict[str, int]
) -> dict[str, Most]:
    """Largest value of each length parameter: the least that one of its buffers may have, by the user's word first.

    A range is the user's word, too.
    """
    bounds: dict[str, Most] = {}
    said: dict[str, Most] = {}
    lengths = {**contract.lengths, **contract.ends}
    for parameter in function.parameters:
        name, type_ = parameter.name, parameter.type
        if f"*{name}" in lengths:
            name, type_ = f"*{name}", target(debug, type_)
        if (length := lengths.get(name)) is None:
            continue
        usual = Most(table.limits.max_array, BoundKind.ARRAY)
        if is_bytes(debug, type_):
            usual = Most(table.limits.max_length, BoundKind.LENGTH)
        _lower(bounds, length, replace(usual, number=max(usual.number, 1)))
        if parameter.name in own:
            _lower(said, length, Most(max(own[parameter.name], 1)))
    bounds |= said
    bounds |= {cursor: bounds[lengths[buffer]] for cursor, buffer in contract.within.items() if buffer in lengths}
    for length, values in contract.ranges.items():
        if length in bounds:
            bounds[length] = Most(_ends(values, 0, bounds[length].number)[1])
    return bounds


def _lower(bounds: dict[str, Most], length: str, most: Most) -> None:
    if length not in bounds or most.number < bounds[length].number:
        bounds[length] = most


def _note(debug: DebugInfo, parameter: DebugParameter) -> str:
    if not is_pointer(debug, parameter.type):
        return ""
    below = target(debug, parameter.type)
    node = debug.node(debug.strip(below))
    if node.kind == "DISubroutineType":
        return f"the parameter {parameter.name} is NULL or a stub that returns anything"
    if "DIFlagFwdDecl" in node.text("flags"):
        return (
            f"the parameter {parameter.name} leads to bytes: {spelling(debug, below)} is declared but not defined here"
        )
    return ""


def unsupported(debug: DebugInfo, reference: int) -> str:
    """Why a parameter of this type cannot be made and what to do, or ""."""
    node = debug.node(debug.strip(reference))
    size = node.number("size") // 8
    named = spelling(debug, debug.unqualified(reference))
    if is_pointer(debug, reference):
        never = why_never(debug, target(debug, reference))
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
    while is_pointer(debug, bare):
        bare = debug.strip(target(debug, bare))
    if bare == NO_NODE or (text := spelling(debug, bare)) not in inner:
        return ""
    named = text if " " in text else f"its {text}"
    return f"{named} is declared in the parameter list, where no caller can name it: declare it before the function"
