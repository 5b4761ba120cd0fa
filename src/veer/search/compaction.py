"""A campaign's memory: once it is nearly full, finished subtrees become counts, and runs that nobody needs are dropped.

What stays of the tree are the nodes that wait, the way to them, and the other sides of the decisions on that way:

    root ─┬─ taken ─┬─ open                        root ─┬─ taken ─┬─ open
          │         └─ taken ─ ... (finished)   ►        │         └─ taken  child = NONE
          └─ taken ─ ... (finished)                      └─ taken  child = NONE

Of the runs stay those that are worth a test, those with reports, and the parents of open nodes; of the others their
identities, as long as there is memory for them. What is taken out is counted (`NodeCounts.forget`). Numbers of nodes
and of paths change, so this is done between two searches, while no executor is at work.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from veer.search.distinct import distinct
from veer.search.node_counts import NodeCounts, at_bound
from veer.search.selection import told_of
from veer.search.tree import Tree, nearest_above
from veer.wire.fields import Array
from veer.wire.forgotten import Forgotten
from veer.wire.layout import NONE, TREE, Outcome, PathFlag, State
from veer.wire.shared import Shared

_CHUNK = 1 << 18
_INPUTS_A_CHUNK = 1 << 14
_LONG_PIECE = 128  # bytes: from here on a loop over pieces takes less than their bytes' indices
_HASHES_A_PATH = 24  # bytes: a table of 8 a slot that is a quarter to half full
_A_HASH = 8
_A_NODE = sum(np.dtype(kind).itemsize for _, kind in TREE)
_GROWING = ("nodes", "paths", "inputs")

Mask = npt.NDArray[np.bool_]
Ids = npt.NDArray[np.int64]


def memory_of(shared: Shared) -> int:
    """About how many bytes that which grows with the runs takes: cheap."""
    known = max(0, shared.counts.distinct_paths - shared.control(Forgotten).dropped_paths)
    return _HASHES_A_PATH * known + _A_HASH * shared.count("forgotten_paths") + tree_memory(shared)


def tree_memory(shared: Shared) -> int:
    """About how many bytes of that the tree takes, with the runs that it needs: behind `compact` what waits."""
    records = sum(shared.count(name) * shared.region(name).itemsize for name in _GROWING)
    return records + _A_NODE * shared.count("tree_parent")


def is_nearly_full(shared: Shared) -> bool:
    """Whether a table that compaction makes room in will soon hold no more."""
    return any(shared.count(name) > len(shared.region(name)) // 8 * 7 for name in ("tree_parent", "paths", "inputs"))


def compact(shared: Shared, edge_count: int, *, all_paths: bool) -> None:
    """Forgets what is finished; with `all_paths` the run of each path stays. Only while no executor is at work."""
    tree, count = Tree.of(shared), shared.count("tree_parent")
    needed = _needed(tree, count)
    kept = np.empty(count, bool)  # the sides of all decisions on the way
    for first in range(0, count, _CHUNK):  # a table of places as long as the tree would take as much as the tree
        kept[first : first + _CHUNK] = needed[tree.parent[first : min(first + _CHUNK, count)] % np.uint32(count)]
    kept[0] = True
    kept_paths = _kept_paths(shared, tree, np.flatnonzero(kept), all_paths=all_paths)
    _counted(shared, tree, ~kept, ~kept_paths, edge_count).forget(shared)
    new_path = _drop_paths(shared, kept_paths)
    _drop_nodes(shared, tree, needed, kept, new_path)
    for name in (*(f"tree_{name}" for name, _ in TREE), "paths", "inputs", "forgotten_below"):
        shared.release(name)
    shared.counts.queue_count = 0
    shared.run.current_node = shared.run.last_path = NONE
    shared.region("path_table")[0] = 0  # to be rebuilt


def drop_identities(shared: Shared) -> int:
    """Forgets which paths the forgotten ones were, and returns how many: from now on a path is new if its run adds to
    the tree, so that their number may be a little off. Only while no executor is at work."""
    forgotten = shared.control(Forgotten)
    dropped = int(forgotten.forgotten_paths)
    forgotten.dropped_paths += dropped
    forgotten.dropped_own_paths += dropped - forgotten.first_own_forgotten
    forgotten.forgotten_paths = forgotten.first_own_forgotten = 0
    shared.release("forgotten_paths")
    shared.clear("path_table")  # to be rebuilt
    return dropped


def notes_on_paths(shared: Shared) -> tuple[str, ...]:
    """For the user: where the number of paths is not exact."""
    dropped = shared.control(Forgotten).dropped_paths
    if not dropped:
        return ()
    return (
        f"the number of paths may be a little off: which {dropped:,} of them were is forgotten, to stay within"
        " --campaign-memory",
    )


def _needed(tree: Tree, count: int) -> Mask:
    """The nodes that wait, and those above them."""
    state = tree.state[:count]
    needed: Mask = (state == State.OPEN) | (state == State.QUEUED)
    level = np.flatnonzero(needed)
    while len(level):
        level = distinct(tree.parent[level[level != 0]].astype(np.int64))
        level = level[~needed[level]]
        needed[level] = True
    needed[0] = True
    return needed


def _kept_paths(shared: Shared, tree: Tree, nodes: Ids, *, all_paths: bool) -> Mask:
    paths = shared.published("paths")
    kept: Mask = told_of(paths, shared.published("reports"), all_paths=all_paths)
    kept[:1] = True  # the first run
    for used in (
        tree.path[nodes[np.isin(tree.state[nodes], (State.OPEN, State.QUEUED))]],
        shared.published("interesting"),
        shared.published("reports")["path"],
    ):
        kept[used[used < len(kept)]] = True
    return kept


def _counted(shared: Shared, tree: Tree, nodes: Mask, paths: Mask, edge_count: int) -> NodeCounts:
    """The counts of these nodes and paths."""
    counts = NodeCounts.empty(edge_count)
    table = counts.table.reshape(-1)
    cut_branches = 0
    for first in range(0, len(nodes), _CHUNK):
        ids = first + np.flatnonzero(nodes[first : first + _CHUNK])
        state = tree.state[ids].astype(np.int64)
        counts.states[:] += np.bincount(state, minlength=len(State))
        keys = tree.edges(ids) * len(State) + state
        table += np.bincount(keys[keys < len(table)], minlength=len(table))
        cut_branches += at_bound(shared, tree.depth[ids])
    counts.outcomes[:] += np.bincount(shared.published("paths")["outcome"][paths], minlength=len(Outcome))
    return NodeCounts(counts.states, counts.table, counts.outcomes, cut_branches)


# -- paths ----------------------------------------------------------------------------------------------------


def _drop_paths(shared: Shared, kept: Mask) -> npt.NDArray[np.uint32]:
    """Takes out the others; the new number of each path, NONE of those that are dropped.

    Of a worker's part, identities of runs that it was begun with stand before those of its own.
    """
    paths = shared.published("paths")
    new_number = np.where(kept, np.cumsum(kept) - 1, NONE).astype(np.uint32)
    is_new = ~kept & ((paths["flags"] & int(PathFlag.NEW_PATH)) != 0)
    forgotten = shared.control(Forgotten)
    first_own = int(forgotten.first_own_path)
    _add_identities(
        shared, paths["hash"][:first_own][is_new[:first_own]], paths["hash"][first_own:][is_new[first_own:]]
    )
    forgotten.first_own_path = int(kept[:first_own].sum())
    _drop_inputs(shared, np.flatnonzero(kept))
    left = paths[kept]
    shared.region("paths")[: len(left)] = left
    shared.counts.path_count = len(left)
    for names in (shared.published("interesting"), shared.published("reports")["path"]):
        names[:] = _renumbered(names, new_number)
    return new_number


def _add_identities(shared: Shared, before: Array, own: Array) -> None:
    forgotten, region = shared.control(Forgotten), shared.region("forgotten_paths")
    first, known = int(forgotten.first_own_forgotten), int(forgotten.forgotten_paths)
    end = known + len(before)
    if len(before):
        region[first + len(before) : end] = region[first:known].copy()
        region[first : first + len(before)] = before
    region[end : end + len(own)] = own
    forgotten.first_own_forgotten, forgotten.forgotten_paths = first + len(before), end + len(own)


def _drop_inputs(shared: Shared, kept: Ids) -> None:
    """Moves the inputs of the paths that are kept together."""
    paths, inputs = shared.published("paths"), shared.region("inputs")
    end = 0
    for first in range(0, len(kept), _INPUTS_A_CHUNK):
        ids = kept[first : first + _INPUTS_A_CHUNK]
        lengths = paths["input_length"][ids].astype(np.int64)
        pack(inputs, paths["input_offset"][ids].astype(np.int64), lengths, end)
        paths["input_offset"][ids] = end + np.cumsum(lengths) - lengths
        end += int(lengths.sum())
    shared.counts.input_bytes = end


def pack(inputs: npt.NDArray[Any], sources: Ids, lengths: Ids, end: int) -> None:
    """Moves pieces, none of which lies before its new place, to `end`, one behind the other.

    Pieces that follow each other are moved as one. Where there are many short ones, or they are not in order, bytes are
    moved by their indices.
    """
    if not len(sources):
        return
    heads = np.flatnonzero(np.append(True, sources[1:] != sources[:-1] + lengths[:-1]))
    sizes = np.add.reduceat(lengths, heads)
    begins = end + np.cumsum(sizes) - sizes
    if sizes.mean() >= _LONG_PIECE and (np.diff(sources[heads]) > 0).all():
        for source, begin, size in zip(sources[heads].tolist(), begins.tolist(), sizes.tolist(), strict=True):
            inputs[begin : begin + size] = inputs[source : source + size]
    else:
        moved = np.repeat(sources[heads] - begins, sizes)
        inputs[end : end + len(moved)] = inputs[moved + np.arange(end, end + len(moved))]


def _renumbered(numbers: npt.NDArray[Any], new_number: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    found = np.full(len(numbers), NONE, np.uint32)
    is_known = numbers < len(new_number)
    found[is_known] = new_number[numbers[is_known]]
    return found


# -- nodes ----------------------------------------------------------------------------------------------------


def _drop_nodes(shared: Shared, tree: Tree, needed: Mask, kept: Mask, new_path: npt.NDArray[np.uint32]) -> None:
    """Takes out the nodes that are not kept; what hung below those that are not needed is forgotten."""
    count = len(kept)
    below = _below(shared, tree, kept)
    new_number = np.cumsum(kept, dtype=np.uint32) - np.uint32(1)
    new_number[~kept] = NONE
    ids = np.flatnonzero(kept)
    is_finished = ~needed[ids] & (tree.child[ids] != 0)
    for name, _ in TREE:
        array = shared.region(f"tree_{name}")
        values = array[ids]
        if name == "path":
            values = _renumbered(values, new_path)
        elif name in ("parent", "child", "sibling"):
            is_link = (values != 0) & (values < count)
            values[is_link] = new_number[values[is_link]]
        if name == "child":
            values[is_finished] = NONE
        array[: len(ids)] = values
    shared.region("forgotten_below")[: len(ids)] = below[ids]
    ends = shared.published("paths")["node"]
    ends[:] = _renumbered(ends, new_number)
    shared.counts.tree_count = len(ids)


def _below(shared: Shared, tree: Tree, kept: Mask) -> npt.NDArray[np.uint32]:
    """How many nodes are forgotten below each kept one, with those of before."""
    above = nearest_above(tree.parent[: len(kept)], np.flatnonzero(kept))
    before = shared.region("forgotten_below")[: len(kept)]
    forgotten = np.where(kept, before, np.uint32(0))
    for first in range(0, len(kept), _CHUNK):
        dropped = first + np.flatnonzero(~kept[first : first + _CHUNK])
        np.add.at(forgotten, above[dropped], np.uint32(1) + before[dropped])
    return forgotten
