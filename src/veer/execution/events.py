"""The events of a recorded run that specifications saw, in words: `open(3)`, `open(3) returned 0`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from veer.execution.stubcalls import Record
from veer.model.program import Program
from veer.model.specification import Event
from veer.wire.layout import OutputKind

MOST = 64
"""The last ones of a run."""


def events(records: Sequence[Record], program: Program) -> tuple[str, ...]:
    """The last events, in order; those of calls before the entry's are among them."""
    known = program.watching.events if program.watching is not None else ()
    told = [each for each in records if each.kind == OutputKind.EVENT and each.number < len(known)]
    return tuple(_words(known[each.number], np.frombuffer(each.data, "<i8").tolist()) for each in told[-MOST:])


def _words(event: Event, values: Sequence[int]) -> str:
    """`told` says which of the arguments, and whether the result, have a value here; the first ones do."""
    shown = dict(zip(event.told, values, strict=False))
    arguments = [str(value) for name, value in shown.items() if name != RESULT]
    arguments += ["..."] if event.has_more else []
    call = f"{event.function}({', '.join(arguments)})"
    if not event.is_return:
        return call
    return f"{call} returned {shown[RESULT]}" if RESULT in shown else f"{call} returned"


RESULT = "result"
