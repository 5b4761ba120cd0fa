"""The data structures of `subjects/structures`, clean and with seeded bugs, as campaigns: the rows of figure 10.

Each structure is tested through its repOK (CUTE section 3.6, `--pre`) or by call sequences (`--sequence`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from veer.model.buildoptions import BuildOptions
from veer.model.outcome import Outcome

SOURCES = Path(__file__).parent / "subjects" / "structures"


@dataclass(frozen=True, slots=True)
class Structure:
    """One row: entries with their preconditions, a call sequence, and the bugs that SEEDED puts in (what, where)."""

    name: str
    source: str
    entries: tuple[tuple[str, tuple[str, ...]], ...] = ()
    sequence: str = ""
    max_calls: int = 5
    seeded: tuple[tuple[Outcome, str], ...] = ()

    def builds(self, *, seeded: bool) -> Iterator[BuildOptions]:
        """The campaigns."""
        source = (SOURCES / self.source,)
        define = ("SEEDED",) if seeded else ()
        for entry, predicates in self.entries:
            yield BuildOptions(source, entry, define=define, preconditions=predicates, graph_depth=6)
        if self.sequence:
            yield BuildOptions(
                source,
                f"sequence_{self.source[:-2]}",
                define=define,
                checks=("leak",),
                sequence=self.sequence,
                max_calls=self.max_calls,
            )


STRUCTURES = (
    Structure(
        "array quick sort",
        "sorts.c",
        (("quick_sort", ()),),
        seeded=((Outcome.ASSERTION, "check"),),
    ),
    Structure("array heap sort", "sorts.c", (("heap_sort", ()),)),
    Structure(
        "linked list",
        "list.c",
        tuple((entry, ("list_ok",)) for entry in ("list_length", "list_find", "list_reverse")),
        sequence="{list_push,list_remove}",
        max_calls=4,
        seeded=((Outcome.SEGFAULT_NULL, "list_reverse"), (Outcome.LEAK, "list_push")),
    ),
    Structure(
        "sorted list",
        "sorted.c",
        tuple((entry, ("sorted_ok",)) for entry in ("sorted_member", "sorted_add", "sorted_remove")),
        seeded=((Outcome.ASSERTION, "check"),),
    ),
    Structure(
        "doubly linked list",
        "doubly.c",
        (
            ("doubly_last", ("doubly_ok",)),
            ("doubly_remove", ("doubly_ok",)),
            ("doubly_concatenate", ("doubly_ok", "apart")),
        ),
        seeded=((Outcome.SEGFAULT_NULL, "doubly_concatenate"),),
    ),
    Structure(
        "hash table",
        "hashed.c",
        sequence="hashed_new,{hashed_add,hashed_remove,hashed_member},hashed_free",
        seeded=((Outcome.HANG, "found"), (Outcome.LEAK, "hashed_add")),
    ),
    Structure(
        "red-black tree",
        "redblack.c",
        (("tree_member", ("tree_ok",)), ("tree_insert", ("tree_ok",))),
        seeded=((Outcome.ASSERTION, "tree_insert"),),
    ),
)
