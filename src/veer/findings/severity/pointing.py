"""Gives the pointers of a witness objects of their own, where it shows the fault all the same.

strcpy(b, s); strcat(b, t);   with a long s, and NULL for t     shows the overflow of the first copy, and so does
                              a long s, and "" for t            which any caller may give
"""

from __future__ import annotations

from collections.abc import Callable

from veer.model.outcome import Outcome
from veer.model.severity import Judgement
from veer.wire.layout import BEGINS, TARGET_MARK, LeafKind
from veer.wire.shared import Shared

_MOST_TRIED = 16
_SIZE = 8  # bytes of a choice
_FRESH = (1).to_bytes(_SIZE, "little")
AT_NULL = (Outcome.SEGFAULT_NULL, Outcome.HANG)
"""Faults that a NULL pointer shows itself, and such as take long to show."""

Judged = Callable[[bytes, int], tuple[bytes, Judgement] | None]
"""Runs an input with a filler for what is behind its end: what was run, and how bad it is, if it shows the same."""


def choices(shared: Shared) -> tuple[int, ...]:
    """Where the pointers of the last run stand in its input, the first few."""
    ids = shared.region("ids")[: shared.run.run_leaf_count]
    leaves = shared.published("leaves")[list(dict.fromkeys(ids[ids < TARGET_MARK].tolist()))]
    return tuple(leaves["input_offset"][leaves["kind"] == int(LeafKind.CHOICE)].tolist()[:_MOST_TRIED])


def pointed(raw: bytes, judgement: Judgement, offsets: tuple[int, ...], judged: Judged) -> bytes:
    """The input with pointers to objects of their own, one after the other, as long as it breaks fewer contracts."""
    for offset in offsets:
        if not judgement.broken:
            break
        tried = raw[:offset].ljust(offset, b"\0") + _FRESH + raw[offset + _SIZE :]
        for filler in (0, BEGINS) if tried != raw else ():
            shown = judged(tried, filler)
            if shown is not None and len(shown[1].broken) < len(judgement.broken):
                raw, judgement = shown
                break
    return raw
