"""The control-flow graph of machine code, as JSON and for Graphviz: each edge with who found it.

The set of targets of a jump is complete when the code before it computes the one that there is, or when the search has
proved that no input goes anywhere else.
"""

from __future__ import annotations

import json

from msgspec import Struct

from veer.model.ending import BranchState
from veer.model.flow import Flow, FlowEdge, FoundBy, IndirectJump
from veer.model.result import Result
from veer.report.protocol import Format

_NOTHING = Flow((), (), ())


class Completeness(Struct, frozen=True):
    """Whether all targets of a jump are known, and why, or why not."""

    why: str
    is_complete: bool = False


def render_json(result: Result) -> str:
    """The graph as JSON; that of a source, which has none, is empty."""
    flow = _flow(result)
    whole = {
        "entry": result.program.entry,
        "blocks": [
            {"function": each.function, "first": hex(each.first), "last": hex(each.last), "line": each.line}
            for each in flow.blocks
        ],
        "edges": [
            {"from": hex(each.at), "to": hex(each.target), "kind": each.kind.value, "found by": each.found_by.value}
            for each in flow.edges
        ],
        "indirect": [_indirect(result, flow, each) for each in flow.indirect],
    }
    return json.dumps(whole, indent=1) + "\n"


def render_dot(result: Result) -> str:
    """The graph in Graphviz's language; what runs found is blue, a jump whose targets may be more has a red edge."""
    flow = _flow(result)
    rows = ["digraph flow {", '  node [shape=box, fontname="monospace"];']
    functions = dict.fromkeys(each.function for each in flow.blocks)
    for number, function in enumerate(functions):
        rows += [f"  subgraph cluster_{number} {{", f"    label={_quoted(function)};"]
        own = [each for each in flow.blocks if each.function == function]
        rows += [f'    "{each.first:x}" [label="{each.first:#x}\\n{each.last:#x}"];' for each in own]
        rows.append("  }")
    rows += [row for each in flow.edges for row in _dot_edge(flow, each)]
    for jump in flow.indirect:
        if not completeness(result, flow, jump).is_complete:
            rows.append(f'  "{_block_of(flow, jump.at):x}" -> "unknown {jump.at:x}" [color=red, label="may be more"];')
    return "\n".join([*rows, "}"]) + "\n"


JSON = Format("flow.json", render_json)
DOT = Format("flow.dot", render_dot)


def completeness(result: Result, flow: Flow, jump: IndirectJump) -> Completeness:
    """Of the targets of one jump."""
    if jump.is_computed:
        return Completeness("the instructions before it compute the target", is_complete=True)
    for branch in result.branches:
        if branch.line == jump.line and branch.side == flow.another:
            if branch.state is BranchState.INFEASIBLE:
                within = f" within {', '.join(result.ending.within)}" if result.ending.within else ""
                return Completeness(f"no input goes anywhere else: proved on every path{within}", is_complete=True)
            return Completeness(f"another target: {branch.state.sentence}")
    return Completeness("no run came to it")


def _flow(result: Result) -> Flow:
    return result.program.flow or _NOTHING


def _indirect(result: Result, flow: Flow, jump: IndirectJump) -> dict[str, object]:
    found = completeness(result, flow, jump)
    return {
        "at": hex(jump.at),
        "function": jump.function,
        "instruction": jump.text,
        "targets": [
            hex(each.target) for each in flow.edges if each.at == jump.at and each.target in _goals(flow, jump)
        ],
        "complete": found.is_complete,
        "why": found.why,
    }


def _goals(flow: Flow, jump: IndirectJump) -> set[int]:
    """Where its edges lead that do not stand for the instruction behind it."""
    return {each.target for each in flow.edges if each.at == jump.at and each.kind.value != "next"}


def _dot_edge(flow: Flow, edge: FlowEdge) -> list[str]:
    color = "blue" if edge.found_by is FoundBy.RUN else "black"
    style = "dashed" if edge.kind.value in ("call", "tail call") else "solid"
    return [f'  "{_block_of(flow, edge.at):x}" -> "{edge.target:x}" [color={color}, style={style}];']


def _block_of(flow: Flow, address: int) -> int:
    """The beginning of the block that an instruction is in."""
    return max((each.first for each in flow.blocks if each.first <= address <= each.last), default=address)


def _quoted(text: str) -> str:
    return json.dumps(text)
