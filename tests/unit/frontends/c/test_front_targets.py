"""`--void PARAM=TYPE`: what a `void *` leads to."""

from __future__ import annotations

from pathlib import Path

import pytest
from front_fixtures import module_of

from veer.frontends.c.contracts.reading import Knowledge
from veer.frontends.c.extents import ObjectBounds
from veer.frontends.c.shapes import shape
from veer.frontends.c.targets import with_targets
from veer.frontends.c.typetable import TypeTable
from veer.model.errors import UsageError

TEXT = """
struct node { int value; struct node *next; };
typedef struct { short a, b; } pair;
int f(const void *p, void *q, unsigned n, char *text)
{
    const struct node *node = p;
    pair *b = q;
    return node && b && n && text && b[n - 1].a;
}
"""


def made(folder: Path, *hints: str) -> dict[str, tuple[str, str, int, str]]:
    """Parameter of f → its type, extent, maximum, length."""
    module = module_of(folder, TEXT)
    debug = module.debug
    function = next(each for each in debug.functions() if each.name == "f")
    table = TypeTable(ObjectBounds(8, 4))
    wished = with_targets(debug, function, hints)
    found = shape(debug, wished, table, Knowledge(module).contract(wished))
    rows = {each.name: table.types[each.type] for each in found.function.parameters}
    return {name: (row.name, row.extent, row.maximum, row.length) for name, row in rows.items()}


@pytest.mark.parametrize(
    ("hint", "expected"),
    [
        ("p=struct node", ("struct node *", "one", 1, "")),
        ("p=pair", ("pair *", "one", 1, "")),
        ("p = const pair", ("pair *", "one", 1, "")),
        ("p=char", ("char *", "string", 8, "")),
        ("p=int", ("int *", "count", 4, "")),
        ("p=unsigned", ("unsigned int *", "count", 4, "")),
        ("p=long unsigned int", ("unsigned long *", "count", 4, "")),
        ("p=double", ("double *", "count", 4, "")),
        ("p=struct node *", ("struct node **", "count", 4, "")),
    ],
)
def test_a_hint_says_what_a_pointer_leads_to(tmp_path: Path, hint: str, expected: tuple[str, str, int, str]) -> None:
    assert made(tmp_path)["p"] == ("const void *", "fixed", 8, "")
    assert made(tmp_path, hint)["p"] == expected


def test_a_length_counts_elements_of_the_hinted_type(tmp_path: Path) -> None:
    assert made(tmp_path)["q"] == ("void *", "length", 8, "n")
    assert made(tmp_path, "q=pair")["q"] == ("pair *", "length", 4, "n")


@pytest.mark.parametrize(
    ("hint", "message"),
    [
        ("z=int", r"write --void PARAMETER=TYPE with a parameter of f \(it has p, q, n, text\)"),
        ("p=", "write --void PARAMETER=TYPE"),
        ("p", "write --void PARAMETER=TYPE"),
        ("text=int", "the parameter text of f is no void"),
        ("n=int", "the parameter n of f is no void"),
        ("p=struct nod", "no type 'struct nod': did you mean struct node?"),
        ("p=pear", "no type 'pear': did you mean pair?"),
        ("p=quite else", "no type 'quite else': include the header"),
    ],
)
def test_wrong_hints_are_one_sentence(tmp_path: Path, hint: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        made(tmp_path, hint)
