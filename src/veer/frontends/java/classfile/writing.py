"""Class files that veer writes itself: what the JVM makes at run time for call sites (lambdas, records)."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from msgspec import Struct, field

from veer.frontends.java.classfile.constants import MemberRef
from veer.frontends.java.classfile.descriptors import method_types
from veer.frontends.java.classfile.model import Access, ClassFile
from veer.frontends.java.classfile.opcodes import NUMBERS
from veer.frontends.java.classfile.parsing import parsed

_VERSION = 52
_WIDE = "JD"


class Assembly(Struct):
    """The code of one method. Jumps lead forward: `jump` gives a mark, `land` puts it where the code goes on."""

    writer: ClassWriter
    data: bytearray = field(default_factory=bytearray)

    def plain(self, *names: str) -> None:
        """Instructions without operands, by their names."""
        self.data += bytes(NUMBERS[name] for name in names)

    def load(self, type_: str, number: int) -> None:
        """A local variable of a type."""
        self.data += struct.pack(">BB", NUMBERS[f"{letter(type_)}load"], number)

    def store(self, type_: str, number: int) -> None:
        """The same, the other way."""
        self.data += struct.pack(">BB", NUMBERS[f"{letter(type_)}store"], number)

    def leave(self, type_: str) -> None:
        """Returns a value of a type, or nothing ("V")."""
        self.plain("return" if type_ == "V" else f"{letter(type_)}return")

    def of_class(self, name: str, class_: str) -> None:
        """new, checkcast, instanceof, anewarray."""
        self.data += struct.pack(">BH", NUMBERS[name], self.writer.class_entry(class_))

    def of_field(self, name: str, member: MemberRef) -> None:
        """getfield and its kin."""
        self.data += struct.pack(">BH", NUMBERS[name], self.writer.member_entry(9, member))

    def call(self, name: str, member: MemberRef) -> None:
        """A call; `name`: "invokevirtual", ..."""
        entry = self.writer.member_entry(11 if member.is_interface else 10, member)
        self.data += struct.pack(">BH", NUMBERS[name], entry)
        if name == "invokeinterface":
            self.data += bytes((1 + words(method_types(member.descriptor)[0]), 0))

    def number(self, value: int) -> None:
        """An int of 16 bits."""
        self.data += struct.pack(">Bh", NUMBERS["sipush"], value)

    def integer(self, value: int) -> None:
        """Any int."""
        self.data += struct.pack(">BH", NUMBERS["ldc_w"], self.writer.integer_entry(value))

    def string(self, text: str) -> None:
        """A string literal."""
        self.data += struct.pack(">BH", NUMBERS["ldc_w"], self.writer.string_entry(text))

    def jump(self, name: str) -> int:
        """A jump to where `land` is called with what this gives."""
        self.data += struct.pack(">Bh", NUMBERS[name], 0)
        return len(self.data) - 3

    def land(self, mark: int) -> None:
        """The jump leads here."""
        struct.pack_into(">h", self.data, mark + 1, len(self.data) - mark)


class ClassWriter(Struct):
    """A class file. All that is added is public."""

    name: str
    above: str = "java/lang/Object"
    interfaces: Sequence[str] = ()
    source: str = ""
    _entries: dict[bytes, int] = field(default_factory=dict)
    _fields: list[bytes] = field(default_factory=list)
    _methods: list[bytes] = field(default_factory=list)

    def class_entry(self, name: str) -> int:
        """The number of a class in the constant pool."""
        return self._entry(struct.pack(">BH", 7, self._utf8(name)))

    def member_entry(self, tag: int, member: MemberRef) -> int:
        """A field (tag 9), a method (10), or that of an interface (11)."""
        named = self._entry(struct.pack(">BHH", 12, self._utf8(member.name), self._utf8(member.descriptor)))
        return self._entry(struct.pack(">BHH", tag, self.class_entry(member.owner), named))

    def string_entry(self, text: str) -> int:
        """A string literal; its characters are ASCII."""
        return self._entry(struct.pack(">BH", 8, self._utf8(text)))

    def integer_entry(self, value: int) -> int:
        """An int."""
        return self._entry(struct.pack(">Bi", 3, value))

    def add_field(self, name: str, descriptor: str) -> MemberRef:
        """A field of the objects."""
        self._fields.append(struct.pack(">HHHH", Access.PUBLIC, self._utf8(name), self._utf8(descriptor), 0))
        return MemberRef(self.name, name, descriptor)

    def code(self) -> Assembly:
        """Code to be written."""
        return Assembly(self)

    def add_method(self, name: str, descriptor: str, code: Assembly, *, is_static: bool) -> None:
        """A method with this code."""
        access = Access.PUBLIC | (Access.STATIC if is_static else Access(0))
        size = words(method_types(descriptor)[0]) + int(not is_static) + 8
        body = struct.pack(">HHI", 255, size, len(code.data)) + bytes(code.data) + struct.pack(">HH", 0, 0)
        head = struct.pack(">HHHH", access, self._utf8(name), self._utf8(descriptor), 1)
        self._methods.append(head + struct.pack(">HI", self._utf8("Code"), len(body)) + body)

    def made(self) -> ClassFile:
        """The class."""
        own, above = self.class_entry(self.name), self.class_entry(self.above)
        listed = [self.class_entry(each) for each in self.interfaces]
        attributes = b""
        if self.source:
            attributes = struct.pack(">HIH", self._utf8("SourceFile"), 2, self._utf8(self.source))
        head = struct.pack(">IHHH", 0xCAFEBABE, 0, _VERSION, len(self._entries) + 1)
        pool = b"".join(self._entries)
        access = Access.PUBLIC | Access.SYNTHETIC | Access.SYNCHRONIZED
        body = struct.pack(">HHHH", access, own, above, len(listed))
        body += b"".join(struct.pack(">H", each) for each in listed)
        body += struct.pack(">H", len(self._fields)) + b"".join(self._fields)
        body += struct.pack(">H", len(self._methods)) + b"".join(self._methods)
        return parsed(head + pool + body + struct.pack(">H", int(bool(attributes))) + attributes)

    def _utf8(self, text: str) -> int:
        data = text.encode()
        return self._entry(struct.pack(">BH", 1, len(data)) + data)

    def _entry(self, data: bytes) -> int:
        return self._entries.setdefault(data, len(self._entries) + 1)


def words(types: Sequence[str]) -> int:
    """Words that values of these types take among the local variables."""
    return sum(2 if type_ in _WIDE else 1 for type_ in types)


def letter(type_: str) -> str:
    """The first letter of instructions about values of a type."""
    return {"J": "l", "F": "f", "D": "d"}.get(type_, "a" if type_.startswith(("L", "[")) else "i")
