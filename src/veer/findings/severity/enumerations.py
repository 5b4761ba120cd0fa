"""A number of an enumeration that is none of its enumerators.

enum kind { NONE, REQUIRED, OPTIONAL };     kind = 289 is no argument that a caller writes
enum flags { READ = 1, WRITE = 2, ... };    of single bits, any of them together is one
"""

from __future__ import annotations

from collections.abc import Iterator

from veer.findings.severity.witness import Misfit, Witness
from veer.model.severity import Broken

_MOST_TRIED = 16


def broken(witness: Witness) -> Iterator[Broken]:
    """Each number that the run looked at and that its enumeration does not have."""
    for misfit in outside(witness):
        kind, words = misfit.held.type.name, misfit.held.words
        yield Broken(
            f"{words} is of {kind}", f"it needs `{words}` = {misfit.value.number}, which is no enumerator of {kind}"
        )


def outside(witness: Witness) -> Iterator[Misfit]:
    """The same numbers, each with the enumerators."""
    for held, value in witness.numbers:
        numbers = [number for _, number in held.type.enumerators]
        if numbers and value.number not in numbers and not _is_of_flags(value.number, numbers):
            yield Misfit(held, value, tuple(numbers[:_MOST_TRIED]))


def _is_of_flags(number: int, enumerators: list[int]) -> bool:
    """Whether a number is made of enumerators that are single bits."""
    flags = [each for each in enumerators if each > 0 and each & (each - 1) == 0]
    covered = 0
    for each in flags:
        covered |= each
    has_several = len(flags) > 1 and max(flags) > 2 and set(enumerators) <= {0, *flags}
    return has_several and number >= 0 and not number & ~covered
