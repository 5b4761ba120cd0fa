"""From a Zig source to a program, and to what its tests are replayed in.

unit.zig ─► IR, prepared ─┐
harness in IR ────────────┴─► executor        and, not instrumented: the plain and the counters build
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from veer.frontends.llvm import debuginfo
from veer.frontends.llvm.executor import Made, executor, replay_builds, unit
from veer.frontends.llvm.harness import harness_in_place
from veer.frontends.llvm.replay.builds import Parts
from veer.frontends.llvm.replay.made import ReplayBuilds
from veer.frontends.llvm.unit import UnitRequest
from veer.frontends.protocol import Built
from veer.frontends.zig.compiler import OWN, Source, adapter_root, compile_root, describing_root, read_source
from veer.frontends.zig.described import described
from veer.frontends.zig.entries import Signature, declared, signature
from veer.frontends.zig.ir import ADAPTER, prepared
from veer.model.errors import ToolchainError, UsageError
from veer.model.options import BuildOptions
from veer.model.program import ExtentKind, Function, HarnessKind, Parameter, Program, TypeKind
from veer.toolchain.cache import digest_file
from veer.toolchain.compiler import Toolchain

HARNESS = "the harness"


class _Plan(Struct, frozen=True):
    """An entry, and the units of its program."""

    source: Source
    signature: Signature
    harness: UnitRequest
    unit: UnitRequest

    @property
    def units(self) -> tuple[UnitRequest, ...]:
        """The entry's last."""
        return (self.harness, self.unit)


def build(options: BuildOptions, toolchain: Toolchain) -> tuple[Program, dict[str, str]]:
    """The program of an entry, and the files that it was made of with their digests.

    Raises UsageError, UnsupportedInputError, ToolchainError.
    """
    start = time.monotonic()
    plan = _plan(options, toolchain)
    made = executor(plan.units, toolchain)
    debug = debuginfo.read(plan.unit.ir)
    functions = tuple(_functions(plan, debug, made, options.entry))
    program = Program(
        entry=options.entry,
        harness=HarnessKind.FUNCTION,
        sources=(plan.source.path,),
        executable=made.executable,
        functions=functions,
        types=plan.signature.types,
        sites=made.sites,
        uninstrumented=options.uninstrumented,
        bounds=_bounds(plan.signature, options),
        notes=(plan.signature.unrecorded,) if plan.signature.unrecorded else (),
        addresses=made.addresses,
        loops=made.loops,
        contents=made.contents,
        language="zig",
        seconds=time.monotonic() - start,
        cached=made.cached,
    )
    return program, _files(plan, debug)


def replays(built: Built, toolchain: Toolchain) -> ReplayBuilds:
    """What tests of the program are replayed in. Raises ToolchainError."""
    plan = _plan(built.options, toolchain)
    made = executor(plan.units, toolchain)
    if made.sites != built.program.sites:
        raise ToolchainError(f"{plan.source.path} is not what it was when the search began: run the test again")
    return replay_builds(made, Parts((plan.unit,), (plan.harness,)), toolchain)


def _plan(options: BuildOptions, toolchain: Toolchain) -> _Plan:
    if len(options.sources) > 1:
        raise UsageError("give one Zig source: the others are found by what it imports")
    source = read_source(options.sources[0].absolute())
    entry = declared(source, options.entry)
    # Asked for by itself first: an adapter of a function that cannot have one does not compile.
    description = described(compile_root(describing_root(source, [entry]), source, toolchain))
    found = signature(description, entry, options)
    text = prepared(compile_root(adapter_root(source, entry), source, toolchain), source.module)
    types, depth = found.types, options.graph_depth
    harness = harness_in_place(ADAPTER, found.arguments, found.result, types, found.returns, graph_depth=depth)
    of_source = unit(str(source.path), text, options)
    return _Plan(source, found, unit(HARNESS, harness, options), _with_last(of_source))


def _with_last(request: UnitRequest) -> UnitRequest:
    """The adapter is veer's: its lines are none of the source's."""
    return UnitRequest(
        request.label,
        request.ir,
        uninstrumented=request.uninstrumented,
        last=frozenset((ADAPTER,)),
        has_fast_path=request.has_fast_path,
    )


def _functions(plan: _Plan, debug: debuginfo.DebugInfo, made: Made, entry: str) -> Iterator[Function]:
    """The functions with code: the entry with its inputs, all others by name and place alone."""
    parts = tuple(Parameter(part.name, part.type) for part in plan.signature.parts)
    for each in debug.functions():
        is_entry = each.name == entry
        returns = plan.signature.returns if is_entry else -1
        function = Function(each.name, each.file, each.line, parts if is_entry else (), returns, is_static=False)
        yield made.with_graph(function)


def _bounds(signature: Signature, options: BuildOptions) -> tuple[str, ...]:
    """The bounds that restrict the inputs, in words: a claim holds within them."""
    rows = [row for row in signature.types if row.kind == TypeKind.POINTER]
    found: dict[str, None] = {}
    for row in rows:
        if row.extent in (ExtentKind.LENGTH, ExtentKind.STRING):
            is_bytes = signature.types[row.target].size == 1
            found[f"max-length {options.max_length}" if is_bytes else f"max-array {options.max_array}"] = None
    if any(row.extent == ExtentKind.ONE for row in rows):
        found[f"graph-depth {options.graph_depth}"] = None
    return tuple(found)


def _files(plan: _Plan, debug: debuginfo.DebugInfo) -> dict[str, str]:
    """The user's files: those beside the source, or below, of which there is code."""
    folder = plan.source.path.parent
    paths = {Path(each.file) for each in debug.functions()} - {OWN}
    own = {path for path in paths if folder in path.parents and os.access(path, os.R_OK)}
    return {str(path): digest_file(path) for path in sorted(own | {plan.source.path})}
