"""A step of 0 in a static function: its callers say by how much it goes on.

static void down(char *digit, uint64_t rest, uint64_t step, uint64_t most)
{ while (rest < most && most - rest >= step) { --*digit; rest += step; } }      step = 0 is no call that the unit makes

A number that the function tells from 0 is its own business, and so is one with which it hangs as well when it is 1.
"""

from __future__ import annotations

from collections.abc import Iterator

from veer.findings.severity.rounds import MANY_CONDITIONS
from veer.findings.severity.witness import Misfit, Witness
from veer.model.outcome import Outcome
from veer.model.severity import Broken
from veer.model.unitfacts import PlaceKind

_STEPS = (1, 2)


def broken(witness: Witness) -> Iterator[Broken]:
    """Each 0 without which the run ends, if it is a parameter of a static function that the unit calls."""
    program = witness.program
    for misfit in outside(witness):
        words = misfit.held.words
        entry = f"the {program.linkage(program.entry)} `{program.entry}`"
        yield Broken(
            f"{words} of {program.entry} is a step that moves on",
            f"it needs `{words}` = 0, which {entry} never rules out: its callers say what it is",
        )


def outside(witness: Witness) -> Iterator[Misfit]:
    """The same numbers, each with steps that move on."""
    is_endless = witness.fault.outcome is Outcome.HANG and witness.asked < MANY_CONDITIONS
    if not is_endless or not witness.is_called_by_the_unit_alone:
        return
    told_apart = {place for place, _ in witness.facts.tops} | witness.facts.floors
    for held, value in witness.numbers:
        is_own = held.place is not None and held.place.kind is PlaceKind.PARAMETER and held.owner == 0
        if is_own and value.number == 0 and held.place not in told_apart:
            yield Misfit(held, value, _STEPS)
