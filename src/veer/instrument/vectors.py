"""Vectors lane by lane: an operation on vectors of up to 16 scalars becomes that many operations on scalars.

%r = add <2 x i32> %a, %b   ->   two extractelements of each operand, two adds, two insertelements
"""

from __future__ import annotations

import re
from collections.abc import Callable

from veer.instrument.instructions import Instruction
from veer.instrument.lexer import Operand, split_commas
from veer.instrument.opcodes import BINARY, CASTS
from veer.instrument.plain import PlainCode
from veer.instrument.typelayout import Layout

_LANEWISE = (BINARY | CASTS | {"icmp", "fcmp", "fneg"}) - {"bitcast", "addrspacecast"}
_MASK_LANE = re.compile(r"i32 (\d+|poison|undef)")


def is_vector(type_: str) -> bool:
    """Whether the type is a vector, written out."""
    return type_.startswith("<") and not type_.startswith("<{")


def handler(layout: Layout, instruction: Instruction) -> Callable[[PlainCode, Instruction], str] | None:
    """What lowers the instruction, None for one that has no vectors, or vectors with too many lanes."""
    types = {instruction.type, *(operand.type for operand in instruction.operands)}
    vectors = [type_ for type_ in types if is_vector(type_)]
    if not vectors or not all(layout.leaves(type_) for type_ in vectors):
        return None
    opcode = instruction.opcode
    if opcode in _LANEWISE and all(is_vector(operand.type) for operand in instruction.operands):
        return _lanewise
    if opcode == "bitcast" and _same_lanes(layout, instruction):
        return _lanewise
    if opcode == "select" and is_vector(instruction.operands[0].type):
        return _select
    if opcode == "shufflevector":
        return _shuffle
    if opcode in ("extractelement", "insertelement") and not instruction.operands[-1].value.isdigit():
        return _extract_at if opcode == "extractelement" else _insert_at
    return None


def _same_lanes(layout: Layout, instruction: Instruction) -> bool:
    source, target = instruction.operands[0].type, instruction.type
    return is_vector(source) and is_vector(target) and layout.count(source) == layout.count(target)


def _lane(code: PlainCode, vector: Operand, index: int) -> Operand:
    """One lane, as a scalar."""
    element = code.layout.element(vector.type)
    return Operand(element, code.add("extractelement", element, vector, Operand("i64", str(index))))


def _joined(code: PlainCode, type_: str, lanes: list[str]) -> str:
    """The vector of these scalars."""
    element = code.layout.element(type_)
    vector = "zeroinitializer"
    for index, lane in enumerate(lanes):
        place = Operand("i64", str(index))
        vector = code.add("insertelement", type_, Operand(type_, vector), Operand(element, lane), place)
    return vector


def _lanewise(code: PlainCode, instruction: Instruction) -> str:
    """An operation that treats every lane alike."""
    type_ = instruction.type
    element = code.layout.element(type_)
    lanes = []
    for index in range(code.layout.count(type_)):
        operands = [_lane(code, operand, index) for operand in instruction.operands]
        lanes.append(code.add(instruction.opcode, element, *operands, detail=instruction.detail))
    return _joined(code, type_, lanes)


def _select(code: PlainCode, instruction: Instruction) -> str:
    """A select with a condition for each lane: no branch."""
    type_ = instruction.type
    element = code.layout.element(type_)
    lanes = []
    for index in range(code.layout.count(type_)):
        condition, then, other = (_lane(code, operand, index).value for operand in instruction.operands)
        lanes.append(code.choose(element, condition, then, other))
    return _joined(code, type_, lanes)


def _shuffle(code: PlainCode, instruction: Instruction) -> str:
    """A shufflevector, whose mask is always constant; lanes that are poison are zero."""
    first, second, mask = instruction.operands
    width = code.layout.count(first.type)
    lanes = []
    for index in _mask(code.layout, mask):
        if index is None:
            lanes.append("poison")
        else:
            lanes.append(_lane(code, first if index < width else second, index % width).value)
    return _joined(code, instruction.type, lanes)


def _mask(layout: Layout, mask: Operand) -> list[int | None]:
    if mask.value == "zeroinitializer":
        return [0] * layout.count(mask.type)
    if mask.value in ("poison", "undef"):
        return [None] * layout.count(mask.type)
    found = [_MASK_LANE.search(part) for part in split_commas(mask.value.strip("<>"))]
    if mask.value.startswith("splat"):
        found = [_MASK_LANE.search(mask.value)] * layout.count(mask.type)
    return [int(lane[1]) if lane is not None and lane[1].isdigit() else None for lane in found]


def _extract_at(code: PlainCode, instruction: Instruction) -> str:
    """A lane that a variable picks; behind the last one, the last one."""
    vector, place = instruction.operands
    count = code.layout.count(vector.type)
    value = _lane(code, vector, count - 1).value
    for index in reversed(range(count - 1)):
        here = code.compare("eq", place.type, place.value, index)
        value = code.choose(instruction.type, here, _lane(code, vector, index).value, value)
    return value


def _insert_at(code: PlainCode, instruction: Instruction) -> str:
    """A lane that a variable picks is replaced."""
    vector, (element, new), place = instruction.operands
    lanes = []
    for index in range(code.layout.count(vector.type)):
        here = code.compare("eq", place.type, place.value, index)
        lanes.append(code.choose(element, here, new, _lane(code, vector, index).value))
    return _joined(code, instruction.type, lanes)
