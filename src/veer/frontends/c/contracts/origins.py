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
from dataclasses import dataclass, field

from veer.frontends.c.contracts.functiontext import FunctionText
from veer.instrument.lexer import unquoted
from veer.instrument.typelayout import Layout, UnknownTypeError
from veer.model.unitfacts import Place, behind, field_place, parameter_place, result_place

_ADDRESS = re.compile(
    r"getelementptr (?:(?:inbounds|nuw|nusw) )*(?P<type>.+?), ptr (?P<base>[^,\s]+), (?P<indices>[^!]*)"
)
_STRUCT = re.compile(r'%"?(?:struct|union|class)\.([^"]+?)(?:\.\d+)?"?$')
_INDEX = re.compile(r"i\d+ ([^,\s]+)")
_LOAD = re.compile(r"load (?:volatile )?([^,]+), ptr ([^,\s]+)")
_CAST = re.compile(r"(?:zext|sext|trunc|bitcast|inttoptr|ptrtoint)(?: \w+)*? \S+ (\S+) to ")
_CHOICE = re.compile(r"select [^,]+, \S+ ([^,\s]+), \S+ ([^,\s]+)")
_MERGED = re.compile(r"\[ ([^,\s]+), %[^\]]+ \]")
_CALL = re.compile(r'(?:tail |notail |musttail )?call\b[^@%]*?@("[^"]+"|[\w.$-]+)\(')

Target = Place | str
"""Where an address leads to: a field, or a slot of the function, by its name in IR."""


@dataclass(slots=True)
class Origins:
    """Of the function `name`; `layout`: of the types of its module."""

    name: str
    text: FunctionText
    layout: Layout
    _of: dict[str, frozenset[Place]] = field(default_factory=dict)

    def of(self, value: str) -> frozenset[Place]:
        """The places that a value may have been loaded from, through variables and conversions."""
        if value not in self._of:
            self._of[value] = frozenset(self._origins(value, set()))
        return self._of[value]

    def targets(self, address: str) -> frozenset[Target]:
        """The fields and slots that an address may lead to."""
        return frozenset(self._targets(address, set()))

    def made(self, value: str) -> str:
        """How a value is made, in IR; "" for arguments, constants and globals."""
        return self.text.values.get(value, "")

    def loaded_from(self, value: str, type_: str = "") -> str:
        """The address that a value (of that type) is loaded from, through conversions; "" where it is not loaded."""
        while (cast := _CAST.match(self.made(value))) is not None:
            value = cast[1]
        load = _LOAD.match(self.made(value))
        return load[2] if load is not None and type_ in ("", load[1]) else ""

    def base(self, address: str) -> str:
        """The pointer that an element's address is counted from."""
        while (found := _ADDRESS.match(self.made(address))) is not None and not self.field(address):
            address = found["base"]
        return address

    def field(self, address: str) -> Place | None:
        """The field that an address is made of by its type."""
        found = _ADDRESS.match(self.made(address))
        struct = _STRUCT.match(found["type"]) if found is not None else None
        if found is None or struct is None:
            return None
        indices = _INDEX.findall(found["indices"])
        if len(indices) < 2 or not indices[1].isdigit():
            return None
        try:
            offset, _ = self.layout.members(found["type"])[int(indices[1])]
        except (UnknownTypeError, IndexError):
            return None
        return field_place(struct[1], offset)

    def identity(self, value: str) -> str:
        """The same text for values that are surely the same while nothing is stored between: `a->next`, `&a->next`."""
        made = self.made(value)
        if (cast := _CAST.match(made)) is not None:
            return self.identity(cast[1])
        if (load := _LOAD.match(made)) is not None:
            return self.identity(load[2]).removeprefix("&")
        place = self.field(value)
        if place is not None:
            return f"&{self.identity(self.base_of_field(value))}->{place.owner}.{place.member}"
        return f"&{value}" if made.startswith("alloca") else value

    def base_of_field(self, address: str) -> str:
        """The pointer to the struct whose field the address is."""
        found = _ADDRESS.match(self.made(address))
        return found["base"] if found is not None else ""

    def stores(self) -> Iterator[tuple[str, str]]:
        """All stores: address, value."""
        for address, values in self.text.stores.items():
            for value in values:
                yield address, value

    def _origins(self, value: str, seen: set[str]) -> Iterator[Place]:
        if value in seen:
            return
        seen.add(value)
        made = self.made(value)
        if (load := _LOAD.match(made)) is not None:
            targets = set(self._targets(load[2], set()))
            if not targets:
                yield from map(behind, self._origins(self.base(load[2]), seen))
            for target in targets:
                if isinstance(target, Place):
                    yield target
                    continue
                if target in self.text.parameters:
                    yield parameter_place(self.name, self.text.parameters[target])
                for stored in self.text.stores.get(target, ()):
                    yield from self._origins(stored, seen)
        elif (called := _CALL.match(made)) is not None:
            yield result_place(unquoted(called[1]))
        else:
            for each in self._alternatives(made):
                yield from self._origins(each, seen)

    def _targets(self, address: str, seen: set[str]) -> Iterator[Target]:
        if address in seen:
            return
        seen.add(address)
        made = self.made(address)
        if made.startswith("alloca"):
            yield address
        elif (found := _ADDRESS.match(made)) is not None:
            place = self.field(address)
            if place is not None:
                yield place
            else:
                yield from self._targets(found["base"], seen)
        elif (load := _LOAD.match(made)) is not None:
            for target in self._targets(load[2], seen):
                for stored in self.text.stores.get(target, ()) if isinstance(target, str) else ():
                    yield from self._targets(stored, seen)
        else:
            for each in self._alternatives(made):
                yield from self._targets(each, seen)

    def _alternatives(self, made: str) -> tuple[str, ...]:
        """What a conversion, a choice or a merge may give."""
        if (cast := _CAST.match(made)) is not None:
            return (cast[1],)
        if (choice := _CHOICE.match(made)) is not None:
            return choice[1], choice[2]
        return tuple(_MERGED.findall(made)) if made.startswith("phi ") else ()
