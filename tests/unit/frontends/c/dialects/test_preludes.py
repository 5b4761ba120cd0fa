"""--prelude: what the compiler is told, and what the headers that veer brings along compute."""

from __future__ import annotations

import ctypes
import random
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from suite_builds import compiler_command

from veer.cli.app import main
from veer.frontends.c.dialects.preludes import HEADERS, SHIPPED, prelude_flags
from veer.model.errors import UsageError

WORD = 0xFFFFFFFF


def test_a_file_comes_before_the_source_by_its_whole_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "host.h").write_text("#define A 1\n")
    monkeypatch.chdir(tmp_path)
    assert prelude_flags(["host.h", "host.h"]) == ("-include", str(tmp_path / "host.h"))


def test_one_of_veers_own_may_bring_a_folder_of_headers() -> None:
    assert prelude_flags(["cmsis"]) == ("-include", str(HEADERS / "cmsis.h"))
    assert prelude_flags(["iar"])[2:] == ("-idirafter", str(HEADERS / "iar"))


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("none.h", "there is no such file; give the path of a header, or one of those that veer brings along: c51"),
        ("keil", "Keil has two compilers: give armcc for ARM, c51 for the 8051"),
    ],
)
def test_a_prelude_that_is_not_there_is_told_in_one_sentence(given: str, sentence: str) -> None:
    with pytest.raises(UsageError, match=f"--prelude {given}.*{sentence}"):
        prelude_flags([given])


def test_a_prelude_that_is_not_there_ends_with_code_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.c").write_text("int f(int x) { return x; }\n")
    assert main(["test", str(tmp_path / "a.c"), "--entry", "f", "--prelude", str(tmp_path / "no.h")]) == 2
    assert "there is no such file" in capsys.readouterr().err


@pytest.mark.parametrize("name", SHIPPED)
def test_each_of_them_compiles_without_a_warning(name: str, tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    source.write_text("int f(int x) { return x; }\n")
    command = [*compiler_command(), "-Wall", "-Wextra", "-Werror", *prelude_flags([name]), "-c", str(source)]
    done = subprocess.run([*command, "-o", str(tmp_path / "a.o")], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


def test_intrinsics_compute_what_the_instructions_of_the_core_do(tmp_path: Path) -> None:
    core = loaded(tmp_path)
    expected: dict[str, Callable[[int], int]] = {
        "clz": lambda v: 32 - v.bit_length(),
        "rev": lambda v: int.from_bytes(v.to_bytes(4, "little"), "big"),
        "rev16": lambda v: int.from_bytes(bytes(v.to_bytes(4, "little")[k] for k in (1, 0, 3, 2)), "little"),
        "rbit": lambda v: int(f"{v:032b}"[::-1], 2),
        "ssat8": lambda v: max(-128, min(127, signed(v))) & WORD,
        "usat4": lambda v: max(0, min(15, signed(v))),
        "ssat32": lambda v: v,
        "usat31": lambda v: max(0, signed(v)),
        "ror5": lambda v: (v >> 5 | v << 27) & WORD,
        "ror0": lambda v: v,
        "qadd": lambda v: max(-(1 << 31), min((1 << 31) - 1, signed(v) + 0x40000000)) & WORD,
    }
    edges = [0, 1, 2, 15, 16, 17, 127, 128, 129, 0x7FFFFFFF, 0x80000000, 0xFFFFFF80, 0xFFFFFF7F, WORD]
    values = edges + [random.Random(7).getrandbits(32) >> k % 31 for k in range(2000)]
    for name, compute in expected.items():
        function = core[name]
        function.restype = ctypes.c_uint32
        assert [function(value) for value in values] == [compute(value) for value in values], name


def test_a_store_without_a_reservation_fails_and_changes_nothing(tmp_path: Path) -> None:
    assert loaded(tmp_path).exclusive() == 0


def test_what_is_set_in_a_register_of_the_core_is_read_back(tmp_path: Path) -> None:
    assert loaded(tmp_path).masks() == 0


def loaded(folder: Path) -> ctypes.CDLL:
    """The intrinsics as functions of a library."""
    source, library = folder / "core.c", folder / "core.so"
    source.write_text(INTRINSICS)
    command = [*compiler_command(), "-shared", "-fPIC", "-O1", *prelude_flags(["cmsis"]), str(source)]
    subprocess.run([*command, "-o", str(library)], check=True, capture_output=True, timeout=60)
    return ctypes.CDLL(str(library))


def signed(value: int) -> int:
    return value - (1 << 32) if value >> 31 else value


INTRINSICS = """
unsigned core_primask(void) { return 1; }
unsigned clz(unsigned v) { return __CLZ(v); }
unsigned rev(unsigned v) { return __REV(v); }
unsigned rev16(unsigned v) { return __REV16(v); }
unsigned rbit(unsigned v) { return __RBIT(v); }
unsigned ssat8(unsigned v) { return (unsigned)__SSAT((int)v, 8); }
unsigned usat4(unsigned v) { return __USAT((int)v, 4); }
unsigned ssat32(unsigned v) { return (unsigned)__SSAT((int)v, 32); }
unsigned usat31(unsigned v) { return __USAT((int)v, 31); }
unsigned ror5(unsigned v) { return __ROR(v, 5); }
unsigned ror0(unsigned v) { return __ROR(v, 0); }
unsigned qadd(unsigned v) { return (unsigned)__QADD((int)v, 0x40000000); }
int exclusive(void) {
  unsigned word = 5;
  if (__STREXW(6, &word) != 1 || word != 5) return 1;
  if (__LDREXW(&word) != 5 || __STREXW(7, &word) != 0 || word != 7) return 2;
  if (__STREXW(8, &word) != 1 || word != 7) return 3;
  __LDREXW(&word); __CLREX();
  return __STREXW(9, &word) == 1 && word == 7 ? 0 : 4;
}
int masks(void) {
  if (__get_PRIMASK() != 1) return 1;
  __enable_irq(); if (__get_PRIMASK() != 0) return 2;
  __disable_irq(); if (__get_PRIMASK() != 1) return 3;
  __set_PRIMASK(2); if (__get_PRIMASK() != 0) return 4;
  __SSAT(1000, 8); return __get_APSR() >> 27 == 1 ? 0 : 5;
}
"""
