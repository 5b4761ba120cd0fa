"""Which functions have a `return;` that gives no value, though their type promises one."""

from __future__ import annotations

from pathlib import Path

import pytest
from front_fixtures import toolchain

from veer.frontends.c.valueless import forgets_value
from veer.frontends.llvm.compiled import compile_module

TEXT = """
int getchar(void);
main() { int c = getchar(); if (c == 1) { getchar(); return; } if (c == 2) return 5; getchar(); }
int once() { getchar(); return ; }
int falls_off_main_only(int x) { if (x) return 1; return 2; }
int text(int x) { const char *s = "return;"; /* return; */ return s[x] == 'x' ? x : 3; }
int block(int n) { int t[n]; t[0] = n; if (n == 7) return t[0]; return n; }
int in_block(int n) { int t[n]; t[0] = n; if (t[0] == 7) return; return n; }
"""


@pytest.mark.parametrize(
    ("function", "forgets"),
    [
        ("main", True),
        ("once", True),
        ("in_block", True),
        ("falls_off_main_only", False),
        ("text", False),
        ("block", False),
        ("no_such_function", False),
    ],
)
def test_a_return_without_a_value_is_found(function: str, forgets: bool, tmp_path: Path) -> None:
    source = tmp_path / "old.c"
    source.write_text(TEXT)
    assert forgets_value(compile_module(toolchain(), source, ()), function) is forgets
