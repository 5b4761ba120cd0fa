"""From a file of machine code to a program, and to what its tests are replayed in.

file ─► image ─► lifted module + adapter ─► cleaned ─┐
harness in IR ───────────────────────────────────────┴─► executor
"""

from __future__ import annotations

import difflib
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from msgspec import Struct

from veer.frontends.llvm.entry import HARNESS, EntryPlan
from veer.frontends.llvm.executor import unit
from veer.frontends.llvm.harness import Part, Place, harness_in_place
from veer.frontends.llvm.objectwords import placed
from veer.frontends.llvm.typerows import reachable
from veer.frontends.machine.adapter import ADAPTER, MAPPER, adapter, frames
from veer.frontends.machine.architectures import X86_64
from veer.frontends.machine.cleanup import cleaned
from veer.frontends.machine.descent import Routine
from veer.frontends.machine.devices import BEGINNING, begins_otherwise, with_devices
from veer.frontends.machine.dwarf import prototype_of
from veer.frontends.machine.flow import flow_of
from veer.frontends.machine.function import leaders
from veer.frontends.machine.image import Code, Image
from veer.frontends.machine.jumps import named_sites
from veer.frontends.machine.library import ANSWERED, OUTPUT, PRINTED, RETURNED, canonical
from veer.frontends.machine.lift import Found, found, ir_names, lifted
from veer.frontends.machine.linked import load
from veer.frontends.machine.listing import Listing
from veer.frontends.machine.ownplaces import Lines
from veer.frontends.machine.parameterfacts import Lifting, facts_of
from veer.frontends.machine.places import Places, places
from veer.frontends.machine.prototype import Prototype, parsed
from veer.frontends.machine.raw import given_by
from veer.frontends.machine.sides import jumps
from veer.frontends.machine.sought import places_of
from veer.model.buildoptions import BuildOptions
from veer.model.errors import UsageError
from veer.model.program import Parameter, Program
from veer.model.types import BoundKind, ExtentKind, TypeKind
from veer.model.values import replace
from veer.toolchain.cache import digest, digest_file
from veer.toolchain.compiler import Toolchain

_MOST_NEAR = 3
_NAMELESS = "function_"
"""Before the address of a function that has no symbol."""
_WORD = 8
_GUARD = "__stack_chk_guard"
"""What compiled code writes behind its arrays and compares there: whatever it is, nothing hangs on it."""


class Plan(Struct, frozen=True):
    """An entry of an image, and the units of its program."""

    image: Image
    code: Code
    prototype: Prototype
    listing: Listing
    routines: tuple[Routine, ...]
    entry: EntryPlan


def build(options: BuildOptions, toolchain: Toolchain) -> tuple[Program, dict[str, str]]:
    """The program of an entry, and the files that it was made of with their digests.

    Raises UsageError, UnsupportedInputError, ToolchainError.
    """
    start = time.monotonic()
    plan = planned(options, toolchain)
    made = plan.entry.make(toolchain)
    program = plan.entry.program(made, time.monotonic() - start)
    flow = flow_of(plan.listing, plan.routines, made.sites)
    words = (f"--prototype={options.prototype}",) if options.prototype else ()
    program = replace(program, flow=flow, compile_flags=(*given_by(options).words, *words))
    path = program.sources[0]
    return program, {str(path): digest_file(path)}


def planned(options: BuildOptions, toolchain: Toolchain) -> Plan:
    """What is built. Raises UsageError, UnsupportedInputError."""
    if len(options.sources) > 1:
        raise UsageError("give one file of machine code; an archive may hold several objects")
    image = load(options.sources[0].absolute(), toolchain, given_by(options))
    code = named(image, options.entry)
    prototype = prototype_for(image, code, options)
    what = found(image, code, options.jump_targets)
    image = replace(image, frames=frames(image, what.routines, what.registers[image.architecture.stack]))
    what = replace(what, image=image)
    listed = _listing_file(what, toolchain)
    marked = replace(
        options,
        find=places_of(what, listed, options.find, "--find"),
        avoid=places_of(what, listed, options.avoid, "--avoid"),
    )
    put = places(image, code, prototype)
    lifting = _lifting(what, code, put, prototype, options, toolchain)
    shown, read = _renamed(what), jumps(lifting.text, _by_name(what))
    of_sites = {(shown.get(name, name), block): each for (name, block), each in read.items()}
    request = unit(str(image.file), with_devices(lifting.text, image, f"@veer.register.{lifting.stack}"), marked)
    entry = EntryPlan(
        "machine",
        options,
        code.name,
        tuple(Parameter(each.name, each.type) for each in prototype.parameters),
        prototype.returns,
        prototype.types,
        unit(HARNESS, _harness(image, prototype, options), options),
        replace(request, last=frozenset((ADAPTER, MAPPER, BEGINNING))),
        bounds=(*_bounds(image, prototype, options), *_assumed(prototype, what)),
        notes=tuple(_notes(prototype, what)),
        parameter_facts=facts_of(lifting, prototype, put),
        name_sites=partial(named_sites, what.listing, what.routines, of_sites),
        names=shown,
    )
    return Plan(image, code, prototype, what.listing, what.routines, entry)


def _renamed(what: Found) -> dict[str, str]:
    """Functions that have another name in IR, where theirs means something else (memmove, main) → their own. Of several
    of one name the first one has it."""
    by_name = _by_name(what)
    taken, found = set(by_name), dict[str, str]()
    for name, each in by_name.items():
        if each.code.name not in taken:
            found[name] = each.code.name
            taken.add(each.code.name)
    return found


def _by_name(what: Found) -> dict[str, Routine]:
    """The functions by their names in IR."""
    names = ir_names(what.routines)
    return {names[each.code.address][2:-1]: each for each in what.routines}


def _notes(prototype: Prototype, what: Found) -> Iterator[str]:
    """What is told of every result of this entry."""
    if prototype.unrecorded:
        yield prototype.unrecorded
    if called := _printing(what):
        yield f"what {', '.join(called)} print is not looked at"


def _assumed(prototype: Prototype, what: Found) -> Iterator[str]:
    """What each claim is made within, beside the bounds of inputs."""
    yield from prototype.notes
    yield from (f"{name} returns {PRINTED}" for name in _printing(what) if name not in RETURNED)
    yield from (f"{name} returns 0" for name in sorted(_imported(what) & ANSWERED))
    if others := [each for each in what.image.others if each != _GUARD]:
        yield f"zeros in variables of other libraries ({', '.join(others)})"


def _printing(what: Found) -> list[str]:
    """The functions of output that are called."""
    return sorted(_imported(what) & OUTPUT)


def _imported(what: Found) -> set[str]:
    """The functions of the library that are called, by their usual names."""
    return {canonical(name) for each in what.routines for name in each.imports.values()}


def prototype_for(image: Image, code: Code, options: BuildOptions) -> Prototype:
    """What the user says, or the debug info. Raises UsageError where nobody says it, UnsupportedInputError."""
    if options.prototype:
        return parsed(options.prototype, image.architecture, options)
    found = prototype_of(image, code, options)
    if found is None:
        raise UsageError(f"say what {code.name} takes and returns: --prototype 'int {code.name}(int a, int b)'")
    return found


def named(image: Image, name: str) -> Code:
    """The function of that name, or at that address. Raises UsageError when there is none."""
    known = image.named(name)
    if known is not None:
        return known
    address = _number(name)
    if address is not None:
        if not image.is_code(address) and image.is_code(address + image.base):
            address += image.base
        if not image.is_code(address):
            raise UsageError(f"{image.file} has no code at {name}: `veer list {image.file}` shows its functions")
        return image.functions.get(address, Code(f"{_NAMELESS}{address:x}", address))
    near = difflib.get_close_matches(name, [each.name for each in image.functions.values()], _MOST_NEAR, 0.5)
    more = f"did you mean {' or '.join(near)}?" if near else f"`veer list {image.file}` shows the functions"
    raise UsageError(f"no function {name} is in {image.file}: {more}")


def _number(text: str) -> int | None:
    """An address: 0x10000120, or as the functions without a name are called."""
    text = text.replace(_NAMELESS, "0x", 1) if text.startswith(_NAMELESS) else text
    try:
        return int(text, 0)
    except ValueError:
        return None


def _listing_file(what: Found, toolchain: Toolchain) -> Path:
    text = what.listing.text
    return toolchain.cache.write(text.encode(), "harness", f"{what.image.file.stem}-{digest(text)[:12]}", ".lst")


def _lifting(
    what: Found, entry: Code, put: Places, prototype: Prototype, options: BuildOptions, toolchain: Toolchain
) -> Lifting:
    """The module without the devices of firmware."""
    image, path = what.image, _listing_file(what, toolchain)
    given = (*put.parameters, *((put.result,) if put.result is not None else ()))
    module = lifted(what, entry, path, [name for each in given for name in each.registers])
    symbol = ir_names(what.routines)[entry.address]
    added = adapter(image, entry, symbol, prototype, module, options.register_reads)
    registers = {name: module.register(name).name for each in put.parameters for name in each.registers}
    text = cleaned(f"{module.text}\n{added}", _lines(what), image.constant)
    machine = image.architecture
    popped = machine.bytes if machine is X86_64 else 0
    known = {
        name: module.register(name).name
        for name in (*machine.arguments, machine.result)
        if module.cells.knows(module.registers[name])
    }
    arguments = frozenset(known[name] for name in machine.arguments if name in known)
    stack = module.register(machine.stack).name
    return Lifting(text, symbol, registers, stack, popped, arguments, known.get(machine.result, ""))


def _lines(what: Found) -> dict[str, Lines]:
    """The lines of each function's instructions in the listing."""
    lines = what.listing.lines
    return {
        name: Lines(
            {at: lines[each.code.address, at] for at in leaders(each) if at in each.instructions},
            [lines[each.code.address, at] for at in each.addresses],
            {at: lines[each.code.address, at] for at in each.addresses},
        )
        for name, each in _by_name(what).items()
    }


def _harness(image: Image, prototype: Prototype, options: BuildOptions) -> str:
    types = prototype.types
    given = [
        Place(types[each.type].size, types[each.type].size, (Part(each.name, 0, each.type),))
        for each in prototype.parameters
    ]
    size = types[prototype.returns].size if prototype.returns >= 0 else _WORD
    result = Place(size, size)
    first = BEGINNING if begins_otherwise(image) else ""
    depth = options.graph_depth
    return harness_in_place(ADAPTER, given, result, types, prototype.returns, graph_depth=depth, first=first)


def _bounds(image: Image, prototype: Prototype, options: BuildOptions) -> tuple[str, ...]:
    """The bounds that restrict the inputs, in words."""
    types = prototype.types
    rows = [row for row in types if row.bound is not None]
    found = [f"{row.bound} {row.maximum}" for row in rows]
    behind = reachable(types, (row.target for row in types if row.kind is TypeKind.POINTER and row.target >= 0))
    if any(types[each].kind is TypeKind.POINTER for each in behind):
        found.append(f"{BoundKind.DEPTH} {options.graph_depth}")
    if any(row.kind is TypeKind.POINTER and row.extent is ExtentKind.ONE for row in types):
        found.append("one object behind a pointer")
    found += placed(types, [each.type for each in prototype.parameters])
    for each in prototype.parameters:
        if types[each.type].extent is ExtentKind.LENGTH:
            found.append(f"{each.name} has {types[each.type].length} elements (the names)")
    if image.regions:
        found.append(f"{BoundKind.READS} {options.register_reads}")
    return tuple(dict.fromkeys(found))
