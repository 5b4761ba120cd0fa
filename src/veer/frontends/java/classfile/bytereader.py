"""Reads big-endian numbers from the bytes of a class file."""

from __future__ import annotations

import struct
from functools import lru_cache

_U2, _U4 = struct.Struct(">H"), struct.Struct(">I")


class ClassFormatError(Exception):
    """The bytes are no class file that can be read; the text says why, without a name."""


class ByteReader:
    """A place in some bytes. Reading behind their end raises ClassFormatError."""

    def __init__(self, data: bytes, at: int = 0, end: int | None = None) -> None:
        self.data = data
        self.at = at
        self.end = len(data) if end is None else end

    def u1(self) -> int:
        """One byte."""
        return self.data[self._step(1)]

    def u2(self) -> int:
        """Two bytes, without a sign."""
        return int(_U2.unpack_from(self.data, self._step(2))[0])

    def u4(self) -> int:
        """Four bytes, without a sign."""
        return int(_U4.unpack_from(self.data, self._step(4))[0])

    def s1(self) -> int:
        """One byte with a sign."""
        return (self.u1() ^ 0x80) - 0x80

    def s2(self) -> int:
        """Two bytes with a sign."""
        return (self.u2() ^ 0x8000) - 0x8000

    def s4(self) -> int:
        """Four bytes with a sign."""
        return (self.u4() ^ 0x80000000) - 0x80000000

    def take(self, size: int) -> bytes:
        """The next bytes."""
        start = self._step(size)
        return self.data[start : start + size]

    def rows(self, form: str) -> list[tuple[int, ...]]:
        """So many rows of numbers as two bytes say; `form`: a row, as struct writes it."""
        count, row = self.u2(), _row(form)
        start = self._step(count * row.size)
        return list(row.iter_unpack(memoryview(self.data)[start : self.at]))

    def part(self, size: int) -> ByteReader:
        """A reader of the next bytes alone, which are stepped over."""
        start = self._step(size)
        return ByteReader(self.data, start, start + size)

    @property
    def is_at_end(self) -> bool:
        """Whether everything is read."""
        return self.at >= self.end

    def _step(self, size: int) -> int:
        start = self.at
        if start + size > self.end:
            raise ClassFormatError(f"it ends too early, at byte {self.end}")
        self.at = start + size
        return start


@lru_cache
def _row(form: str) -> struct.Struct:
    return struct.Struct(form)
