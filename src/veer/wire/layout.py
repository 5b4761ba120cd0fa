"""The one definition of everything that Python and native code share, and where each region of it lies.

The constants are in `constants.py`, the enumerations in `enumerations.py`, the records in `records.py`; all can be had
from here. What a part of veer shares is a section, which that part's module declares: a new one has its line in
`SECTIONS`. `header.py` turns it all into `runtime/include/veer_wire.h` (a test fails when the committed header
differs), `shared.py` turns it into views of the shared memory. Nothing else may know an offset.
"""

from __future__ import annotations

import hashlib

import numpy as np

from veer.wire import (
    blocks,
    boundaries,
    bounds,
    callees,
    compared,
    core,
    costs,
    draws,
    flows,
    forgotten,
    mutations,
    specifications,
    targets,
)
from veer.wire.constants import *  # noqa: F403  every name, once more for those who import from here
from veer.wire.constants import PAGE, VERSION
from veer.wire.enumerations import *  # noqa: F403
from veer.wire.enumerations import FlowKind, Kind, LeafKind, Loss, Op, Outcome, PathFlag, State, Table
from veer.wire.fields import Region, Section, control_block
from veer.wire.records import *  # noqa: F403

SECTIONS: tuple[Section, ...] = (
    core.SECTION,
    forgotten.SECTION,
    flows.SECTION,
    blocks.SECTION,
    boundaries.SECTION,
    callees.SECTION,
    bounds.SECTION,
    draws.SECTION,
    mutations.SECTION,
    targets.SECTION,
    specifications.SECTION,
    compared.SECTION,
    costs.SECTION,
)
REGIONS: tuple[Region, ...] = tuple(region for section in SECTIONS for region in section.regions)
CONTROL: np.dtype[np.void] = control_block(SECTIONS)


def region_offsets() -> tuple[dict[str, int], int]:
    """Byte offset of each region in the shared memory, and its total size; the control block is at 0."""
    offsets: dict[str, int] = {}
    position = _pages(CONTROL.itemsize) + PAGE
    for region in REGIONS:
        offsets[region.name] = position
        position += _pages(np.dtype(region.dtype).itemsize * region.capacity) + PAGE
    return offsets, position


def fingerprint() -> str:
    """Sixteen hexadecimal digits that differ when anything here that shared memory depends on does."""
    enumerations = [
        list(each.__members__.items()) for each in (Op, Kind, State, Outcome, Loss, Table, FlowKind, LeafKind, PathFlag)
    ]
    regions = [(region.name, np.dtype(region.dtype).descr, region.capacity) for region in REGIONS]
    text = repr((VERSION, CONTROL.descr, regions, enumerations))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _pages(size: int) -> int:
    return (size + PAGE - 1) // PAGE * PAGE
