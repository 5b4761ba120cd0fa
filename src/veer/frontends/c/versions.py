"""Another version of the entry, in one program with it: `veer compare` (docs/compare.md, decision 0480).

    old.c   define i32 @clamp(...)      the entry, as always
    new.c   define i32 @veer.new.clamp(...)     all that this version defines has a name of its own

So each version has its own functions, variables and static data. What neither defines is one stub, or the C library,
for both.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from veer.frontends.c.analysis import (
    ALL_FUNCTIONS,
    compile_modules,
    find_entry,
    module_shapes,
    object_bounds,
    unknown_entry,
)
from veer.frontends.c.apart import handle, with_handles
from veer.frontends.c.harness import OtherVersion, Plan
from veer.frontends.c.inputs import comparable, global_inputs
from veer.frontends.c.typetable import TypeTable
from veer.frontends.llvm.compiled import Module
from veer.instrument.lexer import unquoted
from veer.model.buildoptions import BuildOptions
from veer.model.errors import UsageError
from veer.model.program import NEW_VERSION, Function
from veer.model.types import ExtentKind, Type, TypeKind
from veer.model.values import replace
from veer.toolchain.compiler import CXX_SUFFIXES, Toolchain

_NAMED = re.compile(r'@("[^"]+"|[\w.$-]+)|"[^"]*"')
_DEFINED = re.compile(r'^(?:define |)(?P<before>[^@\n"]*)@(?P<name>"[^"]+"|[\w.$-]+)(?P<behind>\(| = )', re.MULTILINE)
_LOCAL = re.compile(r"\b(internal|private|external|extern_weak|available_externally)\b")
_MOST_SHOWN = 3
OF_VERSIONS = (
    *(("free", "veer_replay_free"), ("realloc", "veer_replay_realloc")),
    *(("malloc", "veer_replay_malloc"), ("aligned_alloc", "veer_replay_aligned_alloc")),
)
"""In replays of versions: what tells which input objects are freed, and what was not written (replay/versions.c)."""


class Compared(Struct, frozen=True):
    """The modules of the other version, its functions, what the harness knows of it, and what is not compared."""

    modules: tuple[Module, ...]
    functions: tuple[Function, ...]
    other: OtherVersion
    bounds: tuple[str, ...] = ()


def other_modules(
    options: BuildOptions, toolchain: Toolchain, old: Sequence[Module], extra: Sequence[str] = ()
) -> tuple[Module, ...]:
    """The other version's modules, in which all that a version defines for others has a name of its own.

    Raises UsageError when one does not compile.
    """
    modules = _compiled(options, toolchain, extra)
    names = {name for module in (*old, *modules) for name in exported(module.ir)}
    return tuple(replace(each, ir=with_handles(renamed(each.ir, names), each.source)) for each in modules)


def compared(
    options: BuildOptions, toolchain: Toolchain, old: Sequence[Module], plan: Plan, known: Sequence[tuple[str, int]]
) -> Compared:
    """What runs beside the entry of `plan`, whose source has these variables. Raises UsageError."""
    modules = _compiled(options, toolchain, ())
    module = find_entry(modules, options.entry)
    if module is None:
        raise unknown_entry(modules, options.entry)
    names = {name for each in (*old, *modules) for name in exported(each.ir)}
    table = TypeTable(object_bounds(options))
    shapes = {shape.function.name: shape for shape in module_shapes(module, table, 0)}
    _require_same(plan, shapes[options.entry].function, table.types, options)
    theirs = dict(comparable(global_inputs(module, table)[0], table.types))

    def symbol(name: str) -> str:
        return NEW_VERSION + name if name in names else handle(name, module.source)

    variables = {
        place: symbol(name)
        for place, (name, identity) in enumerate(plan.outputs)
        if name in theirs and not difference(plan.types, identity, table.types, theirs[name])
    }
    left_out = [name for place, (name, _) in enumerate(plan.outputs) if place not in variables and (name, _) in known]
    left_out += [name for name in theirs if name not in {each for each, _ in plan.outputs}]
    functions = [
        replace(each, name=NEW_VERSION + each.name if each.name in names else each.name, parameters=(), returns=-1)
        for unit in modules
        for each in (shape.function for shape in module_shapes(unit, TypeTable(object_bounds(options)), 0))
    ]
    moved = tuple(replace(each, ir=with_handles(renamed(each.ir, names), each.source)) for each in modules)
    return Compared(moved, tuple(functions), OtherVersion(symbol(options.entry), variables), tuple(_unseen(left_out)))


def _unseen(names: Collection[str]) -> Iterator[str]:
    if names:
        listed = sorted(dict.fromkeys(names))
        more = f" and {len(listed) - _MOST_SHOWN} more" if len(listed) > _MOST_SHOWN else ""
        yield f"what only one version has, which is not compared ({', '.join(listed[:_MOST_SHOWN])}{more})"


def _compiled(options: BuildOptions, toolchain: Toolchain, extra: Sequence[str]) -> tuple[Module, ...]:
    for source in options.against:
        if source.suffix in CXX_SUFFIXES:
            raise UsageError(f"{source} is in C++: versions of functions in C are compared")
    asked = replace(options, sources=options.against)
    modules = compile_modules(asked, toolchain, extra)
    if find_entry(modules, options.entry) is None:  # a static function that nobody calls
        modules = compile_modules(asked, toolchain, (*extra, *ALL_FUNCTIONS))
    return modules


def exported(ir: str) -> Iterator[str]:
    """The names that a module defines for others."""
    for found in _DEFINED.finditer(ir):
        line = ir[found.start() : ir.find("\n", found.start())]
        is_function = line.startswith("define ")
        if is_function is not (found["behind"] == "(") or (not is_function and found["before"]):
            continue
        name = unquoted(found["name"])
        head = found["before"] if is_function else line.partition(" = ")[2].split("@")[0].split('"')[0]
        if not name.startswith("llvm.") and not _LOCAL.search(head.split(" global ")[0].split(" constant ")[0]):
            yield name


def renamed(ir: str, names: Collection[str]) -> str:
    """The module with the prefix of the other version before these names, in its code and not in its texts."""

    def name(found: re.Match[str]) -> str:
        known = unquoted(found[1]) if found[1] else ""
        return f'@"{NEW_VERSION}{known}"' if known in names else found[0]

    return _NAMED.sub(name, ir)


_BYTES = (TypeKind.CHAR, TypeKind.SIGNED, TypeKind.UNSIGNED)
"""Kinds that, of one byte in memory, are the same to a machine."""


def _require_same(plan: Plan, new: Function, types: Sequence[Type], options: BuildOptions) -> None:
    """Raises UsageError where the versions are not called in the same way."""
    old, where = plan.entry, f"{options.entry} of {Path(new.file).name}"
    if len(old.parameters) != len(new.parameters):
        raise UsageError(
            f"{where} has {len(new.parameters)} parameters, and {len(old.parameters)} in {Path(old.file).name}: "
            "versions that are called in the same way are compared"
        )
    pairs = [(each.name, each.type, its.type) for each, its in zip(old.parameters, new.parameters, strict=True)]
    for name, one, other in [
        *((f"the parameter {name}", a, b) for name, a, b in pairs),
        ("what it returns", old.returns, new.returns),
    ]:
        why = difference(plan.types, one, types, other)
        if why:
            raise UsageError(f"{where}: {name} is of another type than in {Path(old.file).name} ({why})")


def difference(
    old: Sequence[Type], one: int, new: Sequence[Type], other: int, seen: frozenset[tuple[int, int]] = frozenset()
) -> str:
    """Why two types are not the same to a machine; "" where they are."""
    if (one, other) in seen or (one < 0 and other < 0):
        return ""
    if one < 0 or other < 0:
        return "one is void"
    a, b = old[one], new[other]
    seen |= {(one, other)}
    if ExtentKind.END in (a.extent, b.extent) and a.size == b.size:  # a pointer, made as a number of elements
        return ""
    if a.kind is not b.kind or a.size != b.size:
        return f"{_said(a)} and {_said(b)}"
    if a.kind is TypeKind.POINTER:
        if ExtentKind.FUNCTION in (a.extent, b.extent):
            return "" if a.extent is b.extent else f"{a.name} and {b.name}"
        if _is_byte(old, a.target) and _is_byte(new, b.target):  # `char *` here, `uint8_t *` there, as Zig writes it
            return ""
        return difference(old, a.target, new, b.target, seen)
    if a.kind is TypeKind.ARRAY:
        return difference(old, a.target, new, b.target, seen) or (
            "" if a.count == b.count else f"{a.name} and {b.name}"
        )
    if len(a.fields) != len(b.fields) or _bits(a) != _bits(b):
        return f"{a.name} has other members"
    for mine, its in zip(a.fields, b.fields, strict=True):
        if mine.offset != its.offset:
            return f"{a.name}.{mine.name} lies elsewhere"
        if why := difference(old, mine.type, new, its.type, seen):
            return why
    return ""


def _is_byte(types: Sequence[Type], identity: int) -> bool:
    return identity >= 0 and types[identity].kind in _BYTES and types[identity].size == 1


def _bits(row: Type) -> list[tuple[int, int]]:
    return [(each.position, each.width) for each in row.bits]


def _said(row: Type) -> str:
    return f"{row.name} of {row.size} bytes"
