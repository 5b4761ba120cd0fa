"""Single instructions on random states: the lifted code, run natively, beside an emulator that is not our lifter.

python tests/support/machine_opcodes.py FILE.o ...      the mnemonics of these files that agree, and what differs
"""

from __future__ import annotations

import ctypes
import ctypes.util
import random
import re
import struct
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm

from veer.frontends.machine.architectures import Architecture
from veer.frontends.machine.body import Body
from veer.frontends.machine.cells import Cells, cells_of
from veer.frontends.machine.cleanup import cleaned
from veer.frontends.machine.corrections import corrected
from veer.frontends.machine.decoder import MEMORY, Decoder, Instruction, Operation, Varnode
from veer.frontends.machine.descent import Routine, descend
from veer.frontends.machine.function import FunctionWriter, Texts
from veer.frontends.machine.image import Code, Image
from veer.frontends.machine.lift import module_head
from veer.frontends.machine.linked import load
from veer.frontends.machine.validated import family
from veer.toolchain.compiler import find

ARENA, ARENA_SIZE = 0x30000000, 0x10000
"""Memory that all pointers of a random state lead into."""
_NOWHERE = 0x7FFF0000
_LIBM = ctypes.CDLL(ctypes.util.find_library("m"))
_NOTHING = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)(lambda *_: None)
"""Where a return goes to is compared here, by what each instruction says."""
_EDGES = (
    0,
    1,
    2,
    0x7F,
    0x80,
    0xFF,
    0x8000,
    0xFFFF,
    0x7FFFFFFF,
    0x80000000,
    0xFFFFFFFF,
    (1 << 63) - 1,
    1 << 63,
    (1 << 64) - 1,
)
_REGISTERS = {
    "arm": (*(f"r{k}" for k in range(13)), "sp", "lr"),
    "x86-64": (*["RAX", "RBX", "RCX", "RDX", "RSI", "RDI", "RBP", "RSP"], *(f"R{k}" for k in range(8, 16))),
    "powerpc": (*(f"r{k}" for k in range(32)), "LR", "CTR"),
    "riscv32": ("ra", "sp", *(f"t{k}" for k in range(7)), *(f"s{k}" for k in range(12)), *(f"a{k}" for k in range(8))),
    "riscv64": ("ra", "sp", *(f"t{k}" for k in range(7)), *(f"s{k}" for k in range(12)), *(f"a{k}" for k in range(8))),
    "aarch64": (*(f"x{k}" for k in range(31)), "sp"),
}
_RISCV_FLOATS = (*(f"t{k}" for k in range(12)), *(f"s{k}" for k in range(12)), *(f"a{k}" for k in range(8)))
_FLOATS = {
    "x86-64": tuple(f"XMM{k}" for k in range(16)),
    "aarch64": tuple(f"q{k}" for k in range(32)),
    "arm": tuple(f"q{k}" for k in range(16)),
    "powerpc": tuple(f"f{k}" for k in range(32)),
    **dict.fromkeys(("riscv32", "riscv64"), tuple(f"f{name}" for name in _RISCV_FLOATS)),
}
"""Registers of floating-point numbers, of 16 bytes; those of RISC-V and PowerPC have 8."""
_FLAGS = {
    "arm": ("CPSR", {"NG": 31, "ZR": 30, "CY": 29, "OV": 28}),
    "x86-64": ("EFLAGS", {"CF": 0, "PF": 2, "ZF": 6, "SF": 7, "OF": 11}),
    "aarch64": ("NZCV", {"NG": 31, "ZR": 30, "CY": 29, "OV": 28}),
}
"""Where the emulator has each flag: a register, and bits of it."""
_DIVISIONS = frozenset(("INT_DIV", "INT_SDIV", "INT_REM", "INT_SREM"))
_UNSEEN = {"powerpc": ("xer_ca",)}
"""Flags that the emulator does not let in: what reads them is not compared, and so it is refused."""
_UNDEFINED = {
    "IMUL": {"SF", "ZF", "PF"},
    "MUL": {"SF", "ZF", "PF"},
    "DIV": {"CF", "OF", "SF", "ZF", "PF"},
    "IDIV": {"CF", "OF", "SF", "ZF", "PF"},
    **{key: {"OF"} for key in ("SHL", "SHR", "SAR", "ROL", "ROR", "SHLD", "SHRD", "SAL")},
    **{key: {"OF", "SF", "PF"} for key in ("BT", "BTS", "BTR", "BTC")},
    **{key: {"CF", "OF", "SF", "PF"} for key in ("BSF", "BSR")},
}
"""Flags that the processor's manual leaves undefined behind an instruction."""


class _OneInstruction(FunctionWriter):
    """An instruction as a function that says where it goes on."""

    def _leave(self, target: int) -> None:
        self._goes_to(str(target))

    def _indirect(self, instruction: Instruction, operation: Operation) -> bool:
        self._refuse(f"where {instruction.text} goes by {operation.name} is found by runs")
        return False

    def _call(self, target: int, *, is_tail: bool = False) -> None:
        self._goes_to(str(target))
        self.body.label(f"never{len(self.body.lines)}")

    def _return(self, *, is_spilled: bool = False) -> None:
        self._goes_to("-1")

    def _refuse(self, why: str) -> None:
        self.texts.name(why)
        self._goes_to("-2")

    def _goes_to(self, number: str) -> None:
        self.body.lines.append("  ; spill")
        self.body.line(f"store i64 {number}, ptr @veer.next")
        self.body.line("ret void")


@dataclass
class Opcodes:
    """The instructions of an image, compiled one by one."""

    image: Image
    instructions: Sequence[tuple[Instruction, bool]]
    refused: set[int] = field(default_factory=set)
    compared: dict[int, int] = field(default_factory=dict)  # in how many states, by number
    _cells: Cells | None = None

    def __post_init__(self) -> None:
        decoder = Decoder(self.image, corrected)
        self.machine: Architecture = self.image.architecture
        self.varnodes = dict(decoder.registers())
        routines = [
            Routine(Code(f"i{n}", each.address), {each.address: each}) for n, (each, _) in enumerate(self.instructions)
        ]
        names = [
            *_REGISTERS[self.machine.name],
            *_FLOATS.get(self.machine.name, ()),
            *_FLAGS.get(self.machine.name, ("", {}))[1],
        ]
        if self.machine.name == "powerpc":
            names += [f"cr{k}" for k in range(8)]
        self.names = names
        cells = cells_of(routines, [self.varnodes[name] for name in names], is_big=self.machine.is_big)
        functions = []
        for number, routine in enumerate(routines):
            texts = Texts()
            writer = _OneInstruction(
                self.image,
                routine,
                Body(self.machine, cells),
                {routine.code.address: f'@"i{number}"'},
                {routine.code.address: ""},
                texts,
                "",
            )
            writer.write()
            functions.append(writer.text())
            if texts.of or self._reads_unseen(routine.instructions[routine.code.address]):
                self.refused.add(number)
        head = module_head(routines, cells, [self.varnodes[name] for name in names])
        text = "\n".join([*head, "@veer.next = global i64 0", *functions]).replace("internal global", "global")
        module = llvm.parse_assembly(cleaned(text))
        for name, function in (("fma", _LIBM.fma), ("fmaf", _LIBM.fmaf), ("veer_check_return", _NOTHING)):
            llvm.add_symbol(name, ctypes.cast(function, ctypes.c_void_p).value)
        self._engine = llvm.create_mcjit_compiler(module, llvm.Target.from_default_triple().create_target_machine())
        self._engine.finalize_object()
        self.cells = cells

    def _reads_unseen(self, instruction: Instruction) -> bool:
        """Or divides where a division by zero would end this process."""
        if not self.machine.divides_by_zero and any(each.name in _DIVISIONS for each in instruction.operations):
            return True
        unseen = [self.varnodes[name] for name in _UNSEEN.get(self.machine.name, ())]
        return any(each in unseen for operation in instruction.operations for each in operation.inputs)

    def _place(self, varnode: Varnode) -> int:
        cell = self.cells.cell(-1, varnode)
        return (
            int(self._engine.get_global_value_address(f"veer.register.{cell.name}"))
            + self.cells.shift(cell, varnode) // 8
        )

    def get(self, name: str) -> int:
        """A register."""
        varnode = self.varnodes[name]
        return int.from_bytes(ctypes.string_at(self._place(varnode), varnode.size), "little")

    def set(self, name: str, value: int) -> None:
        """Sets a register."""
        varnode = self.varnodes[name]
        ctypes.memmove(self._place(varnode), value.to_bytes(varnode.size, "little"), varnode.size)

    def run(self, number: int) -> int:
        """Runs one; where it goes on."""
        there = int(self._engine.get_global_value_address("veer.next"))
        ctypes.memmove(there, bytes(8), 8)
        ctypes.CFUNCTYPE(None)(int(self._engine.get_function_address(f"i{number}")))()
        return int.from_bytes(ctypes.string_at(there, 8), "little")


def arena() -> None:
    """Maps the memory for random states in this process, once."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype, libc.mmap.argtypes = ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 4]
    libc.mmap(ARENA, ARENA_SIZE, 3, 0x2 | 0x20 | 0x100000, -1, 0)


class Emulated:
    """The same states on unicorn."""

    def __init__(self, image: Image) -> None:
        import unicorn  # noqa: PLC0415 - an extra

        from veer.frontends.machine.emulated import Emulator  # noqa: PLC0415

        self.machine = image.architecture
        self._emulator = Emulator({"machine": self.machine.name})
        self.uc = self._emulator.processor()
        self.error = unicorn.UcError
        for page in sorted({a & ~0xFFF for s in image.segments for a in range(s.address & ~0xFFF, s.end, 0x1000)}):
            self.uc.mem_map(page, 0x1000)
        for segment in image.segments:
            self.uc.mem_write(segment.address, segment.data)
        self.uc.mem_map(ARENA, ARENA_SIZE)

    def number(self, name: str) -> int:
        """Unicorn's number of a register."""
        return self._emulator.register(name)

    def set(self, name: str, value: int) -> None:
        """Sets a register."""
        self.uc.reg_write(self.number(name), value)

    def get(self, name: str) -> int:
        """A register."""
        return int(self.uc.reg_read(self.number(name)))

    def run(self, instruction: Instruction, thumb: bool) -> int:
        """Runs one; where it goes on."""
        self.uc.emu_start(instruction.address | int(thumb), _NOWHERE, count=1)
        return int(self.uc.reg_read(self._emulator._counter()))


def differences(opcodes: Opcodes, states: int, seed: int = 0) -> dict[int, str]:
    """The first difference of each instruction by its number; those that are refused are left out."""
    arena()
    emulated, random_ = Emulated(opcodes.image), random.Random(seed)
    found: dict[int, str] = {}
    for number, (instruction, thumb) in enumerate(opcodes.instructions):
        if number in opcodes.refused:
            continue
        for _ in range(states):
            why = _one(opcodes, emulated, number, instruction, thumb, random_)
            if why:
                found[number] = why
                break
    return found


def _one(
    opcodes: Opcodes, emulated: Emulated, number: int, instruction: Instruction, thumb: bool, random_: random.Random
) -> str:
    machine = opcodes.machine
    data = random_.randbytes(ARENA_SIZE)
    ctypes.memmove(ARENA, data, ARENA_SIZE)
    emulated.uc.mem_write(ARENA, data)
    has_memory = any(each.name in ("LOAD", "STORE") for each in instruction.operations)
    for name in _REGISTERS[machine.name]:
        value = _value(machine.bits, random_)
        if (has_memory and random_.random() < 0.9) or name in ("sp", "RSP", machine.stack):
            value = ARENA + ARENA_SIZE // 2 + random_.randrange(-64, 64) * 8
            if has_memory and random_.random() < 0.3:
                value = random_.randrange(0, 64)
        opcodes.set(name, value)
        emulated.set(name, value)
    for name in _FLOATS.get(machine.name, ()):
        value = _float(random_) | _float(random_) << 64
        value %= 1 << 8 * opcodes.varnodes[name].size
        opcodes.set(name, value)
        emulated.set(name, value)
    _set_flags(opcodes, emulated, random_)
    before = {name: opcodes.get(name) for name in opcodes.names}
    is_within = _addresses(opcodes, instruction, before)
    if not is_within:
        return ""
    try:
        after = emulated.run(instruction, thumb)
    except emulated.error:
        return ""  # an access outside of the arena, a division by zero
    went = opcodes.run(number)
    opcodes.compared[number] = opcodes.compared.get(number, 0) + 1
    undefined = _UNDEFINED.get(instruction.mnemonic.upper(), set())
    for name in opcodes.names:
        other = _seen(emulated, machine, name)
        if name not in undefined and not _is_same(name, opcodes.get(name), other, instruction, machine):
            return f"{name} is {opcodes.get(name):#x}, on the emulator {other:#x}; {_shown(before)}"
    if ctypes.string_at(ARENA, ARENA_SIZE) != bytes(emulated.uc.mem_read(ARENA, ARENA_SIZE)):
        return f"memory differs; {_shown(before)}"
    if went < 1 << 62 and went != after & ~int(thumb):
        return f"goes on at {went:#x}, on the emulator {after:#x}; {_shown(before)}"
    return ""


def _float(random_: random.Random) -> int:
    """The bits of a double, or of two floats."""
    numbers = (
        0.0,
        -0.0,
        1.0,
        -1.5,
        3.0,
        1e9,
        -3e9,
        2.0**31,
        -(2.0**31),
        2.0**63,
        1e300,
        0.1,
        float("inf"),
        float("nan"),
    )
    kind = random_.random()
    if kind < 0.4:
        return int.from_bytes(struct.pack("<d", random_.choice(numbers)), "little")
    if kind < 0.6:
        some = [each for each in numbers if each != 1e300]
        return int.from_bytes(struct.pack("<ff", random_.choice(some), random_.choice(some)), "little")
    if kind < 0.8:
        return int.from_bytes(struct.pack("<d", random_.uniform(-1e4, 1e4)), "little")
    return random_.getrandbits(64)


def _is_same(name: str, one: int, other: int, instruction: Instruction, machine: Architecture) -> bool:
    """Which bits stand in what is no number is the processor's own affair."""
    if one == other:
        return True
    if name not in _FLOATS.get(machine.name, ()) or not any(
        each.name.startswith("FLOAT") for each in instruction.operations
    ):
        return False
    return any(_is_nan_alike(one.to_bytes(16, "little"), other.to_bytes(16, "little"), code) for code in "df")


def _is_nan_alike(one: bytes, other: bytes, code: str) -> bool:
    """Whether each number of the two is the same, or neither is one."""
    size = struct.calcsize(code)
    for at in range(0, len(one), size):
        a, b = one[at : at + size], other[at : at + size]
        numbers = (*struct.unpack(code, a), *struct.unpack(code, b))
        if a != b and not all(each != each for each in numbers):
            return False
    return True


def _shown(before: dict[str, int]) -> str:
    return " ".join(f"{name}={value:#x}" for name, value in before.items() if value)


def _addresses(opcodes: Opcodes, instruction: Instruction, before: dict[str, int]) -> bool:
    """Whether natively all accesses fall into the arena: p-code of the addresses is interpreted for that."""
    values: dict[tuple[str, int, int], int] = {}
    names = {(v.offset, v.size): name for name, v in opcodes.varnodes.items()}

    def read(v: Varnode) -> int | None:
        if v.space == "const":
            return v.offset
        if (v.space, v.offset, v.size) in values:
            return values[v.space, v.offset, v.size]
        if v.space == "register":
            whole = next(
                (n for n in before if opcodes.varnodes[n].offset == v.offset and opcodes.varnodes[n].size >= v.size),
                None,
            )
            if whole is not None and (not opcodes.machine.is_big or opcodes.varnodes[whole].size == v.size):
                return before[whole] % (1 << 8 * v.size)
        _ = names
        return None

    binary = {
        "INT_ADD": lambda a, b: a + b,
        "INT_SUB": lambda a, b: a - b,
        "INT_MULT": lambda a, b: a * b,
        "INT_AND": lambda a, b: a & b,
        "INT_OR": lambda a, b: a | b,
        "INT_LEFT": lambda a, b: a << min(b, 128),
        "INT_RIGHT": lambda a, b: a >> min(b, 128),
        "INT_XOR": lambda a, b: a ^ b,
    }
    for each in instruction.operations:
        arguments = [read(v) for v in each.inputs]
        if each.name in ("LOAD", "STORE"):
            size = each.output.size if each.output else each.inputs[1].size
            at = arguments[0]
            if at is None or not ARENA <= at <= ARENA + ARENA_SIZE - size:
                return False
        if any(v.space == MEMORY for v in each.inputs[: 0 if "BRANCH" in each.name or each.name == "CALL" else None]):
            return False
        if each.output is not None:
            key = (each.output.space, each.output.offset, each.output.size)
            value: int | None = None
            if None not in arguments:
                if each.name in binary:
                    value = binary[each.name](*arguments)
                elif each.name in ("COPY", "INT_ZEXT"):
                    value = arguments[0]
                elif each.name == "INT_2COMP":
                    value = -arguments[0]  # type: ignore[operator]
                elif each.name == "INT_SEXT":
                    width = 8 * each.inputs[0].size
                    value = arguments[0]
                    if value >> (width - 1) & 1:  # type: ignore[operator]
                        value -= 1 << width  # type: ignore[operator]
            values.pop(key, None)
            if value is not None:
                values[key] = value % (1 << 8 * each.output.size)
            elif each.output.space == "register":
                values[key] = -1
    return True


def _value(bits: int, random_: random.Random) -> int:
    if random_.random() < 0.4:
        return random_.choice(_EDGES) % (1 << bits)
    return random_.getrandbits(random_.choice((8, 16, bits, bits)))


def _set_flags(opcodes: Opcodes, emulated: Emulated, random_: random.Random) -> None:
    name, flags = _FLAGS.get(opcodes.machine.name, ("", {}))
    if name:
        packed = 0x10 if opcodes.machine.name == "arm" else 0x2 if opcodes.machine.name == "x86-64" else 0
        if opcodes.machine.name == "arm":
            packed = emulated.get("CPSR") & 0x0FFFFFFF
        for flag, bit in flags.items():
            value = random_.getrandbits(1)
            opcodes.set(flag, value)
            packed |= value << bit
        emulated.set(name, packed)
    if opcodes.machine.name == "powerpc":
        for k in range(8):
            value = random_.choice((1, 2, 4, 8)) | random_.getrandbits(1)
            opcodes.set(f"cr{k}", value)
            emulated.set(f"CR{k}", value)


def _seen(emulated: Emulated, machine: Architecture, name: str) -> int:
    register, flags = _FLAGS.get(machine.name, ("", {}))
    if name in flags:
        return emulated.get(register) >> flags[name] & 1
    if name in _FLOATS.get(machine.name, ()):
        return emulated.get(name) % (1 << (64 if machine.name in ("riscv32", "riscv64", "powerpc") else 128))
    return emulated.get(name) % (1 << machine.bits)


def instructions_of(image: Image, most: int) -> Iterator[tuple[Instruction, bool]]:
    """The instructions of all functions of an image, at most so many of one mnemonic, and whether each is Thumb's."""
    decoder, seen = Decoder(image, corrected), {}
    for code in image.functions.values():
        for address, each in sorted(descend(decoder, code).instructions.items()):
            key = (family(image.architecture, each.mnemonic, is_thumb=code.is_thumb), len(each.operations))
            seen[key] = seen.get(key, 0) + 1
            if seen[key] <= most and address == each.address:
                yield each, code.is_thumb


def main(paths: Sequence[str], states: int = 15) -> None:
    """Prints what agrees and what does not, by architecture."""
    agreed: dict[str, dict[str, int]] = {}
    wrong: dict[str, dict[str, str]] = {}
    for path in paths:
        try:
            image = load(Path(path), find())
            opcodes = Opcodes(image, list(instructions_of(image, 1)))
        except Exception as error:
            print(path, type(error).__name__, str(error)[:200], file=sys.stderr)
            continue
        found: dict[int, Any] = differences(opcodes, states)
        for number, (each, thumb) in enumerate(opcodes.instructions):
            name = image.architecture.name + ("-thumb" if thumb else "")
            mnemonic = family(image.architecture, each.mnemonic, is_thumb=thumb)
            if number not in found and number not in opcodes.refused and not opcodes.compared.get(number):
                print("NEVER COMPARED", name, each.text, file=sys.stderr)
            if number in found:
                wrong.setdefault(name, {})[mnemonic] = f"{each.text}: {found[number]}"
            elif number not in opcodes.refused:
                agreed.setdefault(name, {})[mnemonic] = agreed.get(name, {}).get(mnemonic, 0) + states
    for name in sorted(agreed):
        print(name, " ".join(sorted(set(agreed[name]) - set(wrong.get(name, {})))))
    for name, rows in wrong.items():
        for mnemonic, why in rows.items():
            print("DIFFERS", name, mnemonic, re.sub(r"\s+", " ", why)[:300])


if __name__ == "__main__":
    main(sys.argv[1:])
