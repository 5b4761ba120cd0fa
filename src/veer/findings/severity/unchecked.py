"""An index that nothing checks, of a function that others call: its callers say which elements there are.

const char *level_string(int level) { return level_strings[level]; }      an argument is one of the levels
int read_reg(int i) { if (i > 4) return -1; return regs[i]; }             it checks, and misses: its own error
void mark(char *p, char *end, int step) { for (; p < end; p += step) *p = 0; }      0 is no step
int slot(int i) { return slots[i % 8]; }                                   it takes any number, also below 0
int weight(char c) { return weights[c]; }                                  and so are characters of the upper half
char last(const char *s, size_t n) { return s[n - 1]; }                   a length is as many as there are, none as well
"""

from __future__ import annotations

from collections.abc import Iterator

from veer.findings.severity.witness import Witness, length_place
from veer.model.outcome import Outcome
from veer.model.severity import Broken
from veer.model.types import ExtentKind
from veer.model.unitfacts import PlaceKind

_ENDINGS = (Outcome.HANG, Outcome.BOUNDS_READ, Outcome.BOUNDS_WRITE, Outcome.SEGFAULT_WILD, Outcome.UNDEFINED)

_CHARACTER = 8
"""Bits: a character of the upper half is a negative number where it is signed, whoever gives it."""


def broken(witness: Witness) -> Iterator[Broken]:
    """Each parameter by which elements are found, that no function compares, where an access went out of an object."""
    facts = witness.facts
    if witness.fault.outcome not in _ENDINGS or witness.is_arithmetic or witness.is_out_of_an_input:
        return
    if witness.is_called_by_the_unit_alone:  # callers.py
        return
    lengths = {
        length_place(held.place, held.type)
        for held, _ in witness.pointers
        if held.place is not None and held.type.extent is ExtentKind.LENGTH
    }
    known = lengths | facts.bounded | facts.ranged | witness.checked
    is_hang = witness.fault.outcome is Outcome.HANG
    for held, value in witness.numbers:
        is_own = held.place is not None and held.place.kind is PlaceKind.PARAMETER and held.owner == 0
        if value.width == _CHARACTER and value.number < 0:
            continue
        if is_own and held.place in facts.sizes and held.place not in known and (not is_hang or value.number == 0):
            yield Broken(
                f"{held.words} is a step that moves on" if is_hang else f"{held.words} is an index that there is",
                f"it needs `{held.words}` = {value.number}, which nothing checks: {_said(is_hang=is_hang)}",
            )


def _said(*, is_hang: bool) -> str:
    return "callers say by how much to go on" if is_hang else "callers say which elements there are"
