"""What branches of the bytecode ask, as Java writes it: `n % 2 == 0`, for reports. Empty where it cannot be told."""

from __future__ import annotations

from msgspec import Struct, field

from veer.frontends.java.classfile.model import Code

_TESTS = {"eq": "==", "ne": "!=", "lt": "<", "ge": ">=", "gt": ">", "le": "<="}
_OPPOSITE = {
    "eq": "ne",
    "ne": "eq",
    "lt": "ge",
    "ge": "lt",
    "gt": "le",
    "le": "gt",
    "null": "nonnull",
    "nonnull": "null",
}
_OPERATORS = {
    **{"add": "+", "sub": "-", "mul": "*", "div": "/", "rem": "%", "and": "&", "or": "|", "xor": "^"},
    **{"shl": "<<", "shr": ">>", "ushr": ">>>"},
}
_LONGEST = 60


def opposite(test: str) -> str:
    """The test that holds where this one does not."""
    return _OPPOSITE[test]


def operator(test: str) -> str:
    """A test as Java writes it."""
    return _TESTS[test]


class Words(Struct):
    """Values of the method that is lowered → expressions of its source."""

    code: Code
    known: dict[str, str] = field(default_factory=dict)

    def of(self, value: str) -> str:
        """The expression, or empty."""
        return self.known.get(value, "" if value.startswith(("%", "@", "0x")) else value)

    def is_compound(self, value: str) -> bool:
        """Whether its expression needs brackets beside an operator."""
        return " " in self.of(value)

    def note(self, value: str, text: str) -> None:
        """A value's expression."""
        if text and len(text) <= _LONGEST and value.startswith("%"):
            self.known[value] = text

    def note_local(self, value: str, number: int, at: int) -> None:
        """A value that was read from a local variable."""
        for each in self.code.variables:
            if each.number == number and each.start <= at < each.end:
                self.note(value, each.name)

    def note_operation(self, value: str, name: str, one: str, other: str) -> None:
        """A value that an instruction made of two."""
        sign = _OPERATORS.get(name[1:], "")
        if sign and self.of(one) and self.of(other):
            self.note(value, f"{self._bracketed(one)} {sign} {self._bracketed(other)}")

    def _bracketed(self, value: str) -> str:
        return f"({self.of(value)})" if self.is_compound(value) else self.of(value)
