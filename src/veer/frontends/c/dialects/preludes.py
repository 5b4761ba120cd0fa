"""--prelude: headers that come before each source, the user's own or those that veer brings along.

    --prelude my/host.h     -include /home/u/my/host.h
    --prelude iar           -include .../dialects/headers/iar.h -idirafter .../dialects/headers/iar

The folder has what sources of that compiler include and no host has (`intrinsics.h`); a file of the user's own wins.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from veer.model.errors import UsageError

HEADERS = Path(__file__).with_name("headers")
SHIPPED: Mapping[str, str] = {
    "c51": "Keil's C51 for the 8051",
    "armcc": "Keil's compiler for ARM",
    "iar": "IAR's compilers",
    "sdcc": "SDCC",
    "cmsis": "CMSIS, of any compiler for ARM",
}
"""Preludes that veer brings along, and whose words they are."""
_SMALL_INT = ("c51", "sdcc")
"""Those of compilers whose int has 16 bits."""
_HINTS = {"keil": "Keil has two compilers: give armcc for ARM, c51 for the 8051"}


def prelude_flags(preludes: Iterable[str]) -> tuple[str, ...]:
    """What the compiler is told for --prelude. Raises UsageError for a file that is not there."""
    return tuple(flag for given in dict.fromkeys(preludes) for flag in _flags(given))


def small_int(preludes: Iterable[str]) -> tuple[str, ...]:
    """What a claim adds where an int of 16 bits is one of 32 here."""
    name = next((each for each in preludes if each in _SMALL_INT), None)
    return (f"int of 32 bits (16 under {name})",) if name is not None else ()


def _flags(given: str) -> Iterator[str]:
    if given in SHIPPED:
        yield from ("-include", str(HEADERS / f"{given}.h"))
        if (HEADERS / given).is_dir():
            yield from ("-idirafter", str(HEADERS / given))
        return
    path = Path(os.path.abspath(given))  # noqa: PTH100 - links are kept
    if not path.is_file():
        known = ", ".join(SHIPPED)
        hint = _HINTS.get(given, f"give the path of a header, or one of those that veer brings along: {known}")
        raise UsageError(f"--prelude {given}: there is no such file; {hint}")
    yield from ("-include", str(path))
