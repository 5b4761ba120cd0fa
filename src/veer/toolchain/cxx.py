"""Links of programs with C++: without its library where they need nothing of it.

zig compiles libc++, its ABI and its unwinder at the first link, one to two minutes of a processor for each new cache.
Classes, templates, virtual functions, `new` and `delete` need only `runtime/cxx/support.c`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from veer.toolchain.compiler import Compiled, Toolchain, as_c
from veer.toolchain.linking import link
from veer.toolchain.runtime import cxx_support_object

_LIBRARIES = ("-lstdc++", "-lm")
"""Those that are linked in any case."""
_MISSING = re.compile(r"undefined symbol: (.+)")
_OF_LIBRARY = re.compile(r"std::|__cxa_|__dynamic_cast|_Unwind_|operator (new|delete)|__cxxabiv1|typeinfo ")
"""Stands in the names that the library of C++ has, as the linker writes them, and in a few others."""


def link_cxx(
    toolchain: Toolchain, objects: Sequence[Path], output: Path, flags: Sequence[str] = (), *, is_apart: bool = False
) -> Compiled:
    """`link` for a toolchain that links C++ (`as_cxx`). Raises ToolchainError.

    If only other names than the library's are missing, the failed link without it is what is told.
    """
    flags = [flag for flag in flags if flag not in _LIBRARIES]
    if toolchain.is_zig and not flags:  # a library that the user links may need anything
        plain = as_c(toolchain)
        said = link(plain, [*objects, cxx_support_object(plain)], output, is_apart=is_apart)
        missing = _MISSING.findall(said.messages)
        if said.code == 0 or (missing and not any(map(_OF_LIBRARY.search, missing))):
            return said
    return link(toolchain, objects, output, flags, is_apart=is_apart)
