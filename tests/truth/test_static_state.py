"""Static data as initialised, as calls leave it, set free: what veer says, and all that can be."""

from __future__ import annotations

from pathlib import Path

import pytest
from machine_program import FOR_VEER, Brute, Shown, unit
from sampling import sampled
from suite_builds import build_suite
from veer_side import explore

import veer
from veer.campaign.keywords import Options
from veer.campaign.requests import search_options
from veer.model.buildoptions import BuildOptions
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions
from veer.model.severity import Severity
from veer.model.state import Origin
from veer.suite.c import plain

_LEVELS = """
static unsigned char level, secret;
static int table[4];
static unsigned used;
static void (*on_full)(int);
struct conf { int width, height; };
static struct conf conf = {1, 1};

void up(void) { if (level < 3) level++; }
int at(int x) { if (level == 3) return x > 0 ? 2 : 1; return level == 9 ? 4 : 3; }
void put(int x) { table[used] = x; used++; }
void listen(void (*callback)(int)) { on_full = callback; }
int tell(int x) { if (on_full) { on_full(x); return 1; } return 0; }
void hide(void) { secret = 3; }
int divide(int x) { if (secret == 7) return x / (secret - 7); return 0; }
int configure(const struct conf *c) { if (!c || c->width < 1) return -1; conf = *c; return 0; }
int area(void) { if (conf.width == 12 && conf.height == -3) return 1; return conf.width < 1 ? 2 : 0; }
int alone(int x) { return x > 3 ? x == 17 : 2; }
static int helper(int x) { if (level == 2) return x; return -x; }
int uses(int x) { return helper(x & 1); }
"""


def allowing(*bounds: str, **more: object) -> SearchOptions:
    return SearchOptions(budget=20.0, growing=bounds, **more)  # type: ignore[arg-type]


def searched(folder: Path, text: str, entry: str, search: SearchOptions | None = None) -> Result:
    source = folder / "unit.c"
    source.write_text(text)
    return explore(BuildOptions((source,), entry, define=FOR_VEER), search or search_options(Options()))


def shown(result: Result) -> Shown:
    """What the brute force tells, as veer has it: its checks are branches of the entry alone."""
    sides = {(each.line, int(each.side == "true")) for each in result.branches if each.state == "covered"}
    return Shown(frozenset(sides), frozenset(bug.line for bug in result.bugs))


@pytest.mark.parametrize("seed", sampled([0, 1, 3, 6, 7, 12], lambda seed: seed == 6))
def test_calls_reach_what_all_calls_together_reach(seed: int, tmp_path: Path) -> None:
    brute = Brute(seed, tmp_path)
    begun = shown(searched(tmp_path, unit(seed), "entry", allowing()))
    assert begun == brute.shown(0)
    result = searched(tmp_path, unit(seed), "entry", allowing("calls-before"))
    found = shown(result)
    assert result.growth is not None
    finished = next((int(words.split()[1]) for words in result.growth.finished), 0)
    assert brute.shown(finished) <= found <= brute.shown(16), result.growth
    assert finished >= 2  # else the comparison says little
    assert not [test for test in result.tests if test.state is Origin.FREE]


@pytest.mark.parametrize("seed", sampled([1, 4, 13], lambda seed: seed == 4))
def test_free_values_reach_what_any_values_reach(seed: int, tmp_path: Path) -> None:
    brute = Brute(seed, tmp_path)
    result = searched(tmp_path, unit(seed), "entry", allowing("calls-before", "free-state"))
    assert shown(result) == brute.shown(0, is_free=True)
    by_calls = brute.shown(16).stops
    assert {bug.line for bug in result.bugs if bug.severity is not Severity.CONTRACT} <= by_calls
    assert {bug.line for bug in result.bugs} - by_calls == {
        bug.line for bug in result.bugs if bug.line not in by_calls and bug.severity is Severity.CONTRACT
    }


@pytest.mark.parametrize(
    ("entry", "states"),
    sampled(
        [
            ("at", {Origin.INITIALISED, Origin.CALLS, Origin.FREE}),  # 3 by calls, 9 by none
            ("tell", {Origin.INITIALISED, Origin.CALLS}),
            ("area", {Origin.INITIALISED, Origin.CALLS, Origin.FREE}),  # width < 1 by no configure
            ("divide", {Origin.INITIALISED, Origin.FREE}),  # 7 by no hide
            ("put", {Origin.INITIALISED, Origin.CALLS}),
            ("uses", {Origin.INITIALISED, Origin.CALLS}),
            ("alone", {None}),
            ("up", {Origin.INITIALISED, Origin.CALLS}),
        ],
        lambda case: case[0] not in ("area", "up"),
    ),  # as `at` and `put`
)
def test_every_branch_and_every_test_says_where_its_state_is_from(
    entry: str, states: set[Origin | None], tmp_path: Path
) -> None:
    result = searched(tmp_path, _LEVELS, entry)
    assert {test.state for test in result.tests} == states
    assert all(each.state == "covered" for each in result.branches)
    assert not [test.replayed for test in result.tests if test.replayed != "same"]
    suite = plain.render(result.program, result.tests, result.bugs, result.branches)
    built = build_suite(tmp_path, plain.file_name(result.program), suite).run()
    assert built.returncode == 0, built.stdout


def test_a_bug_by_calls_is_an_error_and_one_that_needs_free_values_breaks_a_contract(tmp_path: Path) -> None:
    (full,) = searched(tmp_path, _LEVELS, "put").bugs
    assert (full.severity, full.function) == (Severity.ERROR, "put")
    (free,) = searched(tmp_path, _LEVELS, "divide").bugs
    assert (free.severity, free.confirmed) == (Severity.CONTRACT, "plain")
    assert "secret" in free.needs[0]


def test_what_has_no_static_data_is_searched_once(tmp_path: Path) -> None:
    result = searched(tmp_path, _LEVELS, "alone")
    assert (result.program.state, result.growth) == (None, None)


def test_a_claim_is_for_the_calls_that_were_tried(tmp_path: Path) -> None:
    result = searched(tmp_path, _LEVELS, "up", allowing("calls-before"))
    assert result.ending.claim == "paths"
    assert result.ending.within == ("static data as it begins (level), or as 16 calls of up may leave it",)
    initialised = searched(tmp_path, _LEVELS, "up", allowing())
    assert initialised.ending.within == ("static data as it begins (level)",)


def test_a_claim_names_the_bounds_of_the_calls_inputs(tmp_path: Path) -> None:
    text = "static int n;\nvoid load(const char *s) { n = 0; for (; s && *s == 'a'; s++) n++; }\n"
    text += "int get(void) { return n > 40 ? 2 : n > 2; }\n"
    initialised = searched(tmp_path, text, "get", allowing())
    assert initialised.ending.within == ("static data as it begins (n)",)
    assert "max-length 8" in searched(tmp_path, text, "get", allowing("calls-before")).ending.within


def test_inputs_of_calls_grow_where_a_branch_needs_it(tmp_path: Path) -> None:
    text = "static int n;\nvoid load(const char *s) { n = 0; for (; s && *s == 'a'; s++) n++; }\n"
    text += "int get(void) { if (n > 12) return 2; return n > 2; }\n"
    result = searched(tmp_path, text, "get")
    assert {test.state for test in result.tests} == {Origin.INITIALISED, Origin.CALLS}
    assert all(each.state == "covered" for each in result.branches)


def test_a_call_that_does_not_return_is_no_call_before(tmp_path: Path) -> None:
    text = "#include <stdlib.h>\nstatic int n;\nvoid set(int x) { if (x > 3) abort(); if (x < 0) exit(1); n = x; }\n"
    text += "int get(void) { if (n > 3) return 1; if (n < 0) return 2; if (n == 3) return 3; return 0; }\n"
    result = searched(tmp_path, text, "get", allowing("calls-before"))
    assert not result.bugs
    assert {test.returned[0] for test in result.tests if test.returned} == {0, 3}
    assert result.ending.claim == "paths"


def test_workers_find_the_same(tmp_path: Path) -> None:
    """As alone, they find all that there is."""
    together = searched(tmp_path, unit(0), "entry", allowing("calls-before", "free-state", jobs=2))
    assert shown(together) == Brute(0, tmp_path).shown(0, is_free=True)


def test_no_grow_takes_it_as_it_begins(tmp_path: Path) -> None:
    source = tmp_path / "unit.c"
    source.write_text(_LEVELS)
    result = veer.test(source, entry="at", grow=False)
    assert {test.state for test in result.tests} == {Origin.INITIALISED}
