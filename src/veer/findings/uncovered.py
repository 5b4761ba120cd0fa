"""What became of each side of each source branch: covered, infeasible, unreached, unknown or pruned, and why."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from veer.model.ending import BranchState, Claim, Ending, EndingKind
from veer.model.program import Program, Site
from veer.model.result import Branch
from veer.search.node_counts import NodeCounts
from veer.search.tree import Array
from veer.wire.layout import State
from veer.wire.shared import Shared


def branches(
    shared: Shared,
    program: Program,
    ending: Ending,
    covered: frozenset[int],
    sites: Sequence[Site] | None = None,
    counts: NodeCounts | None = None,
    contradiction: Callable[[int], str] = lambda edge: "",
) -> tuple[Branch, ...]:
    """The coverage items of `sites` (None: of all) in the order of their ids.

    `covered` are those that count as covered (measured on replay); `counts` counts the nodes of all
    workers (None: those of the shared memory). `contradiction` says what an edge that is proved infeasible contradicts.
    """
    seen = shared.region("edge_seen")
    table = (counts or NodeCounts.of(shared, 2 * len(program.sites))).table
    within = ending.within if _is_complete(ending) else None
    found: dict[int, Branch] = {}
    for site in program.sites if sites is None else sites:
        for side, item in enumerate(site.items):
            if item < 0 or found.get(item, _OPEN_BRANCH).state is BranchState.COVERED:
                continue
            edge = 2 * site.id + side
            if item in covered:
                state, reason = BranchState.COVERED, ""
            else:
                state, reason = _verdict(table[edge], seen[[edge, edge ^ 1]], ending.kind, within)
                if state is BranchState.INFEASIBLE and table[edge][State.INFEASIBLE] and (why := contradiction(edge)):
                    reason = f"{reason}; on the shortest, {why}"
            found[item] = _branch(item, site, side, state, reason)
    return tuple(found[item] for item in sorted(found))


def _is_complete(ending: Ending) -> bool:
    """Whether what is not covered cannot be: all paths were run, or all from which something could be covered."""
    all_useful = (
        ending.kind is EndingKind.EXHAUSTED and ending.claim is Claim.CRITERION and "goal entry" not in ending.within
    )
    return ending.claim is Claim.PATHS or all_useful


def _branch(item: int, site: Site, side: int, state: BranchState, reason: str) -> Branch:
    text = site.sides[side]
    return Branch(item, site.file, site.line, site.column, site.text, text, state, reason, site.function)


_OUT_OF_TIME = {
    EndingKind.BUDGET: "out of budget: the time was up before it was tried",
    EndingKind.MAX_RUNS: "out of budget: the last run was spent before it was tried",
    EndingKind.MAX_BUGS: "the search ended with its last bug before it was tried",
    EndingKind.PLATEAU: "the search ended on a plateau before it was tried",
}
_OPEN_BRANCH = Branch(-1, "", 0, 0, "", "", BranchState.UNREACHED, "")


def _verdict(states: Array, seen: Array, ending: EndingKind, within: Sequence[str] | None) -> tuple[BranchState, str]:
    """State and reason of a side that is not covered; `states` counts its nodes, `seen` = (it ran, the other did).

    `within`: the bounds within which all that could cover it was run; None if that is not so.
    """
    if seen[0]:
        return BranchState.UNREACHED, "runs of the search took it, but no test that was replayed"
    if states[State.UNKNOWN]:
        return BranchState.UNKNOWN, f"no solver could decide it ({states[State.UNKNOWN]} of {_total(states)} tries)"
    if states[State.DIVERGED]:
        return BranchState.UNKNOWN, f"runs that were aimed at it went elsewhere ({states[State.DIVERGED]})"
    if states[State.OPEN] or states[State.QUEUED]:
        return BranchState.UNREACHED, _OUT_OF_TIME.get(ending, "the search ended before it was tried")
    if states[State.CUT] or states[State.PRUNED]:
        return BranchState.PRUNED, "it lies beyond a bound of the search"
    if states[State.TAKEN]:
        return (
            BranchState.UNREACHED,
            "every run that took it ended before a test could be made of it: "
            "at a crash, a bound, klee_silent_exit, or an input that a precondition or a constructor refuses",
        )
    if cut := next((bound for bound in within or () if bound.startswith("max-branches ")), ""):
        return BranchState.PRUNED, f"paths of more decisions than {cut} were not told apart, and one may lead there"
    if within is not None:
        return BranchState.INFEASIBLE, _why_infeasible(states, seen, within)
    if states[State.INFEASIBLE]:
        return BranchState.UNREACHED, "no input takes it on the paths that were found, but not all paths were"
    settled = "on every path that was run, what came before settled its condition"
    return BranchState.UNREACHED, settled if seen[1] else "no run reached it"


def _why_infeasible(states: Array, seen: Array, within: Sequence[str]) -> str:
    """The sentence says for which inputs: a longer array, beyond the bounds, may take the side."""
    inputs = f"no input within the bounds ({', '.join(within)})" if within else "no input"
    if states[State.INFEASIBLE]:
        return f"{inputs} takes it: proved on every path that reaches it"
    if seen[1]:
        return f"{inputs} takes it: on every path that reaches it, what came before settles its condition"
    return f"{inputs} reaches it"


def _total(states: Sequence[int] | Array) -> int:
    return int(np.sum(states))
