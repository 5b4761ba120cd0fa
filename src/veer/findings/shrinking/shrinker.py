"""The loop of shrinking: passes propose other choices, and what is smaller and still shows the same is what goes on.

    best ─► a pass proposes ─► run ─► shows the same? smaller? ─► best          until no pass finds anything

Each step makes the input smaller (`model/plainness.py`), so that it ends; it also ends when the runs or the time are
spent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from msgspec import Struct, field

from veer.findings.shrinking.choices import Choice
from veer.model.plainness import Size


class Shown(Struct, frozen=True):
    """A run that shows what is wanted: its input, the choices that this consists of, how large it is."""

    data: bytes
    choices: tuple[Choice, ...]
    size: Size

    @property
    def values(self) -> tuple[int, ...]:
        """The bits of its choices."""
        return tuple(choice.bits for choice in self.choices)


class Seen(Struct, frozen=True):
    """A run that may show what is wanted. `looked_at` reads it as long as it is the last run; None: it does not."""

    choices: tuple[Choice, ...]
    looked_at: Callable[[], Shown | None]


Show: TypeAlias = Callable[[Sequence[int]], Seen | None]
"""Runs the input with these values; None: it does not show what is wanted."""


class Shrinking(Struct):
    """An input while it is being shrunk.

    `left`: runs that may still be made; `patience`: how many of them may find nothing, one after the other; `is_over`:
    no more time.
    """

    show: Show
    best: Shown
    left: int
    patience: int = 800
    is_over: Callable[[], bool] = lambda: False
    _tried: set[tuple[int, ...]] = field(default_factory=set)
    _in_vain: int = 0

    def __post_init__(self) -> None:
        self._tried.add(_key(self.best.values))

    @property
    def is_spent(self) -> bool:
        """Whether no more runs may be made."""
        return self.left <= 0 or self._in_vain > self.patience or self.is_over()

    def accepts(self, values: Sequence[int]) -> bool:
        """Whether the input with these values shows the same and is smaller; then it is the best from now on."""
        key = _key(values)
        if key in self._tried or self.is_spent:
            return False
        self._tried.add(key)
        self.left -= 1
        self._in_vain += 1
        seen = self.show(key)
        if seen is None or self._is_known(seen, key) or (shown := seen.looked_at()) is None:
            return False
        if shown.size >= self.best.size:
            return False
        self.best = shown
        self._in_vain = 0
        return True

    def _is_known(self, seen: Seen, key: tuple[int, ...]) -> bool:
        """Whether the run was one of those before: some values it could not have, and took others for them."""
        ran = _key([choice.bits for choice in seen.choices])
        is_known = ran != key and ran in self._tried
        self._tried.add(ran)
        return is_known

    def puts(self, changes: Iterable[tuple[int, int]]) -> bool:
        """Whether it is accepted with other values at these places: (place, bits)."""
        values = list(self.best.values)
        for place, bits in changes:
            values[place] = bits
        return self.accepts(values)


Pass: TypeAlias = Callable[[Shrinking], None]


def shrunk(shrinking: Shrinking, passes: Sequence[Pass]) -> Shown:
    """The smallest input that the passes come to, each in turn, until none of them makes it smaller."""
    before = None
    while shrinking.best.size != before and not shrinking.is_spent:
        before = shrinking.best.size
        for each in passes:
            each(shrinking)
    return shrinking.best


def _key(values: Sequence[int]) -> tuple[int, ...]:
    """The values without the zeros at their end: behind the last one a run takes 0."""
    end = len(values)
    while end and values[end - 1] == 0:
        end -= 1
    return tuple(values[:end])
