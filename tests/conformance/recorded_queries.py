"""Queries that real campaigns asked, and what is needed to ask them again.

The corpus is the execution tree of a small campaign. Each side of a decision is a query: TAKEN by a run that was aimed
at it (there is an input), INFEASIBLE (there is none), or still open (nobody has asked yet).
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import brute_header
from random_program import program
from veer_side import build_options

from veer.execution.engine import EngineLibrary, LadderAnswer, attached
from veer.execution.executor import PersistentExecutor
from veer.execution.limits import ExecutorLimits
from veer.frontends.c import build as front_end
from veer.model.buildoptions import BuildOptions
from veer.model.searchoptions import SearchOptions
from veer.search.constraints import PathConstraints
from veer.search.explorer import Explorer
from veer.search.settings import configure
from veer.search.tools import local_scene
from veer.search.tree import Tree
from veer.smt.arena import Arena
from veer.smt.checking import Checker
from veer.smt.evaluate import GuardedEvaluator
from veer.smt.protocol import Query
from veer.toolchain import compiler
from veer.toolchain.runtime import engine_library
from veer.wire.layout import RUNGS, Kind, State
from veer.wire.shared import Shared

ROOT = Path(__file__).resolve().parents[2]
SEED = 4
SUBJECTS = {
    **{"records": 8, "atoi": 6, "bubble": 5, "json": 10, "splat": 8},
    **dict.fromkeys(("testme", "triangle", "hash", "quadratic", "regexp", "ifs", "expression"), 0),
}
"""Of bench/subjects, with their sizes; 0 = they have none."""
PROGRAMS = (
    *("bit_tricks", "buffer_length", "division_wide", "float_compare", "graph_list", "int_values", "libc_sscanf"),
    *("libc_strtod", "libc_strtol", "saturating", "shared_node", "shifts", "sized_index", "sort_three"),
    *("string_search", "switch_ranges", "symbolic_buckets", "symbolic_code_table", "symbolic_inverse"),
    *("symbolic_matrix", "symbolic_overflow", "symbolic_utf8", "table_lookup", "wide_bits", "wide_modulus"),
)
"""Of tests/programs: those whose conditions are of many kinds."""
_STATES = {State.TAKEN: True, State.INFEASIBLE: False, State.OPEN: None, State.QUEUED: None}


@dataclass(frozen=True)
class Recorded:
    """A query and whether an input satisfies it, None = nobody has asked."""

    query: Query
    expected: bool | None


class Corpus:
    """Some queries of a campaign: `count` at most of each verdict."""

    def __init__(self, shared: Shared, engine: EngineLibrary, count: int) -> None:
        self._shared = shared
        regions = [shared.region(name) for name in ("nodes", "leaves", "supports", "tables")]
        counts = (lambda: shared.count("nodes"), lambda: shared.count("leaves"))
        self.arena = Arena(regions[0], regions[1], *counts, *regions[2:])
        self.engine = engine
        self.checker = Checker(self.arena, GuardedEvaluator(self.arena, engine))
        self.queries: list[Recorded] = []
        tree, source = Tree.of(shared), random.Random(SEED)
        constraints = PathConstraints(tree)
        for state, expected in _STATES.items():
            nodes = [node for node in tree.in_state(state).tolist() if _is_asked(tree, node)]
            for node in source.sample(nodes, min(count, len(nodes))):
                parent = shared.input_of(int(tree.path[tree.parent[node]]))
                self.queries.append(Recorded(Query(constraints.of(node), parent), expected))

    def ladder(self, query: Query, off: frozenset[str] = frozenset()) -> LadderAnswer:
        """What the ladder says without some of its rungs."""
        self._shared.options.rungs_off = sum(1 << number for number, name in enumerate(RUNGS) if name in off)
        return self.engine.ladder(query.literals, query.parent)


def _is_asked(tree: Tree, node: int) -> bool:
    """Whether somebody has to be asked for a way to the node: the run that was at its parent first went elsewhere."""
    if not node or tree.kind[node] == Kind.CHOICE:
        return False
    return bool(tree.state[node] != State.TAKEN or tree.path[node] != tree.path[tree.parent[node]])


def options_of(name: str, scratch: Path) -> BuildOptions:
    """How a program is built: `random`, or one of SUBJECTS or of PROGRAMS."""
    if name == "random":
        source = scratch / "program.c"
        source.write_text(program(SEED))
        return BuildOptions((source,), "f")
    if name in SUBJECTS:
        flags = (f"-DSIZE={SUBJECTS[name]}",) if SUBJECTS[name] else ()
        return BuildOptions((ROOT / "bench" / "subjects" / f"{name}.c",), "main", cflags=flags)
    return build_options(brute_header.read(ROOT / "tests" / "programs" / f"{name}.c"))


@contextlib.contextmanager
def recorded(build: BuildOptions, count: int) -> Iterator[Corpus]:
    """The queries of a campaign of some thousand runs at most."""
    toolchain = compiler.find()
    search = SearchOptions(criterion="path", budget=20.0, max_runs=2000, max_steps=200_000)
    made = front_end.build(build, toolchain)
    with Shared() as shared:
        configure(shared, made, build, search)
        scene = local_scene(shared, made, search)
        with contextlib.closing(PersistentExecutor(made.executable, shared, ExecutorLimits(timeout=5.0))) as executor:
            Explorer.of(scene, executor).explore()
        with attached(engine_library(toolchain), shared) as engine:
            assert engine is not None
            yield Corpus(shared, engine, count)
