"""An allocation that failed, although nobody asked for that: how much memory there is, the machine says.

p = malloc(n); if (!p) return -1;
q = malloc(n); q->next = p;          the code tests one of them, and not the other: it may know why
p = malloc(n); if (!p) abort();      so it ends on purpose
q = malloc(n); if (!q) return -1;    `p` is lost: that is an error of the code, however it came to it
"""

from __future__ import annotations

from collections.abc import Iterator

from veer.findings.severity.witness import Witness
from veer.model.inputs import Scalar
from veer.model.outcome import Outcome
from veer.model.severity import Broken

_FAILS = "() fails"
_ENDINGS = (
    Outcome.ABORTED,
    Outcome.ASSERTION,
    Outcome.SEGFAULT_NULL,
    Outcome.SEGFAULT_WILD,
    Outcome.BOUNDS_READ,
    Outcome.BOUNDS_WRITE,
    Outcome.UNDEFINED,
    Outcome.ILLEGAL,
)
"""What follows where NULL is used, or nothing can be done."""


def broken(witness: Witness) -> Iterator[Broken]:
    """The first call that failed, where nobody asked for failures."""
    if not witness.program.has_unasked_failures or witness.fault.outcome not in _ENDINGS or witness.is_arithmetic:
        return
    for root in witness.inputs.roots:
        if root.name.endswith(_FAILS) and any(isinstance(at.value, Scalar) and at.value.bits for at in root.cells):
            call = root.name.removesuffix(" fails")
            yield Broken(f"{call} succeeds", f"it needs `{call}` to fail, for want of memory")
            return
