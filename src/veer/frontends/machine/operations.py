"""P-code operations on numbers in LLVM IR: one function for each shape of operation, found by its name.

P-code defines what LLVM leaves undefined: a shift by the width or more gives 0 (or copies of the sign).
"""

from __future__ import annotations

from collections.abc import Callable

from veer.frontends.machine import floats
from veer.frontends.machine.body import Body, UnsupportedOperationError, bits
from veer.frontends.machine.decoder import CONST, Operation, Varnode
from veer.frontends.machine.lanes import SIGNED_MAX, SIGNED_MIN, UNSIGNED_MAX, UNSIGNED_MIN

_BINARY = {
    "INT_ADD": "add",
    "INT_SUB": "sub",
    "INT_AND": "and",
    "INT_OR": "or",
    "INT_XOR": "xor",
    "INT_MULT": "mul",
}
_COMPARISONS = {
    "INT_EQUAL": "eq",
    "INT_NOTEQUAL": "ne",
    "INT_LESS": "ult",
    "INT_LESSEQUAL": "ule",
    "INT_SLESS": "slt",
    "INT_SLESSEQUAL": "sle",
}
_FLAGS = {"BOOL_AND": "and", "BOOL_OR": "or", "BOOL_XOR": "xor"}
_DIVISIONS = {"INT_DIV": "udiv", "INT_SDIV": "sdiv", "INT_REM": "urem", "INT_SREM": "srem"}
_SHIFTS = {"INT_LEFT": "shl", "INT_RIGHT": "lshr", "INT_SRIGHT": "ashr"}
_EXTREMES = {SIGNED_MIN: "smin", SIGNED_MAX: "smax", UNSIGNED_MIN: "umin", UNSIGNED_MAX: "umax"}
TRAPS = frozenset(("software_udf", "invalidInstructionException", "trap", "ebreak"))
NOTHING = frozenset(
    (
        *("setISAMode", "LOCK", "UNLOCK", "DataMemoryBarrier", "DataSynchronizationBarrier", "fence", "Hint_Prefetch"),
        *("InstructionSynchronizationBarrier", "sync", "instructionSynchronize", "enforceInOrderExecutionIO"),
        *("HintPreloadData", "HintPreloadDataForWrite", "HintPreloadInstruction", "HintYield", "Yield"),
        *("WaitForInterrupt", "LOAcquire", "LORelease"),
    )
)
"""User-defined operations without an effect on one core's numbers."""


def write(body: Body, operation: Operation) -> None:
    """Adds the operation to the function. Raises UnsupportedOperationError for one that has no meaning here."""
    found = _OPERATIONS.get(operation.name)
    if found is None:
        raise UnsupportedOperationError(f"the operation {operation.name}")
    found(body, operation)


def _output(operation: Operation) -> Varnode:
    if operation.output is None:
        raise UnsupportedOperationError(f"{operation.name} without a result")
    return operation.output


def _copy(body: Body, operation: Operation) -> None:
    source, output = operation.inputs[0], _output(operation)
    if source.space != CONST and body.is_flag(output):
        body.write_flag(output, body.read_flag(source))
        return
    body.write(output, body.read(source))


def _load(body: Body, operation: Operation) -> None:
    output, (address,) = _output(operation), operation.inputs
    body.write(output, body.load(body.read(address), output.size, operation.space, bits(address)))


def _store(body: Body, operation: Operation) -> None:
    address, value = operation.inputs
    body.store(body.read(address), value.size, body.read(value), operation.space, bits(address))


def _binary(body: Body, operation: Operation) -> None:
    a, b, type_ = _two(body, operation)
    body.write(_output(operation), body.value(f"{_BINARY[operation.name]} {type_} {a}, {b}"))


def _compare(body: Body, operation: Operation) -> None:
    left, right = operation.inputs
    name = _COMPARISONS[operation.name]
    if body.is_flag(left) and body.is_flag(right) and name in ("eq", "ne"):
        found = body.value(f"icmp {name} i1 {body.read_flag(left)}, {body.read_flag(right)}")
    else:
        found = body.value(f"icmp {name} i{bits(left)} {body.read(left)}, {body.read(right)}")
    body.write_flag(_output(operation), found)


def _flag(body: Body, operation: Operation) -> None:
    left, right = operation.inputs
    name = _FLAGS[operation.name]
    body.write_flag(_output(operation), body.value(f"{name} i1 {body.read_flag(left)}, {body.read_flag(right)}"))


def _not(body: Body, operation: Operation) -> None:
    body.write_flag(_output(operation), body.value(f"xor i1 {body.read_flag(operation.inputs[0])}, true"))


def _two(body: Body, operation: Operation) -> tuple[str, str, str]:
    """The values of two inputs, and their type."""
    left, right = operation.inputs
    return body.read(left), body.read(right), f"i{bits(left)}"


def _carry(body: Body, operation: Operation) -> None:
    a, b, type_ = _two(body, operation)
    total = body.value(f"add {type_} {a}, {b}")
    body.write_flag(_output(operation), body.value(f"icmp ult {type_} {total}, {a}"))


def _signed_carry(body: Body, operation: Operation) -> None:
    a, b, type_ = _two(body, operation)
    total = body.value(f"add {type_} {a}, {b}")
    one, two = body.value(f"xor {type_} {total}, {a}"), body.value(f"xor {type_} {total}, {b}")
    both = body.value(f"and {type_} {one}, {two}")
    body.write_flag(_output(operation), body.value(f"icmp slt {type_} {both}, 0"))


def _signed_borrow(body: Body, operation: Operation) -> None:
    """(a < b) differs from (a - b < 0): so the flags of a comparison fold into the comparison."""
    a, b, type_ = _two(body, operation)
    difference = body.value(f"sub {type_} {a}, {b}")
    less, negative = body.value(f"icmp slt {type_} {a}, {b}"), body.value(f"icmp slt {type_} {difference}, 0")
    body.write_flag(_output(operation), body.value(f"xor i1 {less}, {negative}"))


def _extend(body: Body, operation: Operation) -> None:
    source, output = operation.inputs[0], _output(operation)
    name = "zext" if operation.name == "INT_ZEXT" else "sext"
    value = body.read(source)
    if source.size == output.size:
        body.write(output, value)
    else:
        body.write(output, body.value(f"{name} i{bits(source)} {value} to i{bits(output)}"))


def _negate(body: Body, operation: Operation) -> None:
    source = operation.inputs[0]
    text = f"sub i{bits(source)} 0, {body.read(source)}"
    if operation.name == "INT_NEGATE":
        text = f"xor i{bits(source)} {body.read(source)}, -1"
    body.write(_output(operation), body.value(text))


def _shift(body: Body, operation: Operation) -> None:
    left, right = operation.inputs
    name, width, type_ = _SHIFTS[operation.name], bits(left), f"i{bits(left)}"
    value = body.read(left)
    if right.space == CONST:
        body.write(_output(operation), _shifted_by(body, name, value, width, right.offset))
        return
    amount = _resized(body, body.read(right), bits(right), width)
    if name == "ashr":
        least = body.value(f"call {type_} @llvm.umin.{type_}({type_} {amount}, {type_} {width - 1})")
        body.write(_output(operation), body.value(f"ashr {type_} {value}, {least}"))
        return
    is_within = body.value(f"icmp ult {type_} {amount}, {width}")
    within = body.value(f"and {type_} {amount}, {width - 1}")
    moved = body.value(f"{name} {type_} {value}, {within}")
    mask = body.value(f"sext i1 {is_within} to {type_}")
    body.write(_output(operation), body.value(f"and {type_} {moved}, {mask}"))


def _shifted_by(body: Body, name: str, value: str, width: int, amount: int) -> str:
    if name == "ashr":
        return body.value(f"ashr i{width} {value}, {min(amount, width - 1)}")
    return body.value(f"{name} i{width} {value}, {amount}") if amount < width else "0"


def _resized(body: Body, value: str, width: int, wanted: int) -> str:
    """An amount of a shift in another width; one that does not fit there becomes the greatest that does."""
    if width == wanted:
        return value
    if width < wanted:
        return body.value(f"zext i{width} {value} to i{wanted}")
    least = body.value(f"call i{width} @llvm.umin.i{width}(i{width} {value}, i{width} {(1 << wanted) - 1})")
    return body.value(f"trunc i{width} {least} to i{wanted}")


def _divide(body: Body, operation: Operation) -> None:
    """Where a machine has no exception, x / 0 is 0 and x % 0 is x, and the least number / -1 is itself."""
    left, right = operation.inputs
    name, type_ = _DIVISIONS[operation.name], f"i{bits(left)}"
    a, b = body.read(left), body.read(right)
    if not body.machine.divides_by_zero:
        body.write(_output(operation), body.value(f"{name} {type_} {a}, {b}"))
        return
    is_zero = body.value(f"icmp eq {type_} {b}, 0")
    special = is_zero
    if name in ("sdiv", "srem"):
        least = body.value(f"icmp eq {type_} {a}, {-(1 << (bits(left) - 1))}")
        minus = body.value(f"icmp eq {type_} {b}, -1")
        special = body.value(f"or i1 {is_zero}, {body.value(f'and i1 {least}, {minus}')}")
    # By 1 in its place, without a branch: x / 1 is x, which is right for the least number; x % 1 is 0.
    mask = body.value(f"sext i1 {special} to {type_}")
    kept = body.value(f"and {type_} {b}, {body.value(f'xor {type_} {mask}, -1')}")
    divisor = body.value(f"or {type_} {kept}, {body.value(f'zext i1 {special} to {type_}')}")
    result = body.value(f"{name} {type_} {a}, {divisor}")
    zero = body.value(f"sext i1 {is_zero} to {type_}")
    if name in ("udiv", "sdiv"):
        result = body.value(f"and {type_} {result}, {body.value(f'xor {type_} {zero}, -1')}")
    else:
        result = body.value(f"or {type_} {result}, {body.value(f'and {type_} {a}, {zero}')}")
    body.write(_output(operation), result)


def _piece(body: Body, operation: Operation) -> None:
    high, low = operation.inputs
    output = _output(operation)
    type_ = f"i{bits(output)}"
    above = body.value(f"zext i{bits(high)} {body.read(high)} to {type_}")
    below = body.value(f"zext i{bits(low)} {body.read(low)} to {type_}")
    moved = body.value(f"shl {type_} {above}, {bits(low)}")
    body.write(output, body.value(f"or {type_} {moved}, {below}"))


def _part(body: Body, operation: Operation) -> None:
    source, dropped = operation.inputs
    output = _output(operation)
    value = body.read(source)
    if dropped.offset >= source.size:
        body.write(output, "0")
        return
    if dropped.offset:
        value = body.value(f"lshr i{bits(source)} {value}, {8 * dropped.offset}")
    if output.size != source.size:
        way = "trunc" if output.size < source.size else "zext"
        value = body.value(f"{way} i{bits(source)} {value} to i{bits(output)}")
    body.write(output, value)


def _extreme(body: Body, operation: Operation) -> None:
    a, b, type_ = _two(body, operation)
    body.write(
        _output(operation),
        body.value(f"call {type_} @llvm.{_EXTREMES[operation.name]}.{type_}({type_} {a}, {type_} {b})"),
    )


def _count(body: Body, operation: Operation) -> None:
    source, output = operation.inputs[0], _output(operation)
    type_ = f"i{bits(source)}"
    name, more = ("ctpop", "") if operation.name == "POPCOUNT" else ("ctlz", ", i1 false")
    found = body.value(f"call {type_} @llvm.{name}.{type_}({type_} {body.read(source)}{more})")
    if output.size != source.size:
        way = "trunc" if output.size < source.size else "zext"
        found = body.value(f"{way} {type_} {found} to i{bits(output)}")
    body.write(output, found)


_OPERATIONS: dict[str, Callable[[Body, Operation], None]] = {
    "COPY": _copy,
    "LOAD": _load,
    "STORE": _store,
    **dict.fromkeys(_BINARY, _binary),
    **dict.fromkeys(_COMPARISONS, _compare),
    **dict.fromkeys(_FLAGS, _flag),
    **dict.fromkeys(_SHIFTS, _shift),
    **dict.fromkeys(_DIVISIONS, _divide),
    "BOOL_NEGATE": _not,
    "INT_CARRY": _carry,
    "INT_SCARRY": _signed_carry,
    "INT_SBORROW": _signed_borrow,
    "INT_ZEXT": _extend,
    "INT_SEXT": _extend,
    "INT_2COMP": _negate,
    "INT_NEGATE": _negate,
    "PIECE": _piece,
    "SUBPIECE": _part,
    **dict.fromkeys(_EXTREMES, _extreme),
    "POPCOUNT": _count,
    "LZCOUNT": _count,
    **floats.OPERATIONS,
}
NAMES = frozenset(_OPERATIONS)
"""The operations that can be written."""
