"""The constant pool (JVMS 4.4): what a class file refers to by numbers.

A constant that is written as several entries is one value here: `pool.member(5)` gives owner, name and descriptor.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import NamedTuple

from msgspec import Struct

from veer.frontends.java.classfile.bytereader import ByteReader, ClassFormatError


class MemberRef(NamedTuple):
    """A field or method: `owner` as an internal name ("java/lang/String", "[I"); `is_interface`: of an interface."""

    owner: str
    name: str
    descriptor: str
    is_interface: bool = False


class MethodHandle(NamedTuple):
    """A method handle: its kind (JVMS table 5.4.3.5-A: 6 = invokestatic), and what it refers to."""

    kind: int
    member: MemberRef


class Dynamic(NamedTuple):
    """What a bootstrap method computes: its number in BootstrapMethods, name, descriptor."""

    bootstrap: int
    name: str
    descriptor: str


class ClassRef(Struct, frozen=True):
    """A class or array type by its internal name."""

    name: str


class StringConstant(Struct, frozen=True):
    """A string literal, as UTF-16 code units."""

    units: tuple[int, ...]

    @property
    def text(self) -> str:
        """As text; surrogates that have no partner stay."""
        return b"".join(unit.to_bytes(2, "little") for unit in self.units).decode("utf-16-le", "surrogatepass")


class Float32(Struct, frozen=True):
    """A float by its bits."""

    bits: int

    @property
    def number(self) -> float:
        """Its value."""
        return float(struct.unpack("<f", self.bits.to_bytes(4, "little"))[0])


class Float64(Struct, frozen=True):
    """A double by its bits."""

    bits: int


class Int32(Struct, frozen=True):
    """An int."""

    value: int


class Int64(Struct, frozen=True):
    """A long."""

    value: int


class MethodTypeRef(Struct, frozen=True):
    """A method's descriptor as a constant."""

    descriptor: str


class _Pair(Struct, frozen=True):
    """An entry that refers to other ones."""

    tag: int
    first: int
    second: int = 0


class _Utf8(Struct, frozen=True):
    data: bytes


_Entry = _Utf8 | Int32 | Int64 | Float32 | Float64 | _Pair
_UTF8, _CLASS, _STRING, _FIELD, _METHOD, _INTERFACE_METHOD, _NAME_AND_TYPE = 1, 7, 8, 9, 10, 11, 12
_HANDLE, _TYPE, _DYNAMIC, _INVOKE_DYNAMIC, _MODULE, _PACKAGE = 15, 16, 17, 18, 19, 20
_READERS: dict[int, Callable[[ByteReader], _Entry]] = {
    _UTF8: lambda reader: _Utf8(reader.take(reader.u2())),
    3: lambda reader: Int32(reader.s4()),
    4: lambda reader: Float32(reader.u4()),
    5: lambda reader: Int64(struct.unpack(">q", reader.take(8))[0]),
    6: lambda reader: Float64(struct.unpack(">Q", reader.take(8))[0]),
    **{
        tag: lambda reader, tag=tag: _Pair(tag, reader.u2())  # type: ignore[misc]
        for tag in (_CLASS, _STRING, _TYPE, _MODULE, _PACKAGE)
    },
    **{
        tag: lambda reader, tag=tag: _Pair(tag, reader.u2(), reader.u2())  # type: ignore[misc]
        for tag in (_FIELD, _METHOD, _INTERFACE_METHOD, _NAME_AND_TYPE, _DYNAMIC, _INVOKE_DYNAMIC)
    },
    _HANDLE: lambda reader: _Pair(_HANDLE, reader.u1(), reader.u2()),
}
_SIZES = {
    **dict.fromkeys((_CLASS, _STRING, _TYPE, _MODULE, _PACKAGE), 2),
    **dict.fromkeys((3, 4, _FIELD, _METHOD, _INTERFACE_METHOD, _NAME_AND_TYPE, _DYNAMIC, _INVOKE_DYNAMIC), 4),
    **{5: 8, 6: 8, _HANDLE: 3},
}
"""Bytes of an entry behind its tag, but of a text's."""
_TAKE_TWO = (5, 6)
"""A long and a double take two numbers."""
Loadable = (
    Int32 | Int64 | Float32 | Float64 | StringConstant | ClassRef | MethodHandle | MethodTypeRef | Dynamic | MemberRef
)


class ConstantPool:
    """The entries of a class file by number. A wrong one raises ClassFormatError when it is asked for."""

    def __init__(self, reader: ByteReader) -> None:
        count = reader.u2()
        self._data = reader.data
        self._starts = [0]
        """Where each entry begins; 0 where there is none. They are read when they are asked for."""
        self._known: dict[int, _Entry] = {}
        self._texts: dict[int, str] = {}
        while len(self._starts) < count:
            start, tag = reader.at, reader.u1()
            if tag not in _READERS:
                raise ClassFormatError(f"entry {len(self._starts)} of its constant pool has the unknown tag {tag}")
            reader.take(reader.u2() if tag == _UTF8 else _SIZES[tag])
            self._starts += (start, 0) if tag in _TAKE_TWO else (start,)

    def __len__(self) -> int:
        return len(self._starts)

    def utf8(self, number: int) -> str:
        """A name or descriptor."""
        if number not in self._texts:
            entry = self._at(number)
            if not isinstance(entry, _Utf8):
                raise ClassFormatError(f"entry {number} of its constant pool is no text")
            self._texts[number] = modified_utf8(entry.data)
        return self._texts[number]

    def class_name(self, number: int) -> str:
        """The internal name of a class entry."""
        return self.utf8(self._pair(number, _CLASS).first)

    def optional_class(self, number: int) -> str:
        """The same; "" for 0."""
        return self.class_name(number) if number else ""

    def optional_utf8(self, number: int) -> str:
        """A text; "" for 0."""
        return self.utf8(number) if number else ""

    def named(self, number: int) -> str:
        """The name of a module or package entry."""
        return self.utf8(self._pair(number, _MODULE, _PACKAGE).first)

    def member(self, number: int) -> MemberRef:
        """A field or method."""
        pair = self._pair(number, _FIELD, _METHOD, _INTERFACE_METHOD)
        name, descriptor = self.name_and_type(pair.second)
        return MemberRef(self.class_name(pair.first), name, descriptor, pair.tag == _INTERFACE_METHOD)

    def name_and_type(self, number: int) -> tuple[str, str]:
        """Name and descriptor."""
        pair = self._pair(number, _NAME_AND_TYPE)
        return self.utf8(pair.first), self.utf8(pair.second)

    def dynamic(self, number: int) -> Dynamic:
        """What a bootstrap method computes: a constant or a call site."""
        pair = self._pair(number, _DYNAMIC, _INVOKE_DYNAMIC)
        return Dynamic(pair.first, *self.name_and_type(pair.second))

    def constant(self, number: int) -> Loadable:
        """What `ldc` loads, or a bootstrap method is given."""
        entry = self._at(number)
        if isinstance(entry, Int32 | Int64 | Float32 | Float64):
            return entry
        if not isinstance(entry, _Pair):
            raise ClassFormatError(f"entry {number} of its constant pool is no constant")
        if entry.tag == _STRING:
            text = self._at(entry.first)
            if not isinstance(text, _Utf8):
                raise ClassFormatError(f"entry {entry.first} of its constant pool is no text")
            return StringConstant(code_units(text.data))
        if entry.tag == _CLASS:
            return ClassRef(self.class_name(number))
        if entry.tag == _TYPE:
            return MethodTypeRef(self.utf8(entry.first))
        if entry.tag == _HANDLE:
            return MethodHandle(entry.first, self.member(entry.second))
        if entry.tag == _DYNAMIC:
            return self.dynamic(number)
        return self.member(number)

    def _pair(self, number: int, *tags: int) -> _Pair:
        entry = self._at(number)
        if not isinstance(entry, _Pair) or entry.tag not in tags:
            raise ClassFormatError(f"entry {number} of its constant pool is not of the kind that is meant")
        return entry

    def _at(self, number: int) -> _Entry:
        if number not in self._known:
            start = self._starts[number] if 0 < number < len(self._starts) else 0
            if not start:
                raise ClassFormatError(f"its constant pool has no entry {number}")
            reader = ByteReader(self._data, start)
            self._known[number] = _READERS[reader.u1()](reader)
        return self._known[number]


def code_units(data: bytes) -> tuple[int, ...]:
    """The UTF-16 code units of modified UTF-8 (JVMS 4.4.7)."""
    units, at = [], 0
    while at < len(data):
        first = data[at]
        size = 1 if first < 0x80 else 2 if first >> 5 == 0b110 else 3 if first >> 4 == 0b1110 else 0
        if not size or at + size > len(data) or any(byte >> 6 != 0b10 for byte in data[at + 1 : at + size]):
            raise ClassFormatError("a text in its constant pool is not in modified UTF-8")
        unit = first & (0x7F, 0x1F, 0x0F)[size - 1]
        for byte in data[at + 1 : at + size]:
            unit = unit << 6 | byte & 0x3F
        units.append(unit)
        at += size
    return tuple(units)


def modified_utf8(data: bytes) -> str:
    """The text; surrogates that have no partner stay."""
    if data.isascii() and 0 not in data:
        return data.decode("ascii")
    return StringConstant(code_units(data)).text
