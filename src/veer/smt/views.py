"""The type rules of expressions: which view of itself an operator makes and wants of its operands, which widths fit.

An expression of width 1 can be wanted as a Bool or as a bit-vector of one bit, one of width 32 or 64 as bits or as a
float. Each operator makes one of these *views* natively; the others are conversions, made when someone asks:

    BOOL   comparisons, and of width 1: NOT, AND, OR, XOR, ITE, CONST         ⇄ BITS by ite / equality
    BITS   everything else                                                    → FLOAT by reinterpretation
    FLOAT  FADD ... FDIV, FSQRT, FFMA, FPEXT, FPTRUNC, S/UITOFP, FRINT ...    → BITS by a definition (terms.py)
"""

from __future__ import annotations

from veer.smt.arena import OPERAND_COUNT, Node
from veer.wire.layout import Op

BOOL, BITS, FLOAT = 1, 2, 3

COMPARISONS = frozenset((Op.EQ, Op.ULT, Op.ULE, Op.SLT, Op.SLE))
FLOAT_COMPARISONS = frozenset((Op.FOEQ, Op.FOLT, Op.FOLE, Op.FUNO))
FROM_INTEGERS = frozenset((Op.SITOFP, Op.UITOFP))
TO_INTEGERS = frozenset((Op.FPTOSI, Op.FPTOUI))
TO_INTEGRAL = frozenset((Op.FRINT, Op.FFLOOR, Op.FCEIL, Op.FTRUNC, Op.FROUND))
_ARITHMETIC = frozenset((Op.FADD, Op.FSUB, Op.FMUL, Op.FDIV, Op.FSQRT, Op.FFMA, Op.FPEXT, Op.FPTRUNC))
FLOAT_RESULTS = _ARITHMETIC | FROM_INTEGERS | TO_INTEGRAL
"""Operators that make floats. FNEG and FABS are not among them: on bits they are exact for NaNs too."""
_LOGIC = frozenset((Op.NOT, Op.AND, Op.OR, Op.XOR, Op.ITE, Op.CONST))
_EXTENSIONS = frozenset((Op.ZEXT, Op.SEXT))
_ANY_FLOAT_WIDTHS = frozenset((Op.FPEXT, Op.FPTRUNC))


def _native(op: Op, *, one_bit: bool) -> int:
    if op in COMPARISONS or op in FLOAT_COMPARISONS or (one_bit and op in _LOGIC):
        return BOOL
    return FLOAT if op in FLOAT_RESULTS else BITS


def _wanted(op: Op, *, one_bit: bool) -> tuple[int, ...]:
    if op == Op.ITE:
        return (BOOL, BOOL, BOOL) if one_bit else (BOOL, BITS, BITS)
    view = BITS
    if op in FLOAT_COMPARISONS or op in TO_INTEGERS or (op in FLOAT_RESULTS and op not in FROM_INTEGERS):
        view = FLOAT
    elif one_bit and op in _LOGIC:
        view = BOOL
    return (view,) * OPERAND_COUNT[op]


_NATIVE = {int(op): _native(op, one_bit=False) for op in Op}
_NATIVE_OF_ONE_BIT = {int(op): _native(op, one_bit=True) for op in Op}
_WANTED = {int(op): _wanted(op, one_bit=False) for op in Op}
_WANTED_BY_ONE_BIT = {int(op): _wanted(op, one_bit=True) for op in Op}


def native_view(node: Node) -> int:
    """The view that the operator makes."""
    return (_NATIVE_OF_ONE_BIT if node.width == 1 else _NATIVE)[node.op]


def operand_views(node: Node, width_of_a: int) -> tuple[int, ...]:
    """The views that the operator wants of a, b, c."""
    if node.op == Op.EQ and width_of_a == 1:
        return (BOOL, BOOL)
    return (_WANTED_BY_ONE_BIT if node.width == 1 else _WANTED)[node.op]


def widths_fit(node: Node, widths: list[int]) -> bool:
    """Whether a node's width and those of its operands obey wire.layout.Op (a LEAF's is for the caller to compare)."""
    op, width = node.op, node.width
    if not 1 <= width <= 64:
        return False
    if op == Op.CONST:
        return node.value >> width == 0
    if op in COMPARISONS:
        return width == 1 and widths[0] == widths[1]
    if op in FLOAT_COMPARISONS:
        return width == 1 and widths[0] == widths[1] and widths[0] in (32, 64)
    if op in _EXTENSIONS:
        return widths[0] <= width
    if op == Op.EXTRACT:
        return node.b + width <= widths[0]
    if op == Op.LOOKUP:
        return width in (8, 16, 32, 64)
    if op == Op.CONCAT:
        return widths[0] + widths[1] == width
    if op == Op.ITE:
        return widths == [1, width, width]
    if op in TO_INTEGERS:
        return widths[0] in (32, 64)
    if op in FROM_INTEGERS:
        return width in (32, 64)
    if op in _ANY_FLOAT_WIDTHS:
        longer, shorter = (width, widths[0]) if op == Op.FPEXT else (widths[0], width)
        return {longer, shorter} <= {32, 64} and shorter <= longer
    return widths.count(width) == len(widths) and (op < Op.FADD or width in (32, 64))
