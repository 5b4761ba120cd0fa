"""Which functions and variables the machine's C library defines, so that they get no stubs."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterable
from functools import cache

_LINKED_IN = ("atexit", "at_quick_exit", "pthread_atfork")
"""Functions of the C library that each program gets a copy of: no shared library has them."""
_OF_THE_COMPILER = re.compile(r"__(?:mul|div)[hsdxt]c3|__atomic_\w+")
_MATHEMATICS = "libm.so.6"
LIBRARIES = ("libc.so.6", _MATHEMATICS, "libdl.so.2", "libpthread.so.0")


@cache
def _libraries() -> tuple[ctypes.CDLL, ...]:
    found = []
    for name in LIBRARIES:
        try:
            found.append(ctypes.CDLL(name))
        except OSError:
            continue
    return tuple(found)


def like_the_library(names: Iterable[str]) -> frozenset[str]:
    """Those of the user's functions that have a name of the C library's, which veer's runtime calls."""
    return frozenset(name for name in names if in_system_library(name))


def in_system_library(name: str) -> bool:
    """Whether the dynamic linker finds `name` in the C or the mathematics library, or the compiler brings it along."""
    if name in _LINKED_IN or _OF_THE_COMPILER.fullmatch(name):
        return True
    return any(_has(library, name) for library in _libraries())


def is_mathematical(name: str) -> bool:
    """Whether the mathematics library has `name`, or the compiler brings it along for complex or atomic numbers."""
    if _OF_THE_COMPILER.fullmatch(name):
        return True
    # A search in the mathematics library finds what is in the C library, too, which it is linked with.
    found = [library._name for library in _libraries() if _has(library, name)]
    return _MATHEMATICS in found and "libc.so.6" not in found


def _has(library: ctypes.CDLL, name: str) -> bool:
    try:
        ctypes.c_char.in_dll(library, name)
    except ValueError:
        return False
    return True
