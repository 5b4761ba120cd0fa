"""The top of the execution tree as plain values, with counts of what lies below: for reports.

Nodes are taken breadth first from the root until there are enough, so that what is left out are whole subtrees; of
those the counts tell.
"""

from __future__ import annotations

from collections import deque

import numpy as np
import numpy.typing as npt

from veer.execution.decode import model_outcome
from veer.execution.inputs import COUNT_OFFSET, SINGLE, UNION_OFFSET
from veer.model.literal import leaves
from veer.model.program import Program, Site
from veer.model.tree import TreeNode
from veer.model.types import Type
from veer.search.tree import nearest_above
from veer.wire.layout import NONE, Kind, LeafKind, Op, State
from veer.wire.shared import Shared

MOST_NODES = 2000
_MOST_COUNTED = 1 << 22
"""Nodes from which on the rest of a tree is not counted: counting would take longer than a second."""
_DEEPEST_NAME = 16
_HARNESS = "veer_main"

Ids = npt.NDArray[np.int64]


def snapshot(shared: Shared, program: Program, most: int = MOST_NODES) -> tuple[TreeNode, ...]:
    """The root and the nodes nearest to it, at most `most`."""
    count = shared.count("tree_parent")
    if not count:
        return ()
    kept = _nearest(shared, count, most)
    index_of = {node: index for index, node in enumerate(kept)}
    below = _below(shared, count, kept)
    ends = _ends(shared, kept)
    parents = shared.tree("parent")
    return tuple(
        _node(shared, program, node, index_of[int(parents[node])] if node else -1, below[index], ends.get(node, ""))
        for index, node in enumerate(kept)
    )


def _nearest(shared: Shared, count: int, most: int) -> list[int]:
    """Ids in breadth-first order; damaged links (out of range, or backwards) are not followed."""
    child, sibling = shared.tree("child"), shared.tree("sibling")
    kept: list[int] = [0]
    waiting = deque([0])
    while waiting:
        side = int(child[waiting.popleft()])
        sides: list[int] = []
        while 0 < side < count and len(sides) <= most:
            sides.append(side)
            side = int(sibling[side])
        if len(kept) + len(sides) > most:
            break  # a decision is shown with all of its sides, or not at all
        kept += sides
        waiting.extend(sides)
    return kept


def _below(shared: Shared, count: int, kept: list[int]) -> list[int]:
    """How many nodes lie under each kept one."""
    known = min(count, _MOST_COUNTED)
    parents = shared.tree("parent")[:known].astype(np.int64)
    parents[parents >= known] = 0
    own = np.array([node for node in kept if node < known], np.int64)
    up = nearest_above(parents, own)
    weights = 1 + shared.published("forgotten_below")[:known].astype(np.float64)
    totals = np.bincount(up, weights, minlength=known)
    counts = {node: int(totals[node]) - 1 for node in own.tolist()}
    for node in reversed(kept):  # breadth first: a child comes behind its parent
        if node and node in counts:
            counts[int(parents[node])] += counts[node] + 1
    return [counts.get(node, 0) for node in kept]


def _ends(shared: Shared, kept: list[int]) -> dict[int, str]:
    """Node → outcome of a path that ends at it."""
    paths = shared.published("paths")
    nodes = np.asarray(paths["node"])
    found = np.flatnonzero(np.isin(nodes, np.array(kept, nodes.dtype)))
    return {int(nodes[index]): model_outcome(int(paths[index]["outcome"])).key for index in found.tolist()}


def _node(shared: Shared, program: Program, node: int, parent: int, below: int, outcome: str) -> TreeNode:
    if not node:
        return TreeNode(-1, "root", "taken", program.entry, "", below=below, outcome=outcome)
    kind = int(shared.tree("kind")[node])
    state = State(int(shared.tree("state")[node])).name.lower()
    number = int(shared.tree("site")[node])
    alternative = int(shared.tree("alternative")[node])
    site = program.sites[number] if number < len(program.sites) else None
    literal = int(shared.tree("literal")[node]) if kind in (Kind.CHOICE, Kind.GUARD) else 0
    asked = _asked_of_pointer(shared, literal) if kind == Kind.GUARD else None
    if kind == Kind.CHOICE:
        text, side = leaf_name(shared, program, literal, 0), _target(program, alternative)
    elif asked is not None:
        text = leaf_name(shared, program, asked[0], 0)
        side = f"not {_target(program, asked[1])}" if alternative else _target(program, asked[1])
    else:
        text = site.text if site is not None else ""
        side = side_text(kind, site, alternative)
    where = (site.file, site.line) if site is not None and site.function != _HARNESS else ("", 0)
    return TreeNode(parent, Kind(kind).name.lower(), state, text, side, *where, below, outcome)


def _target(program: Program, alternative: int) -> str:
    """What a pointer leads to."""
    return (program.null, "a new object")[alternative] if alternative < 2 else f"object {alternative - 2} of its type"


def _asked_of_pointer(shared: Shared, literal: int) -> tuple[int, int] | None:
    """(leaf, alternative) of a guard that says what a pointer does not lead to: NOT(leaf == alternative)."""
    nodes = shared.published("nodes")
    path = [literal]
    for operator in (Op.NOT, Op.EQ, Op.LEAF):
        if path[-1] >= len(nodes) or nodes[path[-1]]["op"] != operator:
            return None
        path.append(int(nodes[path[-1]]["a"]))
    leaf, number = path[-1], int(nodes[path[1]]["b"])
    if max(leaf - shared.count("leaves"), number - len(nodes)) >= 0:
        return None
    return (leaf, int(nodes[number]["value"])) if shared.region("leaves")[leaf]["kind"] == LeafKind.CHOICE else None


def side_text(kind: int, site: Site | None, alternative: int) -> str:
    """What a side of a decision means: what it is in the source, or what holds there."""
    if kind == Kind.CHECK:
        return "holds" if alternative else "violated"
    if kind == Kind.GUARD:
        return "the value it has" if alternative else "another value"
    if kind == Kind.ASSUME:
        return "holds" if alternative else "does not hold"
    return site.sides[min(alternative, 1)] if site is not None else str(alternative)


def leaf_name(shared: Shared, program: Program, leaf: int, depth: int) -> str:
    """`p`, `p->next`, `a[3]`: an input, a pointer that a choice decides; "a pointer" where its way is not known."""
    if leaf >= shared.count("leaves") or depth > _DEEPEST_NAME:
        return "a pointer"
    record = shared.region("leaves")[leaf]
    if int(record["object"]) >= shared.count("objects"):
        return "a pointer"
    owner = shared.region("objects")[int(record["object"])]
    offset, via = int(record["offset"]), int(owner["via"])
    if COUNT_OFFSET > offset >= UNION_OFFSET:
        return "which member a union holds"
    type_ = _type_of(program, int(owner["type"]))
    if via == NONE:
        number = f"#{int(owner['occurrence']) + 1}" if owner["occurrence"] else ""
        return shared.name_at(int(owner["name"])) + number + _step(program, type_, offset)
    pointer = leaf_name(shared, program, via, depth + 1)
    if offset == COUNT_OFFSET:
        return f"the number of elements of {pointer}"
    index, inside = divmod(offset, type_.size) if type_ is not None and type_.size else (0, offset)
    step = _step(program, type_, inside)
    if index or not _is_single(shared, program, via):
        return f"{pointer}[{index}]{step}"
    return f"{pointer}->{step[1:]}" if step.startswith(".") else f"{pointer}{step}" if step else f"*{pointer}"


def _type_of(program: Program, number: int) -> Type | None:
    return program.types[number] if number < len(program.types) else None


def _step(program: Program, type_: Type | None, offset: int) -> str:
    """The access path of what lies at an offset of a type; the offset itself where the type says nothing."""
    paths = (each.path for each in leaves(program.types, type_) if each.offset == offset) if type_ is not None else ()
    return next(iter(paths), f"[{offset}]" if offset else "")


def _is_single(shared: Shared, program: Program, leaf: int) -> bool:
    """Whether a pointer leads to one element, or nobody knows."""
    record = shared.region("leaves")[leaf]
    owner = _type_of(program, int(shared.region("objects")[int(record["object"])]["type"]))
    if owner is None:
        return True
    offset = int(record["offset"]) % owner.size if owner.size else 0
    pointer = next((each.type for each in leaves(program.types, owner) if each.offset == offset), None)
    return pointer is None or pointer.extent in SINGLE
