"""Locals in memory that each way through their function writes before it uses them in any other way.

int x = 0; get(&x);               entry: store i32 0, ptr %x      x is written first
struct pair p; fill(&p);          entry: call @fill(ptr %p)       p is not: the callee decides
if (c) y = 1; else get(&y);       one way is not enough           y is not

Nobody can read such a local before it is written, so its frame need not say that it is not (uninitialised.c).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from veer.instrument.instructions import Instruction
from veer.instrument.module import Block, successors
from veer.instrument.typelayout import Layout

_NAME = re.compile(r'%(?:[-\w.$]+|"[^"]*")')
_BLOCK_OPERATION = re.compile(r"@llvm\.(?:memset|memcpy|memmove)\.")


def written_first(layout: Layout, blocks: Sequence[Block], sizes: Mapping[str, int]) -> frozenset[str]:
    """Those of the locals (name → bytes) of which the first use on each way is a write of all of it."""
    first = _first_uses(layout, blocks, sizes)
    number = {block.label: index for index, block in enumerate(blocks)}
    after = [tuple(number[label] for label in successors(block)) for block in blocks]
    return frozenset(name for name, uses in first.items() if any(uses.values()) and _on_each_way(uses, after))


def _first_uses(layout: Layout, blocks: Sequence[Block], sizes: Mapping[str, int]) -> dict[str, dict[int, bool]]:
    """For each local that is used: block → whether its first use there writes all of it."""
    first: dict[str, dict[int, bool]] = defaultdict(dict)
    for index, block in enumerate(blocks):
        for instruction in block.instructions:
            for name in sizes.keys() & set(_NAME.findall(instruction.text)) - {instruction.result}:
                first[name].setdefault(index, _writes_all(layout, instruction, name, sizes[name]))
    return first


def _writes_all(layout: Layout, instruction: Instruction, name: str, size: int) -> bool:
    """Whether the instruction writes at least `size` bytes there, and does nothing else with the address."""
    if _NAME.findall(instruction.text).count(name) > 1:
        return False
    if instruction.opcode == "store":
        value, pointer = instruction.operands
        return pointer.value == name and layout.store_size(value.type) >= size
    call = instruction.call
    if call is None or not _BLOCK_OPERATION.match(call.callee) or call.arguments[0].value != name:
        return False
    length = call.arguments[2].value
    return length.isdigit() and int(length) >= size


def _on_each_way(uses: Mapping[int, bool], after: Sequence[Sequence[int]]) -> bool:
    """Whether each way from block 0 comes to a use that writes all, before any other."""
    todo, seen = [0], {0}
    while todo:
        block = todo.pop()
        if block in uses:
            if not uses[block]:
                return False
            continue
        new = set(after[block]) - seen
        seen |= new
        todo += new
    return True
