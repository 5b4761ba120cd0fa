"""From a Zig source to a program, and to what its tests are replayed in.

unit.zig ─► IR, prepared ─┐
harness in IR ────────────┴─► executor        and, not instrumented: the plain and the counters build
"""

from __future__ import annotations

import os
import time
from pathlib import Path

from veer.frontends.llvm.entry import HARNESS, EntryPlan
from veer.frontends.llvm.executor import unit
from veer.frontends.llvm.harness import harness_in_place
from veer.frontends.zig.compiler import OWN, VARIABLES, adapter_root, compile_root, describing_root, read_source
from veer.frontends.zig.described import described
from veer.frontends.zig.entries import Signature, declared, signature
from veer.frontends.zig.ir import ADAPTER, prepared, variables_of
from veer.model.buildoptions import BuildOptions
from veer.model.errors import UsageError
from veer.model.program import Parameter, Program
from veer.model.types import ExtentKind, TypeKind
from veer.model.values import replace
from veer.toolchain.cache import digest_file
from veer.toolchain.compiler import Toolchain


def build(options: BuildOptions, toolchain: Toolchain) -> tuple[Program, dict[str, str]]:
    """The program of an entry, and the files that it was made of with their digests.

    Raises UsageError, UnsupportedInputError, ToolchainError.
    """
    start = time.monotonic()
    plan = planned(options, toolchain)
    program = plan.program(plan.make(toolchain), time.monotonic() - start)
    return program, _files(program)


def planned(options: BuildOptions, toolchain: Toolchain) -> EntryPlan:
    """What is built. Raises UsageError, UnsupportedInputError, ToolchainError."""
    if len(options.sources) > 1:
        raise UsageError("give one Zig source: the others are found by what it imports")
    source = read_source(options.sources[0].absolute())
    entry = declared(source, options.entry)
    # Asked for by itself first: an adapter of a function that cannot have one does not compile.
    description = described(compile_root(describing_root(source, [entry], source.variables), source, toolchain))
    found = signature(description, entry, options)
    recorded = [each.name for each in found.variables]
    text = prepared(compile_root(adapter_root(source, entry, recorded), source, toolchain), source.module)
    types, depth = found.types, options.graph_depth
    variables = (VARIABLES, len(recorded)) if recorded else None
    harness = harness_in_place(
        ADAPTER,
        found.arguments,
        found.result,
        types,
        found.returns,
        graph_depth=depth,
        variables=variables,
        tells_static=True,
    )
    of_source = unit(str(source.path), text, options)
    return EntryPlan(
        "zig",
        options,
        options.entry,
        tuple(Parameter(part.name, part.type) for part in found.parts),
        found.returns,
        types,
        unit(HARNESS, harness, options),
        replace(of_source, last=frozenset((ADAPTER,))),  # the adapter is veer's: its lines are none of the source's
        bounds=(*_bounds(found, options), *_static_data(text, source.module)),
        notes=(found.unrecorded,) if found.unrecorded else (),
        outputs=found.variables,
    )


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


def _static_data(text: str, module: str) -> tuple[str, ...]:
    """The variables that the code names: each run begins with what they are initialised with."""
    names = [name.removeprefix(f"{module}.") for name in variables_of(text, module)]
    return (f"static data as it begins ({', '.join(names)})",) if names else ()


def _files(program: Program) -> dict[str, str]:
    """The user's files: those beside the source, or below, of which there is code."""
    source = program.sources[0]
    paths = {Path(each.file) for each in program.functions} - {OWN}
    own = {path for path in paths if source.parent in path.parents and os.access(path, os.R_OK)}
    return {str(path): digest_file(path) for path in sorted(own | {source})}
