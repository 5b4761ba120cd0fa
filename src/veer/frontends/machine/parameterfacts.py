"""What lifted code shows of its entry's parameters: which pointers it never compares with null, which numbers with
nothing. A bug that needs such a null, or such a length, is the caller's (docs/severity.md).

    %in.r38.enter = load i64, ptr @veer.register.r38     the parameter, in its register
    %v7 = icmp eq i64 %in.r38.enter, 0                   it is tested
    store i64 %in.r38.enter, ptr @veer.register.r30      and given to what is called then

A value is followed through registers, choices, places of the stack, and calls. Where it goes elsewhere (memory, code
that was not lifted, a stack pointer that came back from a call, a result) the code may test it there: it counts as
tested. So what is told to be never tested is never tested.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from msgspec import Struct

from veer.frontends.machine.followed import Followed
from veer.frontends.machine.frames import Frames
from veer.frontends.machine.places import Places
from veer.frontends.machine.prototype import Prototype
from veer.instrument.lexer import bare
from veer.instrument.module import Block, Function, parse_blocks, parse_functions
from veer.model.types import ExtentKind, Type, TypeKind
from veer.model.unitfacts import Place, UnitFacts, behind, field_place, parameter_place, struct_name


class _Parameter(Struct, frozen=True):
    """What is asked: of a register that a function is called with, as a pointer or as a number."""

    function: str
    register: str
    is_pointer: bool


class Lifting(Struct, frozen=True, dict=True):
    """A module as it is lifted. `entry`: the entry's function there; `registers`: the module's names of the machine's
    registers that hold parameters; `stack`: of the one that leads to the stack; `popped`: bytes that a return takes
    from it; `arguments`: the module's names of all registers that arguments of calls lie in; `result`: of the one that
    results do."""

    text: str
    entry: str
    registers: Mapping[str, str]
    stack: str
    popped: int = 0
    arguments: frozenset[str] = frozenset()
    result: str = ""

    @cached_property
    def _functions(self) -> Mapping[str, Function]:
        return {bare(each.name): each for each in parse_functions(self.text)}

    def blocks(self, name: str) -> tuple[Block, ...] | None:
        """Those of a function; None where it has none."""
        function = self._functions.get(name)
        return parse_blocks(function) if function is not None else None

    def followed(self, parameter: _Parameter) -> Followed | None:
        """The parameter within its function; None where that has no text."""
        blocks = self.blocks(parameter.function)
        if blocks is None:
            return None
        frames = Frames(blocks, self.stack, self.popped)
        return Followed(blocks, frames, parameter.register, self.arguments, parameter.is_pointer)

    def reads(self, function: str, register: str) -> bool:
        """Whether it, or what it calls, reads what the register holds when it is called, or may return it."""
        seen: set[tuple[str, str]] = set()
        waiting = [(function, register)]
        while waiting:
            each = waiting.pop()
            if each in seen:
                continue
            seen.add(each)
            followed = self.followed(_Parameter(*each, is_pointer=True))
            if each[1] == self.result or followed is None or followed.is_read or followed.ends_unknown:
                return True
            waiting += followed.given
        return False


def facts_of(lifting: Lifting, prototype: Prototype, places: Places) -> UnitFacts:
    """Of the parameters. Fields of structs, and what pointers lead to, count as tested and as long enough."""
    tested: set[Place] = set()
    bounded: set[Place] = set()
    declared: set[Place] = set()
    elsewhere, texts = set(_fields(prototype.types)), set[Place]()
    for given, at in zip(prototype.parameters, places.parameters, strict=True):
        place, type_ = parameter_place(prototype.name, given.name), prototype.types[given.type]
        elsewhere.add(behind(place))
        texts.add(place)
        if type_.extent is ExtentKind.FIXED:
            declared.add(place)
        register = lifting.registers.get(at.registers[0]) if len(at.registers) == 1 and not given.variable else None
        is_pointer = type_.kind is TypeKind.POINTER
        if register is None or _asks(lifting, _Parameter(bare(lifting.entry), register, is_pointer)):
            (tested if is_pointer else bounded).add(place)
    return UnitFacts(
        tested=frozenset(tested | elsewhere),
        declared=frozenset(declared | elsewhere),
        bounded=frozenset(bounded),
        texts=frozenset(texts),
    )


def _fields(types: Iterable[Type]) -> Iterator[Place]:
    for each in types:
        if each.kind in (TypeKind.STRUCT, TypeKind.UNION):
            yield from (field_place(struct_name(each.name), field.offset) for field in each.fields)


def _asks(code: Lifting, parameter: _Parameter) -> bool:
    """Whether the code compares it, or may do so where it cannot be followed."""
    seen: set[_Parameter] = set()
    waiting = [parameter]
    while waiting:
        each = waiting.pop()
        if each in seen:
            continue
        seen.add(each)
        followed = code.followed(each)
        if followed is None or followed.is_asked or followed.ends_unknown:
            return True
        given = [one for one in followed.given if code.reads(*one)]
        if given and followed.tests_results:
            return True
        waiting += [_Parameter(name, register, each.is_pointer) for name, register in given]
    return False
