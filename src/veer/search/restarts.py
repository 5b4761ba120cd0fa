"""DART's outer loop (figure 3): where precision was lost, fresh random inputs go on.

No constraint leads to what lies behind a loss; a random value may. They are drawn by the seed and their number, and
end when so many in a row have shown nothing new.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

OF_A_WORKER = 8
"""Most fresh random inputs of a worker: they are of the whole program, not of its part, so that what they show
another worker may show as well."""


class Restarts:
    """Counts the fresh random inputs of one search; `made` is the number of the last one, from 1."""

    def __init__(self, most: int, in_all: int = 0) -> None:
        """`most` in a row without anything new, and no more than `in_all`; 0 = no such limit."""
        self._most = most
        self._in_all = in_all
        self._fruitless = 0
        self._fruitful = 0
        self.made = 0

    @property
    def is_over(self) -> bool:
        """Whether enough were run in vain, or in all."""
        return self._fruitless >= self._most or 0 < self._in_all <= self.made

    def begin(self) -> int:
        """The number of the next one."""
        self.made += 1
        return self.made

    def note(self, *, is_new: bool) -> None:
        """What it showed."""
        self._fruitless = 0 if is_new else self._fruitless + 1
        self._fruitful += is_new

    @property
    def notes(self) -> tuple[str, ...]:
        """For the user."""
        if not self.made:
            return ()
        new = f"{self._fruitful:,} of them showed something new" if self._fruitful else "none showed anything new"
        return (f"{_were_run(self.made)}: {new}",)

    def state(self) -> dict[str, Any]:
        """As JSON knows it."""
        return {"made": self.made, "fruitless": self._fruitless, "fruitful": self._fruitful}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Takes up what `state` told in an earlier process."""
        self.made = int(state.get("made", 0))
        self._fruitless = int(state.get("fruitless", 0))
        self._fruitful = int(state.get("fruitful", 0))


def notes_of_workers(states: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    """For the user, where several searched; `states`: of each of their searches (Explorer.state)."""
    made = sum(int(state.get("restarts", {}).get("made", 0)) for state in states)
    return (f"{_were_run(made)}: with --jobs, {OF_A_WORKER} at most for each part of the search",) if made else ()


def _were_run(made: int) -> str:
    many = "fresh random input was" if made == 1 else "fresh random inputs were"
    return f"{made:,} {many} run, for precision was lost"
