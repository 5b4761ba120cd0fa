"""Declarations → clauses: array parameters, gcc's and clang's attributes, SAL's annotations (sal.h)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from veer.frontends.c.contracts.clauses import (
    Clause,
    Elements,
    Fact,
    Length,
    MayBeNull,
    NotNull,
    Origin,
    Range,
    Source,
    Text,
)
from veer.frontends.c.contracts.printed import Declaration, PrintedParameter, separated
from veer.frontends.c.contracts.terms import whole_number

_ANNOTATION = re.compile(r'annotate\("veer:(.*)"\)$')
_NUMBERED = re.compile(r"(\w+)\((.*)\)$")


class KnownParameter(Struct, frozen=True):
    """What the types say of a parameter. `element`: bytes of what a pointer leads to, 0 where that is unknown."""

    name: str
    is_pointer: bool  # to data
    is_integer: bool
    element: int = 0
    is_text: bool = False  # a pointer to characters that it does not write
    is_unsigned: bool = False
    bits: int = 0  # of an integer
    is_callback: bool = False  # a pointer to a function
    is_enumeration: bool = False
    kind: str = ""  # of the elements that a pointer leads to: the same text for the same kind
    kind_behind: str = ""  # of those that an element leads to, where that is a pointer

    @property
    def is_ranged(self) -> bool:
        """Whether a range of whole numbers can be said of it."""
        return self.is_integer or self.is_enumeration

    @property
    def values(self) -> tuple[int, int]:
        """The least and the greatest value of its type."""
        if self.is_unsigned:
            return 0, (1 << self.bits) - 1
        return -(1 << self.bits - 1), (1 << self.bits - 1) - 1


def declared_clauses(declared: Sequence[Declaration], parameters: Sequence[KnownParameter]) -> Iterator[Clause]:
    """The clauses of all declarations of one function; its parameters are told by their places."""
    for declaration in declared:
        for known, printed in zip(parameters, declaration.parameters, strict=False):
            yield from _of_parameter(known, printed, declaration, parameters)
        for attribute in declaration.attributes:
            yield from _of_function(attribute, parameters)


def _of_parameter(
    known: KnownParameter, printed: PrintedParameter, declaration: Declaration, parameters: Sequence[KnownParameter]
) -> Iterator[Clause]:
    """What one declaration says of one parameter."""
    if printed.nullability:
        kind = NotNull if printed.nullability == "_Nonnull" else MayBeNull
        yield kind(known.name, Origin(Source.ATTRIBUTE, printed.nullability))
    if printed.size is not None and known.is_pointer:
        origin = Origin(Source.ARRAY, f"[{'static ' if printed.is_static else ''}{printed.size}]")
        yield from _sized(known, printed.size, declaration, parameters, origin)
        if printed.is_static:
            yield NotNull(known.name, origin)
    for attribute in printed.attributes:
        if re.match(r"_*nonnull_*\b", attribute):
            yield NotNull(known.name, Origin(Source.ATTRIBUTE, "nonnull"))
        if annotated := _ANNOTATION.match(attribute):
            yield from _annotated(known, annotated[1], declaration, parameters)


def _sized(
    known: KnownParameter,
    size: str,
    declaration: Declaration,
    parameters: Sequence[KnownParameter],
    origin: Origin,
) -> Iterator[Clause]:
    """So many elements: a number, or a parameter of this declaration by the name that it has there."""
    number = whole_number(size)
    if number is not None and number > 0:
        yield Elements(known.name, number, origin)
    for place, printed in enumerate(declaration.parameters[: len(parameters)]):
        if printed.name == size and parameters[place].is_integer:
            yield Length(known.name, parameters[place].name, origin)


def _annotated(
    known: KnownParameter, words: str, declaration: Declaration, parameters: Sequence[KnownParameter]
) -> Iterator[Clause]:
    """SAL's: `in elements n`, `opt bytes 16`, `out`, `range 0..100`."""
    kind, _, rest = words.partition(" ")
    origin = Origin(Source.ATTRIBUTE, f"SAL {words}")
    if kind == "range":
        low, _, high = rest.partition("..")
        ends = whole_number(low), whole_number(high)
        if known.is_integer and None not in ends:
            yield Range(known.name, *ends, origin)
        return
    if not known.is_pointer:
        return
    yield MayBeNull(known.name, origin) if kind == "opt" else NotNull(known.name, origin)
    unit, _, size = rest.partition(" ")
    if "text" in rest:
        yield Text(known.name, origin)
    elif kind == "out" or unit == "out":
        yield Elements(known.name, 1, origin)
    elif unit == "elements" or (unit == "bytes" and known.element <= 1):
        yield from _sized(known, size.strip(), declaration, parameters, origin)


def _of_function(attribute: str, parameters: Sequence[KnownParameter]) -> Iterator[Clause]:
    """An attribute behind the parameter list, whose numbers are places from 1 on."""
    if annotated := _ANNOTATION.match(attribute):
        words = annotated[1]
        if words.startswith("access "):
            yield from _access(words.removeprefix("access "), parameters)
        return
    matched = _NUMBERED.match(attribute)
    name = (matched[1] if matched else attribute).strip("_")
    places = [whole_number(each) or 0 for each in separated(matched[2])] if matched else []
    origin = Origin(Source.ATTRIBUTE, attribute)
    if name == "nonnull":
        for place, known in enumerate(parameters, 1):
            if known.is_pointer and (place in places or not places):
                yield NotNull(known.name, origin)
    if name == "format" and len(places) == 3 and 0 < places[1] <= len(parameters):
        known = parameters[places[1] - 1]
        yield NotNull(known.name, origin)
        yield Text(known.name, origin)
    if name == "noreturn":
        yield Fact("it does not return", origin)
    if name == "alloc_size":
        sizes = [parameters[place - 1].name for place in places if 0 < place <= len(parameters)]
        yield Fact(f"what it returns has {' * '.join(sizes)} bytes", origin)
    if name == "returns_nonnull":
        yield Fact("it returns no NULL", origin)


def _access(words: str, parameters: Sequence[KnownParameter]) -> Iterator[Clause]:
    """gcc's access(mode, pointer[, size]): the pointer leads to as many elements as the other parameter says."""
    places = [whole_number(each) or 0 for each in words.split(",")[1:]]
    if len(places) != 2 or not all(0 < place <= len(parameters) for place in places):
        return
    buffer, length = (parameters[place - 1] for place in places)
    # gcc counts elements, and bytes behind a void *.
    if buffer.is_pointer and length.is_integer:
        yield Length(buffer.name, length.name, Origin(Source.ATTRIBUTE, f"access({words})"))
