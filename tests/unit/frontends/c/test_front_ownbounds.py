"""Bounds of single parameters: `--max-length NAME=N`, `--max-array NAME=N`, `--graph-depth NAME=N`."""

from __future__ import annotations

from pathlib import Path

import pytest
from front_fixtures import module_of

from veer.frontends.c.contracts.reading import Knowledge
from veer.frontends.c.extents import ObjectBounds
from veer.frontends.c.ownbounds import in_words
from veer.frontends.c.shapes import shape
from veer.frontends.c.typetable import TypeTable
from veer.model.buildoptions import OwnBound
from veer.model.errors import UsageError

TEXT = """
struct node { int value; struct node *next; };
struct tail { int length; int data[]; };
int f(char *s, int *v, int *w, int n, struct node *list, struct tail *tail, void *block, int grid[3], int (*call)(int))
{ return s && v && w && n && list && tail && block && grid && call; }
"""


def rows(folder: Path, *own: OwnBound) -> dict[str, tuple[str, int]]:
    """Parameter of f → extent and maximum; the general bounds are 8 and 4."""
    module = module_of(folder, TEXT)
    debug = module.debug
    function = next(each for each in debug.functions() if each.name == "f")
    table = TypeTable(ObjectBounds(8, 4))
    contract = Knowledge(module).contract(function, (), ("v=",))
    found = shape(debug, function, table, contract, own_bounds=own)
    return {
        each.name: (table.types[each.type].extent, table.types[each.type].maximum) for each in found.function.parameters
    }


def test_only_the_named_parameter_has_its_own_bound(tmp_path: Path) -> None:
    plain = rows(tmp_path)
    assert (plain["s"], plain["v"], plain["w"], plain["n"]) == (("string", 8), ("count", 4), ("length", 4), ("one", 4))
    given: tuple[OwnBound, ...] = (
        ("max-length", "s", 16),
        ("max-array", "v", 2),
        ("max-array", "w", 9),
        ("max-array", "tail", 1),
        ("max-length", "block", 3),
        ("graph-depth", "list", 1),
    )
    changed = {"s": ("string", 16), "v": ("count", 2), "w": ("length", 9), "n": ("one", 9), "tail": ("flexible", 1)}
    assert rows(tmp_path, *given) == plain | changed | {"block": ("fixed", 3)}


@pytest.mark.parametrize(
    ("own", "message"),
    [
        (("max-array", "z", 4), r"--max-array z=4: f has no parameter 'z' \(it has s, v, "),
        (("max-array", "n", 4), "the parameter n of f is no pointer"),
        (("graph-depth", "n", 4), "the parameter n of f is no pointer"),
        (("max-array", "list", 4), "the parameter list of f leads to no array"),
        (("max-array", "call", 4), "the parameter call of f leads to no array"),
        (("max-array", "grid", 4), "the parameter grid of f has its size in the source"),
        (("max-array", "s", 4), "for the parameter s of f write --max-length s=4"),
        (("max-length", "v", 4), "for the parameter v of f write --max-array v=4"),
        (("max-length", "tail", 4), "for the parameter tail of f write --max-array tail=4"),
    ],
)
def test_wrong_names_and_kinds_are_one_sentence(tmp_path: Path, own: OwnBound, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        rows(tmp_path, own)


def test_a_claim_names_them() -> None:
    own: tuple[OwnBound, ...] = (("max-array", "v", 2), ("graph-depth", "v", 1))
    general = ["max-array 4", "graph-depth 3", "max-length 8"]
    assert in_words("v", general, own, 3) == ["max-array 2 of v", "graph-depth 1 of v", "max-length 8"]
    assert in_words("w", general, own, 3) == general
