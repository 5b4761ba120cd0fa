"""Assertions and assumptions that a function begins with: `assert(p != NULL && n > 0)`, `__builtin_assume(n < 10)`.

    br i1 %11, label %12, label %16      the other side calls __assert_fail: %11 holds for every input that is meant
                                         or it is unreachable: if (!p) __builtin_unreachable();

The head ends at the first call, loop, write to anything but a new local variable, or condition that is no assertion.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from veer.frontends.c.contracts.attributes import KnownParameter
from veer.frontends.c.contracts.clauses import NotNull, Origin, Range, Source
from veer.frontends.c.contracts.functionbody import Comparison, FunctionBody, call, is_constant
from veer.instrument.instructions import Instruction
from veer.instrument.module import Block

_FAILURES = frozenset({"__assert_fail", "__assert", "__assert_rtn", "_assert", "__assert_func", "__assert2"})
_OPPOSITE = {"eq": "ne", "ne": "eq", "slt": "sge", "sge": "slt", "sgt": "sle", "sle": "sgt"} | {
    "ult": "uge",
    "uge": "ult",
    "ugt": "ule",
    "ule": "ugt",
}
_MIRRORED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le"}
_INERT = (
    *("alloca", "load", "icmp", "fcmp", "sext", "zext", "trunc", "fpext", "fptrunc", "and", "or", "xor"),
    *("add", "sub", "mul", "shl", "lshr", "ashr", "fadd", "fsub", "fmul", "fneg", "getelementptr", "select"),
)
_DIVISIONS = ("sdiv", "udiv", "srem", "urem")
_FILLS = ("llvm.memset.", "llvm.memcpy.")
_QUESTIONS = ("llvm.is.fpclass", "llvm.fabs", "strlen", "strnlen")
"""Calls that only ask: `assert(!isnan(x) && strlen(name) < 8)`."""


def head_clauses(body: FunctionBody, parameters: Sequence[KnownParameter]) -> Iterator[NotNull | Range]:
    """What the function asserts of its parameters before it does anything."""
    known = {each.name: each for each in parameters}
    blocks = {each.label: each for each in body.blocks}
    seen: set[str] = set()
    block: Block | None = body.blocks[0]
    while block is not None and block.label not in seen:
        seen.add(block.label)
        following = ""
        for instruction in block.instructions:
            if instruction.opcode == "br":
                yes, no = (instruction.labels * 2)[:2]
                if yes == no:
                    following = yes
                elif is_failure(body, blocks[no]):
                    yield from _clauses(body, instruction.operands[0].value, known, holds=True)
                    following = yes
                elif is_failure(body, blocks[yes]):
                    yield from _clauses(body, instruction.operands[0].value, known, holds=False)
                    following = no
            elif (called := call(instruction)) is not None and called.function == "llvm.assume":
                yield from _clauses(body, called.arguments[0], known, holds=True)
            elif not is_inert(body, instruction):
                return
        block = blocks.get(following)


def asserted_at(body: FunctionBody) -> frozenset[int]:
    """The locations of the assertions that a function begins with, whatever they are about.

    `assert(p && *p)` is two conditions, so that blocks are followed both ways until something is done. What stands
    behind a loop is no beginning, though the loop may have no round.
    """
    blocks = {each.label: each for each in body.blocks}
    found: set[int] = set()
    waiting, seen = [body.blocks[0].label], set[str]()
    while waiting:
        label = waiting.pop()
        if label in seen:
            continue
        seen.add(label)
        if is_failure(body, blocks[label]):
            found.add(blocks[label].instructions[0].location)
            continue
        for instruction in blocks[label].instructions:
            if instruction.opcode == "br":
                waiting += _rounds(body, blocks, label, instruction.labels)
            elif instruction.opcode != "phi" and not is_inert(body, instruction):
                break
    return frozenset(found)


def _rounds(body: FunctionBody, blocks: Mapping[str, Block], label: str, following: Sequence[str]) -> Sequence[str]:
    """The blocks behind this one: of a loop's condition only those that come back to it."""
    back = [each for each in following if _leads_to(body, blocks, each, label)]
    return [each for each in following if each in back or is_failure(body, blocks[each])] if back else following


def _leads_to(body: FunctionBody, blocks: Mapping[str, Block], start: str, goal: str) -> bool:
    """Whether a way leads from one block to another one, on which no assertion fails."""
    waiting, seen = [start], set[str]()
    while waiting:
        label = waiting.pop()
        if label == goal:
            return True
        if label not in seen and not is_failure(body, blocks[label]):
            seen.add(label)
            waiting += blocks[label].instructions[-1].labels
    return False


def all_asserted_at(body: FunctionBody) -> frozenset[int]:
    """The locations of all assertions of a function, wherever they stand, those of the user's own macros among them."""
    labels = {label for block in body.blocks for label in block.instructions[-1].labels}
    failing = (block for block in body.blocks if block.label in labels and is_failure(body, block))
    return frozenset(block.instructions[0].location for block in failing)


def is_failure(body: FunctionBody, block: Block) -> bool:
    """Whether a block does nothing but report a failed assertion, or is what `__builtin_unreachable()` rules out."""
    if block.label in body.failing or block.instructions[0].opcode == "unreachable":
        return True
    called = call(block.instructions[0])
    return called is not None and called.function in _FAILURES and len(block.instructions) == 2


def asserted_conditions(body: FunctionBody) -> Sequence[Comparison]:
    """The comparisons that are assertions, or a part of one with which it fails: `assert(p != NULL && n > 0)`.

    `assert(!p || *p)` goes on where `p` is NULL, so that this is none.
    """
    blocks = {each.label: each for each in body.blocks}
    conditions = (
        last.operands[0].value
        for last in (block.instructions[-1] for block in body.blocks)
        if last.opcode == "br" and len(last.labels) == 2 and any(is_failure(body, blocks[each]) for each in last.labels)
    )
    return [compared for each in conditions if (compared := body.comparison(each)) is not None]


def is_inert(body: FunctionBody, instruction: Instruction) -> bool:
    """Whether an instruction changes nothing that a caller or a later assertion could see."""
    if instruction.opcode == "store":
        value, slot = (each.value for each in instruction.operands)
        is_first = slot in body.parameters and body.stores[slot][0] == value
        return is_first or _is_own(body, slot)
    called = call(instruction)
    if called is not None and called.function.startswith(_FILLS):
        return _is_own(body, called.arguments[0])  # struct it it = {NULL, 0};
    asks = called is not None and (called.function.startswith(_QUESTIONS) or called.function in body.asking)
    return instruction.opcode in _INERT or asks or _is_division_by_a_number(instruction)


def _is_division_by_a_number(instruction: Instruction) -> bool:
    """Whether it is a division that cannot fail: `assert(n % 4 == 0)`."""
    return (
        instruction.opcode in _DIVISIONS
        and instruction.operands[1].value not in ("0", "-1")
        and is_constant(instruction.operands[1].value)
    )


def _is_own(body: FunctionBody, place: str) -> bool:
    """Whether a place is a local variable that is no parameter, or lies in one."""
    while body.is_made_by(place, "getelementptr"):
        place = body.made[place].operands[0].value
    return body.is_made_by(place, "alloca") and place not in body.parameters


def _clauses(
    body: FunctionBody, condition: str, known: Mapping[str, KnownParameter], *, holds: bool
) -> Iterator[NotNull | Range]:
    compared = body.comparison(condition)
    if body.is_made_by(condition, "xor") and body.made[condition].operands[1].value == "true":
        yield from _clauses(body, body.made[condition].operands[0].value, known, holds=not holds)
    if compared is None:
        return
    if not holds:
        compared = Comparison(_OPPOSITE[compared.predicate], compared.type, compared.left, compared.right)
    if is_constant(compared.left):
        mirrored = compared.predicate[:-2] + _MIRRORED.get(compared.predicate[-2:], compared.predicate[-2:])
        compared = Comparison(mirrored, compared.type, compared.right, compared.left)
    name = body.parameters.get(body.slot(compared.left), "")
    if name not in known:
        return
    if compared.right == "null" and compared.predicate == "ne":
        yield NotNull(name, Origin(Source.ASSERTION))
    elif is_constant(compared.right) and known[name].is_integer:
        yield from _range(known[name], compared)


def _range(known: KnownParameter, compared: Comparison) -> Iterator[Range]:
    """The values that an integer is left with; none for a condition that is no range."""
    number, width = int(compared.right), int(compared.type.removeprefix("i"))
    if compared.predicate.startswith("u"):
        if not known.is_unsigned:
            return
        number &= (1 << width) - 1
    predicate = compared.predicate[-2:]
    origin = Origin(Source.ASSERTION)
    if predicate == "ne" and number == 0 and known.is_unsigned:
        yield Range(known.name, 1, None, origin)
    elif predicate == "eq":
        yield Range(known.name, number, number, origin)
    elif predicate in ("lt", "le"):
        yield Range(known.name, None, number - (predicate == "lt"), origin)
    elif predicate in ("gt", "ge"):
        yield Range(known.name, number + (predicate == "gt"), None, origin)
