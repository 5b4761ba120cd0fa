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


def fits(name: str, pattern: Pattern, signature: Signature, use: Use) -> Iterator[str]:
    """Whether an event fits the pattern, as far as its own values say."""
    yield f"int {name} = 1; {{"
    for place, argument in enumerate(pattern.arguments):
        if argument.name:
            yield f"    __auto_type {argument.name} = veer_x{place}; (void){argument.name};"
    result = f"veer_x{len(signature.parameters)}"
    if pattern.moment is Moment.RETURN and signature.returns:
        for each in dict.fromkeys((pattern.result or RESULT, RESULT)):
            yield f"    __auto_type {each} = {result}; (void){each};"
    for place, argument in enumerate(pattern.arguments):
        if argument.equals is not None:
            yield f"    {name} &= !!(veer_x{place} == ("
            yield from _placed(argument.equals, use)
            yield "    ));"
    if pattern.operand is not None:
        yield f"    {name} &= !!({result} {pattern.relation} ("
        yield from _placed(pattern.operand, use)
        yield "    ));"
    if pattern.where is not None:
        yield f"    {name} &= !!("
        yield from _placed(pattern.where, use)
        yield "    );"
    yield f"}} (void){name};"


def evaluated(name: str, condition: Condition, use: Use) -> Iterator[str]:
    yield f"int {name} = !!("
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
        return str(int(function.value))
    if isinstance(function, Input):
        return f"veer_a{function.atom}"
    if isinstance(function, Register):
        return f"{state}[{function.number}]"
    if isinstance(function, Inverse):
        return f"(1 ^ {bits(function.operand, state)})"
    mark = "&" if isinstance(function, Both) else "|"
    assert isinstance(function, Both | Any)
    return f"({bits(function.left, state)} {mark} {bits(function.right, state)})"
