"""Inputs that everything depends on: shared by all blocks, so that the others stay apart (section 5.2, "limitations").

A packet's type, or the fields that a guard asks about (`if (!PacketIsUDP(p)) return;`), would make one block of all:

    {type, a} {type, b} {type, c}     one block of four inputs, or three blocks with `type` in each of them

For each value of a shared input the rest is a program of its own, to which theorem 1 applies; since a shared input is
searched with every block, all of its values are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

SMALLEST = 6
"""Inputs of a block that is worth it."""
_MOST = 3


def hubs(block: Collection[int], sets: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """A few inputs of a block without which its parts are at most half as large; none, if there are no such inputs.

    `sets`: those of the flow map that lie in the block, shared inputs left out.
    """
    several = {frozenset(each) for each in sets if len(each) > 1}

    def largest_part(without: Collection[int]) -> int:
        rest = set(block).difference(without)
        return max(map(len, _parts(rest, {each.difference(without) for each in several})), default=0)

    chosen: list[int] = []
    while len(chosen) < _MOST and 2 * largest_part(chosen) > len(block):
        degrees = Counter(leaf for each in several for leaf in each.difference(chosen) if len(each - {*chosen}) > 1)
        if not degrees:
            return ()
        chosen.append(max(sorted(degrees), key=degrees.__getitem__))
    if 2 * largest_part(chosen) > len(block):
        return ()
    for hub in tuple(chosen):  # one of more parts than needed it at first may not be needed at last
        others = [other for other in chosen if other != hub]
        if 2 * largest_part(others) <= len(block):
            chosen = others
    return tuple(chosen)


def _parts(leaves: Collection[int], sets: Collection[frozenset[int]]) -> list[set[int]]:
    """What the sets connect."""
    parts: list[set[int]] = [{leaf} for leaf in leaves]
    for each in sets:
        met = [part for part in parts if not part.isdisjoint(each)]
        parts = [part for part in parts if part.isdisjoint(each)]
        parts.append(set().union(*met))
    return parts
