"""The shared memory of a campaign as numpy views: what executors append to and Python reads.

    ┌─────────┬───────┬────────────┬─ ... ─┬────────┐
    │ control │ nodes │ node_table │       │ result │     offsets: `layout.region_offsets()`
    └─────────┴───────┴────────────┴─ ... ─┴────────┘     a sparse memfd; executors inherit its descriptor

Native code publishes a count after the records that it counts, so a view that is cut to its count holds only finished
records. Every count is checked against its capacity before use: the program under test may have written anywhere.
"""

from __future__ import annotations

import mmap
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

import numpy as np

from veer.model.errors import DamagedMemoryError, ExecutorError
from veer.wire import layout
from veer.wire.control import CommandArguments, Counts, Header, RunOptions, RunState, Statistics
from veer.wire.fields import Array, FieldName, Fields

_Fields = TypeVar("_Fields", bound=Fields)


class Shared:
    """One campaign's shared memory. `descriptor` is what an executor maps; `region` and `published` are views of it.

    `counts`, `command`, `options`, `run` and `statistics` are the fields of the control block that each campaign has;
    `control(kind)` has those of a feature.
    """

    def __init__(self) -> None:
        """Creates and maps it, all zero but magic and version; raises ExecutorError when the system refuses."""
        self._offsets, self.size = layout.region_offsets()
        self._regions = {region.name: region for region in layout.REGIONS}
        self._views: dict[str, Array] = {}
        self.descriptor = sparse_file(self.size)
        try:
            self._memory = mmap.mmap(self.descriptor, self.size, flags=mmap.MAP_SHARED)
        except (OSError, ValueError) as error:
            os.close(self.descriptor)
            raise ExecutorError(f"cannot map {self.size >> 20} MiB of sparse memory: {error}") from error
        self._show(np.frombuffer(self._memory, layout.CONTROL, count=1))
        header = self.control(Header)
        header.magic, header.version = layout.MAGIC, layout.VERSION
        self.run.current_node = self.run.last_report = layout.NONE

    def control(self, kind: type[_Fields]) -> _Fields:
        """The fields of the control block that a part of veer declared."""
        fields = self._fields.get(kind)
        if fields is None:
            fields = self._fields[kind] = kind(self._block)
        assert isinstance(fields, kind)
        return fields

    def value(self, field: FieldName) -> int:
        """What a field of the control block holds."""
        return int(self.control(field.owner).cells[field.name][0])

    def add(self, field: FieldName, amount: int) -> None:
        """Adds to a field of the control block. Only while no executor is at work."""
        self.control(field.owner).cells[field.name][0] += amount

    def region(self, name: str) -> Array:
        """All of a region, up to its capacity, published or not."""
        view = self._views.get(name)
        if view is None:
            region = self._regions[name]
            view = np.frombuffer(self._memory, region.dtype, count=region.capacity, offset=self._offsets[name])
            self._views[name] = view
        return view

    def published(self, name: str) -> Array:
        """The records of a region that native code has published so far.

        Raises:
            ExecutorError: the count lies beyond the capacity, so the shared memory was overwritten.
        """
        return self.region(name)[: self.count(name)]

    def count(self, name: str) -> int:
        """How many records of the region are published, checked against its capacity."""
        region = self._regions[name]
        assert region.counted_by is not None, f"`{name}` is not counted"
        count, capacity = self.value(region.counted_by), region.capacity
        if count > capacity:
            raise DamagedMemoryError(
                f"the shared memory is damaged: {count} records in `{name}`, which holds {capacity};"
                " the program under test wrote outside of its own memory"
            )
        return count

    def require_whole(self) -> None:
        """Raises DamagedMemoryError where the memory is known to have been overwritten: its head, or its counts."""
        header = self.control(Header)
        if (header.magic, header.version) != (layout.MAGIC, layout.VERSION):
            raise DamagedMemoryError(
                "the shared memory is damaged: its head was overwritten; the program under test wrote outside of its"
                " own memory"
            )
        for name, region in self._regions.items():
            if region.counted_by is not None:
                self.count(name)

    def tree(self, name: str) -> Array:
        """The published part of one of the execution tree's arrays (`layout.TREE`)."""
        return self.published(f"tree_{name}")

    def input_of(self, path: int) -> bytes:
        """The stored input of a path."""
        record = self._record("paths", path)
        start, length = int(record["input_offset"]), int(record["input_length"])
        if start + length > self.count("inputs"):
            raise DamagedMemoryError(
                f"the shared memory is damaged: the input of path {path} lies outside of the inputs"
            )
        return self.region("inputs")[start : start + length].tobytes()

    def report(self, index: int) -> Any:
        """A published report (a REPORT record)."""
        return self._record("reports", index)

    def name_at(self, offset: int) -> str:
        """The NUL-terminated name at this offset of `names`."""
        names = self.published("names")
        if offset >= len(names):
            raise DamagedMemoryError(f"the shared memory is damaged: no name at {offset}")
        text = names[offset : offset + 4096].tobytes()
        return text.split(b"\0", 1)[0].decode("utf-8", "replace")

    def note_loss(self, kind: layout.Loss, site: int, *, count: int = 1) -> None:
        """Adds to the ledger as the engine does. Only while no executor is at work."""
        ledger = self.published("ledger")
        known = np.flatnonzero((ledger["kind"] == int(kind)) & (ledger["site"] == site))
        if len(known):
            ledger["count"][known[0]] += count
            return
        entries = len(ledger)
        if entries >= self._regions["ledger"].capacity:
            return
        self.region("ledger")[entries] = (int(kind), site, count)
        self.counts.ledger_count = entries + 1

    def extents(self) -> Iterator[tuple[int, memoryview]]:
        """The parts that were ever written, as (offset, bytes), ascending: all that makes up a campaign.

        Only while no executor is at work. Pages that nobody touched are holes, so this is as small as the campaign.
        """
        end = 0
        while True:
            try:
                start = os.lseek(self.descriptor, end, os.SEEK_DATA)
            except OSError:  # ENXIO: holes up to the end
                return
            end = os.lseek(self.descriptor, start, os.SEEK_HOLE)
            yield start, memoryview(self._memory)[start:end]

    def load(self, offset: int, data: bytes | memoryview) -> None:
        """Puts back an extent; raises ExecutorError if it lies outside. Only while no executor is at work."""
        if offset < 0 or offset + len(data) > self.size:
            raise ExecutorError(f"the shared memory has no room for {len(data)} bytes at {offset}")
        self._memory[offset : offset + len(data)] = data

    def copy(self) -> Shared:
        """A campaign of its own that begins where this one is. Only while no executor is at work."""
        twin = Shared()
        for offset, data in self.extents():
            twin.load(offset, data)
        return twin

    def release(self, name: str) -> None:
        """Gives back the pages of a region behind what is published; they read as zeros."""
        itemsize = np.dtype(self._regions[name].dtype).itemsize
        first = self._offsets[name] + -(-self.count(name) * itemsize // layout.PAGE) * layout.PAGE
        end = self._offsets[name] + self._regions[name].capacity * itemsize // layout.PAGE * layout.PAGE
        if first < end:
            self._memory.madvise(mmap.MADV_REMOVE, first, end - first)

    def clear(self, name: str) -> None:
        """Gives back the pages of a region, which reads as zeros."""
        itemsize = np.dtype(self._regions[name].dtype).itemsize
        whole = self._regions[name].capacity * itemsize // layout.PAGE * layout.PAGE
        self.region(name)[whole // itemsize :] = 0
        if whole:
            self._memory.madvise(mmap.MADV_REMOVE, self._offsets[name], whole)

    @property
    def is_closed(self) -> bool:
        """Whether it was given back: nothing in it means anything any more."""
        return self.descriptor < 0

    def close(self) -> None:
        """Gives the memory back; views that others still hold stay valid until they are dropped."""
        self._views.clear()
        self._show(np.zeros(1, layout.CONTROL))
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1
        try:
            self._memory.close()
        except BufferError:
            return  # somebody holds a view: the mapping goes with the last of them

    def __enter__(self) -> Shared:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _show(self, block: Array) -> None:
        """Makes this the control block that is read and written."""
        self._block, self._fields = block, dict[type[Fields], Fields]()
        self.counts, self.command = self.control(Counts), self.control(CommandArguments)
        self.options, self.run = self.control(RunOptions), self.control(RunState)
        self.statistics = self.control(Statistics)

    def _record(self, region: str, index: int) -> Any:
        records = self.published(region)
        if not 0 <= index < len(records):
            raise DamagedMemoryError(f"the shared memory is damaged: no record {index} in `{region}`")
        return records[index]


def sparse_file(size: int) -> int:
    """A descriptor of `size` zero bytes that take no memory until they are touched; nothing of it is left on disk.

    Raises ExecutorError.
    """
    try:
        descriptor = os.memfd_create("veer", os.MFD_CLOEXEC)
    except OSError:
        descriptor = _deleted_file()
    try:
        os.ftruncate(descriptor, size)
    except OSError as error:
        os.close(descriptor)
        raise ExecutorError(f"cannot reserve {size >> 20} MiB of sparse memory: {error}") from error
    return descriptor


def _deleted_file() -> int:
    """Where the kernel has no memfd: a temporary file whose name is gone (slower)."""
    try:
        descriptor, name = tempfile.mkstemp(prefix="veer-shared-")
        Path(name).unlink()
    except OSError as error:
        raise ExecutorError(f"cannot create shared memory: no memfd, and no temporary file: {error}") from error
    return descriptor
