"""Where the values of one function come from: fields of structs, parameters, results of calls.

n = head->next; while (n) ...      %9 = load ptr, ptr %n        of(%9) = {node.next}
head = head->next;                 %3 = load ptr, ptr %head     of(%3) = {the parameter head, node.next}
link = &head->next; *link = 0;     store ptr null, ptr %7       targets(%7) = {node.next}

**out                              %5 = load ptr, ptr %4         of(%5) = {what is behind the parameter out}

What is stored behind a pointer that came from elsewhere is not followed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct, field

from veer.frontends.c.contracts.functionbody import FunctionBody, call
from veer.instrument.instructions import Instruction
from veer.instrument.typelayout import Layout, UnknownTypeError
from veer.model.unitfacts import Place, behind, field_place, parameter_place, result_place

STRUCT = re.compile(r'%"?(?:struct|union|class)\.([^"]+?)(?:\.\d+)?"?$')
"""A struct of IR by its name, which group 1 is."""
_IN_PLACE = ("load", "getelementptr", "icmp")
_SLOTS_ALONE = ("@llvm.lifetime.", "@llvm.dbg.")
_CASTS = ("zext", "sext", "trunc", "bitcast", "inttoptr", "ptrtoint")

_TYPE = re.compile(r'^(%"?[^\s=]+"?) = type (.+)$', re.MULTILINE)

Target = Place | str
"""Where an address leads to: a field, or a slot of the function, by its name in IR."""


class Origins(Struct):
    """Of the function `name`; `layout`: of the types of its module."""

    name: str
    body: FunctionBody
    layout: Layout
    _of: dict[str, frozenset[Place]] = field(default_factory=dict)
    _given_away: frozenset[str] | None = None

    def is_given_away(self, slot: str) -> bool:
        """Whether others may write to a variable: its address is passed to a function, or kept."""
        if self._given_away is None:
            self._given_away = frozenset(_given_away(self.body))
        return slot in self._given_away

    def of(self, value: str) -> frozenset[Place]:
        """The places that a value may have been loaded from, through variables and conversions."""
        if value not in self._of:
            self._of[value] = frozenset(self._origins(value, set()))
        return self._of[value]

    def targets(self, address: str) -> frozenset[Target]:
        """The fields and slots that an address may lead to."""
        return frozenset(self._targets(address, set()))

    def made(self, value: str, *opcodes: str) -> Instruction | None:
        """The instruction that makes a value, if it is one of these; None for arguments, constants and globals."""
        found = self.body.made.get(value)
        return found if found is not None and found.opcode in opcodes else None

    def loaded_from(self, value: str, type_: str = "") -> str:
        """The address that a value (of that type) is loaded from, through conversions; "" where it is not loaded."""
        while (cast := self.made(value, *_CASTS)) is not None:
            value = cast.operands[0].value
        load = self.made(value, "load")
        return load.operands[0].value if load is not None and type_ in ("", load.type) else ""

    def loads(self, value: str) -> Iterator[str]:
        """The addresses that a value may be loaded from, and those of what variables on the way hold."""
        waiting, seen = [value], set[str]()
        while waiting:
            value = waiting.pop()
            made = self.body.made.get(value)
            if made is None or value in seen:
                continue
            seen.add(value)
            if made.opcode != "load":
                waiting += alternatives(made)
                continue
            address = made.operands[0].value
            yield address
            for target in self.targets(address):
                waiting += self.body.stores.get(target, ()) if isinstance(target, str) else ()

    def base(self, address: str) -> str:
        """The pointer that an element's address is counted from."""
        while (found := self.made(address, "getelementptr")) is not None and not self.field(address):
            address = found.operands[0].value
        return address

    def field(self, address: str) -> Place | None:
        """The field that an address is made of by its type."""
        found = self.made(address, "getelementptr")
        struct = STRUCT.match(found.detail) if found is not None else None
        if found is None or struct is None:
            return None
        indices = [each.value for each in found.operands[1:]]
        if len(indices) < 2 or not indices[1].isdigit():
            return None
        try:
            offset, _ = self.layout.members(found.detail)[int(indices[1])]
        except (UnknownTypeError, IndexError):
            return None
        return field_place(struct[1], offset)

    def identity(self, value: str) -> str:
        """The same text for values that are surely the same while nothing is stored between: `a->next`, `&a->next`."""
        if (cast := self.made(value, *_CASTS)) is not None:
            return self.identity(cast.operands[0].value)
        if (load := self.made(value, "load")) is not None:
            return self.identity(load.operands[0].value).removeprefix("&")
        place = self.field(value)
        if place is not None:
            return f"&{self.identity(self.base_of_field(value))}->{place.owner}.{place.member}"
        return f"&{value}" if self.made(value, "alloca") is not None else value

    def base_of_field(self, address: str) -> str:
        """The pointer to the struct whose field the address is."""
        found = self.made(address, "getelementptr")
        return found.operands[0].value if found is not None else ""

    def stores(self) -> Iterator[tuple[str, str]]:
        """All stores: address, value."""
        for address, values in self.body.stores.items():
            for value in values:
                yield address, value

    def _origins(self, value: str, seen: set[str]) -> Iterator[Place]:
        if value in seen:
            return
        seen.add(value)
        made = self.body.made.get(value)
        if made is None:
            return
        if made.opcode == "load":
            address = made.operands[0].value
            targets = set(self._targets(address, set()))
            if not targets:
                yield from map(behind, self._origins(self.base(address), seen))
            for target in targets:
                if isinstance(target, Place):
                    yield target
                    continue
                if target in self.body.parameters:
                    yield parameter_place(self.name, self.body.parameters[target])
                for stored in self.body.stores.get(target, ()):
                    yield from self._origins(stored, seen)
        elif (called := call(made)) is not None:
            yield result_place(called.function)
        else:
            for each in alternatives(made):
                yield from self._origins(each, seen)

    def _targets(self, address: str, seen: set[str]) -> Iterator[Target]:
        if address in seen:
            return
        seen.add(address)
        made = self.body.made.get(address)
        if made is None:
            return
        if made.opcode == "alloca":
            yield address
        elif made.opcode == "getelementptr":
            place = self.field(address)
            if place is not None:
                yield place
            else:
                yield from self._targets(made.operands[0].value, seen)
        elif made.opcode == "load":
            for target in self._targets(made.operands[0].value, seen):
                for stored in self.body.stores.get(target, ()) if isinstance(target, str) else ():
                    yield from self._targets(stored, seen)
        else:
            for each in alternatives(made):
                yield from self._targets(each, seen)


def layout_of(ir: str) -> Layout:
    """How the types of a module lie."""
    return Layout({match[1]: match[2] for match in _TYPE.finditer(ir)})


def alternatives(made: Instruction) -> tuple[str, ...]:
    """The values that a conversion, a choice or a merge may give."""
    values = tuple(each.value for each in made.operands)
    if made.opcode in _CASTS:
        return values
    if made.opcode == "select":
        return values[1:]
    return values if made.opcode == "phi" else ()


def _given_away(body: FunctionBody) -> Iterator[str]:
    """The values that calls take, that are stored, or made into others; not what is only read or written there."""
    for instruction in body.instructions():
        if instruction.opcode == "store":
            yield instruction.operands[0].value
        elif instruction.call is not None:
            if not instruction.call.callee.startswith(_SLOTS_ALONE):
                yield from (each.value for each in instruction.call.arguments)
        elif instruction.opcode not in _IN_PLACE:
            yield from (each.value for each in instruction.operands)
