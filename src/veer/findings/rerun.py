"""Kept paths, run once more in a fresh process with everything recorded: what tests are made of, and the check of bugs.

A bug that shows again there, same outcome at the same place, is confirmed as `checked`; replay on the plain build may
make that `plain` later. A path that ends otherwise than in the search says that runs influence each other:
a divergence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

import numpy as np
from msgspec import Struct, field

from veer.execution.decode import Recording, decode, model_outcome
from veer.execution.protocol import Executor
from veer.findings.ordering import trail
from veer.findings.probes import last_input
from veer.findings.severity.longruns import STEPS_OF_A_TRY, limited
from veer.model.outcome import Outcome
from veer.model.program import Program
from veer.model.result import Bug, Confirmation, Test
from veer.model.taken import taken
from veer.oracles.bugs import Suspect, bug, identity
from veer.search.coverage import Items
from veer.search.reachable import told_sites
from veer.wire.layout import NONE, Loss
from veer.wire.shared import Shared

ALSO = -1
"""The path of a test that is a further input of another test's path."""


class Recorded(Struct, frozen=True):
    """Tests, not yet replayed, and bugs, confirmed as far as the fresh process shows them.

    `probes` are runs that ended at something that veer does not support: no tests, but what they cover counts.
    `notes`: what the user should know of the tests; `trails`: the way of each path (ordering.py).
    """

    tests: tuple[Test, ...]
    bugs: tuple[Bug, ...]
    probes: tuple[Test, ...] = ()
    notes: tuple[str, ...] = ()
    trails: Mapping[int, bytes] = field(default_factory=dict)


def record_tests(
    shared: Shared,
    executor: Executor,
    program: Program,
    paths: Sequence[int],
    suspects: Sequence[Suspect],
    stopped: Callable[[], bool] = lambda: False,
    traps: Mapping[int, str] = MappingProxyType({}),
) -> Recorded:
    """Runs each path again in `executor`, which must be a fresh process, and makes tests and bugs of what it shows.

    Once `stopped()`, the rest is left out. `traps`: what the compiler's checks find, by number.
    """
    items = Items(told_sites(program))
    tests: list[Test] = []
    probes: list[Test] = []
    again: dict[int, Recording] = {}
    names: dict[int, str] = {}
    trails: dict[int, bytes] = {}
    for path in paths:
        if stopped():
            break
        before = model_outcome(int(shared.published("paths")[path]["outcome"]))
        raw = shared.input_of(path)
        if shared.published("paths")[path]["node"] == NONE:  # its concolic run takes too long
            executor.run_concretely(raw)
            trails[path] = b""
        elif before is Outcome.HANG:
            trails[path] = _run_long(shared, executor, raw)
        else:
            executor.run(raw, record=True)
            trails[path] = trail(shared)
        recording = again[path] = decode(shared, program, raw)
        if recording.outcome is not before:
            shared.note_loss(Loss.DIVERGENCE, NONE)
        if recording.outcome in (Outcome.ASSUMPTION, Outcome.CAPACITY):
            continue
        if recording.outcome is Outcome.UNSUPPORTED:
            probes.append(_test(f"probe_{len(probes) + 1:03d}", path, recording, items, 2 * len(program.sites)))
            continue
        names[path] = f"test_{len(tests) + 1:03d}"
        tests.append(_test(names[path], path, recording, items, 2 * len(program.sites)))
        if program.watching is not None:
            executor.run_concretely(raw)  # it looks at all conditions, so that it is known which events fitted
    bugs = tuple(_bugs(program, suspects, again, names, traps))
    return Recorded(tuple(tests), bugs, tuple(probes), trails=trails)


def _run_long(shared: Shared, executor: Executor, raw: bytes) -> bytes:
    """Runs a hang to the end of its steps, without symbols, which is fifty times as fast; its trail is that of its
    beginning."""
    with limited(shared, steps=STEPS_OF_A_TRY):
        way = trail(shared) if executor.probe(raw) else b""
    executor.run_concretely(raw)
    if model_outcome(shared.run.last_outcome) is not Outcome.HANG:
        executor.run(raw, record=True)
    return way


def with_inputs(
    shared: Shared, executor: Executor, program: Program, tests: Sequence[Test], inputs: Mapping[int, bytes]
) -> tuple[Test, ...]:
    """The tests with other inputs of the same paths (by path); one that ends otherwise now stays what it was."""
    items = Items(told_sites(program))
    found = []
    for test in tests:
        raw = inputs.get(test.path)
        if raw is not None and executor.probe(raw):
            recording = decode(shared, program, last_input(shared))
            again = _test(test.name, test.path, recording, items, 2 * len(program.sites))
            test = again if (again.outcome, again.covers) == (test.outcome, test.covers) else test
        found.append(test)
    return tuple(found)


def more_tests(
    shared: Shared, executor: Executor, program: Program, tests: Sequence[Test], inputs: Iterable[bytes]
) -> list[tuple[Test, bytes]]:
    """Tests of further inputs of known paths, named behind the others, each with its trail; of those that return or
    exit, and whose runs take something else than another test's: bytes that no run looks at make no test."""
    items = Items(told_sites(program))
    number = max((int(test.name.rpartition("_")[2]) for test in tests), default=0)
    known = {taken(test.inputs, program.types) for test in tests}
    found: list[tuple[Test, bytes]] = []
    for raw in inputs:
        if executor.probe(raw):
            recording = decode(shared, program, last_input(shared))
            takes = taken(recording.inputs, program.types)
            if recording.outcome in (Outcome.RETURNED, Outcome.EXITED) and takes not in known:
                known.add(takes)
                name = f"test_{number + len(found) + 1:03d}"
                found.append((_test(name, ALSO, recording, items, 2 * len(program.sites)), trail(shared)))
    return found


def _test(name: str, path: int, recording: Recording, items: Items, edge_count: int) -> Test:
    edges = np.zeros(edge_count, np.uint8)
    edges[[edge for edge in recording.edges if edge < edge_count]] = 1
    return Test(
        name=name,
        inputs=recording.inputs,
        outcome=recording.outcome,
        exit_code=recording.exit_code,
        returned=recording.returned,
        covers=tuple(sorted(items.covered(edges))),
        replayed="not replayed: the suite was not built",
        path=path,
        outputs=recording.outputs,
        returned_object=recording.returned_object,
        callees=recording.callees,
        state=recording.state,
        called=recording.called,
        events=recording.events,
        left=recording.left,
    )


def _bugs(
    program: Program,
    suspects: Iterable[Suspect],
    again: dict[int, Recording],
    names: dict[int, str],
    traps: Mapping[int, str],
) -> Iterable[Bug]:
    entry = program.function(program.entry)
    for number, suspect in enumerate(suspects, 1):
        recording = again.get(suspect.path)
        fault = recording.fault if recording is not None else None
        silent = fault is None and recording is not None and recording.outcome is suspect.fault.outcome
        seen = silent or (fault is not None and identity(fault) == identity(suspect.fault))
        confirmed = Confirmation.CHECKED if seen else Confirmation.NO
        yield bug(number, suspect, traps, test=names.get(suspect.path, ""), confirmed=confirmed, entry=entry)
