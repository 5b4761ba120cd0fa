"""Pointers to one struct, as the code uses them: a number beside them counts something else.

bool heap_init(struct heap *h, size_t cap) { h->cap = cap; ... }       h leads to one heap, whatever cap is called
void reset(struct heap *h, size_t cap) { *h = (struct heap){0}; ... }  so it does here: all of one heap is copied
bool half(int *out, int n) { *out = n / 2; ... }                       one result is written
long sum(struct item *items, size_t n) { ... items[i].price ... }      items are counted

One object is what the code follows to its fields, copies as a whole, or writes as it is, and never takes another
element of, moves, keeps, or gives to a function whose code is not known. Bytes are no objects: `*text = 0` may be the
beginning of many.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from veer.frontends.c.contracts.functionbody import Called, FunctionBody, call, is_constant
from veer.instrument.instructions import Instruction
from veer.instrument.typelayout import Layout

OfCallee = Callable[[Called, int], bool | None]
"""Whether a function of the module takes its argument with that number for one object; None: it says nothing of it."""
_SCALARS = Layout({})
_FILLS = ("llvm.memset.", "llvm.memcpy.", "llvm.memmove.")


def single_objects(body: FunctionBody, elements: Mapping[str, int], of_callee: OfCallee) -> frozenset[str]:
    """The parameters that lead to one object. `elements`: the bytes of what each leads to, 0 where that is unknown."""
    found = set()
    for slot, name in body.parameters.items():
        size = elements.get(name, 0)
        looks = [look for each in body.instructions() for look in _looks(body, each, slot, size, of_callee)]
        if any(looks) and all(each is not False for each in looks):
            found.add(name)
    return frozenset(found)


def _looks(
    body: FunctionBody, instruction: Instruction, slot: str, size: int, of_callee: OfCallee
) -> Iterator[bool | None]:
    """What one instruction does with the pointer in a slot: True: it takes it for one object of so many bytes, False:
    for more, None: neither."""
    values = [each.value for each in instruction.operands]
    if instruction.opcode == "getelementptr" and _held(body, values[0]) == slot:
        yield len(values) > 2 and values[1] == "0"
    elif instruction.opcode == "store":
        is_first = values[1] == slot and len(body.stores[slot]) == 1
        if (_held(body, values[0]) == slot or values[1] == slot) and not is_first:
            yield False
        elif _held(body, values[1]) == slot:
            yield _is_whole(instruction.operands[0].type, size) or None
    elif (called := call(instruction)) is not None:
        for number, value in enumerate(called.arguments):
            if _held(body, value) == slot:
                yield _fills(called, size) if called.function.startswith("llvm.") else of_callee(called, number)


def _held(body: FunctionBody, value: str) -> str:
    """The slot that a pointer was loaded from."""
    made = body.made.get(value)
    return made.operands[0].value if made is not None and made.opcode == "load" else ""


def _is_whole(type_: str, size: int) -> bool:
    """Whether a value of this type, which is stored as it is, is all of one object."""
    return size > 1 and type_[0] not in "%{[<" and _SCALARS.store_size(type_) == size


def _fills(called: Called, size: int) -> bool | None:
    """Whether all bytes of one object are set or copied: `*h = (struct heap){0}`. A number of bytes that the source
    does not say is one of elements."""
    if not called.function.startswith(_FILLS) or len(called.arguments) < 3:
        return None
    count = called.arguments[2]
    if not is_constant(count):
        return False
    return True if size > 1 and int(count) == size else None
