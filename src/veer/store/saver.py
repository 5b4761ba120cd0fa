"""When a running campaign is saved: often enough to lose little, seldom enough to cost little."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from veer.model.coverage import Sample
from veer.model.errors import StoreError
from veer.store.saved import SavedCampaign, save
from veer.wire.shared import Shared

_SHORTEST_INTERVAL = 2.0
_SHARE = 25  # saving takes at most a 25th of the time


class Saver:
    """Saves generation after generation into `out`. A save that fails is told in `failure`, and no other is tried:

    a full disk must not end a search.
    """

    def __init__(self, out: Path, campaign: SavedCampaign, clock: Callable[[], float] = time.monotonic) -> None:
        """`campaign` is what stays the same, and the number of the generation before."""
        self.failure = ""
        self._out = out
        self._campaign = campaign
        self._clock = clock
        self._next = clock() + _SHORTEST_INTERVAL

    def is_due(self) -> bool:
        """Whether it is time for the next generation; cheap."""
        return not self.failure and self._clock() >= self._next

    def save(
        self, seconds: float, samples: tuple[Sample, ...], memories: Sequence[tuple[Shared, dict[str, Any]]]
    ) -> None:
        """Saves now; `seconds` since the campaign began. Only while no executor is at work."""
        if self.failure:
            return
        start = self._clock()
        self._campaign = msgspec.structs.replace(
            self._campaign, generation=self._campaign.generation + 1, seconds=seconds, samples=samples
        )
        try:
            save(self._out, self._campaign, memories)
        except StoreError as error:
            self.failure = f"the campaign could not be saved: {error}"
        now = self._clock()
        self._next = now + max(_SHORTEST_INTERVAL, _SHARE * (now - start))
