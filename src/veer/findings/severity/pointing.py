"""Gives the pointers of a witness objects of their own, where it shows the fault all the same.

strcpy(b, s); strcat(b, t);   with a long s, and NULL for t     shows the overflow of the first copy, and so does
                              a long s, and "" for t            which any caller may give
put(null); put(0);            where there is room for one       shows what 1 and 0 show, and 0 and 0 do not
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from veer.model.outcome import Outcome
from veer.model.severity import Judgement
from veer.wire.layout import BEGINS, TARGET_MARK, LeafKind
from veer.wire.shared import Shared

_MOST_TRIED = 16
_SIZE = 8  # bytes of a choice
_FRESH = (1).to_bytes(_SIZE, "little")
_OTHER = b"\x01"
"""The lowest byte of a number: 1, or a text of one character."""
AT_NULL = (Outcome.SEGFAULT_NULL, Outcome.HANG)
"""Faults that a NULL pointer shows itself, and such as take long to show."""

_NUMBERS = tuple(map(int, (LeafKind.UNSIGNED, LeafKind.SIGNED, LeafKind.CHAR, LeafKind.BYTE)))

Judged = Callable[[bytes, int], tuple[bytes, Judgement] | None]
"""Runs an input with a filler for what is behind its end: what was run, and how bad it is, if it shows the same."""


def choices(shared: Shared) -> tuple[int, ...]:
    """Where the pointers of the last run stand in its input, the first few."""
    return _places(shared, (int(LeafKind.CHOICE),))[:_MOST_TRIED]


def numbers(shared: Shared) -> tuple[int, ...]:
    """Where the numbers of the last run stand in its input."""
    return _places(shared, _NUMBERS)


def _places(shared: Shared, kinds: tuple[int, ...]) -> tuple[int, ...]:
    ids = shared.region("ids")[: shared.run.run_leaf_count]
    leaves = shared.published("leaves")[list(dict.fromkeys(ids[ids < TARGET_MARK].tolist()))]
    return tuple(leaves["input_offset"][np.isin(leaves["kind"], kinds)].tolist())


def pointed(
    raw: bytes,
    judgement: Judgement,
    offsets: tuple[int, ...],
    judged: Judged,
    asked: Callable[[], tuple[int, ...]] = tuple,
) -> bytes:
    """The input with pointers to objects of their own, one after the other, as long as it breaks fewer contracts.

    `asked`: where the numbers of the last run stand, which was that of `raw` or of one that was tried.
    """
    known = frozenset(asked())
    for offset in offsets:
        if not judgement.broken:
            break
        tried = _put(raw, offset, _FRESH)
        for each, filler in _tries(tried, known, asked) if tried != raw else ():
            shown = judged(each, filler)
            if shown is not None and len(shown[1].broken) < len(judgement.broken):
                raw, judgement = shown
                known |= frozenset(asked())
                break
    return raw


def _tries(tried: bytes, known: frozenset[int], asked: Callable[[], tuple[int, ...]]) -> Iterator[tuple[bytes, int]]:
    """An input with fillers; and with other numbers in the object that is new, which may be equal to another one."""
    yield tried, 0
    new = [each for each in asked() if each not in known]
    yield tried, BEGINS
    if new:
        for each in new:
            tried = _put(tried, each, _OTHER)
        yield tried, 0


def _put(raw: bytes, offset: int, data: bytes) -> bytes:
    return raw[:offset].ljust(offset, b"\0") + data + raw[offset + len(data) :]
