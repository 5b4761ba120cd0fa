"""The calls before the entry, which bring the unit's static data to what the test needs.

fsm_handle(EV_ARM);                      first the unit's own functions, with inputs of their own
bool result = fsm_handle(EV_START);      then the entry
"""

from __future__ import annotations

from msgspec import Struct

from veer.model.describe import type_at
from veer.model.endpointers import as_made
from veer.model.inputs import InputMap, Root, Scalar
from veer.model.literal import scalar
from veer.model.program import Parameter, Program
from veer.model.result import Test
from veer.model.state import calls_before, is_argument, is_choice
from veer.model.types import SCALAR_KINDS
from veer.model.values import replace
from veer.suite.c.endpointers import with_ends


class WrittenBefore(Struct, frozen=True):
    """What a writer of the inputs is given: `inputs` without choices and plain numbers, in which the arguments of the
    calls are roots of the names `roots`; `calls`: each call's function, and its arguments: numbers, or those names."""

    inputs: InputMap
    roots: tuple[str, ...] = ()
    calls: tuple[tuple[str, tuple[str, ...]], ...] = ()
    parameters: tuple[tuple[Parameter, ...], ...] = ()  # of each call, with the types of its inputs

    def lines(self, program: Program, variables: dict[str, str]) -> list[str]:
        """The calls as statements; `variables`: what each root of an argument is called."""
        names = {name: variables.get(name, "0") for name in self.roots}
        lines: list[str] = []
        for (name, given), parameters in zip(self.calls, self.parameters, strict=True):
            arguments = [names.get(each, each) for each in given]
            passed = with_ends(program.types, parameters, arguments)
            lines.append(f"{name}({', '.join(passed)});")
        return lines


def written_before(program: Program, test: Test) -> WrittenBefore:
    """The calls of a test before its entry."""
    own = [root for root in test.inputs.roots if not is_choice(root) and not is_argument(program.state, root)]
    known = {(root.name, root.occurrence): root for root in test.inputs.roots}
    roots: list[Root] = []
    calls: list[tuple[str, tuple[str, ...]]] = []
    typed: list[tuple[Parameter, ...]] = []
    for call in calls_before(program.state, test.inputs):
        function = program.function(call.function)
        arguments: list[str] = []
        given = function.parameters if function is not None else ()
        typed.append(as_made(test.inputs, given, [call.root(each.name) for each in given]))
        for parameter in function.parameters if function is not None else ():
            root = known.get(call.root(parameter.name))
            if root is None:
                arguments.append("0")
                continue
            if (number := _number(program, root)) is not None:
                arguments.append(number)
                continue
            roots.append(replace(root, name=f"{parameter.name}_{len(roots) + 1}", occurrence=0))
            arguments.append(roots[-1].name)
        calls.append((call.function, tuple(arguments)))
    inputs = replace(test.inputs, roots=(*roots, *own))
    return WrittenBefore(inputs, tuple(root.name for root in roots), tuple(calls), tuple(typed))


def _number(program: Program, root: Root) -> str | None:
    """A root that is a plain number, as an expression."""
    type_ = type_at(program, root.type)
    value = root.cells[0].value if len(root.cells) == 1 else None
    is_number = type_ is not None and type_.kind in SCALAR_KINDS and isinstance(value, Scalar)
    return scalar(value, type_) if is_number and isinstance(value, Scalar) else None
