"""--partitioned against the plain search: what one reaches the other does, and independent inputs cost their sum."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from flow_enumeration import Enumeration, masked
from flow_program import chains, guarded, program
from partition_side import searched
from pointer_flows import pointers
from sampling import IS_LONG, first, sampled

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.searchoptions import SearchOptions
from veer.model.values import replace

PAGES = Path(__file__).parent.parent.parent / "bench" / "subjects" / "flowtest" / "page_free.c"
ACROSS_RUNS = """\
#include <stdlib.h>
static int x, y;
void memory(int a, int b) { x = y = 0; if (a == 7) x = 1; if (b == 9) y = 1; if (x) if (y) abort(); }
void values(int a, int b) { int v = 0, w = 0; if (a == 7) v = 1; if (b == 9) w = 1; if (v) if (w) abort(); }
void apart(int a, int b) { x = y = 0; if (a == 7) x = 1; if (b == 9) y = 1; if (x) a++; if (y) b++; }
void loop(int a, int b) { int t, i = 0; do t = i++; while (i < (a & 3)); if (t == 2) if (b == 9) abort(); }
void chosen(int a, int b) { int *p = a == 7 ? &x : &y; x = y = 0; *p = b; if (x == 9) abort(); }
void sized(int a, int b) {
    char *first = a == 7 ? malloc(8) : 0, *second = calloc(1, 1);
    if (b == 9) *second = 1;
    if (*second) if (first) abort();
    free(first); free(second);
}
"""

POINTERS = """\
#include <stdlib.h>
int f(int *first, char *second) {
    if (first) *first &= 3;
    if (!second) return -1;
    if (*second & 1) {
        if (first) return 5;
        abort();
    }
    return 4;
}
"""


def figure_1a(tmp_path: Path, n: int) -> Path:
    """The paper's example `test`, as a function of n parameters."""
    lines = ["#include <stdlib.h>", "static void error(void) { abort(); }"]
    lines.append(f"void test({', '.join(f'int a{k}' for k in range(n))}) {{")
    lines += [f"    if (a{k} == 0) a{k} = 1;" for k in range(n)]
    lines += [f"    if (a{k} == 0) error();" for k in range(n)]
    source = tmp_path / f"figure_1a_{n}.c"
    source.write_text("\n".join([*lines, "}", ""]))
    return source


@pytest.mark.parametrize("n", [8, 64, 256, 1024] if IS_LONG else [8, 64])
def test_figure_1a_takes_two_runs_an_input_at_most(n: int, tmp_path: Path) -> None:
    found = searched(figure_1a(tmp_path, n), "test", partitioned=True, seconds=120)
    assert found.ending.claim == "locations", found.ending
    assert found.blocks == tuple((f"a{k}",) for k in range(n))
    assert found.runs <= 2 * n
    assert found.partition is not None
    assert found.partition.product == 2**n
    assert not found.partition.merges


@pytest.mark.parametrize("n", [2, 8, 32, 128, 512] if IS_LONG else [8, 32])
def test_figure_1b_finds_a_block_a_page(n: int) -> None:
    found = searched(PAGES, "page_free", partitioned=True, define=(f"N={n}",), seconds=120)
    assert found.ending.claim == "locations", found.ending
    assert found.blocks == tuple((f"A[{k}]", f"count[{k}]") for k in range(n))
    assert found.runs <= 5 * n + 8, "one more for each page: its count overflows"
    assert found.partition is not None
    assert found.partition.shared == ("A", "count")
    assert found.partition.reruns <= 2 * found.runs
    assert len(found.partition.merges) == n


def test_pages_that_interfere_become_one_block() -> None:
    found = searched(PAGES, "page_free", partitioned=True, define=("COUPLED", "N=8"))
    assert found.ending.claim == "locations", found.ending
    assert ("A[2]", "A[5]", "count[2]", "count[5]") in found.blocks
    assert sorted(map(len, found.blocks)) == [2] * 6 + [4]
    assert ("count[i] == old_count[i] + 1", 0) in {(text, side) for *_, text, side in found.reached}


@pytest.mark.parametrize("entry", ["memory", "values", "loop", "chosen", "sized"])
def test_flows_that_only_appear_across_runs_merge(entry: str, tmp_path: Path) -> None:
    source = tmp_path / "across_runs.c"
    source.write_text(ACROSS_RUNS)
    found = searched(source, entry, partitioned=True)
    assert found.blocks == (("a", "b"),)
    assert found.reached == searched(source, entry, partitioned=False).reached


@pytest.mark.parametrize("strategy", ["dfs", "random-path"])
def test_an_array_that_is_not_there_has_no_length_that_a_path_changed(strategy: str, tmp_path: Path) -> None:
    """Its length begins at 1; where the pointer is NULL nobody asks for it, and its bytes are 0 in the input."""
    source = tmp_path / "pointers.c"
    source.write_text(POINTERS)
    plain, found = (searched(source, "f", partitioned=each, search={"strategy": strategy}) for each in (False, True))
    assert plain.ending.claim == "paths", plain.ending
    assert found.ending.claim in ("paths", "locations"), found.ending
    assert found.reached == plain.reached


def test_what_is_apart_stays_apart(tmp_path: Path) -> None:
    source = tmp_path / "across_runs.c"
    source.write_text(ACROSS_RUNS)
    found = searched(source, "apart", partitioned=True)
    assert found.blocks == (("a",), ("b",))
    assert found.ending.claim == "locations"


@pytest.mark.parametrize(("define", "times"), [((), 0), (("COUPLED",), 1)])
def test_a_given_partition_is_checked(define: tuple[str, ...], times: int) -> None:
    """Section 5.1: whether it is free of interference, and where it is not."""
    pages = "\n".join(f"A[{k}] count[{k}]" for k in range(8))
    found = searched(PAGES, "page_free", partitioned=True, define=define, given=pages, only_checks=True)
    assert found.partition is not None
    assert len(found.blocks) == 8
    assert len(found.partition.merges) == times
    assert found.ending.claim == ("none" if times else "locations"), found.ending
    for merge in found.partition.merges:
        assert {*merge.left, *merge.right} >= {"A[2]", "count[5]"} or {*merge.left, *merge.right} >= {"A[2]", "A[5]"}


def test_a_given_partition_is_a_beginning(tmp_path: Path) -> None:
    source = tmp_path / "across_runs.c"
    source.write_text(ACROSS_RUNS)
    found = searched(source, "apart", partitioned=True, given="a, b  # together")
    assert found.blocks == (("a", "b"),)
    assert found.ending.claim == "paths"


def test_a_partitioned_search_goes_on_after_a_stop(tmp_path: Path) -> None:
    """Saved and resumed, it finds what it finds without a stop."""
    build = BuildOptions((PAGES,), "page_free", define=("COUPLED",))
    search = SearchOptions(search="partitioned")
    whole = campaign.run(build, search)
    stopped = campaign.run(build, replace(search, max_runs=9), keep=tmp_path / "out")
    assert stopped.ending.claim == "none"
    resumed = campaign.resume(tmp_path / "out", lambda before: replace(before, max_runs=0))
    assert resumed.ending.claim == whole.ending.claim == "locations"
    assert resumed.partition is not None and whole.partition is not None
    assert [block.inputs for block in resumed.partition.blocks] == [block.inputs for block in whole.partition.blocks]
    assert [bug.line for bug in resumed.bugs] == [bug.line for bug in whole.bugs]
    assert resumed.coverage == whole.coverage


ASKED_UNDER_A_BRANCH = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int inner(unsigned char b) { return b < 20 ? 1 : 2; }
void arm(unsigned char a, unsigned char b) { if (a == 3) puts(b < 20 ? "x" : "y"); }
void callee(unsigned char a, unsigned char b) { if (a == 3) inner(b); }
void real(unsigned char a, float b) { if (a == 3) printf("%d", b > 2.5f ? 1 : 2); }
void divisor(int a, int b) { if (a == 3) printf("%d", 5 / b); }
void quotient(int a, int b, int c) { if (c == 3) printf("%d", a / b); }
void element(unsigned char a, unsigned char b) { volatile int t[4] = {0}; if (a == 3) (void)t[b]; }
void target(unsigned char a, unsigned char b) {
    volatile unsigned char *p = 0; unsigned char c = 1;
    if (b != 5) p = &c;
    if (a == 3) (void)*p;
}
void given(unsigned char a, unsigned char b) { const char *s = b == 5 ? 0 : "abc"; if (a == 3) puts(s); }
void function(unsigned char a, unsigned char b) { int (*f)(const char *) = b == 5 ? 0 : puts; if (a == 3) f("x"); }
void freed(unsigned char a, unsigned char b) {
    volatile char *p = malloc(4);
    p[0] = 1;
    if (b == 4) free((void *)p);
    if (a == 3) (void)p[0];
}
void written(unsigned char a, unsigned char b) {
    volatile char *p = malloc(4);
    if (b == 4) free((void *)p);
    if (a == 3) p[1] = 2;
}
void twice(unsigned char a, unsigned char b) { char *p = malloc(4); if (b == 4) free(p); if (a == 3) free(p); }
void length(unsigned char a, unsigned char b) { char t[4]; if (a == 3) memcpy(t, "abcdefgh", b & 7); }
void shift(unsigned char a, unsigned char b) { if (a == 3) printf("%d", 1 << b); }
void overflow(int a, int b) { if (a == 3) printf("%d", b + 1); }
"""
ASKED = tuple(re.findall(r"^void (\w+)\(", ASKED_UNDER_A_BRANCH, re.MULTILINE))


@pytest.mark.parametrize("entry", sampled(ASKED, lambda entry: entry in ("arm", "freed")))
def test_what_is_asked_under_a_branch_belongs_to_it(entry: str, tmp_path: Path) -> None:
    """Arms of a select and checks are places of their own: who decides that one is asked must merge with it."""
    source = tmp_path / "asked.c"
    source.write_text(ASKED_UNDER_A_BRANCH)
    plain, found = (
        searched(source, entry, partitioned=each, build={"checks": ("overflow", "shift")}) for each in (False, True)
    )
    assert plain.ending.claim == "paths", plain.ending
    assert found.reached == plain.reached
    assert len(found.blocks) == 1


@pytest.mark.parametrize("seed", first(1, 300))
@pytest.mark.parametrize(("make", "domain"), [(program, 16), (chains, 16), (guarded, 4)])
def test_every_location_is_reached_that_any_input_has(
    make: Callable[[int], str], domain: int, seed: int, tmp_path: Path
) -> None:
    """Theorem 1 against brute force: all inputs of small domains, on a plain build that tells which sides are taken."""
    text = masked(make(1000 + seed), domain)
    source = tmp_path / "flows.c"
    source.write_text(text)
    found = searched(source, "f", partitioned=True)
    assert found.ending.claim in ("paths", "locations"), found.ending
    plain = Enumeration(text, domain, tmp_path)
    inputs = [[each.get(f"a{k}", 0) for k in range(plain.inputs)] for each in found.inputs]
    assert plain.reached(inputs) == plain.reachable()


@pytest.mark.parametrize("seed", first(1, 300))
def test_a_random_program_is_reached_as_far(seed: int, tmp_path: Path) -> None:
    """Relative soundness (theorem 1)."""
    assert_reached_as_far(program(seed), tmp_path)


@pytest.mark.parametrize("seed", first(3, 300))
def test_a_chain_from_inputs_to_questions_is_followed(seed: int, tmp_path: Path) -> None:
    assert_reached_as_far(chains(seed), tmp_path)


@pytest.mark.parametrize("seed", first(2, 300))
def test_what_is_behind_pointers_that_may_be_null_is_reached(seed: int, tmp_path: Path) -> None:
    assert_reached_as_far(pointers(seed), tmp_path, strategy="dfs")


def assert_reached_as_far(text: str, tmp_path: Path, **search: str) -> None:
    """Asserts that the search block by block reaches what the plain one reaches, and claims it."""
    source = tmp_path / "flows.c"
    source.write_text(text)
    plain, found = (searched(source, "f", partitioned=partitioned, search=search) for partitioned in (False, True))
    assert plain.ending.claim == "paths", plain.ending
    assert found.ending.claim in ("paths", "locations"), found.ending
    assert plain.reached == found.reached
