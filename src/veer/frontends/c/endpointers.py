"""Parameters that lead to the end of what another one leads to, or into it, as harnesses make them.

    f(const char *p, const char *end)      unsigned long veer_p_1 = 0;
                                           veer_h_make(&veer_p_1, &veer_t_4, "end");       a number of elements
                                           (f)(veer_p_0, (void *)((__UINT64_TYPE__)veer_p_0 + veer_p_1 * 1u))

It is computed as a number: no check of pointers stands there, and a branch of the harness would be one of the user's.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from veer.model.endpointers import leads_from, length_behind
from veer.model.program import Parameter
from veer.model.types import Type


def length_roots(parameters: Sequence[Parameter], types: Sequence[Type]) -> frozenset[str]:
    """The roots that say how many elements there are: they are made first."""
    return frozenset(root for each in parameters if (root := length_behind(types, each.type)))


def argument(parameters: Sequence[Parameter], types: Sequence[Type], names: Sequence[str], place: int) -> str:
    """What is passed at this place; `names`: the variables that hold what was made."""
    at = leads_from(parameters, types, place)
    if at is None:
        return names[place]
    first = f"(__UINT64_TYPE__){'*(void **)' * at.is_behind}{names[at.buffer]}"
    return f"(void *)({first} + {names[place]} * {at.size}u)"


def assumed(
    parameters: Sequence[Parameter], types: Sequence[Type], names: Sequence[str], single: Collection[int] = ()
) -> Iterator[str]:
    """What leads into a buffer does not lead beyond its end, and into NULL leads NULL alone. `single`: the places of
    parameters that lead to one object."""
    for place in range(len(parameters)):
        at = leads_from(parameters, types, place)
        if at is not None and at.buffer in single:
            yield f"    veer_h_assume({names[place]} <= 1);"
        elif at is not None and at.end != place:
            yield f"    veer_h_assume({names[place]} <= {names[at.end]});"
        if at is not None and at.is_nullable:
            first = f"{'*(void **)' * at.is_behind}{names[at.buffer]}"
            yield f"    veer_h_assume(({first} != 0) | ({names[place]} == 0));"
