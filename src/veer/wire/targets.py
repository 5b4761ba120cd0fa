"""Code that runs came to and that the program does not have: targets of indirect jumps and calls of machine code.

at          the address of the jump or call
target      where it went, with the mark of its instruction set (ARM: the lowest bit)
"""

from __future__ import annotations

import numpy as np

from veer.wire.fields import Fields, Number, Region, Section

TARGET = np.dtype([("at", "u8"), ("target", "u8")])


class Targets(Fields):
    """How many were met, each pair once, and the run that met the last one."""

    __slots__ = ()

    target_count = Number("u4")
    last_target_run = Number("u8")


SECTION = Section(
    (Targets,),
    {"veer_target": TARGET},
    (Region("targets", TARGET, 1 << 12, Targets.target_count),),
)
