"""When a running campaign is saved: often enough to lose little, seldom enough to cost little."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from veer.model.buildoptions import BuildOptions
from veer.model.coverage import Sample
from veer.model.errors import StoreError
from veer.model.values import replace
from veer.store.saved import FOLDER, Flat, Memory, Part, SavedCampaign, commit, write

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
        self._began = clock()
        self._next = self._began + _SHORTEST_INTERVAL

    def rebuilt(self, build: BuildOptions, files: dict[str, str]) -> None:
        """The program was built again: generations from now on are of that one."""
        self._campaign = replace(self._campaign, build=build, files=files)

    def is_due(self) -> bool:
        """Whether it is time for the next generation; cheap."""
        return not self.failure and self._clock() >= self._next

    def begin(self) -> None:
        """The next generation begins; its files are written, then it is committed, or `fail` tells why not."""
        self._began = self._clock()
        self._campaign = replace(self._campaign, generation=self._campaign.generation + 1)

    def writer(self, number: int) -> Callable[[Memory], Part | str]:
        """What writes memory `number` of this generation, in whatever process; the memory must not change meanwhile."""
        return partial(_written, self._out / FOLDER / f"{self._campaign.generation}-{number}.part")

    def commit(
        self, seconds: float, samples: tuple[Sample, ...], parts: Sequence[Part | str], paths: bytes = b""
    ) -> None:
        """This generation is whole, but for parts that are words on what failed; `seconds` since the campaign began."""
        hashes = self.writer(len(parts))(Flat(paths)) if paths else None
        files = [*parts, *([] if hashes is None else [hashes])]
        written = [file for file in files if isinstance(file, Part)]
        if len(written) == len(files):
            self._campaign = replace(
                self._campaign,
                seconds=seconds,
                samples=samples,
                parts=tuple(written[: len(parts)]),
                paths=written[-1] if paths else None,
            )
            try:
                commit(self._out, self._campaign)
            except StoreError as error:
                self._fail(str(error))
        else:
            self._fail(next(file for file in files if isinstance(file, str)))
        now = self._clock()
        self._next = now + max(_SHORTEST_INTERVAL, _SHARE * (now - self._began))

    def _fail(self, why: str) -> None:
        self.failure = f"the campaign could not be saved: {why}"


def _written(file: Path, memory: Memory) -> Part | str:
    """The file of a memory, or what went wrong."""
    try:
        return write(file, memory)
    except StoreError as error:
        return str(error)
