"""What `veer test` begins before it loads the rest of veer: the builder of a project's functions loads meanwhile.

Whether it will be needed is guessed. A wrong guess costs time and nothing else.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from veer.cli.arguments import Given
from veer.model.folders import LAST_RUN

_OF_ONE = frozenset({"entry", "sequence", "pre", "json", "void", "prototype"})
"""Options that are about one function."""
_KEYS, _BUILDS = "veer.frontends.c.keybuilder", "veer.frontends.c.builder"
"""What says of all functions which have changed; what builds them."""


def start(given: Given) -> None:
    """Starts the builder where all functions of C sources are tested that have changed, on more than one core."""
    sources = given.get("sources", ())
    if not sources or any(each.suffix != ".c" for each in sources) or not is_all(given):
        return
    last = directory(given.get("out"), sources[0]) / LAST_RUN
    is_first = "fresh" in given or not last.exists()
    if len(os.sched_getaffinity(0)) > 1 and (is_first or _are_newer(sources, last)):
        import_module("veer.frontends.llvm.builderprocess").start(_BUILDS if is_first else _KEYS)


def is_all(given: Given) -> bool:
    """Sources alone mean every function of theirs; options that are about one function ask for its name."""
    return "all" in given or ("resume" not in given and not given.keys() & _OF_ONE)


def directory(out: Path | None, source: Path) -> Path:
    """Where the results of all functions go. `source`: the first one."""
    return out or Path("veer-out") / source.stem


def _are_newer(sources: Sequence[Path], file: Path) -> bool:
    """Whether a source was written after a file."""
    try:
        return max(each.stat().st_mtime_ns for each in sources) > file.stat().st_mtime_ns
    except OSError:  # what cannot be read is told later
        return False
