"""Pointers that stay open until they are followed (decision 0095): random programs against brute force, and how many
runs the invariants of linked structures take (CUTE sections 3.4 to 3.6)."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from random_pointers import program
from sampling import first, sampled
from test_paths import compare

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.outcome import Outcome
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions

DOUBLY_LINKED = """
struct node { struct node *next, *prev; int value; };
int rep_ok(struct node *n) {
    if (!n || n->prev) return 0;
    for (int k = 1; k < NODES; k++) {
        if (!n->next) return 0;
        if (n->next->prev != n) return 100 + k;
        n = n->next;
    }
    return n->next ? 1 : 2;
}
"""
NEVER_FOLLOWED = """
struct node { struct node *next; int value; };
static struct node *kept[2];
static struct node *last(int x, struct node *one, struct node *other) { return x > 1000 ? one : other; }
int entry(struct node *unused, struct node *moved, int x) {
    struct node *copies[2] = {unused, moved};
    kept[0] = last(x, copies[1], copies[0]);
    return x > 5 ? 1 : 0;
}
"""
PASSED_ON = """
#include <stdio.h>
#include <string.h>
struct big { long a, b, c, d; };
struct node { struct node *next; char key; };
static long sum(struct big b) { return b.a == 5 ? 1 : b.d == 7 ? 2 : 3; }
long by_value(struct big *p) { return sum(*p); }
int copied(struct node *p) {
    struct node *same = memcpy(p, p, 0);
    return same->key == 'x' ? 1 : 0;
}
int printed(struct node *p) {
    char text[64];
    snprintf(text, sizeof text, "%p", (void *)p);
    return !p ? 2 : p->key == 'x' ? 1 : 0;
}
int as_number(struct node *p, struct node *q) { return ((unsigned long)p & 1) ? 9 : p < q ? 1 : p == q ? 2 : 3; }
int inside(struct node *p, struct node *q) { return p && &p->key == &q->key ? p->key : -1; }
int array(struct node *p) { struct node *own[2] = {p, p}; return own[0]->key != 'a' ? 2 : own[1]->next == p ? 1 : 0; }
"""


def explored(tmp_path: Path, source: str, entry: str, graph_depth: int = 3) -> Result:
    """The campaign on one entry; each path is a test."""
    place = tmp_path / "pointers.c"
    place.write_text(source)
    build = BuildOptions((place,), entry, graph_depth=graph_depth)
    result = campaign.run(build, SearchOptions(budget=60.0, criterion="path"))
    assert result.ending.claim == "paths", result.ending
    assert not result.diverged
    assert {test.replayed for test in result.tests} == {"same"}
    return result


def values(result: Result) -> Counter[int | str]:
    """What the paths return, or how they end."""
    return Counter(
        int.from_bytes(test.returned, "little", signed=True) if test.returned is not None else test.outcome.key
        for test in result.tests
    )


@pytest.mark.parametrize("seed", first(4, 60))
def test_a_random_program_of_pointers(seed: int, tmp_path: Path) -> None:
    source = tmp_path / f"pointers_{seed}.c"
    source.write_text(program(seed))
    _, result = compare(source)
    assert result.ending.claim == "paths"


@pytest.mark.parametrize("nodes", sampled([2, 4, 6, 8], lambda nodes: nodes in (2, 6)))
def test_each_link_back_of_a_list_is_found_in_one_run(tmp_path: Path, nodes: int) -> None:
    result = explored(tmp_path, DOUBLY_LINKED.replace("NODES", str(nodes)), "rep_ok", nodes + 1)
    found = values(result)
    assert (found[1], found[2]) == (1, 1)
    # At node k the next one is a node before, whose link back is known to be wrong here, in k runs; or another one, in
    # one run more, wherever its link back leads.
    assert all(found[100 + k] == k + 1 for k in range(1, nodes))
    # n NULL, its link back not NULL, no next one after k nodes.
    assert found[0] == nodes + 1
    assert result.runs == result.paths == sum(found.values())


def test_what_is_not_followed_splits_no_path(tmp_path: Path) -> None:
    result = explored(tmp_path, NEVER_FOLLOWED, "entry")
    assert values(result) == {0: 1, 1: 2}
    assert result.runs == 3


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ("by_value", {"null-dereference": 1, 1: 1, 2: 1, 3: 1}),
        ("copied", {"undefined": 1, 0: 1, 1: 1}),  # memcpy takes no NULL
        ("printed", {0: 1, 1: 1, 2: 1}),
        ("array", {"null-dereference": 1, 0: 1, 1: 1, 2: 1}),
    ],
)
def test_a_pointer_is_decided_before_it_is_out_of_sight(
    tmp_path: Path, entry: str, expected: dict[int | str, int]
) -> None:
    assert values(explored(tmp_path, PASSED_ON, entry)) == expected


def test_arithmetic_and_order_decide_both_pointers(tmp_path: Path) -> None:
    # NULL or a node; then NULL, the same node, or another: each an address that the order depends on.
    assert sum(values(explored(tmp_path, PASSED_ON, "as_number")).values()) == 5


def test_addresses_of_members_are_compared_like_those_of_their_objects(tmp_path: Path) -> None:
    found = values(explored(tmp_path, PASSED_ON, "inside"))
    assert sum(found.values()) == 3
    assert found[-1] == 2


def test_a_number_is_no_pointer_wherever_it_leads(tmp_path: Path) -> None:
    """At 0x1000000 lies the executor itself: NULL and a large index must not read it."""
    source = tmp_path / "number.c"
    source.write_text(
        """int entry(const char *b, unsigned i) {
            if (i < 0x1000010 || i > 0x1000020) return 0;
            return b[i] ? 1 : 2;
        }
        """
    )
    result = campaign.run(BuildOptions((source,), "entry"), SearchOptions(criterion="path", budget=20.0))
    assert [test for test in result.tests if test.outcome is Outcome.RETURNED and test.returned != bytes(4)] == []
    wild = [bug.message for bug in result.bugs if bug.outcome is Outcome.SEGFAULT_WILD]
    assert ["a number and no pointer" in message for message in wild] == [True]
