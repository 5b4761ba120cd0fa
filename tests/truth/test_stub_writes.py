"""What undefined functions and callbacks write behind pointers: veer against every answer that they can give.

The brute force defines the function: it takes its result, and what it writes, from a script. It writes only what the
entry has not written, as a stub of veer's does.
"""

from __future__ import annotations

import ctypes
import itertools
import subprocess
from pathlib import Path
from typing import Any

import pytest
from sampling import sampled
from suite_builds import build_suite, compilations, zig_command
from veer_side import explore

import veer
from veer.model.buildoptions import BuildOptions
from veer.model.ending import Claim
from veer.model.outcome import Outcome
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions
from veer.suite.c import plain

HEAD = """
#include <stdint.h>
#include <stdlib.h>
struct frame { uint8_t kind; uint16_t size; uint8_t body[2]; };
struct port { int speed; };
typedef int (*getter)(int *, int);
extern int take(void *place, int size);
extern int get(int *to, int n);
extern int frame_of(struct frame *to);
extern int open_port(struct port **out);
extern int show(const uint8_t *from, int n);
"""
SCRIPT = """
unsigned char script[16]; unsigned long at; struct port port;
static int next(void) { return script[at++ % 16]; }
int get(int *to, int n) { if (!written) *to = next(); written = 1; (void)n; return next() - 1; }
int frame_of(struct frame *to) { to->kind = next(); to->size = next(); to->body[1] = next(); return 0; }
int open_port(struct port **out) { int k = next(); port.speed = next(); *out = k ? &port : 0; return next() - 1; }
"""
ENTRIES = {
    "a number": ("int v; if (get(&v, n) < 0) return -1; if (v == 2) return 10; return n < v ? 11 : 12;"),
    "a number that is written": ("int v = 1; if (get(&v, n) < 0) return -1; return v == 2 ? 10 : 11;"),
    "a number that is asked for twice": (
        "int v; if (get(&v, n) < 0) return -1; int w = v; if (get(&v, n) < 0) return -2; return v == w ? 10 : 11;"
    ),
    "a struct": (
        "struct frame f; frame_of(&f); if (f.kind == 2) return f.size == 3 ? 10 : 11; return f.body[1] == 1 ? 12 : 13;"
    ),
    "a pointer": ("struct port *p; if (open_port(&p) < 0 || !p) return -1; return p->speed == 2 ? 3 : 4;"),
}

OTHERWISE: dict[str, dict[str, Any]] = {
    "partitioned": {"partitioned": True},
    "compositional": {"compositional": True},
    "no such check": {"no_check": "uninitialised"},
    "no check": {"no_check": "all"},
}
USUAL = (("partitioned", "a struct"), ("compositional", "a number"), ("no check", "a pointer"))


def explored(text: str, folder: Path) -> Result:
    source = folder / "unit.c"
    source.write_text(f"{HEAD}{text}\n")
    return explore(BuildOptions((source,), "f"), SearchOptions(criterion="path", budget=30.0))


def returned_by(result: Result) -> set[int]:
    return {int.from_bytes(test.returned or b"", "little", signed=True) for test in result.tests}


def every_result(body: str, folder: Path, *, is_written: bool) -> set[int]:
    """What the entry returns for all scripts of small numbers; whether its variable is written before the call."""
    source, library = folder / "brute.c", folder / "brute.so"
    source.write_text(f"{HEAD}int written;\n{SCRIPT}int f(int n) {{ {body} }}\n")
    command = [*zig_command(), "-w", "-shared", "-fPIC", str(source), "-o", str(library)]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    loaded = ctypes.CDLL(str(library))
    found = set()
    for given, *script in itertools.product((-1, 0, 3), *[range(4)] * 4):
        ctypes.c_ulong.in_dll(loaded, "at").value = 0
        ctypes.c_int.in_dll(loaded, "written").value = int(is_written)
        (ctypes.c_ubyte * 16).in_dll(loaded, "script")[:4] = script
        found.add(loaded.f(given))
    return found


@pytest.mark.parametrize("name", ENTRIES)
def test_what_a_stub_writes_is_an_input(name: str, tmp_path: Path) -> None:
    body = ENTRIES[name]
    result = explored(f"int f(int n) {{ {body} }}", tmp_path)
    assert not result.bugs and result.ending.claim == Claim.PATHS
    assert returned_by(result) == every_result(body, tmp_path, is_written="written" in name)
    assert {test.replayed for test in result.tests} == {"same"}
    suite = plain.render(result.program, result.tests, result.bugs, result.branches)
    for command in compilations():
        built = build_suite(tmp_path, plain.file_name(result.program), suite, command)
        assert built.run().returncode == 0, (command, built.run().stdout)


@pytest.mark.parametrize(
    ("option", "name"),
    sampled([(option, name) for option in OTHERWISE for name in ENTRIES], lambda case: case in USUAL),
)
def test_stubs_write_in_every_search_and_whatever_is_checked(option: str, name: str, tmp_path: Path) -> None:
    source = tmp_path / "unit.c"
    source.write_text(f"{HEAD}int f(int n) {{ {ENTRIES[name]} }}\n")
    given = OTHERWISE[option]
    usual, other = (veer.test(source, "f", grow=False, hybrid=False, **options) for options in ({}, given))
    states = [{(each.line, each.column, each.side): each.state for each in one.branches} for one in (usual, other)]
    assert states[0] == states[1]
    assert not other.bugs and {test.replayed for test in other.tests} == {"same"}


def test_callbacks_write_as_undefined_functions_do(tmp_path: Path) -> None:
    body = ENTRIES["a number"]
    result = explored(f"int f(getter get, int n) {{ if (!get) return -1; {body} }}", tmp_path)
    assert not result.bugs and returned_by(result) == {-1, 10, 11, 12}
    assert {test.replayed for test in result.tests} == {"same"}
    suite = plain.render(result.program, result.tests, result.bugs, result.branches)
    assert build_suite(tmp_path, plain.file_name(result.program), suite).run().returncode == 0


def test_what_was_written_stays(tmp_path: Path) -> None:
    text = "int f(int n) { struct frame f; f.kind = 7; frame_of(&f); return f.kind == 7 ? f.size == 3 : 9; }"
    result = explored(text, tmp_path)
    assert not result.bugs and 9 not in returned_by(result) and {test.replayed for test in result.tests} == {"same"}
    names = {root.name for test in result.tests for root in test.inputs.roots}
    assert "frame_of() argument 1+1" in names
    suite = plain.render(result.program, result.tests, result.bugs, result.branches)
    assert build_suite(tmp_path, plain.file_name(result.program), suite).run().returncode == 0


def test_what_a_function_only_reads_is_still_unwritten(tmp_path: Path) -> None:
    result = explored("int f(int n) { uint8_t b[4]; show(b, n); return b[0] == 3 ? 1 : 2; }", tmp_path)
    assert [bug.outcome for bug in result.bugs] == [Outcome.UNINITIALISED]


def test_a_suite_notices_another_use_of_what_is_written(tmp_path: Path) -> None:
    body = ENTRIES["a number"]
    result = explored(f"int f(int n) {{ {body} }}", tmp_path)
    suite = plain.render(result.program, result.tests, result.bugs, result.branches)
    (tmp_path / "unit.c").write_text(f"{HEAD}int f(int n) {{ {body.replace('v == 2', 'v == 3')} }}\n")
    assert build_suite(tmp_path, plain.file_name(result.program), suite).run().returncode == 1


RETURNS = """
struct point { short x, y; };
struct big { int a, b; struct point at[3]; unsigned flag : 3; double e; };
struct big read_big(int n, char *note);
union either { long words[4]; double number; };
union either read_either(void);
typedef struct { long a, b, c; } nameless;
nameless read_nameless(int);
int fields(int n) {
    char note[4];
    struct big x = read_big(n, note);
    if (x.a == 3) return 1;
    if (x.e == 4.5) return 2;
    if (x.at[1].y == 9) return 3;
    if (note[0] == 'z') return 4;
    return x.flag == 5 ? 5 : 6;
}
int twice(int n) {
    struct big x = read_big(n, 0), y = read_big(n, 0);
    return x.a > y.b ? 1 : 2;
}
int either(void) { return read_either().words[2] == 12345 ? 1 : 2; }
int typedefs(int n) { return read_nameless(n).c == 7 ? 1 : 2; }
"""


@pytest.mark.parametrize(("entry", "returned"), [("fields", 6), ("twice", 2), ("either", 2), ("typedefs", 2)])
def test_a_struct_that_is_returned_in_memory_is_an_input(tmp_path: Path, entry: str, returned: int) -> None:
    source = tmp_path / "unit.c"
    source.write_text(RETURNS)
    result = explore(BuildOptions((source,), entry), SearchOptions(criterion="path", budget=30.0))
    values = {int.from_bytes(test.returned or b"", "little") for test in result.tests}
    assert values == set(range(1, returned + 1))
    assert not result.bugs and {test.replayed for test in result.tests} == {"same"}
    assert result.ending.claim == "paths"
