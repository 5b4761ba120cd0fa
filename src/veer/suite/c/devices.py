"""Registers of the program's machine in a suite: served by a fault handler, writes compared (templates/devices.c)."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable

from veer.model.inputs import Root
from veer.model.program import DEVICE_LOG, HarnessKind, Program
from veer.model.result import Test
from veer.model.state import calls_before
from veer.suite.c.expectations import Expectation, Kind

_READ = re.compile(r"read(8|16|32|64)\((0x[0-9a-f]+|address \d+)\)")
_COMPUTED = ((0x1000, 0xF00000), (0x8000000, 1 << 32))
"""Where the addresses lie that a unit computes (runtime/libc/devices.c)."""
_MOST = 16
"""Writes that a test compares one by one."""


def tables(program: Program) -> str:
    """Where the registers are, for the support code; empty where the program has none."""
    if program.device is None:
        return ""
    fixed = _ranges("veer_regions", [(each.begin, each.end) for each in program.device.regions])
    computed = _ranges("veer_computed_ranges", _COMPUTED if program.device.is_anywhere else ())
    return f"/* Where the unit's registers are: begin and end of each range. */\n{fixed}{computed}"


def _ranges(name: str, ranges: Iterable[tuple[int, int]]) -> str:
    """A table of addresses: begin and end of each range."""
    numbers = [f"{begin:#x}UL, {end:#x}UL" for begin, end in ranges] or ["0, 0"]
    return f"static const unsigned long {name}[] = {{ {', '.join(numbers)} }};\n"


def begin(program: Program) -> list[str]:
    """The statement behind a test's inputs."""
    return ["veer_begin_registers();"] if program.device is not None else []


def is_read(root: Root) -> bool:
    """Whether this input is what a register was read as."""
    return root.type < 0 and _READ.fullmatch(root.name) is not None


def written_registers(program: Program, test: Test) -> list[Expectation]:
    """How many writes there are, and the address and the value of each."""
    if program.device is None or program.harness is not HarnessKind.FUNCTION:
        return []
    output = next((each for each in test.outputs if each.number == 0 and each.name == DEVICE_LOG), None)
    if output is None:  # it is as it was, which nobody knows where calls before the entry have written
        if calls_before(program.state, test.inputs):
            return []
        return [Expectation(Kind.UNSIGNED, f"{DEVICE_LOG}.count", "0", 64)]
    count, *numbers = struct.unpack(f"<{len(output.after) // 8}Q", output.after)
    found = [Expectation(Kind.UNSIGNED, f"{DEVICE_LOG}.count", str(count), 64)]
    for number in range(min(count, _MOST)):
        address, value = numbers[2 * number : 2 * number + 2]
        place = f"{DEVICE_LOG}.writes[{number}]"
        found.append(Expectation(Kind.UNSIGNED, f"{place}.address", f"{address:#x}UL", 64))
        found.append(Expectation(Kind.UNSIGNED, f"{place}.value", f"{value:#x}UL", 64))
    return found
