"""Calls and signatures: the callee, and arguments with what the ABI needs of their attributes."""

from __future__ import annotations

import re
from typing import NamedTuple

from msgspec import Struct

from veer.instrument.lexer import closing, is_type_at, name_end, split_commas, type_end
from veer.instrument.opcodes import BINARY, CASTS

_ABI_ATTRIBUTES = frozenset(
    ("zeroext", "signext", "inreg", "nest", "byval", "sret", "inalloca", "align", "elementtype")
)
_ATTRIBUTE = re.compile(r"[a-z_]+\b")
_NUMBERED = re.compile(r"(?:align|cc) \d+")
_ASM = re.compile(r'asm (?:\w+ )*"[^"]*", "[^"]*"')
_CONSTANT_CALLEE = re.compile(r"\w+ \(")


class Argument(NamedTuple):
    """An argument or a parameter; `attributes` holds only what the ABI needs of them, with a space behind."""

    type: str
    attributes: str
    value: str

    @property
    def byval(self) -> str:
        """The type that a byval argument points to, or ""."""
        at = self.attributes.find("byval(")
        return self.attributes[at + 6 : closing(self.attributes, at + 5) - 1] if at >= 0 else ""

    def __str__(self) -> str:
        return f"{self.type} {self.attributes}{self.value}"


class Call(Struct, frozen=True):
    """What a call says beyond its operands. `callee` is a name, a constant expression, or the text of inline asm."""

    callee: str
    arguments: tuple[Argument, ...]
    prefix: str  # calling convention and return attributes that the ABI needs
    function_type: str  # "i32 (ptr, ...)" for variadic callees, else the return type
    variadic: bool
    fixed: int  # number of parameters that are not variadic


def parse_call(rest: str) -> tuple[str, Call, int]:
    """What follows the opcode of a call or an invoke → (type of the result, the call, index behind its arguments)."""
    prefix, position = _call_prefix(rest)
    end = type_end(rest, position)
    type_ = function_type = rest[position:end]
    variadic = False
    fixed = -1
    if rest.startswith(" (", end):
        behind = closing(rest, end + 1)
        parameters = split_commas(rest[end + 2 : behind - 1])
        variadic = bool(parameters) and parameters[-1] == "..."
        fixed = len(parameters) - 1 if variadic else len(parameters)
        function_type = rest[position:behind]
        end = behind
    start = end + 1
    if rest[start] in "@%":
        end = name_end(rest, start)
    elif rest.startswith("asm ", start):
        match = _ASM.match(rest, start)
        if match is None:
            raise ValueError(f"inline asm was expected in {rest!r}")
        end = match.end()
    else:
        match = _CONSTANT_CALLEE.match(rest, start)
        if match is None:
            raise ValueError(f"a callee was expected in {rest!r}")
        end = closing(rest, match.end() - 1)
    callee = rest[start:end]
    behind = closing(rest, end)
    arguments = parse_arguments(rest[end + 1 : behind - 1])
    call = Call(callee, arguments, prefix, function_type, variadic, fixed if fixed >= 0 else len(arguments))
    return type_, call, behind


def _call_prefix(rest: str) -> tuple[str, int]:
    """(what the ABI needs of calling convention and return attributes, index of the return type)."""
    prefix = ""
    position = 0
    while not is_type_at(rest, position):
        end = _word_end(rest, position)
        word = rest[position:end]
        if word.endswith("cc") or word.startswith("cc ") or word in ("zeroext", "signext", "inreg"):
            prefix += word + " "
        position = end + 1
    return prefix, position


def _word_end(text: str, start: int) -> int:
    """Behind an attribute with its argument: `align 4`, `range(i32 0, 2)`, `noundef`, `"string"="x"`."""
    if text[start] == '"':
        return text.index(" ", start)
    match = _ATTRIBUTE.match(text, start)
    if match is None:
        raise ValueError(f"an attribute was expected in {text[start : start + 80]!r}")
    end = match.end()
    if text.startswith("(", end):
        return closing(text, end)
    numbered = _NUMBERED.match(text, start)
    return numbered.end() if numbered is not None else end


def parse_arguments(text: str) -> tuple[Argument, ...]:
    """The arguments of a call or the parameters of a definition (`...` is left out)."""
    return tuple(_argument(part) for part in split_commas(text) if part != "...")


def _argument(part: str) -> Argument:
    end = type_end(part)
    type_ = part[:end]
    position = end + 1
    attributes = ""
    while position < len(part):
        match = _ATTRIBUTE.match(part, position)
        if match is None or not _is_attribute(part, match):
            break
        end = _word_end(part, position)
        if match[0] in _ABI_ATTRIBUTES:
            attributes += part[position:end] + " "
        position = end + 1
    return Argument(type_, attributes, part[position:])


_VALUES = frozenset(
    ("true", "false", "null", "undef", "poison", "zeroinitializer", "none", "blockaddress", "splat", "c")
)
_EXPRESSIONS = frozenset(("asm", "getelementptr", "dso_local_equivalent", "no_cfi", "ptrauth")) | CASTS | BINARY


def _is_attribute(part: str, match: re.Match[str]) -> bool:
    return match[0] not in _VALUES and match[0] not in _EXPRESSIONS
