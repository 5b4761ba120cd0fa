"""What lies before a buffer: a number says how much there is, and veer's pointers lead to the beginnings of objects.

size_t at(const char *data, size_t before) { while (n < before && isalnum(data[-n - 1])) ++n; ... }
                                            before = 1 is said of a pointer into a text, behind its first character
char last(const char *s, size_t n) { return s[n - 1]; }      n = 0: no number is to blame that would be less otherwise

A length of the buffer itself is none of them, nor is a number without which the access is the same.
"""

from __future__ import annotations

from collections.abc import Iterator

from veer.findings.severity.witness import Misfit, Witness, length_place
from veer.model.outcome import Outcome
from veer.model.severity import Broken
from veer.model.types import ExtentKind
from veer.model.unitfacts import PlaceKind

_ENDINGS = (Outcome.BOUNDS_READ, Outcome.BOUNDS_WRITE)
_BEFORE = " before an object "
"""What the runtime's message says of such an access."""


def broken(witness: Witness) -> Iterator[Broken]:
    """Each number without which nothing before the buffer is looked at."""
    for misfit in outside(witness):
        words = misfit.held.words
        yield Broken(
            f"{words} says how much lies before a buffer",
            f"it needs `{words}` = {misfit.value.number}, and a pointer to the beginning of an object",
        )


def outside(witness: Witness) -> Iterator[Misfit]:
    """The same numbers, each with 0."""
    fault = witness.fault
    if fault.outcome not in _ENDINGS or not witness.is_out_of_an_input or _BEFORE not in fault.message:
        return
    lengths = {
        length_place(held.place, held.type)
        for held, _ in witness.pointers
        if held.place is not None and held.type.extent is ExtentKind.LENGTH
    }
    for held, value in witness.numbers:
        is_own = held.place is not None and held.place.kind is PlaceKind.PARAMETER and held.owner == 0
        if is_own and value.number > 0 and held.place not in lengths:
            yield Misfit(held, value, (0,))
