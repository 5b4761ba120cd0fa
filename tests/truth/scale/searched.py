"""veer's side: one campaign on a generated program, and what it says, in the terms of brute force."""

from __future__ import annotations

import contextlib
import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import veer
from scale.asked import NO_PATHS, RESUME, arguments
from scale.brute import Row
from scale.generator import ENTRY, Program
from scale.parameters import Vector, vector_of
from veer.cli.app import main
from veer.cli.exit_codes import BUGS, NOTHING_FOUND
from veer.model.outcome import Outcome
from veer.model.result import Result, Test

BUDGET = "20s"
MANY_PATHS = 120
"""Of more paths than these not each is written as a test: it takes long, and they are counted all the same."""
RUNS_BEFORE_RESUME = 3


@dataclass(frozen=True, slots=True)
class Answer:
    """What a test says of its input. `result` is None where it says nothing; `written`: bytes, by the name of the
    parameter that leads there or of the variable."""

    name: str
    vector: Vector
    outcome: str
    result: bytes | None
    written: tuple[tuple[str, bytes], ...]


_NEGATED = {"true": "false", "false": "true"}
TWO_BRANCHES = "one of two branches"
"""The state of a side where veer has two branches, and the states differ."""


@dataclass(frozen=True, slots=True)
class Said:
    """All that veer says of a program. `branches`: (line, side) → state; `bugs`: (outcome, line) → the test's name."""

    result: Result
    names: tuple[str, ...]
    answers: tuple[Answer, ...]
    branches: dict[tuple[int, str], str]
    bugs: dict[tuple[str, int], str]
    claim: str
    ending: str
    lost_by: tuple[str, ...]
    has_every_path: bool
    """Each path is a test."""

    @property
    def is_spent(self) -> bool:
        """Whether the search ended because nothing was left."""
        return self.ending == "exhausted"


def search(program: Program, names: tuple[str, ...], folder: Path, paths: int) -> Said:
    """One campaign with these options. `paths`: how many brute force found."""
    source = folder / "program.c"
    source.write_text(program.text)
    given = arguments(names, program.seed)
    each_path = paths <= MANY_PATHS and not NO_PATHS & set(names)
    if each_path:
        given["criterion"] = "path"
    else:
        given["grow"] = False  # brute force calls the entry once, on static data as it begins: see test_static_state.py
    given = {"max_length": 2, "max_array": 4, "graph_depth": 3} | given  # bounds that are given stay
    if program.checks:
        given["check"] = program.checks
    if RESUME not in names:
        return _said(program, veer.test(source, ENTRY, budget=BUDGET, **given), names, each_path)
    out = folder / "out"
    _command(["test", source, "--entry", ENTRY, "--out", out, "--max-runs", RUNS_BEFORE_RESUME, *_flags(given)])
    if (out / "campaign").exists():
        _command(["test", "--resume", out, "--max-runs", 0])
    return _said(program, veer.read(out), names, each_path)


def _flags(given: dict[str, Any]) -> list[object]:
    """The same options for the command line."""
    flags: list[object] = []
    for name, value in given.items():
        option = f"--{name.replace('_', '-')}"
        switched = {True: option, False: f"--no-{option[2:]}"}
        for each in value if isinstance(value, list | tuple) else [value]:
            flags += [switched[each]] if isinstance(each, bool) else [option, each]
    return flags


def _command(arguments: list[object]) -> None:
    """`veer`, within this process. Raises RuntimeError with what it said if it could not do it."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        code = main([*map(str, arguments), "--quiet", "--budget", BUDGET])
    if code not in (NOTHING_FOUND, BUGS):
        raise RuntimeError(f"veer {' '.join(map(str, arguments))} ended with {code}: {said.getvalue()}")


def _key(outcome: Outcome) -> str:
    """As brute force calls it."""
    return Outcome.DIVISION.key if outcome is Outcome.QUOTIENT else outcome.key


def _said(program: Program, result: Result, names: tuple[str, ...], each_path: bool) -> Said:
    return Said(
        result,
        names,
        tuple(_answer(program, test) for test in result.tests),
        _states(result),
        {(_key(each.outcome), each.line): each.test for each in result.bugs},
        result.ending.claim,
        result.ending.kind,
        result.ending.lost_by,
        each_path,
    )


def _states(result: Result) -> dict[tuple[int, str], str]:
    """By line and side. Where clang has two branches on a line (a condition around a call that returns a struct is
    asked as a whole, too) and they differ, which of them is meant is not known. A branch whose text begins with a
    negation is a whole one, too: the mark is on what is negated."""
    states: dict[tuple[int, str], str] = {}
    for each in result.branches:
        side = _NEGATED.get(each.side, each.side) if each.text.startswith("!") else each.side
        known = states.setdefault((each.line, side), each.state)
        if known != each.state:
            states[each.line, side] = TWO_BRANCHES
    return states


def _answer(program: Program, test: Test) -> Answer:
    result = test.returned
    if test.outcome is Outcome.EXITED:
        result = (test.exit_code or 0).to_bytes(4, "little")
    written = []
    by_number = {thing.number: thing.path for thing in test.inputs.objects}
    for output in test.outputs:
        written.append((by_number.get(output.number, output.name), output.after))
    return Answer(test.name, vector_of(program.parameters, test.inputs), _key(test.outcome), result, tuple(written))


def written_by_name(program: Program, row: Row) -> dict[str, bytes]:
    """What brute force saw in memory afterwards, by the same names."""
    places = [place for each in program.parameters for place in each.written()] + list(program.observed)
    found, at = {}, 0
    for name, size in places:
        found[name] = row.written[at : at + size]
        at += size
    return found
