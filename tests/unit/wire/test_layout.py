"""The control block's fields as attributes, and the one C struct that native code sees of them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from veer.wire import layout
from veer.wire.control import Counts, Statistics
from veer.wire.fields import Fields, Number, Section, control_block
from veer.wire.flows import Flows
from veer.wire.shared import Shared

HEADER = Path(layout.__file__).parent.parent / "runtime" / "include" / "veer_wire.h"


class Lengths(Fields):
    """A feature of this test."""

    __slots__ = ()

    short = Number("u4")
    long = Number("u8")
    signed = Number("i4")


def test_fields_are_plain_numbers_that_write_through() -> None:
    with Shared() as shared:
        shared.counts.runs += 3
        shared.control(Flows).flow_changes = 1 << 40
        assert (shared.counts.runs, shared.value(Counts.runs)) == (3, 3)
        shared.add(Counts.runs, 2)
        with shared.copy() as twin:
            assert (twin.counts.runs, twin.control(Flows).flow_changes) == (5, 1 << 40)


def test_a_name_that_is_no_field_is_refused() -> None:
    with Shared() as shared, pytest.raises(AttributeError):
        shared.counts.run = 1  # type: ignore[attr-defined]


def test_a_feature_of_another_declares_its_own_fields() -> None:
    block = control_block((*layout.SECTIONS, Section((Lengths,))))
    lengths = Lengths(np.zeros(1, block))
    lengths.short, lengths.long, lengths.signed = 0xFFFF_FFFF, 1 << 63, -1
    assert (lengths.short, lengths.long, lengths.signed) == (0xFFFF_FFFF, 1 << 63, -1)
    with pytest.raises(OverflowError):
        lengths.short = 1 << 32
    assert all((block.fields or {})[name] == place for name, place in (layout.CONTROL.fields or {}).items())


def test_no_two_sections_claim_one_name() -> None:
    regions = [region.name for region in layout.REGIONS]
    assert len(regions) == len(set(regions))
    with pytest.raises(ValueError, match="node_count"):
        control_block((Section((Counts,)), Section((Counts,))))


def test_rungs_are_shown_as_far_as_they_are_used() -> None:
    with Shared() as shared:
        assert len(shared.statistics.rungs) == len(layout.RUNGS) < Statistics.rungs.capacity
        shared.statistics.rungs["sat"][1] = 4
        assert shared.statistics.rungs[1]["sat"] == 4


def test_the_committed_header_is_what_the_layout_says() -> None:
    said = subprocess.run([sys.executable, "-m", "veer.wire.header"], capture_output=True, text=True, check=True)
    assert said.stdout == HEADER.read_text()
