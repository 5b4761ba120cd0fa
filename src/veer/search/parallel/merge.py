"""Puts what a part found into the campaign that it came from.

Inputs are translated, since leaves that were made after the parts had gone their ways lie at different places in the
inputs of each.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from veer.search.parallel.findings import Findings, InputTables, Totals
from veer.search.parallel.part import SUMMED
from veer.wire.bounds import Bounds
from veer.wire.forgotten import Forgotten
from veer.wire.layout import NONE, Loss, Outcome, Table
from veer.wire.shared import Shared


def merge(main: Shared, findings: Findings) -> None:
    """Adds one batch of findings to `main`. Only while no executor is at work on it."""
    if findings.totals is not None:
        _count(main, findings.totals)
    edges = main.published("edge_seen")
    edges |= findings.edges
    main.region("specification_states")[findings.specifications] = 1
    _paths(main, findings)


def _count(main: Shared, totals: Totals) -> None:
    for field in SUMMED:
        main.add(field, totals.counters[field.name])
    rungs = main.statistics.rungs
    for name in rungs.dtype.names or ():
        rungs[name] += totals.rungs[name]
    main.control(Bounds).met_bounds |= totals.met_bounds
    main.control(Forgotten).dropped_paths += totals.dropped_paths
    for (kind, site), count in totals.ledger.items():
        main.note_loss(Loss(kind), site, count=count)


def _paths(main: Shared, findings: Findings) -> None:
    translate = Translation(main, findings.tables)
    for place, found in enumerate(findings.paths):
        first = int(found["input_offset"])
        data = translate(findings.inputs[first : first + int(found["input_length"])])
        index, start = main.count("paths"), main.counts.input_bytes
        if index >= len(main.region("paths")) or start + len(data) > len(main.region("inputs")):
            main.note_loss(Loss.CAPACITY, int(Table.PATHS))
            return
        record = found.copy()
        record["input_offset"], record["input_length"], record["node"] = start, len(data), NONE
        record["report"] = _report(main, findings, int(found["report"]), place, index)
        main.region("inputs")[start : start + len(data)] = np.frombuffer(data, np.uint8)
        main.region("paths")[index] = record
        main.counts.input_bytes, main.counts.path_count = start + len(data), index + 1


def _report(main: Shared, findings: Findings, report: int, place: int, index: int) -> int:
    """The place in `main` of the report on this path, which is put there if it tells of this path or of a new bug."""
    if report >= len(findings.reports):
        return NONE
    record = findings.reports[report].copy()
    known = main.published("reports")
    is_same = (known["outcome"] == record["outcome"]) & (known["site"] == record["site"])
    if record["outcome"] == Outcome.VIOLATED:
        is_same &= known["value"] == record["value"]
    same = np.flatnonzero(is_same)
    is_its_own = int(record["path"]) == place
    if len(same) and not is_its_own:
        return int(same[0])
    if len(known) >= len(main.region("reports")):
        return int(same[0]) if len(same) else NONE
    record["path"] = index
    main.region("reports")[len(known)] = record
    main.counts.report_count = len(known) + 1
    return len(known)


class Translation:
    """Inputs of one shared memory as inputs of another, `main`, which gets the leaves that it lacks."""

    def __init__(self, main: Shared, tables: InputTables) -> None:
        """`tables`: of the memory that the inputs come from."""
        self._main = main
        self._tables = tables
        self._leaf = cache(self._map_leaf)
        self._object = cache(self._map_object)
        leaves = tables.leaves
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
        leaf = self._tables.leaves[number].copy()
        leaf["object"] = self._object(int(leaf["object"]))
        known = self._main.published("leaves")
        names = [name for name in leaf.dtype.names or () if name not in ("input_offset", "flags")]
        same = np.logical_and.reduce([known[name] == leaf[name] for name in names])
        if same.any():
            return int(np.flatnonzero(same)[0])
        counts, place = self._main.counts, len(known)
        leaf["input_offset"] = counts.leaf_bytes
        self._main.region("leaves")[place] = leaf
        counts.leaf_bytes += (int(leaf["width"]) + 7) // 8
        counts.leaf_count = place + 1
        return place

    def _map_object(self, number: int) -> int:
        thing = self._tables.objects[number].copy()
        if int(thing["via"]) != NONE:
            thing["via"] = self._leaf(int(thing["via"]))
        if int(thing["name"]) != NONE:
            thing["name"] = self._name(self._tables.name_at(int(thing["name"])))
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
