"""From a Java source, class file or jar to a program.

Unit.java ─javac─► classes ─► closed world ─► one module of IR ─┐
harness in IR ──────────────────────────────────────────────────┴─► executor
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from veer.frontends.java.asked import INPUT_SIZE, asked, asked_inputs
from veer.frontends.java.classfile.descriptors import full_words, method_types
from veer.frontends.java.entries import is_program
from veer.frontends.java.held import held
from veer.frontends.java.jdk import Jdk
from veer.frontends.java.lowered import Lowered, lower
from veer.frontends.java.lowering.adapter import ADAPTER, RESULT_SIZE, THROWN_AT, VALUE_AT
from veer.frontends.java.lowering.calledbefore import BEGIN, before_symbol
from veer.frontends.java.lowering.graphs import DESCRIBE
from veer.frontends.java.lowering.names import once_symbol
from veer.frontends.java.lowering.world import SIZES
from veer.frontends.java.nulltests import compared_references
from veer.frontends.java.replay.replayer import JvmReplayer
from veer.frontends.java.sites import named_sites
from veer.frontends.java.types import INITIALISER, TypeTable
from veer.frontends.java.units import CLASS, read_unit
from veer.frontends.llvm.entry import HARNESS, EntryPlan
from veer.frontends.llvm.executor import unit
from veer.frontends.llvm.harness import CallBefore, CallsBefore, Part, Place, harness_in_place
from veer.frontends.llvm.unit import UnitRequest
from veer.frontends.protocol import Built
from veer.model.buildoptions import BuildOptions
from veer.model.callresult import REFERENCE, THROWN, VALUE
from veer.model.program import Function, Parameter, Program
from veer.model.sequence import argument_root
from veer.model.types import BoundKind, ExtentKind, Field, Type, TypeKind
from veer.model.values import replace
from veer.toolchain.cache import Cache, digest_file
from veer.toolchain.compiler import Toolchain


class Plan(Struct, frozen=True):
    """An entry's closed world, and the units of its program."""

    lowered: Lowered
    entry: EntryPlan


class Kept(Struct):
    """The plan of the program that was built last, for its replayer. `made`: of these options and files."""

    made: tuple[BuildOptions, Mapping[str, str]] | None = None
    plan: Plan | None = None

    def of(self, built: Built) -> Plan | None:
        """That of a program, if it is the last."""
        return self.plan if self.made == (built.options, built.files) else None


def build(options: BuildOptions, jdk: Jdk, toolchain: Toolchain, kept: Kept) -> tuple[Program, dict[str, str]]:
    """The program of an entry, and the files that it was made of with their digests.

    Raises UsageError, UnsupportedInputError, ToolchainError.
    """
    start = time.monotonic()
    plan = planned(options, jdk, toolchain.cache)
    program = plan.entry.program(plan.entry.make(toolchain), time.monotonic() - start)
    program = replace(program, link_flags=tuple(map(str, plan.lowered.unit.more_classes)))
    kept.made, kept.plan = (options, _files(plan.lowered)), plan
    return program, kept.made[1]


def planned(options: BuildOptions, jdk: Jdk, cache: Cache) -> Plan:
    """What an executor is made of. Raises UsageError, UnsupportedInputError, ToolchainError."""
    first, *more = (each.absolute() for each in options.sources)
    lowered = lower(read_unit(first, jdk, cache, more, options.class_path), options, jdk, cache)
    table, given = lowered.table, lowered.parameters
    returns = _result(lowered, table)
    types = tuple(table.types)
    harness, shared, own = _units(lowered, given, returns, types, options)
    branches, source, world = lowered.module.branches, lowered.unit.source, lowered.module.world
    entry = EntryPlan(
        *("java", options, lowered.entry.symbol, given, returns, types, harness, own),
        asked=asked(world),
        shared=shared,
        more_functions=_runtime_functions(lowered),
        bounds=tuple(
            dict.fromkeys((*lowered.bounds, *table.apart(), *held(world, table), *_asked_bounds(lowered, options)))
        ),
        facts=None
        if is_program(lowered.found)
        else compared_references(lowered.unit.path, world.methods.values(), table),
        preconditions=lowered.preconditions,
        watching=lowered.monitored.watching if lowered.monitored is not None else None,
        name_sites=lambda sites: named_sites(sites, branches, source),
        state=lowered.state,
        called=dict(lowered.called),
    )
    return Plan(lowered, entry)


def replayer(built: Built, jdk: Jdk, toolchain: Toolchain, seconds: float, kept: Kept) -> JvmReplayer:
    """What runs tests of the program again. Raises UsageError, ToolchainError."""
    plan = kept.of(built) or planned(built.options, jdk, toolchain.cache)
    made = plan.entry.made_again(built, toolchain)
    offsets = {site.id: site.column - 1 for site in made.sites}
    return JvmReplayer(built.program, plan.lowered, offsets, jdk, toolchain.cache, seconds)


def _units(
    lowered: Lowered, given: tuple[Parameter, ...], returns: int, types: tuple[Type, ...], options: BuildOptions
) -> tuple[UnitRequest, tuple[UnitRequest, ...], UnitRequest]:
    places, result = _places(given, types), Place(RESULT_SIZE, 8)
    calls = [
        CallBefore(before_symbol(each), _places(taken, types, symbol))
        for each, (symbol, taken) in enumerate(lowered.called)
    ]
    given_first = int(lowered.is_on_object)
    before = CallsBefore(BEGIN, given_first, tuple(calls)) if calls else None
    harness = harness_in_place(
        *(ADAPTER, places, result, types, returns), graph_depth=options.graph_depth, behind=DESCRIBE, before=before
    )
    symbols = sorted({row.initialiser for row in types if row.initialiser})
    harness += "".join(f"declare void @{symbol}(ptr)\n" for symbol in symbols)
    harness += asked_inputs(lowered.module.world, options)
    of_source = unit(str(lowered.unit.source), lowered.text, options)
    begins = (BEGIN, *(each.symbol for each in calls)) if calls else ()
    last = frozenset((ADAPTER, *begins, *(line for line in symbols if line.startswith(INITIALISER))))
    shared = tuple(
        replace(unit(f"{name} of the Java runtime", text, options), is_shared=True) for name, text in lowered.shared
    )
    return unit(HARNESS, harness, options), shared, replace(of_source, last=last)


def _places(given: tuple[Parameter, ...], types: tuple[Type, ...], symbol: str = "") -> tuple[Place, ...]:
    """`symbol`: a function that is called before the entry."""
    names = {each.name: argument_root(symbol, each.name) if symbol else each.name for each in given}
    return tuple(
        Place(row.size, row.alignment, (Part(names[each.name], 0, row.id),) if row.size else ())
        for each in given
        for row in (types[each.type],)
    )


def _runtime_functions(lowered: Lowered) -> tuple[Function, ...]:
    """The functions of the modules of the runtime's methods."""
    names = {name for name, _ in lowered.shared}
    module = lowered.module
    found = [each for each in module.world.methods.values() if each.symbol in names]
    made = []
    for each in found:
        code = each.method.code
        line = min((line for _, line in code.lines), default=0) if code is not None else 0
        file = module.file_of(each.owner)
        names_ = [each.symbol, *([once_symbol(each.owner)] if each.method.name == "<clinit>" else [])]
        made += [Function(name, file, line, (), -1, is_static=False) for name in names_]
    return tuple(made)


def _result(lowered: Lowered, table: TypeTable) -> int:
    """The type of what an entry gives: its value, where it is a number, and the class of what it throws. What an object
    that it gives holds follows as text (model/objectgraph.py)."""
    type_ = method_types(lowered.found.method.descriptor)[1]
    numbers = lowered.module.layouts.numbers
    names = tuple((name.replace("/", "."), number) for name, number in numbers.items())
    thrown = table.add(Type(0, TypeKind.UNSIGNED, "thrown", 4, 4, enumerators=names))
    fields = [Field(THROWN, THROWN_AT, thrown)]
    if type_ in SIZES:
        fields.insert(0, Field(VALUE, VALUE_AT, table.number(type_)))
    elif type_ != "V":
        kept = table.add(Type(0, TypeKind.POINTER, full_words(type_), 8, 8, extent=ExtentKind.NULL))
        fields.insert(0, Field(REFERENCE, VALUE_AT, kept))
    return table.add(Type(0, TypeKind.STRUCT, "result", RESULT_SIZE, 8, fields=tuple(fields)))


def _asked_bounds(lowered: Lowered, options: BuildOptions) -> Iterator[str]:
    """The bounds of what the program itself asks for."""
    found = asked(lowered.module.world)
    if "aLength" in found:
        yield f"{BoundKind.LENGTH} {options.max_length}"
        yield "characters of strings below 256"
    if INPUT_SIZE in found:
        yield f"{BoundKind.INPUT} {options.stdin_size}"
        yield "bytes of standard input below 128"


def _files(lowered: Lowered) -> dict[str, str]:
    """The user's files: sources, or class files, of what is reached; the jar."""
    unit, reached = lowered.unit, lowered.module.world.methods.values()
    files = {Path(lowered.module.file_of(each.owner)) for each in reached if unit.path.is_own(each.owner.name)}
    if unit.source.suffix == CLASS:
        files |= {unit.root / f"{each.owner.name}{CLASS}" for each in reached}
    files |= {unit.source, *(each for each in unit.more_classes if each.is_file())}
    return {str(path): digest_file(path) for path in sorted(files) if path.exists()}
