"""Which functions of the C library that print to streams are veer's own in a program, and which the machine's.

Streams of a run (runtime/libc/streams.c) come from fopen and its like. Where nobody calls these, every stream is the
machine's, and so is what prints to it: it needs no look at which stream it is given.
"""

from __future__ import annotations

from collections.abc import Iterable

from veer.frontends.llvm.irtext import declared_functions
from veer.frontends.llvm.unit import UnitRequest

_OPENERS = ("veer_given_stream", "fopen", "fopen64", "fdopen", "freopen", "freopen64", "tmpfile", "tmpfile64")
_PRINTERS = ("fprintf", "vfprintf", "fputs", "fputs_unlocked", "fwrite", "fwrite_unlocked")


def machine_output(units: Iterable[UnitRequest]) -> frozenset[str]:
    """The printing functions that stay the machine's in a program of these units."""
    called = {name for unit in units for name in declared_functions(unit.ir)}
    return frozenset() if called & {*_OPENERS} else frozenset(_PRINTERS)
