"""Drawings for the HTML report, as SVG text: a test's memory graph, and coverage over time.

roots     objects, by their distance from a root
┌───┐     ┌──────────┐     ┌──────────┐
│ p ┼────►│ .v    3  │ ┌──►│ .v    0  │
└───┘     │ .next ●──┼─┘   │ .next NULL
          └──────────┘     └──────────┘
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from msgspec import Struct

from veer.model.coverage import Sample
from veer.model.graph import GraphField, GraphNode

_CHARACTER = 7.3  # width of a character of 12 px monospace
_ROW = 20
_GAP_X, _GAP_Y = 56, 18
_MARGIN = 10
_MOST_CHARACTERS = 26
_WIDTH, _HEIGHT, _LEFT, _BOTTOM, _TOP, _RIGHT = 640, 220, 44, 34, 12, 16


class _Box(Struct, frozen=True):
    node: GraphNode
    x: float
    y: float
    width: float

    @property
    def height(self) -> float:
        return _ROW * (1 + len(self.node.fields)) + 6


def memory_graph_svg(nodes: Sequence[GraphNode], label: str) -> str:
    """The graph as one SVG; empty when there is nothing to draw."""
    if not nodes:
        return ""
    boxes = _placed(nodes)
    width = max(box.x + box.width for box in boxes.values()) + _MARGIN + 26
    height = max(box.y + box.height for box in boxes.values()) + _MARGIN + 14
    parts = [_box(box) for box in boxes.values()]
    for box in boxes.values():
        for index, field in enumerate(box.node.fields):
            if field.target in boxes:
                parts.append(_arrow(box, index, boxes[field.target]))
    return (
        f'<svg class="graph" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}"'
        f' role="img" aria-label="{escape(label)}">{"".join(parts)}</svg>'
    )


def _placed(nodes: Sequence[GraphNode]) -> dict[str, _Box]:
    """Boxes in columns: roots first, each object one column behind what leads to it first."""
    by_name = {node.name: node for node in nodes}
    column = {node.name: 0 for node in nodes if node.is_root}
    waiting = list(column)
    for name in waiting:
        for field in by_name[name].fields:
            if field.target in by_name and field.target not in column:
                column[field.target] = column[name] + 1
                waiting.append(field.target)
    for node in nodes:
        column.setdefault(node.name, 0)
    found: dict[str, _Box] = {}
    x = float(_MARGIN)
    for number in range(max(column.values()) + 1):
        members = [by_name[name] for name in column if column[name] == number]
        width = max(_width(node) for node in members)
        y = float(_MARGIN)
        for node in members:
            found[node.name] = _Box(node, x, y, width)
            y += found[node.name].height + _GAP_Y
        x += width + _GAP_X
    return found


def _width(node: GraphNode) -> float:
    lines = [_heading(node), *(f"{_path(field)}  {_value(field)}" for field in node.fields)]
    return 20 + _CHARACTER * max(min(len(line), 2 * _MOST_CHARACTERS) for line in lines)


def _heading(node: GraphNode) -> str:
    return _short(f"{node.name}: {node.type}" if node.type else node.name)


def _path(field: GraphField) -> str:
    return _short(field.path)


def _value(field: GraphField) -> str:
    return "●" if field.target else _short(field.value)


def _short(text: str) -> str:
    return text if len(text) <= _MOST_CHARACTERS else text[: _MOST_CHARACTERS - 1] + "…"


def _box(box: _Box) -> str:
    kind = "root" if box.node.is_root else "object"
    left, right, ruled = box.x, box.x + box.width, box.y + _ROW + 1
    size = f'width="{box.width:.0f}" height="{box.height:.0f}"'
    parts = [
        f'<rect class="{kind}" x="{left:.0f}" y="{box.y:.0f}" {size} rx="4"/>',
        _text(box.x + 8, box.y + 15, _heading(box.node), "head"),
        f'<line x1="{left:.0f}" x2="{right:.0f}" y1="{ruled:.0f}" y2="{ruled:.0f}"/>',
    ]
    for index, field in enumerate(box.node.fields):
        y = box.y + _ROW * (index + 2) - 2
        if field.path:
            parts.append(_text(box.x + 8, y, _path(field), "path"))
        parts.append(_text(box.x + box.width - 8, y, _value(field), "value"))
    return "".join(parts)


def _text(x: float, y: float, content: str, kind: str) -> str:
    anchor = ' text-anchor="end"' if kind == "value" else ""
    return f'<text class="{kind}" x="{x:.0f}" y="{y:.0f}"{anchor}>{escape(content)}</text>'


def _arrow(source: _Box, index: int, target: _Box) -> str:
    """From the field to the target's head; within a column around its right side, to the left around below."""
    x1, y1 = source.x + source.width - 4, source.y + _ROW * (index + 2) - 7
    if target.x > source.x:
        x2, y2 = target.x, target.y + 11
        bend = (x2 - x1) / 2
        path = f"M{x1:.0f} {y1:.0f}C{x1 + bend:.0f} {y1:.0f} {x2 - bend:.0f} {y2:.0f} {x2 - 5:.0f} {y2:.0f}"
        head = f"M{x2:.0f} {y2:.0f}l-8 -4v8z"
    elif target.x == source.x:
        x2, y2 = target.x + target.width, target.y + 11
        out = x2 + 18 + min(abs(y2 - y1) / 12, 6)
        path = f"M{x1:.0f} {y1:.0f}C{out:.0f} {y1:.0f} {out:.0f} {y2:.0f} {x2 + 5:.0f} {y2:.0f}"
        head = f"M{x2:.0f} {y2:.0f}l8 -4v8z"
    else:
        x2, y2 = target.x + target.width / 2, target.y + target.height
        low = max(source.y + source.height, y2) + 16
        out = source.x + source.width + 22
        path = (
            f"M{x1:.0f} {y1:.0f}C{out + 8:.0f} {y1:.0f} {out + 8:.0f} {low:.0f} {(out + x2) / 2:.0f} {low:.0f}"
            f"S{x2:.0f} {low:.0f} {x2:.0f} {y2 + 5:.0f}"
        )
        head = f"M{x2:.0f} {y2:.0f}l-4 8h8z"
    return f'<path class="arrow" d="{path}"/><path class="tip" d="{head}"/>'


def coverage_svg(samples: Sequence[Sample], total: int) -> str:
    """Covered branches over the seconds since the campaign began, as steps; empty when there are fewer than two
    samples."""
    if len(samples) < 2 or total <= 0:
        return ""
    last = samples[-1].seconds
    span = max(last, 1e-9)

    def x(seconds: float) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * seconds / span

    def y(covered: float) -> float:
        return _HEIGHT - _BOTTOM - (_HEIGHT - _BOTTOM - _TOP) * covered / total

    steps = f"M{x(0.0):.1f} {y(0):.1f}"
    for sample in samples:
        steps += f"H{x(sample.seconds):.1f}V{y(sample.covered):.1f}"
    grid = ""
    for value in dict.fromkeys((0, total // 2, total)):
        grid += f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y(value):.1f}" y2="{y(value):.1f}"/>'
        grid += f'<text class="tick" x="{_LEFT - 6}" y="{y(value) + 4:.1f}" text-anchor="end">{value}</text>'
    digits = min(4, max(1, 2 - math.floor(math.log10(span))))  # so that the ticks of a short search differ
    for part, anchor in ((0.0, "start"), (0.5, "middle"), (1.0, "end")):
        at = span * part
        grid += f'<text class="tick" x="{x(at):.1f}" y="{_HEIGHT - 12}" text-anchor="{anchor}">{at:.{digits}f} s</text>'
    label = f"{samples[-1].covered} of {total} branches were covered after {last:.2f} seconds"
    return (
        f'<svg class="plot" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{label}">{grid}'
        f'<path class="curve" d="{steps}"/></svg>'
    )
