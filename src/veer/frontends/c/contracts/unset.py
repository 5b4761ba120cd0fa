"""Variables that another source has to set, and the lines that take for granted that it has.

FILE *progress;                            zero at first, for other sources to see, and set by no function of these
void show(void) { fputs(".", progress); }  follows it
int *seen;  if (seen) *seen = 1;           the code asks whether it is set: nothing is taken for granted
int main(void) { ... }                     where the program begins in these sources, no other source sets anything
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set

from veer.frontends.c.contracts.functionbody import call
from veer.frontends.c.contracts.origins import Origins
from veer.frontends.c.state import StaticUnit, written_by
from veer.frontends.llvm.compiled import Module
from veer.instrument.instructions import Instruction
from veer.instrument.lexer import bare

ZERO = re.compile(r"global \S+ (?:null|0|zeroinitializer)(?:,|$)")
"""What a variable begins with that is zero."""
_DIVISIONS = ("udiv", "sdiv", "urem", "srem")


def lines_that_follow(modules: Sequence[tuple[Module, Sequence[Origins]]]) -> tuple[tuple[str, int, str], ...]:
    """Function, line, variable: where a variable is followed, called, divided by or given away that others set."""
    units = [StaticUnit.of(module) for module, _ in modules]
    if any("main" in unit.bodies for unit in units):
        return ()
    written = {name for unit in units for lines in unit.bodies.values() for name in written_by(lines)}
    zero = {name for unit in units for name in unit.visible if ZERO.search(unit.variables[name])}
    functions = [function for _, each in modules for function in each]
    unset = zero - written - {name for function in functions for name in _tested(function)}
    return tuple(sorted({use for module, each in modules for use in _uses(module, each, unset)})) if unset else ()


def _uses(module: Module, functions: Sequence[Origins], unset: Set[str]) -> Iterator[tuple[str, int, str]]:
    """The lines of a module that trust one of the variables."""
    for function, line, address in followed(module, functions):
        if bare(address) in unset:
            yield function, line, bare(address)


def followed(module: Module, functions: Sequence[Origins]) -> Iterator[tuple[str, int, str]]:
    """Function, line, and the address in static data of a value that is taken there to be none of 0."""
    for function in functions:
        for instruction in function.body.instructions():
            for value in _trusted(function, instruction):
                for address in function.loads(value):
                    if "@" in address:
                        yield function.name, module.locations.position(instruction.location).line, address


def _tested(function: Origins) -> Iterator[str]:
    """The variables that a function compares with something."""
    for each in function.body.comparisons():
        yield from _variables(function, each.left) | _variables(function, each.right)


def _trusted(function: Origins, instruction: Instruction) -> Iterator[str]:
    """The values of which an instruction takes for granted that they are not zero."""
    if instruction.opcode in ("load", "store"):
        address = instruction.operands[-1].value
        while (element := function.made(address, "getelementptr")) is not None:
            address = element.operands[0].value
        yield address
    elif instruction.opcode in _DIVISIONS:
        yield instruction.operands[1].value
    elif (called := call(instruction)) is not None:
        yield from called.arguments
    elif instruction.call is not None:
        yield instruction.call.callee


def _variables(function: Origins, value: str) -> Set[str]:
    """The global variables that a value may have been loaded from, through variables of the function."""
    return {bare(address) for address in function.loads(value) if address.startswith("@")}
