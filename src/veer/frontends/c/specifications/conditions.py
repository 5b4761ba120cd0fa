"""Patterns and conditions of specifications as C: what they ask of values is the program's own words.

int veer_a0 = 1; { __auto_type m = veer_x0; veer_a0 &= !!(m > 3); }
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from enum import StrEnum

from msgspec import Struct

from veer.specs.language import RESULT, Condition, Moment, Pattern, Place
from veer.specs.machine import Any, Bit, Both, Function, Input, Inverse, Register


class Signature(Struct, frozen=True):
    """C types of a function's first parameters, up to one that comes in no register of its own; of its result, or "".

    `numbers`: which of the parameters, and the result behind them, are whole numbers. `total`: all parameters.
    """

    parameters: tuple[str, ...]
    returns: str
    numbers: tuple[bool, ...]
    total: int
    is_variadic: bool = False
    has_value: bool = True  # it returns something, be it a struct


class Use(StrEnum):
    """Who compiles the text of monitors."""

    CAMPAIGN = "veer"  # it tells the runtime of each event and state
    SUITE = "a test suite"  # with the warnings of any compiler; what it tells stands in words


BIT = "veer_bit"
AS_BIT = {Use.CAMPAIGN: "(veer_bit)(_Bool)", Use.SUITE: "(veer_bit)!!"}
BITS = {
    Use.CAMPAIGN: """\
typedef unsigned _BitInt(8) veer_bit;
#define VEER_0 ((veer_bit)0)
#define VEER_1 ((veer_bit)1)
""",
    Use.SUITE: """\
typedef unsigned char veer_bit;
#define VEER_0 0
#define VEER_1 1
""",
}
"""What monitors compute with. Each operation on a symbolic bit makes a term, so a campaign has as few as can be: C does
not convert unsigned _BitInt(8) to int."""


def fits(name: str, pattern: Pattern, signature: Signature, use: Use) -> Iterator[str]:
    """Whether an event fits the pattern, as far as its own values say."""
    conjuncts = [*_conjuncts(pattern, signature)]
    yield f"{BIT} {name}{'' if conjuncts else ' = 1'}; {{"
    for place, argument in enumerate(pattern.arguments):
        if argument.name:
            yield f"    __auto_type {argument.name} = veer_x{place}; (void){argument.name};"
    result = f"veer_x{len(signature.parameters)}"
    if pattern.moment is Moment.RETURN and signature.returns:
        for each in dict.fromkeys((pattern.result or RESULT, RESULT)):
            yield f"    __auto_type {each} = {result}; (void){each};"
    for number, (begin, condition, end) in enumerate(conjuncts):
        before = f"{name} & " if number else ""
        yield f"    {name} = {before}{AS_BIT[use]}({begin}"
        yield from _placed(condition, use)
        yield f"    {end});"
    yield f"}} (void){name};"


def _conjuncts(pattern: Pattern, signature: Signature) -> Iterator[tuple[str, Condition, str]]:
    """What must hold of an event's values: text around a condition."""
    for place, argument in enumerate(pattern.arguments):
        if argument.equals is not None:
            yield (f"veer_x{place} == (", argument.equals, ")")
    if pattern.operand is not None:
        yield (f"veer_x{len(signature.parameters)} {pattern.relation} (", pattern.operand, ")")
    if pattern.where is not None:
        yield ("", pattern.where, "")


def evaluated(name: str, condition: Condition, use: Use) -> Iterator[str]:
    """A condition of the program's state."""
    yield f"{BIT} {name} = {AS_BIT[use]}("
    yield from _placed(condition, use)
    yield f"); (void){name};"


def _placed(condition: Condition, use: Use) -> Iterator[str]:
    """The expression; for veer at its own place, as far as the compiler's messages go."""
    if use is Use.SUITE:
        yield f"    {condition.text.replace(chr(10), ' ')}"
        return
    yield line(condition.place)
    first, *more = condition.text.split("\n")
    yield " " * (condition.place.column - 1) + first
    yield from more
    yield '#line 1 "veer\'s monitor"'


def line(place: Place) -> str:
    return f"#line {place.line} {json.dumps(place.file)}"


def bits(function: Function, state: str) -> str:
    """A function as an expression of C: 0 or 1."""
    if isinstance(function, Bit):
        return f"VEER_{int(function.value)}"
    if isinstance(function, Input):
        return f"veer_a{function.atom}"
    if isinstance(function, Register):
        return f"{state}[{function.number}]"
    if isinstance(function, Inverse):
        return f"(VEER_1 ^ {bits(function.operand, state)})"
    mark = "&" if isinstance(function, Both) else "|"
    assert isinstance(function, Both | Any)
    return f"({bits(function.left, state)} {mark} {bits(function.right, state)})"
