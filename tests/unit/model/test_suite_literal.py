"""Values as C source and in the words of C: exact bits, no trap of C's lexer."""

from __future__ import annotations

import math
import struct

import output_samples as samples
import pytest

from veer.model.describe import describe
from veer.model.inputs import Cell, InputMap, MemoryObject, Pointer, Root, Scalar
from veer.model.literal import floating, scalar, string
from veer.model.program import Function, HarnessKind, Parameter
from veer.model.types import Type


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Scalar(0xFFFF_FFFF, 32, "signed"), "-1"),
        (Scalar(1 << 31, 32, "signed"), "(-2147483647 - 1)"),
        (Scalar(1 << 63, 64, "signed"), "(-9223372036854775807ll - 1)"),
        (Scalar(1 << 31, 64, "signed"), "2147483648ll"),
        (Scalar(0xFFFF_FFFF, 32, "unsigned"), "4294967295u"),
        (Scalar((1 << 64) - 1, 64, "unsigned"), "18446744073709551615ull"),
        (Scalar(200, 8, "unsigned"), "200"),
        (Scalar(0x41, 8, "char"), "'A'"),
        (Scalar(0x27, 8, "char"), "'\\''"),
        (Scalar(0xFF, 8, "char"), "-1"),
        (Scalar(0x3F800000, 32, "float"), "1.0f"),
        (Scalar(0x8000000000000000, 64, "float"), "-0.0"),
        (Scalar(0xFF800000, 32, "float"), "-__builtin_inff()"),
        (Scalar(0x7FC00001, 32, "float"), "veer_float(0x7fc00001)"),
    ],
)
def test_scalars(value: Scalar, text: str) -> None:
    assert scalar(value) == text


def test_enumerators_have_their_names() -> None:
    colour = Type(0, "unsigned", "enum colour", 4, enumerators=(("RED", 0), ("GREEN", 7)))
    assert scalar(Scalar(7, 32, "unsigned"), colour) == "GREEN"
    assert scalar(Scalar(8, 32, "unsigned"), colour) == "8"


@pytest.mark.parametrize("bits", [0x00000001, 0x007FFFFF, 0x3DCCCCCD, 0x7F7FFFFF, 0x4B7FFFFF, 0x80000001])
def test_floats_read_back_as_the_same_bits(bits: int) -> None:
    text = floating(bits, 32).removesuffix("f")
    assert struct.unpack("<I", struct.pack("<f", float(text)))[0] == bits


@pytest.mark.parametrize("bits", [0x0000000000000001, 0x3FB999999999999A, 0x7FEFFFFFFFFFFFFF, 0x4330000000000001])
def test_doubles_read_back_as_the_same_bits(bits: int) -> None:
    number = float(floating(bits, 64))
    assert math.isfinite(number)
    assert struct.unpack("<Q", struct.pack("<d", number))[0] == bits


def test_strings_have_no_greedy_escapes_and_no_trigraphs() -> None:
    assert string(b'a"\\\x017\n??=\xff') == '"a\\"\\\\\\0017\\n\\?\\?=\\377"'


def test_a_text_that_one_pointer_leads_to_is_shown_at_the_pointer() -> None:
    types = (Type(0, "char", "char", 1), Type(1, "pointer", "char *", 8, target=0))
    program = samples.program(types=types)
    cells = tuple(Cell(i, f"[{i}]", Scalar(b, 8, "char")) for i, b in enumerate(b"h 0\0"))
    block = MemoryObject(1, "s", 0, 4, 4, cells)
    one = Root("s", 0, 1, 8, (Cell(0, "", Pointer(1)),))
    two = Root("t", 0, 1, 8, (Cell(0, "", Pointer(1)),))
    assert describe(program, InputMap((one,), (block,))) == {"s": '"h 0"'}
    assert describe(program, InputMap((one, two), (block,))) == {"s": "&text_1", "t": "&text_1", "text_1": '"h 0"'}


def test_long_aggregates_are_shortened() -> None:
    types = (Type(0, "signed", "int", 4), Type(1, "array", "int[99]", 396, target=0, count=99))
    cells = tuple(Cell(4 * i, f"[{i}]", Scalar(i, 32, "signed")) for i in range(99))
    shown = describe(samples.program(types=types), InputMap((Root("a", 0, 1, 396, cells),), ()))["a"]
    assert shown.startswith("{0, 1, 2, ")
    assert shown.endswith("39, ... 59 more}")


def test_nothing_and_what_is_not_read_say_so() -> None:
    ints = Type(1, "pointer", "int *", 8, 8, target=0, extent="length", maximum=4, length="n")
    root = Root("values", 0, 1, 8, (Cell(0, "", Pointer(1)),))
    unread = Root("x", 0, 0, 4, (Cell(0, "", Scalar(0, 32, "signed", used=False)),))
    end = Root("end", 0, 1, 8, (Cell(0, "", Pointer(None, decided=False)),))
    program = samples.program(types=(samples.INT, ints))
    shown = describe(program, InputMap((root, unread, end), (MemoryObject(1, "values", 0, 0, 0, ()),)))
    assert shown == {"values": "an array of 0 int", "x": "0 (not read)", "end": "NULL (not read)"}


def test_a_whole_program_has_the_texts_of_its_arguments_and_no_argc() -> None:
    byte = [Cell(i, f"[{i}]", Scalar(ord(c), 8, "byte")) for i, c in enumerate("#!\0\0\0\0\0\0")]
    count = Root("argc", 0, 0, 4, (Cell(0, "", Scalar(0, 32, "signed", used=False)),))
    stdin = Root("stdin", 0, -1, 8, tuple(byte))
    entry = Function("main", "m.c", 1, (Parameter("argc", 0),), 0, is_static=False)
    program = samples.program(entry="main", harness=HarnessKind.PROGRAM, functions=(entry,), types=(samples.INT,))
    assert describe(program, InputMap((count, stdin), ())) == {"stdin": '"#!" and 6 bytes of 0'}
