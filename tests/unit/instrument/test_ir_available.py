"""Which loads of a function are tested: those whose bytes may have changed since they were last loaded or stored."""

from __future__ import annotations

from pathlib import Path

import pytest
from ir_fixtures import instrumented, prepared

pytestmark = pytest.mark.xdist_group("ir_unit")

CELL = "struct cell { int a; int b; char text[4]; struct cell *next; };\n"

TESTED = {  # body of a function of `struct cell *p, int *q, int n` → how many of its loads are tested
    "return p->a + p->a;": 1,
    "return p->a + p->b;": 2,
    "return p->next->a + p->next->a;": 2,
    "int a = p->a; p->b = 1; return a + p->a;": 1,
    "int a = p->a; *q = 1; return a + p->a;": 2,
    "int a = p->a; p->text[n] = 1; return a + p->a;": 2,
    "p->a = n; return p->a;": 0,
    "p->a = n; ((char *)p)[2] = 1; return p->a;": 1,
    "int a = p->a; outside(); return a + p->a;": 2,
    "if (p->a) return p->a; return -p->a;": 1,
    "int r = 0; if (n) r = p->a; return r + p->a;": 2,
    "int r = 0; while (p->a > r) r += p->a; return r;": 1,
    "return p->text[n] + p->text[n];": 1,
    "return p->text[n] + p->text[n + 1];": 2,
    "int i = p->b; return p->text[i] + p->text[p->b];": 2,
    "return *(volatile int *)q + *(volatile int *)q;": 2,
    "return p->a + *(char *)p;": 2,
    "static int g; g = n; *q = 2; return g;": 1,
    "static int g, h; g = n; h = 2; return g;": 0,
}


@pytest.mark.parametrize("body", TESTED)
def test_only_loads_that_may_have_changed_are_tested(tmp_path: Path, body: str) -> None:
    text = f"{CELL}void outside(void);\nint f(struct cell *p, int *q, int n) {{ {body} }}\n"
    unit = instrumented(prepared(tmp_path, text), has_fast_path=False)
    assert unit.text.count("call i32 @veer_load(") == TESTED[body]


def test_the_hash_is_kept_in_a_variable_where_there_are_loops(tmp_path: Path) -> None:
    text = "void g(void); int f(int n) { while (n) { g(); n--; } return 0; }\nint h(int n) { return n ? 2 : 3; }\n"
    unit = instrumented(prepared(tmp_path, text), has_fast_path=False)
    first, second = unit.text.split("define ")[1:3]
    assert first.count("%veer.hash = alloca") == 1
    assert "%veer.hash" not in second
