"""--target: which machine sources are for, and what of it holds here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from veer.campaign.run import run
from veer.cli.app import main
from veer.frontends.c.compdb import read
from veer.frontends.c.flags import suite_flags, user_flags
from veer.frontends.c.machine import MACHINES, REFUSED, machine_of, named, of_command, of_triple
from veer.model.buildoptions import BuildOptions
from veer.model.errors import UsageError
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions

A, B = Path("/p/a.c"), Path("/p/b.c")


@pytest.mark.parametrize(
    ("triple", "name"),
    [
        ("arm-none-eabi", "arm"),
        ("armv7em-none-eabihf", "arm"),
        ("arm-linux-gnueabihf", "arm-linux"),
        ("aarch64-none-elf", "aarch64"),
        ("riscv64-unknown-elf", "riscv64"),
        ("i686-linux-gnu", "i386"),
        ("avr", "avr"),
        ("mips-linux-gnu", "mips"),
        ("mipsel-linux-gnu", ""),
        ("x86_64-linux-gnu", ""),
    ],
)
def test_a_triple_names_a_machine(triple: str, name: str) -> None:
    assert of_triple(triple) == name


@pytest.mark.parametrize(
    ("command", "mark"),
    [
        ("/opt/bin/arm-none-eabi-gcc-12.2 -mthumb -c a.c", ("--target=arm",)),
        ("riscv64-unknown-elf-gcc -march=rv32imac -c a.c", ("--target=riscv32",)),
        ("gcc -m32 -c a.c", ("--target=i386",)),
        ("clang --target=thumbv7m-none-eabi -c a.c", ("--target=arm",)),
        ("clang -target aarch64-linux-gnu -c a.c", ("--target=aarch64",)),
        ("sdcc -mmcs51 a.c", ("--target=8051",)),
        ("cc -c a.c", ()),
        ("x86_64-linux-gnu-gcc -c a.c", ()),
    ],
)
def test_a_command_names_its_machine_by_its_compiler_or_a_flag(command: str, mark: tuple[str, ...]) -> None:
    assert of_command(command.split()) == mark


def test_the_option_wins_over_what_a_command_says() -> None:
    flags_of = ((str(A), ("--target=avr", "-D", "X")),)
    assert machine_of(BuildOptions((A,), "f", targets=("arm",), flags_of=flags_of), A).name == "arm"
    assert machine_of(BuildOptions((A,), "f", targets=("host",), flags_of=flags_of), A).flags == ()


def test_no_compiler_sees_the_mark_and_flags_of_the_user_come_behind_those_of_the_machine() -> None:
    options = BuildOptions((A,), "f", flags_of=((str(A), ("--target=arm", "-fsigned-char")),), cflags=("-m32",))
    assert named(options.cflags) == "i386"
    for flags in (user_flags(options, A), suite_flags(options, A)):
        assert not [flag for flag in flags if flag.startswith("--target") or flag == "-m32"]
    options = BuildOptions((A,), "f", flags_of=options.flags_of)
    for flags in (user_flags(options, A), suite_flags(options, A)):
        assert flags.index("-funsigned-char") < flags.index("-fsigned-char")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"targets": ("avr",)}, "--target avr: int has 16 bits there"),
        ({"targets": ("powerpc",)}, "--target powerpc: its bytes stand in the other order"),
        ({"targets": ("z90",)}, "--target z90: there is no such target; known are host, arm"),
        ({"targets": ("arm", "riscv32")}, "--target arm and --target riscv32 contradict each other"),
        ({"cflags": ("--target=avr",)}, "--cflag names avr: int has 16 bits"),
        ({"flags_of": ((str(A), ("--target=avr",)),)}, "/p/a.c is compiled for avr: int has 16 bits .* --target host"),
        (
            {"flags_of": ((str(A), ("--target=arm",)), (str(B), ("--target=i386",)))},
            "/p/a.c is compiled for arm and /p/b.c for i386: give --target",
        ),
    ],
)
def test_what_cannot_be_had_is_one_sentence(options: dict[str, tuple[str, ...]], sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        machine_of(BuildOptions((A, B), "f", **options))


def test_every_machine_that_is_refused_says_why() -> None:
    assert not MACHINES.keys() & REFUSED.keys()
    for name in REFUSED:
        with pytest.raises(UsageError, match=f"--target {name}: i"):
            machine_of(BuildOptions((A,), "f", targets=(name,)))


def test_a_bad_target_ends_with_code_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.c").write_text("int f(int x) { return x; }\n")
    assert main(["test", str(tmp_path / "a.c"), "--entry", "f", "--target", "avr"]) == 2
    assert "int has 16 bits there" in capsys.readouterr().err


def test_a_cross_compiler_in_a_database_sets_the_machine(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("int f(char c) { return c < 0; }\n")
    entry = {"directory": str(tmp_path), "command": "arm-none-eabi-gcc -mthumb -c a.c", "file": "a.c"}
    database = tmp_path / "compile_commands.json"
    database.write_text(json.dumps([entry]))
    assert dict(read(database)) == {tmp_path / "a.c": ("--target=arm",)}


TEXT = """
#include <stdint.h>
#include <stddef.h>
struct s { long a; uint64_t w; size_t n[2]; };
int f(unsigned long a, long b, uint64_t w, struct s *p, char c) {
  if (a > 0xffffffffUL) return 1;
  if (b > 0x7fffffffL || b < -0x7fffffffL - 1) return 2;
  if (w > 0xffffffffUL) return 3;
  if (p && p->a > 0x7fffffffL) return 4;
  if (p && p->n[1] > 0xffffffffUL) return 5;
  if (p && p->w > 0xffffffffUL) return 6;
  if (c > 127) return 7;
  if (a == 0xffffffffUL && b == -0x7fffffffL - 1) return 8;
  return 0;
}
"""
"""Results that need more than 32 bits in a long: 1, 2, 4, 5; in what is wide everywhere: 3, 6."""


def test_inputs_stay_within_what_the_machine_holds(tmp_path: Path) -> None:
    narrow, host = explored(tmp_path, TEXT, targets=("arm",)), explored(tmp_path, TEXT)
    assert returned(narrow) == {0, 3, 6, 7, 8}
    assert returned(host) == {0, 1, 2, 3, 4, 5, 6, 8}
    assert "long and pointers of 8 bytes (4 on arm)" in narrow.ending.within
    assert not [words for words in host.ending.within if "long" in words]


def test_a_note_names_the_lines_that_depend_on_long(tmp_path: Path) -> None:
    text = (
        "#include <stdint.h>\nint f(uint64_t w, int *p) {\n  long sum = 3;\n  return (uintptr_t)p % 8 == w + sum;\n}\n"
    )
    notes = [note for note in explored(tmp_path, text, targets=("riscv32",)).program.notes if "riscv32" in note]
    assert len(notes) == 1 and "(unit.c:3 sum, unit.c:4 a pointer as a number)" in notes[0]
    assert not [note for note in explored(tmp_path, text, targets=("riscv64",)).program.notes if "riscv64" in note]


def test_a_source_without_long_is_claimed_as_it_is(tmp_path: Path) -> None:
    text = "#include <stdint.h>\nint f(char c, uint32_t v) { return c > 127 ? 1 : v > 7; }\n"
    result = explored(tmp_path, text, targets=("arm",))
    assert not [words for words in result.ending.within if "long" in words] and returned(result) == {0, 1}


def explored(folder: Path, text: str, targets: tuple[str, ...] = ()) -> Result:
    source = folder / "unit.c"
    source.write_text(text)
    return run(BuildOptions((source,), "f", targets=targets), SearchOptions(criterion="path"))


def returned(result: Result) -> set[int]:
    return {int.from_bytes(test.returned or b"", "little", signed=True) for test in result.tests}
