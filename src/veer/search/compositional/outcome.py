"""What a compositional search found, as values of the model."""

from __future__ import annotations

from collections import Counter

from veer.model.program import Program
from veer.model.summaries import FunctionSummary, Summaries
from veer.search.compositional.loops import ClosedTrie
from veer.search.compositional.smart import SmartSearch
from veer.search.node_counts import NodeCounts
from veer.wire.layout import NONE, Refusal, State
from veer.wire.shared import Shared

REFUSALS = {
    Refusal.INPUT: "it makes or decides an input",
    Refusal.EXTERNAL: "it calls code that is not instrumented",
    Refusal.HEAP: "it allocates or frees memory",
    Refusal.LOSS: "something in it was made concrete",
    Refusal.MEMORY: "it uses memory that no argument and no global leads to at once",
    Refusal.LARGE: "it uses an object of more than 1024 bytes",
    Refusal.SIGNATURE: "its outputs differ too much",
    Refusal.EXTENT: "it uses an object of symbolic size",
    Refusal.FORM: "a run of the loop went otherwise than its text says",
    Refusal.OFTEN: "too much crosses its boundary in one run",
    Refusal.LIMIT: "a run ended in it at a limit of steps, stack or memory",
}


def node_counts(shared: Shared, search: SmartSearch, edges: int) -> NodeCounts:
    """Of the tries, where the plain search counts the nodes of its tree."""
    counts = NodeCounts.empty(edges)
    counts.outcomes[:] = NodeCounts.of(shared, 0).outcomes
    for state, sides in ((State.INFEASIBLE, search.counts.infeasible), (State.UNKNOWN, search.counts.unknown)):
        for edge, count in sides.items():
            if edge < edges:
                counts.table[edge, state] = count
    return counts


def summaries(shared: Shared, search: SmartSearch, program: Program) -> Summaries:
    refusals = shared.region("refusals")
    paths, shapes, used, closed, read = (Counter[int]() for _ in range(5))
    for trie in search.tries:
        paths[trie.function] += trie.paths
        shapes[trie.function] += 1
        closed[trie.function] += isinstance(trie, ClosedTrie)
        read[trie.function] += trie.from_disk
        used.update(node.call.function for node in trie.nodes() if node.call is not None)
    numbers = [NONE, *sorted({*paths} - {NONE}), *refusals[: len(program.sites)].nonzero()[0].tolist()]
    found, loops = [], {loop.site for loop in program.loops}
    for number in dict.fromkeys(numbers):
        site = program.sites[number] if number != NONE else None
        why = int(refusals[number]) if site is not None else 0
        found.append(
            FunctionSummary(
                name=site.function if site is not None else program.entry,
                file=site.file if site is not None else "",
                line=site.line if site is not None else 0,
                runs=search.runs.made[number],
                paths=paths[number],
                shapes=shapes[number],
                made=shapes[number] if site is not None else 0,
                used=used[number],
                refused=REFUSALS[Refusal(why)] if why else "",
                is_loop=number in loops,
                closed=closed[number],
                from_disk=read[number],
            )
        )
    return Summaries(tuple(found), search.runs.repeated, search.counts.largest_query)
