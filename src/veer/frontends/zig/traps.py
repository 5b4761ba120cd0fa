"""Zig's panics: what each is called in the IR, its number as a trap, and what Zig prints."""

from __future__ import annotations

PANICS = (
    ("reachedUnreachable", "reached unreachable code"),
    ("unwrapNull", "attempt to use null value"),
    ("outOfBounds", "index out of bounds"),
    ("startGreaterThanEnd", "start index is larger than end index"),
    ("integerOverflow", "integer overflow"),
    ("integerOutOfBounds", "integer does not fit in destination type"),
    ("divideByZero", "division by zero"),
    ("shlOverflow", "left shift overflowed bits"),
    ("shrOverflow", "right shift overflowed bits"),
    ("exactDivisionRemainder", "exact division produced remainder"),
    ("integerPartOutOfBounds", "integer part of floating point value out of bounds"),
    ("shiftRhsTooBig", "shift amount is greater than the type size"),
    ("corruptSwitch", "switch on corrupt value"),
    ("invalidEnumValue", "invalid enum value"),
    ("invalidErrorCode", "invalid error code"),
    ("unwrapError", "attempt to unwrap error"),
    ("unexpectedErrorCode", "unexpected error code"),
    ("sentinelMismatch", "sentinel mismatch"),
    ("inactiveUnionField", "access of inactive union field"),
    ("sliceCastLenRemainder", "slice length does not divide exactly into destination elements"),
    ("castToNull", "cast causes pointer to be null"),
    ("incorrectAlignment", "incorrect alignment"),
    ("forLenMismatch", "for loop over objects with non-equal lengths"),
    ("copyLenMismatch", "source and destination arguments have non-equal lengths"),
    ("memcpyAlias", "@memcpy arguments alias"),
    ("noreturnReturned", "'noreturn' function returned"),
    ("loadUninstantiableType", "a value of a type that has none was loaded"),
)
FIRST = 1
NUMBERS = {name: number for number, (name, _) in enumerate(PANICS, FIRST)}
TRAPS = {number: text for number, (_, text) in enumerate(PANICS, FIRST)}
"""What each trap means, by the number that it has in the IR."""
