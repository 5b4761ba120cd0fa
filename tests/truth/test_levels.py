"""A unit without optimisation beside optimised ones: the same search, run by run, as with optimisation everywhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from veer_side import explore

from veer.frontends.llvm.compiled import compile_module
from veer.frontends.llvm.levels import GIANT_FUNCTION, with_levels
from veer.frontends.llvm.unit import UnitRequest
from veer.model.buildoptions import BuildOptions
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions
from veer.toolchain.compiler import find

MAIN = """
struct pair { signed char low, high; long rest; };
extern int walk(const char *text, int (*classify)(int), struct pair limits);
static int classify(int c) { return c == '-' ? 2 : c >= '0' && c <= '9'; }
int entry(const char *text, struct pair limits) {
    int found = walk(text, classify, limits);
    if (found == 12) return -1;
    return found > limits.low;
}
"""
BESIDE = """
struct pair { signed char low, high; long rest; };
static int depth;
static struct pair swapped(struct pair limits) {
    struct pair other = { limits.high, limits.low, limits.rest + 1 };
    return limits.low > limits.high ? other : limits;
}
int walk(const char *text, int (*classify)(int), struct pair limits) {
    int sum = 0;
    limits = swapped(limits);
    for (depth = 0; text[depth]; depth++) {
        int kind = classify(text[depth]);
        if (kind == 2) sum = -sum;
        else if (kind) sum = sum * 10 + (text[depth] - '0');
        else return -depth;
    }
    return sum < limits.low ? limits.low : sum;
}
"""
LONG = "counter_" * 500
LINES = GIANT_FUNCTION // len(LONG)
GIANT = f"int {LONG};\nint giant(int x) {{\n" + f"    x += {LONG};\n" * LINES + "    return x;\n}\n"
"""Long names make IR long, and cost less time than many instructions."""


def searched(folder: Path, beside: str) -> Result:
    folder.mkdir()
    sources = (folder / "beside.c", folder / "main.c")
    for source, text in zip(sources, (beside, MAIN), strict=True):
        source.write_text(text)
    build = BuildOptions(sources=sources, entry="entry", max_length=2)
    return explore(build, SearchOptions(strategy="dfs", criterion="path", budget=120.0))


@pytest.mark.usefixtures("unhurried")
def test_a_unit_of_level_0_among_others_changes_nothing(tmp_path: Path) -> None:
    everywhere, mixed = searched(tmp_path / "small", BESIDE), searched(tmp_path / "giant", BESIDE + GIANT)
    assert everywhere.paths > 50
    assert everywhere.ending.claim == mixed.ending.claim == "paths"
    assert (mixed.runs, mixed.paths, mixed.diverged) == (everywhere.runs, everywhere.paths, 0)
    assert mixed.queries == everywhere.queries
    assert [(test.inputs, test.returned, test.replayed) for test in mixed.tests] == [
        (test.inputs, test.returned, test.replayed) for test in everywhere.tests
    ]
    assert {test.replayed for test in mixed.tests} == {"same"}


def test_the_giant_is_generated_at_level_0(tmp_path: Path) -> None:
    (tmp_path / "giant.c").write_text(BESIDE + GIANT)
    module = compile_module(find(), tmp_path / "giant.c", ())
    assert [unit.level for unit in with_levels([UnitRequest("giant", module.ir)])] == [0]
