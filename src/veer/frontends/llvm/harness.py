"""A harness in LLVM IR: `veer_main` makes the inputs of an entry, calls it, and records what it returns.

    @veer.t.0 = private constant %veer.type { i32 0, i8 2, ... }          the types of the inputs
    define void @veer_main() {
      %p0 = alloca i32
      call void @veer_make(ptr %p0, ptr @veer.t.0, ptr @veer.s.x)
      %a0 = load i32, ptr %p0
      %r = call i32 @f(i32 %a0)
      ...

`harness` is for entries that take and return numbers and pointers, in registers. What is passed otherwise (structs by
value, errors beside a result) gets an adapter from its front end, which takes the addresses of its arguments and of its
result: `harness_in_place`. Both are straight code: a branch would be the user's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from veer.frontends.llvm.typerows import TypeRow, type_rows
from veer.model.errors import UnsupportedInputError
from veer.model.program import Parameter
from veer.model.types import ExtentKind, Type, TypeKind
from veer.wire.layout import OutputKind

MAXIMUM_OBJECTS = 64
"""Most objects of one memory graph."""
TARGET = """\
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
"""
"""The machine that all units are for: a front end that writes IR itself begins a module with this."""
_FLOATS = {4: "float", 8: "double"}
_DECLARATIONS = """\
%veer.field = type { i32, i32, ptr }
%veer.type = type { i32, i8, i8, i8, i8, i32, i32, i32, i32, ptr, ptr, ptr, i64, i64, ptr, i32, i32 }
declare void @veer_make(ptr, ptr, ptr)
declare void @veer_result(ptr, i32, i32)
declare void @veer_outputs(ptr, i32, i32)
declare void @veer_set_bounds(i32, i32)
"""


class Part(Struct, frozen=True):
    """An input within an argument: its name among the roots, its byte offset, its type id."""

    name: str
    offset: int
    type: int


class Place(Struct, frozen=True):
    """Memory of an argument or a result, in bytes, all zeros but for its parts."""

    size: int
    alignment: int
    parts: tuple[Part, ...] = ()


class CallBefore(Struct, frozen=True):
    """A call that may be made before the entry: of a function that takes the addresses of these arguments."""

    symbol: str
    arguments: tuple[Place, ...]


class CallsBefore(Struct, frozen=True):
    """What is called before the other arguments are made. `begin`: a function that takes the addresses of the first
    `given` arguments, which are made before; then the input says which of the calls come (docs/state.md)."""

    begin: str
    given: int
    calls: tuple[CallBefore, ...]


def harness(
    symbol: str, parameters: Sequence[Parameter], returns: int, types: Sequence[Type], *, graph_depth: int = 3
) -> str:
    """The module's text. `returns`: a type id, -1 = nothing.

    Raises UnsupportedInputError for a parameter or result that is no number and no pointer.
    """
    rows = type_rows(types, [parameter.type for parameter in parameters])
    texts = dict.fromkeys([*(parameter.name for parameter in parameters), *(row.length for row in rows if row.length)])
    names = {text: f"@veer.s.{place}" for place, text in enumerate(texts)}
    result = register(types[returns], symbol) if returns >= 0 else "void"
    given = [register(types[parameter.type], parameter.name) for parameter in parameters]
    lines = [TARGET.rstrip(), _DECLARATIONS.rstrip(), f"declare {result} @{symbol}({', '.join(given)})"]
    lines += [f"{name} = private constant {_string(text)}" for text, name in names.items()]
    lines += [line for row in rows for line in _table(row, names)]
    lines += ["define void @veer_main() {", f"  call void @veer_set_bounds(i32 {graph_depth}, i32 {MAXIMUM_OBJECTS})"]
    lines += [f"  {line}" for line in _body(symbol, parameters, given, result, returns, types, names)]
    return "\n".join([*lines, "  ret void", "}"]) + "\n"


def harness_in_place(
    symbol: str,
    arguments: Sequence[Place],
    result: Place,
    types: Sequence[Type],
    returns: int,
    *,
    graph_depth: int = 3,
    behind: str = "",
    first: str = "",
    before: CallsBefore | None = None,
    variables: tuple[str, int] | None = None,
    tells_static: bool = False,
) -> str:
    """The text of a module that calls `symbol` with the address of each argument, and of the result behind them.

    `returns`: the type id of the result, -1 = nothing is recorded; `behind`: a function that adds to the result;
    `first`: one that is called before the arguments are made;
    `variables`: the table of those that are recorded around the call, and how many there are;
    `tells_static`: whether tests look at static data that a result leads to.
    """
    calls = before.calls if before is not None else ()
    more = [argument for call in calls for argument in call.arguments]
    parts = [part for argument in (*arguments, *more) for part in argument.parts]
    rows = type_rows(types, [part.type for part in parts])
    texts = dict.fromkeys([*(part.name for part in parts), *(row.length for row in rows if row.length)])
    names = {text: f"@veer.s.{place}" for place, text in enumerate(texts)}
    places = [*arguments, result]
    lines = [TARGET.rstrip(), _DECLARATIONS.rstrip(), "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1 immarg)"]
    lines.append(f"declare void @{symbol}({', '.join('ptr' for _ in places)})")
    lines += [f"{name} = private constant {_string(text)}" for text, name in names.items()]
    lines += [line for row in rows for line in _table(row, names)]
    lines += ["define void @veer_main() {", f"  call void @veer_set_bounds(i32 {graph_depth}, i32 {MAXIMUM_OBJECTS})"]
    table = f"ptr @{variables[0]}, i32 {variables[1]}" if variables is not None else "ptr null, i32 0"
    if variables is not None:
        lines.insert(-2, f"@{variables[0]} = external constant i8")
    if tells_static:
        lines.insert(-2, "@veer_tells_static = constant i8 1")
    lines += [f"  call void @{first}()"] if first else []
    lines += [f"  {line}" for line in _in_place(symbol, places, types, names, before, table)]
    if returns >= 0:
        lines.append(f"  call void @veer_result(ptr %p{len(arguments)}, i32 {result.size}, i32 {returns})")
    if behind:
        lines.append(f"  call void @{behind}()")
    lines.append(f"  call void @veer_outputs({table}, i32 {int(OutputKind.AFTER)})")
    lines += ["  ret void", "}", *(f"declare void @{each}()" for each in (first, behind) if each)]
    lines += _calls_before(before, types, names) if before is not None else []
    return "\n".join(lines) + "\n"


def _calls_before(before: CallsBefore, types: Sequence[Type], names: dict[str, str]) -> Iterator[str]:
    """A function for each call, and the table of them."""
    yield "declare void @veer_before(ptr, i32, ptr)"
    yield f"declare void @{before.begin}({', '.join('ptr' for _ in range(before.given))})"
    for number, call in enumerate(before.calls):
        yield f"declare void @{call.symbol}({', '.join('ptr' for _ in call.arguments)})"
        yield f"define internal void @veer.before.{number}() {{"
        yield from (f"  {line}" for line in _memory(call.arguments))
        yield from (f"  {line}" for line in _made(range(len(call.arguments)), call.arguments, types, names))
        yield f"  call void @{call.symbol}({', '.join(f'ptr %p{place}' for place in range(len(call.arguments)))})"
        yield from ("  ret void", "}")
    rows = ", ".join(f"ptr @veer.before.{number}" for number in range(len(before.calls)))
    yield f"@veer.before = private constant [{len(before.calls)} x ptr] [{rows}]"


def _memory(places: Sequence[Place]) -> Iterator[str]:
    for number, place in enumerate(places):
        size = max(place.size, 1)
        yield f"%p{number} = alloca [{size} x i8], align {max(place.alignment, 1)}"
        yield f"call void @llvm.memset.p0.i64(ptr %p{number}, i8 0, i64 {size}, i1 false)"


def _in_place(
    symbol: str,
    places: Sequence[Place],
    types: Sequence[Type],
    names: dict[str, str],
    before: CallsBefore | None,
    table: str,
) -> Iterator[str]:
    yield from _memory(places)
    first = before.given if before is not None else 0
    if before is not None:
        yield from _made(range(first), places, types, names)
        yield f"call void @{before.begin}({', '.join(f'ptr %p{number}' for number in range(first))})"
        yield f"call void @veer_before(ptr @veer.before, i32 {len(before.calls)}, ptr null)"
    yield from _made(range(first, len(places)), places, types, names)
    yield f"call void @veer_outputs({table}, i32 {int(OutputKind.BEFORE)})"
    yield f"call void @{symbol}({', '.join(f'ptr %p{number}' for number in range(len(places)))})"


def _made(which: range, places: Sequence[Place], types: Sequence[Type], names: dict[str, str]) -> Iterator[str]:
    """Some of the arguments become inputs."""
    parts = [(number, part) for number in which for part in places[number].parts]
    lengths = {types[part.type].length for _, part in parts}
    # A buffer that is decided while its length is not made yet would have none.
    for number, part in sorted(parts, key=lambda each: each[1].name not in lengths):
        yield f"%f{number}.{part.offset} = getelementptr i8, ptr %p{number}, i64 {part.offset}"
        made = f"ptr %f{number}.{part.offset}, ptr @veer.t.{part.type}, ptr {names[part.name]}"
        yield f"call void @veer_make({made})"


def register(type_: Type, name: str) -> str:
    """The IR type in which a value is passed. Raises UnsupportedInputError."""
    if type_.kind == TypeKind.POINTER:
        return "ptr"
    if type_.kind == TypeKind.FLOAT and type_.size in _FLOATS:
        return _FLOATS[type_.size]
    if type_.kind in (TypeKind.UNSIGNED, TypeKind.SIGNED, TypeKind.BOOL, TypeKind.CHAR):
        return f"i{8 * type_.size}"
    raise UnsupportedInputError(f"{name} is of type {type_.name}, which is neither a number nor a pointer")


def _body(
    symbol: str,
    parameters: Sequence[Parameter],
    given: Sequence[str],
    result: str,
    returns: int,
    types: Sequence[Type],
    names: dict[str, str],
) -> Iterator[str]:
    lengths = {types[parameter.type].length for parameter in parameters}
    for place, type_ in enumerate(given):
        zero = {"ptr": "null", "float": "0.0", "double": "0.0"}.get(type_, "0")
        yield f"%p{place} = alloca {type_}"
        yield f"store {type_} {zero}, ptr %p{place}"
    # A buffer that is decided while its length is not made yet would have none.
    for place in sorted(range(len(given)), key=lambda place: parameters[place].name not in lengths):
        parameter = parameters[place]
        if types[parameter.type].extent != ExtentKind.NULL:
            yield f"call void @veer_make(ptr %p{place}, ptr @veer.t.{parameter.type}, ptr {names[parameter.name]})"
    yield f"call void @veer_outputs(ptr null, i32 0, i32 {int(OutputKind.BEFORE)})"
    for place, type_ in enumerate(given):
        yield f"%a{place} = load {type_}, ptr %p{place}"
    arguments = ", ".join(f"{type_} %a{place}" for place, type_ in enumerate(given))
    if returns < 0:
        yield f"call void @{symbol}({arguments})"
    else:
        yield f"%r = call {result} @{symbol}({arguments})"
        yield f"%result = alloca {result}"
        yield f"store {result} %r, ptr %result"
        yield f"call void @veer_result(ptr %result, i32 {types[returns].size}, i32 {returns})"
    yield f"call void @veer_outputs(ptr null, i32 0, i32 {int(OutputKind.AFTER)})"


def _table(row: TypeRow, names: dict[str, str]) -> Iterator[str]:
    """The constants of one type."""
    if row.fields:
        items = ", ".join(
            f"%veer.field {{ i32 {each.offset}, i32 {each.name}, ptr {_type(each.type)} }}" for each in row.fields
        )
        yield f"@veer.f.{row.id} = private constant [{len(row.fields)} x %veer.field] [{items}]"
    values = (
        *(f"i32 {row.id}", f"i8 {row.kind}", f"i8 {int(row.nullable)}", f"i8 {row.extent}", f"i8 {row.length_unit}"),
        *(f"i32 {number}" for number in (row.size, row.count, row.maximum, row.alignment)),
        f"ptr {f'@veer.f.{row.id}' if row.fields else 'null'}",
        f"ptr {_type(row.target)}",
        f"ptr {names[row.length] if row.length else 'null'}",
        *(f"i64 {number}" for number in (row.low, row.high)),
        f"ptr {f'@{row.function}' if row.function else 'null'}",
        *(f"i32 {number}" for number in (row.bound, row.longer)),
    )
    yield f"@veer.t.{row.id} = private constant %veer.type {{ {', '.join(values)} }}"


def _type(identity: int) -> str:
    return f"@veer.t.{identity}" if identity >= 0 else "null"


def _string(text: str) -> str:
    data = text.encode() + b"\0"
    shown = "".join(chr(byte) if 0x20 <= byte < 0x7F and byte not in b'"\\' else f"\\{byte:02X}" for byte in data)
    return f'[{len(data)} x i8] c"{shown}"'
