"""Compiler flags from a user's options."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from veer.frontends.c.compdb import WITH_VALUE, with_absolute_paths
from veer.frontends.c.dialects.preludes import prelude_flags
from veer.frontends.c.inlined import inline_flags
from veer.frontends.c.machine import machine_of, without_machine
from veer.frontends.c.symbols import in_system_library
from veer.instrument.shortcircuit import MOST_CONDITIONS, MOST_VECTORS
from veer.model.buildoptions import BuildOptions
from veer.toolchain.compiler import CXX_SUFFIXES, Toolchain, as_cxx
from veer.toolchain.runtime import INCLUDE

CONDITION_FLAGS = (
    "-fno-discard-value-names",
    "-Xclang",
    "-disable-llvm-passes",
    "-Xclang",
    "-fprofile-instrument=clang",
    "-Xclang",
    "-fcoverage-mapping",
    "-Xclang",
    "-fcoverage-mcdc",
    "-Xclang",
    f"-fmcdc-max-conditions={MOST_CONDITIONS}",
    "-Xclang",
    f"-fmcdc-max-test-vectors={MOST_VECTORS}",
)
"""Makes clang mark decisions; no pass may turn its marks into those of its profile runtime, which is not there."""
_NOT_TAKEN = re.compile(r"-O|-f(no-)?sanitize|-f(no-)?lto|-g\d?$|-c$|-S$|-E$|-fprofile|-fcoverage|--coverage$|-pg$")


def user_flags(options: BuildOptions, source: Path | None = None) -> tuple[str, ...]:
    """Its machine's flags, its own, then those of options, and veer's own headers last. Paths are made absolute.

    Flags that would change what a source branch is (optimisation, sanitizers) are left out: veer sets its own. Raises
    UsageError for a machine that cannot be had, and for a prelude that is not there.
    """
    own, asked = _own(options, source), _asked_for(options)
    return (*machine_of(options, source).flags, *own, *_inlined(options, source, (*own, *asked)), *asked)


def _inlined(options: BuildOptions, source: Path | None, flags: Sequence[str]) -> tuple[str, ...]:
    """What makes code of C99's inline functions, where the source is all there is."""
    return inline_flags(source, flags) if source is not None and len(options.sources) == 1 else ()


def _asked_for(options: BuildOptions) -> tuple[str, ...]:
    """What options ask for, and veer's own headers."""
    flags = [part for path in options.include for part in ("-I", os.path.abspath(path))]  # noqa: PTH100
    flags += [f"-D{definition}" for definition in options.define]
    if options.std:
        flags.append(f"-std={options.std}")
    given = with_absolute_paths(without_machine(options.cflags), Path.cwd())
    flags += [flag for flag in given if not _NOT_TAKEN.match(flag)]
    flags += prelude_flags(options.preludes)
    if in_system_library(options.entry):
        # A call of the user's own `memset` or `abs` is a call, not what the compiler knows of the C library's.
        flags.append(f"-fno-builtin-{options.entry}")
    return (*flags, "-idirafter", str(INCLUDE))


def suite_flags(options: BuildOptions, source: Path) -> tuple[str, ...]:
    """The flags of the one command that builds a suite: the entry's, and what only other sources ask for."""
    flags = [*machine_of(options, source).flags, *_own(options, source)]
    named = {name.partition("=")[0] for flag, name in _pairs(flags) if flag in ("-D", "-U")}
    for other in options.sources:
        for flag, value in _pairs(_own(options, other)):
            is_known = value.partition("=")[0] in named if flag in ("-D", "-U") else (flag, value) in _pairs(flags)
            if value and not is_known:
                flags += [flag, value]
    asked = _asked_for(options)
    return (*flags, *_inlined(options, source, (*flags, *asked)), *asked)


def _own(options: BuildOptions, source: Path | None) -> tuple[str, ...]:
    """What a compilation database says of the source, its machine left aside."""
    return tuple(without_machine(dict(options.flags_of).get(str(source), ())))


def _pairs(flags: Sequence[str]) -> list[tuple[str, str]]:
    """Flags with the value that stands behind them, or none."""
    pairs: list[tuple[str, str]] = []
    words = iter(flags)
    for word in words:
        pairs.append((word, next(words, "") if word in WITH_VALUE else ""))
    return pairs


def link_flags(options: BuildOptions) -> tuple[str, ...]:
    """--link: a library by name (`m`, `-lz`), a flag, or a file."""
    return tuple(
        part if part.startswith("-") or "/" in part or Path(part).suffix in (".a", ".o", ".so") else f"-l{part}"
        for part in options.link
    )


def linker_of(options: BuildOptions, toolchain: Toolchain) -> Toolchain:
    """The compiler as it links the user's sources: with the library of C++ if one of them is in C++."""
    return as_cxx(toolchain) if any(source.suffix in CXX_SUFFIXES for source in options.sources) else toolchain
