"""One instruction line → a small typed record.

The text that LLVM prints is regular: `%r = opcode flags type operands, !metadata`. Flags that only allow an optimiser
more (nsw, inbounds, fast, ...) are dropped: instrumented code must not profit from the behaviour that veer looks for.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct, field

from veer.instrument.callsyntax import Call, parse_call
from veer.instrument.lexer import Operand, name_end, parse_operand, split_commas, type_end
from veer.instrument.opcodes import BINARY, CASTS
from veer.model.values import replace

_METADATA = re.compile(r"(?:, ![\w.$-]+ !(?:\d+|\{\}))+$")
_DEBUG = re.compile(r", !dbg !(\d+)")
_FLAG = re.compile(
    r"(?:(?:nuw|nsw|exact|inbounds|nusw|nneg|disjoint|samesign|fast|nnan|ninf|nsz|arcp|contract|afn|reassoc) "
    r"|inrange\([^)]*\) )+"
)
_LABEL = re.compile(r'label %([-\w.$]+|"[^"]*")')
_INCOMING = re.compile(r', %([-\w.$]+|"[^"]*") \]$')
_ALIGN = re.compile(r", align (\d+)")


class Instruction(Struct, frozen=True):
    """One instruction. `type` is the type of the result (of the value stored, for a store; of the value returned)."""

    result: str
    opcode: str
    type: str
    operands: tuple[Operand, ...]
    text: str  # the line as it was, without metadata
    location: int  # number of its DILocation, 0 = none
    detail: str = ""  # predicate, source type of a getelementptr, allocated type, operation of an atomicrmw
    labels: tuple[str, ...] = ()  # bare labels, as they were printed
    indices: tuple[int, ...] = ()  # of extractvalue and insertvalue
    alignment: int = 1
    call: Call | None = field(default=None)
    is_sanitizer: bool = False  # carries !nosanitize: put in by -fsanitize


def parse_instruction(line: str) -> Instruction:
    """The record of one line (a switch joined into one line). Raises ValueError on text that it does not understand."""
    text = line.strip()
    location = 0
    is_sanitizer = False
    metadata = _METADATA.search(text)
    if metadata is not None:
        debug = _DEBUG.search(text, metadata.start())
        location = int(debug[1]) if debug else 0
        is_sanitizer = text.find("!nosanitize", metadata.start()) >= 0
        text = text[: metadata.start()]
    result = ""
    body = text
    if text[0] == "%":
        end = name_end(text, 0)
        result, body = text[:end], text[end + 3 :]
    opcode, _, rest = body.partition(" ")
    if opcode in ("tail", "musttail", "notail"):
        opcode, _, rest = rest.partition(" ")
    if opcode in BINARY:
        return _binary(result, opcode, rest, text, location)
    parser = _PARSERS.get(opcode)
    if parser is None:
        return Instruction(result, opcode, "", (), text, location)
    instruction = parser(result, rest, text, location)
    return replace(instruction, is_sanitizer=True) if is_sanitizer and opcode in ("br", "select") else instruction


def _unflagged(text: str) -> str:
    match = _FLAG.match(text)
    return text[match.end() :] if match else text


def _pair(text: str) -> tuple[str, str, str]:
    """`i32 %a, %b` → (type, a, b)."""
    end = type_end(text)
    left, right = split_commas(text[end + 1 :])
    return text[:end], left, right


def _binary(result: str, opcode: str, rest: str, text: str, location: int) -> Instruction:
    type_, left, right = _pair(_unflagged(rest))
    return Instruction(result, opcode, type_, (Operand(type_, left), Operand(type_, right)), text, location)


def _compare(opcode: str) -> Callable[[str, str, str, int], Instruction]:
    def parse(result: str, rest: str, text: str, location: int) -> Instruction:
        predicate, _, rest = _unflagged(rest).partition(" ")
        type_, left, right = _pair(rest)
        lanes = type_[: type_.index("x") + 2] if type_.startswith("<") else ""
        return Instruction(
            result,
            opcode,
            f"{lanes}i1>" if lanes else "i1",
            (Operand(type_, left), Operand(type_, right)),
            text,
            location,
            predicate,
        )

    return parse


def _cast(opcode: str) -> Callable[[str, str, str, int], Instruction]:
    def parse(result: str, rest: str, text: str, location: int) -> Instruction:
        source, _, target = _unflagged(rest).rpartition(" to ")
        return Instruction(result, opcode, target, (parse_operand(source),), text, location)

    return parse


def _unary(opcode: str) -> Callable[[str, str, str, int], Instruction]:
    def parse(result: str, rest: str, text: str, location: int) -> Instruction:
        operand = parse_operand(_unflagged(rest))
        return Instruction(result, opcode, operand.type, (operand,), text, location)

    return parse


def _getelementptr(result: str, rest: str, text: str, location: int) -> Instruction:
    parts = split_commas(_unflagged(rest))
    operands = tuple(parse_operand(part) for part in parts[1:])
    vector = next((operand.type for operand in operands if operand.type.startswith("<")), "")
    return Instruction(result, "getelementptr", vector or "ptr", operands, text, location, parts[0])


def _load(result: str, rest: str, text: str, location: int) -> Instruction:
    parts = split_commas(_without_words(rest, ("atomic", "volatile")))
    return Instruction(result, "load", parts[0], (_pointer(parts[1]),), text, location, alignment=_alignment_of(text))


def _store(result: str, rest: str, text: str, location: int) -> Instruction:
    parts = split_commas(_without_words(rest, ("atomic", "volatile")))
    value = parse_operand(parts[0])
    return Instruction(
        result, "store", value.type, (value, _pointer(parts[1])), text, location, alignment=_alignment_of(text)
    )


def _pointer(text: str) -> Operand:
    """A pointer operand that may have an atomic ordering behind it."""
    type_, value = parse_operand(text)
    if value[0] in "%@":
        value = value[: name_end(value, 0)]
    return Operand(type_, value)


def _alloca(result: str, rest: str, text: str, location: int) -> Instruction:
    parts = split_commas(_without_words(rest, ("inalloca", "swifterror")))
    counts = [parse_operand(part) for part in parts[1:] if not part.startswith(("align ", "addrspace("))]
    return Instruction(
        result, "alloca", "ptr", tuple(counts), text, location, detail=parts[0], alignment=_alignment_of(text)
    )


def _phi(result: str, rest: str, text: str, location: int) -> Instruction:
    rest = _unflagged(rest)
    end = type_end(rest)
    type_ = rest[:end]
    operands = []
    labels = []
    for pair in split_commas(rest[end + 1 :]):
        match = _INCOMING.search(pair)
        if match is None:
            raise ValueError(f"a phi was expected in {text!r}")
        operands.append(Operand(type_, pair[2 : match.start()]))
        labels.append(match[1])
    return Instruction(result, "phi", type_, tuple(operands), text, location, labels=tuple(labels))


def _select(result: str, rest: str, text: str, location: int) -> Instruction:
    operands = tuple(parse_operand(part) for part in split_commas(_unflagged(rest)))
    return Instruction(result, "select", operands[1].type, operands, text, location)


def _branch(result: str, rest: str, text: str, location: int) -> Instruction:
    labels = tuple(_LABEL.findall(rest))
    operands = (Operand("i1", split_commas(rest)[0][3:]),) if rest.startswith("i1 ") else ()
    return Instruction(result, "br", "", operands, text, location, labels=labels)


def _switch(result: str, rest: str, text: str, location: int) -> Instruction:
    head, _, cases = rest.partition(" [")
    parts = split_commas(head)
    operands = [parse_operand(parts[0])]
    operands += [parse_operand(case) for case in re.findall(r"(i\d+ -?\w+), label", cases)]
    labels = tuple(_LABEL.findall(rest))
    return Instruction(result, "switch", "", tuple(operands), text, location, labels=labels)


def _indirect_branch(result: str, rest: str, text: str, location: int) -> Instruction:
    operand = parse_operand(split_commas(rest)[0])
    return Instruction(result, "indirectbr", "", (operand,), text, location, labels=tuple(_LABEL.findall(rest)))


def _return(result: str, rest: str, text: str, location: int) -> Instruction:
    operand = Operand("void", "") if rest == "void" else parse_operand(rest)
    operands = () if rest == "void" else (operand,)
    return Instruction(result, "ret", operand.type, operands, text, location)


def _extractvalue(result: str, rest: str, text: str, location: int) -> Instruction:
    parts = split_commas(rest)
    indices = tuple(int(part) for part in parts[1:])
    return Instruction(result, "extractvalue", "", (parse_operand(parts[0]),), text, location, indices=indices)


def _insertvalue(result: str, rest: str, text: str, location: int) -> Instruction:
    parts = split_commas(rest)
    aggregate, value = parse_operand(parts[0]), parse_operand(parts[1])
    indices = tuple(int(part) for part in parts[2:])
    return Instruction(result, "insertvalue", aggregate.type, (aggregate, value), text, location, indices=indices)


def _elements(opcode: str) -> Callable[[str, str, str, int], Instruction]:
    def parse(result: str, rest: str, text: str, location: int) -> Instruction:
        operands = tuple(parse_operand(part) for part in split_commas(rest))
        vector = operands[0].type
        type_ = vector
        if opcode == "extractelement":
            type_ = vector[vector.index(" x ") + 3 : -1]
        elif opcode == "shufflevector":
            mask = operands[2].type
            type_ = mask[: mask.index(" x ") + 3] + vector[vector.index(" x ") + 3 :]
        return Instruction(result, opcode, type_, operands, text, location)

    return parse


def _atomic_update(result: str, rest: str, text: str, location: int) -> Instruction:
    operation, _, rest = _without_words(rest, ("volatile",)).partition(" ")
    parts = split_commas(rest)
    value = parse_operand(parts[1].split(" syncscope(")[0].rpartition(" ")[0])
    return Instruction(result, "atomicrmw", value.type, (_pointer(parts[0]), value), text, location, detail=operation)


def _compare_exchange(result: str, rest: str, text: str, location: int) -> Instruction:
    parts = split_commas(_without_words(rest, ("weak", "volatile")))
    expected = parse_operand(parts[1])
    desired = parse_operand(parts[2].split(" syncscope(")[0])
    desired = Operand(desired.type, re.sub(r"(?: (?:monotonic|acquire|release|acq_rel|seq_cst))+$", "", desired.value))
    type_ = f"{{ {expected.type}, i1 }}"
    return Instruction(result, "cmpxchg", type_, (_pointer(parts[0]), expected, desired), text, location)


def _va_arg(result: str, rest: str, text: str, location: int) -> Instruction:
    parts = split_commas(rest)
    return Instruction(result, "va_arg", parts[1], (parse_operand(parts[0]),), text, location)


def _landing_pad(result: str, rest: str, text: str, location: int) -> Instruction:
    return Instruction(result, "landingpad", rest[: type_end(rest)], (), text, location)


def _resume(result: str, rest: str, text: str, location: int) -> Instruction:
    return Instruction(result, "resume", "", (parse_operand(rest),), text, location)


def _without_words(text: str, words: tuple[str, ...]) -> str:
    for word in words:
        text = text.removeprefix(word + " ")
    return text


def _alignment_of(text: str) -> int:
    match = _ALIGN.search(text)
    return int(match[1]) if match else 1


def _call(opcode: str) -> Callable[[str, str, str, int], Instruction]:
    def parse(result: str, rest: str, text: str, location: int) -> Instruction:
        rest = _unflagged(rest)
        type_, call, behind = parse_call(rest)
        operands = tuple(Operand(argument.type, argument.value) for argument in call.arguments)
        labels = tuple(_LABEL.findall(rest, behind)) if opcode == "invoke" else ()
        return Instruction(result, opcode, type_, operands, text, location, labels=labels, call=call)

    return parse


_PARSERS: dict[str, Callable[[str, str, str, int], Instruction]] = {
    "icmp": _compare("icmp"),
    "fcmp": _compare("fcmp"),
    "fneg": _unary("fneg"),
    "freeze": _unary("freeze"),
    "getelementptr": _getelementptr,
    "load": _load,
    "store": _store,
    "alloca": _alloca,
    "phi": _phi,
    "select": _select,
    "br": _branch,
    "switch": _switch,
    "indirectbr": _indirect_branch,
    "ret": _return,
    "extractvalue": _extractvalue,
    "insertvalue": _insertvalue,
    "extractelement": _elements("extractelement"),
    "insertelement": _elements("insertelement"),
    "shufflevector": _elements("shufflevector"),
    "atomicrmw": _atomic_update,
    "cmpxchg": _compare_exchange,
    "va_arg": _va_arg,
    "landingpad": _landing_pad,
    "resume": _resume,
    "call": _call("call"),
    "invoke": _call("invoke"),
    **{opcode: _cast(opcode) for opcode in CASTS},
}
