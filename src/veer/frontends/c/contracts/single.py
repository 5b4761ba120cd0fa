"""Pointers to one struct, as the code uses them: a number beside them counts something else.

bool heap_init(struct heap *h, size_t cap) { h->cap = cap; ... }       h leads to one heap, whatever cap is called
long sum(struct item *items, size_t n) { ... items[i].price ... }      items are counted

One object is what the code follows to its fields, and never takes another element of, moves, keeps, or gives to a
function whose code is not known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from veer.frontends.c.contracts.functionbody import Called, FunctionBody, call, is_constant
from veer.instrument.instructions import Instruction

OfCallee = Callable[[Called, int], bool | None]
"""Whether a function of the module takes its argument with that number for one object; None: it says nothing of it."""
_FILLS = ("llvm.memset.", "llvm.memcpy.", "llvm.memmove.")


def single_objects(body: FunctionBody, of_callee: OfCallee) -> frozenset[str]:
    """The parameters that lead to one object."""
    found = set()
    for slot, name in body.parameters.items():
        looks = [look for each in body.instructions() for look in _looks(body, each, slot, of_callee)]
        if any(looks) and all(each is not False for each in looks):
            found.add(name)
    return frozenset(found)


def _looks(body: FunctionBody, instruction: Instruction, slot: str, of_callee: OfCallee) -> Iterator[bool | None]:
    """What one instruction does with the pointer in a slot: True: it takes it for one object, False: for more."""
    values = [each.value for each in instruction.operands]
    if instruction.opcode == "getelementptr" and _held(body, values[0]) == slot:
        yield len(values) > 2 and values[1] == "0"
    elif instruction.opcode == "store":
        is_first = values[1] == slot and len(body.stores[slot]) == 1
        if (_held(body, values[0]) == slot or values[1] == slot) and not is_first:
            yield False
    elif (called := call(instruction)) is not None:
        for number, value in enumerate(called.arguments):
            if _held(body, value) == slot:
                yield _fills(called) if called.function.startswith("llvm.") else of_callee(called, number)


def _held(body: FunctionBody, value: str) -> str:
    """The slot that a pointer was loaded from."""
    made = body.made.get(value)
    return made.operands[0].value if made is not None and made.opcode == "load" else ""


def _fills(called: Called) -> bool | None:
    """Whether as many bytes are set or copied as the source says with a number: `*h = (struct heap){0}`."""
    if not called.function.startswith(_FILLS):
        return None
    return None if len(called.arguments) > 2 and is_constant(called.arguments[2]) else False
