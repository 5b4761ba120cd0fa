"""Rewrites intrinsics and atomics into plain operations, before anything is instrumented.

What is said in plain operations gets its symbolic meaning from them, so that there is one place to be right:

    %r = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %a, i32 %b)
    ->  add, xor, xor, and, icmp slt, two insertvalues
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from veer.instrument import atomics, intrinsics, overflow, vectors
from veer.instrument.instructions import Instruction
from veer.instrument.lexer import Operand
from veer.instrument.plain import PlainCode
from veer.instrument.typelayout import Layout
from veer.instrument.valueranges import ValueRanges
from veer.instrument.variadic import LIST
from veer.model.values import replace

_Handler = Callable[[PlainCode, Instruction], str]
"""Adds what stands for an instruction; gives the value that is its result, "" for none."""

_DROPPED = (
    *("llvm.lifetime.", "llvm.dbg.", "llvm.assume", "llvm.donothing", "llvm.prefetch.", "llvm.var.annotation"),
    *("llvm.experimental.noalias.", "llvm.pseudoprobe", "llvm.fake.use", "llvm.va_end"),
)
_IDENTITIES = (
    *("llvm.expect.", "llvm.threadlocal.address", "llvm.launder.", "llvm.strip.invariant", "llvm.ptr.annotation"),
    *("llvm.annotation.", "llvm.ssa.copy"),
)
_BLOCK_OPERATIONS = {"llvm.memcpy.": "veer_memcpy", "llvm.memmove.": "veer_memmove", "llvm.memset.": "veer_memset"}
_UNARY = {
    "llvm.ctpop.": "CTPOP",
    "llvm.fabs.": "FABS",
    "llvm.sqrt.": "FSQRT",
    "llvm.floor.": "FFLOOR",
    "llvm.ceil.": "FCEIL",
    "llvm.trunc.": "FTRUNC",
    "llvm.round.": "FROUND",
    "llvm.roundeven.": "FRINT",
    "llvm.rint.": "FRINT",  # a unit that changes the rounding mode is beyond veer (docs/limits.md)
    "llvm.nearbyint.": "FRINT",
}


class Lowering:
    """Lowers the instructions of one function; `definitions`: the instruction that makes each of its values."""

    def __init__(self, layout: Layout, definitions: Mapping[str, Instruction]) -> None:
        self._layout = layout
        self._ranges = ValueRanges(layout, definitions)
        self._code = PlainCode(layout)

    def lower(self, instruction: Instruction) -> list[Instruction]:
        """What stands for the instruction: itself, or plain operations of which the last has its result."""
        handler = self._handler(instruction)
        if handler is None:
            return [instruction]
        code = self._code
        code.restart(instruction.location)
        value = handler(code, instruction)
        if instruction.result and value:
            last = code.instructions[-1] if code.instructions else None
            if last is not None and last.result == value:
                code.instructions[-1] = replace(last, result=instruction.result)
            else:
                code.identity(instruction.result, instruction.type, value)
        return code.instructions

    def _handler(self, instruction: Instruction) -> _Handler | None:
        opcode = instruction.opcode
        if opcode == "call":
            callee = instruction.call.callee if instruction.call is not None else ""
            return self._intrinsic(instruction, callee[1:]) if callee.startswith("@llvm.") else None
        if opcode == "getelementptr" and instruction.detail == LIST and _counts_registers(instruction):
            return intrinsics.read_argument
        if opcode == "alloca" and instruction.operands and not instruction.operands[0].value.isdigit():
            return _dynamic_array
        if opcode == "atomicrmw" and self._layout.width(instruction.type):
            return _ATOMICS.get(instruction.detail)
        if opcode == "select" and instruction.is_sanitizer:
            return _choice
        if opcode == "cmpxchg" and self._layout.width(instruction.operands[1].type):
            return atomics.compare_exchange
        return vectors.handler(self._layout, instruction)

    def _intrinsic(self, instruction: Instruction, name: str) -> _Handler | None:
        for prefix, target in _BLOCK_OPERATIONS.items():
            if name.startswith(prefix):
                return partial(_block_operation, target)
        if name.startswith("llvm.va_copy"):
            return intrinsics.copy_list
        if name.startswith(_DROPPED):
            return _nothing
        if name.startswith(_IDENTITIES):
            return intrinsics.first_operand
        for prefix, operation in _UNARY.items():
            if name.startswith(prefix) and self._layout.width(instruction.type):
                return partial(_unary, operation)
        kind = name[5:].rpartition(".")[0]
        handler = _INTRINSICS.get(kind)
        if handler is None or not instruction.operands:
            return None
        if kind.endswith(".with.overflow"):
            operands = instruction.operands[0], instruction.operands[1]
            if self._ranges.fits(kind[1:4], operands, signed=kind.startswith("s")):
                return partial(overflow.without_overflow, kind[1:4])
        type_ = instruction.operands[0].type
        is_wide_sum = self._layout.wide(type_) > 0 and ".with.overflow" in name and "mul" not in name
        return handler if self._layout.width(type_) > 1 or is_wide_sum else None


def _counts_registers(place: Instruction) -> bool:
    """Whether this is the address of the first or second member of a va_list, which count registers."""
    return len(place.operands) == 3 and place.operands[-1].value in ("0", "1")


def _nothing(_: PlainCode, __: Instruction) -> str:
    return ""


def _block_operation(target: str, code: PlainCode, call: Instruction) -> str:
    return intrinsics.block_operation(code, target, call)


def _unary(detail: str, code: PlainCode, call: Instruction) -> str:
    assert call.call is not None
    return code.unary(detail, call.operands[0], call.call.callee)


def _dynamic_array(code: PlainCode, alloca: Instruction) -> str:
    """An alloca of n elements becomes one of n * size bytes."""
    type_, count = alloca.operands[0]
    width = code.layout.width(type_)
    if width != 64:
        count = code.cast("zext" if width < 64 else "trunc", type_, count, "i64")
    size = code.operation("mul", "i64", count, code.layout.size(alloca.detail))
    code.instructions.append(replace(alloca, operands=(Operand("i64", size),), detail="i8"))
    return ""


def _choice(code: PlainCode, select: Instruction) -> str:
    """A select of the compiler's own, beside a check (abs() whose overflow is one): no branch of the source."""
    condition, then, other = (operand.value for operand in select.operands)
    return code.choose(select.type, condition, then, other)


def _overflow(opcode: str, *, signed: bool) -> _Handler:
    return lambda code, call: overflow.with_overflow(code, opcode, call, signed=signed)


def _extreme(predicate: str) -> _Handler:
    return lambda code, call: intrinsics.extreme(code, predicate, call)


def _atomic(opcode: str) -> _Handler:
    return lambda code, update: atomics.atomic_update(code, opcode, update)


_INTRINSICS: dict[str, _Handler] = {
    "abs": intrinsics.absolute,
    "smax": _extreme("sgt"),
    "smin": _extreme("slt"),
    "umax": _extreme("ugt"),
    "umin": _extreme("ult"),
    "bswap": intrinsics.byte_swap,
    "bitreverse": intrinsics.bit_reverse,
    "fshl": partial(intrinsics.funnel, left=True),
    "fshr": partial(intrinsics.funnel, left=False),
    "cttz": intrinsics.trailing_zeros,
    "ctlz": intrinsics.leading_zeros,
    "fmuladd": intrinsics.multiply_add,
    "fma": intrinsics.fused,
    "copysign": intrinsics.copy_sign,
    "minnum": partial(intrinsics.float_extreme, "olt"),
    "maxnum": partial(intrinsics.float_extreme, "ogt"),
    "lrint.i64": partial(intrinsics.to_nearest_integer, "FRINT", "rint"),
    "llrint.i64": partial(intrinsics.to_nearest_integer, "FRINT", "rint"),
    "lround.i64": partial(intrinsics.to_nearest_integer, "FROUND", "round"),
    "llround.i64": partial(intrinsics.to_nearest_integer, "FROUND", "round"),
    "sadd.sat": partial(overflow.saturating, "add", signed=True),
    "uadd.sat": partial(overflow.saturating, "add", signed=False),
    "ssub.sat": partial(overflow.saturating, "sub", signed=True),
    "usub.sat": partial(overflow.saturating, "sub", signed=False),
    "is.fpclass": intrinsics.float_class,
    "sadd.with.overflow": _overflow("add", signed=True),
    "uadd.with.overflow": _overflow("add", signed=False),
    "ssub.with.overflow": _overflow("sub", signed=True),
    "usub.with.overflow": _overflow("sub", signed=False),
    "smul.with.overflow": _overflow("mul", signed=True),
    "umul.with.overflow": _overflow("mul", signed=False),
}

_ATOMICS: dict[str, _Handler] = {
    "xchg": _atomic(""),
    "add": _atomic("add"),
    "sub": _atomic("sub"),
    "and": _atomic("and"),
    "or": _atomic("or"),
    "xor": _atomic("xor"),
    "nand": _atomic("nand"),
    "max": _atomic("sgt"),
    "min": _atomic("slt"),
    "umax": _atomic("ugt"),
    "umin": _atomic("ult"),
}
