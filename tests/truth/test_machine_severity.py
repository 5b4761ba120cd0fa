"""Whose fault a bug of machine code is: a null that the code never tests, a length that it never asks for are the
caller's. What it tests in a function that it calls, behind the stack or at the end of a path, it tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from machine_extra import NEEDS_MACHINE
from sampling import sampled
from test_machine import compiled

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.outcome import Outcome
from veer.model.searchoptions import SearchOptions

pytestmark = NEEDS_MACHINE
ALONE = "__attribute__((noinline)) static"
UNIT = f"""
typedef __SIZE_TYPE__ size_t;
size_t strlen(const char *);
{ALONE} int asks(const int *p) {{ return p ? *p : 3; }}
{ALONE} int follows(const int *p) {{ return *p; }}
{ALONE} const int *gives(const int *p, int x) {{ return x > 90 ? 0 : p; }}
int untested(const char *p) {{ return p[0] == 'a'; }}
int tested(const int *p, int x) {{ if (x > 5) return *p; if (!p) return -1; return 0; }}
int called(const int *p, int x) {{ if (x == 4) return *p; return asks(p); }}
int second(int x, const int *p) {{ if (x == 4) return *p; return asks(p) + x; }}
int result(const int *p, int x) {{ const int *q = gives(p, x); if (x == 7) return *p; return q ? 1 : 2; }}
int kept(const int *p, int x) {{ int a = follows(&x); if (a == 3) return *p; return p ? a : 0; }}
int loops(const int *p, int x) {{
    int a = 0;
    for (int i = 0; i < (x & 3); i++) a += follows(&x);
    if (a == 9) return *p;
    return p ? a : 0;
}}
int stays(const int *p, int x) {{
    const int *q = gives(p, x);
    int a = follows(&x);
    if (a == 7) return *p;
    for (int i = 0; i < (x & 1); i++) a += follows(&a);
    return q ? 1 : a;
}}
int afterwards(const int *p, int x) {{
    int a = x;
    const int *q = gives(&a, x);
    if (!q) return 1;
    return *p + *q;
}}
int table(const unsigned char *p, int x) {{
    switch (x) {{
    case 0: return p[0] * 3;
    case 1: return 7 - p[0];
    case 2: return p[0] >> 3;
    case 3: return p[0] & 9;
    case 4: return 4000 / (p[0] + 1);
    case 5: return p[0] ^ 85;
    default: return 0;
    }}
}}
extern int elsewhere(const int *p);
int outside(const int *p, int x) {{ if (x == 5) return elsewhere(p); return *p; }}
int unasked(const int *p, int x) {{ return follows(p) + x; }}
int beside(const int *p, const int *q) {{ if (!q) return *p; return *q; }}
int length(const unsigned char *p, int n) {{ return p[3]; }}
int bounded(const unsigned char *p, int n) {{ int s = 0; for (int i = 0; i <= n; i++) s += p[i]; return s; }}
int fixed(const unsigned char p[4]) {{ return p[4]; }}
int one(int *p) {{ return p[2]; }}
int library(const char *p) {{ return (int)strlen(p); }}
int behind(const char *p) {{ int n = 0; while (p[n]) n++; return p[n + 1]; }}
int blind(const char *p) {{ return p[0] + p[3]; }}
int fills(char *p) {{ p[0] = p[1] = p[2] = p[3] = p[4] = 'x'; return 0; }}
"""
NULL, BOUNDS, WRITTEN = Outcome.SEGFAULT_NULL, Outcome.BOUNDS_READ, Outcome.BOUNDS_WRITE
EXPECTED = {
    "int untested(const char *p)": {(NULL, "contract")},
    "int tested(const int *p, int x)": {(NULL, "error")},
    "int called(const int *p, int x)": {(NULL, "error")},
    "int second(int x, const int *p)": {(NULL, "error")},
    "int result(const int *p, int x)": {(NULL, "error")},
    "int kept(const int *p, int x)": {(NULL, "error")},
    "int loops(const int *p, int x)": {(NULL, "error")},
    "int stays(const int *p, int x)": {(NULL, "error")},
    "int afterwards(const int *p, int x)": {(NULL, "contract")},
    "int table(const unsigned char *p, int x)": {(NULL, "contract")},
    "int outside(const int *p, int x)": {(NULL, "error")},
    "int unasked(const int *p, int x)": {(NULL, "contract")},
    "int beside(const int *p, const int *q)": {(NULL, "contract")},
    "int length(const unsigned char *p, int n)": {(NULL, "contract"), (BOUNDS, "contract")},
    "int bounded(const unsigned char *p, int n)": {(NULL, "contract"), (BOUNDS, "error")},
    "int fixed(const unsigned char p[4])": {(NULL, "contract"), (BOUNDS, "error")},
    "int one(int *p)": {(NULL, "contract"), (BOUNDS, "contract")},
    "int library(const char *p)": {(NULL, "contract")},
    "int behind(const char *p)": {(NULL, "contract"), (BOUNDS, "error")},
    "int blind(const char *p)": {(NULL, "contract"), (BOUNDS, "contract")},
    "int fills(char *p)": {(NULL, "contract"), (WRITTEN, "contract")},
}
MACHINES = ("x86-64", "thumb", "arm", "riscv64", "aarch64")


@pytest.mark.parametrize("name", sampled(MACHINES, lambda name: name in ("x86-64", "thumb")))
@pytest.mark.parametrize("prototype", EXPECTED)
def test_whose_fault_it_is(name: str, prototype: str, tmp_path: Path) -> None:
    entry = prototype.split("(")[0].split()[-1]
    for level in ("-O1", "-O2"):
        path = compiled(name, UNIT, level, tmp_path)
        build = BuildOptions((path,), entry, prototype=prototype, max_length=4)
        result = campaign.run(build, SearchOptions(budget=20, shrink=False))
        found = {(bug.outcome, bug.severity.value) for bug in result.bugs}
        assert found == EXPECTED[prototype], (level, result.bugs)
        is_counted = "int *" in prototype  # nothing says how many there are
        assert any(each.startswith("max-array") for each in result.program.bounds) is is_counted, result.program.bounds


def test_without_optimisation_what_is_tested_is_never_the_callers(tmp_path: Path) -> None:
    """Parameters lie on the stack there, and come back from it behind calls."""
    path = compiled("x86-64", UNIT, "-O0", tmp_path)
    for prototype, expected in EXPECTED.items():
        entry = prototype.split("(")[0].split()[-1]
        build = BuildOptions((path,), entry, prototype=prototype, max_length=4)
        result = campaign.run(build, SearchOptions(budget=20, shrink=False))
        found = {(bug.outcome, bug.severity.value) for bug in result.bugs}
        assert {kind for kind, severity in expected if severity == "error"} <= {
            kind for kind, severity in found if severity == "error"
        }, (prototype, found)


UNOPTIMISED = """
static unsigned find(unsigned k) { return k * 37u >> (k & 7); }
int sums(const unsigned char *p, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s += find(p[i]) & 1;
    return s;
}
int flags(const unsigned char *p, int n) {
#ifdef __x86_64__
    unsigned char overflows;
    const unsigned char *moved = p;
    __asm__("addq %2, %0; seto %1" : "+r"(moved), "=r"(overflows) : "r"((long)n));
    if (overflows) return 7;
#endif
    return *p;
}
int asked(const unsigned char *p, int n) {
    int s = 0;
    if (n == 2) s = p[1];
    return p ? s + (int)find(p[0]) : s;
}
"""


@pytest.mark.parametrize("name", sampled(("x86-64", "powerpc", "arm"), lambda name: name != "arm"))
def test_without_optimisation_the_caller_is_found_too(name: str, tmp_path: Path) -> None:
    """Flags of a sum with a pointer, and a stack with its highest byte first, ask nothing of the pointer."""
    path = compiled(name, UNOPTIMISED, "-O0", tmp_path)
    for entry, severity in (("sums", "contract"), ("flags", "contract"), ("asked", "error")):
        build = BuildOptions((path,), entry, prototype=f"int {entry}(const unsigned char *p, int n)", max_length=4)
        result = campaign.run(build, SearchOptions(budget=20, shrink=False))
        nulls = {bug.severity.value for bug in result.bugs if bug.outcome is NULL}
        assert nulls == {severity}, (entry, result.bugs)
