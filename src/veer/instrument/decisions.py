"""Source branches, checks, switches, selects: coverage, path hash, what the runtime is told of symbolic ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from veer.instrument import convention
from veer.instrument.pending import Pending, Tail
from veer.instrument.sites import FunctionSites
from veer.instrument.symbolic import SymbolicOperations
from veer.instrument.taint import CONCRETE, Lookup, Step, Taint
from veer.instrument.typelayout import Layout
from veer.instrument.writer import Code, FunctionWriter, constant_bits, defined
from veer.wire.layout import Op


class EdgeMarks(Protocol):
    """Says that an edge was taken."""

    def branch(self, writer: FunctionWriter, site: int, condition: str) -> None:
        """Marks the edge 2 * site + condition in the hot code."""

    def edge(self, writer: FunctionWriter, code: Code, edge: int) -> None:
        """Marks a fixed edge."""


class CoverageMarks:
    """Marks of the concolic build: COVERAGE[edge] counts up to 255; hash = (hash ^ (edge + 1)) * multiplier in the hot
    block."""

    def branch(self, writer: FunctionWriter, site: int, condition: str) -> None:
        """See EdgeMarks."""
        hot = writer.hot
        wide = writer.value(hot, f"zext i1 {condition} to i64")
        place = writer.value(hot, f"getelementptr i8, ptr {writer.unit.coverage(2 * site)}, i64 {wide}")
        number = writer.value(hot, f"add i64 {wide}, {writer.unit.edge_word(2 * site, plus=1)}")
        _count(writer, hot, place)
        mix_hash(writer, hot, writer.hash_place, number)

    def edge(self, writer: FunctionWriter, code: Code, edge: int) -> None:
        """See EdgeMarks."""
        number = writer.unit.edge_word(edge, plus=1)
        _count(writer, code, writer.unit.coverage(edge))
        mix_hash(writer, code, writer.hash_place, number)


class NoMarks:
    """Marks nothing: veer's own library."""

    def branch(self, writer: FunctionWriter, site: int, condition: str) -> None:
        """See EdgeMarks."""

    def edge(self, writer: FunctionWriter, code: Code, edge: int) -> None:
        """See EdgeMarks."""


def _count(writer: FunctionWriter, code: Code, place: str) -> None:
    """*place += 1, up to 255: a comparison, and an addition of its carry."""
    old = writer.value(code, f"load i8, ptr {place}, align 1")
    is_less = writer.value(code, f"icmp ne i8 {old}, -1")
    step = writer.value(code, f"zext i1 {is_less} to i8")
    new = writer.value(code, f"add i8 {old}, {step}")
    code.add(f"store i8 {new}, ptr {place}, align 1")


def mark_hash_and_edge(writer: FunctionWriter, code: Code, place: str, where: str, number: str) -> None:
    """*place = 1; *where = (*where ^ number) * multiplier."""
    code.add(f"store i8 1, ptr {place}, align 1")
    mix_hash(writer, code, where, number)


def mix_hash(writer: FunctionWriter, code: Code, where: str, number: str) -> None:
    """*where = (*where ^ number) * multiplier."""
    old = writer.value(code, f"load i64, ptr {where}, align 8")
    mixed = writer.value(code, f"xor i64 {old}, {number}")
    new = writer.value(code, f"mul i64 {mixed}, {convention.signed_multiplier()}")
    code.add(f"store i64 {new}, ptr {where}, align 8")


def mark_switch(writer: FunctionWriter, marks: EdgeMarks, labels: Sequence[str], first_site: int) -> list[str]:
    """An edge block for the default (labels[0]) and each case, in the cold code; gives their labels in that order."""
    count = len(labels) - 1
    made = []
    for index, label in enumerate(labels):
        edge = 2 * (first_site + index - 1) + 1 if index else 2 * (first_site + count - 1)
        block = writer.label()
        writer.cold.start(block)
        marks.edge(writer, writer.cold, edge)
        writer.cold.add(f"br label %{label}")
        made.append(block)
    return made


def mark_sides(writer: FunctionWriter, marks: EdgeMarks, condition: str, labels: Sequence[str], site: int) -> list[str]:
    """Ends the hot block with a source branch; each side has a block for its mark, whose constants cost less than an
    edge that is computed from the condition. Gives the labels of these blocks."""
    hot = writer.hot
    made = [writer.label(), writer.label()]
    hot.add(f"br i1 {condition}, label %{made[0]}, label %{made[1]}")
    for block, label, side in zip(made, labels, (1, 0), strict=True):
        hot.start(block)
        marks.edge(writer, hot, 2 * site + side)
        hot.add(f"br label %{label}")
    return made


class Decisions:
    """Emits the decisions of one function. Returns of terminators: the label that each edge now comes from."""

    def __init__(
        self,
        writer: FunctionWriter,
        taint: Taint,
        pending: Pending,
        operations: SymbolicOperations,
        layout: Layout,
        sites: FunctionSites,
        marks: EdgeMarks,
    ) -> None:
        self._writer = writer
        self._taint = taint
        self._pending = pending
        self._operations = operations
        self._layout = layout
        self._sites = sites
        self._marks = marks

    def branch(self, step: Step) -> list[str]:
        """A `br`, conditional or not."""
        instruction = step.instruction
        hot = self._writer.hot
        if not instruction.operands:
            self._pending.close()
            hot.add(f"br label %{instruction.labels[0]}")
            return [hot.label]
        condition = defined("i1", instruction.operands[0].value)
        site = self._sites.decisions.get(step.position)
        if site is None:
            self._pending.close()
        elif step.position in self._sites.checks:
            self._decide(step, condition, site, self._sites.checks[step.position])
        else:
            self._decide(step, condition, site, None)
            if not isinstance(self._marks, NoMarks):
                return mark_sides(self._writer, self._marks, condition, instruction.labels, site)
        first, second = instruction.labels
        hot.add(f"br i1 {condition}, label %{first}, label %{second}")
        return [hot.label, hot.label]

    def select(self, step: Step) -> None:
        """A select: a source branch whose arms are values."""
        instruction = step.instruction
        condition, *arms = instruction.operands
        value = defined(condition.type, condition.value)
        texts = [f"{arm.type} {defined(arm.type, arm.value)}" for arm in arms]
        site = self._sites.decisions.get(step.position)
        if site is None:
            self._pending.close()
        else:
            self._marks.branch(self._writer, site, value)
            self._decide(step, value, site, None)
        hot = self._writer.hot
        hot.add(f"{instruction.result} = select {condition.type} {value}, {texts[0]}, {texts[1]}")
        results = self._taint.result(instruction)
        left, right = (self._taint.shadows(arm) for arm in arms)
        for result, one, other in zip(results, left, right, strict=True):
            if result != CONCRETE:
                hot.add(f"{result} = select i1 {value}, i32 {one}, i32 {other}")

    def _decide(self, step: Step, condition: str, site: int, good: int | None) -> None:
        """Ends the run; tells the runtime when the condition is symbolic. `good`: the good side of a check."""
        operand = step.instruction.operands[0]
        shadow = self._taint.shadow(operand)
        writer = self._writer

        def tail(code: Code, lookup: Lookup) -> Sequence[tuple[str, str]]:
            after = self._when_symbolic(code, lookup(shadow))
            place = writer.unit.site(site)
            taken = writer.value(code, f"zext i1 {condition} to i32")
            if good is None:
                code.add(
                    f"call void {writer.unit.runtime('veer_branch')}(i32 {lookup(shadow)}, i32 {taken}, i32 {place})"
                )
            else:
                holds = lookup(shadow)
                if good == 0:
                    holds = self._operations.unary(code, Op.NOT, operand, lookup)
                    taken = writer.value(code, f"xor i32 {taken}, 1")
                code.add(f"call void {writer.unit.runtime('veer_check')}(i32 {holds}, i32 {taken}, i32 {place})")
            code.add(f"br label %{after}")
            code.start(after)
            return ()

        self._pending.close((shadow,), (), tail if shadow != CONCRETE else None)

    def _when_symbolic(self, code: Code, shadow: str) -> str:
        """Goes on in a block that is entered only if the shadow is symbolic; gives the label behind it."""
        test = self._writer.value(code, f"icmp ugt i32 {shadow}, 1")
        inside, after = self._writer.label(), self._writer.label()
        code.add(f"br i1 {test}, label %{inside}, label %{after}")
        code.start(inside)
        return after

    def switch(self, step: Step) -> list[str]:
        """A switch: an ordered chain of equalities, an edge block for each case."""
        instruction = step.instruction
        condition, *cases = instruction.operands
        value = defined(condition.type, condition.value)
        first_site = self._sites.decisions.get(step.position)
        width = self._layout.width(condition.type)
        shadow = self._taint.shadow(condition)
        if first_site is not None and shadow != CONCRETE and width:
            self._pending.close((shadow,), (), self._switch_tail(step, first_site))
        else:
            self._pending.close()
        labels = list(instruction.labels)
        hot = self._writer.hot
        here = hot.label
        froms = [here] * len(labels)
        if first_site is not None and not isinstance(self._marks, NoMarks):
            labels = froms = mark_switch(self._writer, self._marks, labels, first_site)
        targets = " ".join(
            f"{case.type} {case.value}, label %{label}" for case, label in zip(cases, labels[1:], strict=True)
        )
        hot.add(f"switch {condition.type} {value}, label %{labels[0]} [ {targets} ]")
        return froms

    def _switch_tail(self, step: Step, first_site: int) -> Tail:
        condition, *cases = step.instruction.operands
        shadow = self._taint.shadow(condition)
        width = self._layout.width(condition.type)
        writer = self._writer
        numbers = ", ".join(f"i64 {constant_bits(case.type, case.value)}" for case in cases)
        table = writer.unit.constant(f"[{len(cases)} x i64] [{numbers}]")

        def tail(code: Code, lookup: Lookup) -> Sequence[tuple[str, str]]:
            after = self._when_symbolic(code, lookup(shadow))
            bits = writer.bits(code, condition.type, condition.value)
            code.add(
                f"call void {writer.unit.runtime('veer_switch')}(i32 {lookup(shadow)}, i64 {bits}, i32 {width}, "
                f"i32 {writer.unit.site(first_site)}, i32 {len(cases)}, ptr {table})"
            )
            code.add(f"br label %{after}")
            code.start(after)
            return ()

        return tail

    def indirect(self, step: Step, site: int) -> list[str]:
        """A computed goto: where it goes is a part of the path, as the function that an indirect call reaches is."""
        operand = step.instruction.operands[0]
        shadow = self._taint.shadow(operand)
        self._pending.close()
        hot = self._writer.hot
        target = self._writer.bits(hot, "ptr", operand.value)
        runtime = self._writer.unit.runtime("veer_indirect_jump")
        self._writer.flush(hot)
        hot.add(f"call void {runtime}(i64 {target}, i32 {shadow}, i32 {self._writer.unit.site(site)})")
        labels = step.instruction.labels
        targets = ", ".join(f"label %{label}" for label in labels)
        hot.add(f"indirectbr ptr {operand.value}, [{targets}]")
        return [hot.label] * len(labels)
