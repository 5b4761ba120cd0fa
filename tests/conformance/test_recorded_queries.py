"""Queries of real campaigns through every combination of links of the chain and every back end: the same verdicts.

The corpus is the execution tree of a small campaign: each side of a decision is a query that the campaign has answered
(TAKEN: there is an input; INFEASIBLE: there is none). Models are verified by evaluation.
"""

from __future__ import annotations

import contextlib
import itertools
import random
from collections.abc import Iterator

import pytest
from back_ends import BACK_ENDS
from random_program import program

from veer.execution.engine import EngineLibrary, Verdict, attached
from veer.execution.executor import PersistentExecutor
from veer.execution.limits import Limits
from veer.exploration.constraints import PathConstraints
from veer.exploration.settings import configure
from veer.exploration.tree import Tree
from veer.frontends.c import build as front_end
from veer.model.options import BuildOptions, SearchOptions
from veer.session import Session
from veer.smt.arena import Arena
from veer.smt.checking import CheckedSolver, Checker, NearSolver
from veer.smt.evaluate import GuardedEvaluator
from veer.smt.memory import KnownAnswers, RecentModels
from veer.smt.protocol import Eliminated, Query, Sat, SmtOptions, Solver, Unsat
from veer.smt.slices import SlicedSolver
from veer.smt.syntactic import SyntacticSolver
from veer.toolchain import compiler
from veer.toolchain.runtime import engine_library
from veer.wire.layout import State
from veer.wire.shared import Shared

LINKS = ("recent models", "known answers", "near", "slice", "syntactic")  # from the back end up
QUERIES = 12  # of each verdict
SEED = 4


class Corpus:
    """What a campaign asked, what it found, and what is needed to ask again."""

    def __init__(self, shared: Shared, engine: EngineLibrary) -> None:
        regions = [shared.region(name) for name in ("nodes", "leaves", "supports", "tables")]
        counts = (lambda: shared.count("nodes"), lambda: shared.count("leaves"))
        self.arena = Arena(regions[0], regions[1], *counts, *regions[2:])
        self.engine = engine
        self.checker = Checker(self.arena, GuardedEvaluator(self.arena, engine))
        self.queries: list[tuple[Query, bool]] = []
        tree, source = Tree.of(shared), random.Random(SEED)
        for state in (State.TAKEN, State.INFEASIBLE):
            nodes = [node for node in tree.in_state(state).tolist() if node and tree.literal[node]]
            for node in source.sample(nodes, min(QUERIES, len(nodes))):
                parent = shared.input_of(int(tree.path[tree.parent[node]]))
                self.queries.append((Query(PathConstraints(tree).of(node), parent), state == State.TAKEN))


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    source = tmp_path_factory.mktemp("queries") / "program.c"
    source.write_text(program(SEED))
    toolchain = compiler.find()
    build, search = BuildOptions((source,), "f"), SearchOptions(criterion="path", budget=30.0)
    made = front_end.build(build, toolchain)
    with Shared() as shared:
        configure(shared, made, build, search)
        session = Session(shared, made, search)
        with contextlib.closing(PersistentExecutor(made.executable, shared, Limits(timeout=5.0))) as executor:
            session.explorer(executor).explore()
        with attached(engine_library(toolchain), shared) as engine:
            assert engine is not None
            yield Corpus(shared, engine)


def _chain(corpus: Corpus, back_end: str, links: tuple[str, ...]) -> Solver:
    """A back end under some of the links, in the chain's order."""
    options = SmtOptions(time_limit=30_000)
    solver: Solver = CheckedSolver(corpus.checker, BACK_ENDS[back_end](corpus.arena, options))
    for link in links:
        match link:
            case "recent models":
                solver = RecentModels(corpus.checker, solver, options.recent_models)
            case "known answers":
                solver = KnownAnswers(solver, options.known_cores)
            case "near":
                solver = NearSolver(corpus.checker, solver)
            case "slice":
                solver = SlicedSolver(corpus.arena, corpus.checker, solver, Eliminated())
            case _:
                solver = SyntacticSolver(corpus.arena, solver, Eliminated())
    return solver


@pytest.mark.parametrize("back_end", ["bitwuzla", "bitwuzla-fresh", "z3"])
@pytest.mark.xdist_group("recorded queries")
def test_every_combination_of_links_gives_the_campaigns_verdicts(corpus: Corpus, back_end: str) -> None:
    assert {expected for _, expected in corpus.queries} == {True, False}
    for size in range(len(LINKS) + 1):
        for links in itertools.combinations(LINKS, size):
            solver = _chain(corpus, back_end, links)
            for query, expected in corpus.queries:
                answer = solver.solve(query)
                assert isinstance(answer, Sat if expected else Unsat), (links, query, answer)
                assert not expected or corpus.checker.admits(query.literals, answer.input)


@pytest.mark.xdist_group("recorded queries")
def test_the_ladder_says_the_same_or_nothing(corpus: Corpus) -> None:
    known = 0
    for query, expected in corpus.queries:
        answer = corpus.engine.ladder(query.literals, query.parent)
        if answer.verdict is not Verdict.UNKNOWN:
            assert (answer.verdict is Verdict.SAT) == expected, query
            assert not expected or corpus.checker.admits(query.literals, answer.input)
            known += 1
    assert known > len(corpus.queries) // 4
