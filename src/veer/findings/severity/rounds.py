"""A number that asks for more rounds than a run has steps.

void delay(unsigned n) { while (n--) ; }    n = 4294967295 ends after some seconds: long, not endless
for (unsigned char i = 0; i < n; i++)       n = 300 is as endless as n = 2147483647: no number is to blame
if (n > 1000000) for (;;) ;                 endless, and nothing in the loop asks about n: no number is to blame

The plain build tells none from the other, for it waits a second or so. A loop that counts asks something new of the
input in each round; one without end asks the same again, or nothing. So a number is to blame where the run met many
different conditions, and no smaller number shows a hang in that loop.
"""

from __future__ import annotations

from collections.abc import Iterator

from veer.findings.severity.witness import Misfit, Witness
from veer.model.outcome import Outcome
from veer.model.severity import Broken
from veer.model.types import TypeKind

MOST_ROUNDS = 100_000
"""A number up to that is to blame for nothing: as many rounds end within a moment."""
MANY_CONDITIONS = 1000
"""Of the input that one run met: a loop that counts, and is not endless."""
_COUNTS = frozenset((TypeKind.SIGNED, TypeKind.UNSIGNED, TypeKind.CHAR))
_SMALLER = (300, 70_000, -300, 1)
"""Beyond what one byte, and two, count to; below zero; and nearly nothing."""


def broken(witness: Witness) -> Iterator[Broken]:
    """Each large number that a run looked at which used up its steps."""
    for misfit in outside(witness):
        words = misfit.held.words
        yield Broken(
            f"{words} asks for few rounds",
            f"it needs `{words}` = {misfit.value.number}, and with smaller numbers no run is as long",
        )


def outside(witness: Witness) -> Iterator[Misfit]:
    """The same numbers, each with some that ask for few rounds."""
    if witness.fault.outcome is not Outcome.HANG or witness.asked < MANY_CONDITIONS:
        return
    for held, value in witness.numbers:
        if held.type.kind in _COUNTS and abs(value.number) > MOST_ROUNDS:
            smaller = (each for each in _SMALLER if each > 0 or held.type.kind is not TypeKind.UNSIGNED)
            yield Misfit(held, value, tuple(smaller))
