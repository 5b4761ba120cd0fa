"""P-code operations on floating-point numbers in LLVM IR: those that IEEE 754 defines, of 32 and 64 bits.

A number travels as its bits. What a conversion to an integer gives for a number that does not fit is the machine's:

    x86-64            the least integer
    ARM, AArch64      the nearest integer; 0 of no number
    RISC-V            the nearest integer; the greatest of no number
    PowerPC           the nearest integer; the least of no number
"""

from __future__ import annotations

from collections.abc import Callable

from veer.frontends.machine.architectures import POWERPC, RISCV32, RISCV64, X86_64
from veer.frontends.machine.arithmetic import Calculation, constant, written
from veer.frontends.machine.body import Body, UnsupportedOperationError, bits
from veer.frontends.machine.corrections import TO_UNSIGNED
from veer.frontends.machine.decoder import Operation, Varnode
from veer.frontends.machine.fused import FUSED

_WORD = 64
_BINARY = {"FLOAT_ADD": "fadd", "FLOAT_SUB": "fsub", "FLOAT_MULT": "fmul", "FLOAT_DIV": "fdiv"}
_COMPARISONS = {"FLOAT_EQUAL": "oeq", "FLOAT_NOTEQUAL": "une", "FLOAT_LESS": "olt", "FLOAT_LESSEQUAL": "ole"}
DECLARED = (
    *("declare float @llvm.sqrt.f32(float)", "declare double @llvm.sqrt.f64(double)"),
    "declare float @llvm.fma.f32(float, float, float)",
    "declare double @llvm.fma.f64(double, double, double)",
)


def _type(varnode: Varnode) -> str:
    """Raises UnsupportedOperationError for numbers of other widths: those of the x87, half ones."""
    types = {4: "float", 8: "double"}
    if varnode.size not in types:
        raise UnsupportedOperationError(f"a floating-point number of {bits(varnode)} bits")
    return types[varnode.size]


def _output(operation: Operation) -> Varnode:
    if operation.output is None:
        raise UnsupportedOperationError(f"{operation.name} without a result")
    return operation.output


def _read(body: Body, varnode: Varnode) -> str:
    type_ = _type(varnode)
    return body.value(f"bitcast i{bits(varnode)} {body.read(varnode)} to {type_}")


def _write(body: Body, varnode: Varnode, value: str) -> None:
    body.write(varnode, body.value(f"bitcast {_type(varnode)} {value} to i{bits(varnode)}"))


def _binary(body: Body, operation: Operation) -> None:
    left, right = operation.inputs
    a, b = _read(body, left), _read(body, right)
    _write(body, _output(operation), body.value(f"{_BINARY[operation.name]} {_type(left)} {a}, {b}"))


def _compare(body: Body, operation: Operation) -> None:
    left, right = operation.inputs
    a, b = _read(body, left), _read(body, right)
    found = body.value(f"fcmp {_COMPARISONS[operation.name]} {_type(left)} {a}, {b}")
    body.write_flag(_output(operation), found)


def _is_nan(body: Body, operation: Operation) -> None:
    (source,) = operation.inputs
    value = _read(body, source)
    body.write_flag(_output(operation), body.value(f"fcmp uno {_type(source)} {value}, {value}"))


def _sign(body: Body, operation: Operation) -> None:
    """Of the bits alone: it holds for what is no number, too."""
    (source,) = operation.inputs
    _type(source)
    sign = 1 << bits(source) - 1
    text = f"xor i{bits(source)} {body.read(source)}, {sign}"
    if operation.name == "FLOAT_ABS":
        text = f"and i{bits(source)} {body.read(source)}, {sign - 1}"
    body.write(_output(operation), body.value(text))


def _root(body: Body, operation: Operation) -> None:
    (source,) = operation.inputs
    type_ = _type(source)
    value = body.value(f"call {type_} @llvm.sqrt.f{bits(source)}({type_} {_read(body, source)})")
    _write(body, _output(operation), value)


def _fused(body: Body, operation: Operation) -> None:
    type_, width = _type(operation.inputs[0]), bits(operation.inputs[0])
    given = ", ".join(f"{type_} {_read(body, each)}" for each in operation.inputs)
    _write(body, _output(operation), body.value(f"call {type_} @llvm.fma.f{width}({given})"))


def _from_integer(body: Body, operation: Operation) -> None:
    """More than 64 bits are a number of 64 without a sign."""
    (source,), output = operation.inputs, _output(operation)
    value, width, way = body.read(source), bits(source), "sitofp"
    if width > _WORD:
        value, width, way = body.value(f"trunc i{width} {value} to i{_WORD}"), _WORD, "uitofp"
    _write(body, output, body.value(f"{way} i{width} {value} to {_type(output)}"))


def _to_other_width(body: Body, operation: Operation) -> None:
    (source,), output = operation.inputs, _output(operation)
    before, after, value = _type(source), _type(output), _read(body, source)
    if before == after:
        _write(body, output, value)
        return
    way = "fpext" if after == "double" else "fptrunc"
    _write(body, output, body.value(f"{way} {before} {value} to {after}"))


def _to_integer(body: Body, operation: Operation) -> None:
    """Towards zero; without a branch, for the machine has none."""
    (source,), output = operation.inputs, _output(operation)
    type_, width, least = _type(source), bits(output), -(1 << bits(output) - 1)
    if output.size not in (4, 8):
        raise UnsupportedOperationError(f"a conversion to {width} bits")
    value, number = _read(body, source), f"i{width}"
    is_exact = type_ == "double" and width == 32  # least - 1 is a number of that type
    above = f"ogt {type_} {value}, {constant(least - 1)}" if is_exact else f"oge {type_} {value}, {constant(least)}"
    low, high = body.value(f"fcmp {above}"), body.value(f"fcmp olt {type_} {value}, {constant(-least)}")
    mask = body.value(f"sext i1 {body.value(f'and i1 {low}, {high}')} to i{bits(source)}")
    kept = body.value(f"and i{bits(source)} {body.read(source)}, {mask}")
    safe = body.value(f"bitcast i{bits(source)} {kept} to {type_}")
    result = body.value(f"fptosi {type_} {safe} to {number}")
    for condition, wanted in _outside(body, type_, value, low, high, least):
        if wanted:
            chosen = body.value(f"sext i1 {condition} to {number}")
            result = body.value(f"or {number} {result}, {body.value(f'and {number} {chosen}, {wanted}')}")
    body.write(output, result)


def _to_unsigned(body: Body, operation: Operation) -> None:
    """Towards zero, 0 of negative numbers; of no number RISC-V gives the greatest integer, and ARM 0."""
    (source,), output = operation.inputs, _output(operation)
    type_ = _type(source)
    letters = {4: "f", 8: "d"}[source.size], {4: "u", 8: "v"}[output.size]
    result = written(Calculation("", *letters, "convert"), [body.read(source)], body.value)
    if body.machine in (RISCV32, RISCV64):
        value = _read(body, source)
        none = body.value(f"sext i1 {body.value(f'fcmp uno {type_} {value}, {value}')} to i{bits(output)}")
        result = body.value(f"or i{bits(output)} {result}, {none}")
    body.write(output, result)


def _outside(body: Body, type_: str, value: str, low: str, high: str, least: int) -> list[tuple[str, int]]:
    """What is given where the number does not fit: conditions, and the integer of each."""
    machine = body.machine
    if machine is X86_64:
        fits = body.value(f"and i1 {low}, {high}")
        return [(body.value(f"xor i1 {fits}, true"), least)]
    none = body.value(f"fcmp uno {type_} {value}, {value}")
    is_number = body.value(f"xor i1 {none}, true")
    too_great = body.value(f"and i1 {is_number}, {body.value(f'xor i1 {high}, true')}")
    too_small = body.value(f"and i1 {is_number}, {body.value(f'xor i1 {low}, true')}")
    of_none = -1 - least if machine in (RISCV32, RISCV64) else least if machine is POWERPC else 0
    return [(too_great, -1 - least), (too_small, least), (none, of_none)]


OPERATIONS: dict[str, Callable[[Body, Operation], None]] = {
    **dict.fromkeys(_BINARY, _binary),
    **dict.fromkeys(_COMPARISONS, _compare),
    "FLOAT_NAN": _is_nan,
    "FLOAT_NEG": _sign,
    "FLOAT_ABS": _sign,
    "FLOAT_SQRT": _root,
    FUSED: _fused,
    "FLOAT_INT2FLOAT": _from_integer,
    "FLOAT_FLOAT2FLOAT": _to_other_width,
    "FLOAT_TRUNC": _to_integer,
    TO_UNSIGNED: _to_unsigned,
}
"""By their names in p-code."""
