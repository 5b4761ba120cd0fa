"""Oracles of other packages: each reads the tests that a campaign has made, and says which results are wrong.

    [project.entry-points."veer.oracles"]
    sorted = "their_package:SORTED"        an object with the method `verdict`

The runtime has its own: bad accesses, failed assertions, undefined behaviour, leaks, hangs. They end a run, and the
search aims at them. These look at what a finished run gave back, and only at tests that their language's own truth has
shown to be so: with `--criterion path` that is every path.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, cast

from veer import plugins
from veer.model.outcome import Outcome
from veer.model.program import Program
from veer.model.replay import SAME
from veer.model.result import Bug, Confirmation, Test
from veer.model.values import replace

GROUP = "veer.oracles"


class Oracle(Protocol):
    """What knows which results are right."""

    def verdict(self, program: Program, test: Test) -> str:
        """What is wrong with the result of a test, in a sentence without a full stop; "" where nothing is.

        `test` has its inputs, the result's bytes in `returned`, and in `outputs` what the run left in memory.
        """
        ...


def oracles(names: Sequence[str]) -> dict[str, Oracle]:
    """The oracles of these names. Raises UsageError when there is none of a name, or it cannot be loaded."""
    return {name: cast(Oracle, plugins.find(GROUP, name)) for name in names}


def judged(
    program: Program, asked: Mapping[str, Oracle], tests: Sequence[Test], bugs: Sequence[Bug]
) -> tuple[tuple[Bug, ...], tuple[str, ...]]:
    """The bugs with what the oracles find wrong, and notes on oracles that failed.

    There is one bug for each sentence of an oracle, shown by its first test. Only tests that returned, and did the same
    when they were replayed, are looked at. An oracle that failed is asked no more.
    """
    found: dict[str, Bug] = {}
    notes: dict[str, str] = {}
    for test in tests:
        if test.outcome is not Outcome.RETURNED or test.replayed != str(SAME):
            continue
        for name, oracle in asked.items():
            if name in notes:
                continue
            try:
                said = oracle.verdict(program, test)
            except Exception as error:  # whatever another package raises
                notes[name] = f"the oracle {name} failed on {test.name}: {error!r}; it judged no further test"
                continue
            if not said:
                continue
            message = f"{name}: {said}"
            earlier = found.get(message)
            found[message] = (
                replace(earlier, count=earlier.count + 1)
                if earlier is not None
                else _bug(program, len(bugs) + len(found) + 1, message, test)
            )
    return (*bugs, *found.values()), tuple(notes.values())


def _bug(program: Program, number: int, message: str, test: Test) -> Bug:
    entry = program.function(program.entry)
    return Bug(
        id=number,
        outcome=Outcome.FAULTED,
        file=entry.file if entry is not None else "",
        line=entry.line if entry is not None else 0,
        column=0,
        function=program.entry,
        message=message,
        test=test.name,
        stack=(),
        confirmed=Confirmation.PLAIN,
        run=0,
        seconds=0.0,
    )
