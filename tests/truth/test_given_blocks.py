"""A block whose address was given to code that veer does not see is no leak; one that was only read there is."""

from __future__ import annotations

from pathlib import Path

import pytest
from veer_side import explore

from veer.model.buildoptions import BuildOptions
from veer.model.searchoptions import SearchOptions

HEADERS = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct node { struct node *next; char *name; };
void release(void *block);
void add(int where, struct node **list);
"""
UNITS = {  # body of `int f(int x)`, given a block of 20 bytes → the values of x for which it is lost
    "to a stub": ("if (x == 9) release(block);", False),
    "to a stub, behind a pointer": (
        "struct node one = {0, block}, *first = &one; if (x == 9) add(1, &first); else free(block);",
        False,
    ),
    "to the library": ('strcpy(block, "A=B"); if (x == 9) putenv(block);', False),
    "to a reader": ('strcpy(block, "x"); if (x == 9) printf("%s", block);', True),
    "to a function that fills it": ('if (x == 9) snprintf(block, 20, "%g", 1.5);', True),
}


@pytest.mark.parametrize("name", UNITS)
def test_a_block_that_was_given_away(tmp_path: Path, name: str) -> None:
    body, is_lost = UNITS[name]
    source = tmp_path / "unit.c"
    otherwise = "" if "else" in body else "if (x != 9) free(block);"
    source.write_text(
        f"{HEADERS}int f(int x) {{ char *block = malloc(20); if (!block) return 1; {body} {otherwise} return 0; }}\n"
    )
    result = explore(BuildOptions((source,), "f"), SearchOptions(budget=20.0), tmp_path / "out")
    assert [bug.outcome.key for bug in result.bugs] == ["leak"] * is_lost
    assert len(result.tests) == 2


CALLBACKS = [("void *", False), ("struct node *", False), ("const void *", True), ("const struct node *", True)]


@pytest.mark.parametrize(("kind", "is_lost"), CALLBACKS)
def test_a_block_that_was_given_to_a_callback(tmp_path: Path, kind: str, is_lost: bool) -> None:
    """`if (free_func) free_func(p); else free(p);`: what frees it is the caller's; a comparison frees nothing."""
    source = tmp_path / "unit.c"
    source.write_text(
        f"{HEADERS}int f(int (*give)({kind})) {{ struct node *block = malloc(20); if (!block) return 1;"
        " if (give) return give(block); free(block); return 0; }\n"
    )
    result = explore(BuildOptions((source,), "f"), SearchOptions(budget=20.0), tmp_path / "out")
    assert [bug.outcome.key for bug in result.bugs] == ["leak"] * is_lost
