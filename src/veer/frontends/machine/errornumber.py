"""`errno` of machines of 32 bits: veer's own lies at an address that does not fit into their registers.

It is a word of the machine's memory. A bridge to a function that may fail empties veer's own before the call, and
copies what that left there (bridges.py).
"""

from __future__ import annotations

from collections.abc import Iterable

from veer.frontends.machine.architectures import Architecture
from veer.frontends.machine.image import Segment

PLACE = 0x0E980000
"""Where it lies."""
LOCATION = "__errno_location"
NAMES = frozenset((LOCATION, "___errno_location", "__errno"))
"""The functions that say where it lies: of glibc and musl, and of newlib."""
SIZE = 4
SET_BY = frozenset(
    (
        *("strtol", "strtoll", "strtoul", "strtoull", "atoi", "atol", "atoll"),
        *("malloc", "calloc", "realloc", "reallocarray", "strdup", "strndup"),
    )
)
"""The functions that may set it."""


def is_copied(machine: Architecture, names: Iterable[str]) -> bool:
    """Whether code that calls these functions looks at it, on a machine whose registers do not hold veer's place."""
    return machine.bits == 32 and not NAMES.isdisjoint(names)


def segment() -> Segment:
    """It is 0 at first."""
    return Segment("errno", PLACE, SIZE, bytes(SIZE), is_writable=True, is_code=False)
