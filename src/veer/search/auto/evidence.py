"""What a plain search shows of its program that speaks for another search: how its paths multiply.

    if (a) ...  if (b) ...      no condition asks about both: blocks (FlowTest) may add what paths multiply
    f(a); f(b);                 a function with branches that others call: summaries (SMART) may do so

Both are necessary, not sufficient: inputs that no condition joins may meet in what a branch writes. So they say what is
worth a trial, and the trial says what is worth more.
"""

from __future__ import annotations

from veer.search.scene import Scene
from veer.search.tree import Tree
from veer.wire.layout import Kind

_MOST_NODES = 20_000
"""So much of the tree is looked at: its beginning has the conditions that all paths come to."""
_LIST = 1 << 31
_FEWEST_BLOCKS = 2


def speaks_for_blocks(scene: Scene) -> bool:
    """Whether conditions ask about inputs that no condition asks about together."""
    shared, tree = scene.shared, Tree.of(scene.shared)
    count = min(tree.count, _MOST_NODES)
    by_literal = shared.region("nodes")["support"]
    kinds, literals = tree.kind[1:count], tree.literal[1:count]
    supports = set(by_literal[literals[kinds != int(Kind.CHOICE)]].tolist()) - {0}
    table = shared.region("supports")
    parent: dict[int, int] = {}

    def root(leaf: int) -> int:
        while parent.setdefault(leaf, leaf) != leaf:
            leaf = parent[leaf]
        return leaf

    for support in sorted(supports):
        place = support - _LIST
        leaves = [support - 1] if place < 0 else table[place + 1 : place + 1 + int(table[place])].tolist()
        for leaf in leaves:
            parent[root(leaf)] = root(leaves[0])
    return len({root(leaf) for leaf in parent}) >= _FEWEST_BLOCKS


def speaks_for_summaries(scene: Scene) -> bool:
    """Whether both sides of a branch were taken in a function that another one calls."""
    program, seen = scene.program, scene.shared.published("edge_seen")
    called = {name for function in program.functions for name in function.calls if name != function.name}
    return any(
        site.function in called and site.function != program.entry and seen[2 * site.id] and seen[2 * site.id + 1]
        for site in program.sites
        if any(item >= 0 for item in site.items)
    )
