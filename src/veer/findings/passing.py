"""Paths whose tests pass, and say more than those that the search kept because they covered something new.

    split("=", &x, &x)      leaks: the search met the branch there first, and no test that passes covers it
    split("=", &x, &y)      the same branch, which returns
    count({7})              one round of a loop
    count({7, 7})           two, which tell a sum from its last summand
    push(l, 5); push(l, 7)  a call behind another one, of a sequence
    parse("7"), parse("x")  one that returns, and one that throws what the library throws
    find(""), find("a")     one that returns null, and one that returns an object

Wanted are tests that pass for all that tests of bugs cover; with pointers to objects of their own, for two objects that
are one hide which of them is meant; with two rounds of each loop (ordering.repeated); with each order of two calls; and
one for each class that is thrown, and for each sort of what is returned (model/callresult.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from msgspec import Struct, field

from veer.execution.decode import Recording, decode
from veer.execution.protocol import Executor
from veer.findings.deadline import Deadline
from veer.findings.ordering import repeated, trail
from veer.findings.probes import last_input
from veer.findings.rerun import Recorded
from veer.model.callresult import ending
from veer.model.inputs import shared_objects
from veer.model.outcome import Outcome
from veer.model.program import Program
from veer.model.sequence import call_orders
from veer.search.coverage import Items
from veer.search.reachable import told_sites
from veer.wire.shared import Shared

PASS = (Outcome.RETURNED, Outcome.EXITED)
_MOST_SECONDS = 1.0
_NEVER = 1 << 30


def passing_paths(
    shared: Shared,
    executor: Executor,
    program: Program,
    found: Recorded,
    paths: Iterable[int],
    deadline: Deadline,
    stopped: Callable[[], bool],
) -> tuple[int, ...]:
    """Paths among `paths` that pass, and cover what no test of `found` that passes covers, or more of it."""
    wanted = _Wanted(program, Items(told_sites(program)))
    for test in found.tests:
        wanted.note(test.covers, shared_objects(test.inputs), is_passing=test.outcome in PASS)
        if test.outcome in PASS:
            wanted.rounds |= repeated(found.trails.get(test.path, b""), program)
            wanted.orders |= call_orders(program.sequence, test.inputs.calls)
            wanted.ends |= {ending(program, test.returned)}
    deadline = deadline.usually(_MOST_SECONDS)
    kept = []
    for path in paths:
        if stopped() or deadline.is_over:
            break
        if executor.probe(shared.input_of(path)):
            recording = decode(shared, program, last_input(shared))
            if recording.outcome in PASS and wanted.is_better(recording, trail(shared)):
                kept.append(path)
    return tuple(kept)


class _Wanted(Struct):
    """What is known so far: by coverage item, in how few places of an input an object of another one lies; the sites
    with a second round; in which orders functions are called; how calls end."""

    program: Program
    items: Items
    shares: dict[int, int] = field(default_factory=dict)
    rounds: frozenset[int] = frozenset()
    orders: frozenset[tuple[int, ...]] = frozenset()
    ends: frozenset[tuple[int, str] | None] = frozenset({None})

    def note(self, covers: Iterable[int], share: int, *, is_passing: bool) -> None:
        for item in covers:
            self.shares[item] = min(self.shares.get(item, _NEVER), share if is_passing else _NEVER)

    def is_better(self, recording: Recording, way: bytes) -> bool:
        """Whether this run has something new, which is known from now on."""
        edges = np.zeros(2 * len(self.program.sites), np.uint8)
        edges[[edge for edge in recording.edges if edge < len(edges)]] = 1
        share, rounds = shared_objects(recording.inputs), repeated(way, self.program)
        better = [item for item in self.items.covered(edges) if share < self.shares.get(item, 0)]
        orders = call_orders(self.program.sequence, recording.inputs.calls)
        ends = {ending(self.program, recording.returned)}
        is_new = bool(better or rounds - self.rounds or orders - self.orders or ends - self.ends)
        self.note(better, share, is_passing=True)
        self.rounds |= rounds
        self.orders |= orders
        self.ends |= ends
        return is_new
