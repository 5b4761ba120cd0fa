"""The compositional search against the plain one, and the examples of the SMART paper with the counts that it gives.

VEER_LONG=1 takes 300 random programs, and the paper's examples at all sizes.
"""

from __future__ import annotations

import os
from pathlib import Path

import called_program
import pytest
from compositional_side import Found, search

IS_LONG = bool(os.environ.get("VEER_LONG"))
SEEDS = range(300 if IS_LONG else 2)
SIZES = (10, 20, 40, 80, 160) if IS_LONG else (10,)
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
int all_positive(int a, int b, int c, int d, int e, int f, int g, int h) {
  int sum = is_positive(a) + is_positive(b) + is_positive(c) + is_positive(d);
  sum += is_positive(e) + is_positive(f) + is_positive(g) + is_positive(h);
  if (sum == 8) return 1;
  return 0;
}

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


def test_calls_of_one_function_cost_runs_once(examples: Path) -> None:
    found = search(examples, "all_positive", compositional=True)
    assert found.ending.claim == "paths"
    assert found.runs <= 4, "eight calls with two paths each are 256 paths"
    assert len([site for site in found.covered if "x > 0" in site[3] or "sum == 8" in site[3]]) == 4


def test_nothing_is_claimed_beyond_the_theory(examples: Path) -> None:
    found = search(examples, "obscure", compositional=True, uninstrumented=("hash",))
    assert found.ending.claim == "none"
    assert "concrete" in found.refused("g") or "not instrumented" in found.refused("g")
    assert any(site[3] == "y == 100" and site[4] == 1 for site in found.covered)


@pytest.mark.parametrize("entry", ["modes", "changes"])
def test_what_a_summary_depends_on_is_a_part_of_it(examples: Path, entry: str) -> None:
    plain = search(examples, entry, compositional=False)
    found = search(examples, entry, compositional=True)
    check_equal(plain, found)
    assert found.errors, "the abort lies behind two calls"


@pytest.mark.parametrize("seed", SEEDS)
def test_random_programs_are_searched_alike(tmp_path: Path, seed: int) -> None:
    source = tmp_path / f"program{seed}.c"
    source.write_text(called_program.program(seed))
    plain = search(source, "top", compositional=False)
    found = search(source, "top", compositional=True)
    assert found.summaries is not None
    functions = found.summaries.functions
    assert sum(each.runs for each in functions) <= sum(each.paths for each in functions), "section 3.5"
    if plain.ending.claim == "paths":
        check_equal(plain, found)
    else:
        assert found.ending.claim != "paths"
