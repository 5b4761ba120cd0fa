"""The checks of Java's instructions: what each throws, its number as a trap of the IR, and what the JVM says."""

from __future__ import annotations

from enum import IntEnum

from veer.model.severity import CheckedFor

_FIRST = 100
"""Before the numbers of traps, for those of C's compilers are lower."""


class Check(IntEnum):
    """A check; the value is the number of the class that it throws (lowering/layout.py)."""

    NULL = 1
    DIVISOR = 2
    BOUNDS = 3
    CAST = 4
    SIZE = 5
    STORE = 6


_SENTENCES = {
    Check.NULL: "java.lang.NullPointerException is thrown: a null reference is followed",
    Check.DIVISOR: "java.lang.ArithmeticException is thrown: / by zero",
    Check.BOUNDS: "java.lang.ArrayIndexOutOfBoundsException is thrown",
    Check.CAST: "java.lang.ClassCastException is thrown",
    Check.SIZE: "java.lang.NegativeArraySizeException is thrown",
    Check.STORE: "java.lang.ArrayStoreException is thrown",
}
CLASSES = {
    Check.NULL: "java.lang.NullPointerException",
    Check.DIVISOR: "java.lang.ArithmeticException",
    Check.BOUNDS: "java.lang.ArrayIndexOutOfBoundsException",
    Check.CAST: "java.lang.ClassCastException",
    Check.SIZE: "java.lang.NegativeArraySizeException",
    Check.STORE: "java.lang.ArrayStoreException",
}
"""What each throws, as the JVM names it."""


def trap_number(check: Check) -> int:
    """Its number in the IR."""
    return _FIRST + check


TRAPS = {trap_number(check): text for check, text in _SENTENCES.items()}
"""What each trap means, by its number in the IR."""

CHECKED_FOR = CheckedFor(
    null_arguments=frozenset({trap_number(Check.NULL)}), casts=frozenset({trap_number(Check.CAST)})
)
"""Where null was followed, it is asked whether the code looks for it; where a cast failed, who mixes classes."""
