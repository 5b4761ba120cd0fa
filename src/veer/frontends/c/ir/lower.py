"""Rewrites intrinsics and atomics into plain operations, before anything is instrumented.

What is said in plain operations gets its symbolic meaning from them, so that there is one place to be right:

    %r = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %a, i32 %b)
    ->  sext to i64, add, trunc, sext, icmp ne, two insertvalues

Atomics become loads and stores (a run has one thread).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from veer.frontends.c.ir.instructions import Argument, Call, Instruction
from veer.frontends.c.ir.lexer import Operand
from veer.frontends.c.ir.typelayout import Layout

_DROPPED = ("llvm.lifetime.", "llvm.dbg.", "llvm.assume", "llvm.donothing", "llvm.prefetch.", "llvm.var.annotation")
_DROPPED += ("llvm.experimental.noalias.", "llvm.pseudoprobe", "llvm.fake.use")
_IDENTITIES = (
    "llvm.expect.",
    "llvm.threadlocal.address",
    "llvm.launder.",
    "llvm.strip.invariant",
    "llvm.ptr.annotation",
)
_IDENTITIES += ("llvm.annotation.", "llvm.ssa.copy")
_BLOCK_OPERATIONS = {"llvm.memcpy.": "veer_memcpy", "llvm.memmove.": "veer_memmove", "llvm.memset.": "veer_memset"}
_UNARY = {"llvm.ctpop.": "CTPOP", "llvm.fabs.": "FABS", "llvm.sqrt.": "FSQRT"}
_FLOAT_BITS = {"float": (32, 23), "double": (64, 52)}  # type: (bits, bits of the fraction)


class Lowering:
    """Lowers the instructions of one function; makes names that cannot clash."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._count = 0
        self._out: list[Instruction] = []
        self._location = 0

    def lower(self, instruction: Instruction) -> list[Instruction]:
        """What stands for the instruction: itself, or plain operations of which the last has its result."""
        opcode = instruction.opcode
        if opcode == "call" and instruction.call is not None and instruction.call.callee.startswith("@llvm."):
            handler = self._handler(instruction)
        elif opcode == "atomicrmw" and self._layout.width(instruction.type):
            handler = _ATOMICS.get(instruction.detail)
        elif opcode == "alloca" and instruction.operands and not instruction.operands[0].value.isdigit():
            handler = Lowering._dynamic_array
        elif opcode == "cmpxchg" and self._layout.width(instruction.operands[1].type):
            handler = Lowering._compare_exchange
        else:
            return [instruction]
        if handler is None:
            return [instruction]
        self._out = []
        self._location = instruction.location
        value = handler(self, instruction)
        if instruction.result and value:
            last = self._out[-1] if self._out else None
            if last is not None and last.result == value:
                self._out[-1] = replace(last, result=instruction.result)
            else:
                self._identity(instruction, value)
        return self._out

    def _handler(self, instruction: Instruction) -> Callable[[Lowering, Instruction], str] | None:
        assert instruction.call is not None
        name = instruction.call.callee[1:]
        for prefix, target in _BLOCK_OPERATIONS.items():
            if name.startswith(prefix):
                return partial(_block_handler, target)
        if name.startswith(_DROPPED):
            return Lowering._nothing
        if name.startswith(_IDENTITIES):
            return Lowering._first_operand
        for prefix, operation in _UNARY.items():
            if name.startswith(prefix) and self._layout.width(instruction.type):
                return partial(_unary_handler, operation)
        handler = _INTRINSICS.get(name[5:].rpartition(".")[0])
        if handler is None:
            return None
        width = self._layout.width(instruction.operands[0].type)
        return handler if width > 1 else None

    # -- making instructions ------------------------------------------------------------------------------------

    def _name(self) -> str:
        self._count += 1
        return f"%veer.l.{self._count}"

    def _add(self, opcode: str, type_: str, *operands: Operand, detail: str = "", indices: tuple[int, ...] = ()) -> str:
        result = self._name()
        self._out.append(
            Instruction(result, opcode, type_, operands, "", self._location, detail=detail, indices=indices)
        )
        return result

    def _op(self, opcode: str, type_: str, left: str, right: str | int) -> str:
        return self._add(opcode, type_, Operand(type_, left), Operand(type_, str(right)))

    def _compare(self, predicate: str, type_: str, left: str, right: str | int) -> str:
        return self._add("icmp", "i1", Operand(type_, left), Operand(type_, str(right)), detail=predicate)

    def _cast(self, opcode: str, source: str, value: str, target: str) -> str:
        return self._add(opcode, target, Operand(source, value))

    def _identity(self, instruction: Instruction, value: str) -> None:
        self._out.append(
            Instruction(
                instruction.result,
                "bitcast",
                instruction.type,
                (Operand(instruction.type, value),),
                "",
                self._location,
            )
        )

    def _choose(self, type_: str, condition: str, then: str, other: str) -> str:
        """`condition ? then : other` without a branch: other ^ ((then ^ other) & mask)."""
        mask = self._cast("sext", "i1", condition, type_)
        difference = self._op("xor", type_, then, other)
        return self._op("xor", type_, self._op("and", type_, difference, mask), other)

    def _block_operation(self, target: str, call: Instruction) -> str:
        """llvm.memcpy, memmove, memset: calls of the runtime, whose arguments have the types of the C functions."""
        assert call.call is not None
        arguments = [argument._replace(attributes="") for argument in call.call.arguments[:3]]
        for index, wanted in ((1, "i32" if target == "veer_memset" else "ptr"), (2, "i64")):
            if arguments[index].type != wanted:
                value = self._cast("zext", arguments[index].type, arguments[index].value, wanted)
                arguments[index] = Argument(wanted, "", value)
        operands = tuple(Operand(argument.type, argument.value) for argument in arguments)
        made = Call("@" + target, tuple(arguments), "", "ptr", variadic=False, fixed=3)
        self._out.append(Instruction("", "call", "ptr", operands, "", self._location, call=made))
        return ""

    # -- intrinsics ---------------------------------------------------------------------------------------------

    def _nothing(self, _: Instruction) -> str:
        return ""

    def _first_operand(self, call: Instruction) -> str:
        return call.operands[0].value

    def _unary(self, operation: str, call: Instruction) -> str:
        result = self._name()
        assert call.call is not None
        callee = call.call.callee
        operand = call.operands[0]
        self._out.append(
            Instruction(
                result,
                "unary",
                call.type,
                (operand,),
                f"call {call.type} {callee}({operand.type} {operand.value})",
                self._location,
                detail=operation,
            )
        )
        return result

    def _ctpop(self, type_: str, value: str) -> str:
        result = self._name()
        text = f"call {type_} @llvm.ctpop.{type_}({type_} {value})"
        self._out.append(
            Instruction(result, "unary", type_, (Operand(type_, value),), text, self._location, detail="CTPOP")
        )
        return result

    def _abs(self, call: Instruction) -> str:
        type_, value = call.operands[0]
        sign = self._op("ashr", type_, value, self._layout.width(type_) - 1)
        return self._op("sub", type_, self._op("xor", type_, value, sign), sign)

    def _extreme(self, predicate: str, call: Instruction) -> str:
        type_, left = call.operands[0]
        right = call.operands[1].value
        return self._choose(type_, self._compare(predicate, type_, left, right), left, right)

    def _byte_swap(self, call: Instruction) -> str:
        type_, value = call.operands[0]
        count = self._layout.width(type_) // 8
        result = ""
        for index in range(count):
            byte = self._op("and", type_, self._op("lshr", type_, value, 8 * index) if index else value, 255)
            place = 8 * (count - 1 - index)
            moved = self._op("shl", type_, byte, place) if place else byte
            result = self._op("or", type_, result, moved) if result else moved
        return result

    def _bit_reverse(self, call: Instruction) -> str:
        type_, value = call.operands[0]
        width = self._layout.width(type_)
        if width & (width - 1):
            self._out.append(call)
            return ""
        step = width // 2
        while step:
            mask = sum(((1 << step) - 1) << at for at in range(0, width, 2 * step))
            low = self._op("shl", type_, self._op("and", type_, value, mask), step)
            high = self._op("and", type_, self._op("lshr", type_, value, step), mask)
            value = self._op("or", type_, low, high)
            step //= 2
        return value

    def _funnel(self, left: bool, call: Instruction) -> str:  # noqa: FBT001 - private
        type_, high = call.operands[0]
        low = call.operands[1].value
        amount = call.operands[2].value
        width = self._layout.width(type_)
        if amount.isdigit():
            places = int(amount) % width
            if places == 0:
                return high if left else low
            places = places if left else width - places
            return self._op(
                "or", type_, self._op("shl", type_, high, places), self._op("lshr", type_, low, width - places)
            )
        if width & (width - 1):
            self._out.append(call)
            return ""
        places_ = self._op("and", type_, amount, width - 1)
        rest = self._op("xor", type_, places_, width - 1)
        if left:
            halved = self._op("lshr", type_, low, 1)
            return self._op("or", type_, self._op("shl", type_, high, places_), self._op("lshr", type_, halved, rest))
        doubled = self._op("shl", type_, high, 1)
        return self._op("or", type_, self._op("shl", type_, doubled, rest), self._op("lshr", type_, low, places_))

    def _trailing_zeros(self, call: Instruction) -> str:
        type_, value = call.operands[0]
        below = self._op("and", type_, self._op("xor", type_, value, -1), self._op("sub", type_, value, 1))
        return self._ctpop(type_, below)

    def _leading_zeros(self, call: Instruction) -> str:
        type_, value = call.operands[0]
        step = 1
        while step < self._layout.width(type_):
            value = self._op("or", type_, value, self._op("lshr", type_, value, step))
            step *= 2
        return self._ctpop(type_, self._op("xor", type_, value, -1))

    def _multiply_add(self, call: Instruction) -> str:
        type_, left = call.operands[0]
        product = self._op("fmul", type_, left, call.operands[1].value)
        return self._op("fadd", type_, product, call.operands[2].value)

    def _copy_sign(self, call: Instruction) -> str:
        type_, magnitude = call.operands[0]
        width, _ = _FLOAT_BITS[type_]
        bits = f"i{width}"
        sign = 1 << (width - 1)
        left = self._op("and", bits, self._cast("bitcast", type_, magnitude, bits), sign - 1)
        right = self._op("and", bits, self._cast("bitcast", type_, call.operands[1].value, bits), sign)
        return self._cast("bitcast", bits, self._op("or", bits, left, right), type_)

    def _float_class(self, call: Instruction) -> str:
        """llvm.is.fpclass: a bit of the mask for each class, from signalling NaN (1) to positive infinity (512)."""
        type_, value = call.operands[0]
        wanted = int(call.operands[1].value)
        width, fraction = _FLOAT_BITS[type_]
        bits = f"i{width}"
        raw = self._cast("bitcast", type_, value, bits)
        size = self._op("and", bits, raw, (1 << (width - 1)) - 1)
        infinity = ((1 << (width - 1 - fraction)) - 1) << fraction
        quiet = infinity | 1 << (fraction - 1)
        smallest = 1 << fraction
        found = "false"
        if wanted & 1:
            above = self._compare("ugt", bits, size, infinity)
            found = self._op("or", "i1", found, self._op("and", "i1", above, self._compare("ult", bits, size, quiet)))
        if wanted & 2:
            found = self._op("or", "i1", found, self._compare("uge", bits, size, quiet))
        negative = self._compare("slt", bits, raw, 0)
        positive = self._op("xor", "i1", negative, "true")
        # ranges of the magnitude: infinity, normal, subnormal, zero
        ranges = ((infinity, infinity), (smallest, infinity - 1), (1, smallest - 1), (0, 0))
        for index, (low, high) in enumerate(ranges):
            for bit, sign in ((4 << index, negative), (512 >> index, positive)):
                if wanted & bit:
                    above = self._compare("uge", bits, size, low)
                    below = self._compare("ule", bits, size, high)
                    inside = self._op("and", "i1", above, below)
                    found = self._op("or", "i1", found, self._op("and", "i1", inside, sign))
        return found

    # -- overflow -----------------------------------------------------------------------------------------------

    def _pair(self, type_: str, value: str, overflow: str) -> str:
        aggregate = f"{{ {type_}, i1 }}"
        first = self._add(
            "insertvalue", aggregate, Operand(aggregate, "zeroinitializer"), Operand(type_, value), indices=(0,)
        )
        return self._add("insertvalue", aggregate, Operand(aggregate, first), Operand("i1", overflow), indices=(1,))

    def _with_overflow(self, opcode: str, signed: bool, call: Instruction) -> str:  # noqa: FBT001 - private
        type_, left = call.operands[0]
        right = call.operands[1].value
        width = self._layout.width(type_)
        if opcode == "mul":
            if width > 32:
                return self._wide_product(type_, left, right, signed)
            double = f"i{2 * width}"
            extend = "sext" if signed else "zext"
            wide = self._op(
                "mul", double, self._cast(extend, type_, left, double), self._cast(extend, type_, right, double)
            )
            value = self._cast("trunc", double, wide, type_)
            again = self._cast(extend, type_, value, double)
            return self._pair(type_, value, self._compare("ne", double, wide, again))
        value = self._op(opcode, type_, left, right)
        if not signed:
            overflow = self._compare("ult", type_, *((value, left) if opcode == "add" else (left, right)))
        elif opcode == "add":
            signs = self._op("and", type_, self._op("xor", type_, value, left), self._op("xor", type_, value, right))
            overflow = self._compare("slt", type_, signs, 0)
        else:
            signs = self._op("and", type_, self._op("xor", type_, left, right), self._op("xor", type_, left, value))
            overflow = self._compare("slt", type_, signs, 0)
        return self._pair(type_, value, overflow)

    def _wide_product(self, type_: str, left: str, right: str, signed: bool) -> str:  # noqa: FBT001 - private
        """The product of 33 to 64 bits overflows if its upper half is not what the lower half's sign says."""
        full = "i64"
        if type_ != full:
            extend = "sext" if signed else "zext"
            left, right = self._cast(extend, type_, left, full), self._cast(extend, type_, right, full)
        upper = self._upper_product(left, right)
        if signed:
            for factor, other in ((left, right), (right, left)):
                taken = self._op("and", full, self._op("ashr", full, factor, 63), other)
                upper = self._op("sub", full, upper, taken)
        lower = self._op("mul", full, left, right)
        expected = self._op("ashr", full, lower, 63) if signed else "0"
        overflow = self._compare("ne", full, upper, expected)
        value = lower
        if type_ != full:
            value = self._cast("trunc", full, lower, type_)
            again = self._cast("sext" if signed else "zext", type_, value, full)
            overflow = self._op("or", "i1", overflow, self._compare("ne", full, lower, again))
        return self._pair(type_, value, overflow)

    def _upper_product(self, left: str, right: str) -> str:
        """Upper 64 bits of the unsigned product, from four products of halves."""
        full, mask = "i64", 0xFFFFFFFF
        low_left, low_right = self._op("and", full, left, mask), self._op("and", full, right, mask)
        high_left, high_right = self._op("lshr", full, left, 32), self._op("lshr", full, right, 32)
        lowest = self._op("lshr", full, self._op("mul", full, low_left, low_right), 32)
        middle = self._op("add", full, self._op("mul", full, high_left, low_right), lowest)
        carry = self._op("lshr", full, middle, 32)
        other = self._op("add", full, self._op("mul", full, low_left, high_right), self._op("and", full, middle, mask))
        upper = self._op("add", full, self._op("mul", full, high_left, high_right), carry)
        return self._op("add", full, upper, self._op("lshr", full, other, 32))

    def _dynamic_array(self, alloca: Instruction) -> str:
        """An alloca of n elements becomes one of n * size bytes."""
        type_, count = alloca.operands[0]
        width = self._layout.width(type_)
        if width != 64:
            count = self._cast("zext" if width < 64 else "trunc", type_, count, "i64")
        size = self._op("mul", "i64", count, self._layout.size(alloca.detail))
        self._out.append(replace(alloca, operands=(Operand("i64", size),), detail="i8"))
        return ""

    # -- atomics ------------------------------------------------------------------------------------------------

    def _load(self, type_: str, pointer: Operand) -> str:
        result = self._name()
        size = self._layout.size(type_)
        self._out.append(Instruction(result, "load", type_, (pointer,), "", self._location, alignment=size))
        return result

    def _store(self, type_: str, value: str, pointer: Operand) -> None:
        size = self._layout.size(type_)
        operands = (Operand(type_, value), pointer)
        self._out.append(Instruction("", "store", type_, operands, "", self._location, alignment=size))

    def _atomic_update(self, opcode: str, update: Instruction) -> str:
        pointer, (type_, value) = update.operands
        old = self._load(type_, pointer)
        new = value
        if opcode == "nand":
            new = self._op("xor", type_, self._op("and", type_, old, value), -1)
        elif opcode in ("sgt", "slt", "ugt", "ult"):
            new = self._choose(type_, self._compare(opcode, type_, old, value), old, value)
        elif opcode:
            new = self._op(opcode, type_, old, value)
        self._store(type_, new, pointer)
        return old

    def _compare_exchange(self, exchange: Instruction) -> str:
        pointer, (type_, expected), (_, desired) = exchange.operands
        old = self._load(type_, pointer)
        equal = self._compare("eq", type_, old, expected)
        if type_ == "ptr":
            before = self._cast("ptrtoint", "ptr", old, "i64")
            after = self._cast("ptrtoint", "ptr", desired, "i64")
            new = self._cast("inttoptr", "i64", self._choose("i64", equal, after, before), "ptr")
        else:
            new = self._choose(type_, equal, desired, old)
        self._store(type_, new, pointer)
        return self._pair(type_, old, equal)


_Handler = Callable[[Lowering, Instruction], str]


def _unary_handler(operation: str, lowering: Lowering, call: Instruction) -> str:
    return lowering._unary(operation, call)


def _block_handler(target: str, lowering: Lowering, call: Instruction) -> str:
    return lowering._block_operation(target, call)


def _overflow(opcode: str, *, signed: bool) -> _Handler:
    return lambda lowering, call: lowering._with_overflow(opcode, signed, call)


def _extreme(predicate: str) -> _Handler:
    return lambda lowering, call: lowering._extreme(predicate, call)


def _atomic(opcode: str) -> _Handler:
    return lambda lowering, update: lowering._atomic_update(opcode, update)


_INTRINSICS: dict[str, _Handler] = {
    "abs": Lowering._abs,
    "smax": _extreme("sgt"),
    "smin": _extreme("slt"),
    "umax": _extreme("ugt"),
    "umin": _extreme("ult"),
    "bswap": Lowering._byte_swap,
    "bitreverse": Lowering._bit_reverse,
    "fshl": lambda lowering, call: lowering._funnel(True, call),  # noqa: FBT003
    "fshr": lambda lowering, call: lowering._funnel(False, call),  # noqa: FBT003
    "cttz": Lowering._trailing_zeros,
    "ctlz": Lowering._leading_zeros,
    "fmuladd": Lowering._multiply_add,
    "copysign": Lowering._copy_sign,
    "is.fpclass": Lowering._float_class,
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
