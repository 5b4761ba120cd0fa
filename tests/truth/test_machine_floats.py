"""Floating-point code of machines: single instructions beside an emulator, functions beside this process's own."""

from __future__ import annotations

import ctypes
import struct
from pathlib import Path

import pytest
from machine_extra import NEEDS_MACHINE
from sampling import IS_LONG, sampled
from test_machine_library import FLAGS, TARGETS, zig

from veer.campaign import run as campaign
from veer.frontends.machine.linked import load
from veer.model.buildoptions import BuildOptions
from veer.model.errors import UnsupportedInputError
from veer.model.searchoptions import SearchOptions
from veer.toolchain import compiler

pytestmark = NEEDS_MACHINE
UNIT = """\
int area(double w, float h, int k) {
    if (w < 0 || h < 0) return -1;
    if (w * 2.0 == 7.0) return 1;
    if (h > 1e6f) return k == 5 ? 2 : 3;
    if ((int)w == 42) return 4;
    return 5;
}
double half(double a) { if (a != a) return 1.0; return a > 8.0 ? a / 2 : -a; }
float low(float a, long b) { return a * (float)b + __builtin_fabsf(a) - (float)(double)a / 3.0f; }
long whole(double a, float b) { return (long)a + (int)a + (int)b + (long)b; }
double fused(double a, double b, double c) { return __builtin_fma(a, b, c); }
"""
MACHINES = ("x86-64", "aarch64")
IN_EACH_CHECK = ("x86-64",)
MANY = """\
float many(int a, float b, double c, signed char d, float e, double f, double g, float h, float i, float j) {
    if (b == 1.5f && a == 3) return i;
    if (c == 2.25 && d == -7) return (float)g;
    if (e > 1e10f && f < -3.0) return h;
    if (b * e == 6.0f) return j;
    return c + f == 10.0 ? -1.0f : b;
}
double wide(float a, double b) { return a < 0 ? b : a == 2.5f ? b + 1 : a; }
"""
LIBRARY = """\
double floor(double), ceil(double), trunc(double), round(double), rint(double), sqrt(double), fabs(double);
float floorf(float), sqrtf(float), roundf(float);
double strtod(const char *, char **);
#define NEVER __attribute__((optnone, noinline))
NEVER int exact(double a, float b) {
    if (sqrt(a) == 1.5) return 1;
    if (floor(a) == -3.0 && ceil(a) == -2.0) {
        if (round(a) == -3.0) return 2;
        return 3;
    }
    if (rint(a) == 4.0 && trunc(a) == 3.0) return 4;
    if (fabs(a) == 7.25 && a < 0) return 5;
    if (sqrtf(b) == 3.0f) return 6;
    if (floorf(b) == 5.0f && roundf(b) == 6.0f) return 7;
    if (strtod("2.5", 0) == 2.5) return 8;
    return 9;
}
"""
CONVENTIONS = {
    "arm-linux-musleabihf": ("-O1",),
    "arm-linux-musleabi": ("-O1",),
    "powerpc-linux-musleabihf": ("-O1",),
    "riscv64-linux-musl": ("-O0",),
    "riscv32-linux-musl": ("-O1", "-mcpu=baseline_rv32-d-f"),
    "x86_64-linux-musl": ("-O0",),
    "aarch64-linux-musl": ("-O1",),
}
"""Targets that have numbers in registers of their own, in those of integers, and on the stack; and options."""
IN_EACH = ("arm-linux-musleabihf", "powerpc-linux-musleabihf", "riscv64-linux-musl")


def built(name: str, folder: Path, level: str = "-O1") -> Path:
    source, output = folder / "unit.c", folder / f"{name}.o"
    source.write_text(UNIT)
    zig("-target", TARGETS[name], *FLAGS, level, "-g", "-ffp-contract=off", "-c", source, "-o", output)
    return output


@pytest.mark.parametrize("name", sampled(MACHINES, lambda name: name in IN_EACH_CHECK))
def test_results_are_those_of_this_machine(name: str, tmp_path: Path) -> None:
    path = built(name, tmp_path, "-O0")
    zig("-target", TARGETS["x86-64"], *FLAGS, "-shared", "-fPIC", tmp_path / "unit.c", "-lm", "-o", tmp_path / "own.so")
    area = ctypes.CDLL(str(tmp_path / "own.so")).area
    area.argtypes = [ctypes.c_double, ctypes.c_float, ctypes.c_int]
    search = SearchOptions(criterion="path", budget=60, shrink=False, keep_going=True)
    result = campaign.run(BuildOptions((path,), "area"), search)
    assert result.ending.claim == "paths", result.ending
    assert {test.replayed for test in result.tests} == {"same"}
    seen = set()
    for test in result.tests:
        bits = {root.name: root.cells[0].value.number for root in test.inputs.roots}  # type: ignore[union-attr]
        w = struct.unpack("<d", bits["w"].to_bytes(8, "little"))[0]
        h = struct.unpack("<f", bits["h"].to_bytes(4, "little"))[0]
        returned = int.from_bytes(test.returned or b"", "little", signed=True)
        assert returned == area(w, h, bits.get("k", 0)), (w, h)
        seen.add(returned)
    assert seen >= {-1, 1, 3, 4, 5}, "all but where a compiler chooses between 2 and 3"


@pytest.mark.parametrize("name", sampled(MACHINES, lambda name: name in IN_EACH_CHECK))
def test_instructions_do_what_the_emulator_does(name: str, tmp_path: Path) -> None:
    from machine_opcodes import Opcodes, differences, instructions_of  # noqa: PLC0415 - needs the extra

    image = load(built(name, tmp_path), compiler.find())
    opcodes = Opcodes(image, list(instructions_of(image, 1)))
    ran = {each.mnemonic for number, (each, _) in enumerate(opcodes.instructions) if number not in opcodes.refused}
    assert ran >= ({"mulsd", "ucomisd", "cvttsd2si", "cvtsi2ss"} if name == "x86-64" else {"fmul", "fcmp", "fcvtzs"})
    assert name == "x86-64" or "fmadd" in ran
    assert differences(opcodes, 100 if IS_LONG else 40) == {}


@pytest.mark.parametrize("target", sampled(CONVENTIONS, lambda target: target in IN_EACH))
def test_numbers_lie_where_the_machine_has_them(target: str, tmp_path: Path) -> None:
    source, output = tmp_path / "unit.c", tmp_path / "unit.o"
    source.write_text(MANY)
    zig("-target", target, *FLAGS, *CONVENTIONS[target], "-g", "-c", source, "-o", output)
    zig("-target", TARGETS["x86-64"], *FLAGS, "-shared", "-fPIC", source, "-lm", "-o", tmp_path / "own.so")
    own = ctypes.CDLL(str(tmp_path / "own.so"))
    own.many.restype, own.wide.restype = ctypes.c_float, ctypes.c_double
    kinds = {"f": ctypes.c_float, "d": ctypes.c_double, "i": ctypes.c_int, "b": ctypes.c_byte}
    for entry, letters, least in (("many", "ifdbfddfff", 7), ("wide", "fd", 3)):
        search = SearchOptions(criterion="path", budget=60, shrink=False, keep_going=True)
        result = campaign.run(BuildOptions((output,), entry), search)
        assert result.ending.claim == "paths", result.ending
        assert {test.replayed for test in result.tests} == {"same"}
        assert len(result.tests) >= least
        for test in result.tests:
            given = [root.cells[0].value.number for root in test.inputs.roots]  # type: ignore[union-attr]
            whole = b"".join((bits % 2**64).to_bytes(8, "little") for bits in given)
            numbers = [struct.unpack_from(letter, whole, 8 * place)[0] for place, letter in enumerate(letters)]
            called = [kinds[letter](number) for letter, number in zip(letters, numbers, strict=True)]
            expected = getattr(own, entry)(*called)
            (found,) = struct.unpack("<f" if entry == "many" else "<d", test.returned or b"")
            assert found == expected or (found != found and expected != expected), (target, numbers)


@pytest.mark.parametrize("target", sampled(CONVENTIONS, lambda target: target == "powerpc-linux-musleabihf"))
def test_exact_functions_of_the_library_are_called(target: str, tmp_path: Path) -> None:
    source, output = tmp_path / "unit.c", tmp_path / "unit.o"
    source.write_text(LIBRARY)
    zig("-target", target, *FLAGS, *CONVENTIONS[target], "-fno-builtin", "-g", "-c", source, "-o", output)
    search = SearchOptions(criterion="path", budget=60, shrink=False, keep_going=True)
    result = campaign.run(BuildOptions((output,), "exact"), search)
    assert result.ending.claim == "paths", result.ending
    assert {test.replayed for test in result.tests} == {"same"}
    zig("-target", TARGETS["x86-64"], *FLAGS, "-shared", "-fPIC", source, "-lm", "-o", tmp_path / "own.so")
    own = ctypes.CDLL(str(tmp_path / "own.so")).exact
    own.argtypes = [ctypes.c_double, ctypes.c_float]
    seen = set()
    for test in result.tests:
        a, b = (root.cells[0].value.number for root in test.inputs.roots)  # type: ignore[union-attr]
        given = struct.unpack("<d", (a % 2**64).to_bytes(8, "little")) + struct.unpack("<f", b.to_bytes(4, "little"))
        returned = int.from_bytes(test.returned or b"", "little", signed=True)
        assert returned == own(*given), given
        seen.add(returned)
    assert seen == {1, 2, 3, 4, 5, 6, 7, 8}


def test_an_image_that_does_not_say_where_numbers_lie_is_refused(tmp_path: Path) -> None:
    (tmp_path / "raw.bin").write_bytes(bytes(64))
    build = BuildOptions(
        (tmp_path / "raw.bin",), "0x10000000", prototype="int f(float w)", arch="arm", base="0x10000000"
    )
    with pytest.raises(UnsupportedInputError, match=r"w is a floating-point number, and .* does not say where"):
        campaign.run(build, SearchOptions(budget=1))
