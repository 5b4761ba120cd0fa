"""Queries of real campaigns through every combination of rungs, links and back ends: the same verdicts.

Of the links every subset on every back end, on one program; in ./check on bitwuzla, on others each alone, none and all.
On many programs each rung alone, each rung and each link left out, none and all. Models are verified by evaluation,
every proof that there is none is asked of the solvers.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import pytest
from back_ends import BACK_ENDS, INSTALLED
from recorded_queries import PROGRAMS, SUBJECTS, Corpus, Recorded, options_of, recorded
from sampling import IS_LONG, sampled

from veer.execution.engine import Verdict
from veer.model.searchoptions import LADDER_RUNGS
from veer.smt.chain import chain
from veer.smt.checking import CheckedSolver, NearSolver
from veer.smt.memory import KnownAnswers, RecentModels
from veer.smt.protocol import Answer, Eliminated, Query, Sat, SmtOptions, Solver, Unknown, Unsat
from veer.smt.slices import SlicedSolver
from veer.smt.syntactic import SyntacticSolver

LINKS = ("recent models", "known answers", "near", "slice", "syntactic")  # from the back end up
SWITCHES = (
    "syntactic",
    "common",
    "slice",
    "near",
    "cores",
    "models",
    "pins",
    "products",
    "sampling",
    "fresh",
    "preprop",
)
QUERIES = 40 if IS_LONG else 12  # of each verdict
EVERY = frozenset(LADDER_RUNGS)
LADDERS: dict[str, frozenset[str]] = {  # name → what is left out
    "all rungs": frozenset(),
    **{f"only {rung}": EVERY - {rung} for rung in LADDER_RUNGS},
    **{f"without {rung}": frozenset({rung}) for rung in LADDER_RUNGS},
}
CHECKED = sampled(["random", *SUBJECTS, *PROGRAMS], lambda name: name in ("records", "libc_strtol", "float_compare"))


@pytest.fixture(scope="module")
def corpus(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    with recorded(options_of(request.param, tmp_path_factory.mktemp("queries")), QUERIES) as queries:
        yield queries


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


@pytest.mark.parametrize("corpus", ["random"], indirect=True)
@pytest.mark.parametrize("back_end", [*INSTALLED, "bitwuzla-fresh"])
@pytest.mark.xdist_group("recorded queries")
def test_every_combination_of_links_gives_the_campaigns_verdicts(corpus: Corpus, back_end: str) -> None:
    asked = [each for each in corpus.queries if each.expected is not None]
    if not IS_LONG and back_end == "cvc5":  # it takes 23 s for all
        asked = [each for verdict in (True, False) for each in asked if each.expected is verdict][
            :: len(asked) // 8 or 1
        ]
    assert {each.expected for each in asked} == {True, False}
    sizes = list(range(len(LINKS) + 1))
    if back_end != "bitwuzla":
        sizes = sampled(sizes, lambda size: size in (0, 1, len(LINKS)))
    for size in sizes:
        for links in itertools.combinations(LINKS, size):
            solver = _chain(corpus, back_end, links)
            for each in asked:
                answer = solver.solve(each.query)
                assert isinstance(answer, Sat if each.expected else Unsat), (links, each, answer)
                assert not each.expected or corpus.checker.admits(each.query.literals, answer.input)


def _solvers(corpus: Corpus) -> dict[str, Callable[[Query], Answer]]:
    """Whoever answers a query: the ladder with some rungs, the chain with some links, back ends alone."""

    def of_ladder(off: frozenset[str]) -> Callable[[Query], Answer]:
        def solve(query: Query) -> Answer:
            said = corpus.ladder(query, off)
            if said.verdict is Verdict.SAT:
                return Sat(said.input, "ladder")
            return Unsat("ladder") if said.verdict is Verdict.UNSAT else Unknown("", "ladder")

        return solve

    def of_chain(*without: str) -> Callable[[Query], Answer]:
        options = SmtOptions(time_limit=5_000, without=frozenset(without))
        return chain(corpus.arena, corpus.engine, options).solve

    return {
        **{name: _chain(corpus, name, ()).solve for name in INSTALLED},
        "chain": of_chain(),
        **{f"chain without {link}": of_chain(link) for link in SWITCHES},
        **{name: of_ladder(off) for name, off in LADDERS.items()},
    }


def _disagreements(corpus: Corpus, each: Recorded, solvers: dict[str, Callable[[Query], Answer]]) -> list[str]:
    """Models that do not hold, and verdicts that are not all the same (or not what the campaign found)."""
    said = {name: solve(each.query) for name, solve in solvers.items()}
    wrong = [
        f"{name}: its model does not hold"
        for name, answer in said.items()
        if isinstance(answer, Sat) and not corpus.checker.admits(each.query.literals, answer.input)
    ]
    verdicts = {name: isinstance(answer, Sat) for name, answer in said.items() if not isinstance(answer, Unknown)}
    if each.expected is not None:
        verdicts["the campaign"] = each.expected
    if len(set(verdicts.values())) > 1:
        wrong.append(f"sat is said by {[name for name, is_sat in verdicts.items() if is_sat]} of {list(verdicts)}")
    if not {*INSTALLED} & set(verdicts):
        wrong.append("no solver knows")
    return wrong


@pytest.mark.parametrize("corpus", CHECKED, indirect=True)
@pytest.mark.xdist_group("recorded queries")
def test_rungs_links_and_solvers_agree(corpus: Corpus, record_property: Callable[[str, object], None]) -> None:
    solvers = _solvers(corpus)
    for each in corpus.queries:
        assert not _disagreements(corpus, each, solvers), each
    native = sum(corpus.ladder(each.query).verdict is not Verdict.UNKNOWN for each in corpus.queries)
    assert corpus.queries and native
    record_property("queries", len(corpus.queries))
    record_property("combinations", len(solvers))
    record_property("native", native)


@pytest.mark.parametrize("corpus", ["records"], indirect=True)
@pytest.mark.xdist_group("recorded queries")
def test_a_solver_that_lies_is_seen(corpus: Corpus) -> None:
    """One that says unsat of everything, and one whose model is the parent's input."""
    solvers = _solvers(corpus)
    feasible = next(each for each in corpus.queries if each.expected)
    liars: tuple[Callable[[Query], Answer], ...] = (lambda query: Unsat(""), lambda query: Sat(query.parent, ""))
    for liar in liars:
        assert _disagreements(corpus, feasible, {**solvers, "only linear": liar})
