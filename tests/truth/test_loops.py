"""Closed forms of loops (compositional/closed.py) against the same loops searched path by path, and brute force.

VEER_LONG=1 takes more random programs, and section 4's example at all sizes.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import brute_force
import looping_program
import pytest
from compositional_side import Found, search, searched
from sampling import first, sampled
from test_compositional import EXAMPLES, check_equal

from veer.model.buildoptions import BuildOptions

SIZES = sampled((10, 20, 40, 80, 160), lambda size: size == 160)
"""Loops that end by an error, and what may go wrong where a loop stands."""
OTHERS = """
#include <stdlib.h>
#include <veer.h>
static char text[7], other[7];
static int numbers[5];
static void fill(void) {
  veer_input(text, 6, "text");
  veer_input(other, 6, "other");
  veer_input(numbers, sizeof numbers, "numbers");
}
int behind_the_end(unsigned n) {
  fill();
  unsigned i;
  for (i = 0; i < n; i++)
    if (numbers[i] == 77) break;
  if (i == 4) return 1;
  return 0;
}
int without_end(void) {
  fill();
  for (int i = 0; text[i] == ' '; i += text[6])
    ;
  return 0;
}
int again_and_again(int a) {
  int total = 0;
  unsigned char steps[200];
  for (int i = 0; i < 200; i++) steps[i] = i;
  for (int k = 0; k < 5000; k++) {
    int i = 0;
    while (steps[i] != 7) i++;
    total += i;
  }
  return a == total;
}
int always_further(int step) {
  fill();
  for (int i = 0; text[i] == ' '; i += step & 1)
    ;
  return 0;
}
int of_a_constant(int c) {
  static const char known[] = "abc";
  int i = 0;
  while (known[i] && known[i] != c) i++;
  if (i == 2) return 1;
  return 0;
}
int one_behind_the_other(void) {
  fill();
  const char *p = text;
  while (*p == ' ') p++;
  const char *q = p;
  while (*q >= 'a' && *q <= 'z') q++;
  if (q - p == 3) return q == text + 5;
  if (p == q) abort();
  return 0;
}
int one_in_the_other(void) {
  fill();
  for (int i = 0; i < 3; i++) {
    int k = 0;
    while (other[k] && other[k] != text[i]) k++;
    if (!other[k]) return 0;
  }
  return text[0] != text[1] && text[1] != text[2] && text[0] != text[2];
}
int behind_the_first_round(int x, int later) {
  fill();
  int seen = x, i = 0;
  while (text[i] && seen != 3) { seen = later; i++; }
  if (i == 2) return 1;
  return seen == 3 ? 2 : 0;
}
"""
ENTRIES = sampled(
    [
        "behind_the_end",
        "behind_the_first_round",
        "again_and_again",
        "of_a_constant",
        "one_behind_the_other",
        "one_in_the_other",
    ],
    lambda name: name.startswith("behind"),
)


@pytest.fixture(name="sources", scope="module")
def _sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("loops")
    (folder / "examples.c").write_text(EXAMPLES)
    (folder / "others.c").write_text(OTHERS)
    return folder


def closed(found: Found) -> int:
    """How many closed forms were made; that none was left by a run."""
    assert found.summaries is not None
    loops = [each for each in found.summaries.functions if each.is_loop]
    assert not [each for each in loops if "text says" in each.refused]
    return sum(each.closed for each in loops)


@pytest.mark.parametrize("size", SIZES)
def test_locate_takes_a_few_runs_at_any_size(sources: Path, size: int) -> None:
    define = (f"LENGTH={size}",)
    plain = search(sources / "examples.c", "find", compositional=False, define=define)
    found = search(sources / "examples.c", "find", compositional=True, define=define)
    check_equal(plain, found)
    assert plain.runs == 3 * size
    assert found.runs <= 12
    assert closed(found) == 1
    assert found.summaries is not None
    assert size < found.summaries.largest_query <= 30 * size + 100, "as long as the text, not its square"


@pytest.mark.parametrize("entry", ENTRIES)
def test_loops_end_alike(sources: Path, entry: str) -> None:
    plain = search(sources / "others.c", entry, compositional=False)
    found = search(sources / "others.c", entry, compositional=True)
    check_equal(plain, found)
    # A constant's bytes are no part of the state at the entry; what is run 5000 times is no unit of its own.
    assert closed(found) or entry in ("of_a_constant", "again_and_again")


def test_a_run_of_too_many_decisions_leaves_it_to_the_plain_search(sources: Path) -> None:
    build = BuildOptions((sources / "others.c",), "always_further", compositional=True)
    assert searched(build) is None


def test_a_loop_without_end_is_a_hang(sources: Path) -> None:
    found = search(sources / "others.c", "without_end", compositional=True)
    assert "HANG" in {kind for kind, _ in found.errors}


@pytest.mark.parametrize("seed", first(1, 60))
def test_random_loops_give_what_they_give(tmp_path: Path, seed: int) -> None:
    source = tmp_path / f"loops{seed}.c"
    source.write_text(looping_program.program(seed))
    plain = search(source, "top", compositional=False)
    unrolled = search(source, "top", compositional=True, loops=False)
    found = search(source, "top", compositional=True)
    check_equal(plain, unrolled)
    check_equal(plain, found)
    assert closed(found)
    assert not closed(unrolled)
    brute_force.program(source, tmp_path / "brute", "-DBRUTE", "-w")
    output = subprocess.run([tmp_path / "brute"], capture_output=True, text=True, check=True, timeout=60).stdout
    given = {int(line) - 100 for line in output.split()} - {1 - 100}
    covered = {int(text.removeprefix("r == ")) for *_, text, side in found.covered if text.startswith("r == ") and side}
    assert covered == given


@pytest.mark.parametrize("seed", first(1, 60))
def test_loops_that_leave_their_object_do_so_in_a_run(tmp_path: Path, seed: int) -> None:
    source = tmp_path / f"loops{seed}.c"
    source.write_text(looping_program.program(seed, looping_program.CELLS + 3))
    plain = search(source, "top", compositional=False)
    found = search(source, "top", compositional=True)
    check_equal(plain, found)
    closed(found)  # none of them was left by a run
