"""Static functions that are only ever handed to functions of the unit, which call them: nobody else can.

static int each(void *state, int token) { ... }
int parse(const char *s) { struct state d = {0}; return walk(s, each, &d); }      walk() is defined here, and calls it
qsort(rows, n, size, by_key);  hooks.each = each;                                  others call it, or may
register_at(&bus, each);                                                           so they may where that keeps it
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from veer.frontends.c.contracts.functionbody import call
from veer.frontends.c.contracts.origins import Origins
from veer.frontends.c.state import StaticUnit, mentions
from veer.frontends.llvm.compiled import Module
from veer.instrument.instructions import Instruction
from veer.model.unitfacts import Place, parameter_place

Parameters = Mapping[str, Sequence[str]]
"""Those of each function that the unit defines, in their order."""


def handed_to_the_unit(modules: Sequence[tuple[Module, Sequence[Origins]]], parameters: Parameters) -> frozenset[str]:
    """The functions whose address goes nowhere but to functions of these modules, which call it and do not keep it."""
    kept = _kept([function for _, functions in modules for function in functions], parameters)
    handed, elsewhere = set[str](), set[str]()
    for module, functions in modules:
        for begins in StaticUnit.of(module).variables.values():
            elsewhere.update(mentions(begins))
        for function in functions:
            for instruction in function.body.instructions():
                if "@" in instruction.text:
                    for name, place in _uses(instruction, parameters):
                        (elsewhere if place is None or place in kept else handed).add(name)
    return frozenset((handed & parameters.keys()) - elsewhere)


def _uses(instruction: Instruction, parameters: Parameters) -> Iterator[tuple[str, Place | None]]:
    """The names in an instruction but for what it calls, each with the parameter of the unit that it is given for."""
    called = call(instruction)
    if called is None:
        yield from ((name, None) for name in mentions(instruction.text))
    else:
        for value, place in _passed(instruction, parameters):
            yield from ((name, place) for name in mentions(value))


def _passed(instruction: Instruction, parameters: Parameters) -> Iterator[tuple[str, Place | None]]:
    """The arguments of a call, each with the parameter of the unit that it is; None: another function's."""
    called = call(instruction)
    own = parameters.get(called.function, ()) if called is not None else ()
    for index, argument in enumerate(instruction.call.arguments if instruction.call is not None else ()):
        place = parameter_place(called.function, own[index]) if called is not None and index < len(own) else None
        yield argument.value, place


def _kept(functions: Sequence[Origins], parameters: Parameters) -> frozenset[Place]:
    """The places whose values are stored anywhere but in a variable of the function, returned, or given to others."""
    found: set[Place] = set()
    grown = True
    while grown:
        before = len(found)
        for function in functions:
            for value in _leaving(function, parameters, found):
                found |= function.of(value)
        grown = len(found) > before
    return frozenset(found)


def _leaving(function: Origins, parameters: Parameters, kept: set[Place]) -> Iterator[str]:
    for instruction in function.body.instructions():
        if instruction.opcode == "store":
            value, address = (each.value for each in instruction.operands)
            if function.made(address, "alloca") is None:
                yield value
        elif instruction.opcode == "ret":
            yield from (each.value for each in instruction.operands)
        elif instruction.call is not None:
            yield from (value for value, place in _passed(instruction, parameters) if place is None or place in kept)
