"""Parsing of class files: a small one made by hand, and all that is left of it when bytes are missing or wrong."""

from __future__ import annotations

import random
import struct

import pytest
from sampling import first

from veer.frontends.java.classfile.bytereader import ClassFormatError
from veer.frontends.java.classfile.constants import code_units
from veer.frontends.java.classfile.parsing import parsed


def _utf8(text: str) -> bytes:
    return b"\1" + struct.pack(">H", len(text)) + text.encode()


def _small() -> bytes:
    """class A { static int f(int x) { switch (x) { case 1: return 7; } x += 300; return x; } }"""
    pool = [_utf8("A"), b"\7\0\1", _utf8("java/lang/Object"), b"\7\0\3", _utf8("f"), _utf8("(I)I"), _utf8("Code")]
    switch = b"\xab\0\0" + struct.pack(">iiii", 22, 1, 1, 19)
    code = b"\x1a" + switch + b"\x10\x07\xac" + b"\xc4\x84\0\0\x01\x2c\x1a\xac"
    attribute = struct.pack(">HHI", 1, 1, len(code)) + code + b"\0\0\0\0"
    method = struct.pack(">HHHH", 8, 5, 6, 1) + struct.pack(">HI", 7, len(attribute)) + attribute
    head = struct.pack(">IHHH", 0xCAFEBABE, 0, 52, len(pool) + 1) + b"".join(pool)
    return head + struct.pack(">HHHHHH", 0x21, 2, 4, 0, 0, 1) + method + b"\0\0"


def test_instructions_have_their_operands() -> None:
    found = parsed(_small())
    code = found.methods[0].code
    assert (found.name, found.above, found.version) == ("A", "java/lang/Object", 52)
    assert code is not None
    assert [(each.at, each.written, each.number, each.second, each.cases) for each in code.instructions] == [
        (0, "iload_0", 0, 0, ()),
        (1, "lookupswitch", 23, 0, ((1, 20),)),
        (20, "bipush", 7, 0, ()),
        (22, "ireturn", 0, 0, ()),
        (23, "iinc_w", 0, 300, ()),
        (29, "iload_0", 0, 0, ()),
        (30, "ireturn", 0, 0, ()),
    ]


def test_whatever_is_wrong_is_one_kind_of_error() -> None:
    whole = _small()
    for end in range(len(whole)):
        with pytest.raises(ClassFormatError):
            parsed(whole[:end])
    draw = random.Random(7)
    for _ in first(300, 20_000):
        data = bytearray(whole)
        data[draw.randrange(8, len(data))] = draw.randrange(256)
        try:
            parsed(bytes(data))
        except ClassFormatError as error:
            assert str(error)


def test_texts_are_utf16_units() -> None:
    assert code_units(b"a\xc0\x80\xed\xa0\xbd\xed\xb8\x80") == (0x61, 0, 0xD83D, 0xDE00)
    with pytest.raises(ClassFormatError):
        code_units(b"\xf0\x9f\x98\x80")
