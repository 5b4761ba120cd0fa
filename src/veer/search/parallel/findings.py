"""What a part found beyond its baseline, as values: counts, coverage, bugs, and the runs worth a test.

The tree of the part stays where it is: only its nodes are counted. Findings come in batches, each of which can be added
to a campaign on its own (merge.py): the first one has the counts, and each has some of the runs. So a node of a cluster
sends what a process on this machine leaves in shared memory.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from veer.search.distinct import distinct
from veer.search.node_counts import NodeCounts
from veer.search.parallel.part import SUMMED, Part, here, ledger_of
from veer.search.selection import told_of
from veer.wire.bounds import Bounds
from veer.wire.forgotten import Forgotten
from veer.wire.layout import NONE, PathFlag
from veer.wire.shared import Shared

Hashes = npt.NDArray[np.uint64]
Records = npt.NDArray[np.void]

RUNS_A_BATCH = 1 << 14


class Totals(Struct, frozen=True):
    """The counts of a part: work by name (part.SUMMED), the ladder's rungs, the ledger, nodes, finds; the bounds of the
    inputs that were met, a bit each; paths of its own whose identities nobody has any more."""

    counters: dict[str, int]
    rungs: Records
    ledger: dict[tuple[int, int], int]
    counts: NodeCounts
    news: int
    met_bounds: int
    dropped_paths: int


class InputTables(Struct, frozen=True):
    """What the bytes of an input mean: the leaves and objects that a campaign has numbered, and their names."""

    leaves: Records
    objects: Records
    names: bytes

    @classmethod
    def of(cls, shared: Shared) -> InputTables:
        """Those of a shared memory: views of it."""
        names = shared.published("names").tobytes()
        return cls(shared.published("leaves"), shared.published("objects"), names)

    def name_at(self, offset: int) -> str:
        """The NUL-terminated name at this offset."""
        return self.names[offset : offset + 4096].split(b"\0", 1)[0].decode("utf-8", "replace")


class Findings(Struct, frozen=True):
    """One batch. `edges`: a byte an edge; `hashes`: the identities of paths that were new where they were run.

    `specifications`: places of marks (`wire/specifications.py`).

    `paths`: records of runs, whose inputs lie at `input_offset` of `inputs`, and whose report is number `report` of
    `reports` (NONE: there is none); a report's `path` is the run's place in the batch if it tells of that run, else
    NONE: then the part had it from elsewhere.
    """

    totals: Totals | None
    edges: npt.NDArray[np.uint8]
    hashes: Hashes
    tables: InputTables
    paths: Records
    inputs: bytes
    reports: Records
    specifications: npt.NDArray[np.uint32]  # places of the marks of what specifications saw


def findings_of(part: Part, edge_count: int, *, all_paths: bool) -> Iterator[Findings]:
    """What the part found; with `all_paths` each new path, else the runs worth a test.

    Only while no executor is at work on it. Arrays may be views of its memory.
    """
    shared = part.shared
    tables = InputTables.of(shared)
    kept = np.flatnonzero(told_of(shared.published("paths"), shared.published("reports"), all_paths=all_paths))
    own = kept[kept >= shared.control(Forgotten).first_own_path]
    yield _batch(part, own[:RUNS_A_BATCH], tables, _totals(part, edge_count), new_paths(shared))
    for first in range(RUNS_A_BATCH, len(own), RUNS_A_BATCH):
        yield _batch(part, own[first : first + RUNS_A_BATCH], tables, None, np.empty(0, np.uint64))


def new_paths(shared: Shared) -> Hashes:
    """The identities of the paths that were new where they were run: of a part, its own ones."""
    paths = shared.published("paths")[shared.control(Forgotten).first_own_path :]
    forgotten = shared.published("forgotten_paths")[shared.control(Forgotten).first_own_forgotten :]
    return distinct(np.concatenate([paths["hash"][(paths["flags"] & int(PathFlag.NEW_PATH)) != 0], forgotten]))


def counts_of(part: Part, edge_count: int) -> NodeCounts:
    """The nodes and stored runs of the part's own."""
    return here(NodeCounts.of(part.shared, edge_count)) - part.baseline.counts


def _totals(part: Part, edge_count: int) -> Totals:
    shared, baseline = part.shared, part.baseline
    rungs, now = np.zeros_like(baseline.rungs), shared.statistics.rungs
    for name in rungs.dtype.names or ():
        rungs[name] = now[name] - baseline.rungs[name]
    lost = {key: count - baseline.ledger.get(key, 0) for key, count in ledger_of(part.shared).items()}
    return Totals(
        {field.name: shared.value(field) - baseline.counters[field.name] for field in SUMMED},
        rungs,
        {key: count for key, count in lost.items() if count > 0},
        counts_of(part, edge_count),
        part.news(),
        shared.control(Bounds).met_bounds,
        shared.control(Forgotten).dropped_own_paths,
    )


def _batch(
    part: Part, numbers: npt.NDArray[np.int64], tables: InputTables, totals: Totals | None, hashes: Hashes
) -> Findings:
    paths = part.shared.published("paths")[numbers]
    inputs = _taken_inputs(part.shared, paths)
    reports = _taken_reports(part, paths, numbers)
    marks = np.flatnonzero(part.shared.region("specification_states")).astype(np.uint32)
    return Findings(totals, part.shared.published("edge_seen"), hashes, tables, paths, inputs, reports, marks)


def _taken_inputs(shared: Shared, paths: Records) -> bytes:
    """The inputs of these paths one after the other; the records, which are copies, tell where each lies then."""
    lengths = paths["input_length"].astype(np.int64)
    starts = np.cumsum(lengths) - lengths
    moved = np.repeat(paths["input_offset"].astype(np.int64) - starts, lengths)
    inputs = shared.published("inputs")[moved + np.arange(len(moved))].tobytes()
    paths["input_offset"] = starts
    return inputs


def _taken_reports(part: Part, paths: Records, numbers: npt.NDArray[np.int64]) -> Records:
    """The reports on these paths, `numbers`, as the docstring of Findings has them; the records tell which is whose."""
    published = part.shared.published("reports")
    with_report = np.flatnonzero(paths["report"] < len(published))
    known = paths["report"][with_report]
    reports: Records = published[known]
    is_its_own = (reports["path"] == numbers[with_report]) & (known >= part.baseline.reports)
    reports["path"] = np.where(is_its_own, with_report, NONE)
    paths["report"] = NONE
    paths["report"][with_report] = np.arange(len(with_report))
    return reports
