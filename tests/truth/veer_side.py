"""Runs veer on a program, and turns what it reports into what the brute force can replay."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from brute_force import Row, replay
from brute_header import Expectation

from veer.campaign import run as campaign
from veer.campaign.deliver import deliver
from veer.model.buildoptions import BuildOptions
from veer.model.inputs import Cell, InputMap, Pointer
from veer.model.outcome import Outcome
from veer.model.progress import Progress
from veer.model.result import Result, Test
from veer.model.searchoptions import SearchOptions
from veer.model.values import replace

BUDGET = 30.0
INFORMATION = frozenset({"stub"})  # kinds of ledger entries that lose nothing


def as_seen(outcome: Outcome) -> str:
    """The key of an outcome as brute force has it: the machine's signal tells no quotient's overflow from a zero."""
    return Outcome.DIVISION.key if outcome is Outcome.QUOTIENT else outcome.key


def build_options(expectation: Expectation) -> BuildOptions:
    """The options that the program's header asks for. The brute force knows nothing of leaks."""
    given = expectation.options
    return BuildOptions(
        sources=(expectation.path,),
        entry=expectation.entry,
        uninstrumented=tuple(filter(None, given.get("uninstrumented", "").split(","))),
        max_length=int(given.get("max_length", "3")),
        max_array=int(given.get("max_array", "3")),
        graph_depth=int(given.get("graph_depth", "3")),
        no_checks=("leak", *filter(None, given.get("no_check", "").split(","))),
    )


def explore(build: BuildOptions, search: SearchOptions, out: Path | None = None) -> Result:
    """One campaign, silently, with the solvers of VEER_SOLVER if that is set; with `out`, it is written there."""
    search = replace(search, solver=os.environ.get("VEER_SOLVER", search.solver))
    result = campaign.run(build, search)
    if out is not None:
        deliver(result, out).checked()
    return result


def explore_all(expectation: Expectation, budget: float = BUDGET, restarts: int = 500) -> Result:
    """Every path of a program, each kept as a test."""
    search = SearchOptions(criterion="path", budget=budget, max_steps=200_000, restarts=restarts)
    return explore(build_options(expectation), search)


def _ignore(_: Progress) -> None:
    return


def losses(result: Result) -> list[str]:
    """The ledger's entries that cost precision, as texts."""
    return [f"{e.kind} {e.file}:{e.line} {e.detail}" for e in result.ledger if e.kind not in INFORMATION]


@dataclass(frozen=True)
class Replayed:
    """A test of veer's and what the brute force's executable did on its inputs."""

    test: Test
    row: Row
    missing: int


def replay_tests(executable: Path, tests: Iterable[Test], *, directions: bool = False) -> list[Replayed]:
    """Runs the inputs of veer's tests in the brute force's executable."""
    kept = list(tests)
    answers = replay(executable, [lines_of(test.inputs) for test in kept], directions=directions)
    return [Replayed(test, row, missing) for test, (row, missing) in zip(kept, answers, strict=True)]


def lines_of(inputs: InputMap) -> list[str]:
    """An input map in the replay's format: roots are `name#occurrence`, objects `@number`."""
    lines = []
    for root in inputs.roots:
        lines += _cell_lines(f"{root.name}#{root.occurrence}", root.cells)
    for thing in inputs.objects:
        lines += _cell_lines(f"@{thing.number}", thing.cells)
    return lines


def _cell_lines(label: str, cells: tuple[Cell, ...]) -> list[str]:
    lines = []
    for cell in cells:
        if isinstance(cell.value, Pointer):
            if cell.value.decided:
                target = 0 if cell.value.function else -1 if cell.value.target is None else cell.value.target
                lines.append(f"P {label} {cell.offset} {target}")
        elif cell.value.used:
            number = cell.value.number
            lines.append(f"L {label} {cell.offset} {number - (1 << 64) if number >> 63 > 0 else number}")
    return lines
