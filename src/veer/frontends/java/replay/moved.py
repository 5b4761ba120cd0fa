"""Where the instructions of a method lie once code was put before them, and what has to say so: jumps and tables."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence

from veer.frontends.java.classfile.bytereader import ByteReader, ClassFormatError
from veer.frontends.java.classfile.code import Instruction

_UNINITIALISED, _OBJECT = 8, 7
_TABLES = frozenset(("LineNumberTable", "LocalVariableTable", "LocalVariableTypeTable"))


class Moved:
    """Old offsets → new ones. `inserted`: how many bytes are put before the instruction at an offset."""

    def __init__(self, code: Sequence[Instruction], inserted: Mapping[int, int]) -> None:
        self._labels: dict[int, int] = {}
        self._places: dict[int, int] = {}
        end = old_end = 0
        for each in code:
            self._labels[each.at] = end
            end += inserted[each.at]
            self._places[each.at] = end
            end += self._size(each, end)
            old_end = each.at + each.size
        self._labels[old_end] = end

    def label(self, at: int) -> int:
        """Where a jump to the instruction leads: to what is put before it. Raises ClassFormatError."""
        if at not in self._labels:
            raise ClassFormatError(f"a table names the offset {at} of a method, where no instruction is")
        return self._labels[at]

    def place(self, at: int) -> int:
        """Where the instruction itself lies."""
        return self._places[at]

    def instruction(self, each: Instruction, raw: bytes) -> bytes:
        """Its bytes. Raises struct.error where a jump has become too long."""
        place, opcode = self._places[each.at], raw[each.at]
        if each.name.endswith("switch"):
            return bytes((opcode,)) + bytes(-(place + 1) % 4) + self._cases(each, place)
        if each.is_jump:
            form = ">Bi" if each.name.endswith("_w") else ">Bh"
            return struct.pack(form, opcode, self.label(each.number) - place)
        return raw[each.at : each.at + each.size]

    def _cases(self, each: Instruction, place: int) -> bytes:
        default = struct.pack(">i", self.label(each.number) - place)
        if each.name == "tableswitch":
            bounds = struct.pack(">ii", each.cases[0][0], each.cases[-1][0])
            return default + bounds + b"".join(struct.pack(">i", self.label(to) - place) for _, to in each.cases)
        pairs = (struct.pack(">ii", value, self.label(to) - place) for value, to in each.cases)
        return default + struct.pack(">i", len(each.cases)) + b"".join(pairs)

    @staticmethod
    def _size(each: Instruction, place: int) -> int:
        if not each.name.endswith("switch"):
            return each.size
        rest = 12 + 4 * len(each.cases) if each.name == "tableswitch" else 8 + 8 * len(each.cases)
        return 1 + -(place + 1) % 4 + rest


def moved_tables(name: str, table: ByteReader, moved: Moved) -> bytes | None:
    """A table of lines or variables; None for attributes that are not known."""
    if name not in _TABLES:
        return None
    rows, count = [], table.u2()
    for _ in range(count):
        start = table.u2()
        if name == "LineNumberTable":
            rows.append(struct.pack(">H", moved.label(start)) + table.take(2))
        else:
            begin = moved.label(start)
            rows.append(struct.pack(">HH", begin, moved.label(start + table.u2()) - begin) + table.take(6))
    return struct.pack(">H", count) + b"".join(rows)


def moved_frames(table: ByteReader, moved: Moved) -> bytes:
    """StackMapTable (JVMS 4.7.4): each frame in a form that has a distance of two bytes."""
    made, count, at, before = [], table.u2(), -1, -1
    for _ in range(count):
        kind = table.u1()
        distance = kind & 63 if kind < 128 else table.u2()
        at += distance + 1
        now = moved.label(at)
        made.append(_frame(kind, now - before - 1, table, moved))
        before = now
    return struct.pack(">H", count) + b"".join(made)


def _frame(kind: int, distance: int, table: ByteReader, moved: Moved) -> bytes:
    if kind < 64:
        return struct.pack(">BH", 251, distance)
    if kind < 128 or kind == 247:
        return struct.pack(">BH", 247, distance) + _types(table, 1, moved)
    head = struct.pack(">BH", kind, distance)
    if kind <= 251:
        return head
    if kind < 255:
        return head + _types(table, kind - 251, moved)
    locals_ = table.u2()
    head += struct.pack(">H", locals_) + _types(table, locals_, moved)
    stack = table.u2()
    return head + struct.pack(">H", stack) + _types(table, stack, moved)


def _types(table: ByteReader, count: int, moved: Moved) -> bytes:
    made = b""
    for _ in range(count):
        tag = table.u1()
        made += bytes((tag,))
        if tag == _OBJECT:
            made += table.take(2)
        elif tag == _UNINITIALISED:
            made += struct.pack(">H", moved.place(table.u2()))
    return made
