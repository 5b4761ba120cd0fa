"""What a part found, put into the campaign that it came from: counts, coverage, bugs, and the runs worth a test.

The tree of the part stays where it is: only its census is added up. Inputs are translated, since leaves that were made
after the parts had gone their ways lie at different places in the inputs of each.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from veer.search.census import Census
from veer.search.distinct import distinct
from veer.search.parallel.part import SUMMED, Part, here, ledger_of
from veer.search.selection import told_of
from veer.wire.forgotten import Forgotten
from veer.wire.layout import NONE, Loss, PathFlag, Table
from veer.wire.shared import Shared

Hashes = npt.NDArray[np.uint64]


def new_paths(shared: Shared) -> Hashes:
    """The identities of the paths that were new where they were run: of a part, its own ones."""
    paths = shared.published("paths")[shared.control(Forgotten).first_own_path :]
    forgotten = shared.published("forgotten_paths")[shared.control(Forgotten).first_own_forgotten :]
    return distinct(np.concatenate([paths["hash"][(paths["flags"] & int(PathFlag.NEW_PATH)) != 0], forgotten]))


def census_of(part: Part, edge_count: int) -> Census:
    """The nodes and stored runs of the part's own."""
    return here(Census.of(part.shared, edge_count)) - part.beginning.census


def merge(main: Shared, part: Part, *, all_paths: bool) -> None:
    """Adds what the part found to `main`; with `all_paths` each new path is kept, else those worth a test.

    Only while no executor is at work on either.
    """
    _counters(main, part)
    edges = main.published("edge_seen")
    edges |= part.shared.published("edge_seen")
    for (kind, site), count in ledger_of(part.shared).items():
        before = part.beginning.ledger.get((kind, site), 0)
        if count > before:
            main.note_loss(Loss(kind), site, count=count - before)
    _paths(main, part, all_paths=all_paths)


def _counters(main: Shared, part: Part) -> None:
    for field in SUMMED:
        main.add(field, part.shared.value(field) - part.beginning.counters[field.name])
    rungs, now = main.statistics.rungs, part.shared.statistics.rungs
    for name in rungs.dtype.names or ():
        rungs[name] += now[name] - part.beginning.rungs[name]


def _paths(main: Shared, part: Part, *, all_paths: bool) -> None:
    shared, first = part.shared, part.shared.control(Forgotten).first_own_path
    paths = shared.published("paths")
    kept = np.flatnonzero(told_of(paths, all_paths=all_paths))
    translate = Translation(main, shared)
    for path in kept[kept >= first].tolist():
        data = translate(shared.input_of(path))
        index, start = main.count("paths"), main.counts.input_bytes
        if index >= len(main.region("paths")) or start + len(data) > len(main.region("inputs")):
            main.note_loss(Loss.CAPACITY, int(Table.PATHS))
            return
        record = paths[path].copy()
        record["input_offset"], record["input_length"], record["node"] = start, len(data), NONE
        record["report"] = _report(main, part, int(record["report"]), path, index)
        main.region("inputs")[start : start + len(data)] = np.frombuffer(data, np.uint8)
        main.region("paths")[index] = record
        main.counts.input_bytes, main.counts.path_count = start + len(data), index + 1


def _report(main: Shared, part: Part, report: int, path: int, index: int) -> int:
    """The place in `main` of the report on this path, which is put there if it tells of this path or of a new bug."""
    if report >= part.shared.count("reports"):
        return NONE
    record = part.shared.report(report).copy()
    known = main.published("reports")
    same = np.flatnonzero((known["outcome"] == record["outcome"]) & (known["site"] == record["site"]))
    is_its_own = int(record["path"]) == path and report >= part.beginning.reports
    if len(same) and not is_its_own:
        return int(same[0])
    if len(known) >= len(main.region("reports")):
        return int(same[0]) if len(same) else NONE
    record["path"] = index
    main.region("reports")[len(known)] = record
    main.counts.report_count = len(known) + 1
    return len(known)


class Translation:
    """Inputs of one shared memory as inputs of another, which gets the leaves that it lacks."""

    def __init__(self, main: Shared, other: Shared) -> None:
        self._main = main
        self._other = other
        self._leaf = cache(self._map_leaf)
        self._object = cache(self._map_object)
        leaves = other.published("leaves")
        moves = []
        for number in range(len(leaves)):
            start, size = int(leaves[number]["input_offset"]), (int(leaves[number]["width"]) + 7) // 8
            moves.append((start, int(main.region("leaves")[self._leaf(number)]["input_offset"]), size))
        self._moves = sorted(moves)
        self._is_same = all(start == place for start, place, _ in moves)

    def __call__(self, data: bytes) -> bytes:
        """The input in the other layout."""
        if self._is_same:
            return data
        present = [move for move in self._moves if move[0] < len(data)]
        found = bytearray(max((place + size for _, place, size in present), default=0))
        for start, place, size in present:
            value = data[start : start + size]
            found[place : place + len(value)] = value
        return bytes(found)

    def _map_leaf(self, number: int) -> int:
        leaf = self._other.published("leaves")[number].copy()
        leaf["object"] = self._object(int(leaf["object"]))
        known = self._main.published("leaves")
        names = [name for name in leaf.dtype.names or () if name not in ("input_offset", "flags")]
        same = np.logical_and.reduce([known[name] == leaf[name] for name in names])
        if same.any():
            return int(np.flatnonzero(same)[0])
        place = len(known)
        leaf["input_offset"] = self._main.counts.leaf_bytes
        self._main.region("leaves")[place] = leaf
        self._main.counts.leaf_bytes += (int(leaf["width"]) + 7) // 8
        self._main.counts.leaf_count = place + 1
        return place

    def _map_object(self, number: int) -> int:
        thing = self._other.published("objects")[number].copy()
        if int(thing["via"]) != NONE:
            thing["via"] = self._leaf(int(thing["via"]))
        if int(thing["name"]) != NONE:
            thing["name"] = self._name(self._other.name_at(int(thing["name"])))
        known = self._main.published("objects")
        same = np.flatnonzero(known == thing)
        if len(same):
            return int(same[0])
        self._main.region("objects")[len(known)] = thing
        self._main.counts.object_count = len(known) + 1
        return len(known)

    def _name(self, name: str) -> int:
        data = name.encode("utf-8", "replace") + b"\0"
        names = self._main.published("names").tobytes()
        at = 0 if names.startswith(data) else names.find(b"\0" + data) + 1
        if at or names.startswith(data):
            return at
        self._main.region("names")[len(names) : len(names) + len(data)] = np.frombuffer(data, np.uint8)
        self._main.counts.name_bytes = len(names) + len(data)
        return len(names)
