"""Moves the numbers of a witness to such as a caller may give, as far as it still shows the fault.

r->buf[r->head + 1] with head = 4294967295      is out of bounds, and so it is with
                         head = 7               which the unit's own functions store: no contract is broken
v->text[v->at + 1]  with length = 9, at = 3     and 4 characters: the same with
                         length = 4, at = 3     so that no length is to blame
for (unsigned char i = 0; i < n; i++)           hangs with n = 2147483647, and so it does with 300
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, product

from veer.findings.severity import callers, enumerations, fields, lengths, preceding, rounds, standstill, wholeblocks
from veer.findings.severity.witness import Misfit, Witness
from veer.model.inputs import Scalar

_MOST_TRIED = 64
"""Choices of all numbers at once, and of one number in each round."""
_MOST_ROUNDS = 16

Shows = Callable[[bytes], Witness | None]
"""Runs an input: its witness, if it shows the same fault."""


def misfits(witness: Witness) -> tuple[Misfit, ...]:
    """The numbers that no caller gives, each once."""
    rules = (rounds, standstill, preceding, fields, callers, enumerations, lengths, wholeblocks)
    return tuple({each.held.words: each for rule in rules for each in rule.outside(witness)}.values())


def repaired(raw: bytes, witness: Witness, shows: Shows) -> bytes:
    """The input with fewer numbers that no caller gives: none if that can be, else one less and again.

    The same input where none can be moved.
    """
    together = next(_moved(raw, shows, _together(_movable(witness)), most=0), None)
    if together is not None:
        return together[0]
    for _ in misfits(witness)[:_MOST_ROUNDS]:
        most = len(misfits(witness)) - 1
        moved = next(_moved(raw, shows, _apart(_movable(witness)), most), None)
        if moved is None:
            break
        raw, witness = moved
    return raw


def _movable(witness: Witness) -> Sequence[Misfit]:
    return [each for each in misfits(witness) if each.value.at >= 0 and each.value.width % 8 == 0]


def _together(wrong: Sequence[Misfit]) -> Iterator[Mapping[Misfit, int]]:
    """Choices of other numbers for all at once."""
    if len(wrong) > 1:
        for numbers in islice(product(*(each.fitting for each in wrong)), _MOST_TRIED):
            yield dict(zip(wrong, numbers, strict=True))


def _apart(wrong: Sequence[Misfit]) -> Iterator[Mapping[Misfit, int]]:
    """Choices of another number for one."""
    yield from islice(({each: number} for each in wrong for number in each.fitting), _MOST_TRIED)


def _moved(
    raw: bytes, shows: Shows, choices: Iterator[Mapping[Misfit, int]], most: int
) -> Iterator[tuple[bytes, Witness]]:
    """Inputs that show the same with at most so many such numbers."""
    for choice in choices:
        tried = raw
        for misfit, number in choice.items():
            tried = put(tried, misfit.value, number)
        shown = shows(tried)
        if shown is not None and len(misfits(shown)) <= most:
            yield tried, shown


def put(raw: bytes, value: Scalar, number: int) -> bytes:
    """The input with another value of a number."""
    size = value.width // 8
    grown = raw.ljust(value.at + size, b"\0")
    written = (number & ((1 << value.width) - 1)).to_bytes(size, "little")
    return grown[: value.at] + written + grown[value.at + size :]
