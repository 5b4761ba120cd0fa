"""Makes units, in parallel where that is worth the processes: a fork copies what it touches of a loaded LLVM."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from types import MappingProxyType

from veer.frontends.llvm.unit import MadeUnit, UnitRequest, find_as_good, make_unit
from veer.model.errors import ToolchainError
from veer.model.values import replace
from veer.toolchain.cache import Cache

MOST_WORKERS = 4
SMALL = 100_000
"""Characters of IR, the largest unit's left out, up to which one process makes all units: half a second at most."""


def make_units(
    requests: Sequence[UnitRequest],
    version: str,
    cache: Cache,
    stage: Callable[[str], None],
    known: Mapping[str, MadeUnit] = MappingProxyType({}),
) -> tuple[MadeUnit, ...]:
    """The units, from the cache where it has them. `stage` is told what is worked on; `known`: units by their keys that
    were found before. Raises ToolchainError."""
    keys = [request.key(version) for request in requests]
    found = [
        known.get(key) or find_as_good(cache, request, version) for key, request in zip(keys, requests, strict=True)
    ]
    made = {key: unit for key, unit in zip(keys, found, strict=True) if unit is not None}
    missing = [(request, key) for request, key in zip(requests, keys, strict=True) if key not in made]
    workers = min(len(missing), len(os.sched_getaffinity(0)), MOST_WORKERS)
    sizes = sorted(len(request.ir) for request, _ in missing)
    if workers <= 1 or sum(sizes[:-1]) <= SMALL:
        for request, key in missing:
            stage(request.label)
            made[key] = make_unit(request, key, cache)
    else:
        stage(", ".join(request.label for request, _ in missing))
        missing.sort(key=lambda pair: len(pair[0].ir), reverse=True)  # the largest must not be the last that is begun
        # Forked, for a fresh interpreter would load everything again.
        with ProcessPoolExecutor(workers, multiprocessing.get_context("fork")) as pool:
            waiting = {key: pool.submit(make_unit, request, key, cache) for request, key in missing}
            labels = {key: request.label for request, key in missing}
            for key, future in waiting.items():
                try:
                    made[key] = future.result()
                except BrokenProcessPool as error:
                    raise ToolchainError(
                        f"LLVM gave up on {labels[key]} or a file beside it: please report it"
                    ) from error
    # The same code may have been made for a copy of the file elsewhere: machine code does not say where it lies.
    return tuple(replace(made[key], label=request.label) for key, request in zip(keys, requests, strict=True))
