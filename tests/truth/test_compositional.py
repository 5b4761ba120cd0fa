"""The compositional search against the plain one and brute force, and the examples of the SMART paper with its counts.

VEER_LONG=1 takes 300 random programs (VEER_SEED: from which one on), and the paper's examples at all sizes.
"""

from __future__ import annotations

import os
from pathlib import Path

import brute_header
import called_brute
import called_program
import pytest
from compositional_side import Found, search, searched
from sampling import sampled
from veer_side import build_options

from veer.model.values import replace

IS_LONG = bool(os.environ.get("VEER_LONG"))
FIRST_SEED = int(os.environ.get("VEER_SEED", "0"))
SEEDS = range(FIRST_SEED, FIRST_SEED + 300) if IS_LONG else (94, 108)
SMALL_SEEDS = SEEDS if IS_LONG else (9, 21)
SIZES = (10, 20, 40, 80, 160) if IS_LONG else (10,)
CALLS = (2, 3, 5, 8, 13, 20) if IS_LONG else (5, 20)
MOST_PLAIN_CALLS = 8  # twice as many paths with each more
FEW = ("two_strings", "nested_calls")
PROGRAMS = sampled(sorted((Path(__file__).parent.parent / "programs").glob("*.c")), lambda path: path.stem in FEW)
ERRORS = {"stop": "ILLEGAL", "division": "DIVISION"}
EXAMPLES = """
#include <stdlib.h>
#include <veer.h>

/* Section 4 of the paper: n free bytes and a fixed NUL. */
#ifdef LENGTH
static int locate(char *s, int c) {
  int i = 0;
  while (s[i] != c) {
    if (s[i] == 0) return -1;
    i++;
  }
  return i;
}
int find(void) {
  char input[LENGTH + 1];
  veer_input(input, LENGTH, "input");
  input[LENGTH] = 0;
  int z = locate(input, 'a');
  if (z == -1) return -1;
  if (input[z + 1] != ':') return 1;
  return 0;
}
#endif

/* Section 3.1. */
static int is_positive(int x) {
  if (x > 0) return 1;
  return 0;
}
#ifdef CALLS
int all_positive(void) {
  int numbers[CALLS], sum = 0;
  veer_input(numbers, sizeof numbers, "numbers");
  for (int i = 0; i < CALLS; i++) sum += is_positive(numbers[i]);
  if (sum == CALLS) return 1;
  return 0;
}
#endif

int hash(int x) { return (x * 31 ^ x >> 3) % 1000; }
static int g(int x) {
  int y;
  if (x < 0) return 0;
  y = hash(x);
  if (y == 100) return 10;
  if (x > 10) return 1;
  return 2;
}
int obscure(int x, int c) {
  for (c = 0; hash(c) != 100; c++)
    ;
  return g(x) + g(c);
}

/* What a function does under one mode says nothing about another one. */
static int mode, count;
static int step(int x) {
  if (mode == 1) {
    if (x > 5) return 1;
    return 2;
  }
  if (x > 7) {
    count++;
    return 3;
  }
  return 4;
}
int modes(int x, int y) {
  mode = 0;
  int a = step(x);
  mode = 1;
  int b = step(y), c = step(x);
  if (a == 3 && b == 1 && c == 1) return count;
  if (a == 4 && c == 1 && b == 2) abort();
  return 0;
}

/* The same function writes through a pointer or not, recurses, or gives up. */
static int halve(int *p, int n) {
  if (n > 2) exit(3);
  if (*p > 100) *p = *p / 2;
  if (n == 0) return *p > 60;
  return halve(p, n - 1);
}
int changes(int x, int n) {
  int r = halve(&x, n & 3);
  if (r && x < 70) abort();
  return r;
}

/* What the entry's own pointers lead to is decided before the call: a string, an array of unknown size, NULL. */
static int is_digit(int c) {
  if (c < '0') return 0;
  return c <= '9';
}
static int digits(const char *s) {
  int n = 0;
  while (is_digit(s[n])) n++;
  return n;
}
static int blanks(const char *s, int i) {
  while (s[i] == ' ' || s[i] == '\t') i++;
  return i;
}
static int largest(const int *p, int n) {
  int most = p[0];
  for (int i = 1; i < n; i++)
    if (p[i] > most) most = p[i];
  return most;
}
int strings(const char *s, const int *p) {
  if (!s) return -1;
  int i = blanks(s, 0);
  if (s[i] == '-') i++;
  int n = digits(s + i);
  if (n == 0) return -2;
  i = blanks(s, i + n);
  if (s[i]) return -3;
  if (n == 2 && s[0] == '-') abort();
  return largest(p, n) == 100;
}
"""


@pytest.fixture(name="examples", scope="module")
def _examples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("compositional") / "examples.c"
    path.write_text(EXAMPLES)
    return path


def check_equal(plain: Found, found: Found) -> None:
    """Relative soundness and completeness (theorem 2)."""
    assert plain.ending.claim == "paths", plain.ending
    assert found.ending.claim == "paths", found.ending
    assert found.covered == plain.covered
    assert found.errors == plain.errors


@pytest.mark.parametrize("size", SIZES)
def test_locate_takes_the_sum_of_the_paths(examples: Path, size: int) -> None:
    define = (f"LENGTH={size}",)
    plain = search(examples, "find", compositional=False, define=define)
    found = search(examples, "find", compositional=True, define=define)
    check_equal(plain, found)
    assert plain.runs == 3 * size
    assert found.runs <= 2 * size + 4


@pytest.mark.parametrize("calls", CALLS)
def test_calls_of_one_function_cost_runs_once(examples: Path, calls: int) -> None:
    """Section 3.1: k calls with two paths each."""
    define = (f"CALLS={calls}",)
    found = search(examples, "all_positive", compositional=True, define=define)
    assert found.ending.claim == "paths"
    assert found.runs == 3, "two for the function, one more for its caller's other side"
    assert len([site for site in found.covered if "x > 0" in site[3] or "sum == " in site[3]]) == 4
    if calls <= MOST_PLAIN_CALLS:
        plain = search(examples, "all_positive", compositional=False, define=define)
        assert plain.runs == 2**calls
        check_equal(plain, found)


def test_nothing_is_claimed_beyond_the_theory(examples: Path) -> None:
    """Section 3.2: nobody can solve hash(x) == 100, but a caller has such a value."""
    found = search(examples, "obscure", compositional=True, uninstrumented=("hash",))
    assert found.ending.claim == "none"
    assert "concrete" in found.refused("g") or "not instrumented" in found.refused("g")
    assert any(site[3] == "y == 100" and site[4] == 1 for site in found.covered)


@pytest.mark.parametrize("entry", ["modes", "changes", "strings"])
def test_what_a_summary_depends_on_is_a_part_of_it(examples: Path, entry: str) -> None:
    plain = search(examples, entry, compositional=False)
    found = search(examples, entry, compositional=True)
    check_equal(plain, found)
    assert found.errors, "the abort lies behind two calls"
    assert not any(found.refused(function) for function in ("step", "halve", "digits", "blanks"))


def test_only_the_units_that_are_named_are_summarised(examples: Path) -> None:
    found = search(examples, "strings", compositional=True)
    line = EXAMPLES[: EXAMPLES.index("while (s[i] == ' '")].count("\n") + 1
    named = search(examples, "strings", compositional=True, summarise=("digits", f"examples.c:{line}"))
    check_equal(found, named)
    assert named.summaries is not None
    assert {(each.name, each.is_loop) for each in named.summaries.functions} == {
        *(("strings", False), ("digits", False), ("blanks", True))
    }


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_programs_are_searched_alike(program: Path) -> None:
    build = build_options(brute_header.read(program))
    plain, found = searched(build), searched(replace(build, compositional=True))
    assert plain is not None
    if found is None:
        return  # searched plainly: no function can be summarised
    assert found.ending.claim == plain.ending.claim
    if plain.ending.claim == "paths":
        check_equal(plain, found)


@pytest.mark.parametrize("seed", SEEDS)
def test_random_programs_are_searched_alike(tmp_path: Path, seed: int) -> None:
    source = tmp_path / f"program{seed}.c"
    source.write_text(called_program.program(seed))
    plain = search(source, "top", compositional=False)
    found = search(source, "top", compositional=True)
    check_runs(found)
    if plain.ending.claim == "paths":
        check_equal(plain, found)
    else:
        assert found.ending.claim != "paths"


@pytest.mark.parametrize("seed", SMALL_SEEDS)
def test_random_programs_do_what_brute_force_says(tmp_path: Path, seed: int) -> None:
    source = tmp_path / f"program{seed}.c"
    source.write_text(called_program.program(seed))
    found = search(source, "small", compositional=True)
    truth = called_brute.truth(seed)
    check_runs(found)
    assert found.ending.claim == "paths"
    assert {(line, side) for _, line, _, _, side in found.covered} == truth.sides
    assert found.errors == {(ERRORS[kind], line) for kind, line in truth.errors}


def check_runs(found: Found) -> None:
    """Section 3.5: not more than the sum of the paths of the functions, repeated ones included."""
    assert found.summaries is not None
    assert found.runs <= sum(each.paths for each in found.summaries.functions)
