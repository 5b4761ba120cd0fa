"""The selector: the strategy that the options name, behind the rules that prune (OSMOSE), for one search."""

from __future__ import annotations

from veer.model.errors import UsageError
from veer.model.program import Program
from veer.model.searchoptions import SearchOptions
from veer.search.distance import DistanceToUncovered
from veer.search.events import DistanceToEvents
from veer.search.goal import goal_sites
from veer.search.program_graph import ProgramGraph, graph_of
from veer.search.pruning.pruned import Pruned
from veer.search.pruning.rules import LookAhead, MaxCallDepth, NoEvents, Rule
from veer.search.strategies.protocol import Strategy
from veer.search.strategies.registry import strategy
from veer.search.strategies.scene import Scene, no_distances
from veer.wire.layout import State
from veer.wire.shared import Shared


def selectors(shared: Shared, program: Program, options: SearchOptions) -> tuple[Strategy, Strategy]:
    """What hands out the open nodes, and what hands out the queries that wait.

    Raises:
        UsageError: there is no such strategy, one of `specification` without any, or `--solve-first` without `dfs`.
    """
    if options.solve_first and options.strategy != "dfs":
        raise UsageError("--solve-first is an order of depth-first search: give --strategy dfs with it")
    asked = [name for name in ("strategy", "goal") if getattr(options, name) == "specification"]
    if asked and program.watching is None:
        raise UsageError(f"--{asked[0]} specification is about violations, and nothing is specified: give --spec FILE")
    graph = graph_of(program)
    sites = goal_sites(program, options.goal)
    scene = Scene(
        seed=options.seed,
        random_share=options.random_share / 100,
        distances=DistanceToUncovered(graph, sites, lambda: shared.published("edge_seen")),
        to_events=DistanceToEvents(graph, program) if options.strategy == "specification" else no_distances,
        is_solve_first=options.solve_first,
    )
    rules = _rules(shared, program, graph, options)

    def one(state: State) -> Strategy:
        chosen = strategy(options.strategy, state, scene)
        return Pruned(chosen, rules, state) if rules else chosen

    return one(State.OPEN), one(State.QUEUED)


def _rules(shared: Shared, program: Program, graph: ProgramGraph, options: SearchOptions) -> tuple[Rule, ...]:
    rules: list[Rule] = []
    if options.max_call_depth is not None:
        rules.append(MaxCallDepth(graph, options.max_call_depth, lambda: shared.published("contexts")))
    if options.look_ahead and options.goal == "specification":
        rules.append(NoEvents(DistanceToEvents(graph, program)))
    elif options.look_ahead:
        rules.append(
            LookAhead(
                graph,
                program,
                options.goal,
                lambda: shared.published("contexts"),
                lambda: shared.published("edge_seen"),
            )
        )
    return tuple(rules)
