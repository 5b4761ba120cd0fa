"""Where floating-point arguments and results lie: in registers of their own, or where integers of their size do.

                     registers of their own                    behind these         a number of 32 bits in 64
    x86-64, AArch64  the first eight                           the stack            the upper half is nobody's
    ARM              s0 to s15, d0 to d7, gaps are filled      the stack            -
    PowerPC          f1 to f8                                  the stack            is held as one of 64 bits
    RISC-V           fa0 to fa7                                integer registers    the upper half is all ones

ARM and RISC-V have code without these registers too: then numbers lie as integers do.
"""

from __future__ import annotations

import struct
from enum import Enum
from typing import Any

from veer.frontends.machine.architectures import ARM, POWERPC, RISCV32, RISCV64, Architecture

_SINGLE, _DOUBLE = 4, 8
_ARM_SINGLES = 16
_OTHERS = 8
_HARD = 1
_ARM_FLAG = 0x400
"""Of an ELF file's header, where it has no attributes."""


class FloatAbi(Enum):
    """How large the numbers are that have registers of their own."""

    UNKNOWN = "the file does not say"
    NONE = "none"
    SINGLE = "32 bits"
    DOUBLE = "64 bits"


class Held(Enum):
    """How a register holds a number."""

    PLAIN = "as it is"
    ONES = "32 bits, all ones above"
    WIDE = "32 bits, as the same number of 64"


def abi_of(elf: Any, machine: Architecture) -> FloatAbi:
    """Of a file for pyelftools."""
    if machine in (RISCV32, RISCV64):
        return {0: FloatAbi.NONE, 2: FloatAbi.SINGLE, 4: FloatAbi.DOUBLE}.get(elf["e_flags"] & 6, FloatAbi.UNKNOWN)
    if machine is ARM:
        is_hard = _arm_attribute(elf, "TAG_ABI_VFP_ARGS") == _HARD or bool(elf["e_flags"] & _ARM_FLAG)
        return FloatAbi.DOUBLE if is_hard else FloatAbi.NONE
    return usual(machine)


def usual(machine: Architecture) -> FloatAbi:
    """Of a machine whose files need not say it."""
    return FloatAbi.DOUBLE if machine.floats or machine is POWERPC else FloatAbi.UNKNOWN


def _arm_attribute(elf: Any, name: str) -> int:
    section = elf.get_section_by_name(".ARM.attributes")
    if section is None:
        return 0
    tables = [table for part in section.iter_subsections() for table in part.iter_subsubsections()]
    return next((int(each.value) for table in tables for each in table.iter_attributes() if each.tag == name), 0)


class FloatPlaces:
    """Hands out the registers of one call's arguments."""

    def __init__(self, machine: Architecture, abi: FloatAbi) -> None:
        self._machine = machine
        self._abi = abi
        self._used: set[int] = set()  # of ARM: by singles

    def has_own(self, size: int) -> bool:
        """Whether numbers of this size have registers of their own."""
        return self._abi is FloatAbi.DOUBLE or (self._abi is FloatAbi.SINGLE and size == _SINGLE)

    def next(self, size: int) -> str:
        """The register of the next one; "": none is free."""
        if self._machine is ARM:
            return self._next_of_arm(size)
        place = len(self._used)
        if place == _OTHERS:
            return ""
        self._used.add(place)
        return _register(self._machine, place, size)

    @property
    def goes_on_in_integers(self) -> bool:
        """Whether what has no register of its own any more lies as integers do."""
        return self._machine in (RISCV32, RISCV64)

    def _next_of_arm(self, size: int) -> str:
        words = size // _SINGLE
        free = (at for at in range(0, _ARM_SINGLES, words) if not self._used.intersection(range(at, at + words)))
        at = next(free, -1)
        if at < 0:
            self._used.update(range(_ARM_SINGLES))  # behind the first one on the stack no gap is filled
            return ""
        self._used.update(range(at, at + words))
        return _register(ARM, at // words, size)


def result(machine: Architecture, size: int) -> str:
    """The register of a result."""
    return _register(machine, 0, size)


def held(machine: Architecture, size: int) -> Held:
    """How these registers hold a number."""
    if size == _DOUBLE or machine not in (POWERPC, RISCV32, RISCV64):
        return Held.PLAIN
    return Held.WIDE if machine is POWERPC else Held.ONES


def bits_in(how: Held, number: int) -> int:
    """The bits of a register that holds a number, which is given by its own."""
    if how is Held.ONES:
        return number % (1 << 32) | (1 << 64) - (1 << 32)
    if how is Held.WIDE:
        (value,) = struct.unpack("<f", (number % (1 << 32)).to_bytes(_SINGLE, "little"))
        return int.from_bytes(struct.pack("<d", value), "little")
    return number


def _register(machine: Architecture, place: int, size: int) -> str:
    if machine.floats:
        return machine.floats[place][size == _SINGLE]
    if machine is ARM:
        return f"{'s' if size == _SINGLE else 'd'}{place}"
    return f"f{place + 1}" if machine is POWERPC else f"fa{place}"
