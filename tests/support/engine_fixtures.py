"""The engine's library for tests: attached to a campaign of its own, alone or with a C program as the tracer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from smt_dag import ArenaBuilder

from veer.execution.engine import EngineLibrary
from veer.smt.arena import OPERAND_COUNT
from veer.toolchain import compiler
from veer.toolchain.cache import digest
from veer.toolchain.chunks import Chunk, source_of
from veer.toolchain.compiler import RUNTIME_FLAGS
from veer.toolchain.compiling import compile_object
from veer.toolchain.linking import link_shared
from veer.toolchain.runtime import INCLUDE, RUNTIME, engine_library, engine_objects, runtime_version
from veer.wire.layout import NONE, Op
from veer.wire.shared import Shared

HERE = Path(__file__).parent


@contextmanager
def campaign(library: Path | None = None) -> Iterator[tuple[EngineLibrary, Shared]]:
    """A fresh campaign with the engine attached."""
    shared = Shared()
    engine = EngineLibrary(library or engine_library(compiler.find()))
    engine.attach(shared)
    try:
        yield engine, shared
    finally:
        engine.detach()
        shared.close()


def library_with(program: str) -> Path:
    """The engine's library with tests/support/engine/PROGRAM in the tracer's place, compiled once."""
    source = HERE / "engine" / program
    key = digest(
        "engine test", runtime_version(), source.read_bytes(), (HERE / "engine" / "fake_tracer.h").read_bytes()
    )
    return _linked(key, ("-Wall", "-Wextra", "-Werror"), source, ())


def library_mutated(file: str, old: str, new: str) -> Path:
    """The engine's library with a mistake in one of its files, compiled once."""
    text = (RUNTIME / "engine" / file).read_text()
    assert text.count(old) == 1, (file, old)
    key = digest("engine mutated", runtime_version(), file, old, new)
    chunk = next(each for each in engine_objects(compiler.find()) if RUNTIME / "engine" / file in each)
    with compiler.find().cache.scratch() as scratch:
        (scratch / file).write_text(text.replace(old, new))
        mutated = tuple(scratch / file if each.name == file else each for each in chunk)
        (scratch / "chunk.c").write_text(source_of(mutated))
        return _linked(key, ("-w",), scratch / "chunk.c", chunk)


def _linked(key: str, flags: Sequence[str], source: Path, instead_of: Chunk) -> Path:
    """The engine's objects with that of one more source, but that of one chunk."""
    toolchain = compiler.find()
    found = toolchain.cache.find("test", key, ".so")
    if found is not None:
        return found
    with toolchain.cache.scratch() as scratch:
        made, output = scratch / "one_more.o", scratch / "engine.so"
        folders = ("-I", str(INCLUDE), "-I", str(RUNTIME), "-I", str(RUNTIME / "engine"))
        said = compile_object(toolchain, source, made, (*RUNTIME_FLAGS, *flags, *folders))
        assert said.code == 0, said.messages
        objects = [path for chunk, path in engine_objects(toolchain).items() if chunk != instead_of]
        said = link_shared(toolchain, [*objects, made], output)
        assert said.code == 0, said.messages
        return toolchain.cache.publish(output, "test", key, ".so")


class Mirror:
    """Builds each expression twice: as it is written (`dag`, for the reference evaluator) and natively (`native`)."""

    def __init__(self, engine: EngineLibrary) -> None:
        self.engine = engine
        self.dag = ArenaBuilder()
        self._native: dict[int, int] = {}
        self._object = engine.object("input")

    def leaf(self, width: int) -> int:
        """A new leaf in both; its expression in `dag`."""
        expression = self.dag.leaf(width)
        leaf = self.engine.leaf(self._object, int(self.dag.input_bytes), width)
        assert leaf == self.dag.leaf_count - 1
        self._native[expression] = self.engine.leaf_expression(leaf)
        return expression

    def native(self, expression: int) -> int:
        """The native expression that means the same."""
        done = len(self._native) and max(self._native) + 1
        for index in range(min(done, expression), expression + 1):
            if index >= 2 and index not in self._native:
                self._native[index] = self._translate(index)
        return self._native[expression]

    def _translate(self, index: int) -> int:
        node = self.dag.arena.node(index)
        if node.op == Op.CONST:
            return self.engine.constant(node.width, node.value)
        count = OPERAND_COUNT[node.op]
        a, b, c = (self.native(operand) for operand in (*(node.a, node.b, node.c)[:count], *(node.a,) * (3 - count)))
        has_number = node.op in (Op.EXTRACT, Op.LOOKUP)
        if node.op == Op.EXTRACT:
            b = node.b
        if node.op == Op.LOOKUP:
            b = self.engine.table(self.dag.arena.table(node).tolist(), node.width)
        return self.engine.expression(
            Op(node.op), node.width, a, b if count > 1 or has_number else 0, c if count > 2 else 0
        )


__all__ = ["NONE", "Mirror", "campaign", "library_mutated", "library_with"]
