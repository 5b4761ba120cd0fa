"""Bugs of a static function for which nothing speaks but what it was given: its callers are all in the unit.

static int mod(int a, int b) { return a % b; }                      who calls it with 0?
static int at(int i) { return i <= 16 ? item[i] : 0; }              its own test is wrong, whoever calls it
static int key(struct n *n) { if (n) touch(n); return n->key; }     it tests for NULL on another path
static int sum(int *a, int n) { ... for (i = 0; i <= n; i++) }      its callers may know that there is one more
"""

from __future__ import annotations

from veer.findings.reaching.making import Unit
from veer.findings.severity.witness import Held, held_values, is_not_for_others
from veer.model.inputs import InputMap, Pointer, Scalar
from veer.model.outcome import Outcome
from veer.model.result import Bug
from veer.model.types import ExtentKind
from veer.model.unitfacts import Place

_OUT_OF_BOUNDS = (Outcome.BOUNDS_READ, Outcome.BOUNDS_WRITE)
_OF_AN_INPUT = "(input"
_NOT_OF_ARGUMENTS = (Outcome.LEAK, Outcome.UNINITIALISED)
"""What the function does with memory that it has made. `realloc(p, n)` frees where `n` is 0, which callers say."""
_BUFFERS = (ExtentKind.LENGTH, ExtentKind.STRING)


def rests_on_arguments(unit: Unit, bug: Bug, inputs: InputMap) -> str:
    """The entry's name, where it is static, the unit calls it or gives it away, and no check of its own is to blame."""
    if not is_not_for_others(unit.program) or bug.outcome in _NOT_OF_ARGUMENTS:
        return ""
    held = list(held_values(unit.program, inputs))
    asked = bug.judgement.failing_on
    if asked is not None:
        held = [each for each in held if isinstance(each.value, Scalar) and each.value.at in asked]
    if not any(_is_looked_at(each) for each in held):
        return ""
    is_checked = any(each.place in checked_on_the_way(unit, bug, each) for each in held if _is_looked_at(each))
    return "" if is_checked and not _is_behind_a_buffer(bug, held) else unit.program.entry


def checked_on_the_way(unit: Unit, bug: Bug, held: Held) -> frozenset[Place]:
    """What the functions down to the fault test themselves: NULL on another path, a number by order as it is."""
    names = {each.function for each in bug.stack}
    if isinstance(held.value, Scalar) and held.value.number < 0 and held.place not in unit.facts.floors:
        return frozenset()  # `i < n` says nothing of what is below 0
    top = dict(unit.facts.tops).get(held.place) if held.place is not None else None
    if isinstance(held.value, Scalar) and top is not None and held.value.number > top + 1:
        return frozenset()  # nor `i >= 7` of what is too much
    facts = unit.facts.checks if isinstance(held.value, Pointer) else unit.facts.ordered
    return frozenset(place for name, places in facts if name in names for place in places)


def _is_looked_at(held: Held) -> bool:
    """Whether a value may be to blame: a number that the run looked at, or NULL that it met."""
    value = held.value
    if isinstance(value, Pointer):
        return value.decided and value.target is None and not value.function
    return value.used


def _is_behind_a_buffer(bug: Bug, held: list[Held]) -> bool:
    """Whether the access went out of a buffer or a text that the function was given."""
    if bug.outcome not in _OUT_OF_BOUNDS or _OF_AN_INPUT not in bug.message:
        return False
    roots = ((each, each.value) for each in held if not each.owner and isinstance(each.value, Pointer))
    return any(pointer.followed and each.type.extent in _BUFFERS for each, pointer in roots)
