"""An assertion at the head of the entry fails: it says what the function takes.

void ring_free(struct ring **r) { assert(r && *r); free(*r); }      NULL in `*r` is what the function does not take

One that fails behind the first thing that is done, or in a function that the entry calls, is the code's own.
"""

from __future__ import annotations

from collections.abc import Iterator

from veer.findings.severity.witness import Witness
from veer.model.outcome import Outcome
from veer.model.severity import Broken


def broken(witness: Witness) -> Iterator[Broken]:
    """The assertion, if the entry begins with it."""
    fault, entry = witness.fault, witness.program.entry
    own = next((frame for frame in fault.stack if frame.function in dict(witness.facts.asserted)), None)
    if fault.outcome is not Outcome.ASSERTION or own is None or own.function != entry:
        return
    if own.line in dict(witness.facts.asserted)[entry]:
        yield Broken(f"{entry} asserts at line {own.line}", f"`{entry}` begins with an assertion that says otherwise")
