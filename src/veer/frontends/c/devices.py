"""Registers of devices: where the program's machine has them, and what the harness and the program say of them.

A region begins at an address that the code names and goes on for a page, for one address stands for a block of
registers; below the first page, where small machines have theirs, it is as long as one register. --region names others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from veer.frontends.c.harness import Plan
from veer.frontends.c.typetable import TypeTable
from veer.frontends.llvm.compiled import Module
from veer.instrument.devices import computes_addresses, device_addresses, with_devices
from veer.instrument.interrupts import with_interrupts
from veer.model.buildoptions import BuildOptions
from veer.model.errors import UsageError
from veer.model.program import DEVICE_LOG, DEVICE_LOG_SIZE, Device, HarnessKind, Interrupt, Region
from veer.model.types import BoundKind, Type, TypeKind

MOST_REGIONS = 256
"""Of one program (runtime/tracer/regions.h)."""
_PAGE, _ONE = 0x1000, 8
_TOP = 1 << 48
_REGION = re.compile(r"(0[xX][0-9a-fA-F]+|\d+):(0[xX][0-9a-fA-F]+|\d+)")


def devices(modules: Sequence[Module], options: BuildOptions, kind: HarnessKind) -> Device | None:
    """The registers of these modules; None where they have none. Raises UsageError."""
    given = [_parsed(text) for text in options.regions]
    if not options.register_reads or kind not in (HarnessKind.FUNCTION, HarnessKind.PROGRAM):
        return None
    named = {address for module in modules for address in device_addresses(module.ir) if address < _TOP}
    regions = _joined([*given, *(Region(each, each + (_PAGE if each >= _PAGE else _ONE)) for each in named)])
    volatile = [module.ir for module in modules if " volatile " in module.ir]
    computes = any(" = inttoptr i64 %" in ir and computes_addresses(ir) for ir in volatile)
    is_there = computes or (regions and volatile)
    return Device(_no_more(regions, MOST_REGIONS), options.register_reads, computes) if is_there else None


def log_of(device: Device | None, kind: HarnessKind, table: TypeTable) -> tuple[tuple[str, int], ...]:
    """The variable of what is written to registers, with its type: a row of bytes, for nobody looks into it in C."""
    if device is None or kind is not HarnessKind.FUNCTION:
        return ()
    byte = table.plain(Type(0, TypeKind.UNSIGNED, "unsigned char", 1))
    log = Type(0, TypeKind.ARRAY, "registers", DEVICE_LOG_SIZE, target=byte, count=DEVICE_LOG_SIZE)
    return ((DEVICE_LOG, table.plain(log)),)


def seen_by(device: Device | None, interrupt: Interrupt | None, ir: str) -> str:
    """A module's text as it is instrumented and replayed."""
    ir = with_interrupts(ir) if interrupt is not None else ir
    return ir if device is None else with_devices(ir)


def bounds_of_registers(plan: Plan) -> Iterator[str]:
    """How many reads of a register are inputs, as the option that says so."""
    if plan.device is not None:
        yield f"{BoundKind.READS} {plan.device.reads}"
        if plan.device.is_anywhere:
            yield "numbers that are cast to volatile addresses are those of registers"


def _parsed(text: str) -> Region:
    found = _REGION.fullmatch(text)
    begin, size = (int(found[1], 0), int(found[2], 0)) if found else (0, 0)
    if not begin or not size or begin + size > _TOP:
        raise UsageError(f"--region {text}: give ADDRESS:SIZE in bytes, such as 0x40013800:0x400")
    return Region(begin, begin + size)


def _joined(regions: Sequence[Region]) -> tuple[Region, ...]:
    """The regions in order; those that touch are one."""
    found: list[Region] = []
    for each in sorted(regions, key=lambda region: region.begin):
        if found and each.begin <= found[-1].end:
            found[-1] = Region(found[-1].begin, max(found[-1].end, each.end))
        else:
            found.append(each)
    return tuple(found)


def _no_more(regions: tuple[Region, ...], most: int) -> tuple[Region, ...]:
    """So many of them at most: those with the smallest gaps in between are one, with the gap."""
    gaps = sorted(range(1, len(regions)), key=lambda k: regions[k].begin - regions[k - 1].end)
    closed = set(gaps[: max(0, len(regions) - most)])
    found: list[Region] = []
    for k, each in enumerate(regions):
        if k in closed:
            found[-1] = Region(found[-1].begin, each.end)
        else:
            found.append(each)
    return tuple(found)
