"""Pointers to structs of which the code takes several: `p[1]`, `p[i]`, `p++`, here or where it hands them to.

They led to one, as all pointers to structs do, and what needs a second one was never reached.
"""

from __future__ import annotations

from itertools import pairwise, product
from pathlib import Path

import pytest

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions
from veer.model.severity import Severity

TYPES = """
struct op { unsigned char code, arg; };
struct program { struct op *ops; int n; };
struct node { int value; struct node *next; };
"""
BODY = """
{
    int sum = 0;
    for (; p->code; p++) {
        if (p->code == 3 && p[1].code == 4) return 100;
        if (p->code == 5) sum += p->arg > 7;
    }
    switch (sum) { case 0: return 0; case 1: return 1; case 2: return 2; default: return 3; }
}
"""


def explored(folder: Path, text: str, **options: int) -> Result:
    source = folder / "unit.c"
    source.write_text(TYPES + text)
    build = BuildOptions((source,), "f", max_array=options.get("max_array", 4))
    return campaign.run(build, SearchOptions(budget=30))


def returned(result: Result) -> set[int]:
    return {int.from_bytes(test.returned or b"", "little", signed=True) for test in result.tests}


def expected() -> set[int]:
    """What the loop returns for all programs of up to 3 operations and the end behind them."""
    found = set()
    for codes in product((1, 3, 4, 5), repeat=3):
        ended = [*codes, 0]
        pairs = {(one, other) for one, other in pairwise(ended)}
        found |= {100} if (3, 4) in pairs else set(range(ended.count(5) + 1))
    return found


@pytest.mark.parametrize(
    "text",
    [
        f"int f(struct op *p) {BODY}",
        f"static int run(const struct op *p) {BODY} int f(const struct op *all) {{ return run(all); }}",
        f"static int run(const struct op *p) {BODY} int f(struct program *g) {{ return run(g->ops); }}",
    ],
    ids=["moved", "handed on", "within an object"],
)
def test_all_elements_up_to_an_end_are_inputs(text: str, tmp_path: Path) -> None:
    found = explored(tmp_path, text)
    assert expected() <= returned(found)
    assert not [each for each in found.bugs if each.severity == Severity.ERROR]
    assert all(not test.replayed.startswith("differs") for test in found.tests)


def test_a_member_whose_elements_are_taken_by_an_index(tmp_path: Path) -> None:
    body = """int f(struct program *g, int at)
        {
            if (at < 0 || at >= g->n) return -1;
            if (at == 2 && g->ops[at].code == 7) return g->ops[at].arg > 3;
            return 9;
        }"""
    found = explored(tmp_path, body)
    assert returned(found) >= {-1, 0, 9}
    assert found.coverage.branches is not None and found.coverage.branches.covered == found.coverage.branches.total
    assert not [each for each in found.bugs if each.severity == Severity.ERROR]


def test_a_chain_is_no_row(tmp_path: Path) -> None:
    body = "{ for (int s = 0; s < 3; s++, n = n->next) if (!n) return s; return 3; }"
    found = explored(tmp_path, f"int f(struct node *n) {body}")
    assert not any(words.startswith("max-array") for words in found.ending.within)
    assert {0, 3} <= returned(found)


def test_one_element_is_what_the_user_says(tmp_path: Path) -> None:
    found = explored(tmp_path, f"int f(struct op *p) {BODY}", max_array=1)
    assert 100 not in returned(found)
