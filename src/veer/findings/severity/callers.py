"""A number that a static function never asks for: its callers, which are all in the unit, say what it is.

static void swap(struct heap *h, int i, int j) { void *t = h->item[i]; ... }      i = 7 in a heap of 2 is no call that
void push(struct heap *h) { if (h->count < MOST) ... swap(h, at, parent(at)); }   any function of the unit makes

Where all of them pass constants (sizeof name, 200), any other number is none that it gets, whatever it does with it.
Else what the function, or one that it calls, compares itself is its own business: an index that it checks and misses
by one is its error, whoever calls it. Numbers that it only dispatches on (`mode == 3`) are not to blame.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from veer.findings.severity import fields
from veer.findings.severity.witness import Held, Misfit, Witness
from veer.model.inputs import Scalar
from veer.model.outcome import Outcome
from veer.model.severity import Broken
from veer.model.unitfacts import Stored

_ROOT = re.compile(r"[A-Za-z_]\w*")
_ACCESSES = (Outcome.BOUNDS_READ, Outcome.BOUNDS_WRITE, Outcome.SEGFAULT_WILD, Outcome.UNDEFINED)
"""Undefined that is no arithmetic: an index outside of an array in a struct, an address that numbers moved away."""


def broken(witness: Witness) -> Iterator[Broken]:
    """Each number that the run looked at and that a static entry with callers is not passed, or never compares."""
    program, facts = witness.program, witness.facts
    if not witness.is_called_by_the_unit_alone:
        return
    wrong = {held.words: known for held, _, known in _not_passed(witness)}
    is_fault = witness.is_arithmetic or witness.fault.outcome in _ACCESSES
    checked = witness.checked
    for held, value in witness.numbers:
        place, known = held.place, wrong.get(held.words)
        if known is not None:
            said = (
                f"and the callers of the {program.linkage(program.entry)} `{program.entry}` pass {fields.span(known)}"
            )
        elif place is None or not is_fault or place in checked or not _is_to_blame(witness, held, value):
            continue
        elif place not in facts.bounded if witness.is_arithmetic else place in facts.sizes:
            said = (
                f"which the {program.linkage(program.entry)} `{program.entry}` never checks: its callers say what it is"
            )
        else:
            continue
        what = f"{held.words} of {program.entry} is what its callers give"
        yield Broken(what, f"it needs `{held.words}` = {value.number}, {said}")


def outside(witness: Witness) -> Iterator[Misfit]:
    """The numbers that no caller passes, each with some that one passes."""
    yield from (Misfit(held, value, fields.candidates(known)) for held, value, known in _not_passed(witness))


def _not_passed(witness: Witness) -> Iterator[tuple[Held, Scalar, Stored]]:
    """The arguments that the run looked at and that no caller passes, each with what they pass."""
    if not witness.is_called_by_the_unit_alone or witness.program.entry in witness.facts.handed:
        return  # what calls through a pointer pass is not known
    passed = {each.place: each for each in witness.facts.passed}
    for held, value in witness.numbers:
        known = passed.get(held.place) if held.place is not None else None
        if known is not None and not known.low <= value.number <= known.high:
            yield held, value, known


def _is_to_blame(witness: Witness, held: Held, value: Scalar) -> bool:
    """Whether a value is one of this call, and one on which the arithmetic depends that failed."""
    asked = witness.failing_on if witness.is_arithmetic else None
    return (asked is None or value.at in asked) and _is_of_this_call(witness, held)


def _is_of_this_call(witness: Witness, held: Held) -> bool:
    """Whether a value is an argument of the entry's, or in what one leads to; not a stub's result or a file's byte."""
    root = _ROOT.search(held.words)
    function = witness.program.function(witness.program.entry)
    return root is not None and function is not None and any(each.name == root[0] for each in function.parameters)
