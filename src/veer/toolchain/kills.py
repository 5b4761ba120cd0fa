"""What somebody kills while veer waits for it is started again: an operator's kill -9, or the kernel's for memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

_Ended = TypeVar("_Ended")
MOST_KILLS = 2
"""After which it is not started again."""


def unless_killed(run: Callable[[], _Ended], is_killed: Callable[[_Ended], bool]) -> _Ended:
    """What a run gives that nobody killed, or the last one. Raises what `run` raises."""
    for _ in range(MOST_KILLS):
        ended = run()
        if not is_killed(ended):
            return ended
    return run()
