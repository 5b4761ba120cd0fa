"""What an instrumented unit says of itself: sites, conditions, call graph, undefined names, globals, redirections."""

from __future__ import annotations

from pathlib import Path

import pytest
from ir_fixtures import executable, instrumented, prepared, ran, source_lines

from veer.instrument.condition import ConditionText
from veer.instrument.debuglocation import Position
from veer.instrument.instrument import Unit
from veer.model.program import SiteKind

pytestmark = pytest.mark.xdist_group("ir_unit")


def unit_of(folder: Path, text: str, *flags: str, **options: object) -> Unit:
    return instrumented(prepared(folder, text, *flags), source_text=source_lines, **options)


def decisions(unit: Unit) -> list[tuple[str, int, str, tuple[int, int]]]:
    return [(site.kind.value, site.line, site.text, site.items) for site in unit.sites if site.items != (-1, -1)]


def test_sites_of_branches_switches_and_selects(tmp_path: Path) -> None:
    text = """int f(int x, int y) {
    if (x > 3 &&
        y[&x] == 0 || !y)
        return 1;
    while (x--) y++;
    switch (y + 1) { case 4: return 2; case 7: case 8: return 3; default: return x ? 5 : 6; }
}
int g(void) { return 0 ? 1 : 2; }
"""
    unit = unit_of(tmp_path, text)
    assert decisions(unit) == [
        ("branch", 2, "x > 3", (0, 1)),
        ("branch", 3, "y[&x] == 0", (2, 3)),
        ("branch", 3, "y", (4, 5)),
        ("branch", 5, "x--", (6, 7)),
        ("case", 6, "y + 1", (-1, 8)),
        ("case", 6, "y + 1", (-1, 9)),
        ("case", 6, "y + 1", (10, 11)),
        ("select", 6, "x", (12, 13)),
    ]
    cases = [site.sides for site in unit.sites if site.kind == SiteKind.CASE]
    assert cases == [("default", "case 4"), ("default", "case 7"), ("default", "case 8")]
    assert unit.item_count == 14
    graph = {function.name: function for function in unit.functions}
    assert graph["f"].line == 1
    assert len(graph["f"].successors[0]) == 2


def test_a_table_of_labels_takes_no_functions_address(tmp_path: Path) -> None:
    """`&&label` is `blockaddress(@jumps, %label)` in the IR; only `named` can be called through data."""
    unit = unit_of(
        tmp_path,
        """int jumps(unsigned x) { static void *to[] = {&&one, &&two}; goto *to[x & 1]; one: return 1; two: return 2; }
static int named(int x) { return x; }
int (*call)(int) = named;
""",
    )
    assert unit.addresses == ("named",)


def test_checks_have_no_items_and_say_what_they_check(tmp_path: Path) -> None:
    flags = ("-fsanitize=signed-integer-overflow,array-bounds", "-fsanitize-trap=all")
    unit = unit_of(tmp_path, "int t[4]; int f(int x) { return t[x] + x; }", *flags)
    checks = [site for site in unit.sites if site.kind == SiteKind.CHECK]
    assert [site.text.lower() for site in checks] == [
        "array index out of bounds",
        "signed integer addition overflow in 't[x] + x'",
    ]
    assert unit.item_count == 0


def test_a_users_own_trap_is_a_branch(tmp_path: Path) -> None:
    unit = unit_of(tmp_path, "void f(int x) { if (x) __builtin_trap(); }")
    assert [site.kind for site in unit.sites if site.items != (-1, -1)] == [SiteKind.BRANCH]


def test_loops_that_fill_the_rest_of_initialisers_are_no_branches(tmp_path: Path) -> None:
    text = (
        "int f(char a, int i) { char x[3][2] = {{a}, {1, a}, [2] = { a }}; while (i--) x[i][0]++; return x[0][0]; }\n"
    )
    assert decisions(unit_of(tmp_path, text)) == [("branch", 1, "i--", (0, 1))]


def test_a_library_has_no_items(tmp_path: Path) -> None:
    unit = unit_of(tmp_path, "int f(int x) { return x > 3 ? g(x) : 4; }", is_library=True)
    assert {site.kind for site in unit.sites} == {SiteKind.LIBRARY}
    assert unit.item_count == 0
    assert "veer_coverage_ab12, " not in unit.text


def test_calls_keep_their_names_in_the_source_after_redirection(tmp_path: Path) -> None:
    text = """#include <string.h>
#include <stdlib.h>
extern struct s { int a, b; } data; double other(int, char *, ...);
long f(const char *p) { if (data.b) abort(); return strlen(p) + (long)other(1, 0, 2) + (long)&memchr; }
"""
    unit = unit_of(tmp_path, text, redirect={"strlen": "veer_libc_strlen"})
    assert "@veer_libc_strlen(" in unit.text and "@strlen(" not in unit.text
    calls = {function.name: function.calls for function in unit.functions}
    assert set(calls["f"]) == {"abort", "strlen", "other"}
    assert [site.text for site in unit.sites if site.kind == SiteKind.CALL] == ["abort", "strlen", "other"]


def test_redirection_leaves_strings_and_own_definitions_alone(tmp_path: Path) -> None:
    text = 'char *strdup(const char *p) { return 0; } const char *f(void) { return strdup("@strlen"); }'
    unit = unit_of(tmp_path, text, redirect={"strdup": "veer_libc_strdup", "strlen": "veer_libc_strlen"})
    assert 'c"@strlen\\00"' in unit.text
    assert "veer_libc" not in unit.text


def test_uninstrumented_functions_stay_as_they_are(tmp_path: Path) -> None:
    text = "static int hash(int x) { return x * 31 > 5 ? x : 2; } int f(int x) { return hash(x); }"
    unit = unit_of(tmp_path, text, uninstrumented=frozenset({"hash"}))
    assert [function.name for function in unit.functions] == ["f"]
    assert {site.function for site in unit.sites} == {"f"}
    body = unit.text[unit.text.index("define internal i32 @hash(") :]
    assert "veer" not in body[: body.index("\n}")]
    assert "@veer_uninstrumented_begin" in unit.text


def test_globals_of_every_linkage_are_objects(tmp_path: Path) -> None:
    text = """static int a = 1; int b; const int c[3] = {1, 2, 3}; _Thread_local int d = 4;
__attribute__((weak)) int e = 5;
__attribute__((section("mine"))) int g = 6;
__attribute__((used)) static int h = 7; extern int outside;
__attribute__((aligned(64))) char i[3]; static char big[1 << 16];
int f(void) { return a + b + c[0] + d + e + g + outside + i[0] + big[3]; }
"""
    unit = unit_of(tmp_path, text, "-fcommon")
    lines = {line.split(" ")[0]: line for line in unit.text.splitlines() if line.startswith("@")}
    for name in "abcdehi":
        assert " alias " in lines[f"@{name}"]
    assert "weak alias" in lines["@e"]
    assert "weak alias" in lines["@b"]
    assert "thread_local" not in unit.text
    assert 'section "veer_const"' in lines["@veer.c"]
    assert 'section "mine"' in lines["@g"]
    assert "align 64" in lines["@veer.i"]
    assert lines["@llvm.used"].count("ptr @") == 9


def test_descriptions_reach_the_executable_and_inputs_get_elements(tmp_path: Path) -> None:
    text = """#include <stdio.h>
struct global { const void *address; unsigned long size; const char *name; unsigned writable, visible; };
extern const struct global __start_veer_objects[], __stop_veer_objects[];
void veer_input(void *, unsigned long, const char *);
int number; short shorts[4];
static long described(void) {
    long total = 0;
    for (const struct global *g = __start_veer_objects; g < __stop_veer_objects; g++)
        total += g->address == &number || g->address == shorts ? g->size : 0;
    return total;
}
int program(void) {
    int x;
    struct { char c; int i; } s;
    veer_input(&x, sizeof x, "x"); veer_input(shorts, sizeof shorts, "shorts"); veer_input(&s, sizeof s, "s");
    return described() + (x & 0);
}
"""
    unit = unit_of(tmp_path, text, uninstrumented=frozenset({"described"}), has_fast_path=False)
    made = [line for line in unit.text.splitlines() if "call void @veer_make_symbolic" in line]
    assert [line.rsplit("i64 ", 1)[1].rstrip(")") for line in made] == ["4", "2", "1"]
    done = ran(executable(tmp_path, unit, "mirror_runtime"))
    assert done.output.endswith("result 12\n"), done.output


@pytest.mark.parametrize(
    ("source", "column", "text"),
    [
        ("    if (a < b && c)", 11, "a < b"),
        ("    if (a < b && c)", 18, "c"),
        ("    for (i = 0; i <= n; i++)", 19, "i <= n"),
        ("    for (int k = 0; k < 4 && p; k++)", 5, "k < 4 && p"),
        ("    for (; f(k, 2);)", 5, "f(k, 2)"),
        ("    return f(x, y) == 3 ? 1 : 2;", 20, "f(x, y) == 3"),
        ("    x = p[i] != ')' || q;", 14, "p[i] != ')'"),
        ("    switch (x + 1) {", 5, "x + 1"),
        ("    while ((c = *p++) != 0)", 23, "(c = *p++) != 0"),
        ("    if (!p)", 10, "p"),
        ("    if (!p)", 9, "!p"),
        ("    while (q && !list->next[i].on)", 31, "list->next[i].on"),
        ("    if (!f(a, b))", 10, "f(a, b)"),
        ("    if (!a == b)", 12, "!a == b"),
        ("    if (!a - b)", 12, "!a - b"),
        (f"    if (!{'a' * 60} - b)", 71, f"!{'a' * 60} - b"),  # no backtracking over a long name
        ('    ok = strcmp(a, "x,y") == 0;', 27, 'strcmp(a, "x,y") == 0'),
    ],
)
def test_condition_texts(source: str, column: int, text: str) -> None:
    assert ConditionText(lambda _: [source]).at(Position("a.c", 1, column)) == text


def test_constructors_are_not_lost(tmp_path: Path) -> None:
    text = """static int made; void veer_input(void *, unsigned long, const char *);
__attribute__((constructor(102))) static void later(void) { made = made * 2 + 1; }
__attribute__((constructor(101))) static void early(void) { made += 3; }
int program(void) { return made; }
"""
    concolic = unit_of(tmp_path, text)
    listed = [line for line in concolic.text.splitlines() if 'section "veer_constructors"' in line]
    assert [line.split(",")[0].rsplit(" ", 1)[1] for line in listed] == ["@early", "@later"]
    counters = unit_of(tmp_path, text, mode="counters")
    assert ran(executable(tmp_path, counters, "plain_main")).output == "result 7\n"
    assert ran(executable(tmp_path, concolic, "mirror_runtime")).output == "result 7\n"


def test_naked_functions_stay_as_they_are(tmp_path: Path) -> None:
    text = """__attribute__((naked)) int bare(void) { __asm__("mov $5, %eax; ret"); }
int program(void) { return bare(); }
"""
    unit = unit_of(tmp_path, text)
    assert [function.name for function in unit.functions] == ["program"]
    assert ran(executable(tmp_path, unit, "mirror_runtime")).output == "result 5\n"
