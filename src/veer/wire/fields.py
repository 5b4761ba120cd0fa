"""How a part of veer declares what it shares with native code: fields of the control block, records, regions.

A class of fields is one part's share of the control block. Python reads and writes it as attributes, and native code
sees one flat `struct veer_control` that has the fields of all parts, in the order in which `layout.py` lists them:

    class Counts(Fields):                           struct veer_control {
        tree_count = Number("u4")          ──►          uint32_t tree_count;
        runs = Number("u8")                             uint64_t runs;
                                                    };
    shared.counts.runs + 1                          control->runs + 1
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Self, overload

import numpy as np
import numpy.typing as npt
from msgspec import Struct, field

Array = npt.NDArray[Any]


class FieldName(Struct, frozen=True):
    """Which field of the control block is meant: `Counts.runs`, the attribute of the class."""

    owner: type[Fields]
    name: str


class Number:
    """A field that is one integer: `counts.runs` is what it holds, `Counts.runs` is its name."""

    def __init__(self, kind: str) -> None:
        """`kind` is numpy's name of the integer type: u4, u8, i4."""
        self.kind = kind
        self.name = ""

    def __set_name__(self, owner: type[Fields], name: str) -> None:
        self.name = name

    @overload
    def __get__(self, fields: None, owner: type[Fields]) -> FieldName: ...
    @overload
    def __get__(self, fields: Fields, owner: type[Fields]) -> int: ...
    def __get__(self, fields: Fields | None, owner: type[Fields]) -> FieldName | int:
        return FieldName(owner, self.name) if fields is None else int(fields.cells[self.name][0])

    def __set__(self, fields: Fields, value: int) -> None:
        fields.cells[self.name][0] = value


class Records:
    """A field that is an array of `capacity` records, of which the first `used` mean something."""

    def __init__(self, dtype: np.dtype[np.void], capacity: int, used: int) -> None:
        self.dtype, self.capacity, self.used = dtype, capacity, used
        self.name = ""

    def __set_name__(self, owner: type[Fields], name: str) -> None:
        self.name = name

    @overload
    def __get__(self, fields: None, owner: type[Fields]) -> Self: ...
    @overload
    def __get__(self, fields: Fields, owner: type[Fields]) -> Array: ...
    def __get__(self, fields: Fields | None, owner: type[Fields]) -> Self | Array:
        if fields is None:
            return self
        records: Array = fields.cells[self.name][0][: self.used]
        return records


class Fields:
    """One part's share of a control block. A subclass has fields only, and `__slots__ = ()`: no other name is taken."""

    __slots__ = ("cells",)
    declared: ClassVar[tuple[Number | Records, ...]] = ()

    def __init__(self, block: Array) -> None:
        """`block` is an array of exactly one control block, of which these fields become views."""
        self.cells = {each.name: block[each.name] for each in self.declared}

    def __init_subclass__(cls) -> None:
        cls.declared = tuple(each for each in vars(cls).values() if isinstance(each, Number | Records))


class Region(Struct, frozen=True):
    """A region of the shared memory: `capacity` records of `dtype`, page aligned, a guard page behind it.

    `counted_by` is the field that says how many of them are published; None if they are not counted.
    """

    name: str
    dtype: np.dtype[np.void] | str
    capacity: int
    counted_by: FieldName | None = None


class Section(Struct, frozen=True):
    """What one part of veer shares with native code; `records` are named as in C, those that others need first."""

    fields: tuple[type[Fields], ...] = ()
    records: Mapping[str, np.dtype[np.void]] = field(default_factory=dict)
    regions: tuple[Region, ...] = ()


def control_block(sections: tuple[Section, ...]) -> np.dtype[np.void]:
    """All fields of these sections as one record with C's own alignment."""
    return np.dtype(list(_members(sections)), align=True)


def _members(sections: tuple[Section, ...]) -> Iterator[tuple[str, Any] | tuple[str, Any, tuple[int, ...]]]:
    for section in sections:
        for fields in section.fields:
            for each in fields.declared:
                if isinstance(each, Number):
                    yield each.name, each.kind
                else:
                    yield each.name, each.dtype, (each.capacity,)
