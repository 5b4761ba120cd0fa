"""Which paths are run again: those that add an edge or an outcome, the witness of each bug (design.md section 7)."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from veer.oracles.bugs import Suspect
from veer.wire.layout import Outcome, PathFlag
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
