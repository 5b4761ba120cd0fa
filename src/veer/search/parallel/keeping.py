"""What is saved of a search by several workers, so that it goes on as if nothing had been."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from veer.search.census import Census
from veer.search.parallel.merge import Hashes
from veer.search.parallel.part import Part
from veer.wire.shared import Shared


@dataclass(frozen=True, slots=True)
class Interim:
    """Where a pool is: parts that are not merged; of those that are: states of searches, census, paths' identities."""

    parts: tuple[Part, ...]
    states: tuple[dict[str, Any], ...]
    census: Census
    hashes: Hashes


class Keeper(Protocol):
    """Keeps copies of a running search, one generation after the other."""

    def is_due(self) -> bool:
        """Whether it is time for the next generation; cheap."""
        ...

    def begin(self) -> None:
        """The next generation begins."""
        ...

    def writer(self, number: int) -> Callable[[Shared], Any]:
        """What writes memory `number` of this generation, in a worker, too; its answer is for `commit`."""
        ...

    def commit(self, main: Shared, interim: Interim, files: Sequence[Any], states: Sequence[dict[str, Any]]) -> None:
        """The generation is whole: `files` and the states of searches belong to `interim.parts`."""
        ...
