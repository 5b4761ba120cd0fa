"""Which paths are told of: those that add an edge or an outcome, the witness of each bug (docs/design.md).

Where every path is kept, each ending of it is: `5 / j` returns for one input and is a bug for another, on one path; an
overflow two lines below is a third ending of it.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from veer.oracles.bugs import BUGS, Suspect
from veer.wire.layout import NONE, Outcome, PathFlag
from veer.wire.shared import Shared

_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_SPREAD_OF_ENDS = np.uint64(0xBF58476D1CE4E5B9)
NO_TEST = (Outcome.NONE, Outcome.ASSUMPTION, Outcome.CAPACITY)
"""How runs end that are no tests."""


def kept_paths(shared: Shared, suspects: Iterable[Suspect], *, all_paths: bool) -> tuple[int, ...]:
    """Ids of the paths that are run again, in the order in which they were found.

    On the path of a witness, with its ending, no other input is needed.
    """
    paths = shared.published("paths")
    is_wanted = (paths["flags"] & int(PathFlag.NEW_EDGE | PathFlag.NEW_OUTCOME)) != 0
    if all_paths:
        is_wanted |= _first_of_each_ending(paths, shared.published("reports"))
    is_test = ~np.isin(paths["outcome"], [int(outcome) for outcome in NO_TEST])
    witnesses = sorted({suspect.path for suspect in suspects})
    endings = _endings(paths, shared.published("reports"))
    is_test &= ~np.isin(endings, endings[witnesses])
    return tuple(sorted({*np.flatnonzero(is_wanted & is_test).tolist(), *witnesses}))


def some_paths(shared: Shared, most: int = 400) -> tuple[int, ...]:
    """At most so many of the paths that return or exit, from all parts of the search."""
    outcomes = shared.published("paths")["outcome"]
    found = np.flatnonzero(np.isin(outcomes, [int(Outcome.RETURNED), int(Outcome.EXITED)]))
    return tuple(found[:: max(1, -(-len(found) // most))].tolist())


def told_of(paths: npt.NDArray[np.void], reports: npt.NDArray[np.void], *, all_paths: bool) -> npt.NDArray[np.bool_]:
    """Which of these records a campaign must not forget: a test or a bug may be made of them, or they left their path.
    `reports`: all of the campaign.

    With `all_paths` each new path is one, and each ending of it. A bug without a report is of a run that broke its
    process.
    """
    flags = PathFlag.NEW_EDGE | PathFlag.NEW_BUG | PathFlag.NEW_OUTCOME | PathFlag.DIVERGED
    wanted = int(flags | PathFlag.NEW_PATH) if all_paths else int(flags)
    is_silent_bug = np.isin(paths["outcome"], BUGS) & (paths["report"] == NONE)
    told: npt.NDArray[np.bool_] = ((paths["flags"] & wanted) != 0) | is_silent_bug
    return told | _first_of_each_ending(paths, reports) if all_paths else told


def _endings(paths: npt.NDArray[np.void], reports: npt.NDArray[np.void]) -> npt.NDArray[np.uint64]:
    """A number for each path, outcome, and place of a bug."""
    places = np.zeros(len(paths), np.uint64)
    has_report = paths["report"] < len(reports)
    places[has_report] = reports["site"][paths["report"][has_report]].astype(np.uint64) + np.uint64(1)
    ends: npt.NDArray[np.uint64] = paths["outcome"] + (places << np.uint64(8))
    found: npt.NDArray[np.uint64] = paths["hash"] * _SPREAD + ends * _SPREAD_OF_ENDS
    return found


def _first_of_each_ending(paths: npt.NDArray[np.void], reports: npt.NDArray[np.void]) -> npt.NDArray[np.bool_]:
    """The first record of each ending of a path. Two workers may have run the same one."""
    endings = _endings(paths, reports)
    order = np.lexsort((np.arange(len(paths)), endings))
    ordered = endings[order]
    first = np.ones(len(paths), bool)
    first[order[1:]] = ordered[1:] != ordered[:-1]
    return first
