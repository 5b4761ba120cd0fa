"""What a call gives behind `...`: `put("%s %f", text_1, 2.5)`, as far as the run read arguments.

Integers are written as long long, which is read right as any smaller one where arguments have eight bytes each.
"""

from __future__ import annotations

from collections.abc import Callable

from veer.model.inputs import InputMap, Pointer, Scalar
from veer.model.literal import floating, integer
from veer.model.program import Program
from veer.model.values import replace
from veer.model.variadic import Argument, arguments, rest_list

_WIDTH = 64


def without_list(program: Program, inputs: InputMap) -> InputMap:
    """The inputs without the list that the arguments behind `...` lie in: they are written where the call is."""
    found = rest_list(program, inputs)
    if found is None:
        return inputs
    root, number = found
    objects = tuple(item for item in inputs.objects if item.number != number)
    return replace(inputs, roots=tuple(each for each in inputs.roots if each is not root), objects=objects)


def behind(program: Program, inputs: InputMap, variable: Callable[[int], str]) -> list[str]:
    """The arguments, as C; `variable`: the name of an object's variable."""
    return [_written(argument, variable) for argument in arguments(program, inputs)]


def _written(argument: Argument, variable: Callable[[int], str]) -> str:
    value = argument.value
    if isinstance(value, Pointer):
        return "(char *)NULL" if value.target is None else variable(value.target)
    bits = value.bits if isinstance(value, Scalar) else 0
    if argument.is_real:
        return floating(bits, _WIDTH)
    text = integer(bits - (1 << _WIDTH) if bits >> (_WIDTH - 1) else bits, _WIDTH, is_signed=True)
    return text if "ll" in text else f"{text}ll"
