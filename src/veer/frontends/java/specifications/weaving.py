"""Class files whose methods tell the monitors of their calls and returns: a wrapper takes the method's name.

    int withdraw(int n) {...}      becomes

    private int veer$body$withdraw(int n) {...}                  its code as it was
    int withdraw(int n) {
        VeerMonitors.call_0(this, n);
        int r = veer$body$withdraw(n);
        VeerMonitors.return_0(this, n, r);
        return r;
    }

The wrapper has no jump, so that it needs no frames of the verifier.
"""

from __future__ import annotations

import struct
from collections.abc import Collection, Mapping

from msgspec import Struct

from veer.frontends.java.classfile.bytereader import ByteReader, ClassFormatError
from veer.frontends.java.classfile.constants import ConstantPool
from veer.frontends.java.classfile.descriptors import method_types
from veer.frontends.java.classfile.model import Access
from veer.frontends.java.classfile.opcodes import NUMBERS
from veer.frontends.java.classfile.writing import letter, words

BODY = "veer$body$"


class Woven(Struct, frozen=True):
    """A method's handlers, "" for none, of a class of monitors."""

    monitors: str
    at_call: str
    at_return: str


def woven(data: bytes, methods: Mapping[tuple[str, str], Woven]) -> bytes:
    """The class with wrappers for these methods, by name and descriptor. Raises ClassFormatError."""
    reader = ByteReader(data, 8)
    pool = ConstantPool(reader)
    added = _Pool(len(pool))
    behind_pool = reader.at
    reader.u2()
    own = pool.class_name(reader.u2())
    reader.u2()
    reader.part(2 * reader.u2())
    _skip_members(reader)
    table = reader.at
    changed = bytearray(data[behind_pool:])
    wrappers = b""
    count = reader.u2()
    for _ in range(count):
        at = reader.at - behind_pool
        access, name, descriptor = Access(reader.u2()), pool.utf8(reader.u2()), pool.utf8(reader.u2())
        _skip_attributes(reader)
        how = methods.get((name, descriptor))
        if how is None or Access.ABSTRACT in access or Access.NATIVE in access:
            continue
        kept = access & (Access.STATIC | Access.STRICT | Access.VARARGS | Access.SYNCHRONIZED)
        changed[at : at + 4] = struct.pack(">HH", kept | Access.PRIVATE | Access.SYNTHETIC, added.utf8(BODY + name))
        wrappers += _wrapper(added, own, name, descriptor, access & ~Access.SYNCHRONIZED, how)
    end = reader.at - behind_pool
    rest = bytes(changed[: table - behind_pool]) + struct.pack(">H", count + added.wrappers)
    rest += bytes(changed[table - behind_pool + 2 : end]) + wrappers + bytes(changed[end:])
    pool_bytes = data[10:behind_pool] + added.data
    return data[:8] + struct.pack(">H", added.count) + pool_bytes + rest


class _Pool:
    """Entries behind those of the constant pool."""

    def __init__(self, size: int) -> None:
        self.count, self.data, self.wrappers = size, b"", 0
        self._known: dict[bytes, int] = {}

    def utf8(self, text: str) -> int:
        data = text.encode()
        return self._add(b"\1" + struct.pack(">H", len(data)) + data)

    def method(self, owner: str, name: str, descriptor: str) -> int:
        """A method of a class."""
        class_ = self._add(b"\7" + struct.pack(">H", self.utf8(owner)))
        named = self._add(b"\x0c" + struct.pack(">HH", self.utf8(name), self.utf8(descriptor)))
        return self._add(b"\x0a" + struct.pack(">HH", class_, named))

    def _add(self, entry: bytes) -> int:
        if entry not in self._known:
            if self.count > 0xFFFE:
                raise ClassFormatError("its constant pool is full")
            self._known[entry] = self.count
            self.count += 1
            self.data += entry
        return self._known[entry]


def _wrapper(added: _Pool, own: str, name: str, descriptor: str, access: Access, how: Woven) -> bytes:
    types, result = method_types(descriptor)
    is_static = Access.STATIC in access
    given = [*([] if is_static else [f"L{own};"]), *types]
    size = words(given)
    loads = b""
    at = 0
    for type_ in given:
        loads += bytes((NUMBERS[f"{letter(type_)}load"], at))
        at += words([type_])
    if size > 250:
        raise ClassFormatError("it has too many parameters to be watched")

    def handler(called: str, more: Collection[str]) -> bytes:
        target = added.method(how.monitors, called, f"({''.join((*given, *more))})V")
        back = bytes((NUMBERS[f"{letter(result)}load"], size)) if more else b""
        return loads + back + struct.pack(">BH", NUMBERS["invokestatic"], target)

    code = handler(how.at_call, ()) if how.at_call else b""
    call = NUMBERS["invokestatic" if is_static else "invokespecial"]
    code += loads + struct.pack(">BH", call, added.method(own, BODY + name, descriptor))
    if result != "V":
        code += bytes((NUMBERS[f"{letter(result)}store"], size))
    if how.at_return:
        code += handler(how.at_return, () if result == "V" else (result,))
    if result != "V":
        code += bytes((NUMBERS[f"{letter(result)}load"], size, NUMBERS[f"{letter(result)}return"]))
    else:
        code += bytes((NUMBERS["return"],))
    room = size + words([] if result == "V" else [result])
    body = struct.pack(">HHI", room + 2, room + 1, len(code)) + code + struct.pack(">HH", 0, 0)
    added.wrappers += 1
    head = struct.pack(">HHHH", access, added.utf8(name), added.utf8(descriptor), 1)
    return head + struct.pack(">HI", added.utf8("Code"), len(body)) + body


def _skip_members(reader: ByteReader) -> None:
    for _ in range(reader.u2()):
        reader.part(6)
        _skip_attributes(reader)


def _skip_attributes(reader: ByteReader) -> None:
    for _ in range(reader.u2()):
        reader.u2()
        reader.part(reader.u4())
