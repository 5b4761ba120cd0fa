"""Pointers of static data that a function of the unit allocates, and the lines that take for granted that it has.

static char **fields;                               NULL at first
void init(int n) { fields = calloc(n, 8); }         whoever calls field() has called init() before
char *field(int i) { return fields[i]; }            follows it

static struct node *top;                            NULL means an empty list: nothing is taken for granted
void push(struct node *n) { n->next = top; ... }
if (fields) ...                                     the code asks whether it is set: neither
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct, field

from veer.frontends.c.contracts.functionbody import call
from veer.frontends.c.contracts.origins import Origins, alternatives
from veer.frontends.c.contracts.unset import ZERO, followed
from veer.frontends.c.state import StaticUnit, mentions
from veer.frontends.llvm.compiled import Module
from veer.instrument.instructions import Instruction

Awaited = tuple[str, int, str, tuple[str, ...]]
_ZEROS = "@llvm.memset."
_MOST_STEPS = 32


class _Module(Struct):
    """A module, and what functions do with pointers of static data, by the addresses of these in IR.

    `open_`: addresses of pointers, and variables, that may be NULL for another reason than that nobody has set them.
    """

    unit: StaticUnit
    module: Module
    functions: Sequence[Origins]
    writers: dict[str, set[str]] = field(default_factory=dict)
    open_: set[str] = field(default_factory=set)

    def read(self) -> None:
        """Goes through all functions."""
        for begins in self.unit.variables.values():
            self.open_.update(mentions(begins))
        for function in self.functions:
            for each in function.body.comparisons():
                for value in (each.left, each.right):
                    self.open_.update(address for address in function.loads(value) if "@" in address)
            for instruction in function.body.instructions():
                if instruction.opcode == "store" and _is_behind_a_pointer(function, instruction.operands[1].value):
                    self._kept_in_an_object(function, instruction.operands[0].value)
                if "@" in instruction.text:
                    self._look(function, instruction)

    def _look(self, function: Origins, instruction: Instruction) -> None:
        if instruction.opcode == "load":
            return
        if instruction.opcode == "store":
            value, address = (each.value for each in instruction.operands)
            self.open_.update(mentions(value))
            if "@" in address and instruction.type == "ptr" and value != "null":
                self.writers.setdefault(address, set()).add(function.name)
                if not _is_given(function, value):
                    self.open_.add(address)
        elif instruction.call is None:
            self.open_.update(mentions(instruction.text))
        elif not instruction.call.callee.startswith(_ZEROS):
            for argument in instruction.call.arguments:
                self.open_.update(mentions(argument.value))

    def _kept_in_an_object(self, function: Origins, value: str) -> None:
        """A list keeps its first node in a new one."""
        self.open_.update(address for address in function.loads(value) if "@" in address)


def lines_that_await(modules: Sequence[tuple[Module, Sequence[Origins]]]) -> tuple[Awaited, ...]:
    """Function, line, variable, who sets it: where a pointer is followed that is NULL until one of these was called."""
    found = [_Module(StaticUnit.of(module), module, functions) for module, functions in modules]
    for each in found:
        each.read()
    return tuple(sorted({use for each in found for use in _uses(each, found)}))


def _uses(own: _Module, modules: Sequence[_Module]) -> Iterator[Awaited]:
    zero = {name for each in modules for name, begins in each.unit.variables.items() if ZERO.search(begins)}
    for function, line, address in followed(own.module, own.functions):
        for name in zero.intersection(mentions(address)):
            if writers := _writers(name, address, own, modules):
                yield function, line, name, writers


def _writers(name: str, address: str, own: _Module, modules: Sequence[_Module]) -> tuple[str, ...]:
    """The functions that set the pointer there; none where it may be NULL for another reason."""
    is_static = name in own.unit.variables and name not in own.unit.visible
    others = [each for each in modules if name not in each.unit.variables or name in each.unit.visible]
    seen_by = [own] if is_static else others
    if any(name in each.open_ or address in each.open_ for each in seen_by):
        return ()
    return tuple(sorted({writer for each in seen_by for writer in each.writers.get(address, ())}))


def _is_behind_a_pointer(function: Origins, address: str) -> bool:
    while (element := function.made(address, "getelementptr")) is not None:
        address = element.operands[0].value
    return function.made(address, "load") is not None


def _is_given(function: Origins, value: str) -> bool:
    """Whether a value is what a call returned, or an address."""
    waiting, seen = [value], set[str]()
    while waiting and len(seen) < _MOST_STEPS:
        value = waiting.pop()
        made = function.body.made.get(value)
        if value in seen:
            continue
        seen.add(value)
        if made is None:
            if value != "null" and "@" not in value:
                return False
        elif made.opcode == "load":
            stored = function.body.stores.get(made.operands[0].value, ())
            if function.made(made.operands[0].value, "alloca") is None or not stored:
                return False
            waiting += stored
        elif made.opcode == "getelementptr":
            waiting.append(made.operands[0].value)
        elif call(made) is None:
            further = alternatives(made)
            if not further:
                return False
            waiting += further
    return not waiting
