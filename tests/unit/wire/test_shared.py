"""The shared memory's views."""

from __future__ import annotations

import os

import numpy as np
import pytest

from veer.model.errors import ExecutorError
from veer.wire import layout
from veer.wire.control import Header
from veer.wire.shared import Shared


def test_it_is_sparse_and_starts_empty() -> None:
    with Shared() as shared:
        assert shared.control(Header).magic == layout.MAGIC
        assert shared.control(Header).version == layout.VERSION
        status = os.fstat(shared.descriptor)
        assert status.st_size == shared.size
        assert status.st_blocks * 512 < 1 << 20
        assert all(shared.count(name) == 0 for name in ("nodes", "paths", "tree_state", "queue", "reports"))


def test_views_are_cut_to_published_counts_and_write_through() -> None:
    with Shared() as shared:
        shared.region("tree_site")[:3] = [7, 8, 9]
        assert shared.tree("site").tolist() == []
        shared.counts.tree_count = 2
        assert shared.tree("site").tolist() == [7, 8]
        offset = layout.region_offsets()[0]["tree_site"]
        assert np.frombuffer(os.pread(shared.descriptor, 12, offset), np.uint32).tolist() == [7, 8, 9]


def test_a_count_beyond_the_capacity_is_an_error() -> None:
    with Shared() as shared:
        shared.counts.tree_count = (1 << 25) + 1
        with pytest.raises(ExecutorError, match="damaged"):
            shared.tree("state")


def test_inputs_reports_and_names_are_checked() -> None:
    with Shared() as shared:
        with pytest.raises(ExecutorError):
            shared.input_of(0)
        shared.region("inputs")[:4] = list(b"abcd")
        shared.region("paths")[0] = (1, 1, 2, 0, layout.NONE, 1, 0, 0)
        shared.counts.path_count = 1
        with pytest.raises(ExecutorError, match="damaged"):
            shared.input_of(0)
        shared.counts.input_bytes = 4
        assert shared.input_of(0) == b"bc"
        shared.region("names")[:6] = list(b"ab\0cd\0")
        shared.counts.name_bytes = 6
        assert shared.name_at(3) == "cd"
        with pytest.raises(ExecutorError):
            shared.name_at(6)
        with pytest.raises(ExecutorError):
            shared.report(0)


def test_losses_are_counted_by_kind_and_site() -> None:
    with Shared() as shared:
        shared.note_loss(layout.Loss.SOLVER, 3)
        shared.note_loss(layout.Loss.SOLVER, 4, count=5)
        shared.note_loss(layout.Loss.SOLVER, 3)
        assert shared.published("ledger").tolist() == [(4, 3, 2), (4, 4, 5)]


def test_closing_survives_views_that_are_still_held() -> None:
    shared = Shared()
    held = shared.region("inputs")[:10]
    shared.close()
    shared.close()
    assert held.sum() == 0


def test_a_copy_is_the_same_campaign_and_its_own() -> None:
    with Shared() as shared:
        shared.region("tree_site")[:3] = [7, 8, 9]
        shared.region("inputs")[1 << 30] = 5
        shared.counts.tree_count = 3
        with shared.copy() as twin:
            assert twin.tree("site").tolist() == [7, 8, 9]
            assert twin.region("inputs")[1 << 30] == 5
            assert os.fstat(twin.descriptor).st_blocks == os.fstat(shared.descriptor).st_blocks
            twin.tree("site")[0] = 1
            assert shared.tree("site")[0] == 7
