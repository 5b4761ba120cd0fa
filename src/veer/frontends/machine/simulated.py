"""Tests on s51, sdcc's simulator of the 8051, by the requests and answers of emulated.py.

The simulator is a program of its own (Debian: sdcc-ucsim) and runs once for each test, confined as the emulator is, on
a copy of the code as Intel HEX, told by commands on its standard input.

    fill iram 0x9 0x9 0x14                    memory, registers of the processor, the return address on the stack
    run 0x62 0xfff0                           from the entry to where it returns
    dump ..., statistic rom ...               what is there then, and which bytes of code were read
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from veer.execution.confinement import tool
from veer.frontends.machine.answer import Answer
from veer.frontends.machine.architectures import CODE_BASE, EXTERNAL_BASE, INTERNAL_BASE
from veer.frontends.machine.hexfile import written
from veer.model.confinement import Confinement
from veer.model.errors import ToolchainError

_BACK = 0xFFF0
_SPECIAL = {"SP": 0x81, "DPL": 0x82, "DPH": 0x83, "PSW": 0xD0, "ACC": 0xE0, "B": 0xF0}
"""Addresses of the processor's registers."""
_READ = re.compile(r"^rom\[0x([0-9a-f]+)\] writes=.*reads= *(\d+)", re.MULTILINE)
_CELL = re.compile(r"^ *0x([0-9a-f]+)(?: \w+:)? +(?:0b[01]+ 0x)?([0-9a-f]{2})\b", re.MULTILINE)
_STOPPED = re.compile(rf"^(?:Stop at|F) 0x0*{_BACK:x}\b", re.MULTILINE)
_SPARE = 5.0


def simulated(request: dict[str, Any], confinement: Confinement, scratch: Path) -> tuple[Answer, ...]:
    """All tests of a request. Raises ToolchainError when there is no simulator."""
    simulator = shutil.which("s51") or shutil.which("ucsim_51")
    if simulator is None:
        raise ToolchainError("there is no simulator of the 8051: install s51 (Debian: sdcc-ucsim)")
    code = next(bytes.fromhex(data) for address, _, data, _ in request["segments"] if address == CODE_BASE).rstrip(
        b"\0"
    )
    file = scratch / "program.ihx"
    file.write_text(written(dict(enumerate(code))))
    command = tool(confinement, [simulator, "-t", "8052", file], (scratch,), scratch)
    return tuple(_simulated(command, len(code), request, test) for test in request["tests"])


def _simulated(command: list[str], size: int, request: dict[str, Any], test: dict[str, Any]) -> Answer:
    """One test from the beginning to its end."""
    try:
        ran = subprocess.run(
            command,
            input="\n".join(_commands(size, request, test)) + "\n",
            capture_output=True,
            text=True,
            timeout=request["seconds"] + _SPARE,
            check=False,
            start_new_session=True,
        )
    except subprocess.TimeoutExpired:
        return _answer("limit", f"it ran longer than {request['seconds']} s")
    if "uCsim" not in ran.stdout:
        raise ToolchainError(f"the simulator did not run: {(ran.stderr.strip().splitlines() or ['it ended'])[-1]}")
    cells = {int(address, 16): int(byte, 16) for address, byte in _CELL.findall(ran.stdout)}
    parts = [cells.get(_SPECIAL[name], -1) for name in request["result"]]
    reads = sorted(CODE_BASE + int(address, 16) for address, count in _READ.findall(ran.stdout) if int(count))
    if _STOPPED.search(ran.stdout) is None or -1 in parts:
        last = next((line for line in ran.stdout.splitlines() if line.startswith("Stop at")), "it did not stop")
        return _answer("fault", last)
    return _answer("returned", "", sum(part << 8 * k for k, part in enumerate(parts)), tuple(reads))


def _commands(size: int, request: dict[str, Any], test: dict[str, Any]) -> Iterator[str]:
    entry, top = request["entry"] - CODE_BASE, test["registers"]["SP"]
    yield from ("fill iram 0 0xff 0", "fill xram 0 0xffff 0")  # as the lifted code begins
    yield from (_fill("iram", top - 1, _BACK & 0xFF), _fill("iram", top, _BACK >> 8))
    yield from (_fill("sfr", _SPECIAL[name], value) for name, value in test["registers"].items())
    for address, data, _ in test["memory"]:
        is_external = address >= EXTERNAL_BASE
        place = address - (EXTERNAL_BASE if is_external else INTERNAL_BASE)
        for number, byte in enumerate(bytes.fromhex(data)):
            yield _fill("xram" if is_external else "iram", place + number, byte)
    yield f"run {entry:#x} {_BACK:#x}"
    yield from (f"dump sfr {_SPECIAL[name]:#x} {_SPECIAL[name]:#x}" for name in request["result"])
    yield from (f"statistic rom 0 {size - 1:#x}", "quit")


def _answer(ended: str, why: str, result: int = 0, ran: tuple[int, ...] = ()) -> Answer:
    return Answer(ended, why, result, (), ran)


def _fill(space: str, address: int, value: int) -> str:
    return f"fill {space} {address:#x} {address:#x} {value:#x}"
