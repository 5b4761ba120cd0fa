"""The machines whose code can be lifted: how SLEIGH calls them, and how their calling convention passes numbers."""

from __future__ import annotations

from msgspec import Struct

from veer.model.errors import UsageError


class Architecture(Struct, frozen=True):
    """One machine.

    `language`: SLEIGH's id; `bits`: of an address and a general register; `arguments`, `result`, `stack`: registers by
    their SLEIGH names; `link`: the register that holds the return address, or empty where it lies on the stack;
    `divides_by_zero`: whether a division by zero is an exception, or gives 0; `thumb`: SLEIGH's id of a second
    instruction set, or empty; `convention`: what people call the calling convention; `spaces`: address spaces of SLEIGH
    that are memory, and at which of veer's addresses each begins, that of code first; `floats`: registers of arguments
    of 64 and of 32 bits, by pairs, the first of which takes results; none: such arguments are refused.
    """

    name: str
    language: str
    bits: int
    is_big: bool
    arguments: tuple[str, ...]
    result: str
    stack: str
    link: str
    convention: str
    divides_by_zero: bool = False
    thumb: str = ""
    spaces: tuple[tuple[str, int], ...] = (("ram", 0),)
    floats: tuple[tuple[str, str], ...] = ()

    def base(self, space: str) -> int | None:
        """Where an address space of SLEIGH's lies; None: it is no memory."""
        return dict(self.spaces).get(space)

    @property
    def code_base(self) -> int:
        """Where the space lies that instructions are read from."""
        return self.spaces[0][1]

    @property
    def bytes(self) -> int:
        """Of an address."""
        return self.bits // 8


ARM = Architecture(
    *("arm", "ARM:LE:32:v8", 32, False, ("r0", "r1", "r2", "r3"), "r0", "sp", "lr", "AAPCS"),
    divides_by_zero=True,
    thumb="ARM:LE:32:v8T",
)
X86_64 = Architecture(
    *("x86-64", "x86:LE:64:default", 64, False, ("RDI", "RSI", "RDX", "RCX", "R8", "R9"), "RAX", "RSP", "", "System V"),
    floats=tuple((f"XMM{k}_Qa", f"XMM{k}_Da") for k in range(8)),
)
POWERPC = Architecture(
    *("powerpc", "PowerPC:BE:32:default", 32, True, tuple(f"r{k}" for k in range(3, 11)), "r3", "r1", "LR", "System V"),
)
RISCV32 = Architecture(
    *("riscv32", "RISCV:LE:32:default", 32, False, tuple(f"a{k}" for k in range(8)), "a0", "sp", "ra", "RISC-V ELF"),
    divides_by_zero=True,
)
RISCV64 = Architecture(
    *("riscv64", "RISCV:LE:64:default", 64, False, tuple(f"a{k}" for k in range(8)), "a0", "sp", "ra", "RISC-V ELF"),
    divides_by_zero=True,
)
AARCH64 = Architecture(
    *("aarch64", "AARCH64:LE:64:v8A", 64, False, tuple(f"x{k}" for k in range(8)), "x0", "sp", "x30", "AAPCS64"),
    divides_by_zero=True,
    floats=tuple((f"d{k}", f"s{k}") for k in range(8)),
)
CODE_BASE, EXTERNAL_BASE, INTERNAL_BASE = 0x10000000, 0x0C000000, 0x0B000000
"""Where the three address spaces of an 8051 lie."""
I8051 = Architecture(
    *("8051", "8051:BE:16:default", 16, True, ("DPL", "DPH", "B", "ACC"), "DPL", "SP", "", "sdcc, small model"),
    divides_by_zero=True,
    spaces=(("CODE", CODE_BASE), ("INTMEM", INTERNAL_BASE), ("EXTMEM", EXTERNAL_BASE)),
)
ARCHITECTURES = (ARM, X86_64, POWERPC, RISCV32, RISCV64, AARCH64, I8051)
_OF_ELF = {
    ("EM_ARM", 32, True): ARM,
    ("EM_X86_64", 64, True): X86_64,
    ("EM_PPC", 32, False): POWERPC,
    ("EM_RISCV", 32, True): RISCV32,
    ("EM_RISCV", 64, True): RISCV64,
    ("EM_AARCH64", 64, True): AARCH64,
}


def of_elf(machine: str, bits: int, is_little: bool, file: str) -> Architecture:  # noqa: FBT001 - as pyelftools says it
    """The architecture of an ELF file's header. Raises UsageError for one that cannot be lifted."""
    found = _OF_ELF.get((machine, bits, is_little))
    if found is None:
        order = "little" if is_little else "big"
        known = ", ".join(each.name for each in ARCHITECTURES)
        given = f"{machine.removeprefix('EM_')} ({bits} bits, {order}-endian)"
        raise UsageError(f"{file} is for {given}, whose code veer does not lift; it lifts {known}")
    return found
