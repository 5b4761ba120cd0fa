"""The process that runs tests on an emulator, which is not our lifter: python -m veer.frontends.machine.emulated

It reads one request as JSON from standard input and writes one answer for each test, a line each. Numbers are integers,
bytes are hexadecimal.

    {"machine": "arm", "thumb": 0, "segments": [[address, size, "hex", writable], ...], "entry": 0x10000000,
     "back": ..., "result": ["r0"], "is_wide": false, "bits": 32, "seconds": 1.0, "order": "little",
     "registers": {"r9": 7},
     "imports": [{"address": ..., "name": "strlen", "parameters": [{"registers": ["r0"], "stack": -1, "size": 4,
                  "bits": 32, "signed": false}], "result": ["r0"]}],
     "tests": [{"registers": {"r0": 3}, "memory": [[address, "hex", size]], "read": [[address, size]],
                "objects": [[address, size]],
                "reads": [[address, size, [number, ...]]]}],
     "regions": [[begin, end]], "profile": "M"}

    {"ended": "returned", "why": "", "result": 3, "memory": ["0a00"], "ran": [addresses of instructions]}
"""

from __future__ import annotations

import errno
import json
import struct
import sys
import time
from collections.abc import Iterator
from ctypes import c_float
from typing import Any

from veer.frontends.machine import ctype
from veer.frontends.machine.elf import extra
from veer.frontends.machine.emulated_floats import exact
from veer.frontends.machine.emulated_format import Given, UnknownFormatError, formatted, is_out_of_range, read_float
from veer.frontends.machine.emulated_library import LibraryError, Memory, call, print_to
from veer.frontends.machine.floatplaces import Held, bits_in
from veer.frontends.machine.library import IN_WORDS, float_intrinsic

_PAGE = 0x1000
_WIDEST = 128
"""Bits of a register."""
_MACHINES = {
    "arm": ("ARM", "UC_ARCH_ARM", "UC_MODE_ARM", "arm"),
    "x86-64": ("X86", "UC_ARCH_X86", "UC_MODE_64", "x86"),
    "powerpc": ("PPC", "UC_ARCH_PPC", "UC_MODE_PPC32", "ppc"),
    "riscv32": ("RISCV", "UC_ARCH_RISCV", "UC_MODE_RISCV32", "riscv"),
    "riscv64": ("RISCV", "UC_ARCH_RISCV", "UC_MODE_RISCV64", "riscv"),
    "aarch64": ("ARM64", "UC_ARCH_ARM64", "UC_MODE_ARM", "arm64"),
}
_FLOATING_POINT = {
    "ARM": (("C1_C0_2", 0xF << 20), ("FPEXC", 1 << 30)),
    "PPC": (("MSR", 1 << 13),),
    "RISCV": (("MSTATUS", 3 << 13),),
}
"""Bits of registers that switch it on."""
_LARGEST = frozenset(("ARM", "ARM64"))
"""Machines of which unicorn's usual processor lacks instructions that compilers make: ldadd, cas, ldapr, ldaex."""
_THUMB = 5
"""The bit of CPSR that is 1 in Thumb code."""
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
        self._segments = [(address, bytes.fromhex(data)) for address, _, data, _ in request.get("segments", ())]
        self._imports = {each["address"]: each for each in request.get("imports", ())}
        if request["machine"] == "powerpc":
            self._mode |= self._unicorn.UC_MODE_BIG_ENDIAN
        if request.get("profile") == "M":
            self._mode |= self._unicorn.UC_MODE_THUMB | self._unicorn.UC_MODE_MCLASS

    def processor(self) -> Any:
        """A new one; its floating-point unit is on, as a system has it before a program begins."""
        uc = self._unicorn.Uc(self._architecture, self._mode)
        if self._prefix in _LARGEST and self._request.get("profile") != "M":
            uc.ctl_set_cpu_model(getattr(self._constants, f"UC_CPU_{self._prefix}_MAX"))
        for name, bits in _FLOATING_POINT.get(self._prefix, ()):
            register = int(getattr(self._constants, f"UC_{self._prefix}_REG_{name}"))
            uc.reg_write(register, uc.reg_read(register) | bits)
        return uc

    def run(self, test: dict[str, Any]) -> dict[str, Any]:
        """One test from the beginning to its end."""
        uc = self.processor()
        self._map(uc, test)
        for name, value in {**self._request["registers"], **test["registers"]}.items():
            uc.reg_write(self.register(name), value)
        ran: set[int] = set()

        def seen(uc: Any, address: int, *_: Any) -> None:
            if address in self._imports:
                uc.emu_stop()
            elif len(ran) < _MOST_TRACED:
                ran.add(address)

        uc.hook_add(self._unicorn.UC_HOOK_CODE, seen)
        ended, why = self._ending(uc, test.get("objects", []))
        parts = [uc.reg_read(self.register(name)) for name in self._request["result"]]
        width = self._request["bits"] if len(parts) > 1 else _WIDEST
        result = sum(part % (1 << width) << width * k for k, part in enumerate(parts))
        if self._request["is_wide"]:
            result = int.from_bytes(struct.pack("<f", _single(result)), "little")
        memory = [self._left(uc, address, size) for address, size in test["read"]]
        return {"ended": ended, "why": why, "result": result, "memory": memory, "ran": sorted(ran)}

    def _left(self, uc: Any, address: int, size: int) -> str:
        """The bytes of an object behind the call; none where it was freed."""
        try:
            return bytes(uc.mem_read(address, size)).hex()
        except self._unicorn.UcError:
            return ""

    def _ending(self, uc: Any, objects: list[list[int]]) -> tuple[str, str]:
        """Runs until the entry returns, or what else ends it; calls of the library on the way.

        Unicorn counts the time of the clock, and behind `wfi` it ends: it goes on while there is processor time left.
        """
        memory = Memory(uc, self._request["order"], objects)
        counter, back = self._counter(), self._request["back"]
        at, until = self._request["entry"] | self._request["thumb"], time.process_time() + self._request["seconds"]
        while True:
            left = int((until - time.process_time()) * 1_000_000)
            if left <= 0:
                return "limit", f"it ran longer than {self._request['seconds']} s"
            try:
                uc.emu_start(at, back, timeout=left)
                place = uc.reg_read(counter) & ~1
                if place == back:
                    return "returned", ""
                called = self._imports.get(place)
                at = self._library_call(uc, memory, called) if called is not None else place | self._mark(uc)
            except LibraryError as error:
                return str(error.args[0]), str(error.args[1])
            except self._unicorn.UcError as error:
                return "fault", f"{error} at {uc.reg_read(counter):#x}"

    def _mark(self, uc: Any) -> int:
        """Of the instruction set in which an ARM is."""
        if self._prefix != "ARM":
            return 0
        if self._request.get("profile") == "M":
            return 1
        return int(uc.reg_read(self._constants.UC_ARM_REG_CPSR)) >> _THUMB & 1

    def _library_call(self, uc: Any, memory: Memory, called: dict[str, Any]) -> int:
        """Makes the call; where it returns to."""
        order, word = self._request["order"], self._request["bits"] // 8
        stack, link = self.register(self._request["stack"]), self._request["link"]
        top = uc.reg_read(stack)
        given = []
        for each in called["parameters"]:
            if each["registers"]:
                parts = [uc.reg_read(self.register(name)) % (1 << each["part"]) for name in each["registers"]]
                number = sum(part << each["part"] * k for k, part in enumerate(parts))
                if each["held"] == Held.WIDE.name:
                    number = int.from_bytes(struct.pack("<f", _single(number)), "little")
            else:
                number = int.from_bytes(memory.read(top + each["stack"], each["size"]), order)
            number %= 1 << each["bits"]
            is_negative = each["signed"] and number >> each["bits"] - 1
            given.append(number - (1 << each["bits"]) if is_negative else number)
        result = self._result(uc, memory, called, given)
        if result is not None and called.get("held", Held.PLAIN.name) != Held.PLAIN.name:
            result = bits_in(Held[called["held"]], result)
        for k, name in enumerate(called["result"] if result is not None else ()):
            part = called.get("part", 8 * word)
            uc.reg_write(self.register(name), (result or 0) >> part * k & (1 << part) - 1)
        if link:
            return int(uc.reg_read(self.register(link)))
        uc.reg_write(stack, top + word)
        return int.from_bytes(memory.read(top, word), order)

    def _result(self, uc: Any, memory: Memory, called: dict[str, Any], given: list[int]) -> int | None:
        """What the function of the library returns, as a number of its registers."""
        order, word, name = self._request["order"], self._request["bits"] // 8, called["name"]
        named = dict(zip(called.get("names", ()), given, strict=False))
        known = ctype.result(name)
        if known is not None:
            return known
        if name in IN_WORDS:
            places = range(given[0] + word * IN_WORDS[name], given[0] + 2 * word, word)
            total: int = sum(int.from_bytes(memory.read(place, word), order) for place in places)
            return int(total % (1 << 8 * word))
        if float_intrinsic(name) != name:
            return exact(name, given[0])
        if called.get("is_float"):
            number, length = read_float(memory.text(named["s"]))
            if named.get("end"):
                memory.write(named["end"], (named["s"] + length).to_bytes(word, order))
            if is_out_of_range(memory.text(named["s"])[:length], number):
                memory.fail(errno.ERANGE)
            return int.from_bytes(struct.pack("<d", number), "little")
        if "behind" not in called:
            return call(name, memory, given, word, order)
        try:
            made = formatted(memory.text(named["format"]), self._behind(uc, memory, called, named), word, memory.text)
        except UnknownFormatError as error:
            raise LibraryError("limit", f"the emulator's {name} does not know {error}") from error
        return print_to(name, memory, named, made)

    def _behind(self, uc: Any, memory: Memory, called: dict[str, Any], named: dict[str, int]) -> Given:
        """The arguments behind the named ones."""
        order, word = self._request["order"], self._request["bits"] // 8

        def number(address: int, size: int) -> int:
            return int.from_bytes(memory.read(address, size), order)

        def double(register: str) -> float:
            bits = uc.reg_read(self.register(register)) % (1 << 64)
            return float(struct.unpack("<d", bits.to_bytes(8, "little"))[0])

        floats = [double(each) for each in called["floats"]] if called["floats"] else None
        registers = [uc.reg_read(self.register(each)) % (1 << 8 * word) for each in called["behind"]]
        first, above = called["number"], uc.reg_read(self.register(self._request["stack"])) + called["above"]
        if "list" in named and self._prefix == "X86":
            at = named["list"]
            used, floating = number(at, 4), number(at + 4, 4)
            above, saved = number(at + 8, 8), number(at + 16, 8)
            registers = [number(saved + place, 8) for place in range(used, 48, 8)]
            raw = [memory.read(saved + place, 8) for place in range(floating, 176, 16)]
            floats = [float(struct.unpack("<d", each)[0]) for each in raw]
        elif "list" in named:
            registers, above = [], named["list"]
        given = Given(registers, first, floats, above, word, number)
        return given.big() if order == "big" else given

    def register(self, name: str) -> int:
        """Unicorn's number of a register that SLEIGH calls so."""
        if self._prefix == "PPC" and name[1:].isdigit():
            name = f"FPR{name[1:]}" if name[0] == "f" else name[1:]
        name = {"FS_OFFSET": "FS_BASE"}.get(name, name).removesuffix("_Qa").removesuffix("_Da")
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
        spans += [(address, 1, False) for address in self._imports]
        for address, size, writable in spans:
            for page in range(address & ~(_PAGE - 1), address + max(size, 1), _PAGE):
                pages[page] = pages.get(page, False) or bool(writable)
        all_, fixed = self._unicorn.UC_PROT_ALL, self._unicorn.UC_PROT_READ | self._unicorn.UC_PROT_EXEC
        for begin, end, writable in _runs(pages):  # what a page is for is said at once: unicorn takes 1 ms to change it
            uc.mem_map(begin, end - begin, all_ if writable else fixed)
        for address, data in self._segments:
            uc.mem_write(address, data)
        for address, data, _ in test["memory"]:
            uc.mem_write(address, bytes.fromhex(data))
        reads = {(address, size): list(values) for address, size, values in test.get("reads", ())}
        for begin, end in self._request.get("regions", ()):
            _map_devices(uc, begin & ~(_PAGE - 1), -(-end // _PAGE) * _PAGE, reads)


def _single(bits: int) -> float:
    """The number of 32 bits that a register of 64 holds as one of 64."""
    return c_float(struct.unpack("<d", (bits % (1 << 64)).to_bytes(8, "little"))[0]).value


def _map_devices(uc: Any, begin: int, end: int, reads: dict[tuple[int, int], list[int]]) -> None:
    """Registers: each read takes the next number of the input; behind the last one they keep it. What is written goes
    nowhere."""

    def read(_uc: Any, offset: int, size: int, _: Any) -> int:
        values = reads.get((begin + offset, size), [0])
        return values.pop(0) if len(values) > 1 else values[0]

    def write(*_: Any) -> None:
        """Reads do not hang on it."""

    uc.mmio_map(begin, end - begin, read, None, write, None)


def _runs(pages: dict[int, bool]) -> Iterator[tuple[int, int, bool]]:
    """Pages that lie side by side and are alike, as one piece each: its beginning, where it ends, whether it is
    written to."""
    begin = end = -1
    kind = False
    for page, writable in sorted(pages.items()):
        if end >= 0 and (page, writable) != (end, kind):
            yield begin, end, kind
        begin, end, kind = (begin if (page, writable) == (end, kind) else page), page + _PAGE, writable
    if end >= 0:
        yield begin, end, kind


def main() -> None:
    """Answers one request."""
    request = json.load(sys.stdin)
    emulator = Emulator(request)
    for test in request["tests"]:
        sys.stdout.write(json.dumps(emulator.run(test)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
