"""From a file of machine code to a program, and to what its tests are replayed in.

file ─► image ─► lifted module + adapter ─► cleaned ─┐
harness in IR ───────────────────────────────────────┴─► executor
"""

from __future__ import annotations

import difflib
import time
from collections.abc import Iterator

from msgspec import Struct

from veer.frontends.llvm import debuginfo
from veer.frontends.llvm.executor import Made, executor, replay_builds, unit
from veer.frontends.llvm.harness import Part, Place, harness_in_place
from veer.frontends.llvm.replay.builds import Parts
from veer.frontends.llvm.replay.made import ReplayBuilds
from veer.frontends.llvm.unit import UnitRequest
from veer.frontends.machine.adapter import ADAPTER, MAPPER, adapter
from veer.frontends.machine.cleanup import cleaned
from veer.frontends.machine.image import Code, Image
from veer.frontends.machine.lift import Found, found, ir_names, lifted
from veer.frontends.machine.linked import load
from veer.frontends.machine.listing import Listing
from veer.frontends.machine.prototype import Prototype, parsed
from veer.frontends.protocol import Built
from veer.model.errors import ToolchainError, UsageError
from veer.model.options import BuildOptions
from veer.model.program import Function, HarnessKind, Parameter, Program
from veer.toolchain.cache import digest, digest_file
from veer.toolchain.compiler import Toolchain

_MOST_NEAR = 3
_HARNESS = "the harness"
_WORD = 8


class Plan(Struct, frozen=True):
    """An entry of an image, and the units of its program."""

    image: Image
    entry: Code
    prototype: Prototype
    listing: Listing
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
    plan = planned(options, toolchain)
    made = executor(plan.units, toolchain)
    path = options.sources[0].absolute()
    program = Program(
        entry=options.entry,
        harness=HarnessKind.FUNCTION,
        sources=(path,),
        executable=made.executable,
        functions=tuple(_functions(plan, made)),
        types=plan.prototype.types,
        sites=made.sites,
        uninstrumented=options.uninstrumented,
        bounds=_bounds(plan.prototype),
        notes=(plan.prototype.unrecorded,) if plan.prototype.unrecorded else (),
        addresses=made.addresses,
        loops=made.loops,
        contents=made.contents,
        language="machine",
        seconds=time.monotonic() - start,
        cached=made.cached,
    )
    return program, {str(path): digest_file(path)}


def replays(built: Built, toolchain: Toolchain) -> ReplayBuilds:
    """What tests of the program are replayed in. Raises ToolchainError."""
    plan = planned(built.options, toolchain)
    made = executor(plan.units, toolchain)
    if made.sites != built.program.sites:
        raise ToolchainError(f"{plan.image.file} is not what it was when the search began: run the test again")
    return replay_builds(made, Parts((plan.unit,), (plan.harness,)), toolchain)


def planned(options: BuildOptions, toolchain: Toolchain) -> Plan:
    """What is built. Raises UsageError, UnsupportedInputError."""
    if len(options.sources) > 1:
        raise UsageError("give one file of machine code; an archive may hold several objects")
    image = load(options.sources[0].absolute(), toolchain)
    entry = named(image, options.entry)
    if not options.prototype:
        raise UsageError(f"say what {entry.name} takes and returns: --prototype 'int {entry.name}(int a, int b)'")
    prototype = parsed(options.prototype, image.architecture, options)
    what = found(image, entry)
    text = _module(what, entry, prototype, toolchain)
    harness = _harness(prototype, options)
    request = unit(str(image.file), text, options)
    own = UnitRequest(
        request.label,
        request.ir,
        uninstrumented=request.uninstrumented,
        last=frozenset((ADAPTER, MAPPER)),
        has_fast_path=request.has_fast_path,
        loops=request.loops,
    )
    return Plan(image, entry, prototype, what.listing, unit(_HARNESS, harness, options), own)


def named(image: Image, name: str) -> Code:
    """The function of that name, or at that address. Raises UsageError when there is none."""
    known = image.named(name)
    if known is not None:
        return known
    address = _number(name)
    if address is not None:
        if not image.is_code(address):
            raise UsageError(f"{image.file} has no code at {name}: `veer list {image.file}` shows its functions")
        return image.functions.get(address, Code(f"function_{address:x}", address))
    near = difflib.get_close_matches(name, [each.name for each in image.functions.values()], _MOST_NEAR, 0.5)
    more = f"did you mean {' or '.join(near)}?" if near else f"`veer list {image.file}` shows the functions"
    raise UsageError(f"no function {name} is in {image.file}: {more}")


def _number(text: str) -> int | None:
    try:
        return int(text, 0)
    except ValueError:
        return None


def _module(what: Found, entry: Code, prototype: Prototype, toolchain: Toolchain) -> str:
    image, text = what.image, what.listing.text
    path = toolchain.cache.write(text.encode(), "harness", f"{image.file.stem}-{digest(text)[:12]}", ".lst")
    module = lifted(what, path)
    added = adapter(image, entry, ir_names(what.routines)[entry.address], prototype, module)
    return cleaned(f"{module.text}\n{added}")


def _harness(prototype: Prototype, options: BuildOptions) -> str:
    types = prototype.types
    places = [
        Place(types[each.type].size, types[each.type].size, (Part(each.name, 0, each.type),))
        for each in prototype.parameters
    ]
    size = types[prototype.returns].size if prototype.returns >= 0 else _WORD
    result = Place(size, size)
    return harness_in_place(ADAPTER, places, result, types, prototype.returns, graph_depth=options.graph_depth)


def _functions(plan: Plan, made: Made) -> Iterator[Function]:
    parameters = tuple(Parameter(each.name, each.type) for each in plan.prototype.parameters)
    for each in debuginfo.read(plan.unit.ir).functions():
        is_entry = each.name == plan.entry.name
        returns = plan.prototype.returns if is_entry else -1
        function = Function(each.name, each.file, each.line, parameters if is_entry else (), returns, is_static=False)
        yield made.with_graph(function)


def _bounds(prototype: Prototype) -> tuple[str, ...]:
    """The bounds that restrict the inputs, in words."""
    rows = [row for row in prototype.types if row.bound is not None]
    return tuple(dict.fromkeys(f"{row.bound} {row.maximum}" for row in rows))
