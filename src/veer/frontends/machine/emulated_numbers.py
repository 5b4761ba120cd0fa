"""strtol and its kin on the emulator's memory."""

from __future__ import annotations

import errno
from typing import Protocol

_LARGEST_BASE = 36


class Memory(Protocol):
    """What these ask of it (emulated_library.py)."""

    def read(self, address: int, size: int) -> bytes: ...
    def write(self, address: int, data: bytes) -> None: ...
    def fail(self, number: int) -> None: ...


def number(name: str, m: Memory, given: list[int], word: int, order: str) -> int:
    """strtol and its kin: the longest number at the beginning of the text."""
    start, end, base = given
    if base == 1 or not 0 <= base <= _LARGEST_BASE:
        m.fail(errno.EINVAL)
        return 0
    at = start
    while m.read(at, 1)[0] in b" \t\n\v\f\r":
        at += 1
    sign = m.read(at, 1)
    at += sign in (b"-", b"+")
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"

    def digit(place: int) -> int:
        found = digits.find(chr(m.read(place, 1)[0]).lower())
        return found if found >= 0 else 99

    if base in (0, 16) and m.read(at, 1) == b"0" and m.read(at + 1, 1) in (b"x", b"X") and digit(at + 2) < 16:
        at, base = at + 2, 16
    elif base == 0:
        base = 8 if m.read(at, 1) == b"0" else 10
    first, value = at, 0
    while digit(at) < base:
        value, at = value * base + digit(at), at + 1
    if end:
        m.write(end, (at if at > first else start).to_bytes(word, order))  # type: ignore[arg-type]
    if sign == b"-":
        value = -value
    bits = 8 * word if name in ("strtol", "strtoul") else 64
    if name in ("strtol", "strtoll"):
        kept = max(-(1 << bits - 1), min(value, (1 << bits - 1) - 1))
    else:
        kept = (1 << bits) - 1 if abs(value) >> bits else value % (1 << bits)
    if (kept - value) % (1 << bits) or (name in ("strtol", "strtoll") and kept != value) or abs(value) >> bits:
        m.fail(errno.ERANGE)
    return kept
