"""NULL where the code never tests for it.

What the run decided to be NULL and the code never compares with NULL was followed, or passed to a function that takes
no NULL: that ended the run. A function of the library may take NULL for something else: strtok_r(NULL, " ", &rest) goes
on at `rest`, which nobody wrote.
"""

from __future__ import annotations

from collections.abc import Iterator

from veer.findings.severity.witness import Held, Witness, in_words
from veer.model.outcome import Outcome
from veer.model.severity import Broken
from veer.model.types import ExtentKind
from veer.model.unitfacts import Place

_LAST_PAGE = (1 << 64) - 4096
"""What is before NULL: a header that the code takes to be there, `((struct header *)s)[-1]`."""
_ENDINGS = (Outcome.SEGFAULT_NULL, Outcome.SEGFAULT_WILD, Outcome.UNDEFINED)
_OUT_OF_BOUNDS = (Outcome.BOUNDS_READ, Outcome.BOUNDS_WRITE)
"""`p[i]` with NULL for `p` and a large `i` may land beside some other object."""


def broken(witness: Witness) -> Iterator[Broken]:
    """Each pointer that is NULL and that nothing tests."""
    if witness.fault.outcome is Outcome.UNINITIALISED:
        nulls = [each for each, at in witness.pointers if at.target is None and not at.function]
        yield from _untested(witness, nulls)
        return
    is_elsewhere = witness.fault.outcome in _OUT_OF_BOUNDS and not witness.is_out_of_an_input
    if witness.fault.outcome not in _ENDINGS and not is_elsewhere:
        return
    is_before = witness.fault.outcome is Outcome.SEGFAULT_WILD and witness.fault.address >= _LAST_PAGE
    nulls = [
        each
        for each, at in witness.pointers
        if at.target is None and (at.followed or witness.passes_null or is_before) and not at.function
    ]
    if not nulls and witness.fault.outcome is Outcome.SEGFAULT_NULL:
        nulls = _asked_before(witness)
    yield from _untested(witness, nulls)
    if not nulls and witness.fault.outcome is Outcome.SEGFAULT_NULL:
        yield from _always(witness)


def _untested(witness: Witness, nulls: list[Held]) -> Iterator[Broken]:
    """Those of the pointers that the code never tests."""
    for held in nulls:
        if held.place is not None and held.place not in witness.facts.tested:
            why = f"which {in_words(witness, held.place)} never tests"
            yield Broken(
                null_cause(held.place, witness.program.null),
                f"it needs {witness.program.null} for `{held.words}`, {why}",
            )


def _asked_before(witness: Witness) -> list[Held]:
    """What is NULL where the run followed none that it had not asked before: `destroy(p); *p = q;`, and destroy() asks.

    Nothing where one of them is tested.
    """
    found = [each for each, at in witness.pointers if at.target is None and not at.followed and not at.function]
    return [] if any(each.place in witness.facts.tested for each in found) else found


def null_cause(place: Place, null: str) -> str:
    """The contract that a pointer that is kept there is not NULL."""
    return f"{place.owner}.{place.member} is not {null}"


def _always(witness: Witness) -> Iterator[Broken]:
    """Pointers for which veer makes no object."""
    for held in witness.held:
        if held.type.extent is ExtentKind.NULL and _is_untested(witness, held):
            why = f"it needs {witness.program.null} for `{held.words}`: veer makes no {held.type.name}"
            yield Broken(f"{held.words} is not {witness.program.null}", why)


def _is_untested(witness: Witness, held: Held) -> bool:
    return held.place is None or held.place not in witness.facts.tested
