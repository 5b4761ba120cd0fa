"""What a run asked of its input where an assertion failed: of values as they came, or of what was computed of them.

static int width(int version) { assert(1 <= version && version <= 40); ... }
int image(int n) { int v = n; return width(v); }           asked of `n`, as it came: image() demands the same of it
int total(int n) { int t = sum(n); assert(t < 9); ... }    asked of a sum: that it is 9 is total()'s own error
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from msgspec import Struct

from veer.execution.decode import Fault
from veer.model.program import Program
from veer.search.distinct import distinct
from veer.smt.arena import Arena, operands
from veer.wire.layout import Kind, LeafKind, Op
from veer.wire.shared import Shared

_AS_IT_CAME = frozenset((Op.LEAF, Op.CONST, Op.ZEXT, Op.SEXT, Op.EXTRACT, Op.CONCAT, Op.NOT))
_EQUAL = frozenset((Op.EQ,))
_BY_ORDER = frozenset((Op.ULT, Op.ULE, Op.SLT, Op.SLE))
_SUMS = frozenset((Op.ADD, Op.SUB, Op.MUL, Op.SHL))
_JOINING = frozenset((Op.AND, Op.OR, Op.XOR))


class Conditions(Struct, frozen=True):
    """The numbers that the conditions of one place looked at as they came, by where they stand in the input.

    `has_pointers`: pointers, too; `has_sums`: sums and products of such numbers; `is_computed`: one of them is of
    something else that was computed, and then no numbers are known; `by_order`: the numbers that other places of the
    same functions compare by order.
    """

    numbers: frozenset[int] = frozenset()
    has_pointers: bool = False
    has_sums: bool = False
    is_computed: bool = False
    by_order: frozenset[int] = frozenset()


NO_CONDITIONS = Conditions()


def conditions_at(shared: Shared, program: Program, fault: Fault) -> Conditions:
    """Those of the line on which the last run failed."""
    if not fault.stack:
        return NO_CONDITIONS
    trace, arena = shared.published("trace"), Arena.of(shared)
    branches = trace[trace["kind"] == Kind.BRANCH]
    own, functions = fault.stack[0], {frame.function for frame in fault.stack}
    here = {site.id for site in program.sites if (site.function, site.line) == (own.function, own.line)}
    others = {site.id for site in program.sites if site.function in functions} - here
    numbers, has_pointers, has_sums = set[int](), False, False
    for literal in distinct(branches["literal"][np.isin(branches["site"], list(here))]).tolist():
        leaves = _leaves_of(arena, literal, _EQUAL | _BY_ORDER)
        if leaves is None:
            leaves = _leaves_of(arena, literal, _EQUAL | _BY_ORDER | _SUMS)
            has_sums = True
        if leaves is None:
            return Conditions(is_computed=True)
        pointers = {leaf for leaf in leaves if _is_pointer(shared, leaf)}
        has_pointers |= bool(pointers)
        numbers |= {arena.leaf(leaf).position for leaf in leaves - pointers}
    by_order = frozenset(
        arena.leaf(leaf).position
        for literal in distinct(branches["literal"][np.isin(branches["site"], list(others))]).tolist()
        for leaf in _leaves_of(arena, literal, _BY_ORDER) or ()
    )
    return Conditions(frozenset(numbers), has_pointers, has_sums, by_order=by_order)


def asked_of(shared: Shared) -> frozenset[int]:
    """Where in the input the numbers stand that the last run's conditions depend on; not those of checks, which ask of
    a text whether it goes on where the code does."""
    arena, trace = Arena.of(shared), shared.published("trace")
    literals = distinct(trace["literal"][np.isin(trace["kind"], [Kind.BRANCH, Kind.GUARD])]).tolist()
    leaves = {leaf for literal in literals for leaf in arena.support(literal)}
    return frozenset(arena.leaf(leaf).position for leaf in leaves)


def failing_on(shared: Shared, fault: Fault) -> frozenset[int] | None:
    """Where in the input the numbers stand on which the check depends that the last run failed; None: not known."""
    trace = shared.published("trace")
    site = fault.site.id if fault.site is not None else -1
    failed = trace[(trace["kind"] == Kind.CHECK) & (trace["alternative"] == 0) & (trace["site"] == site)]
    if not len(failed):
        return None
    arena = Arena.of(shared)
    return frozenset(arena.leaf(leaf).position for leaf in arena.support(int(failed["literal"][-1]))) or None


def _leaves_of(arena: Arena, literal: int, comparing: frozenset[Op]) -> frozenset[int] | None:
    """The leaves that a condition compares as they came, with each other or with constants; None for any other one."""
    found: set[int] = set()
    for expression in _below(arena, literal):
        node = arena.node(expression)
        is_truth = node.width == 1 and node.op in _JOINING
        if node.op == Op.LEAF:
            found.add(node.a)
        elif node.op == Op.ITE:  # a pointer: which address it is
            found |= arena.support(expression)
        elif node.op not in _AS_IT_CAME and node.op not in comparing and not is_truth:
            return None
    return frozenset(found)


def _below(arena: Arena, literal: int) -> Iterator[int]:
    """The expressions that one is made of, but for what a choice between addresses is made of."""
    waiting, seen = [literal], set[int]()
    while waiting:
        expression = waiting.pop()
        if expression in seen:
            continue
        seen.add(expression)
        yield expression
        node = arena.node(expression)
        if node.op != Op.ITE:
            waiting += operands(node)


def _is_pointer(shared: Shared, leaf: int) -> bool:
    return int(shared.published("leaves")[leaf]["kind"]) == LeafKind.CHOICE
