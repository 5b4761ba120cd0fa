"""The execution tree as a drawing, top down: where runs parted, and how each path ended.

            ●              a condition
           / \\
          ●   ■            a path: returned, or (red) a bug
         / \\
        ■   ○              not tried, or no input takes it

It shows the shape; what each node is stands in its title, and in the list below it (unfolding.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from msgspec import Struct

from veer.model.tree import TreeNode

MOST_DRAWN = 120
_STEP_X, _STEP_Y, _MARGIN, _RADIUS = 16, 26, 14, 4
_LEAST_WIDTH = 120


class _Place(Struct, frozen=True):
    x: float
    y: float


def path_tree_svg(nodes: Sequence[TreeNode], bugs: frozenset[str]) -> str:
    """One SVG; empty without a tree. `bugs`: the outcomes that are bugs."""
    if len(nodes) < 2:
        return ""
    shown = _first(nodes)
    children = _children(nodes, shown)
    places = _placed(children)
    width = max(place.x for place in places.values()) + _MARGIN
    height = max(place.y for place in places.values()) + _MARGIN
    edges = "".join(_edge(places[parent], places[child]) for parent in children for child in children[parent])
    marks = "".join(_mark(nodes[number], places[number], children[number], bugs) for number in shown)
    label = f"the execution tree: {len(shown)} of {nodes[0].below + 1} nodes"
    size = max(width, _LEAST_WIDTH)
    return (
        f'<svg class="path-tree" viewBox="0 0 {size:.0f} {height:.0f}" width="{size:.0f}" height="{height:.0f}"'
        f' role="img" aria-label="{label}">{edges}{marks}</svg>'
    )


def _first(nodes: Sequence[TreeNode]) -> list[int]:
    """The nodes that are drawn: those nearest to the root, in their order."""
    depths = [0] * len(nodes)
    for number, node in enumerate(nodes):
        depths[number] = depths[node.parent] + 1 if 0 <= node.parent < number else 0
    nearest = sorted(range(len(nodes)), key=lambda number: (depths[number], number))[:MOST_DRAWN]
    return sorted(nearest)


def _children(nodes: Sequence[TreeNode], shown: Sequence[int]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {number: [] for number in shown}
    for number in shown:
        parent = nodes[number].parent
        if 0 <= parent < number and parent in found:
            found[parent].append(number)
    return found


def _placed(children: dict[int, list[int]]) -> dict[int, _Place]:
    """Leaves from left to right, each other node in the middle above its children."""
    has_parent = {child for of_one in children.values() for child in of_one}
    across: dict[int, float] = {}
    down: dict[int, int] = {}
    next_leaf = 0
    waiting = [(number, 0, False) for number in reversed(children) if number not in has_parent]
    while waiting:
        number, depth, is_done = waiting.pop()
        below = children[number]
        down[number] = depth
        if not below:
            across[number] = next_leaf
            next_leaf += 1
        elif is_done:
            across[number] = sum(across[child] for child in below) / len(below)
        else:
            waiting.append((number, depth, True))
            waiting.extend((child, depth + 1, False) for child in reversed(below))
    return {number: _Place(_MARGIN + _STEP_X * across[number], _MARGIN + _STEP_Y * down[number]) for number in children}


def _edge(parent: _Place, child: _Place) -> str:
    middle = (parent.y + child.y) / 2
    return (
        f'<path class="edge" d="M{parent.x:.1f} {parent.y:.1f}C{parent.x:.1f} {middle:.1f} '
        f'{child.x:.1f} {middle:.1f} {child.x:.1f} {child.y:.1f}"/>'
    )


def _mark(node: TreeNode, place: _Place, below: Sequence[int], bugs: frozenset[str]) -> str:
    said = " ".join(filter(None, (node.text, node.side, f"(line {node.line})" if node.line else "", node.outcome)))
    title = f"<title>{escape(said or node.kind)}</title>"
    if below or (node.below and not node.outcome):
        return f'<circle class="inner" cx="{place.x:.1f}" cy="{place.y:.1f}" r="{_RADIUS - 1}">{title}</circle>'
    if node.outcome:
        kind = "bug" if node.outcome in bugs else "path"
        at = f'x="{place.x - _RADIUS:.1f}" y="{place.y - _RADIUS:.1f}"'
        return f'<rect class="{kind}" {at} width="{2 * _RADIUS}" height="{2 * _RADIUS}" rx="1">{title}</rect>'
    return f'<circle class="open" cx="{place.x:.1f}" cy="{place.y:.1f}" r="{_RADIUS}">{title}</circle>'
