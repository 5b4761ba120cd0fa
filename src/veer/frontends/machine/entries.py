"""The functions of a file of machine code: `veer list`."""

from __future__ import annotations

from veer.frontends.machine.image import Image
from veer.frontends.machine.linked import load
from veer.frontends.machine.raw import given_by
from veer.frontends.protocol import Entry
from veer.model.buildoptions import BuildOptions
from veer.toolchain.compiler import Toolchain


def entries(options: BuildOptions, toolchain: Toolchain) -> tuple[Entry, ...]:
    """All functions that the files' symbols tell of, by address. Raises UsageError."""
    return tuple(
        entry for path in options.sources for entry in _of_image(load(path.absolute(), toolchain, given_by(options)))
    )


def _of_image(image: Image) -> list[Entry]:
    machine = image.architecture
    found = []
    for address in sorted(image.functions):
        code = image.functions[address]
        instructions = "Thumb" if code.is_thumb else machine.name
        size = f"{code.size} bytes" if code.size else "size unknown"
        qualities = (f"at {address:#x}", size, f"{instructions}, {machine.convention}")
        found.append(Entry(code.name, str(image.file), 0, (), qualities))
    return found
