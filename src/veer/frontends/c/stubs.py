"""Stubs: functions that are defined nowhere return a fresh input at each call (DART's interface extraction).

    int veer_stub_0() __asm__("read_sensor");
    int veer_stub_0() { int r = 0; veer_h_make(&r, &veer_t_9, "read_sensor()"); return r; }

The root of its input is called `read_sensor()`; its occurrences are its calls, in order. Pointers may be NULL. Behind
pointers it writes what nobody has written (passed.py). Blocks
that it is given may be freed by the function that it stands for: they are no leaks (veer_h_give).
All that its declaration in IR tells is sizes and registers, and the sign where it is extended; what a returned pointer
leads to is asked of the compiler (results.py).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType

from msgspec import Struct, field

from veer.frontends.c.harness import PRELUDE
from veer.frontends.c.harness_types import type_tables
from veer.frontends.c.passed import POINTER, handling, parameters, telling, writes
from veer.frontends.c.results import Declared
from veer.frontends.c.typetable import TypeTable
from veer.frontends.c.voids import TAKEN
from veer.frontends.llvm.typerows import reachable
from veer.instrument.lexer import split_commas
from veer.model.buildoptions import BuildOptions
from veer.model.program import EXIT_OF_STUBS, HarnessKind
from veer.model.stubcalls import Mocks, Passed
from veer.model.types import ExtentKind, Field, Type, TypeKind

_SCALARS = {
    "i1": (TypeKind.BOOL, "_Bool", 1),
    "i8": (TypeKind.SIGNED, "signed char", 1),
    "i16": (TypeKind.SIGNED, "short", 2),
    "i32": (TypeKind.SIGNED, "int", 4),
    "i64": (TypeKind.SIGNED, "long", 8),
    "float": (TypeKind.FLOAT, "float", 4),
    "double": (TypeKind.FLOAT, "double", 8),
}
UNKNOWN_SIZE = 4096
"""Bytes of a variable that is defined nowhere and whose size the declaration does not tell."""


class Stubs(Struct, frozen=True):
    """The C text of the stubs, the functions that have one, notes on what is not made, whether blocks are."""

    text: str
    functions: tuple[str, ...]
    notes: tuple[str, ...]
    makes_blocks: bool = False
    zeros: tuple[tuple[str, int], ...] = ()  # variables that begin as zeros: name, bytes
    bounds: tuple[str, ...] = ()  # what restricts the inputs
    passed: dict[str, tuple[Passed, ...]] = field(default_factory=dict)  # parameters of those that write, or of all
    ending: tuple[str, ...] = ()  # those of the functions that end the program


def mocks_of(options: BuildOptions, kind: HarnessKind) -> Mocks:
    """What the tests expect of calls of stubs: of those that pass arguments to an entry."""
    if not options.mocks or not kind.passes_arguments:
        return Mocks.NONE
    return Mocks.ORDER if options.mock_order else Mocks.CALLS


def stubs(
    functions: Mapping[str, tuple[str, str]],
    data: Mapping[str, str],
    table: TypeTable,
    declared: Mapping[str, Declared] = MappingProxyType({}),
    *,
    tells: bool = False,
    ending: Collection[str] = (),
    inputs: Collection[str] = (),
    unused: Collection[str] = (),
) -> Stubs:
    """Stubs for undefined functions (IR return type, parameters) and variables (IR type); adds rows to the table.

    `declared`: what C says of them; a pointer of which it says nothing is one to bytes. `tells`: they tell of their
    calls, for tests expect them. `ending`: functions that are declared not to return; their stubs end the program.
    `inputs`: the variables that the harness makes inputs; the others are all zeros. `unused`: those that nothing is
    said of.
    """
    lines: list[str] = []
    notes: list[str] = []
    bounds: list[str] = []
    roots: list[int] = []
    makes_blocks = False
    passed: dict[str, tuple[Passed, ...]] = {}
    for index, (name, (result, taken)) in enumerate(sorted(functions.items())):
        last = []
        if name in ending:
            result, last = "void", [f"veer_h_exit({EXIT_OF_STUBS});"]
            notes.append(f"{name} does not return: its stub ends the program by exit({EXIT_OF_STUBS})")
        identity, c_type = _result(f"veer_stub_{index}", result, table, lines)
        says = declared.get(name)
        is_in_memory = " sret(" in taken and not last
        if result == "ptr" or is_in_memory:
            identity = says.result if says is not None and says.result >= 0 else identity
        if identity >= 0 and (result == "ptr" or is_in_memory):
            bounds += _bounds(table, sorted(reachable(table.types, [identity])) if is_in_memory else [identity])
            makes_blocks |= table.types[identity].extent == ExtentKind.FIXED
        unmade = identity < 0 and (result != "void" or is_in_memory)
        if unmade:
            bounds.append(f"whatever {name} returns")
            notes.append(
                f"{name} is defined nowhere, and the struct that it returns is not made: define it, or --link it"
            )
        given = says.passed if says is not None else _parameters(taken)
        bounds += _unwritten_by(name, taken, given)
        if tells or writes(given):
            passed[name] = given
        roots += [identity, *(each.target for each in given if each.target >= 0)]
        stub = f"veer_stub_{index}"
        first = [*telling(given, table.types, index)] if tells else []
        if unmade:
            lines += _unmade(stub, name)
        elif is_in_memory:
            lines += _in_memory(stub, name, table.types[identity], given, first)
        else:
            lines += _function(stub, name, identity, c_type, given, first, last)
    zeros = tuple((name, _size(shape)) for name, shape in sorted(data.items()))
    for index, (name, size) in enumerate(zeros):
        lines.append(f'char veer_data_{index}[{size}] __asm__("{name}") __attribute__((aligned(16)));')
        if name in inputs:
            notes.append(f"the variable {name} is defined nowhere: it is an input")
        elif name not in unused:
            bounds.append(f"{name} = 0")
            notes.append(f"the variable {name} is defined nowhere: it is all zeros")
    head = [PRELUDE, *(['extern void veer_h_exit(int) __asm__("exit");'] if ending else [])]
    text = "\n".join([*head, *type_tables(table.types, roots, tells=tells), *lines]) + "\n"
    ends_all = tuple(sorted({*functions} & {*ending}))
    return Stubs(text, tuple(sorted(functions)), tuple(notes), makes_blocks, zeros, tuple(bounds), passed, ends_all)


def _unmade(stub: str, name: str) -> list[str]:
    """A stub that returns nothing that could be relied on; its input of one byte tells a suite that it was called."""
    call = f'char called; veer_h_bytes(&called, 1, "{name}()", 0);'
    return [f'void {stub}() __asm__("{name}");', f"void {stub}() {{ {call} }}"]


def _bounds(table: TypeTable, identities: Sequence[int]) -> Iterator[str]:
    """What restricts inputs of these types."""
    for row in (table.types[each] for each in identities):
        if row.is_taken:
            yield TAKEN
        if row.extent == ExtentKind.ONE:
            yield "one object behind a pointer"
        if row.bound is not None:
            yield f"{row.bound} {row.maximum}"


def _unwritten_by(name: str, taken: str, given: Sequence[Passed]) -> list[str]:
    """What the stub does not write, as a bound. Where C says nothing of the parameters, IR tells pointers alone."""
    if writes(given):
        return [f"{name} writes only what nobody has written"]
    return [f"{name} writes nothing"] if "ptr" in taken else []


def _in_memory(stub: str, name: str, result: Type, given: Sequence[Passed], first: Sequence[str]) -> list[str]:
    """A stub that returns a struct where its caller says: a hidden first parameter, which it returns."""
    making = f'__builtin_memset(place, 0, {result.size}); veer_h_make(place, &veer_t_{result.id}, "{name}()");'
    head = f"void *{stub}({', '.join(['void *place', *([parameters(given)] if given else [])])})"
    return [
        f'{head} __asm__("{name}");',
        f"{head} {{ {' '.join([*first, *handling(given, name, keeps_const=True)])} {making} return place; }}",
    ]


def _function(
    stub: str, name: str, identity: int, c_type: str, given: Sequence[Passed], first: Sequence[str], last: Sequence[str]
) -> list[str]:
    """A stub that returns a number or a pointer, or nothing. `first`, `last`: statements of it."""
    giving = [*first, *handling(given, name, keeps_const=True)]
    if identity >= 0:
        zero = "{0}" if c_type.startswith("struct") else "0"
        making = f'{c_type} r = {zero}; {" ".join(giving)} veer_h_make(&r, &veer_t_{identity}, "{name}()"); return r;'
    else:
        making = " ".join([*giving, *last])
    head = f"{c_type} {stub}({parameters(given)})"
    return [f'{head} __asm__("{name}");', f"{head} {{ {making} }}"]


def _parameters(text: str) -> tuple[Passed, ...]:
    """The first parameters as IR has them, up to one that comes in no register; none if no pointer is among them."""
    found: list[Passed] = []
    for parameter in split_commas(text):
        type_ = parameter.partition(" ")[0]
        if type_ not in ("ptr", *_SCALARS) or " byval(" in parameter or " sret(" in parameter:
            break
        found.append(Passed(POINTER if type_ == "ptr" else _SCALARS[type_][1]))
    return tuple(found) if Passed(POINTER) in found else ()


def _result(stub: str, result: str, table: TypeTable, lines: list[str]) -> tuple[int, str]:
    """Type id and C type of an IR return type; -1 for void and what cannot be made. Defines a struct in `lines`."""
    if result in ("ptr", *_SCALARS):
        return _scalar(result, table)
    parts = _aggregate(result)
    if parts is None:
        return -1, "void"
    # A small struct comes back in registers as the IR type says: the same fields give the same registers.
    made = [_scalar(part, table) for part in parts]
    lines.append(
        f"struct {stub}_result {{ {' '.join(f'{c_type} f{index};' for index, (_, c_type) in enumerate(made))} }};"
    )
    fields: list[Field] = []
    offset = 0
    for index, (identity, _) in enumerate(made):
        row = table.types[identity]
        offset = -(-offset // row.alignment) * row.alignment
        fields.append(Field(f"f{index}", offset, identity))
        offset += row.size
    alignment = max(table.types[identity].alignment for identity, _ in made)
    size = -(-offset // alignment) * alignment
    name = f"struct {stub}_result"
    return table.plain(Type(0, TypeKind.STRUCT, name, size, alignment, fields=tuple(fields))), name


def _scalar(result: str, table: TypeTable) -> tuple[int, str]:
    if result == "ptr":
        return table.block_pointer(), POINTER
    kind, name, size = _SCALARS[result]
    return table.plain(Type(0, kind, name, size, size)), name


def _aggregate(result: str) -> list[str] | None:
    """Parts of `{ i64, i32 }`, `<2 x float>`, `i24` (a struct of three bytes); None for anything else."""
    matched = re.fullmatch(r"\{ ([^{}\[\]]+) \}", result)
    parts: list[str] = []
    for part in matched[1].split(", ") if matched else [result]:
        odd = re.fullmatch(r"i(24|40|48|56)", part)
        if part == "<2 x float>":
            parts += ["float", "float"]
        elif odd:
            parts += ["i8"] * (int(odd[1]) // 8)
        elif part == "ptr" or part in _SCALARS:
            parts.append(part)
        else:
            return None
    return parts


def _size(shape: str) -> int:
    sizes = {"ptr": 8} | {name: size for name, (_, _, size) in _SCALARS.items()}
    if shape in sizes:
        return sizes[shape]
    if matched := re.fullmatch(r"\[(\d+) x (\w+)\]", shape):
        return int(matched[1]) * sizes.get(matched[2], 0) or UNKNOWN_SIZE
    return UNKNOWN_SIZE
