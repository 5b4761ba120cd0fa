"""Libraries that are not instrumented and call back into the unit: what they write is what the unit reads."""

from __future__ import annotations

from pathlib import Path

import pytest
from veer_side import explore

from veer.model.buildoptions import BuildOptions
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions
from veer.toolchain.compiler import find, run, target_flags

LIBRARY = """
void give(int *cell, void (*look)(int *)) {
    *cell = 5;
    look(cell);
    *cell = 6;
    look(cell);
}
"""
UNIT = """
void give(int *cell, void (*look)(int *));
static int fives, sixes, kept;
static void look(int *cell) {
    if (*cell == 5)
        fives++;
    if (*cell == 6)
        sixes++;
    *cell = kept; /* the library writes over it */
}
int taken(signed char x) {
    int cell = x;
    kept = x;
    give(&cell, look);
    if (kept == 7)
        return 100;
    return 10 * fives + sixes;
}
"""


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Result:
    """The unit's campaign with the library linked to it."""
    place = tmp_path_factory.mktemp("foreign")
    source, library, unit = place / "library.c", place / "libgive.so", place / "unit.c"
    source.write_text(LIBRARY)
    unit.write_text(UNIT)
    toolchain = find()
    flags = (*target_flags(toolchain), "-shared", "-fPIC", "-O1", "-fno-sanitize=all")
    said = run(toolchain, (*flags, str(source), "-o", str(library)))
    assert said.code == 0, said.messages
    build = BuildOptions(sources=(unit,), entry="taken", link=(str(library),))
    return explore(build, SearchOptions(criterion="path", budget=20.0))


def test_callbacks_see_what_the_library_wrote(result: Result) -> None:
    returned = {int.from_bytes(test.returned or b"", "little") for test in result.tests}
    assert returned == {11, 100}
    assert result.diverged == 0
    assert result.paths == 2


def test_what_symbolic_data_became_is_in_the_ledger(result: Result) -> None:
    assert result.ending.claim == "none"
    assert {entry.kind for entry in result.ledger} == {"external"}


HOOKS = """
#include <stdlib.h>
#include <string.h>
static struct {
    void *(*allocate)(size_t);
    void (*release)(void *);
    void *(*copy)(void *, const void *, size_t);
} hooks = {malloc, free, memcpy};
int hooked(unsigned char x) {
    unsigned char *block = hooks.allocate(2), other = x;
    hooks.copy(block + 1, &other, 1);
    int result = 0;
    if (block[1] > 200)
        result = 1;
    else if (block[1] == 7)
        result = 2;
    hooks.release(block);
    return other == 9 ? 3 : result;
}
"""


def test_the_allocator_and_memcpy_behind_pointers_are_not_foreign(tmp_path: Path) -> None:
    source = tmp_path / "hooks.c"
    source.write_text(HOOKS)
    build = BuildOptions(sources=(source,), entry="hooked")
    result = explore(build, SearchOptions(criterion="path", budget=20.0))
    returned = {int.from_bytes(test.returned or b"", "little") for test in result.tests}
    assert returned == {0, 1, 2, 3}
    assert (result.ending.claim, result.ledger) == ("paths", ())
