"""Indirect jumps and calls of compiled code: the search finds each target that some input goes to on an emulator."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from machine_extra import NEEDS_MACHINE
from sampling import sampled
from test_machine import TARGETS, compiled

from veer.campaign import run as campaign
from veer.frontends.machine.build import named
from veer.frontends.machine.emulator import Case, Machine
from veer.frontends.machine.linked import load
from veer.model.buildoptions import BuildOptions
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions
from veer.report.flow import render_dot, render_json
from veer.toolchain import compiler

pytestmark = NEEDS_MACHINE
UNIT = """\
#include <stdint.h>
static int twice(int a) { return a > 100 ? a : 2 * a; }
static int less(int a) { return a < 9 ? -a : a - 1; }
static int odd(int a) { return a & 1; }
static int (*const table[])(int) = {twice, less, odd, less};
/* A jump table, a table of functions, a computed goto. */
int steps(uint8_t a, uint8_t b) {
    static const void *const places[] = {&&first, &&second, &&third};
    int sum = 0;
    switch (a & 15) {
    case 0: sum = b * 3; break;
    case 1: sum = b ^ 7; break;
    case 2: sum = b - 90; break;
    case 3: sum = b / 3; break;
    case 5: sum = b << 3; break;
    case 6: sum = ~b; break;
    case 8: sum = b % 11; break;
    case 9: if (b == 5) return 1000; sum = b; break;
    default: sum = 1;
    }
    if (a & 16) return table[b & 3](sum) + 1;
    if ((b & 3) == 3) return sum;
    goto *places[b & 3];
first: sum += 5;
second: sum *= 3;
third: return sum > 40 ? sum : -7;
}
"""
IN_EACH_CHECK = ("thumb", "x86-64")


def explored(path: Path) -> Result:
    build = BuildOptions((path,), "steps", prototype="int steps(uint8_t a, uint8_t b)")
    search = SearchOptions(criterion="path", budget=60, shrink=False, keep_going=True)
    return campaign.run(build, search)


@pytest.mark.parametrize("name", sampled(TARGETS, lambda name: name in IN_EACH_CHECK))
def test_all_targets_are_found_and_the_graph_says_that_they_are_all(name: str, tmp_path: Path) -> None:
    path = compiled(name, UNIT, "-O2", tmp_path)
    result = explored(path)
    assert result.ending.claim == "paths", result.ending
    assert {test.replayed for test in result.tests} == {"same"}
    graph = json.loads(render_json(result))
    assert graph["indirect"], "the compiler made a jump that is computed"
    assert all(each["complete"] for each in graph["indirect"]), graph["indirect"]
    assert any(each["found by"] == "run" for each in graph["edges"])
    assert render_dot(result).count(" -> ") == len(graph["edges"])

    image = load(path, compiler.find())
    machine = Machine(image, named(image, "steps"), (1, 1))
    answers = machine.run([Case((a, b), {}) for a in range(0, 256, 3) for b in range(0, 256, 7)], 5.0)
    ran = {address for answer in answers if answer is not None for address in answer.ran}
    blocks = [(int(each["first"], 16), int(each["last"], 16)) for each in graph["blocks"]]
    assert ran, "the emulator ran"
    assert all(any(first <= address <= last for first, last in blocks) for address in ran)
    inputs = [tuple(cell.value.number for root in test.inputs.roots for cell in root.cells) for test in result.tests]
    tested = machine.run([Case(each, {}) for each in inputs], 5.0)
    assert ran <= {address for answer in tested if answer is not None for address in answer.ran}
    targets = {int(each, 16) for jump in graph["indirect"] for each in jump["targets"]}
    assert targets <= ran, "a target that no input goes to"


THROUGH_POINTERS = """\
#include <stdlib.h>
#include <string.h>
struct hooks { void *(*allocate)(size_t); void (*release)(void *); size_t (*length)(const char *); };
struct hooks hooks = {malloc, free, strlen};
static int three(const char *s) { return s[0] == 'a' ? 3 : 4; }
int (*last)(const char *) = three;
/* Functions of the C library and one of the file's own, through variables. */
int uses(const char *s) {
    if (!s) return -1;
    size_t length = hooks.length(s);
    char *copy = hooks.allocate(length + 1);
    if (!copy) return -2;
    memcpy(copy, s, length + 1);
    int found = copy[0] == 'x' && length > 1 ? 2 : last(copy);
    hooks.release(copy);
    return found;
}
"""


def results(result: Result) -> set[int]:
    return {int.from_bytes(each.returned, "little", signed=True) for each in result.tests if each.returned is not None}


@pytest.mark.parametrize("name", sampled(TARGETS, lambda name: name == "thumb"))
def test_functions_of_other_files_are_called_through_variables(name: str, tmp_path: Path) -> None:
    build = BuildOptions(
        (compiled(name, THROUGH_POINTERS, "-O1", tmp_path),), "uses", prototype="int uses(const char *s)"
    )
    result = campaign.run(build, SearchOptions(budget=60, shrink=False, max_runs=600))
    assert [bug.outcome for bug in result.bugs] == []
    assert {test.replayed for test in result.tests} == {"same"}
    assert results(result) >= {-1, 2}
    assert results(result) & {3, 4}
