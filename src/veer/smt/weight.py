"""How large a formula is, in bits of gates, roughly: a back end takes all of it in before it looks at its limits.

Measured with bitwuzla 0.9.1: a chain of 4,000 additions of 32 bits, each compared, is 256,000 bits; it takes 0.7 s to
take it in and 0.3 s to forget it, whatever the time limit says. A chain of 60 divisions of 32 bits takes 8 s.
"""

from __future__ import annotations

from collections.abc import Iterable

from veer.smt.arena import Arena, Node, operands
from veer.smt.views import COMPARISONS
from veer.wire.layout import Op

_WIRES = frozenset((Op.CONST, Op.LEAF, Op.NOT, Op.ZEXT, Op.SEXT, Op.EXTRACT, Op.CONCAT))
_SHIFTS = frozenset((Op.SHL, Op.LSHR, Op.ASHR))
_PRODUCTS = frozenset((Op.MUL, Op.FMUL, Op.FDIV, Op.FREM, Op.FSQRT, Op.FFMA))
_QUOTIENTS = frozenset((Op.UDIV, Op.SDIV, Op.UREM, Op.SREM))  # each stage subtracts, compares and selects
_DOUBLE_WIDTH = frozenset((Op.UMULH, Op.UDIVL, Op.UREML))
_STAGES_OF_A_SHIFT = 6
_STAGES_OF_A_FLOAT = 32
_ENTRIES_OF_A_GATE = 4


def weigh(arena: Arena, expressions: Iterable[int], known: set[int], most: int) -> int:
    """The bits of all that the expressions depend on and that is not in `known` yet, which is put there.

    Stops when there is more than `most`; `known` is then as it was.
    """
    total = 0
    seen: set[int] = set()
    waiting = list(expressions)
    while waiting and total <= most:
        expression = waiting.pop()
        if expression in known or expression in seen:
            continue
        seen.add(expression)
        node = arena.node(expression)
        total += bits(arena, node)
        waiting.extend(operands(node))
    if total <= most:
        known |= seen
    return total


def bits(arena: Arena, node: Node) -> int:
    """The weight of one operator."""
    if node.op in _WIRES:
        return 0
    if node.op in _SHIFTS:
        return node.width * _STAGES_OF_A_SHIFT
    if node.op in _PRODUCTS:
        return node.width * node.width
    if node.op in _QUOTIENTS:
        return 4 * node.width * node.width
    if node.op == Op.LOOKUP:
        return node.width * len(arena.table(node)) // _ENTRIES_OF_A_GATE
    if node.op in _DOUBLE_WIDTH:
        return 4 * node.width * node.width
    if node.op in COMPARISONS:
        return arena.node(node.a).width
    if node.op >= Op.FADD:
        return arena.node(node.a).width * _STAGES_OF_A_FLOAT
    return node.width
