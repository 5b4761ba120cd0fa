"""What a function asks of code that is not the unit's: results of functions, variables that somebody may have set."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from veer.instrument.instructions import Instruction
from veer.instrument.lexer import bare
from veer.instrument.module import Block, Module, successors

_LOCAL = re.compile(r'%(?:"[^"]*"|[\w.$-]+)')
_GLOBAL = re.compile(r"@[\w.$]+")
_PLACE_OF_ERRNO = "@__errno_location"


def heeded(blocks: Sequence[Block], module: Module) -> tuple[str, ...]:
    """Functions of other units whose results are used, and variables of other units; "errno" where it may be read
    before the function writes it. Behind SROA: to store a result in a variable is no use of it."""
    declared = {declaration.name for declaration in module.declarations}
    instructions = [
        each
        for block in blocks
        for each in block.instructions
        if each.call is None or not each.call.callee.startswith("@llvm.dbg.")
    ]
    results = {
        each.result: bare(each.call.callee)
        for each in instructions
        if each.call is not None and each.result and each.call.callee in declared
    }
    used = {name for each in instructions for name in _LOCAL.findall(each.text[len(each.result) :])} if results else {}
    found = dict.fromkeys(callee for result, callee in results.items() if result in used)
    others = {variable.name for variable in module.variables if not variable.initializer}
    if others:
        named = (bare(name) for each in instructions for name in _GLOBAL.findall(each.text) if name in others)
        found |= dict.fromkeys(named)
    if bare(_PLACE_OF_ERRNO) in found and _reads_errno_first(blocks):
        found["errno"] = None
    return tuple(found)


def _reads_errno_first(blocks: Sequence[Block]) -> bool:
    """Whether errno may be read before it is written in the function; what its callees do to it counts for nothing."""
    accesses = {block.label: list(_accesses_to_errno(block)) for block in blocks}
    is_written = dict.fromkeys(accesses, True)  # at the beginning of a block, on each way there
    waiting = [(blocks[0].label, False)]
    following: Mapping[str, tuple[str, ...]] = {block.label: successors(block) for block in blocks}
    reached: set[str] = set()
    while waiting:
        label, holds = waiting.pop()
        if label in reached and (holds or not is_written[label]):
            continue
        reached.add(label)
        is_written[label] = is_written[label] and holds
        after = is_written[label] or "store" in accesses[label]
        waiting += [(successor, after) for successor in following[label]]
    return any(accesses[label][:1] == ["load"] and not is_written[label] for label in reached)


def _accesses_to_errno(block: Block) -> Iterator[str]:
    places: set[str] = set()
    for each in block.instructions:
        if each.call is not None and each.call.callee == _PLACE_OF_ERRNO:
            places.add(each.result)
        elif each.opcode in ("load", "store") and _address(each) in places:
            yield each.opcode


def _address(access: Instruction) -> str:
    return access.operands[-1].value
