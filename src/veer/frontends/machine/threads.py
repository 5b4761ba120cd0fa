"""What belongs to the thread that runs: where its own variables lie, and the word that stands before return addresses.

x86-64          variables | pointer to itself, ..., canary at 0x28        fs leads to the pointer
AArch64, ARM    16 (8) bytes | variables                                  tpidr_el0 leads to the bytes
RISC-V          variables                                                 tp leads to them
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from veer.frontends.machine.architectures import AARCH64, ARM, RISCV32, RISCV64, X86_64, Architecture

PLACE = 0x0D000000
"""Where it lies."""
_CONTROL, _CANARY_AT, _CANARY = 0x100, 0x28, 0x5A6B7C8D9EAFB000
_BEFORE = {ARM.name: 8, AARCH64.name: 16, RISCV32.name: 0, RISCV64.name: 0}
_REGISTERS = {X86_64.name: "FS_OFFSET", AARCH64.name: "tpidr_el0", RISCV32.name: "tp", RISCV64.name: "tp"}


class Thread(Struct, frozen=True):
    """`data` at PLACE; `pointer`: what the register holds (empty: the machine has none that code reads)."""

    data: bytes
    pointer: int
    register: str
    offset: int
    """What a dynamic linker adds to a variable's place within the file's own ones."""


def thread(elf: Any, machine: Architecture) -> Thread:
    """Of a file."""
    found = next(iter(elf.iter_segments("PT_TLS")), None)
    given, size, alignment = (
        (found.data(), found["p_memsz"], found["p_align"] or 1) if found is not None else (b"", 0, 1)
    )
    register = _REGISTERS.get(machine.name, "")
    if machine is X86_64:
        own = -(-size // alignment) * alignment
        room = -(-own // 64) * 64
        pointer = PLACE + room
        control = bytearray(_CONTROL)
        control[:8] = control[16:24] = pointer.to_bytes(8, "little")
        control[_CANARY_AT : _CANARY_AT + 8] = _CANARY.to_bytes(8, "little")
        return Thread(bytes(room - own) + given.ljust(own, b"\0") + bytes(control), pointer, register, -own)
    before = -(-_BEFORE.get(machine.name, 8) // alignment) * alignment
    return Thread(bytes(before) + given.ljust(size, b"\0") + bytes(_CONTROL), PLACE, register, before)
