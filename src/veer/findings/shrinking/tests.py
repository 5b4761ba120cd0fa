"""The inputs of tests, shrunk on their paths: same branches, choices and calls, same ending.

A solver's value, such as 989825787 for x % 17 == 5, becomes a small one, before `readable.py` moves values to where a
lost statement is noticed. Tests whose values are plain already cost no run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from veer.execution.decode import decode
from veer.findings.deadline import Deadline
from veer.findings.probes import TOLD, Path, Probes, last_input
from veer.findings.shrinking.deleting import cut, delete, lower_and_delete, separate
from veer.findings.shrinking.drawing import choices_of_last_run
from veer.findings.shrinking.lowering import lower, make_plain
from veer.findings.shrinking.shrinker import Seen, Shown, Shrinking, shrunk
from veer.findings.shrinking.together import lower_equal, lower_pairs
from veer.model.inputs import InputMap, Scalar
from veer.model.plainness import size_of
from veer.model.result import Test

PASSES = (cut, make_plain, delete, separate, lower, lower_and_delete, lower_equal, lower_pairs)
MOST_RUNS = 500
"""Of one test."""
_PLAIN = 1000
"""Numbers up to this one, of either sign, are let be."""


class TestShrinker(Struct, frozen=True):
    """Shrinks the inputs of tests that return or exit, by probes, until `deadline`."""

    probes: Probes
    deadline: Deadline

    def of(self, tests: Sequence[Test], stopped: Callable[[], bool] = lambda: False) -> Mapping[int, bytes]:
        """Smaller inputs by path, where there are any."""
        found: dict[int, bytes] = {}

        def is_over() -> bool:
            return stopped() or self.deadline.is_over

        for test in tests:
            if is_over():
                break
            if test.outcome in TOLD and not _is_plain(test.inputs):
                data = self._smaller(self.probes.shared.input_of(test.path), is_over)
                if data is not None:
                    found[test.path] = data
        return found

    def _smaller(self, before: bytes, is_over: Callable[[], bool]) -> bytes | None:
        self.probes.left = MOST_RUNS + 1
        path = self.probes.path_of(before)
        if path is None or path.outcome not in TOLD:
            return None
        first = self._seen().looked_at()
        if first is None:
            return None

        def show(values: Sequence[int]) -> Seen | None:
            return self._seen() if self.probes.path_of_values(values) == path else None

        best = shrunk(Shrinking(show, first, MOST_RUNS, is_over=is_over), PASSES)
        return best.data if best.size < first.size and self._stays(best.data, path) else None

    def _seen(self) -> Seen:
        """The last run."""
        shared = self.probes.shared
        data = last_input(shared)
        choices = choices_of_last_run(shared, data)

        def shown() -> Shown:
            return Shown(data, choices, size_of(decode(shared, self.probes.program, data).inputs))

        return Seen(choices, shown)

    def _stays(self, data: bytes, path: Path) -> bool:
        """Whether the input as it is stored takes the path, too."""
        return self.probes.path_of(data) == path


def _is_plain(inputs: InputMap) -> bool:
    """Whether no number is far from 0."""
    roots = (cell.value for root in inputs.roots for cell in root.cells)
    objects = (cell.value for item in inputs.objects for cell in item.cells)
    numbers = (value for value in (*roots, *objects) if isinstance(value, Scalar) and value.kind != "float")
    return all(abs(value.number) <= _PLAIN for value in numbers if value.used)
