"""Formatted output and texts of floating-point numbers on the emulator, for replays: nothing of veer's C is used here.

sprintf(to, "%d %s", 7, p)      x86-64: 7 in RDX, p in RCX; ARM: r2 and r3; more of them on the stack
"""

from __future__ import annotations

import math
import re
import struct
import sys
from collections.abc import Callable
from fractions import Fraction

_CONVERSION = re.compile(rb"%([-+ #0]*)(\*|\d*)(?:\.(\*|\d*))?(hh|h|ll|l|q|j|z|t|L)?(.)", re.DOTALL)
_NUMBER = re.compile(
    rb"[ \t\n\v\f\r]*([+-]?(?:0x(?:[0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)(?:p[+-]?\d+)?"
    rb"|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|inf(?:inity)?|nan(?:\(\w*\))?))",
    re.IGNORECASE,
)
_LONG = ("ll", "q", "j")
_LONGEST = 1 << 16


class UnknownFormatError(Exception):
    """A conversion that is not known here."""


class Given:
    """Arguments behind the named ones. `registers`: those that are left, the first of which is the `number`th of all;
    `floats`: None where floating-point numbers lie where integers do; `above`: the first one on the stack."""

    def __init__(
        self,
        registers: list[int],
        number: int,
        floats: list[float] | None,
        above: int,
        word: int,
        read: Callable[[int, int], int],
    ) -> None:
        self._registers, self._number, self._floats = registers, number, floats
        self._above, self._word, self._read = above, word, read
        self._is_big = False

    def big(self) -> Given:
        """The same on a machine whose pairs of registers begin with the higher half."""
        self._is_big = True
        return self

    def number(self, size: int) -> int:
        """The next one, of `size` bytes."""
        if size <= self._word:
            value = self._take() if self._registers else self._from_stack(self._word)
            return value % (1 << 8 * size)
        if self._number % 2 and self._registers:
            self._take()
        if len(self._registers) < 2:
            self._registers.clear()
            return self._from_stack(size)
        first, second = self._take(), self._take()
        return first << 32 | second if self._is_big else second << 32 | first

    def float(self) -> float:
        """The next floating-point number."""
        if self._floats is None or not self._floats:
            number = self._from_stack(8) if self._floats is not None else self.number(8)
            return float(struct.unpack("<d", number.to_bytes(8, "little"))[0])
        return self._floats.pop(0)

    def _take(self) -> int:
        self._number += 1
        return self._registers.pop(0)

    def _from_stack(self, size: int) -> int:
        self._above = -(-self._above // size) * size
        value = self._read(self._above, size)
        self._above += size
        return value


def formatted(format_: bytes, given: Given, word: int, text: Callable[[int, int], bytes]) -> bytes:
    """What C writes. `text`: the text at an address, of so many bytes at most. Raises UnknownFormatError."""
    made, at = bytearray(), 0
    while at < len(format_):
        if format_[at : at + 1] != b"%":
            made += format_[at : at + 1]
            at += 1
            continue
        matched = _CONVERSION.match(format_, at)
        if matched is None:
            raise UnknownFormatError(format_.decode("latin-1"))
        made += _converted(matched, given, word, text)
        at = matched.end()
    return bytes(made)


def _converted(matched: re.Match[bytes], given: Given, word: int, text: Callable[[int, int], bytes]) -> bytes:
    flags, width, precision, length, letter = (each.decode("latin-1") if each else "" for each in matched.groups())
    if width == "*":
        number = _signed(given.number(4), 4)
        flags, width = (flags + "-" if number < 0 else flags), str(abs(number))
    has_precision = matched[3] is not None
    if precision == "*":
        number = _signed(given.number(4), 4)
        has_precision, precision = number >= 0, str(number)
    most = int(precision or 0) if has_precision else -1
    if letter == "%":
        return b"%"
    if int(width or 0) > _LONGEST or most > _LONGEST or length == "L":
        raise UnknownFormatError(matched[0].decode("latin-1"))
    if letter in "diuxXo":
        return _integer(flags, width, most, length, letter, given, word)
    if letter in "sc" and not length:
        shown = (
            bytes([given.number(4) & 255])
            if letter == "c"
            else text(given.number(word), most if most >= 0 else _LONGEST)
        )
        return _padded(shown, width, "-" in flags)
    if letter == "p" and not length:
        number = given.number(word)
        return _padded(b"0x%x" % number if number else b"(nil)", width, "-" in flags)
    if letter in "feEgGF":
        precise, value = f".{most}" if most >= 0 else "", given.float()
        flags = flags if math.isfinite(value) else flags.replace("0", "")
        return (f"%{flags}{width}{precise}{letter}" % value).encode()
    raise UnknownFormatError(matched[0].decode("latin-1"))


def _integer(flags: str, width: str, most: int, length: str, letter: str, given: Given, word: int) -> bytes:
    size = 8 if length in _LONG else word if length in ("l", "z", "t") else 4
    value = given.number(size)
    size = {"h": 2, "hh": 1}.get(length, size)
    value %= 1 << 8 * size
    sign, prefix = "", ""
    if letter in "di":
        value = _signed(value, size)
        sign = "-" if value < 0 else "+" if "+" in flags else " " if " " in flags else ""
    digits = format(abs(value), {"x": "x", "X": "X", "o": "o"}.get(letter, "d"))
    if "#" in flags and letter in "xX" and value:
        prefix = f"0{letter}"
    if "#" in flags and letter == "o" and not digits.startswith("0") and most <= len(digits):
        digits = "0" + digits
    digits = "" if most == 0 and value == 0 and not ("#" in flags and letter == "o") else digits.rjust(most, "0")
    if "0" in flags and "-" not in flags and most < 0:
        digits = digits.rjust(int(width or 0) - len(sign) - len(prefix), "0")
    return _padded(f"{sign}{prefix}{digits}".encode(), width, "-" in flags)


def _padded(shown: bytes, width: str, is_left: bool) -> bytes:  # noqa: FBT001 - a flag of the format
    return shown.ljust(int(width or 0)) if is_left else shown.rjust(int(width or 0))


def _signed(number: int, size: int) -> int:
    return number - (1 << 8 * size) if number >> 8 * size - 1 else number


def read_float(text: bytes) -> tuple[float, int]:
    """The number at the beginning of a text, as strtod has it, and how many bytes belong to it."""
    matched = _NUMBER.match(text)
    if matched is None:
        return 0.0, 0
    word = matched[1].decode().lower()
    if "nan" in word:
        return float("-nan" if word.startswith("-") else "nan"), matched.end()
    if "x" in word:
        try:
            return float.fromhex(word), matched.end()
        except OverflowError:
            return float("-inf" if word.startswith("-") else "inf"), matched.end()
    return float(word), matched.end()


def is_out_of_range(text: bytes, number: float) -> bool:
    """Whether the number is one that strtod tells of by ERANGE: too large, or too small for all its digits."""
    word = text.lower()
    if math.isinf(number):
        return b"inf" not in word
    digits = word.partition(b"p")[0].replace(b"0x", b"") if b"x" in word else word.partition(b"e")[0]
    is_zero = not digits.strip(b" \t\n\v\f\r+-0.")
    if abs(number) >= sys.float_info.min or is_zero or b"nan" in word:
        return False
    return number == 0 or b"x" not in word or not _is_exact(digits, word.partition(b"p")[2], number)


def _is_exact(digits: bytes, exponent: bytes, number: float) -> bool:
    """Whether a hexadecimal number that is not 0 has been kept whole."""
    whole, _, part = digits.strip().lstrip(b"+-").partition(b".")
    shift = int(exponent or 0) - 4 * len(part)
    return Fraction(int(whole + part, 16)) * Fraction(2) ** shift == abs(Fraction(number))
