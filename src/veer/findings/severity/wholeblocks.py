"""A length that is no whole number of the blocks in which the code goes along.

void encrypt(uint8_t *buf, size_t length) { for (i = 0; i < length; i += 16) cipher(&buf[i]); }

That 3 bytes are no block is what its callers know. Whether the fault shows with whole blocks, too, is tried before the
length is blamed (repair.py).
"""

from __future__ import annotations

from collections.abc import Iterator

from veer.findings.severity.witness import Misfit, Witness, length_place
from veer.model.outcome import Outcome
from veer.model.severity import Broken
from veer.model.types import ExtentKind

_ENDINGS = (Outcome.BOUNDS_READ, Outcome.BOUNDS_WRITE)


def broken(witness: Witness) -> Iterator[Broken]:
    """Each such length of a buffer that the access went out of."""
    for misfit, step in _of_no_block(witness):
        words = misfit.held.words
        yield Broken(
            f"{words} is a multiple of {step}",
            f"it needs `{words}` = {misfit.value.number}, and the code goes in blocks of {step}",
        )


def outside(witness: Witness) -> Iterator[Misfit]:
    """The same numbers, each with some that are whole blocks."""
    yield from (misfit for misfit, _ in _of_no_block(witness))


def _of_no_block(witness: Witness) -> Iterator[tuple[Misfit, int]]:
    if witness.fault.outcome not in _ENDINGS or not witness.is_out_of_an_input:
        return
    steps = dict(witness.facts.steps)
    pointers = [held for item in witness.missed for held in witness.leading_to(item.number)]
    lengths = {
        length_place(each.place, each.type)
        for each in pointers
        if each.place is not None and each.type.extent is ExtentKind.LENGTH
    }
    for held, value in witness.numbers:
        step = steps.get(held.place, 0) if held.place is not None and held.place in lengths else 0
        rest = value.number % step if step else 0
        if rest:
            fitting = (value.number - rest, value.number - rest + step, value.number - rest + 2 * step)
            yield Misfit(held, value, tuple(each for each in fitting if each > 0)), step
