"""The counters build: the plain code with a mark on each edge of a source branch and the path hash, nothing else.

Its sites are numbered as in the concolic build of the same IR, so its branches are the tree's.
"""

from __future__ import annotations

from veer.instrument.decisions import EdgeMarks, mark_hash_and_edge, mark_switch
from veer.instrument.instructions import Instruction
from veer.instrument.module import Block, Function
from veer.instrument.sites import FunctionSites
from veer.instrument.typelayout import Layout
from veer.instrument.writer import Code, FunctionWriter, UnitText

EDGE_HITS = "veer_edge_hits"
PATH_HASH = "veer_counter_hash"


class CounterMarks:
    """Marks of the counters build: veer_edge_hits[edge] = 1, and the path hash in veer_counter_hash."""

    def branch(self, writer: FunctionWriter, site: int, condition: str) -> None:
        """See EdgeMarks."""
        wide = writer.value(writer.hot, f"zext i1 {condition} to i64")
        edge = writer.value(writer.hot, f"add i64 {wide}, {writer.unit.edge_word(2 * site)}")
        self._mark(writer, writer.hot, edge)

    def edge(self, writer: FunctionWriter, code: Code, edge: int) -> None:
        """See EdgeMarks."""
        self._mark(writer, code, writer.value(code, f"add i64 0, {writer.unit.edge_word(edge)}"))

    @staticmethod
    def _mark(writer: FunctionWriter, code: Code, edge: str) -> None:
        place = writer.value(code, f"getelementptr i8, ptr @{EDGE_HITS}, i64 {edge}")
        mark_hash_and_edge(writer, code, place, f"@{PATH_HASH}", writer.value(code, f"add i64 {edge}, 1"))


def count_function(
    unit: UnitText, layout: Layout, function: Function, blocks: tuple[Block, ...], sites: FunctionSites
) -> list[str]:
    """The lines of a definition with marks."""
    marks: EdgeMarks = CounterMarks()
    writer = FunctionWriter(unit, layout, blocks[0].label)
    froms: dict[tuple[str, str], list[str]] = {}
    phis: list[tuple[int, str, Instruction]] = []
    position = 0
    for index, block in enumerate(blocks):
        if index:
            writer.hot.start(block.label)
        else:
            writer.hot.lines.append(f"{block.label}:")
        for instruction in block.instructions:
            site = sites.decisions.get(position)
            is_marked = site is not None and position not in sites.checks
            text = instruction.text or f"br label %{instruction.labels[0]}"
            if instruction.opcode == "phi":
                phis.append((len(writer.hot.lines), block.label, instruction))
            elif instruction.opcode == "switch" and site is not None:
                made = mark_switch(writer, marks, instruction.labels, site)
                text = _switch_text(instruction, made)
                for target, label in zip(instruction.labels, made, strict=True):
                    froms.setdefault((block.label, target), []).append(label)
            elif is_marked and site is not None:
                marks.branch(writer, site, instruction.operands[0].value)
            writer.hot.add(text)
            position += 1
    for line, label, phi in phis:
        writer.hot.lines[line] = _phi_text(phi, label, froms)
    head = f"{function.head}{function.returns} {function.name}"
    parameters = ", ".join([*map(str, function.parameters), *(["..."] if function.variadic else [])])
    return [f"{head}({parameters}){function.tail} {{", *writer.hot.lines, *writer.cold.lines, "}"]


def _switch_text(switch: Instruction, labels: list[str]) -> str:
    condition, *cases = switch.operands
    targets = " ".join(
        f"{case.type} {case.value}, label %{label}" for case, label in zip(cases, labels[1:], strict=True)
    )
    return f"switch {condition.type} {condition.value}, label %{labels[0]} [ {targets} ]"


def _phi_text(phi: Instruction, label: str, froms: dict[tuple[str, str], list[str]]) -> str:
    taken: dict[str, int] = {}
    pairs = []
    for operand, source in zip(phi.operands, phi.labels, strict=True):
        edges = froms.get((source, label))
        number = taken.get(source, 0)
        taken[source] = number + 1
        pairs.append(f"[ {operand.value}, %{edges[number] if edges else source} ]")
    return f"  {phi.result} = phi {phi.type} {', '.join(pairs)}"
