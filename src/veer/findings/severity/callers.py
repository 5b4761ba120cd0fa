"""A number that a static function never asks for: its callers, which are all in the unit, say what it is.

static void swap(struct heap *h, int i, int j) { void *t = h->item[i]; ... }      i = 7 in a heap of 2 is no call that
void push(struct heap *h) { if (h->count < MOST) ... swap(h, at, parent(at)); }   any function of the unit makes

What the function, or one that it calls, compares itself is its own business: an index that it checks and misses by one
is its error, whoever calls it. Numbers that it only dispatches on (`mode == 3`) are not to blame.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from veer.findings.severity.witness import Held, Witness
from veer.model.outcome import Outcome
from veer.model.severity import Broken

_ROOT = re.compile(r"[A-Za-z_]\w*")
_ACCESSES = (Outcome.BOUNDS_READ, Outcome.BOUNDS_WRITE, Outcome.SEGFAULT_WILD, Outcome.UNDEFINED)
"""Undefined that is no arithmetic: an index outside of an array in a struct, an address that numbers moved away."""


def broken(witness: Witness) -> Iterator[Broken]:
    """Each number that the run looked at and that a static entry with callers never compares."""
    program, facts = witness.program, witness.facts
    is_fault = witness.is_arithmetic or witness.fault.outcome in _ACCESSES
    if not is_fault or not witness.is_called_by_the_unit_alone:
        return
    checked = witness.checked
    for held, value in witness.numbers:
        place = held.place
        if place is None or place in checked or not _is_of_this_call(witness, held):
            continue
        if place not in facts.bounded if witness.is_arithmetic else place in facts.sizes:
            yield Broken(
                f"{held.words} of {program.entry} is what its callers give",
                f"it needs `{held.words}` = {value.number}, which the static `{program.entry}` never checks: "
                "its callers say what it is",
            )


def _is_of_this_call(witness: Witness, held: Held) -> bool:
    """Whether a value is an argument of the entry's, or in what one leads to; not a stub's result or a file's byte."""
    root = _ROOT.search(held.words)
    function = witness.program.function(witness.program.entry)
    return root is not None and function is not None and any(each.name == root[0] for each in function.parameters)
