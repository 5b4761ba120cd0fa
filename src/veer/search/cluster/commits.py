"""What is final of a part that is searched, and the part behind that: what a commit is made of.

    baseline ─── runs ───► now           findings: now - baseline
                            └──────────► the same memory, whose baseline is now

Finished subtrees become counts, and runs that are told of go, so that what is sent is as small as what waits. The
identities of paths stay with the searcher: whoever takes the part up may find one once more, as two parts may.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from veer.search.compaction import compact
from veer.search.parallel.encoding import PlainFindings, PlainPart, plain_findings, plain_part
from veer.search.parallel.findings import findings_of
from veer.search.parallel.part import Part, baseline_of, give, waiting
from veer.wire import layout
from veer.wire.forgotten import Forgotten
from veer.wire.layout import PAGE, State
from veer.wire.shared import Shared

_STAYS = ("forgotten_paths", "path_table")


def final(part: Part, edge_count: int, *, all_paths: bool) -> tuple[list[PlainFindings], Part]:
    """What the part found since its baseline, and the same memory as a part that has told of it.

    Only while nobody is at work on it. What waits is left to the part that comes back.
    """
    shared = part.shared
    ids = waiting(shared)
    states = shared.tree("state")
    own = states[ids].copy()
    states[ids] = State.ELSEWHERE
    found = [plain_findings(each) for each in findings_of(part, edge_count, all_paths=all_paths)]
    baseline = baseline_of(shared, edge_count)
    states[ids] = own
    forgotten = shared.control(Forgotten)
    forgotten.first_own_path = shared.count("paths")
    if len(ids):
        compact(shared, edge_count, all_paths=False)
    forgotten.first_own_forgotten, forgotten.dropped_own_paths = shared.count("forgotten_paths"), 0
    return found, Part(shared, baseline)


def half_of(part: Part, edge_count: int) -> Part | None:
    """Every other node that waits as a part of its own, whose memory the caller closes; None: there are not two."""
    ids = waiting(part.shared)
    return give(part.shared, ids[1::2], edge_count) if len(ids) >= 2 else None


def sent(part: Part) -> PlainPart:
    """The part as it goes over the wire: without identities of paths, and without pages that hold only zeros."""
    with _without_identities(part.shared):
        plain = plain_part(part)
    offsets, _ = layout.region_offsets()
    ends = sorted([*offsets.values(), part.shared.size])
    ranges = [(offsets[name], next(end for end in ends if end > offsets[name])) for name in _STAYS]
    plain.extents = [
        piece
        for offset, data in plain.extents
        for kept in _outside(offset, data, ranges)
        for piece in _written_pages(*kept)
    ]
    return plain


@contextmanager
def _without_identities(shared: Shared) -> Iterator[None]:
    forgotten, table = shared.control(Forgotten), shared.region("path_table")
    before = forgotten.forgotten_paths, forgotten.first_own_forgotten
    forgotten.forgotten_paths = forgotten.first_own_forgotten = 0
    table[0] = 0  # to be rebuilt
    try:
        yield
    finally:
        forgotten.forgotten_paths, forgotten.first_own_forgotten = before


def _outside(offset: int, data: bytes, ranges: list[tuple[int, int]]) -> list[tuple[int, bytes]]:
    """The pieces of an extent that lie in none of the ranges."""
    pieces = [(offset, data)]
    for first, end in ranges:
        left = []
        for start, piece in pieces:
            stop = start + len(piece)
            if start < first:
                left.append((start, piece[: first - start]))
            if stop > end:
                left.append((max(start, end), piece[max(0, end - start) :]))
        pieces = left
    return [(start, piece) for start, piece in pieces if piece]


def _written_pages(offset: int, data: bytes) -> Iterator[tuple[int, bytes]]:
    """Runs of pages that are not all zeros: where there is a hole, zeros are read."""
    whole = len(data) // PAGE * PAGE
    used = np.frombuffer(data[:whole], np.uint64).reshape(-1, PAGE // 8).any(axis=1)
    used = np.append(used, whole < len(data))
    bounds = np.flatnonzero(np.diff(np.concatenate([[False], used, [False]])))
    for first, end in zip(bounds[::2].tolist(), bounds[1::2].tolist(), strict=True):
        yield offset + first * PAGE, data[first * PAGE : end * PAGE]
