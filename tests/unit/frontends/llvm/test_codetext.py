"""Texts of definitions: the same where only what stands around them has changed, others where they have."""

from __future__ import annotations

from pathlib import Path

import pytest

from veer.frontends.llvm.codetext import ProgramText
from veer.frontends.llvm.compiled import compile_module
from veer.toolchain.compiler import find

SOURCE = """struct pair { int low; unsigned high; };
static int level = 3;
static const char *text(void) { return "one"; }
static int one(int n) { return n + level; }
static int other(int n) { return n - 1; }
static int (*table[])(int) = {one};
int direct(int n) { return one(n); }
int indirect(int n) { return table[0](n); }
int called(int (*f)(int)) { return f(3); }
int field(struct pair *pair) { return pair->low; }
const char *word(void) { return text(); }
"""


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Texts:
    return Texts(tmp_path_factory.mktemp("texts"))


class Texts:
    """The text of what a function reaches, in a source with a change."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "a.c"
        self._made: dict[str, ProgramText] = {}

    def of(self, function: str, before: str = "", after: str = "") -> str:
        source = SOURCE.replace(before, after) if before else SOURCE
        assert source != SOURCE or not before
        if source not in self._made:
            self._file.write_text(source)
            self._made[source] = ProgramText([compile_module(find(None), self._file, ())])
        program = self._made[source]
        return "\n".join(program.text(program.closure([function], (0,))))


EVERY = ("direct", "indirect", "called", "field", "word")


@pytest.mark.parametrize(
    ("before", "after", "changed"),
    [
        ("static int level", "\n\nstatic int level", ()),
        ("static int other", 'const char *more(void) { return "more"; }\nstatic int other', ()),
        ("n - 1", "n - 2", ()),
        ("n + level", "n * level", ("direct", "indirect", "called")),
        ("level = 3", "level = 4", ("direct", "indirect", "called")),
        ("{one}", "{other}", ("indirect", "called")),
        ('"one"', '"two"', ("word",)),
        ("unsigned high", "int high", ("field",)),
        ("int low;", "int low; char tag;", ("field",)),
    ],
)
def test_what_changes(texts: Texts, before: str, after: str, changed: tuple[str, ...]) -> None:
    assert tuple(name for name in EVERY if texts.of(name) != texts.of(name, before, after)) == changed
