"""Which of two inputs is the smaller one, in the order of the docstring of model/plainness.py."""

from __future__ import annotations

import struct
from itertools import pairwise

from veer.model.inputs import Cell, InputMap, MemoryObject, Pointer, Root, Scalar
from veer.model.plainness import CHARACTERS, plainness, size_of
from veer.model.sequence import Call


def number(value: int) -> Scalar:
    return Scalar(value & 0xFFFF_FFFF, 32, "signed")


def text(value: str) -> tuple[Scalar | Pointer, ...]:
    return tuple(Scalar(ord(each), 8, "char") for each in f"{value}\0")


def held(*values: Scalar | Pointer) -> tuple[Cell, ...]:
    return tuple(Cell(8 * place, "", value) for place, value in enumerate(values))


def inputs(
    *roots: Scalar | Pointer, objects: tuple[tuple[Scalar | Pointer, ...], ...] = (), calls: int = 0
) -> InputMap:
    return InputMap(
        tuple(Root(f"x{place}", 0, 0, 8, held(value)) for place, value in enumerate(roots)),
        tuple(MemoryObject(place, "", 0, 1, 8, held(*values)) for place, values in enumerate(objects, 1)),
        calls=tuple(Call(0, each, ()) for each in range(calls)),
    )


ORDERED = (
    inputs(number(0)),
    inputs(number(1)),
    inputs(number(-1)),
    inputs(number(2)),
    inputs(number(0), number(9)),
    inputs(number(1), number(8)),
    inputs(Pointer(None), Pointer(None)),
    inputs(Pointer(1), objects=(text("b"),)),
    inputs(Pointer(1), objects=(text("aa"),)),
    inputs(Pointer(1), Pointer(2), objects=((number(7),), (number(7),))),
    inputs(Pointer(1), Pointer(1), objects=((number(0),),)),
    inputs(number(0), calls=1),
    inputs(number(0), calls=2),
)
"""From the smallest to the largest, but for those of one line of the docstring that have nothing in common."""


def test_fewer_calls_aliases_objects_and_values_come_first() -> None:
    sizes = [size_of(each) for each in ORDERED]
    groups = (sizes[:4], sizes[4:6], sizes[7:9], sizes[9:11], sizes[11:])
    for group in groups:
        assert all(one < other for one, other in pairwise(group))
    assert sizes[3] < sizes[4] < sizes[7] < sizes[9] < sizes[11]


def test_what_the_run_never_made_counts_nothing() -> None:
    unused = Scalar(7, 32, "signed", used=False)
    assert size_of(inputs(number(1), unused, Pointer(None, decided=False))) == size_of(inputs(number(1)))


def test_calls_before_the_entry_count() -> None:
    """Under the root of their choices 0 is the entry (model/state.py)."""
    made = [
        InputMap(tuple(Root("before()", turn, -1, 4, held(number(each))) for turn, each in enumerate(choices)), ())
        for choices in ((0,), (3, 0), (1, 1, 0))
    ]
    assert [size_of(each).calls for each in made] == [0, 1, 2]


def test_of_a_file_as_many_bytes_count_as_it_has() -> None:
    def file(held_bytes: str, size: int) -> InputMap:
        cells = tuple(Cell(at, f"[{at}]", Scalar(ord(each), 8, "byte")) for at, each in enumerate(held_bytes))
        count = (Cell(0, "", Scalar(size, 32, "unsigned")),)
        return InputMap((Root("stdin", 0, -1, 3, cells), Root("size of stdin", 0, -1, 4, count)), ())

    assert size_of(file("xzz", 1)) == size_of(file("xaa", 1)) < size_of(file("aax", 3))


def test_characters_are_all_there_and_letters_first() -> None:
    assert sorted(CHARACTERS) == list(range(256))
    shown = [plainness(ord(each), 8, "char") for each in "azAZ09 ~\0\x01\xff"]
    assert shown == sorted(shown)
    assert plainness(0, 8, "unsigned") < plainness(ord("a"), 8, "unsigned")


def test_floats_are_whole_then_short_then_none() -> None:
    numbers = (0.0, 1.0, -1.0, 1e6, 0.5, 2.5, 0.25, 0.1, float("inf"), float("nan"))
    shown = [plainness(int.from_bytes(struct.pack("<d", each), "little"), 64, "float") for each in numbers]
    assert all(one < other for one, other in pairwise(shown))
