"""Arrays within structs in words: each number is there, or is one of the zeros at the end."""

from __future__ import annotations

import pytest
from severity_fixtures import RING, TO_RING, program, root

from veer.model.arraywords import Part, folded
from veer.model.graph import GraphField, memory_graph
from veer.model.inputs import Cell, InputMap, MemoryObject, Pointer, Scalar


def _parts(array: str, numbers: list[int], kind: str = "signed", first: int = 0) -> list[Part]:
    values = [Scalar(number, 8 if kind == "char" else 32, kind) for number in numbers]
    paths = [f"{array}[{first + place}]" for place in range(len(numbers))]
    cells = [Cell(place, path, value) for place, (path, value) in enumerate(zip(paths, values, strict=True))]
    return [Part(path, cell, str(number)) for path, cell, number in zip(paths, cells, numbers, strict=True)]


@pytest.mark.parametrize(
    ("kind", "numbers", "words"),
    [
        ("char", [0x61, 0x62, 0, 0], '"ab"'),
        ("char", [0x61, 0, 0x62, 0], '"a\\000b"'),
        ("char", [0, 0], '""'),
        ("signed", [3, 0, 4, 0, 0], "{3, 0, 4}"),
        ("signed", [0, 0, 0], "{0}"),
        ("signed", [1, 2], "{1, 2}"),
    ],
)
def test_zeros_at_the_end_are_left_out(kind: str, numbers: list[int], words: str) -> None:
    assert list(folded(_parts(".v", numbers, kind))) == [(".v", words)]


def test_each_array_stands_for_itself() -> None:
    single = Part(".port", Cell(9, ".port", Scalar(80, 32, "signed")), "80")
    rows = [*_parts(".rows[0]", [1, 2]), *_parts(".rows[1]", [3, 0]), single, *_parts(".name", [0x61, 0], "char")]
    expected = [(".rows[0]", "{1, 2}"), (".rows[1]", "{3}"), (".port", "80"), (".name", '"a"')]
    assert list(folded(rows)) == expected


@pytest.mark.parametrize("array", [_parts(".v", [1, 2], first=1), _parts(".v", [5]), _parts("", [1, 2])])
def test_what_is_no_whole_array_keeps_its_elements(array: list[Part]) -> None:
    assert list(folded(array)) == [(part.path, part.words) for part in array]


def test_pointers_keep_their_elements() -> None:
    cells = [Cell(8 * place, f".p[{place}]", Pointer(None)) for place in range(2)]
    parts = [Part(cell.path, cell, "NULL") for cell in cells]
    assert list(folded(parts)) == [(".p[0]", "NULL"), (".p[1]", "NULL")]


def test_a_graph_has_one_line_for_an_array_of_numbers() -> None:
    buf = [Cell(4 + place, f".buf[{place}]", Scalar(bits, 8, "char")) for place, bits in enumerate(b"ab" + bytes(6))]
    ring = MemoryObject(1, "r", RING, 1, 12, (Cell(0, ".head", Scalar(7, 32, "signed")), *buf))
    (_, box) = memory_graph(program(None, r=TO_RING), InputMap((root("r", TO_RING, Pointer(1)),), (ring,)))
    assert box.fields == (GraphField(".head", "7"), GraphField(".buf", '"ab"'))
