"""The plain suite: what is written compiles, runs, and hands over exactly the recorded inputs."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import output_samples as samples
import pytest
from suite_builds import Built, build_suite, write_suite, zig_command

from veer.model.inputs import Cell, InputMap, MemoryObject, Pointer, Root, Scalar
from veer.model.outcome import Outcome
from veer.model.program import Function, HarnessKind, Parameter, Program, SymbolicFile
from veer.model.result import Test as Recorded
from veer.model.types import Field, Type
from veer.model.values import replace
from veer.suite.c import plain

Build = Callable[[Program, tuple[Recorded, ...]], Built]


@pytest.fixture
def build(tmp_path: Path) -> Build:
    return lambda program, tests: build_suite(tmp_path, plain.file_name(program), plain.render(program, tests))


def unit(directory: Path, text: str) -> Path:
    file = directory / "unit.c"
    file.write_text(text)
    return file


def passed(built: Built) -> bool:
    done = built.run()
    assert done.returncode == 0, done.stdout + done.stderr
    return True


class TestTestme:
    def test_every_test_passes_and_the_bug_waits_to_be_named(self, tmp_path: Path) -> None:
        result = samples.result()
        text = plain.render(result.program, result.tests, result.bugs, result.branches)
        built = build_suite(tmp_path, "test_testme.c", text)
        done = built.run()
        first, *told = done.stdout.splitlines()[:5]
        assert first == "1..4"
        for number, line in enumerate(told, 1):
            at, name = line.removeprefix("ok ").split(" - ")
            assert int(at) == number and f"static void {name}(void)" in text
            assert built.run("--test", name).returncode == 0
        assert done.returncode == 0
        assert "bug 1, not run" in done.stdout
        assert built.run("--bug", "1").returncode == -6

    def test_reads_like_hand_written_code(self) -> None:
        result = samples.result()
        text = plain.render(result.program, result.tests, result.bugs, result.branches)
        body = text[text.index("static void bug_testme_aborts") :]
        assert (
            "    struct cell *p = veer_block(sizeof(struct cell));\n    p->v = 3;\n    int x = 1;\n"
            "    p->next = p; /* itself */\n" in body
        )
        assert "`p->next == p` is true" in text and "testme.c:24 `" not in text
        assert "p->next = NULL;" in text

    def test_a_wrong_expectation_fails(self, tmp_path: Path) -> None:
        wrong = replace(samples.testme_tests()[0], returned=(7).to_bytes(4, "little"))
        built = build_suite(tmp_path, "test_testme.c", plain.render(samples.program(), (wrong,)))
        done = built.run()
        assert done.returncode == 1
        assert "result is 0, expected 7" in done.stdout
        assert "not ok 1 - test_testme_" in done.stdout

    def test_zig_compiles_it_too(self, tmp_path: Path) -> None:
        text = plain.render(samples.program(), samples.testme_tests())
        assert passed(build_suite(tmp_path, "test_testme.c", text, zig_command()))

    @pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc here")
    def test_no_warnings(self, tmp_path: Path) -> None:
        text = plain.render(samples.program(), samples.testme_tests())
        file = write_suite(tmp_path, "test_testme.c", text)
        done = subprocess.run(
            ["gcc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", str(file)],
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr


FOLD = """
#include <stddef.h>
static unsigned int fold(unsigned int sum, const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++) sum = sum * 31u + at[i];
    return sum;
}
"""


def fold(total: int, data: bytes) -> int:
    for byte in data:
        total = (total * 31 + byte) & 0xFFFF_FFFF
    return total


UNSIGNED = Type(0, "unsigned", "unsigned int", 4, 4)


class TestExactInputs:
    """The entry folds the bytes that it gets; the test expects the fold of the recorded bytes."""

    SCALARS = (
        Type(1, "char", "char", 1),
        Type(2, "signed", "short", 2, 2),
        Type(3, "signed", "long", 8, 8),
        Type(4, "unsigned", "unsigned long", 8, 8),
        Type(5, "float", "float", 4, 4),
        Type(6, "float", "double", 8, 8),
        Type(7, "bool", "_Bool", 1),
        Type(8, "unsigned", "enum colour", 4, 4, enumerators=(("RED", 0), ("GREEN", 7))),
        Type(9, "signed", "int", 4, 4),
    )

    @pytest.mark.parametrize(
        "values",
        [
            (0x41, 5, 9, 17, 0x3FC00000, 0x400921FB54442D18, 1, 7, 3),
            (0xFF, 0x8000, 1 << 63, (1 << 64) - 1, 0x7F800000, 0x8000000000000000, 0, 0, 1 << 31),
            (0x27, 0x7FFF, (1 << 63) - 1, 1 << 31, 0x00000001, 0x7FF8000000000001, 1, 9, 0xFFFFFFFF),
            (0x5C, 0xFFFF, 1 << 32, 1 << 32, 0xFFC12345, 0xFFF0000000000000, 1, 7, 0x7FFFFFFF),
            (0x00, 1, 2, 3, 0x3DCCCCCD, 0x3FB999999999999A, 1, 7, 10),
        ],
    )
    def test_scalars(self, tmp_path: Path, build: Build, values: tuple[int, ...]) -> None:
        names = "abcdefghi"
        declared = ", ".join(f"{t.name} {n}" for t, n in zip(self.SCALARS, names, strict=True))
        folds = "".join(f"sum = fold(sum, &{n}, sizeof {n});" for n in names)
        source = unit(
            tmp_path,
            f"{FOLD} enum colour {{ RED, GREEN = 7 }};"
            f"unsigned int f({declared}) {{ unsigned int sum = 0; {folds} return sum; }}",
        )
        roots, total = [], 0
        for type_, name, value in zip(self.SCALARS, names, values, strict=True):
            roots.append(Root(name, 0, type_.id, type_.size, (Cell(0, "", Scalar(value, 8 * type_.size, type_.kind)),)))
            total = fold(total, value.to_bytes(type_.size, "little"))
        function = Function(
            "f", str(source), 1, tuple(Parameter(n, i + 1) for i, n in enumerate(names)), 0, is_static=False
        )
        program = samples.program(
            entry="f",
            include=source,
            sources=(source,),
            functions=(function,),
            types=(UNSIGNED, *self.SCALARS),
            sites=(),
        )
        test = Recorded("t", InputMap(tuple(roots), ()), Outcome.RETURNED, None, total.to_bytes(4, "little"), (), "")
        assert passed(build(program, (test,)))

    def test_strings_buffers_and_arrays_have_their_exact_size(self, tmp_path: Path, build: Build) -> None:
        source = unit(
            tmp_path,
            FOLD + "#include <malloc.h>\n#include <string.h>\n"
            "unsigned int f(const char *text, unsigned char *bytes, int n, const int *numbers) {"
            "  if (malloc_usable_size((void *)text) >= 40) return 1;"
            "  unsigned int sum = fold(0, text, strlen(text) + 1);"
            "  sum = fold(sum, bytes, n); return fold(sum, numbers, 3 * sizeof *numbers); }",
        )
        types = (
            UNSIGNED,
            Type(1, "char", "char", 1),
            Type(2, "pointer", "const char *", 8, 8, target=1, const=True),
            Type(3, "unsigned", "unsigned char", 1),
            Type(4, "pointer", "unsigned char *", 8, 8, target=3),
            Type(5, "signed", "int", 4, 4),
            Type(6, "pointer", "const int *", 8, 8, target=5),
        )
        text, data, numbers = b'a"\\?\x01' + b"7\x00", b"\x00\xff1\x80", (5, -2, 1 << 30)
        packed = b"".join(value.to_bytes(4, "little", signed=True) for value in numbers)
        inputs = InputMap(
            (
                pointer_root("text", 2, 1),
                pointer_root("bytes", 4, 2),
                Root("n", 0, 5, 4, (Cell(0, "", Scalar(len(data), 32, "signed")),)),
                pointer_root("numbers", 6, 3),
            ),
            (
                MemoryObject(1, "text", 1, len(text), len(text), byte_cells(text, "char")),
                MemoryObject(2, "bytes", 3, len(data), len(data), byte_cells(data, "unsigned")),
                MemoryObject(
                    3, "numbers", 5, 3, 12,
                    tuple(Cell(4 * i, f"[{i}]", Scalar(v & 0xFFFF_FFFF, 32, "signed")) for i, v in enumerate(numbers)),
                ),
            ),
        )  # fmt: skip
        names = (("text", 2), ("bytes", 4), ("n", 5), ("numbers", 6))
        function = Function("f", str(source), 1, tuple(Parameter(*p) for p in names), 0, is_static=False)
        program = samples.program(
            entry="f", include=source, sources=(source,), functions=(function,), types=types, sites=()
        )
        total = fold(fold(fold(0, text), data), packed)
        test = Recorded("t", inputs, Outcome.RETURNED, None, total.to_bytes(4, "little"), (), "")
        assert passed(build(program, (test,)))

    def test_structs_by_value_with_bit_fields_const_members_and_pointers(self, tmp_path: Path, build: Build) -> None:
        source = unit(
            tmp_path,
            FOLD + "struct pair { int a; const short b; char c[3]; unsigned flag : 3, rest : 9; struct pair *self; };"
            "unsigned int f(struct pair v, struct pair *p) {"
            "  unsigned int sum = fold(0, &v.a, 4); sum = fold(sum, &v.b, 2); sum = fold(sum, v.c, 3);"
            "  sum = sum * 31u + v.flag; sum = sum * 31u + v.rest;"
            "  return v.self == p && p->self == p && p->b == v.b && p->flag == v.flag ? sum : 0; }",
        )
        types = (
            UNSIGNED,
            Type(1, "signed", "int", 4, 4),
            Type(2, "signed", "short", 2, 2),
            Type(3, "char", "char", 1),
            Type(4, "array", "char[3]", 3, 1, target=3, count=3),
            Type(5, "unsigned", "unsigned char", 1),
            Type(6, "struct", "struct pair", 24, 8, fields=(
                Field("a", 0, 1), Field("b", 4, 2, const=True), Field("c", 6, 4), Field("", 9, 5), Field("", 10, 5),
                Field("self", 16, 7),
            )),
            Type(7, "pointer", "struct pair *", 8, 8, target=6),
        )  # fmt: skip
        # The bit-fields lie in the bytes 9 and 10.
        flag, rest = 5, 0x101
        bits = (flag | rest << 3).to_bytes(2, "little")
        cells = (
            Cell(0, ".a", Scalar(0xFFFFFFFE, 32, "signed")),
            Cell(4, ".b", Scalar(0x1234, 16, "signed")),
            *(Cell(6 + i, f".c[{i}]", Scalar(b, 8, "char")) for i, b in enumerate(b"x\x00z")),
            Cell(9, ".?", Scalar(bits[0], 8, "unsigned")),
            Cell(10, ".?", Scalar(bits[1], 8, "unsigned")),
            Cell(16, ".self", Pointer(1)),
        )
        inputs = InputMap(
            (Root("v", 0, 6, 24, cells), pointer_root("p", 7, 1)), (MemoryObject(1, "v.self", 6, 1, 24, cells),)
        )
        function = Function("f", str(source), 1, (Parameter("v", 6), Parameter("p", 7)), 0, is_static=False)
        program = samples.program(
            entry="f", include=source, sources=(source,), functions=(function,), types=types, sites=()
        )
        total = fold(fold(fold(0, b"\xfe\xff\xff\xff"), b"\x34\x12"), b"x\x00z")
        total = ((total * 31 + flag) * 31 + rest) & 0xFFFF_FFFF
        test = Recorded("t", inputs, Outcome.RETURNED, None, total.to_bytes(4, "little"), (), "")
        assert passed(build(program, (test,)))


def pointer_root(name: str, type_: int, target: int | None) -> Root:
    return Root(name, 0, type_, 8, (Cell(0, "", Pointer(target)),))


def byte_cells(data: bytes, kind: str) -> tuple[Cell, ...]:
    return tuple(Cell(i, f"[{i}]", Scalar(byte, 8, kind)) for i, byte in enumerate(data))


def raw_root(name: str, data: bytes, occurrence: int = 0) -> Root:
    return Root(name, occurrence, -1, len(data), byte_cells(data, "byte"))


class TestHarnesses:
    INT = Type(0, "signed", "int", 4, 4)

    def program(self, source: Path, **changes: object) -> Program:
        function = Function("main", str(source), 1, (), 0, is_static=False)
        values: dict[str, object] = {
            "entry": "main", "include": source, "sources": (source,), "functions": (function,), "types": (self.INT,),
            "sites": (),
        }  # fmt: skip
        return samples.program(**{**values, **changes})

    def test_klee_gets_its_inputs_by_name_and_occurrence(self, tmp_path: Path, build: Build) -> None:
        source = unit(
            tmp_path,
            "void klee_make_symbolic(void *, unsigned long, const char *);\n"
            'int main(void) { int a, b; char c; klee_make_symbolic(&a, sizeof a, "x"); klee_make_symbolic(&c, 1, "c");'
            ' klee_make_symbolic(&b, sizeof b, "x"); return a * 100 + b * 10 + c; }',
        )
        inputs = InputMap((raw_root("x", b"\x02\0\0\0"), raw_root("c", b"\x05"), raw_root("x", b"\x03\0\0\0", 1)), ())
        test = Recorded("t", inputs, Outcome.RETURNED, None, (235).to_bytes(4, "little"), (), "")
        assert passed(build(self.program(source, harness=HarnessKind.KLEE), (test,)))

    def test_testcomp_leaves_to_the_program_what_it_defines(self, tmp_path: Path, build: Build) -> None:
        source = unit(
            tmp_path,
            "extern int __VERIFIER_nondet_int(void);\nextern unsigned char __VERIFIER_nondet_uchar();\n"
            "extern _Bool __VERIFIER_nondet_bool();\nextern void __VERIFIER_assume(int);\n"
            "static int errors; void reach_error(void) { errors = 1000; }\n"
            "int main(void) { int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();"
            " __VERIFIER_assume(a < b); if (__VERIFIER_nondet_bool()) reach_error();"
            " return b - a + __VERIFIER_nondet_uchar() + errors; }",
        )
        functions = tuple(Function(name, str(source), 1, (), 0, is_static=False) for name in ("main", "reach_error"))
        roots = (
            Root("nondet_int", 0, -1, 4, (Cell(0, "", Scalar(0xFFFFFFFD, 32, "signed")),)),
            Root("nondet_int", 1, -1, 4, (Cell(0, "", Scalar(4, 32, "signed")),)),
            Root("nondet_bool", 0, -1, 1, (Cell(0, "", Scalar(1, 8, "bool")),)),
            Root("nondet_uchar", 0, -1, 1, (Cell(0, "", Scalar(200, 8, "unsigned")),)),
        )
        test = Recorded("t", InputMap(roots, ()), Outcome.RETURNED, None, (1207).to_bytes(4, "little"), (), "")
        assert passed(build(self.program(source, harness=HarnessKind.TESTCOMP, functions=functions), (test,)))

    def test_a_program_gets_standard_input_and_arguments_and_keeps_its_implicit_return(
        self, tmp_path: Path, build: Build
    ) -> None:
        source = unit(
            tmp_path,
            "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
            "int main(int argc, char **argv) { if (argc == 3 && strcmp(argv[1], \"ab\") == 0 && getchar() == 'q'"
            " && getchar() == EOF) exit(atoi(argv[2])); }",
        )
        function = Function("main", str(source), 1, (Parameter("argc", 0), Parameter("argv", -1)), 0, is_static=False)
        files = (SymbolicFile("stdin", 2),)
        program = self.program(source, harness=HarnessKind.PROGRAM, functions=(function,), files=files)

        def test(name: str, first: bytes, outcome: Outcome, code: int | None, returned: bytes | None) -> Recorded:
            objects = (
                MemoryObject(1, "argv[1]", -1, len(first), len(first), byte_cells(first, "char")),
                MemoryObject(2, "argv[2]", -1, 2, 2, byte_cells(b"7\0", "char")),
            )
            count = Root("argc", 0, 0, 4, (Cell(0, "", Scalar(3, 32, "signed")),))
            roots = (count, pointer_root("argv[1]", -1, 1), pointer_root("argv[2]", -1, 2))
            roots += (raw_root("stdin", b"q?"), raw_root("size of stdin", (1).to_bytes(4, "little")))
            return Recorded(name, InputMap(roots, objects), outcome, code, returned, (), "")

        exits = test("exits", b"ab\0", Outcome.EXITED, 7, None)
        returns = test("returns", b"a\0", Outcome.RETURNED, None, (0).to_bytes(4, "little"))
        assert passed(build(program, (exits, returns)))

    def test_stubs_return_the_recorded_values_and_globals_are_set(self, tmp_path: Path, build: Build) -> None:
        source = unit(
            tmp_path,
            "int sensor(int port);\nvoid note(int);\ndouble level(void);\nint *where(void);\nint limit;\n"
            "int f(void) { int a = sensor(1), b = sensor(2); note(a);"
            " return a - b + limit + (level() > 1.5) + *where(); }\n"
            "int main(void) { return 3; }\n",
        )
        functions = (
            Function("f", str(source), 6, (), 0, is_static=False),
            Function("main", str(source), 7, (), 0, is_static=False),
        )
        program = self.program(source, entry="f", functions=functions, stubs=("level", "note", "sensor", "where"))
        roots = (
            Root("limit", 0, 0, 4, (Cell(0, "", Scalar(1000, 32, "signed")),)),
            Root("sensor()", 0, -1, 4, (Cell(0, "", Scalar(50, 32, "unsigned")),)),
            Root("sensor()", 1, -1, 4, (Cell(0, "", Scalar(0xFFFFFFFE, 32, "unsigned")),)),
            Root("level()", 0, -1, 8, (Cell(0, "", Scalar(0x4000000000000000, 64, "float")),)),
            Root("where()", 0, -1, 8, (Cell(0, "", Pointer(1)),)),
        )
        objects = (MemoryObject(1, "where()", -1, 4, 4, byte_cells(b"\x09\0\0\0", "byte")),)
        test = Recorded("t", InputMap(roots, objects), Outcome.RETURNED, None, (1062).to_bytes(4, "little"), (), "")
        assert passed(build(program, (test,)))

    def test_a_call_more_or_less_of_what_is_defined_nowhere_is_noticed(self, tmp_path: Path) -> None:
        text = "int level(void);\nint f(int n) { int s = 0; while (n-- > 0) s |= level(); return s; }\n"
        source = unit(tmp_path, text)
        functions = (Function("f", str(source), 2, (Parameter("n", 0),), 0, is_static=False),)
        program = self.program(source, entry="f", functions=functions, stubs=("level",))

        def test(name: str, calls: int) -> Recorded:
            number = Root("n", 0, 0, 4, (Cell(0, "", Scalar(calls, 32, "signed")),))
            taken = [Root("level()", k, -1, 4, (Cell(0, "", Scalar(0, 32, "unsigned")),)) for k in range(calls)]
            return Recorded(name, InputMap((number, *taken), ()), Outcome.RETURNED, None, bytes(4), (), "")

        tests = (test("twice", 2), test("never", 0))
        rendered = plain.render(program, tests)
        assert 'veer_calls("level()")' in rendered
        assert passed(build_suite(tmp_path, "test_f.c", rendered))
        source.write_text(text.replace("> 0", ">= 0"))
        done = build_suite(tmp_path, "test_f.c", rendered).run()
        assert done.stdout.count("not ok") == 2 and 'veer_calls("level()")' in done.stdout

    def test_stubs_hand_over_small_structs_as_the_callers_expect_them(self, tmp_path: Path, build: Build) -> None:
        source = unit(
            tmp_path,
            "struct mixed { float x, y; long n; } mixed(void); struct bytes { char a[3]; } bytes(void);\n"
            "_Bool ready(void); extern int level; struct big { long a[9]; } big(void);\n"
            "int f(void) { struct mixed m = mixed(); if (level) return big().a[8];"
            " return (int)m.y + (int)m.n + bytes().a[2] + ready() * 1000; }\n",
        )
        types = (
            Type(0, "signed", "int", 4, 4),
            Type(1, "float", "float", 4, 4),
            Type(2, "signed", "long", 8, 8),
            Type(3, "signed", "signed char", 1),
            Type(
                4,
                "struct",
                "struct veer_stub_0_result",
                16,
                8,
                fields=(Field("f0", 0, 1), Field("f1", 4, 1), Field("f2", 8, 2)),
            ),
            Type(5, "struct", "struct veer_stub_1_result", 3, fields=tuple(Field(f"f{i}", i, 3) for i in range(3))),
        )
        functions = (Function("f", str(source), 3, (), 0, is_static=False),)
        stubs = ("big", "bytes", "mixed", "ready")
        program = self.program(source, entry="f", functions=functions, stubs=stubs, types=types, zeros=(("level", 4),))
        mixed = Cell(0, ".f0", Scalar(0, 32, "float")), Cell(4, ".f1", Scalar(0x40A00000, 32, "float"))
        roots = (
            Root("mixed()", 0, 4, 16, (*mixed, Cell(8, ".f2", Scalar(20, 64, "signed")))),
            Root("bytes()", 0, 5, 3, tuple(Cell(i, f".f{i}", Scalar(100 * i, 8, "signed")) for i in range(3))),
            Root("ready()", 0, -1, 1, (Cell(0, "", Scalar(1, 8, "bool")),)),
        )
        value = 5 + 20 - 56 + 1000
        test = Recorded("t", InputMap(roots, ()), Outcome.RETURNED, None, value.to_bytes(4, "little"), (), "")
        assert passed(build(program, (test,)))

    def test_what_a_stub_cannot_return_is_not_written(self, tmp_path: Path) -> None:
        source = unit(tmp_path, "struct big { long a[9]; } big(void); long f(void) { return big().a[8]; }")
        functions = (Function("f", str(source), 1, (), 0, is_static=False),)
        program = self.program(source, entry="f", functions=functions, stubs=("big",))
        test = Recorded("t", InputMap((raw_root("big()", b"\0"),), ()), Outcome.RETURNED, None, bytes(4), (), "")
        text = plain.render(program, (test,))
        assert "/* t is not written: big is defined nowhere, and its result cannot be made" in text

    @pytest.mark.parametrize("compiler", ["gcc", "zig"])
    @pytest.mark.parametrize("parameters", ["void", "int argc, char **argv", "int argc, char **argv, char **env"])
    def test_programs_compile_without_warnings(self, tmp_path: Path, parameters: str, compiler: str) -> None:
        if compiler == "gcc" and shutil.which("gcc") is None:
            pytest.skip("no gcc here")
        command = ("gcc",) if compiler == "gcc" else zig_command()
        used = "".join(f"(void){name}; " for name in ("argc", "argv", "env") if name in parameters)
        source = unit(tmp_path, f"int main({parameters}) {{ {used}return 0; }}")
        count = 0 if parameters == "void" else parameters.count(",") + 1
        names = ("argc", "argv", "env")[:count]
        function = Function("main", str(source), 1, tuple(Parameter(n, 0) for n in names), 0, is_static=False)
        program = self.program(source, harness=HarnessKind.PROGRAM, functions=(function,))
        test = Recorded("t", InputMap((), ()), Outcome.RETURNED, None, bytes(4), (), "")
        file = write_suite(tmp_path, "test_main.c", plain.render(program, (test,)))
        done = subprocess.run(
            [
                *command,
                "-std=gnu11",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-c",
                str(file),
                "-o",
                str(tmp_path / "test_main.o"),
            ],
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
