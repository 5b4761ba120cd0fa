"""What clang's checks find, in words: the numbers of its SanitizerHandler, which -fsanitize-trap passes to
llvm.ubsantrap, and behind them those of veer's own library."""

from __future__ import annotations

from veer.model.severity import CheckedFor

TRAPS = {
    0: "an integer addition overflowed",
    1: "code that the program says is unreachable was reached",
    3: "an integer was divided by zero, or the quotient overflowed",
    5: "a floating-point value does not fit the integer type",
    6: "a function was called through a pointer of another type",
    7: "a conversion changed the value",
    8: "a builtin was given a value that it is not defined for",
    10: "a bool or an enum holds a value that its type does not have",
    11: "a function that returns a value ended without one",
    12: "an integer multiplication overflowed",
    13: "an integer negation overflowed",
    14: "a null pointer was passed where none is allowed",
    15: "a null pointer was returned where none is allowed",
    16: "a null pointer was passed where none is allowed",
    17: "a null pointer was returned where none is allowed",
    18: "an array index is out of bounds",
    19: "pointer arithmetic overflowed",
    20: "a shift by too much, or of a value that it is not defined for",
    21: "an integer subtraction overflowed",
    22: "a null, misaligned or too small object was accessed",
    23: "a pointer is not aligned as the program says",
    24: "the length of an array is not positive",
    200: "a string goes on behind the end of its array",
    201: "what is copied overlaps the place that it is copied to",
    202: "a constant object or a string literal was written to",
    203: "a conversion of the format has no argument",
}

CHECKED_FOR = CheckedFor(
    arithmetic=frozenset({0, 3, 5, 7, 8, 12, 13, 20, 21}),
    null_arguments=frozenset({14, 16}),
)
