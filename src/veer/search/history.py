"""How coverage grew: samples of a running campaign, dense at its start, few in all."""

from __future__ import annotations

from veer.model.coverage import Sample

_SHORTEST_STEP = 0.01
_STEPS = 200  # a step is a 200th of the time that has passed


class History:
    """Collects samples. `is_due` is cheap, so that the number of covered items is only counted when it is needed."""

    def __init__(self, earlier: tuple[Sample, ...] = ()) -> None:
        """`earlier`: the samples of a campaign that goes on."""
        self._samples: list[Sample] = [*earlier]
        self._next = 0.0

    def is_due(self, seconds: float) -> bool:
        """Whether it is time for another sample."""
        return seconds >= self._next

    def add(self, seconds: float, runs: int, covered: int) -> None:
        """Takes a sample; one that only repeats the two before it replaces the last."""
        sample = Sample(round(seconds, 4), runs, covered)
        flat = [each.covered for each in self._samples[-2:]] == [covered, covered]
        if flat:
            self._samples[-1] = sample
        else:
            self._samples.append(sample)
        self._next = seconds + max(_SHORTEST_STEP, seconds / _STEPS)

    @property
    def samples(self) -> tuple[Sample, ...]:
        """All of them, by time."""
        return tuple(self._samples)
