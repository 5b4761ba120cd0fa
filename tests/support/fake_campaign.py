"""A toy engine in Python for tests of exploration: programs are functions that call `branch`, solving is enumeration.

    def program(toy):                    toy.input: two bytes
        if toy.branch(0, lambda d: d[0] > 3): ...

A condition is interned as an expression (site, condition); the tree is written into shared memory as by the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

import numpy as np

from veer.execution.protocol import Work
from veer.smt.protocol import Answer, Query, Sat, Unknown, Unsat
from veer.wire.layout import NONE, Kind, Outcome, PathFlag, State
from veer.wire.shared import Shared

Condition = Callable[[bytes], bool]


class Toy:
    """One run of a toy program: its input, its trace of (kind, site, expression, alternative)."""

    def __init__(self, engine: ToyExecutor, data: bytes) -> None:
        self.engine = engine
        self.input = data
        self.trace: list[tuple[Kind, int, int, int]] = []
        self.outcome = Outcome.RETURNED

    def branch(self, site: int, condition: Condition) -> bool:
        """A decision on a condition of the input. The condition must not capture anything that changes between runs."""
        expression = self.engine.expression(site, condition)
        taken = condition(self.input)
        self.trace.append((Kind.BRANCH, site, expression, int(taken)))
        return taken


class ToyExecutor:
    """The Executor protocol over `program`; sites in `hard` are left to smt, sites in `wild` diverge when aimed at."""

    restarts = 0

    def __init__(
        self,
        shared: Shared,
        program: Callable[[Toy], None],
        values: Sequence[int] = tuple(range(8)),
        length: int = 2,
        hard: frozenset[int] = frozenset(),
        wild: frozenset[int] = frozenset(),
    ) -> None:
        self.shared = shared
        self.program = program
        self.inputs = [bytes(v) for v in product(values, repeat=length)]
        self.hard = hard
        self.wild = wild
        self.expressions: list[tuple[int, Condition]] = []
        self.batches: list[int] = []
        self.paths: set[tuple[tuple[int, int], ...]] = set()
        shared.counts.edge_count = 64

    def expression(self, site: int, condition: Condition) -> int:
        for index, (known, code) in enumerate(self.expressions):
            if known == site and code.__code__ is condition.__code__:
                return index + 2
        self.expressions.append((site, condition))
        return len(self.expressions) + 1

    def value(self, expression: int, data: bytes) -> bool:
        return self.expressions[expression - 2][1](data)

    def run(self, input: bytes, *, record: bool = False, filler: int = 0) -> Work:
        self._merge(input or bytes([(7 - filler) % 7] * len(self.inputs[0])))
        return Work()

    def expand(self, ids: Sequence[int], *, deadline: float | None = None) -> Work:
        self.batches.append(len(ids))
        for done, node in enumerate(ids):
            if self.shared.command.stop:
                return Work(left=tuple(ids[done:]))
            self._expand(int(node))
        return Work()

    def follow(self, node: int, input: bytes) -> Work:
        self._merge(input)
        if self._state[node] == State.QUEUED:
            self._state[node] = State.DIVERGED
        return Work()

    def mutate(self, runs: int, *, deadline: float | None = None) -> Work:
        """A toy is changed by nobody."""
        return Work()

    def depth_first(self, node: int, *, max_runs: int, deadline: float | None = None) -> Work:
        raise NotImplementedError

    def close(self) -> None:
        """Nothing to end."""

    @property
    def _state(self) -> np.ndarray:
        return self.shared.region("tree_state")

    def _expand(self, node: int) -> None:
        tree = {name: self.shared.region(f"tree_{name}") for name in ("parent", "literal", "alternative", "site")}
        if self._state[node] != State.OPEN:
            return
        site = int(tree["site"][node])
        if site in self.hard:
            queue = self.shared.counts.queue_count
            self.shared.region("queue")[queue] = node
            self.shared.counts.queue_count = queue + 1
            self._state[node] = State.QUEUED
            return
        literals, walk = [], node
        while walk:
            literals.append((int(tree["literal"][walk]), bool(tree["alternative"][walk])))
            walk = int(tree["parent"][walk])
        found = self.model(literals)
        if site in self.wild:
            self._state[node] = State.DIVERGED
            self.shared.counts.diverged += 1
        elif found is None:
            self._state[node] = State.INFEASIBLE
        else:
            self._merge(found)

    def model(self, literals: Sequence[tuple[int, bool]]) -> bytes | None:
        """The first input, by enumeration, that satisfies all literals."""
        return next((d for d in self.inputs if all(self.value(e, d) == p for e, p in literals)), None)

    def _merge(self, data: bytes) -> None:
        toy = Toy(self, data)
        self.program(toy)
        shared = self.shared
        path = self.shared.counts.path_count
        node, news = self._walk(toy, path)
        key = tuple((site, taken) for _, site, _, taken in toy.trace)
        flags = PathFlag.NEW_EDGE if news else 0
        if key not in self.paths:
            self.paths.add(key)
            flags |= PathFlag.NEW_PATH
            self.shared.counts.distinct_paths += 1
        start = self.shared.counts.input_bytes
        shared.region("inputs")[start : start + len(data)] = np.frombuffer(data, np.uint8)
        record = (hash(key) & 0xFFFF_FFFF, start, len(data), node, NONE, int(toy.outcome), int(flags), 0)
        shared.region("paths")[path] = record
        self.shared.counts.input_bytes = start + len(data)
        if news:
            shared.region("interesting")[self.shared.counts.interesting_count] = path
            self.shared.counts.interesting_count += 1
        self.shared.counts.path_count = path + 1
        self.shared.counts.runs += 1

    def _walk(self, toy: Toy, path: int) -> tuple[int, bool]:
        """Follows the trace through the tree, appending what is new; the last node, and whether an edge is new."""
        shared = self.shared
        tree = {
            n: shared.region(f"tree_{n}")
            for n in ["parent", "child", "sibling", "literal", "site", "path", "depth", "alternative", "kind"]
        }
        if not self.shared.counts.tree_count:
            self._state[0] = State.TAKEN
            self.shared.counts.tree_count = 1
        node, news = 0, False
        for depth, (kind, site, literal, taken) in enumerate(toy.trace, 1):
            if not tree["child"][node]:
                first = self.shared.counts.tree_count
                for side in (0, 1):
                    values = (node, 0, first + 1 if side == 0 else 0, literal, site, path, depth, side, int(kind))
                    for name, value in zip(tree, values, strict=True):
                        tree[name][first + side] = value
                    self._state[first + side] = State.OPEN
                self.shared.counts.tree_count = first + 2
                tree["child"][node] = first
            node = int(tree["child"][node]) + taken
            edge = 2 * site + taken
            if self._state[node] != State.TAKEN:
                self._state[node] = State.TAKEN
                shared.region("edge_taken")[edge] += 1
            news |= not shared.region("edge_seen")[edge]
            shared.region("edge_seen")[edge] = 1
        return node, news


class ToySolver:
    """Answers queries by enumeration; literals of sites in `unknown` it does not know, of `slow` with patience only."""

    def __init__(
        self, executor: ToyExecutor, unknown: frozenset[int] = frozenset(), slow: frozenset[int] = frozenset()
    ) -> None:
        self.executor = executor
        self.unknown = unknown
        self.slow = slow
        self.asked: list[tuple[int, float]] = []  # site, patience

    def solve(self, query: Query) -> Answer:
        site = self.executor.expressions[query.literals[-1][0] - 2][0]
        self.asked.append((site, query.patience))
        if site in self.unknown:
            return Unknown("time limit", "toy")
        if site in self.slow and query.patience <= 1:
            return Unknown("time limit", "toy", by_limit=True)
        found = self.executor.model(query.literals)
        return Unsat("toy") if found is None else Sat(found, "toy")
