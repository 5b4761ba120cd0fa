"""--partitioned on all that C has, and with what else a search can be asked for: the same locations as without it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import brute_header
import pytest
from partition_side import searched, searched_with
from sampling import sampled
from veer_side import build_options

from veer.model.searchoptions import SearchOptions
from veer.model.values import replace


@dataclass(frozen=True)
class Case:
    """A program with options of its build and of its search. `fewer`: the search by blocks needs fewer runs."""

    text: str
    entry: str = "f"
    build: dict[str, Any] = field(default_factory=dict)
    search: dict[str, Any] = field(default_factory=dict)
    fewer: bool = True


LIST = """\
#include <stdlib.h>
struct node { unsigned char value, colour; struct node *next; };
static int sum, red;
int f(struct node *n, int limit) {
    sum = red = 0;
    for (int k = 0; n && k < 3; k++, n = n->next) {
        if (n->value == 7) sum++;
        if (n->colour == 3) red++;
    }
    if (limit == 9) red = -1;
    if (sum == 2) abort();
    return sum;
}
"""
TREE = """\
#include <stdlib.h>
struct tree { unsigned char key; struct tree *left, *right; };
static int depth(const struct tree *t) { return t && t->left != t ? 1 + depth(t->left) : 0; }
int f(struct tree *t, unsigned char *other, unsigned char mode) {
    int d = depth(t), m = 0;
    if (t && t->left == t) return -1;
    if (other && *other == 5) m = 1;
    if (mode == 3) m += 2;
    if (t && t->key == 9) d++;
    if (d == 3) abort();
    return m;
}
"""
ORDERED = """\
struct range { unsigned char low, high, step, mode; };
static int states[3];
int valid(struct range *r) { return r && r->low < r->high && r->step != 0; }
void f(struct range *r) {
    states[0] = r->low > 100;
    states[1] = r->step == 1 ? 1 : 2;
    if (r->mode == 4) states[2] = 1;
    if (r->low > r->high) states[0] = 9;
    if (states[0] && r->high == 200) states[0] = 8;
}
"""
FIELDS = """\
static int out[4];
static int kind(unsigned char v) { if (v < 10) return 1; if (v == 77) return 2; return 0; }
void f(unsigned char a, unsigned char b, unsigned char c, unsigned char d) {
    out[0] = kind(a);
    out[1] = kind(b);
    out[2] = kind(c);
    if (out[0] == 2) if (d == 5) out[3] = 1;
}
"""
QUEUE = """\
static unsigned char items[4];
static int count, seen, big;
void put(unsigned char v) { if (count < 4) items[count++] = v; if (v == 200) big = 1; }
int take(void) { if (!count) return -1; return items[--count]; }
static int other;
void look(unsigned char v, unsigned char w) {
    if (v == 9) seen = 1;
    if (w == 8) other = 2;
    if (big && v == 3) seen = 4;
}
"""
PROGRAMS = sorted((Path(__file__).parent.parent / "programs").glob("*.c"))
CASES = {
    "graph": Case(LIST),
    "tree": Case(TREE, build={"graph_depth": 2}),
    "eager": Case(TREE, build={"graph_depth": 2, "eager": True}, fewer=False),
    "precondition": Case(ORDERED, build={"preconditions": ("valid",)}),
    "look-ahead": Case(FIELDS, search={"look_ahead": True}),
    "call-depth": Case(FIELDS, search={"max_call_depth": 1}),
    "depth-first": Case(FIELDS, search={"strategy": "dfs"}),
    "sequence": Case(QUEUE, entry="", build={"sequence": "put,{take,look}", "max_calls": 2}, fewer=False),
}


@pytest.mark.parametrize("name", sampled(CASES, lambda name: name in ("graph", "precondition", "look-ahead")))
def test_the_same_locations_are_reached(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    source = tmp_path / "with.c"
    source.write_text(case.text)
    plain, found = (
        searched(source, case.entry, partitioned=each, build=case.build, search=case.search) for each in (False, True)
    )
    assert found.reached == plain.reached
    assert found.ending.claim in ("paths", "locations"), found.ending
    assert found.partition is not None
    assert len(found.blocks) > 1
    assert not case.fewer or found.runs < plain.runs


@pytest.mark.parametrize(
    "program", sampled(PROGRAMS, lambda path: path.stem == "switch_ranges"), ids=lambda path: path.stem
)
def test_a_program_is_reached_as_far_as_it_claims(program: Path) -> None:
    build = build_options(brute_header.read(program))
    search = SearchOptions(budget=30, max_runs=20_000, max_steps=200_000)
    plain, found = (searched_with(build, replace(search, search=each)) for each in ("plain", "partitioned"))
    if found.ending.claim in ("paths", "locations"):
        assert found.reached >= plain.reached
    if plain.ending.claim == "paths":
        assert found.reached <= plain.reached
        assert found.ending.claim != "none"
