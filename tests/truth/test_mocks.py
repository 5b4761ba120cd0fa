"""Calls of undefined functions: what veer records of them against functions that write down what they are given.

The brute force defines the functions. They log each call as a line, and return what the test says; veer's record of the
same test is rendered as the same lines.
"""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path

import pytest
from suite_builds import build_suite, compilations, zig_command
from veer_side import explore

from veer.model.buildoptions import BuildOptions
from veer.model.inputs import Scalar
from veer.model.outcome import Outcome
from veer.model.result import Result, Test
from veer.model.searchoptions import SearchOptions
from veer.model.stubcalls import MOST_SEEN, Argument, StubCall
from veer.suite.c import plain

HEAD = """
#include <stdint.h>
#include <stddef.h>
struct frame { uint8_t kind; int16_t size; int body[2]; };
enum mode { OFF, ON = 5 };
extern void put(uint8_t c);
extern int ready(int channel, enum mode mode);
extern void say(int level, const char *text);
extern int row(const uint16_t *from, size_t n);
extern void show(const struct frame *frame);
extern void where(int *at, long far);
int state = 4;
"""
LOGGING = """
#include <stdio.h>
char log_[8192]; int results[8], taken;
static void add(const char *format, long a, long b) {
    char line[64];
    sprintf(line, format, a, b);
    __builtin_strcat(log_, line);
}
void put(uint8_t c) { add("put %ld\\n", c, 0); }
int ready(int channel, enum mode mode) { add("ready %ld %ld\\n", channel, mode); return results[taken++ % 8]; }
void say(int level, const char *text) { add("say %ld ", level, 0); __builtin_strcat(log_, text); add("\\n", 0, 0); }
int row(const uint16_t *from, size_t n) {
    add("row", 0, 0);
    for (size_t k = 0; k < n; k++) add(" %ld", from[k], 0);
    add(" of %ld\\n", n, 0);
    return results[taken++ % 8];
}
void show(const struct frame *f) {
    add("show %ld %ld", f->kind, f->size); add(" %ld %ld\\n", f->body[0], f->body[1]);
}
void where(int *at, long far) { add("where %ld", at ? *at : -1, 0); add(" %ld\\n", far, 0); }
"""
ENTRIES = {
    "numbers in order": "put('H'); if (ready(n, n > 3 ? ON : OFF)) put((uint8_t)n); put('!'); return n > 5;",
    "texts": 'say(n, n < 0 ? "negative" : n ? "some" : ""); return n < 0;',
    "rows of numbers": "uint16_t r[3] = {1, 700, (uint16_t)n}; return row(r, n > 2 ? 3 : 1) > 0 && row(r + 1, 2) == 7;",
    "structs that change afterwards": "struct frame f = {1, -2, {n, 4}}; show(&f); f.kind = 9; f.body[1] = n & 15; "
    "show(&f); return n == 77;",
    "places": "int local = n; if (n > 1) where(&local, 3); else if (n) where(NULL, ~n);"
    " else where(&state, 1); return local;",
    "more calls than are looked at": "for (int k = 0; k < 30; k++) put((uint8_t)(k ^ n)); return n == 3;",
}


def explored(text: str, folder: Path, **options: object) -> Result:
    source = folder / "unit.c"
    source.write_text(f"{HEAD}{text}\n")
    return explore(BuildOptions((source,), "f", **options), SearchOptions(criterion="path", budget=30.0))


def brute(body: str, folder: Path) -> ctypes.CDLL:
    source, library = folder / "brute.c", folder / "brute.so"
    source.write_text(f"{HEAD}{LOGGING}int f(int n) {{ {body} }}\n")
    command = [*zig_command(), "-w", "-shared", "-fPIC", str(source), "-o", str(library)]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    return ctypes.CDLL(str(library))


def logged(library: ctypes.CDLL, test: Test) -> list[str]:
    """The lines of the functions that the brute force defines, for the inputs of this test."""
    roots = {(root.name, root.occurrence): root.cells[0].value for root in test.inputs.roots if root.cells}
    argument = roots.get(("n", 0))
    given = [value.number for (name, _), value in roots.items() if name.endswith("()") and isinstance(value, Scalar)]
    ctypes.c_char.in_dll(library, "log_").value = b"\0"
    ctypes.c_int.in_dll(library, "taken").value = 0
    (ctypes.c_int * 8).in_dll(library, "results")[: len(given)] = given
    library.f(argument.number if isinstance(argument, Scalar) else 0)
    return (ctypes.c_char * 8192).in_dll(library, "log_").value.decode().splitlines()


def warnings(file: Path, command: tuple[str, ...]) -> str:
    """What the compiler says of a suite that was built."""
    flags = ("-std=gnu11", "-Wall", "-Wextra", "-c", str(file), "-o", f"{file}.o")
    return subprocess.run([*command, *flags], capture_output=True, text=True, timeout=120).stderr


def number(argument: Argument, *, signed: bool = True) -> int:
    return int.from_bytes(argument.value, "little", signed=signed)


def numbers(argument: Argument, size: int, count: int, *, signed: bool = True) -> list[int]:
    assert argument.behind is not None and not any(at < size * count for at in argument.behind.unwritten)
    parts = (argument.behind.data[size * k : size * (k + 1)] for k in range(count))
    return [int.from_bytes(part, "little", signed=signed) for part in parts]


def line(call: StubCall) -> str:
    """A recorded call as the brute force writes it."""
    given = call.arguments
    assert all(each.is_settled for each in given)
    match call.function:
        case "put":
            return f"put {number(given[0], signed=False)}"
        case "ready":
            return f"ready {number(given[0])} {number(given[1])}"
        case "say":
            assert given[1].behind is not None
            return f"say {number(given[0])} {given[1].behind.data.split(bytes(1))[0].decode()}"
        case "row":
            count = number(given[1])
            return " ".join(["row", *map(str, numbers(given[0], 2, count, signed=False)), "of", str(count)])
        case "show":
            kind, size = numbers(given[0], 1, 1)[0], numbers(given[0], 2, 2)[1]
            return f"show {kind} {size} {' '.join(map(str, numbers(given[0], 4, 3)[1:]))}"
        case _:
            is_null = not any(given[0].value)
            return f"where {-1 if is_null else numbers(given[0], 4, 1)[0]} {number(given[1])}"


@pytest.mark.parametrize("name", ENTRIES)
def test_calls_are_recorded_and_expected(name: str, tmp_path: Path) -> None:
    result = explored(f"int f(int n) {{ {ENTRIES[name]} }}", tmp_path, mock_order=True)
    library = brute(ENTRIES[name], tmp_path)
    assert not result.bugs and {test.replayed for test in result.tests} == {"same"}
    for test in result.tests:
        assert test.called is not None and test.called.is_confirmed
        expected = logged(library, test)
        assert [line(call) for call in test.called.first] == expected[:MOST_SEEN]
        names = [each.split()[0] for each in expected]
        assert dict(test.called.counts) == {each: names.count(each) for each in names}
    suite = plain.render(result.program, result.tests, result.bugs, result.branches)
    for command in compilations():
        built = build_suite(tmp_path, plain.file_name(result.program), suite, command)
        assert warnings(tmp_path / plain.file_name(result.program), command) == ""
        assert built.run().returncode == 0, (command, built.run().stdout)


MUTANTS = {
    "numbers in order": (
        ("put('H')", "put('h')", "argument 1 of call 1 of put is 104, expected 72"),
        ("put('!');", "", "calls of put is 1, expected 2"),
        ("ready(n,", "ready(n + 1,", "argument 1 of call 1 of ready"),
    ),
    "texts": (('"some"', '"same"', 'is "same", expected "some"'),),
    "rows of numbers": (("700", "701", "argument 1 of call 1 of row"), ("r + 1, 2", "r, 2", "of call 2 of row")),
    "structs that change afterwards": (
        ("f.kind = 9;", "", "argument 1 of call 2 of show, kind is 1, expected 9"),
        ("{1, -2,", "{-2, 1,", "argument 1 of call 1 of show, size"),
    ),
    "places": (
        ("&local, 3", "&state, 3", "argument 1 of call 1 of where"),
        ("NULL, ~n", "&local, ~n", "expected NULL"),
    ),
    "more calls than are looked at": (("k < 30", "k < 31", "calls of put is 31, expected 30"),),
}


def swapped() -> list[tuple[str, str, str, str]]:
    return [(name, *each) for name, group in MUTANTS.items() for each in group]


@pytest.fixture(scope="module")
def suites(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, Result]]:
    """One campaign for each entry that has mutants."""
    found = {}
    for name in MUTANTS:
        folder = tmp_path_factory.mktemp("mutants")
        found[name] = (folder, explored(f"int f(int n) {{ {ENTRIES[name]} }}", folder))
    return found


@pytest.mark.parametrize(("name", "old", "new", "message"), swapped())
def test_a_suite_notices_another_call(
    suites: dict[str, tuple[Path, Result]], name: str, old: str, new: str, message: str
) -> None:
    folder, result = suites[name]
    assert old in ENTRIES[name]
    (folder / "unit.c").write_text(f"{HEAD}int f(int n) {{ {ENTRIES[name].replace(old, new)} }}\n")
    suite = plain.render(result.program, result.tests, result.bugs, result.branches)
    done = build_suite(folder, plain.file_name(result.program), suite).run()
    assert done.returncode == 1 and message in done.stdout, done.stdout


def test_the_order_of_different_functions_is_expected_on_request(tmp_path: Path) -> None:
    body = 'put(1); say(2, "x"); return n;'
    for is_ordered, code in ((True, 1), (False, 0)):
        result = explored(f"int f(int n) {{ {body} }}", tmp_path, mock_order=is_ordered)
        suite = plain.render(result.program, result.tests, result.bugs, result.branches)
        (tmp_path / "unit.c").write_text(f'{HEAD}int f(int n) {{ say(2, "x"); put(1); return n; }}\n')
        done = build_suite(tmp_path, plain.file_name(result.program), suite).run()
        assert done.returncode == code, done.stdout


def test_what_c_leaves_open_is_not_expected(tmp_path: Path) -> None:
    body = "struct frame a; a.kind = 3; show(&a); where(&state, (long)&a); where(NULL, (long)&a >> 4); return n > 2;"
    result = explored(f"int f(int n) {{ {body} }}", tmp_path)
    assert {test.outcome for test in result.tests} == {Outcome.RETURNED}
    suite = plain.render(result.program, result.tests, result.bugs, result.branches)
    assert "veer_mock_show.call[0].arg_1_is.kind" in suite and "arg_1_is.size" not in suite
    assert ".arg_1, (const void *)&state" in suite and "where.call[0].arg_2," not in suite
    assert "where.call[1].arg_1, 1" in suite and "where.call[1].arg_2," not in suite
    for level in ("-O0", "-O2"):
        assert build_suite(tmp_path, plain.file_name(result.program), suite, ("gcc", level)).run().returncode == 0


def test_without_mocks_only_results_are_counted(tmp_path: Path) -> None:
    result = explored(f"int f(int n) {{ {ENTRIES['numbers in order']} }}", tmp_path, mocks=False)
    assert all(test.called is None for test in result.tests)
    suite = plain.render(result.program, result.tests, result.bugs, result.branches)
    assert "veer_mock_" not in suite and 'veer_calls("ready()")' in suite
    assert build_suite(tmp_path, plain.file_name(result.program), suite).run().returncode == 0


ENDS = "static int row_[3], last; extern void span(const int *from, const int *to); "
ENDS += "int f(int n) { row_[0] = n; last = 1; span(row_, row_ + 3); span(&last, &last + 1); return n > 1; }"


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_ends_of_objects_are_no_other_objects(tmp_path: Path, level: str) -> None:
    result = explored(ENDS, tmp_path)
    calls = [call for test in result.tests if test.called for call in test.called.first]
    assert {call.arguments[0].variable for call in calls} == {"row_", "last"}
    assert all(each.variable != "last" for call in calls[::2] for each in call.arguments)
    suite = plain.render(result.program, result.tests, result.bugs, result.branches)
    for other in (ENDS, ENDS.replace("row_[3], last", "last, between, row_[3]")):
        (tmp_path / "unit.c").write_text(f"{HEAD}{other}\n")
        done = build_suite(tmp_path, plain.file_name(result.program), suite, ("gcc", level)).run()
        assert done.returncode == 0, done.stdout


def test_types_of_another_source_are_not_named(tmp_path: Path) -> None:
    other = tmp_path / "other.c"
    other.write_text(
        "#include <stdint.h>\nstruct own { int a; }; extern void deep(const struct own *, const uint16_t *, int);\n"
        "void further(int n) { struct own o = {n}; uint16_t r[2] = {3, 4}; deep(&o, r, 2); }\n"
    )
    source = tmp_path / "unit.c"
    source.write_text("void further(int); extern void put(int);\nint f(int n) { further(n); put(n); return n > 2; }\n")
    result = explore(BuildOptions((source, other), "f"), SearchOptions(criterion="path", budget=30.0))
    suite = plain.render(result.program, result.tests, result.bugs, result.branches)
    assert "struct own" not in suite and "arg_2_holds[1], 4" in suite
    assert build_suite(tmp_path, plain.file_name(result.program), suite, ("gcc", str(other))).run().returncode == 0


CALLED_BACK = "int f(int n, int (*each)(int, short)) { if (!each) return -1; each(1, 2); return each(n, 3) > 4; }"


def test_callbacks_are_expected_to_be_called_too(tmp_path: Path) -> None:
    result = explored(CALLED_BACK, tmp_path)
    for test in result.tests:
        given = {root.name: root.cells[0].value for root in test.inputs.roots if root.cells and root.occurrence == 0}
        n = given.get("n")
        seen = [[number(each) for each in call.arguments] for call in (test.called.first if test.called else ())]
        calls = [[1, 2], [n.number if isinstance(n, Scalar) else 0, 3]]
        assert seen == ([] if test.returned == b"\xff" * 4 else calls)
    suite = plain.render(result.program, result.tests, result.bugs, result.branches)
    assert build_suite(tmp_path, plain.file_name(result.program), suite).run().returncode == 0
    assert warnings(tmp_path / plain.file_name(result.program), zig_command()) == ""
    for old, new, message in (
        ("each(1, 2);", "", "calls of veer_callback_1 is 1, expected 2"),
        ("each(1, 2)", "each(2, 1)", "argument 2 of call 1 of veer_callback_1 is 1, expected 2"),
    ):
        (tmp_path / "unit.c").write_text(f"{HEAD}{CALLED_BACK.replace(old, new)}\n")
        done = build_suite(tmp_path, plain.file_name(result.program), suite).run()
        assert done.returncode == 1 and message in done.stdout
