"""Runs the unit of all operations in veer's executor and keeps the expressions that it records, natively evaluated.

    run(a b c d e) ─► trace: ... [site of op_7] x == 0 false, [site of op_7] (x / y) == e false ...
                                  conditions of the expression    its literal: the result equals e

A recording says something about an input only if its conditions hold there; else that input is run too. A run records a
condition only once, so that veer's own (an amount of a shift is in range) are conditions of all later operations.
"""

from __future__ import annotations

import contextlib
import ctypes
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from operations import Operation, first_line, native_text, unit_text

from veer.execution.engine import EngineLibrary, attached
from veer.execution.executor import PersistentExecutor
from veer.execution.limits import ExecutorLimits
from veer.frontends.c import build as front_end
from veer.model.buildoptions import BuildOptions
from veer.model.searchoptions import SearchOptions
from veer.search.settings import configure
from veer.smt.arena import Arena
from veer.smt.protocol import Literal
from veer.toolchain import compiler
from veer.toolchain.compiling import compile_object
from veer.toolchain.linking import link_shared
from veer.toolchain.runtime import engine_library
from veer.wire.layout import Kind, Op
from veer.wire.shared import Shared

WORDS = 5
"""Input words: a, b, c, d and e, the expected result."""

Words = tuple[int, int, int, int]


@dataclass(frozen=True)
class Recorded:
    """What one run says of one operation: under `conditions`, `literal` holds if and only if the result equals e."""

    conditions: tuple[tuple[int, bool], ...]
    literal: int


class Native:
    """The operations as the plain compiler makes them."""

    def __init__(self, chosen: list[Operation], folder: Path) -> None:
        toolchain = compiler.find()
        source, made, target = (folder / f"native.{suffix}" for suffix in ("c", "o", "so"))
        source.write_text(native_text(chosen))
        said = compile_object(toolchain, source, made, ("-O0", "-w", "-fPIC", "-std=gnu23"))
        assert said.code == 0, said.messages
        said = link_shared(toolchain, [made], target)
        assert said.code == 0, said.messages
        self._library = ctypes.CDLL(str(target))

    def results(self, number: int, words: list[Words]) -> list[int | None]:
        """The result for each input; None where it is undefined."""
        inputs = np.array(words, np.uint64)
        results, defined = np.zeros(len(words), np.uint64), np.zeros(len(words), np.uint8)
        pointers = [ctypes.c_void_p(array.ctypes.data) for array in (inputs, results, defined)]
        self._library.evaluate(number, pointers[0], ctypes.c_long(len(words)), pointers[1], pointers[2])
        return [value if there else None for value, there in zip(results.tolist(), defined.tolist(), strict=True)]


class Recorder:
    """The unit in an executor. `recordings` by operation number, in the order in which they were made."""

    def __init__(
        self,
        count: int,
        program: front_end.Program,
        shared: Shared,
        executor: PersistentExecutor,
        engine: EngineLibrary,
    ) -> None:
        self._executor = executor
        self._shared = shared
        self.engine = engine
        self.arena = Arena.of(shared)
        first = first_line()
        lines = [site.line - first for site in program.sites]
        self._operation_of = [line if 0 <= line < count else None for line in lines]
        self.recordings: list[list[Recorded]] = [[] for _ in range(count)]
        self.runs = 0

    def run(self, words: tuple[int, ...]) -> dict[int, bool]:
        """Runs an input; whether each operation whose result was symbolic compared equal to the word e."""
        self._executor.run(pack(words), record=True)
        self.runs += 1
        events: dict[int, list[tuple[int, bool]]] = {}
        guards: list[tuple[int, bool]] = []
        for event in self._shared.region("trace")[: self._shared.counts.trace_count]:
            operation = self._operation_of[int(event["site"])]
            if operation is not None:
                literal = (int(event["literal"]), bool(event["alternative"]))
                events.setdefault(operation, [*guards]).append(literal)
                if event["kind"] == Kind.GUARD:
                    guards.append(literal)
        compared = {}
        for operation, (*conditions, (literal, equal)) in events.items():
            if self.expected_leaf in self.arena.support(literal):
                self.recordings[operation].append(Recorded(tuple(conditions), literal))
                compared[operation] = equal
        return compared

    def is_symbolic(self, recorded: Recorded) -> bool:
        """Whether the result depends on the operands: one that does not is a constant, or was made concrete."""
        return len(self.arena.support(recorded.literal)) > 1

    @property
    def expected_leaf(self) -> int:
        """The leaf of the word e."""
        return next(k for k in range(WORDS) if self.arena.leaf(k).position == 8 * (WORDS - 1))

    def recorded_for(self, operation: int, words: Words) -> Recorded | None:
        """A recording whose conditions hold for an input; None if there is none yet."""
        data = pack((*words, 0))
        for recorded in self.recordings[operation]:
            if self.engine.holds(recorded.conditions, data):
                return recorded
        return None

    def fixed(self, data: bytes) -> tuple[Literal, ...]:
        """The literals "each word is what it is in this input"."""
        made = []
        for index in range(WORDS):
            leaf = self.arena.leaf(index)
            value = self.engine.constant(leaf.width, leaf.read(data))
            made.append((self.engine.expression(Op.EQ, 1, self.engine.leaf_expression(index), value), True))
        return tuple(made)

    def below(self, word: int, limit: int) -> int:
        """The literal "this word is less than a number"."""
        leaf = self.engine.leaf_expression(word)
        return self.engine.expression(Op.ULT, 1, leaf, self.engine.constant(64, limit))

    def relations(self, recorded: Recorded, source: random.Random) -> list[int]:
        """Comparisons of a recorded result with values that it has, where the literal still shows what it compares."""
        node = self.arena.node(recorded.literal)
        sides = [side for side in (node.a, node.b) if self.expected_leaf not in self.arena.support(side)]
        if node.op != Op.EQ or len(sides) != 1:
            return []
        result, width = sides[0], self.arena.node(sides[0]).width
        made = []
        for op in (Op.EQ, Op.ULT, Op.SLE):
            words = (source.randrange(64), source.randrange(64), 0, 0, 0)
            value = self.engine.constant(width, self.engine.evaluate(result, pack(words)) + source.randrange(2))
            made.append(self.engine.expression(op, 1, *source.sample((result, value), 2)))
        return [relation for relation in made if self.arena.node(relation).op != Op.CONST]


def pack(words: tuple[int, ...]) -> bytes:
    """The input of these words."""
    return b"".join(word.to_bytes(8, "little") for word in words)


@contextlib.contextmanager
def recorder(chosen: list[Operation], folder: Path) -> Iterator[Recorder]:
    """A recorder over a new campaign."""
    source = folder / "operations.c"
    source.write_text(unit_text(chosen))
    toolchain = compiler.find()
    build, search = BuildOptions((source,), "check", std="gnu23", no_checks=("all",)), SearchOptions(max_branches=0)
    program = front_end.build(build, toolchain)
    with Shared() as shared, attached(engine_library(toolchain), shared) as engine:
        assert engine is not None
        configure(shared, program, build, search)
        with contextlib.closing(
            PersistentExecutor(program.executable, shared, ExecutorLimits(timeout=30.0))
        ) as executor:
            yield Recorder(len(chosen), program, shared, executor, engine)
