"""Inputs that exist before the search, and how they become inputs of runs.

A file is a string of bytes (a fuzzer's), or bytes by the names of inputs (KLEE's). Where an input's leaves lie is known
once a run has asked for them. So an input is run, the leaves that runs know by then get what the file says, and that is
run again, until a run asks for nothing more: each run gets as far as the bytes carry it.

    run ""         → n, data                  the file has 3 bytes: n = 3, data = a fresh object
    run n=3, data  → data[0]                  data[0] = 'G'
    run ...        → data[0], data[1] ...     until nothing is new
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import Struct, field

from veer.execution.inputs import COUNT_OFFSET
from veer.execution.protocol import Executor, Work
from veer.model.bytestream import byte_file, byte_parameters
from veer.model.describe import type_at
from veer.model.program import HarnessKind, Program
from veer.model.types import ExtentKind
from veer.wire.layout import NONE, LeafKind
from veer.wire.shared import Shared

_FRESH = 1
_LANGUAGES = ("c", "zig")
_IN_ORDER = (HarnessKind.KLEE, HarnessKind.TESTCOMP, HarnessKind.VEER)
_MOST_RUNS = 64
"""With symbols, of one input."""


class Existing(Struct, frozen=True):
    """An input that exists: `data` as a fuzzer hands it over, or `objects`, bytes by the name of the input."""

    name: str
    data: bytes = b""
    objects: tuple[tuple[str, bytes], ...] = ()


class Holders(Struct, frozen=True):
    """Which inputs of a program hold the bytes: `roots` by name; `pointer`, a root, leads to `behind`, of which there
    are `count` elements; `in_order`: the roots one after another, in the order in which runs came upon them."""

    roots: Mapping[str, bytes] = field(default_factory=dict)
    pointer: str = ""
    behind: bytes = b""
    count: int = 0
    in_order: bytes = b""


def holders(program: Program, existing: Existing) -> Holders | None:
    """Where the bytes belong; None: the program takes no such input, or is not written in a language with bytes."""
    if program.language not in _LANGUAGES:
        return None
    if existing.objects:
        return Holders(dict(existing.objects))
    data = existing.data
    if program.harness in _IN_ORDER:
        return Holders(in_order=data)
    at = place_of_bytes(program)
    if at is None or len(data) > at.most:
        return None
    roots = {at.size: _number(len(data))} if at.size else {}
    if not at.is_behind:
        return Holders({**roots, at.name: data})
    return Holders(roots, at.name, data + b"\0" * at.is_text, len(data))


class PlaceOfBytes(Struct, frozen=True):
    """The input that is one string of at most `most` bytes: the root `name`, or what it leads to (`is_behind`). `size`:
    the root that says how many there are; without one a text (`is_text`) ends with NUL."""

    name: str
    size: str
    most: int
    is_behind: bool = False
    is_text: bool = False


def place_of_bytes(program: Program) -> PlaceOfBytes | None:
    """Standard input, or the program's only file; the entry's only string or buffer. None: its input is another one."""
    if program.language not in _LANGUAGES or program.harness in _IN_ORDER:
        return None
    if program.harness is HarnessKind.PROGRAM:
        file = byte_file(program)
        return PlaceOfBytes(file.name, file.size_root, file.size) if file is not None else None
    found = byte_parameters(program)
    entry = program.function(program.entry)
    if entry is None or len(found) != 1:
        return None
    types = {parameter.name: type_at(program, parameter.type) for parameter in entry.parameters}
    type_ = types[found[0]]
    if type_ is None:
        return None
    size = type_.length if type_.extent is ExtentKind.LENGTH else ""
    is_text = type_.extent is ExtentKind.STRING
    return PlaceOfBytes(found[0], size, max(type_.maximum, 1), is_behind=True, is_text=is_text)


def _number(value: int) -> bytes:
    return value.to_bytes(8, "little")


class Filling:
    """Puts one input that exists into the leaves that runs have asked for."""

    def __init__(self, shared: Shared, into: Holders) -> None:
        self._shared = shared
        self._into = into
        self._known = 0
        self._raw = bytearray()
        self._starts: dict[int, int] = {}  # of roots in `in_order`, by object
        self._end = 0
        self.is_whole = True  # no leaf is too narrow for what belongs there

    def run(self, executor: Executor, is_over: Callable[[], bool]) -> Iterator[Work]:
        """Runs the input as far as the program asks for it, until `is_over()`. What is asked for is found by runs
        without symbols; a second run with them comes only where the first one asked for more."""
        for _ in range(_MOST_RUNS):
            while not is_over() and executor.look(bytes(self._raw)) and self._fill() and self.is_whole:
                pass
            if is_over() or not self.is_whole:
                return
            yield executor.run(bytes(self._raw))
            if not self._fill():
                return

    def _fill(self) -> bool:
        """Gives the leaves that are new their values; whether there was one that is not 0."""
        leaves, before = self._shared.published("leaves"), bytes(self._raw)
        objects = self._shared.published("objects")
        if self._into.in_order:
            self._lay_out(leaves, objects)
        for leaf in leaves[self._known :]:
            value = self._value(leaf, leaves, objects)
            if value is None:
                continue
            size = (int(leaf["width"]) + 7) // 8
            start = int(leaf["input_offset"])
            self._raw.extend(bytes(max(0, start + size - len(self._raw))))
            self._raw[start : start + size] = value.to_bytes(size, "little")
            self.is_whole &= _holds(leaf, value)
        self._known = len(leaves)
        return before != bytes(self._raw)

    def _lay_out(self, leaves: Any, objects: Any) -> None:
        """Gives each new root its place in the string of bytes."""
        for leaf in leaves[self._known :]:
            number = int(leaf["object"])
            if number not in self._starts and int(objects[number]["via"]) == NONE:
                own = leaves[leaves["object"] == number]
                self._starts[number] = self._end
                self._end += int(max(own["offset"] + (own["width"] + 7) // 8))

    def _value(self, leaf: Any, leaves: Any, objects: Any) -> int | None:
        """What belongs into a leaf; None: nothing is said of it."""
        record, into = objects[int(leaf["object"])], self._into
        offset, size = int(leaf["offset"]), (int(leaf["width"]) + 7) // 8
        via = int(record["via"])
        if via != NONE:
            if not into.pointer or self._root(objects[int(leaves[via]["object"])]) != into.pointer:
                return None
            return into.count if offset == COUNT_OFFSET else _read(into.behind, offset, size)
        if into.in_order:
            return _read(into.in_order, self._starts[int(leaf["object"])] + offset, size)
        name = self._root(record)
        if name == into.pointer:
            return _FRESH
        content = into.roots.get(name)
        return None if content is None else _read(content, offset, size)

    def _root(self, record: Any) -> str:
        """The name of a root; "" for what a pointer leads to."""
        return self._shared.name_at(int(record["name"])) if int(record["via"]) == NONE else ""


def _read(content: bytes, offset: int, size: int) -> int:
    return int.from_bytes(content[offset : offset + size], "little")


def _holds(leaf: Any, value: int) -> bool:
    """Whether a value is within the leaf's bounds, which are signed where it is, and none where they are crossed."""
    low, high, width = int(leaf["minimum"]), int(leaf["maximum"]), int(leaf["width"])
    if LeafKind(int(leaf["kind"])) is LeafKind.SIGNED:
        low, high, value = (each - (1 << 64 if each >> 63 else 0) for each in (low, high, _signed(value, width)))
    return low > high or low <= value <= high


def _signed(value: int, width: int) -> int:
    """The bits of a number of this width as those of one of 64."""
    return value | -(1 << width) & (1 << 64) - 1 if value >> (width - 1) else value
