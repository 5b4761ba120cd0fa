"""Reads of what was never written, against an interpreter that knows for each value what it may be."""

from __future__ import annotations

from pathlib import Path

import pytest
from sampling import first
from suite_builds import build_suite
from unwritten_program import BUG, INPUTS, Function, program, text
from veer_side import explore, losses

from veer.model.buildoptions import BuildOptions
from veer.model.inputs import Scalar
from veer.model.result import Result, Test
from veer.model.searchoptions import SearchOptions

COPIES = """
struct box { int a, b; unsigned low : 3, high : 5; char tag; };
struct box last;
int fill(struct box *to, int x)
{
    struct box made;
    if (!to)
        return 0;
    made.a = x;
    made.low = 1;
    if (x > 3) {
        made.b = 2;
        made.high = 7;
        made.tag = 't';
    }
    *to = made;
    last = made;
    return made.low;
}
struct box make(int x)
{
    struct box made;
    fill(&made, x);
    return made;
}
"""
BIT_FIELDS = """
struct state { unsigned char count : 3, twos : 4, is_seen : 1; int sum; };
static void step(struct state *s, unsigned char c)
{
    s->count = s->count + 1;
    if (s->count == 2)
        s->twos++;
    if (c == ' ')
        s->is_seen = 1;
}
int steps(const unsigned char text[2])
{
    struct state s;
    s.count = 1, s.twos = 0, s.is_seen = 0, s.sum = 0;
    for (int i = 0; i < 2000; i++)
        step(&s, 'x');
    step(&s, text[0]), step(&s, text[1]);
    return s.is_seen ? s.twos : s.sum;
}
"""
SEEDS = first(1, 60)
FUNCTIONS = 24


@pytest.mark.parametrize("seed", SEEDS)
def test_random_functions_that_forget_to_set_variables(seed: int, tmp_path: Path) -> None:
    functions = program(seed, FUNCTIONS)
    source = tmp_path / "forgetful.c"
    source.write_text(text(functions))
    build = BuildOptions(sources=(source,), entry="entry", checks=(BUG,))
    result = explore(build, SearchOptions(criterion="path", budget=60.0))
    assert result.ending.claim == "paths", losses(result)
    check_what_is_said(functions, result)
    check_what_is_found(functions, result)


def check_what_is_said(functions: tuple[Function, ...], result: Result) -> None:
    """Each test ends as the interpreter ends, and returns what it returns."""
    for test in result.tests:
        which, n = inputs_of(test)
        expected = functions[which].expected(n) if which < len(functions) else 0
        about = f"f_{which}({n}): {functions[which].text() if which < len(functions) else ''}"
        if expected == BUG:
            assert test.outcome.key == BUG, about
        else:
            assert test.outcome.key == "returned", about
            assert int.from_bytes(test.returned or b"", "little", signed=True) == expected, about


def check_what_is_found(functions: tuple[Function, ...], result: Result) -> None:
    """Every function that uses what was never written, for some input, has a test that shows it."""
    shown = {inputs_of(test)[0] for test in result.tests if test.outcome.key == BUG}
    wanted = {each.number for each in functions if any(each.expected(n) == BUG for n in INPUTS)}
    assert wanted <= shown
    assert len(wanted) < len(functions), "some functions have no bug"


def inputs_of(test: Test) -> tuple[int, int]:
    """The number of the function, and n."""
    which, n = (root.cells[0].value for root in test.inputs.roots)
    assert isinstance(which, Scalar)
    assert isinstance(n, Scalar)
    return which.number, n.number


def test_copies_are_a_note_and_no_suite_expects_them(tmp_path: Path) -> None:
    source = tmp_path / "copies.c"
    source.write_text(COPIES)
    for entry, names in (("fill", {"last", "what to leads to"}), ("make", {"last"})):
        out = tmp_path / entry
        result = explore(BuildOptions((source,), entry), SearchOptions(criterion="path", budget=30.0), out)
        assert not result.bugs
        assert {test.replayed for test in result.tests} == {"same"}
        told = {note.partition(" has bytes")[0] for note in result.program.notes if "never written" in note}
        assert told == names
        suite = (out / "suite" / f"test_{entry}.c").read_text()
        assert "last.a" in suite
        done = build_suite(tmp_path, f"again_{entry}.c", suite).run()
        assert done.returncode == 0, done.stdout


def test_bit_fields_that_were_set_one_by_one_are_concrete_again(tmp_path: Path) -> None:
    source = tmp_path / "bits.c"
    source.write_text(BIT_FIELDS)
    result = explore(BuildOptions((source,), "steps"), SearchOptions(criterion="path", budget=30.0))
    assert not result.bugs
    assert (result.ending.claim, result.paths) == ("paths", 4)
    assert result.operations.symbolic < 500 * result.runs, "no step of the loop is one"


def test_what_others_write_and_what_is_copied_is_no_bug() -> None:
    source = Path(__file__).parent / "unwritten" / "calls.c"
    result = explore(
        BuildOptions((source,), "entry", link=("m",)), SearchOptions(criterion="path", budget=8.0, max_runs=300)
    )
    assert [bug.message for bug in result.bugs] == []
    assert result.paths >= 8


SIZED = """
#include <stdlib.h>
int spot(unsigned char n, unsigned char i)
{
    if (i > 24) return 0;
    short *p = malloc(n * sizeof *p);
    if (!p || n < 25) { free(p); return 1; }
    p[i] = 7;
    int found = p[20] == 7 ? 2 : p[2];
    free(p);
    return found;
}
int place(unsigned char i)
{
    short p[25];
    if (i > 24) return 0;
    p[i] = 7;
    return p[20] == 7 ? 2 : p[2];
}
int first(unsigned char n, unsigned char from)
{
    if (n < 1 || n > 6 || from > 6) return 0;
    int *v = malloc(n * sizeof *v);
    if (!v) return -1;
    for (int i = from; i < n; i++) v[i] = i;
    int read = v[n - 1] > 3 ? 2 : 1;
    free(v);
    return read;
}
"""


def test_blocks_of_a_size_that_is_an_input(tmp_path: Path) -> None:
    """The last element is written unless `from` lies behind it."""
    source = tmp_path / "sized.c"
    source.write_text(SIZED)
    result = explore(BuildOptions((source,), "first"), SearchOptions(criterion="path", budget=30.0))
    assert result.ending.claim == "paths"
    for test in result.tests:
        cells = {root.name: root.cells[0].value for root in test.inputs.roots}
        n, start = cells["n"], cells["from"]
        assert isinstance(n, Scalar) and isinstance(start, Scalar)
        is_used = 1 <= n.number <= 6 and n.number <= start.number <= 6
        assert (test.outcome.key == BUG) == is_used, (n.number, start.number, test.outcome)
    assert [bug.outcome.key for bug in result.bugs] == [BUG]


@pytest.mark.parametrize(("entry", "returned"), [("spot", {0, 1, 2}), ("place", {0, 2})])
def test_an_element_that_an_index_wrote(tmp_path: Path, entry: str, returned: set[int]) -> None:
    """Of the inputs of one path 20 alone writes what is compared: no input was said to reach either side."""
    source = tmp_path / "sized.c"
    source.write_text(SIZED)
    result = explore(BuildOptions((source,), entry), SearchOptions(criterion="path", budget=30.0))
    assert (result.ending.claim, result.ledger) == ("paths", ())
    ended = {test.outcome.key: test for test in result.tests}
    assert set(ended) == {"returned", BUG}
    assert {test.returned[0] for test in result.tests if test.returned} == returned
    index = {root.name: root.cells[0].value for root in ended[BUG].inputs.roots}["i"]
    assert isinstance(index, Scalar) and index.number not in (20, *range(25, 256))
    sides = [branch for branch in result.branches if branch.text == "p[20] == 7" and branch.side == "true"]
    assert {branch.state for branch in sides} == {"covered"}
