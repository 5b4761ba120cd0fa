"""Single instructions of compiled functions, lifted, beside an emulator on random states."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from machine_extra import NEEDS_MACHINE
from sampling import IS_LONG, sampled

from veer.toolchain import compiler

pytestmark = NEEDS_MACHINE
UNIT = """\
unsigned mixed(unsigned a, unsigned b, unsigned char *p) {
    unsigned h = a * 33 ^ (b >> (a & 31)) ^ (b << 7 | b >> 25);
    for (unsigned i = 0; i < 4; i++) h = (h ^ p[i]) + (a < b ? h >> 3 : ~b & a);
    return h - (int)a / 8;
}
"""
CONSTANTS = """\
void none(char *p) { for (int i = 0; i < 32; i++) p[i] = 0; }
void words(unsigned *p) { for (int i = 0; i < 8; i++) p[i] = 7; }
void halves(unsigned short *p) { for (int i = 0; i < 16; i++) p[i] = 0x4100; }
void longs(unsigned long long *p) { for (int i = 0; i < 4; i++) p[i] = 0xff00ff00ff00ff00; }
void negated(unsigned *p) { for (int i = 0; i < 8; i++) p[i] = ~7; }
void floats(float *p) { for (int i = 0; i < 8; i++) p[i] = 1.5f; }
"""
ATOMICS = """\
#define ATOMICS(name, type) \\
    type name##_add(type *p, type v) { return __atomic_fetch_add(p, v, 5); } \\
    type name##_or(type *p, type v) { return __atomic_fetch_or(p, v, 0); } \\
    type name##_and(type *p, type v) { return __atomic_fetch_and(p, v, 2); } \\
    type name##_xor(type *p, type v) { return __atomic_fetch_xor(p, v, 3); } \\
    type name##_swap(type *p, type v) { return __atomic_exchange_n(p, v, 5); } \\
    type name##_load(type *p) { return __atomic_load_n(p, 2); } \\
    type name##_largest(type *p, type v) { return __atomic_fetch_max(p, v, 5); } \\
    type name##_change(type *p, type v) { __atomic_compare_exchange_n(p, &v, 9, 0, 5, 5); return v; }
ATOMICS(byte, unsigned char)
ATOMICS(half, short)
ATOMICS(word, unsigned)
ATOMICS(number, int)
ATOMICS(wide, long)
"""
SATURATING = """\
#define OF(name, text) int name(int a, int b) { int r; __asm__(text : "=r"(r) : "r"(a), "r"(b)); return r; }
OF(half, "ssat %0, #16, %1") OF(all, "ssat %0, #32, %1") OF(bit, "ssat %0, #1, %1, lsl #3")
OF(byte, "usat %0, #8, %1") OF(nothing, "usat %0, #0, %1, asr #2") OF(most, "usat %0, #31, %1")
OF(sum, "qadd %0, %1, %2") OF(difference, "qsub %0, %1, %2")
"""
FUSED = """\
#define OF(type, name) \\
    type type##_sum(type a, type b, type c) { return __builtin_##name(a, b, c); } \\
    type type##_less(type a, type b, type c) { return __builtin_##name(a, b, -c); } \\
    type type##_taken(type a, type b, type c) { return __builtin_##name(-a, b, c); } \\
    type type##_both(type a, type b, type c) { return __builtin_##name(-a, b, -c); } \\
    type type##_negated(type a, type b, type c) { return -__builtin_##name(a, b, c); }
OF(double, fma)
OF(float, fmaf)
typedef double pair __attribute__((vector_size(16)));
pair lanes(pair a, pair b, pair c) { return __builtin_elementwise_fma(a, b, c); }
pair lane(pair a, pair b) { return __builtin_elementwise_fma(b, (pair){a[0], a[0]}, a); }
"""
BITS = "long bits(double a) { return *(long *)&a; } int half(float a) { return *(int *)&a; }"
FUSED_ON = {
    "aarch64": ("aarch64-linux-musl", 5),
    "riscv64": ("riscv64-linux-musl", 8),
    "arm": ("arm-linux-musleabihf", 4),
    "powerpc": ("powerpc-linux-musleabihf", 3),
}
"""The target, and how many mnemonics of these the unit has at least."""
SSE = """
paddsb paddsw paddusb paddusw psubsb psubsw psubusb psubusw pavgb pavgw pmulhw pmulhuw pmaddwd psadbw packsswb packssdw
packuswb psllw pslld psllq psrlw psrld psrlq psraw divps divpd sqrtps sqrtpd maxps maxpd minps minpd
"""
LANES = {
    "x86_64-linux-musl": [
        *(f"{name} %xmm2, %xmm1" for name in SSE.split()),
        *(f"{name} $5, %xmm1" for name in ("psllw", "psraw", "psrad", "psrlq")),
        *("psllw $16, %xmm1", "psraw $255, %xmm1", "pshuflw $0x6c, %xmm2, %xmm1", "pshufhw $0x1b, %xmm1, %xmm1"),
        *("movmskps %xmm1, %eax", "movmskpd %xmm2, %ecx", "paddusb (%rdi), %xmm1"),
    ],
    "aarch64-linux-musl": [
        *(
            "rev64 v0.2s, v1.2s",
            "rev64 v0.4s, v0.4s",
            "rev64 v2.16b, v1.16b",
            "rev32 v0.8b, v1.8b",
            "rev16 v0.16b, v1.16b",
        ),
        *("ucvtf d1, d0", "ucvtf s1, s1", "ucvtf d0, x0", "ucvtf s0, x1", "fmov v0.2d, #1.0", "fmov v0.2s, #-2.5"),
    ],
}
"""Operations on several numbers at once, and conversions of numbers without a sign."""
TARGETS = {"arm": "arm-linux-musleabi", "riscv32": "riscv32-linux-musl", "aarch64": "aarch64-linux-musl"}


@pytest.mark.parametrize("name", sampled(TARGETS, lambda name: name == "arm"))
def test_instructions_do_on_random_states_what_the_emulator_does(name: str, tmp_path: Path) -> None:
    from machine_opcodes import Opcodes, differences, instructions_of  # noqa: PLC0415 - needs the extra

    from veer.frontends.machine.linked import load  # noqa: PLC0415

    output = _compiled(UNIT, TARGETS[name], "-Os", tmp_path)
    image = load(output, compiler.find())
    opcodes = Opcodes(image, list(instructions_of(image, 1)))
    assert len(opcodes.instructions) - len(opcodes.refused) > 10
    assert differences(opcodes, 200 if IS_LONG else 20) == {}


@pytest.mark.parametrize("target", ["arm-linux-gnueabihf", "thumb-linux-gnueabihf"])
def test_vectors_are_set_to_numbers_as_on_the_emulator(target: str, tmp_path: Path) -> None:
    from machine_opcodes import Opcodes, differences, instructions_of  # noqa: PLC0415 - needs the extra

    from veer.frontends.machine.linked import load  # noqa: PLC0415

    image = load(_compiled(CONSTANTS, target, "-O2", tmp_path), compiler.find())
    chosen = [each for each in instructions_of(image, 20) if each[0].mnemonic.startswith(("vmov", "vmvn"))]
    assert len({each.text for each, _ in chosen}) >= 6
    opcodes = Opcodes(image, chosen)
    assert not opcodes.refused
    assert differences(opcodes, 20) == {}


@pytest.mark.parametrize("target", ["arm-linux-gnueabihf", "thumb-linux-gnueabihf"])
def test_numbers_keep_to_the_ends_of_their_range(target: str, tmp_path: Path) -> None:
    from machine_opcodes import Opcodes, differences, instructions_of  # noqa: PLC0415 - needs the extra

    from veer.frontends.machine.linked import load  # noqa: PLC0415

    image = load(_compiled(SATURATING, target, "-O2", tmp_path), compiler.find())
    chosen = [each for each in instructions_of(image, 20) if each[0].mnemonic.startswith(("ssat", "usat", "q"))]
    assert len({each.text for each, _ in chosen}) == 8
    opcodes = Opcodes(image, chosen)
    assert not opcodes.refused
    assert differences(opcodes, 200) == {}


def test_atomic_instructions_are_those_of_the_emulator(tmp_path: Path) -> None:
    from machine_opcodes import Opcodes, differences, instructions_of  # noqa: PLC0415 - needs the extra

    from veer.frontends.machine.linked import load  # noqa: PLC0415

    image = load(_compiled(ATOMICS, "aarch64-linux-gnu", "-O2", tmp_path, "-mcpu=generic+lse+rcpc"), compiler.find())
    # unicorn 2.1 compares a word without its sign in `ldsmax`; qemu 7.2 does as the lifted code does
    chosen = [each for each in instructions_of(image, 20) if re.match(r"ld(?!smaxal$)|swp|cas", each[0].mnemonic)]
    assert len({each.mnemonic for each, _ in chosen}) >= 15
    opcodes = Opcodes(image, chosen)
    refused = {chosen[number][0].mnemonic for number in opcodes.refused}
    assert refused == {"ldumaxalb", "ldsmaxalh"}
    assert differences(opcodes, 50) == {}


@pytest.mark.parametrize("name", sampled(FUSED_ON, lambda name: name in ("aarch64", "riscv64")))
def test_products_and_sums_of_one_rounding_are_those_of_the_emulator(name: str, tmp_path: Path) -> None:
    from machine_opcodes import Opcodes, differences, instructions_of  # noqa: PLC0415 - needs the extra

    from veer.frontends.machine.fused import is_fused  # noqa: PLC0415
    from veer.frontends.machine.linked import load  # noqa: PLC0415

    target, least = FUSED_ON[name]
    more = ("-mcpu=cortex_a7",) if name == "arm" else ()
    text = FUSED.partition("typedef")[0] if name in ("arm", "powerpc") else FUSED  # no vectors of two
    image = load(_compiled(text + BITS, target, "-O2", tmp_path, *more), compiler.find())
    chosen = [each for each in instructions_of(image, 20) if is_fused(each[0].text) or each[0].text.startswith("fmv.x")]
    # PowerPC leaves open what `fmadds` does with numbers that are too long for 32 bits
    chosen = [each for each in chosen if name != "powerpc" or not each[0].mnemonic.endswith("s")]
    assert len({each.mnemonic for each, _ in chosen}) >= least, {each.text for each, _ in chosen}
    opcodes = Opcodes(image, chosen)
    assert not opcodes.refused
    assert differences(opcodes, 200 if IS_LONG else 40) == {}


@pytest.mark.parametrize("target", sampled(LANES, lambda target: True))
def test_operations_on_several_numbers_are_those_of_the_emulator(target: str, tmp_path: Path) -> None:
    from machine_opcodes import Opcodes, differences, instructions_of  # noqa: PLC0415 - needs the extra

    from veer.frontends.machine.linked import load  # noqa: PLC0415

    rows = "".join(f'__asm__ volatile("{text}");' for text in LANES[target])
    image = load(_compiled(f"void f(void) {{ {rows} }}", target, "-O2", tmp_path), compiler.find())
    chosen = [each for each in instructions_of(image, 20) if each[0].mnemonic.lower() != "ret"]
    assert len(chosen) >= len(LANES[target])
    opcodes = Opcodes(image, chosen)
    assert not opcodes.refused
    assert differences(opcodes, 400 if IS_LONG else 30) == {}
    assert len(opcodes.compared) == len(chosen)


def test_operations_that_sleigh_has_wrong_are_refused() -> None:
    from veer.frontends.machine.architectures import X86_64  # noqa: PLC0415
    from veer.frontends.machine.validated import is_faulty  # noqa: PLC0415

    assert is_faulty(X86_64, "PSRAD XMM1, XMM2") and is_faulty(X86_64, "CVTPS2DQ XMM1, XMM2")
    assert not is_faulty(X86_64, "PSRAD XMM1, 0x5")


def _compiled(text: str, target: str, level: str, folder: Path, *more: str) -> Path:
    source, output = folder / "unit.c", folder / "unit.o"
    source.write_text(text)
    zig = compiler.find().command[0]
    flags = (level, "-fno-sanitize=all", "-fno-stack-protector", "-c", *more)
    subprocess.run([zig, "cc", "-target", target, *flags, source, "-o", output], check=True)
    return output
