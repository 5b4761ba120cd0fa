"""Undefined behaviour that the compiler's checks find: their names, which are on, and the flags that ask for them.

A check is a branch to a trap that the compiler puts in. Memory (bounds of objects, null, freed blocks), division and
what the program says is unreachable are checked by veer's own oracles, and cannot be switched off.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from veer.model.buildoptions import BuildOptions
from veer.model.errors import UsageError

CHECKS: dict[str, tuple[str, ...]] = {
    "overflow": ("signed-integer-overflow",),
    "shift": ("shift-exponent",),
    "shift-base": ("shift-base",),
    "divide": ("integer-divide-by-zero",),
    "float-divide": ("float-divide-by-zero",),
    "unsigned-overflow": ("unsigned-integer-overflow",),
    "conversion": ("implicit-conversion",),
    "float-cast": ("float-cast-overflow",),
    "array-bounds": ("array-bounds",),
    "null": ("null",),
    "alignment": ("alignment",),
    "pointer": ("pointer-overflow",),
    "bool": ("bool",),
    "enum": ("enum",),
    "return": ("returns-nonnull-attribute", "nonnull-attribute"),
    "unreachable": ("unreachable",),
    "vla": ("vla-bound",),
    "builtin": ("builtin",),
    "leak": (),
    "uninitialised": (),
}
"""What `--check` takes, and clang's names for it. `leak` and `uninitialised` are the runtime's, not the compiler's."""
ON = ("overflow", "shift", "divide", "array-bounds", "return", "vla", "builtin", "leak", "uninitialised")
"""The checks that are on unless `--no-check` names them: what every C programmer calls a bug."""
UNDEFINED = (
    "overflow",
    "shift",
    "shift-base",
    "divide",
    "float-divide",
    "float-cast",
    "array-bounds",
    "pointer",
    "bool",
    "return",
    "unreachable",
    "vla",
    "builtin",
)
"""What `--check undefined` stands for: alignment and null are left out, for memory is checked anyway."""

_WRAPS = re.compile(r"-f(no-)?(wrapv|strict-overflow)$")
_ARRAYS = "-fstrict-flex-arrays"


def checks_of(options: BuildOptions, source: Path | None = None) -> tuple[str, ...]:
    """The names of the checks that are on for a source, or for what has no flags of its own. Raises UsageError.

    Who compiles with -fwrapv has overflow defined: it is checked only when `--check overflow` asks for it. What `main`
    has not freed is the system's at its end: a leak is checked only when asked for, too. Searches with boundaries or
    with a flow map know nothing of memory that was never written.
    """
    added = [name for given in options.checks for name in (UNDEFINED if given == "undefined" else (given,))]
    for flag, names in (("--check", added), ("--no-check", options.no_checks)):
        for name in names:
            if name not in CHECKS and (flag, name) != ("--no-check", "all"):
                known = ", ".join([*CHECKS, "undefined" if flag == "--check" else "all"])
                raise UsageError(f"{flag} {name}: there is no such check; known are {known}")
    is_off = {*options.no_checks}
    if _wraps(_own_flags(options, source)):
        is_off.add("overflow")
    if options.entry == "main":
        is_off.add("leak")
    if options.compositional or options.partitioned:
        if "uninitialised" in added:
            raise UsageError("--check uninitialised: neither --compositional nor --partitioned follows such memory")
        is_off.add("uninitialised")
    on = () if "all" in is_off else tuple(name for name in ON if name not in is_off)
    return tuple(dict.fromkeys([*on, *added]))


def check_flags(options: BuildOptions, source: Path | None = None) -> tuple[str, ...]:
    """The compiler's checks as branches to a trap. Raises UsageError.

    An array at a struct's end is a flexible one only if it has one element or none, where the user does not say
    otherwise: an index behind one of four elements is a bug.
    """
    listed = ",".join(dict.fromkeys(flag for name in checks_of(options, source) for flag in CHECKS[name]))
    if not listed:
        return ()
    is_said = any(flag.startswith(_ARRAYS) for flag in _own_flags(options, source))
    arrays = () if is_said or "array-bounds" not in listed else (f"{_ARRAYS}=1",)
    return (f"-fsanitize={listed}", f"-fsanitize-trap={listed}", *arrays)


def _own_flags(options: BuildOptions, source: Path | None) -> tuple[str, ...]:
    return (*dict(options.flags_of).get(str(source), ()), *options.cflags)


def _wraps(flags: Sequence[str]) -> bool:
    """Whether signed overflow wraps around: the last flag that speaks of it says so."""
    wraps = False
    for flag in flags:
        if found := _WRAPS.match(flag):
            wraps = (found[2] == "wrapv") == (found[1] is None)
    return wraps
