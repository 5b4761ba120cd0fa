"""What single instructions showed on random states beside an emulator (tests/support/machine_opcodes.py).

An instruction whose meaning in SLEIGH differs from the processor's is not lifted.
"""

from __future__ import annotations

import re

from veer.frontends.machine.architectures import AARCH64, ARM, I8051, RISCV32, RISCV64, X86_64, Architecture

_CONDITIONS = re.compile(r"(eq|ne|cs|cc|mi|pl|vs|vc|hi|ls|ge|lt|gt|le)$")
_NO_CONDITION = frozenset(("teq", "bls", "bics", "mls", "smmls", "lsls", "movs", "muls", "rscs", "sbcs", "adcs"))
_FAULTS = {
    # SLEIGH's result has a sign; two registers of a pair change places; bytes are compared as words
    AARCH64.name: re.compile(
        r"fcvt(?!z)\w?u |fcvtzu [^,]*, [^,]*,|fcvtzu [sdv]|casp|(?:ld|st)[su](?:max|min)a?l?[bh] "
    ),
    **dict.fromkeys((RISCV32.name, RISCV64.name), re.compile(r"fcvt\.[wl]u\.[sd] (?!.*,rtz$)")),  # likewise
    ARM.name: re.compile(r"vcvt\w+\.[us]32\.f|vcvt\.[us]32\.f(?:32|64) (?!s)"),  # likewise, or not the nearest
    X86_64.name: re.compile(r"PSRAD XMM\d+, (?!0x)|CVTPS2DQ "),  # the amount is cut; not the nearest
    I8051.name: re.compile(r".*\bPSW\b|DA\b"),  # only the carry of PSW is as the processor has it
}


def is_faulty(machine: Architecture, text: str) -> bool:
    """Whether SLEIGH is known to be wrong about an instruction, by its disassembly."""
    fault = _FAULTS.get(machine.name)
    return fault is not None and fault.match(text) is not None


def family(machine: Architecture, mnemonic: str, *, is_thumb: bool = False) -> str:
    """The mnemonic without the condition under which ARM runs it, and without the width of Thumb's encoding."""
    if machine is not ARM:
        return mnemonic
    plain = mnemonic.removesuffix(".w") if is_thumb else mnemonic
    return plain if plain in _NO_CONDITION else _CONDITIONS.sub("", plain).removesuffix(".") or plain
