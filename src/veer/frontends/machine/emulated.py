"""The process that runs tests on an emulator, which is not our lifter: python -m veer.frontends.machine.emulated

It reads one request as JSON from standard input and writes one answer for each test, a line each. Numbers are integers,
bytes are hexadecimal.

    {"machine": "arm", "thumb": 0, "segments": [[address, size, "hex", writable], ...], "entry": 0x10000000,
     "back": ..., "result": ["r0"], "bits": 32, "seconds": 1.0,
     "tests": [{"registers": {"r0": 3}, "memory": [[address, "hex", size]], "read": [[address, size]]}]}

    {"ended": "returned", "why": "", "result": 3, "memory": ["0a00"], "ran": [addresses of instructions]}
"""

from __future__ import annotations

import json
import sys
from typing import Any

from veer.frontends.machine.elf import extra

_PAGE = 0x1000
_MACHINES = {
    "arm": ("ARM", "UC_ARCH_ARM", "UC_MODE_ARM", "arm"),
    "x86-64": ("X86", "UC_ARCH_X86", "UC_MODE_64", "x86"),
    "powerpc": ("PPC", "UC_ARCH_PPC", "UC_MODE_PPC32", "ppc"),
    "riscv32": ("RISCV", "UC_ARCH_RISCV", "UC_MODE_RISCV32", "riscv"),
    "riscv64": ("RISCV", "UC_ARCH_RISCV", "UC_MODE_RISCV64", "riscv"),
    "aarch64": ("ARM64", "UC_ARCH_ARM64", "UC_MODE_ARM", "arm64"),
}
_MOST_TRACED = 1 << 16  # instructions that are told of


class Emulator:
    """One machine, made anew for each test."""

    def __init__(self, request: dict[str, Any]) -> None:
        self._unicorn = extra("unicorn")
        self._request = request
        self._prefix, architecture, mode, constants = _MACHINES[request["machine"]]
        self._constants = extra(f"unicorn.{constants}_const")
        self._architecture = getattr(self._unicorn, architecture)
        self._mode = getattr(self._unicorn, mode)
        if request["machine"] == "powerpc":
            self._mode |= self._unicorn.UC_MODE_BIG_ENDIAN

    def run(self, test: dict[str, Any]) -> dict[str, Any]:
        """One test from the beginning to its end."""
        uc = self._unicorn.Uc(self._architecture, self._mode)
        self._map(uc, test)
        for name, value in test["registers"].items():
            uc.reg_write(self.register(name), value)
        ran: set[int] = set()

        def seen(_: Any, address: int, *__: Any) -> None:
            if len(ran) < _MOST_TRACED:
                ran.add(address)

        uc.hook_add(self._unicorn.UC_HOOK_CODE, seen)
        ended, why = "returned", ""
        limit = int(self._request["seconds"] * 1_000_000)
        try:
            uc.emu_start(self._request["entry"] | self._request["thumb"], self._request["back"], timeout=limit)
        except self._unicorn.UcError as error:
            ended, why = "fault", f"{error} at {uc.reg_read(self._counter()):#x}"
        else:
            if uc.reg_read(self._counter()) & ~1 != self._request["back"]:
                ended, why = "limit", f"it ran longer than {self._request['seconds']} s"
        parts = [uc.reg_read(self.register(name)) for name in self._request["result"]]
        result = sum(part % (1 << self._request["bits"]) << self._request["bits"] * k for k, part in enumerate(parts))
        memory = [bytes(uc.mem_read(address, size)).hex() for address, size in test["read"]]
        return {"ended": ended, "why": why, "result": result, "memory": memory, "ran": sorted(ran)}

    def register(self, name: str) -> int:
        """Unicorn's number of a register that SLEIGH calls so."""
        if self._prefix == "PPC" and name[1:].isdigit():
            name = name[1:]
        return int(getattr(self._constants, f"UC_{self._prefix}_REG_{name.upper()}"))

    def _counter(self) -> int:
        name = "RIP" if self._prefix == "X86" else "PC"
        return int(getattr(self._constants, f"UC_{self._prefix}_REG_{name}"))

    def _map(self, uc: Any, test: dict[str, Any]) -> None:
        """The machine's memory; pages that two segments share can be written when one of them can."""
        pages: dict[int, bool] = {}
        spans = [(address, size, writable) for address, size, _, writable in self._request["segments"]]
        spans += [(address, size, True) for address, _, size in test["memory"]]
        spans.append((self._request["back"], 1, False))
        for address, size, writable in spans:
            for page in range(address & ~(_PAGE - 1), address + max(size, 1), _PAGE):
                pages[page] = pages.get(page, False) or bool(writable)
        for page in pages:
            uc.mem_map(page, _PAGE)
        for address, _, data, _ in self._request["segments"]:
            uc.mem_write(address, bytes.fromhex(data))
        for address, data, _ in test["memory"]:
            uc.mem_write(address, bytes.fromhex(data))
        for page, writable in pages.items():
            if not writable:
                uc.mem_protect(page, _PAGE, self._unicorn.UC_PROT_READ | self._unicorn.UC_PROT_EXEC)


def main() -> None:
    """Answers one request."""
    request = json.load(sys.stdin)
    emulator = Emulator(request)
    for test in request["tests"]:
        sys.stdout.write(json.dumps(emulator.run(test)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
