"""An address that the program names itself: a register of the machine that it is written for."""

from __future__ import annotations

from collections.abc import Iterator

from veer.findings.severity.witness import Witness
from veer.model.outcome import Outcome
from veer.model.severity import Broken

_PAGE, _REGISTER = 4096, 8


def broken(witness: Witness) -> Iterator[Broken]:
    """The address of the access, when it lies in a page that the code names by a number."""
    fault = witness.fault
    if fault.outcome not in (Outcome.SEGFAULT_WILD, Outcome.SEGFAULT_NULL):
        return
    if any(_is_of(each, fault.address) for each in witness.facts.addresses):
        yield Broken(
            f"{fault.address:#x} is memory",
            f"it needs {fault.address:#x} to be no memory: the code takes it for a register of its machine",
        )


def _is_of(named: int, address: int) -> bool:
    """Whether an address belongs to one that the code names; in the page of NULL, only the register itself does."""
    return named // _PAGE == address // _PAGE if named >= _PAGE else named <= address < named + _REGISTER
