"""Which sources need -fgnu89-inline: those in which an inline function of C99 would have no code."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from veer.frontends.c.inlined import GNU89, inline_flags

NEEDED = {
    "plain": "inline int twice(int x) { return 2 * x; }",
    "of gcc": "__inline__ int twice(int x)\n{ return 2 * x; }",
    "behind others": "struct s { int a; };\nint one(void) { return 1; }\nint inline *twice(int x) { return 0; }",
    "behind a macro": "#define MAP(name)\nMAP(of_texts)\ninline void twice(int (*f)(int), int x)\n{\n}\n",
    "by a macro": "#define INLINE inline\nINLINE int twice(int x) { return 2 * x; }",
    "in a header": '#include "own.h"\nint f(int x) { return thrice(x); }',
    "in a folder": '#include "deep/own.h"\nint f(int x) { return thrice(x); }',
}
NOT_NEEDED = {
    "static": "static inline int twice(int x) { return 2 * x; }",
    "static behind it": "inline static int twice(int x) { return 2 * x; }",
    "declared": "inline int twice(int x) { return 2 * x; }\nextern inline int twice(int x);",
    "extern": "extern inline int twice(int x) { return 2 * x; }",
    "both": "inline int twice(int x) { return 2 * x; }\nextern inline int thrice(int x) { return 3 * x; }",
    "a comment": "/* inline int twice(int x) { return 2 * x; } */ int y;",
    "a text": 'const char *s = "inline int twice(int x) { return 2 * x; }";',
    "a declaration": "inline int twice(int x);",
    "nothing": "int f(int x) { return x; }",
}


@pytest.mark.parametrize("name", [*NEEDED, *NOT_NEEDED])
def test_which_sources_need_code_of_their_inline_functions(name: str, tmp_path: Path) -> None:
    source = tmp_path / "unit.c"
    source.write_text((NEEDED | NOT_NEEDED)[name])
    (tmp_path / "own.h").write_text("inline int thrice(int x) { return 3 * x; }\n")
    (tmp_path / "include" / "deep").mkdir(parents=True)
    (tmp_path / "include" / "deep" / "own.h").write_text("inline int thrice(int x) { return 3 * x; }\n")
    assert inline_flags(source, ("-I", str(tmp_path / "include"))) == ((GNU89,) if name in NEEDED else ())


LONG = {
    "comments": "/*" * 400_000,
    "quotes": '\\"' * 400_000,
    "lines": "\n" * 800_000,
    "brackets": "(" * 800_000,
    "ends": "; " * 400_000,
    "directives": "#\\\n" * 300_000,
}


@pytest.mark.parametrize("name", LONG)
def test_a_text_that_is_made_to_take_long_does_not(name: str, tmp_path: Path) -> None:
    source = tmp_path / "unit.c"
    source.write_text("inline int twice(int x) { return 2 * x; }\n" + LONG[name])
    began = time.process_time()
    inline_flags(source, ())
    assert time.process_time() - began < 20
