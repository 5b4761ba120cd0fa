"""What becomes of a campaign whose unit wrote into the memory that veer shares with it: what was saved before is told.

What was damaged is known by the memory's head and its counts; of a record that makes no sense Python's own errors tell.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from veer.model.ending import Claim, EndingKind
from veer.model.errors import DamagedMemoryError
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions
from veer.model.values import replace
from veer.store import saved
from veer.wire.shared import Shared

OF_DAMAGE = (DamagedMemoryError, IndexError, ValueError, OverflowError, KeyError)
"""What comes of such records."""
_NO_TIME = 0.001  # for what only makes better: it may run what damaged the memory
Resume = Callable[[Path, Callable[[SearchOptions], SearchOptions]], Result]


def rescued(keep: Path | None, shared: Shared, error: Exception, made_by: str, resume: Resume) -> Result:
    """What was saved in `keep` before the unit wrote into its memory.

    Raises the error where nothing was saved, or where the memory is whole, or closed: a search within larger bounds has
    one of its own.
    """
    try:
        if not shared.is_closed:
            shared.require_whole()
    except DamagedMemoryError as damage:
        error = damage
    if not isinstance(error, DamagedMemoryError) or keep is None or not saved.is_there(keep):
        raise error
    result = resume(keep, _without_search)
    seconds = saved.read(keep, made_by).seconds
    why = f"{error}: what was found until {seconds:.1f} s is told"
    ending = replace(result.ending, kind=EndingKind.FAILED, claim=Claim.NONE, lost_by=(*result.ending.lost_by, why))
    return replace(result, ending=ending)


def _without_search(options: SearchOptions) -> SearchOptions:
    return replace(options, max_runs=1, reach=False, shrink=False, behind=_NO_TIME)
