"""Calculations of the support libraries: veer's IR, run natively, beside the Python of the emulator."""

from __future__ import annotations

import ctypes
import math
import random
import struct
from collections.abc import Iterator

import llvmlite.binding as llvm
import pytest

from veer.frontends.machine.architectures import ARM
from veer.frontends.machine.arithmetic import NAMES, Calculation, calculation, written
from veer.frontends.machine.emulated_arithmetic import CALCULATIONS, ZeroDivisionOfProgramError

WIDTHS = {"s": 32, "u": 32, "f": 32, "l": 64, "v": 64, "d": 64}
SIGNED = "sl"
FLOATS = (0.0, -0.0, 1.0, -1.5, 0.1, 3e9, -3e9, 2.0**31, -(2.0**31), 2.0**63, -(2.0**63), 2.0**64, 2.0**32, 1e-40)
SPECIAL = (math.inf, -math.inf, math.nan, 16777217.0, 0.5, -0.5, 2147483647.0, -2147483649.0)
EDGES = (0, 1, -1, 2, 31, 32, 63, 64, 65, 0x7FFFFFFF, -(1 << 31), 1 << 63, (1 << 63) - 1, (1 << 53) + 1, (1 << 24) + 3)
STATES = 150


def numbers(kind: str, random_: random.Random) -> int:
    """The bits of an argument."""
    width = WIDTHS[kind]
    if kind in "fd":
        value = random_.choice((*FLOATS, *SPECIAL, random_.uniform(-1e5, 1e5)))
        return int.from_bytes(struct.pack("<f" if kind == "f" else "<d", value), "little")
    value = random_.choice(EDGES) if random_.random() < 0.5 else random_.getrandbits(random_.choice((8, 33, width)))
    return value % (1 << width)


def text(known: Calculation) -> str:
    """A function of IR that writes its result behind a pointer."""
    rows: list[str] = []

    def write(row: str) -> str:
        rows.append(f"  %v{len(rows)} = {row}")
        return f"%v{len(rows) - 1}"

    given = [f"%a{place}" for place in range(len(known.takes))]
    value = written(known, given, write)
    head = ", ".join(f"i{WIDTHS[kind]} %a{place}" for place, kind in enumerate(known.takes))
    rows.append(f"  store i{known.width} {value}, ptr %to, align 1")
    return "\n".join([f"define void @{known.name}({head}, ptr %to) {{", *rows, "  ret void", "}"])


@pytest.fixture(scope="module")
def engine() -> Iterator[llvm.ExecutionEngine]:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    every = [calculation(name, ARM) for name in sorted(NAMES)]
    declared = [f"declare i{w} @llvm.{n}.i{w}(i{w}, i1)" for w in (32, 64) for n in ("ctlz", "cttz")]
    declared += [f"declare i{w} @llvm.{n}.i{w}(i{w})" for w in (32, 64) for n in ("ctpop", "bswap")]
    declared += [f"declare i{w} @llvm.umin.i{w}(i{w}, i{w})" for w in (32, 64)]
    module = llvm.parse_assembly("\n".join([*declared, *(text(each) for each in every if each is not None)]))
    module.verify()
    made = llvm.create_mcjit_compiler(module, llvm.Target.from_default_triple().create_target_machine())
    made.finalize_object()
    yield made


def native(engine: llvm.ExecutionEngine, known: Calculation, given: list[int]) -> int:
    """What veer's IR gives."""
    kinds = [ctypes.c_uint32 if WIDTHS[kind] == 32 else ctypes.c_uint64 for kind in known.takes]
    there = ctypes.create_string_buffer(16)
    ctypes.CFUNCTYPE(None, *kinds, ctypes.c_void_p)(engine.get_function_address(known.name))(
        *given, ctypes.addressof(there)
    )
    return int.from_bytes(there.raw[: known.width // 8], "little")


def signed(kind: str, value: int) -> int:
    """An argument as the emulator's library is given it."""
    width = WIDTHS[kind]
    return value - (1 << width) if kind in SIGNED and value >> (width - 1) else value


def is_nan(kind: str, value: int) -> bool:
    form, size = ("<f", 4) if kind == "f" else ("<d", 8)
    return kind in "fd" and math.isnan(struct.unpack(form, value.to_bytes(size, "little"))[0])


@pytest.mark.parametrize("name", sorted(NAMES))
def test_the_emulator_calculates_the_same(engine: llvm.ExecutionEngine, name: str) -> None:
    known = calculation(name, ARM)
    assert known is not None
    random_ = random.Random(name)
    for _ in range(STATES):
        given = [numbers(kind, random_) for kind in known.takes]
        try:
            wanted = CALCULATIONS[name](*(signed(*each) for each in zip(known.takes, given, strict=True)))
        except ZeroDivisionOfProgramError:
            assert given[1] == 0
            continue
        found, wanted = native(engine, known, given), wanted % (1 << known.width)
        is_same = found == wanted or (is_nan(known.gives, found) and is_nan(known.gives, wanted))
        assert is_same, f"{name}{[hex(each) for each in given]}: {found:#x}, on the emulator {wanted:#x}"
