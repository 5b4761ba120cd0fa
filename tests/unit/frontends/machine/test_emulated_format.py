"""The emulator's formatted output and its strtod beside the C library of this machine, on random formats and texts."""

from __future__ import annotations

import ctypes
import errno
import random

import pytest

from veer.frontends.machine.emulated_format import Given, UnknownFormatError, formatted, is_out_of_range, read_float

LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.strtod.restype = ctypes.c_double
TEXT = b"abcdef"
VALUES = (0, 1, 7, 64, 255, 1 << 31, (1 << 32) - 5, (1 << 63) - 1, (1 << 64) - 9)


def words(values: list[int]) -> Given:
    """All arguments on a stack of words of 8 bytes."""
    return Given([], 0, None, 0, 8, lambda address, size: values[address // 8] % (1 << 8 * size))


def by_c(format_: bytes, values: list[int]) -> bytes:
    room = ctypes.create_string_buffer(2000)
    LIBC.snprintf(room, ctypes.c_size_t(2000), format_, *(ctypes.c_uint64(each) for each in values))
    return room.value


def test_integers_and_texts_are_written_as_c_writes_them() -> None:
    random_, text = random.Random(3), ctypes.create_string_buffer(TEXT)
    for _ in range(1500):
        flags = "".join(each for each in "-+ #0" if random_.random() < 0.25)
        width = random_.choice(("", "5", "12", "*"))
        precision = random_.choice(("", "", ".0", ".3", ".", ".*"))
        letter = random_.choice("diuxXocsp%")
        length = random_.choice(("", "hh", "h", "l", "ll", "z", "j")) if letter in "diuxXo" else ""
        if letter in "csp%":  # C leaves undefined what other flags mean there
            flags = "-" if "-" in flags else ""
            precision = precision if letter == "s" else ""
            width = width if letter != "%" else ""
            flags = flags if letter != "%" else ""
        stars = [random_.choice((0, 3, 9)) for _ in range((width + precision).count("*"))]
        value = ctypes.addressof(text) if letter == "s" else random_.choice(VALUES)
        value = 65 + value % 26 if letter == "c" else value
        values = [*stars, value, 0, 0]
        format_ = f"<%{flags}{width}{precision}{length}{letter}>%d".encode()
        made = formatted(format_, words(values), 8, lambda _, most: TEXT[:most])
        assert made == by_c(format_, values), (format_, values)


def test_numbers_are_written_as_c_writes_them() -> None:
    random_, room = random.Random(4), ctypes.create_string_buffer(2000)
    for _ in range(800):
        flags = "".join(each for each in "-+ #0" if random_.random() < 0.25)
        format_ = (
            f"%{flags}{random_.choice(('', '9'))}{random_.choice(('', '.0', '.3'))}{random_.choice('feEgGF')}".encode()
        )
        number = random_.choice((0.0, -0.0, 1.5, -2.75, 1e300, 3e-9, 123456.0, float("inf"), random_.uniform(-9, 9)))
        LIBC.snprintf(room, ctypes.c_size_t(2000), format_, ctypes.c_double(number))
        made = formatted(format_, Given([], 0, [number], 0, 8, lambda *_: 0), 8, lambda *_: b"")
        assert made == room.value, (format_, number)


@pytest.mark.parametrize("format_", [b"%n", b"%Lf", b"%ls", b"%99999999d"])
def test_other_conversions_are_refused(format_: bytes) -> None:
    with pytest.raises(UnknownFormatError):
        formatted(format_, words([1, 2]), 8, lambda *_: b"")


def test_texts_are_numbers_as_strtod_has_them() -> None:
    random_, end = random.Random(5), ctypes.c_void_p()
    for _ in range(1500):
        text = "".join(
            random_.choice(("1", "0", "29", ".", "e", "-", "+", "0x", "p", "f", " ", "inf", "x")) for _ in range(5)
        )
        buffer = ctypes.create_string_buffer(text.encode())
        expected = LIBC.strtod(buffer, ctypes.byref(end))
        number, length = read_float(text.encode())
        assert (number, length) == (expected, (end.value or 0) - ctypes.addressof(buffer)), text


@pytest.mark.parametrize(
    "text",
    [
        "1e999",
        "-1e999",
        "1e-999",
        "4e-320",
        "0.0e-999",
        "inf",
        "-0x0p-9999",
        "0x1p-1050x",
        "0x1.23456789p-1070",
        "7",
        "nan",
        "none",
    ],
)
def test_errno_is_that_of_strtod(text: str) -> None:
    ctypes.set_errno(0)
    LIBC.strtod(text.encode(), None)
    number, length = read_float(text.encode())
    assert is_out_of_range(text.encode()[:length], number) == (ctypes.get_errno() == errno.ERANGE)
