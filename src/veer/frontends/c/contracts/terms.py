"""How a user writes a contract: `nonnull(p, q) range(pct, 0..100) length(buf, n) out(result) pre(valid) constructor`.

The same terms stand in a comment at the function, and are what the entries of veer.toml and the options become.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from veer.frontends.c.contracts.clauses import (
    Clause,
    Constructor,
    Elements,
    End,
    Length,
    MayBeNull,
    NotNull,
    Origin,
    Precondition,
    Range,
    Text,
    Within,
)
from veer.model.errors import UsageError

CONSTRUCTOR = "constructor"
_TERM = re.compile(r"\s*([A-Za-z_]\w*)\s*(?:\(([^()]*)\))?\s*[,;]?")
_RANGE = re.compile(r"\s*([^.\s]*)\s*\.\.\s*([^.\s]*)\s*")
_NUMBER = re.compile(r"[+-]?(0[xX][0-9a-fA-F]+|\d+)[uUlL]*")
_HOW = (
    "nonnull(p), nullable(p), range(n, 0..100), length(buf, n), end(p, q), within(p, buf), text(s), out(p), "
    "pre(predicate), constructor"
)


def whole_number(text: str) -> int | None:
    """A number as C or TOML writes it; None for anything else."""
    matched = _NUMBER.fullmatch(text.strip())
    if matched is None:
        return None
    digits = text.strip().rstrip("uUlL")
    sign = -1 if digits.startswith("-") else 1
    digits = digits.lstrip("+-")
    base = 16 if digits[:2].lower() == "0x" else 8 if re.fullmatch(r"0[0-7]+", digits) else 10
    return sign * int(digits, base)


def parsed(text: str, origin: Origin) -> Iterator[Clause]:
    """The clauses of a text of terms. Raises UsageError for what is none, with its place."""
    at = 0
    text = text.strip()
    while at < len(text):
        matched = _TERM.match(text, at)
        if matched is None:
            raise UsageError(f"{origin}: {text[at:].strip()!r} is no part of a contract; known are {_HOW}")
        yield from _term(matched[1], [each.strip() for each in (matched[2] or "").split(",")], matched[0], origin)
        at = matched.end()


def _term(name: str, arguments: list[str], text: str, origin: Origin) -> Iterator[Clause]:
    count = len([each for each in arguments if each])
    if name in ("nonnull", "nullable", "text") and count:
        yield from (_of_pointer(name, each, origin) for each in arguments)
    elif name == "out" and count:
        for each in arguments:
            yield NotNull(each, origin)
            yield Elements(each, 1, origin)
    elif name == "pre" and count:
        yield from (Precondition(each, origin) for each in arguments)
    elif name == "length" and count == 2:
        number = whole_number(arguments[1])
        if number is not None and number < 1:
            raise UsageError(f"{origin}: {text.strip()}: no array has {number} elements; leave it out")
        yield Length(arguments[0], arguments[1], origin) if number is None else Elements(arguments[0], number, origin)
    elif name == "end" and count in (1, 2):
        yield End(arguments[0], arguments[1] if count == 2 else "", origin)
    elif name == "within" and count == 2:
        yield Within(arguments[0], arguments[1], origin)
    elif name == "range" and count == 2:
        yield range_of(arguments[0], arguments[1], origin)
    elif name == CONSTRUCTOR and not count:
        yield Constructor(origin)
    else:
        raise UsageError(f"{origin}: {text.strip()!r} is no part of a contract; known are {_HOW}")


def _of_pointer(name: str, parameter: str, origin: Origin) -> Clause:
    if name == "text":
        return Text(parameter, origin)
    return NotNull(parameter, origin) if name == "nonnull" else MayBeNull(parameter, origin)


def range_of(parameter: str, text: str, origin: Origin) -> Range:
    """`LO..HI`, `LO..` or `..HI`. Raises UsageError."""
    matched = _RANGE.fullmatch(text)
    low, high = (whole_number(each) for each in matched.groups()) if matched else (None, None)
    is_whole = matched is not None and all(
        number is not None or not written for number, written in zip((low, high), matched.groups(), strict=True)
    )
    if not is_whole or (low is None and high is None):
        raise UsageError(f"{origin}: {text.strip()!r} is no range of {parameter}; write it like 0..100")
    if low is not None and high is not None and low > high:
        raise UsageError(f"{origin}: the range {text.strip()} of {parameter} has no value; write the lower end first")
    return Range(parameter, low, high, origin)
