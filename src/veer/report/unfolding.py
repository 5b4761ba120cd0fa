"""The execution tree as HTML that unfolds: nested <details>, made without recursion.

Parsers of HTML nest no deeper than some hundred elements, so that the tree is cut at a depth; what is left out is
counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from veer.model.tree import TreeNode
from veer.report.words import number

_DEEPEST = 80
_UNFOLDED = 2
_STATES = {
    "open": "not tried",
    "infeasible": "no input takes it",
    "queued": "waits for the solver",
    "unknown": "the solver does not know",
    "diverged": "a run aimed at it went elsewhere",
    "pruned": "left out by a pruning rule",
    "assumed": "excluded by a precondition",
    "cut": "beyond a bound",
}


def unfolding_tree(nodes: Sequence[TreeNode]) -> str:
    """Nested lists; nothing for an empty tree."""
    if not nodes:
        return ""
    children: list[list[int]] = [[] for _ in nodes]
    for index, node in enumerate(nodes):
        if 0 <= node.parent < index:
            children[node.parent].append(index)
    text: list[str] = ["<ul>"]
    waiting: list[tuple[int, int] | str] = ["</ul>", (0, 0)]
    while waiting:
        step = waiting.pop()
        if isinstance(step, str):
            text.append(step)
            continue
        index, depth = step
        node, below = nodes[index], children[index]
        if not below or depth >= _DEEPEST:
            rest = f' <span class="count">{number(node.below, "node")} below</span>' if node.below else ""
            text.append(f"<li>{_label(node)}{rest}</li>")
            continue
        is_open = " open" if depth < _UNFOLDED else ""
        count = f' <span class="count">{number(node.below, "node")} below</span>'
        text.append(f"<li><details{is_open}><summary>{_label(node)}{count}</summary><ul>")
        waiting.append("</ul></details></li>")
        waiting.extend((child, depth + 1) for child in reversed(below))
    return "".join(text)


def _label(node: TreeNode) -> str:
    if node.kind == "root":
        return f"<b>{escape(node.text)}</b>"
    where = f' <span class="place">line {node.line}</span>' if node.line else ""
    shown = f"<code>{escape(node.text)}</code> " if node.text else ""
    kind = f'<span class="kind">{escape(node.kind)}</span> ' if node.kind != "branch" else ""
    state = _STATES.get(node.state, "")
    ended = f' <span class="outcome">{escape(node.outcome)}</span>' if node.outcome else ""
    told = f' <span class="state">{state}</span>' if state else ""
    return f'{kind}{shown}<span class="side">{escape(node.side)}</span>{where}{told}{ended}'
