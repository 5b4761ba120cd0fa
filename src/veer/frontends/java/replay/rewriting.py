"""Class files with counters: before each jump, switch and line a call of VeerReplay says what is decided there.

    iload_1                       iload_1
    ifle 20              ─►       dup; sipush 7; invokestatic VeerReplay.compared(II)V
                                  ifle 31

Nothing but straight code is put in, so that frames of the verifier stay as they are and only offsets move.
"""

from __future__ import annotations

import struct

from veer.frontends.java.classfile.bytereader import ByteReader, ClassFormatError
from veer.frontends.java.classfile.code import Instruction
from veer.frontends.java.classfile.constants import ConstantPool
from veer.frontends.java.classfile.model import Code, Method
from veer.frontends.java.classfile.parsing import parsed
from veer.frontends.java.replay.counters import Counters
from veer.frontends.java.replay.moved import Moved, moved_frames, moved_tables

_DUP, _DUP2, _SIPUSH, _LDC_W, _INVOKESTATIC = 0x59, 0x5C, 0x11, 0x13, 0xB8
_MORE_STACK = 4


def rewritten(data: bytes, counters: Counters) -> bytes:
    """The class with counters; methods that would grow too long stay as they are. Raises ClassFormatError."""
    return _Rewriting(data, counters).whole()


class _Additions:
    """Entries behind those of the constant pool."""

    def __init__(self, size: int) -> None:
        self.count = size
        self.data = b""
        self._known: dict[bytes, int] = {}

    def method(self, name: str, descriptor: str) -> int:
        """A static method of the driver."""
        owner = self._add(b"\7" + self._two(self.utf8(b"VeerReplay")))
        named = self._add(b"\x0c" + self._two(self.utf8(name.encode())) + self._two(self.utf8(descriptor.encode())))
        return self._add(b"\x0a" + self._two(owner) + self._two(named))

    def string(self, units: list[int]) -> int:
        """A string of these UTF-16 units."""
        return self._add(b"\x08" + self._two(self.utf8(b"".join(map(_modified, units)))))

    def utf8(self, data: bytes) -> int:
        return self._add(b"\1" + self._two(len(data)) + data)

    def _add(self, entry: bytes) -> int:
        if entry not in self._known:
            self._known[entry] = self.count
            self.count += 1
            self.data += entry
        return self._known[entry]

    @staticmethod
    def _two(number: int) -> bytes:
        if number > 0xFFFF:
            raise ClassFormatError("its constant pool is full")
        return struct.pack(">H", number)


class _Rewriting:
    def __init__(self, data: bytes, counters: Counters) -> None:
        self._data = data
        self._counters = counters
        self._class = parsed(data)
        reader = ByteReader(data, 8)
        self._pool = ConstantPool(reader)
        self._added = _Additions(len(self._pool))
        self._reader = reader

    def whole(self) -> bytes:
        """The whole class."""
        reader, head = self._reader, self._data[:8]
        pool = self._data[10 : reader.at]
        start = reader.at
        reader.take(6)
        reader.take(2 * reader.u2())
        for _ in range(reader.u2()):  # fields
            reader.take(6)
            self._step_over()
        count = reader.u2()
        before = self._data[start : reader.at]
        methods = b"".join(self._method(self._class.methods[number]) for number in range(count))
        rest = self._data[reader.at :]
        return head + struct.pack(">H", self._added.count) + pool + self._added.data + before + methods + rest

    def _step_over(self) -> None:
        for _ in range(self._reader.u2()):
            self._reader.take(2)
            self._reader.take(self._reader.u4())

    def _method(self, method: Method) -> bytes:
        reader = self._reader
        made = [reader.take(6)]
        count = reader.u2()
        made.append(struct.pack(">H", count))
        for _ in range(count):
            name = reader.u2()
            body = reader.take(reader.u4())
            if self._pool.utf8(name) == "Code" and method.code is not None:
                body = self._code(method, method.code, body)
            made.append(struct.pack(">HI", name, len(body)) + body)
        return b"".join(made)

    def _code(self, method: Method, code: Code, body: bytes) -> bytes:
        inserted = {each.at: self._inserted(method, code, each) for each in code.instructions}
        moved = Moved(code.instructions, {at: len(data) for at, data in inserted.items()})
        try:
            made = b"".join(inserted[each.at] + moved.instruction(each, code.raw) for each in code.instructions)
        except struct.error:
            return body
        if len(made) > 0xFFFF:
            return body
        reader = ByteReader(body, 8 + len(code.raw))
        handlers = b"".join(
            struct.pack(">HHH", *(moved.label(reader.u2()) for _ in range(3))) + reader.take(2)
            for _ in range(reader.u2())
        )
        tables: list[bytes] = []
        for _ in range(reader.u2()):
            name = reader.u2()
            table = reader.part(reader.u4())
            kept = self._table(self._pool.utf8(name), table, moved)
            if kept is not None:
                tables.append(struct.pack(">HI", name, len(kept)) + kept)
        head = struct.pack(">HHI", code.max_stack + _MORE_STACK, code.max_locals, len(made))
        count = struct.pack(">H", len(code.handlers))
        return head + made + count + handlers + struct.pack(">H", len(tables)) + b"".join(tables)

    @staticmethod
    def _table(name: str, table: ByteReader, moved: Moved) -> bytes | None:
        """An attribute of the code with its offsets moved; None: it is left out, for nothing that runs needs it."""
        if name == "StackMapTable":
            return moved_frames(table, moved)
        return moved_tables(name, table, moved)

    def _inserted(self, method: Method, code: Code, each: Instruction) -> bytes:
        place = (self._class.name, method.name, method.descriptor)
        made = b""
        if (line := next((line for at, line in code.lines if at == each.at), 0)) and (
            counter := self._counters.line((*place, line))
        ) is not None:
            made += self._called("hit", "(I)V", counter)
        if each.name.startswith("if") or each.name.endswith("switch"):
            made += self._compared(each, (*place, each.at))
        return made

    def _compared(self, each: Instruction, place: tuple[str, str, str, int]) -> bytes:
        counter = self._counters.branch(place, each)
        if counter is None:
            return b""
        if each.name.endswith("switch"):
            units = [part for value, _ in each.cases for part in ((value >> 16) & 0xFFFF, value & 0xFFFF)]
            text = bytes((_DUP, _LDC_W)) + struct.pack(">H", self._added.string(units))
            return text + self._called("switched", "(ILjava/lang/String;I)V", counter)
        two = "cmp" in each.name
        type_ = "Ljava/lang/Object;" if "acmp" in each.name or each.name in ("ifnull", "ifnonnull") else "I"
        called = self._called("compared", f"({type_ * (2 if two else 1)}I)V", counter)
        return bytes((_DUP2 if two else _DUP,)) + called

    def _called(self, name: str, descriptor: str, counter: int) -> bytes:
        method = self._added.method(name, descriptor)
        return struct.pack(">BHBH", _SIPUSH, counter, _INVOKESTATIC, method)


def _modified(unit: int) -> bytes:
    if 0 < unit < 0x80:
        return bytes((unit,))
    if unit < 0x800:
        return bytes((0xC0 | unit >> 6, 0x80 | unit & 0x3F))
    return bytes((0xE0 | unit >> 12, 0x80 | unit >> 6 & 0x3F, 0x80 | unit & 0x3F))
