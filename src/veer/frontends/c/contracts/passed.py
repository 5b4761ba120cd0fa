"""The numbers that the calls of a unit pass for a parameter, where each of them is written as a constant.

static void copy(char *to, const char *from, size_t size) { ... size - 1 ... }
copy(name, text, sizeof name); copy(line, text, 200);       size is 50..200: that 0 - 1 is large is nobody's business

That tells something of functions which nobody else can call.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from veer.frontends.c.contracts.functionbody import FunctionBodies, call, is_constant
from veer.frontends.c.contracts.reading import Knowledge
from veer.model.unitfacts import Place, Stored, parameter_place


def passed(modules: Sequence[Knowledge]) -> tuple[Stored, ...]:
    """The parameters that are given nothing but constants, none of them negative, from the least to the greatest."""
    found: dict[Place, list[str]] = {}
    for module in modules:
        for place, value in _arguments(module.bodies()):
            found.setdefault(place, []).append(value)
    return tuple(
        Stored(place, min(map(int, values)), max(map(int, values)))
        for place, values in sorted(found.items())
        if all(is_constant(each) and int(each) >= 0 for each in values)
    )


def _arguments(bodies: FunctionBodies) -> Iterator[tuple[Place, str]]:
    """Each parameter of a function with the value that a call has for it; "" where a call has other arguments."""
    for name in bodies.names:
        body = bodies.function(name)
        for called in map(call, body.instructions()) if body is not None else ():
            callee = bodies.function(called.function) if called is not None else None
            if called is None or callee is None:
                continue
            names = tuple(callee.parameters.values())
            fits = len(names) == len(called.arguments)
            values = called.arguments if fits else ("",) * len(names)
            yield from (
                (parameter_place(called.function, own), value) for own, value in zip(names, values, strict=True)
            )
