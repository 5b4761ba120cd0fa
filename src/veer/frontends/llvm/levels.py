"""Which units are generated with optimisation (code level 1, two paths of each function) and which without (level 0).

Level 1 makes runs 1.8 times as fast and code generation ten times as slow (decisions 0013, 0210). So the units that are
nearest to the entry get it, by who calls whom, as far as there is time for it; a function that alone would take half a
minute (an interpreter's loop) never does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from veer.frontends.llvm.irtext import declared_functions, defined_functions
from veer.frontends.llvm.unit import UnitRequest
from veer.model.values import replace

OPTIMISED = 2_500_000
"""Characters of the compiler's IR that are generated at level 1 for one program: about twelve seconds of a core."""
OPTIMISED_SHARED = 100_000
"""The same for shared units that the cache does not have yet: about a second."""
GIANT_FUNCTION = 400_000
"""Characters of one function from which on level 1 takes more than linear time: Lua's interpreter 17 s of 0.55 MB."""
_BODY = re.compile(r"^define .*?^}", re.MULTILINE | re.DOTALL)


def with_levels(
    units: Sequence[UnitRequest], is_kept: Callable[[UnitRequest], bool] = lambda _: False
) -> tuple[UnitRequest, ...]:
    """The same units with their levels; the entry's is the last. `is_kept`: whether the cache has it at level 1.

    Of shared units a few are generated at level 1 in each build, the nearest first; the cache keeps them for the next.
    """
    left, shared, chosen = OPTIMISED, OPTIMISED_SHARED, [False] * len(units)
    for index in _nearest_first(units):
        size = len(units[index].ir)
        if units[index].is_shared:
            has_it = is_kept(units[index])
            chosen[index] = has_it or size <= shared
            shared -= size if chosen[index] and not has_it else 0
        elif size <= left and _largest_function(units[index].ir) < GIANT_FUNCTION:
            chosen[index] = True
            left -= size
    return tuple(replace(unit, level=int(is_chosen)) for unit, is_chosen in zip(units, chosen, strict=True))


def _largest_function(ir: str) -> int:
    return max((len(body) for body in _BODY.findall(ir)), default=0) if len(ir) >= GIANT_FUNCTION else len(ir)


def _nearest_first(units: Sequence[UnitRequest]) -> list[int]:
    """Indices by the calls between units from the entry's to each; small ones first, those that nobody calls last."""
    defined_by = {name: index for index, unit in enumerate(units) for name in defined_functions(unit.ir)}
    distances = {len(units) - 1: 0}
    waiting = [len(units) - 1]
    for index in waiting:
        called = {defined_by[name] for name in declared_functions(units[index].ir) if name in defined_by}
        for other in sorted(called - set(distances)):
            distances[other] = distances[index] + 1
            waiting.append(other)
    return sorted(range(len(units)), key=lambda index: (distances.get(index, len(units)), len(units[index].ir), index))
