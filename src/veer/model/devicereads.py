"""What registers of devices are read as, among the inputs of a run: read32(0x40013800), once for each read."""

from __future__ import annotations

import re

from veer.model.inputs import InputMap, Root, Scalar

DEVICE_READ = re.compile(r"read(8|16|32|64)\(0x([0-9a-f]+)\)")
"""Bits of the access, and the register's address."""


def is_device_read(root: Root) -> bool:
    """Whether this input is what a register at a fixed address was read as."""
    return root.type < 0 and DEVICE_READ.fullmatch(root.name) is not None


def read_as(inputs: InputMap) -> dict[str, list[int]]:
    """The numbers of each register, in the order in which it was read."""
    found: dict[str, list[int]] = {}
    for root in inputs.roots:
        if is_device_read(root) and root.cells and isinstance(value := root.cells[0].value, Scalar):
            found.setdefault(root.name, []).append(value.number)
    return found
