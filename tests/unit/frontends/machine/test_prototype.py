"""Prototypes of machine code: what is made for each parameter, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from veer.frontends.machine.architectures import AARCH64, ARM, POWERPC, X86_64, Architecture
from veer.frontends.machine.prototype import parsed
from veer.model.buildoptions import BuildOptions
from veer.model.errors import UnsupportedInputError, UsageError
from veer.model.types import ExtentKind, TypeKind

OPTIONS = BuildOptions((Path("unit.o"),), "f")


def test_numbers_have_the_sizes_of_the_machine() -> None:
    found = parsed("unsigned long f(int a, const short b, uint8_t c, long d, bool)", ARM, OPTIONS)
    rows = [found.types[each.type] for each in found.parameters]
    assert [(row.kind, row.size) for row in rows] == [
        (TypeKind.SIGNED, 4),
        (TypeKind.SIGNED, 2),
        (TypeKind.UNSIGNED, 1),
        (TypeKind.SIGNED, 4),
        (TypeKind.BOOL, 1),
    ]
    assert [each.name for each in found.parameters] == ["a", "b", "c", "d", "argument_5"]
    assert found.types[found.returns].size == 4
    assert parsed("size_t f(void)", AARCH64, OPTIONS).types[0].size == 8


def test_a_number_behind_a_pointer_that_is_called_so_is_its_length() -> None:
    found = parsed("int f(const uint8_t *data, size_t len, int n)", X86_64, OPTIONS)
    buffer, length, other = (found.types[each.type] for each in found.parameters)
    assert (buffer.extent, buffer.length, buffer.maximum) == (ExtentKind.LENGTH, "len", OPTIONS.max_length)
    assert (length.minimum, length.maximum, length.is_ranged) == (0, OPTIONS.max_length, True)
    assert not other.is_ranged


@pytest.mark.parametrize(
    ("text", "extent", "most"),
    [
        ("int f(const char *s)", ExtentKind.STRING, OPTIONS.max_length),
        ("int f(int p[3])", ExtentKind.FIXED, 3),
        ("int f(uint32_t *p)", ExtentKind.COUNT, OPTIONS.max_array),
        ("int f(void *p)", ExtentKind.COUNT, OPTIONS.max_length),
        ("int f(int32_t *p, int n)", ExtentKind.LENGTH, OPTIONS.max_array),
    ],
)
def test_what_a_pointer_leads_to(text: str, extent: ExtentKind, most: int) -> None:
    found = parsed(text, X86_64, OPTIONS)
    row = found.types[found.parameters[0].type]
    assert (row.extent, row.maximum, row.nullable) == (extent, most, True)


def test_a_pointer_that_is_never_null() -> None:
    found = parsed("int f(int *p)", ARM, BuildOptions((), "f", not_null=("p",)))
    assert not found.types[found.parameters[0].type].nullable


def test_a_result_that_is_a_pointer_is_not_recorded() -> None:
    found = parsed("char *f(int a)", ARM, OPTIONS)
    assert found.returns == -1
    assert "pointer" in found.unrecorded
    assert parsed("void f(int a)", ARM, OPTIONS).unrecorded == ""


@pytest.mark.parametrize(
    ("text", "machine", "part"),
    [
        ("int f(struct s *p)", ARM, "only numbers"),
        ("int f(char **p)", ARM, "leads to a pointer"),
        ("int f(int *p)", POWERPC, "big-endian"),
    ],
)
def test_types_that_are_refused(text: str, machine: Architecture, part: str) -> None:
    with pytest.raises(UnsupportedInputError, match=part):
        parsed(text, machine, OPTIONS)


@pytest.mark.parametrize("text", ["f", "int f(", "int f(int a) {", "int (*f)(int)"])
def test_what_is_no_prototype(text: str) -> None:
    with pytest.raises(UsageError, match="is none"):
        parsed(text, ARM, OPTIONS)
