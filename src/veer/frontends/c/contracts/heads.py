"""Assertions and assumptions that a function begins with: `assert(p != NULL && n > 0)`, `__builtin_assume(n < 10)`.

    br i1 %11, label %12, label %16      the other side calls __assert_fail: %11 holds for every input that is meant

The head ends at the first call, loop, write to anything but a new local variable, or condition that is no assertion.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from veer.frontends.c.contracts.attributes import KnownParameter
from veer.frontends.c.contracts.clauses import NotNull, Origin, Range, Source
from veer.frontends.c.contracts.functiontext import Comparison, FunctionText, call, is_constant

_FAILURES = frozenset({"__assert_fail", "__assert", "__assert_rtn", "_assert", "__assert_func", "__assert2"})
_BRANCH = re.compile(r"br i1 (\S+), label (\S+), label (\S+?)(?:,|$)")
_JUMP = re.compile(r"br label (\S+?)(?:,|$)")
_OPPOSITE = {"eq": "ne", "ne": "eq", "slt": "sge", "sge": "slt", "sgt": "sle", "sle": "sgt"} | {
    "ult": "uge",
    "uge": "ult",
    "ugt": "ule",
    "ule": "ugt",
}
_MIRRORED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le"}
_INERT = ("alloca", "load", "icmp", "sext", "zext", "trunc", "add", "sub", "mul", "and", "or", "xor", "getelementptr")


def head_clauses(text: FunctionText, parameters: Sequence[KnownParameter]) -> Iterator[NotNull | Range]:
    """What the function asserts of its parameters before it does anything."""
    known = {each.name: each for each in parameters}
    seen: set[str] = set()
    block = text.entry
    while block and block not in seen:
        seen.add(block)
        following = ""
        for line in text.blocks.get(block, ()):
            if branched := _BRANCH.match(line):
                condition, yes, no = branched.groups()
                if _fails(text, no):
                    yield from _clauses(text, condition, known, holds=True)
                    following = yes
                elif _fails(text, yes):
                    yield from _clauses(text, condition, known, holds=False)
                    following = no
            elif jumped := _JUMP.match(line):
                following = jumped[1]
            elif (called := call(line)) is not None and called.function == "llvm.assume":
                yield from _clauses(text, called.arguments[0], known, holds=True)
            elif not _is_inert(text, line):
                return
        block = following


def _fails(text: FunctionText, block: str) -> bool:
    """Whether a block does nothing but report a failed assertion."""
    first = next((called for line in text.blocks.get(block, ()) if (called := call(line))), None)
    return first is not None and first.function in _FAILURES and len(text.blocks[block]) == 2


def _is_inert(text: FunctionText, line: str) -> bool:
    """Whether an instruction changes nothing that a caller or a later assertion could see."""
    if stored := re.match(r"store \S+ (\S+), ptr (\S+?)(?:,|$)", line):
        is_parameter = stored[2] in text.parameters
        return text.values.get(stored[2], "").startswith("alloca") and (
            not is_parameter or text.stores[stored[2]][0] == stored[1]
        )
    operation = line.partition(" = ")[2].split(" ", 1)[0]
    return operation in _INERT


def _clauses(
    text: FunctionText, condition: str, known: Mapping[str, KnownParameter], *, holds: bool
) -> Iterator[NotNull | Range]:
    compared = text.comparison(condition)
    negated = re.match(r"xor i1 (\S+), true", text.values.get(condition, ""))
    if negated:
        yield from _clauses(text, negated[1], known, holds=not holds)
    if compared is None:
        return
    if not holds:
        compared = Comparison(_OPPOSITE[compared.predicate], compared.type, compared.left, compared.right)
    if is_constant(compared.left):
        mirrored = compared.predicate[:-2] + _MIRRORED.get(compared.predicate[-2:], compared.predicate[-2:])
        compared = Comparison(mirrored, compared.type, compared.right, compared.left)
    name = text.parameters.get(text.slot(compared.left), "")
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
