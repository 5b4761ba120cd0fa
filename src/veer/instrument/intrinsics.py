"""Intrinsics on integers, floats and blocks of memory, said in plain operations."""

from __future__ import annotations

from veer.instrument.callsyntax import Argument, Call
from veer.instrument.instructions import Instruction
from veer.instrument.lexer import Operand
from veer.instrument.plain import PlainCode

_FLOAT_BITS = {"float": (32, 23), "double": (64, 52)}
"""Bits of a type and of its fraction."""


def block_operation(code: PlainCode, target: str, call: Instruction) -> str:
    """llvm.memcpy, memmove, memset: calls of the runtime, whose arguments have the types of the C functions."""
    assert call.call is not None
    arguments = [argument._replace(attributes="") for argument in call.call.arguments[:3]]
    for index, wanted in ((1, "i32" if target == "veer_memset" else "ptr"), (2, "i64")):
        if arguments[index].type != wanted:
            value = code.cast("zext", arguments[index].type, arguments[index].value, wanted)
            arguments[index] = Argument(wanted, "", value)
    operands = tuple(Operand(argument.type, argument.value) for argument in arguments)
    made = Call("@" + target, tuple(arguments), "", "ptr", variadic=False, fixed=3)
    code.instructions.append(Instruction("", "call", "ptr", operands, "", code.location, call=made))
    return ""


def copy_list(code: PlainCode, call: Instruction) -> str:
    """llvm.va_copy: a va_list is 24 bytes long."""
    to, source = (Argument("ptr", "", operand.value) for operand in call.operands[:2])
    arguments = (to, source, Argument("i64", "", "24"))
    operands = tuple(Operand(argument.type, argument.value) for argument in arguments)
    made = Call("@veer_memcpy", arguments, "", "ptr", variadic=False, fixed=3)
    code.instructions.append(Instruction("", "call", "ptr", operands, "", code.location, call=made))
    return ""


def read_argument(code: PlainCode, place: Instruction) -> str:
    """The address of a member of a va_list: where it counts registers, an argument is read."""
    list_, member = place.operands[0].value, place.operands[-1].value
    arguments = (Argument("ptr", "", list_), Argument("i32", "", member))
    operands = tuple(Operand(argument.type, argument.value) for argument in arguments)
    made = Call("@veer_rest_read", arguments, "", "void", variadic=False, fixed=2)
    code.instructions.append(Instruction("", "call", "void", operands, "", code.location, call=made))
    code.instructions.append(place)
    return ""


def first_operand(code: PlainCode, call: Instruction) -> str:
    """What only tells an optimiser something about its operand."""
    return call.operands[0].value


def absolute(code: PlainCode, call: Instruction) -> str:
    """llvm.abs: (x ^ sign) - sign."""
    type_, value = call.operands[0]
    sign = code.operation("ashr", type_, value, code.layout.width(type_) - 1)
    return code.operation("sub", type_, code.operation("xor", type_, value, sign), sign)


def extreme(code: PlainCode, predicate: str, call: Instruction) -> str:
    """llvm.smax and the like: the left one if the predicate holds."""
    type_, left = call.operands[0]
    right = call.operands[1].value
    return code.choose(type_, code.compare(predicate, type_, left, right), left, right)


def byte_swap(code: PlainCode, call: Instruction) -> str:
    """llvm.bswap."""
    type_, value = call.operands[0]
    count = code.layout.width(type_) // 8
    result = ""
    for index in range(count):
        byte = code.operation("and", type_, code.operation("lshr", type_, value, 8 * index) if index else value, 255)
        place = 8 * (count - 1 - index)
        moved = code.operation("shl", type_, byte, place) if place else byte
        result = code.operation("or", type_, result, moved) if result else moved
    return result


def bit_reverse(code: PlainCode, call: Instruction) -> str:
    """llvm.bitreverse of a width that is a power of 2."""
    type_, value = call.operands[0]
    width = code.layout.width(type_)
    if width & (width - 1):
        code.instructions.append(call)
        return ""
    step = width // 2
    while step:
        mask = sum(((1 << step) - 1) << at for at in range(0, width, 2 * step))
        low = code.operation("shl", type_, code.operation("and", type_, value, mask), step)
        high = code.operation("and", type_, code.operation("lshr", type_, value, step), mask)
        value = code.operation("or", type_, low, high)
        step //= 2
    return value


def funnel(code: PlainCode, call: Instruction, *, left: bool) -> str:
    """llvm.fshl and fshr."""
    type_, high = call.operands[0]
    low = call.operands[1].value
    amount = call.operands[2].value
    width = code.layout.width(type_)
    if amount.isdigit():
        places = int(amount) % width
        if places == 0:
            return high if left else low
        places = places if left else width - places
        return code.operation(
            "or", type_, code.operation("shl", type_, high, places), code.operation("lshr", type_, low, width - places)
        )
    if width & (width - 1):
        code.instructions.append(call)
        return ""
    places_ = code.operation("and", type_, amount, width - 1)
    rest = code.operation("xor", type_, places_, width - 1)
    if left:
        halved = code.operation("lshr", type_, low, 1)
        return code.operation(
            "or", type_, code.operation("shl", type_, high, places_), code.operation("lshr", type_, halved, rest)
        )
    doubled = code.operation("shl", type_, high, 1)
    return code.operation(
        "or", type_, code.operation("shl", type_, doubled, rest), code.operation("lshr", type_, low, places_)
    )


def trailing_zeros(code: PlainCode, call: Instruction) -> str:
    """llvm.cttz: the ones below the lowest one."""
    type_, value = call.operands[0]
    below = code.operation(
        "and", type_, code.operation("xor", type_, value, -1), code.operation("sub", type_, value, 1)
    )
    return code.population(type_, below)


def leading_zeros(code: PlainCode, call: Instruction) -> str:
    """llvm.ctlz: what is not below the highest one."""
    type_, value = call.operands[0]
    step = 1
    while step < code.layout.width(type_):
        value = code.operation("or", type_, value, code.operation("lshr", type_, value, step))
        step *= 2
    return code.population(type_, code.operation("xor", type_, value, -1))


def multiply_add(code: PlainCode, call: Instruction) -> str:
    """llvm.fmuladd, which the baseline machine does in two steps."""
    type_, left = call.operands[0]
    product = code.operation("fmul", type_, left, call.operands[1].value)
    return code.operation("fadd", type_, product, call.operands[2].value)


def fused(code: PlainCode, call: Instruction) -> str:
    """llvm.fma: a product and a sum that are rounded once."""
    first, second, third = call.operands[:3]
    return code.add("fused", first.type, first, second, third)


def copy_sign(code: PlainCode, call: Instruction) -> str:
    """llvm.copysign."""
    type_, magnitude = call.operands[0]
    width, _ = _FLOAT_BITS[type_]
    bits = f"i{width}"
    sign = 1 << (width - 1)
    left = code.operation("and", bits, code.cast("bitcast", type_, magnitude, bits), sign - 1)
    right = code.operation("and", bits, code.cast("bitcast", type_, call.operands[1].value, bits), sign)
    return code.cast("bitcast", bits, code.operation("or", bits, left, right), type_)


def float_extreme(predicate: str, code: PlainCode, call: Instruction) -> str:
    """llvm.minnum and maxnum as LLVM computes them with SSE2: of two zeros the first one, of a NaN and a number the
    number."""
    type_, left = call.operands[0]
    right = call.operands[1].value
    chosen = code.choose(type_, code.compare(predicate, type_, right, left), right, left)
    return code.choose(type_, code.compare("uno", type_, left, left), right, chosen)


def to_nearest_integer(operation: str, name: str, code: PlainCode, call: Instruction) -> str:
    """llvm.lrint, lround: out of range, the machine's conversion."""
    operand = call.operands[0]
    size = "f64" if operand.type == "double" else "f32"
    rounded = code.unary(operation, operand, f"@llvm.{name}.{size}")
    return code.cast("fptosi", operand.type, rounded, call.type)


def float_class(code: PlainCode, call: Instruction) -> str:
    """llvm.is.fpclass: a bit of the mask for each class, from signalling NaN (1) to positive infinity (512)."""
    type_, value = call.operands[0]
    wanted = int(call.operands[1].value)
    width, fraction = _FLOAT_BITS[type_]
    bits = f"i{width}"
    raw = code.cast("bitcast", type_, value, bits)
    size = code.operation("and", bits, raw, (1 << (width - 1)) - 1)
    infinity = ((1 << (width - 1 - fraction)) - 1) << fraction
    quiet = infinity | 1 << (fraction - 1)
    smallest = 1 << fraction
    found = "false"
    if wanted & 1:
        above = code.compare("ugt", bits, size, infinity)
        found = code.operation(
            "or", "i1", found, code.operation("and", "i1", above, code.compare("ult", bits, size, quiet))
        )
    if wanted & 2:
        found = code.operation("or", "i1", found, code.compare("uge", bits, size, quiet))
    negative = code.compare("slt", bits, raw, 0)
    positive = code.operation("xor", "i1", negative, "true")
    # ranges of the magnitude: infinity, normal, subnormal, zero
    ranges = ((infinity, infinity), (smallest, infinity - 1), (1, smallest - 1), (0, 0))
    for index, (low, high) in enumerate(ranges):
        for bit, sign in ((4 << index, negative), (512 >> index, positive)):
            if wanted & bit:
                above = code.compare("uge", bits, size, low)
                below = code.compare("ule", bits, size, high)
                inside = code.operation("and", "i1", above, below)
                found = code.operation("or", "i1", found, code.operation("and", "i1", inside, sign))
    return found
