"""Harness text: compiles for every supported shape, hostile macros and old C included, and calls what it should."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from front_fixtures import toolchain

from veer.frontends.c.analysis import ALL_FUNCTIONS, harness_kind
from veer.frontends.c.contracts.reading import Knowledge
from veer.frontends.c.extents import ObjectBounds
from veer.frontends.c.harness import PRELUDE, Plan, harness_text
from veer.frontends.c.harness_types import type_tables
from veer.frontends.c.inputs import global_inputs
from veer.frontends.c.shapes import shape
from veer.frontends.c.stubs import stubs
from veer.frontends.c.typetable import TypeTable
from veer.frontends.llvm.compiled import compile_module
from veer.frontends.llvm.irtext import declared_data, declared_functions
from veer.model.program import HarnessKind, SymbolicFile
from veer.model.types import BoundKind
from veer.toolchain.compiling import compile_object
from veer.toolchain.linking import link
from veer.toolchain.runtime import INCLUDE

RUNTIME = """
#include <stdio.h>
#include <string.h>
void veer_main(void);
struct type { unsigned id; unsigned char kind, nullable, extent, unit; unsigned size, count, maximum, alignment; };
void veer_make(void *cell, const struct type *type, const char *name) {
    printf("make %s kind %d extent %d ", name, type->kind, type->extent);
    printf("maximum %u size %u\\n", type->maximum, type->size);
    if (type->kind <= 4) *(char *)cell = strcmp(name, "argc") ? 1 : 2;
}
void veer_make_symbolic(void *cell, unsigned long size, const char *name, unsigned long element) {
    printf("bytes %s %lu by %lu\\n", name, size, element);
}
void veer_symbolic_argument(char **place, const struct type *type, const char *name, int is_there) {
    if (is_there) veer_make(place, type, name);
}
void veer_symbolic_file(const char *name, const char *size_name, unsigned long size)
{
    printf("%s %lu, %s\\n", name, size, size_name);
}
void veer_returned(const void *value, unsigned size, unsigned is_scalar) { (void)value, (void)size, (void)is_scalar; }
void veer_result(const void *value, unsigned size, unsigned type) {
    printf("result of %u bytes: %d\\n", size, *(const signed char *)value);
}
struct variable { const void *address; unsigned size, spare; };
void veer_outputs(const struct variable *variables, unsigned count, unsigned when) {
    for (unsigned k = 0; k < count; k++)
        printf("%s %u bytes: %d\\n", when == 1 ? "before" : "after", variables[k].size, *(int *)variables[k].address);
}
void veer_set_bounds(unsigned depth, unsigned objects) { }
int main(void) { veer_main(); return 0; }
"""
HARMLESS = """
    struct point { int x, y; }; union any { int i; double d; }; enum color { RED, BLUE };
    typedef struct { char c; long l; } anonymous_t;
    struct list { struct list *next; const char *name; int (*call)(void); unsigned flag : 1; double values[2]; };
"""


def plan_for(source: Path, entry: str, *flags: str) -> Plan:
    """The plan of a harness for a function of a file."""
    module = compile_module(toolchain(), source, (*ALL_FUNCTIONS, *flags))
    function = module.function(entry)
    assert function is not None
    kind = harness_kind([module], function)
    table = TypeTable(ObjectBounds(8, 4))
    arguments = (table.argument_pointer(3, BoundKind.ARGUMENT),) if kind is HarnessKind.PROGRAM else ()
    shaped = shape(module.debug, function, table, Knowledge(module).contract(function)).function
    outputs, _ = global_inputs(module, table)
    return Plan(
        kind=kind,
        include=source,
        entry=shaped,
        types=table.types,
        outputs=outputs,
        arguments=arguments,
        argument_count=table.argument_count(3, grows=False) if arguments else -1,
        files=(SymbolicFile("stdin", 5),) if kind is HarnessKind.PROGRAM else (),
    )


def call(folder: Path, text: str, entry: str = "f", *flags: str) -> list[str]:
    """Compiles a harness for the text plainly, runs it on a runtime that prints its calls, and returns these lines."""
    source = folder / "unit.c"
    source.write_text(text)
    harness, runtime, program = folder / "harness.c", folder / "runtime.c", folder / "program"
    harness.write_text(harness_text(plan_for(source, entry, *flags)))
    runtime.write_text(RUNTIME)
    rename = ("-Dmain=veer_user_main",) if entry == "main" else ()
    objects = [path.with_suffix(".o") for path in (harness, runtime)]
    for path, made, extra in zip((harness, runtime), objects, ((*flags, *rename), ()), strict=True):
        said = compile_object(toolchain(), path, made, ("-w", *extra))
        assert said.code == 0, said.messages
    said = link(toolchain(), objects, program)
    assert said.code == 0, said.messages
    return subprocess.run([program], capture_output=True, text=True, timeout=20, check=True).stdout.splitlines()


def test_globals_are_recorded_before_and_after_the_call(tmp_path: Path) -> None:
    text = """static int count = 3; const int fixed = 1; long wide; int f(int x) { count += x; return x + fixed; }
              #define count (wide + 1)"""
    assert call(tmp_path, text.replace("              #", "#")) == [
        "make x kind 2 extent 0 maximum 0 size 4",
        "before 4 bytes: 3",
        "before 8 bytes: 0",
        "result of 4 bytes: 2",
        "after 4 bytes: 4",
        "after 8 bytes: 0",
    ]


def test_lengths_are_made_first(tmp_path: Path) -> None:
    assert call(tmp_path, "int f(char *buffer, unsigned long length, int x) { return x + 41; }") == [
        "make length kind 1 extent 0 maximum 8 size 8",
        "make buffer kind 6 extent 3 maximum 8 size 8",
        "make x kind 2 extent 0 maximum 0 size 4",
        "result of 4 bytes: 42",
    ]


@pytest.mark.parametrize(
    "declaration",
    [
        "int f(struct point p, union any u, enum color c, anonymous_t a)",
        "int f(char c, signed char s, unsigned char u, short h, long l, long long ll, _Bool b, float x, double d)",
        "int f(struct list *l, const struct list *const *ll, struct point (*rows)[3], int *restrict r)",
        "int f(void *p, const void *q, int (*callback)(struct point), struct unknown *hidden)",
        "struct point f(int x)",
        "double f(void)",
        "char *f(const char *a, char **b, char b4[4], int c[])",
        "static inline int f(int x)",
        "int f()",
        "f(x)",
        "int f(a, b, c) char a; float b; struct point *c;",
        "enum color f(const enum color c)",
        "_Noreturn void f(int x)",
        "int f(int veer_r, int id, int size)",
        "int f(int, char *)",
    ],
)
def test_compiles_and_calls_the_entry_for(tmp_path: Path, declaration: str) -> None:
    body = "{ for (;;) {} }" if "Noreturn" in declaration else "{ __builtin_unreachable(); }"
    source = tmp_path / "unit.c"
    source.write_text(f"{HARMLESS}\n{declaration} {body}\n")
    flags = ("-std=gnu89",) if declaration in ("f(x)",) else ("-std=gnu2x",) if "(int, char" in declaration else ()
    text = harness_text(plan_for(source, "f", *flags))
    harness = tmp_path / "harness.c"
    harness.write_text(text)
    module = compile_module(toolchain(), harness, (*flags, "-Wno-pedantic"), "the harness")
    main = re.search(r"^define [^\n]*@veer_main\(.*?^}", module.ir, re.MULTILINE | re.DOTALL)
    assert main is not None
    assert re.search(r" @f\b", main[0])


def test_survives_the_users_macros(tmp_path: Path) -> None:
    text = """
        #define _GNU_SOURCE
        #include <string.h>
        int f(int x) { return x && mempcpy; }
        #define static
        #define const
        #define struct union
        #define void int
        #define f(x) nonsense
        #define id 7
        #define kind 8
        #define size error error
        #define return ;;
    """
    assert call(tmp_path, text)[-1] == "result of 4 bytes: 1"


def test_strict_old_standard(tmp_path: Path) -> None:
    assert (
        call(tmp_path, "int f(x) int x; { return x + 1; }", "f", "-std=c89", "-pedantic-errors")[-1]
        == "result of 4 bytes: 2"
    )


def test_a_program_gets_standard_input_and_arguments(tmp_path: Path) -> None:
    text = "int main(int argc, char **argv) { return argc * 10 + (argv[argc] == 0); }"
    assert call(tmp_path, text, "main") == [
        "stdin 5, size of stdin",
        "make argc kind 2 extent 0 maximum 3 size 4",
        "make argv[1] kind 6 extent 1 maximum 3 size 8",
        "result of 4 bytes: 21",
    ]


@pytest.mark.parametrize(
    ("text", "entry", "kind"),
    [
        ("int main(void) { return 0; }", "main", HarnessKind.PROGRAM),
        (
            'void klee_make_symbolic(void *, int, char *); int main() { int x; klee_make_symbolic(&x, 4, "x"); }',
            "main",
            HarnessKind.KLEE,
        ),
        (
            "int __VERIFIER_nondet_int(void); int main() { return __VERIFIER_nondet_int(); }",
            "main",
            HarnessKind.TESTCOMP,
        ),
        (
            'void veer_input(void *, unsigned long, const char *); int main() { int x; veer_input(&x, 4, "x"); }',
            "main",
            HarnessKind.VEER,
        ),
        (
            "int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long s) { return 0; }",
            "LLVMFuzzerTestOneInput",
            HarnessKind.LIBFUZZER,
        ),
        ("int f(int x) { return x; }", "f", HarnessKind.FUNCTION),
    ],
)
def test_kinds(tmp_path: Path, text: str, entry: str, kind: HarnessKind) -> None:
    source = tmp_path / "unit.c"
    source.write_text(text)
    assert plan_for(source, entry).kind is kind


def test_layout_is_that_of_the_header(tmp_path: Path) -> None:
    names = [
        "id",
        "kind",
        "nullable",
        "extent",
        "size",
        "count",
        "maximum",
        "alignment",
        "fields",
        "target",
        "length",
        "low",
        "high",
    ]
    asserts = [
        f'_Static_assert(offsetof(struct veer_type, {name}) == offsetof(struct veer_h_type, veer_{name}), "");'
        for name in names
    ]
    asserts.append('_Static_assert(sizeof(struct veer_type) == sizeof(struct veer_h_type), "size");')
    asserts.append('_Static_assert(sizeof(struct veer_field) == sizeof(struct veer_h_field), "field");')
    source = tmp_path / "layout.c"
    source.write_text("\n".join([PRELUDE, '#include "veer_harness.h"\n#include <stddef.h>', *asserts]))
    compile_module(toolchain(), source, ("-I", str(INCLUDE)), "the layout")


def test_always_null_members_are_not_made() -> None:
    table = TypeTable(ObjectBounds(8, 4))
    assert list(type_tables(table.types, [])) == []


def test_stubs_return_what_the_callers_expect(tmp_path: Path) -> None:
    caller = tmp_path / "caller.c"
    caller.write_text("""
        struct two { long a; int b; }; struct pair { float x, y; };
        int number(void); char *text(int); double real(double); _Bool flag(void); void nothing(int);
        struct two both(void); struct three { char a[3]; } bytes(void); struct mixed { float x, y, z; } mixed(void);
        struct pair floats(void); extern int level; extern double table[4];
        int f(void) {
            nothing(1);
            return number() + !text(1) + (int)real(1) + flag() + both().b + floats().y + bytes().a[2]
                + (int)mixed().z + level + table[1];
        }
    """)
    module = compile_module(toolchain(), caller, ())
    functions, data = declared_functions(module.ir), declared_data(module.ir)
    assert sorted(functions) == ["both", "bytes", "flag", "floats", "mixed", "nothing", "number", "real", "text"]
    assert data == {"level": "i32", "table": "[4 x double]"}
    table = TypeTable(ObjectBounds(8, 4))
    made = stubs(functions, data, table)
    assert made.makes_blocks
    assert made.functions == tuple(sorted(functions))
    assert made.notes == (
        "the variable level is defined nowhere: it is all zeros",
        "the variable table is defined nowhere: it is all zeros",
    )
    assert made.zeros == (("level", 4), ("table", 32))
    assert made.bounds == ("level = 0", "table = 0")
    source = tmp_path / "stubs.c"
    source.write_text(made.text)
    stub_module = compile_module(toolchain(), source, ("-std=gnu11",), "the stubs")
    for name, (result, _) in functions.items():
        assert f" {result} @{name}(" in stub_module.ir, name
