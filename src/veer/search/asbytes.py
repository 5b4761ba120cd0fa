"""Inputs of the search as the bytes that a fuzzer hands over: what existing.py fills in, read back."""

from __future__ import annotations

from typing import Any

from veer.execution.inputs import COUNT_OFFSET
from veer.search.existing import PlaceOfBytes
from veer.wire.layout import NONE
from veer.wire.shared import Shared

_POINTER = 8  # bytes that say where it leads


class AsBytes:
    """Reads the bytes of inputs; `at` says where they are. Where a leaf lies in an input never changes, so that places
    are kept."""

    def __init__(self, shared: Shared, at: PlaceOfBytes) -> None:
        self._shared = shared
        self._at = at
        self._known = 0
        self._pointers: dict[int, int] = {}  # leaves, and their places
        self._starts: dict[int, int] = {}  # of the byte at an offset, in an input
        self._counts: list[tuple[int, int]] = []  # places and sizes of the leaves that say how many bytes there are

    def of(self, raw: bytes) -> bytes:
        """The bytes of this input; none where the pointer is NULL."""
        self._learn()
        if any(not any(raw[start : start + _POINTER]) for start in self._pointers.values()):
            return b""
        size = self._size(raw)
        data = bytes(raw[start] if 0 <= start < len(raw) else 0 for start in map(self._start, range(size)))
        return data.partition(b"\0")[0] if self._at.is_text else data

    def _start(self, offset: int) -> int:
        return self._starts.get(offset, -1)

    def _size(self, raw: bytes) -> int:
        """How many bytes there are: as the leaf says that a run asked for, else all that are known."""
        for start, size in self._counts:
            return min(int.from_bytes(raw[start : start + size], "little"), self._at.most)
        return min(max(self._starts, default=-1) + 1, self._at.most)

    def _learn(self) -> None:
        """Takes the leaves that are new."""
        leaves, objects = self._shared.published("leaves"), self._shared.published("objects")
        for number in range(self._known, len(leaves)):
            self._take(number, leaves[number], objects)
        self._known = len(leaves)

    def _take(self, number: int, leaf: Any, objects: Any) -> None:
        record = objects[int(leaf["object"])]
        offset, start, size = int(leaf["offset"]), int(leaf["input_offset"]), (int(leaf["width"]) + 7) // 8
        via = int(record["via"])
        name = self._shared.name_at(int(record["name"])) if via == NONE else ""
        if name and name == self._at.size and not offset:
            self._counts.insert(0, (start, size))
        elif name == self._at.name and self._at.is_behind:
            self._pointers[number] = start
        elif name == self._at.name or via in self._pointers:
            if offset == COUNT_OFFSET:
                self._counts.append((start, size))
            else:
                self._starts.update((offset + k, start + k) for k in range(size))
