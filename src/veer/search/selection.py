"""Which paths are told of: those that add an edge or an outcome, the witness of each bug (docs/design.md)."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from veer.oracles.bugs import BUGS, Suspect
from veer.wire.layout import NONE, Outcome, PathFlag
from veer.wire.shared import Shared

_NO_TEST = (Outcome.NONE, Outcome.ASSUMPTION, Outcome.CAPACITY)


def kept_paths(shared: Shared, suspects: Iterable[Suspect], *, all_paths: bool) -> tuple[int, ...]:
    """Ids of the paths that are run again, in the order in which they were found."""
    paths = shared.published("paths")
    wanted = PathFlag.NEW_EDGE | PathFlag.NEW_OUTCOME | (PathFlag.NEW_PATH if all_paths else 0)
    is_wanted = (paths["flags"] & int(wanted)) != 0
    is_test = ~np.isin(paths["outcome"], [int(outcome) for outcome in _NO_TEST])
    witnesses = {suspect.path for suspect in suspects}
    return tuple(sorted({*np.flatnonzero(is_wanted & is_test).tolist(), *witnesses}))


def some_paths(shared: Shared, most: int = 400) -> tuple[int, ...]:
    """At most so many of the paths that return or exit, from all parts of the search."""
    outcomes = shared.published("paths")["outcome"]
    found = np.flatnonzero(np.isin(outcomes, [int(Outcome.RETURNED), int(Outcome.EXITED)]))
    return tuple(found[:: max(1, -(-len(found) // most))].tolist())


def told_of(paths: npt.NDArray[np.void], *, all_paths: bool) -> npt.NDArray[np.bool_]:
    """Which of these records a campaign must not forget: a test or a bug may be made of them, or they left their path.

    With `all_paths` each new path is one. A bug without a report is of a run that broke its process.
    """
    flags = PathFlag.NEW_EDGE | PathFlag.NEW_BUG | PathFlag.NEW_OUTCOME | PathFlag.DIVERGED
    wanted = int(flags | PathFlag.NEW_PATH) if all_paths else int(flags)
    is_silent_bug = np.isin(paths["outcome"], BUGS) & (paths["report"] == NONE)
    told: npt.NDArray[np.bool_] = ((paths["flags"] & wanted) != 0) | is_silent_bug
    return told
