"""Static functions that are only ever handed to functions of the unit: nobody else can call them.

static int each(void *state, int token) { ... }
int parse(const char *s) { struct state d = {0}; return walk(s, each, &d); }      walk() is defined here, and calls it
qsort(rows, n, size, by_key);  hooks.each = each;  register_at(bus, each);         others call it, or may
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from veer.frontends.c.contracts.functionbody import call
from veer.frontends.c.contracts.origins import Origins
from veer.frontends.c.state import StaticUnit, mentions
from veer.frontends.llvm.compiled import Module
from veer.instrument.instructions import Instruction


def handed_to_the_unit(modules: Sequence[tuple[Module, Sequence[Origins]]]) -> frozenset[str]:
    """The functions whose address goes nowhere but to parameters of functions that these modules define."""
    defined = {function.name for _, functions in modules for function in functions}
    handed, elsewhere = set[str](), set[str]()
    for module, functions in modules:
        for begins in StaticUnit.of(module).variables.values():
            elsewhere.update(mentions(begins))
        for function in functions:
            for instruction in function.body.instructions():
                if "@" in instruction.text:
                    mentioned, given = set(_mentioned(instruction)), set(_given(instruction, defined))
                    handed |= given
                    elsewhere |= mentioned - given
    return frozenset((handed & defined) - elsewhere)


def _mentioned(instruction: Instruction) -> Iterator[str]:
    """The names in an instruction, but for what it calls."""
    called = call(instruction)
    if called is None:
        yield from mentions(instruction.text)
    else:
        yield from (name for each in called.arguments for name in mentions(each))


def _given(instruction: Instruction, defined: Set[str]) -> Iterator[str]:
    """The names that are arguments of a call of a function of the unit."""
    called = call(instruction)
    if called is not None and called.function in defined:
        for argument in called.arguments:
            yield from mentions(argument)
