"""Pointers that the code takes for a part of a larger object: a member of it, or what lies behind a header.

struct item *i = (struct item *)((char *)h - offsetof(struct item, hook));   h leads to the member `hook` of an item
struct head *head = (struct head *)p - 1;                                    p leads to what is behind a head
struct circle *c = (struct circle *)s;                                       s leads to the first member of a circle

What a pointer leads to by its type has to lie there: bytes that begin like a struct are bytes (`(struct packet *)buf`).
What is given to a function of the unit, or kept in a member, is what that is taken for. Two structs, or two places in
one: then nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct, field

from veer.frontends.c.contracts.functionbody import call, is_constant
from veer.frontends.c.contracts.origins import STRUCT, Origins, alternatives
from veer.frontends.c.contracts.taken import (
    global_types,
    known_structs,
    led_to,
    member_type,
    parameter_types,
    places_of,
    result_types,
)
from veer.frontends.c.extents import is_character, is_composite
from veer.frontends.c.flexible import flexible_member
from veer.frontends.llvm.debuginfo import NO_NODE, DebugInfo
from veer.instrument.instructions import Instruction
from veer.model.unitfacts import Place, PlaceKind, field_place, parameter_place

_MOST_STEPS = 8


class Part(Struct, frozen=True):
    """A place within an object: the node of its struct, and bytes from its beginning; the struct's size where it is
    behind a header."""

    struct: int
    offset: int


def parts(debug: DebugInfo, functions: Sequence[Origins]) -> Mapping[Place, Part]:
    """The places whose pointers the functions, all of one module, take for a part of one struct."""
    structs = known_structs(debug)
    reader = _Reader(debug, structs, parameter_types(debug), result_types(debug), global_types(debug))
    for function in functions:
        reader.read(function)
    return reader.found()


class _Reader(Struct):
    """Collects what each place is taken for, and which places go where others do."""

    debug: DebugInfo
    structs: Mapping[str, int]
    parameters: Mapping[str, Sequence[tuple[str, int]]]
    results: Mapping[str, int]
    variables: Mapping[str, int]
    seen: dict[Place, set[Part]] = field(default_factory=dict)
    goes_to: dict[Place, set[Place]] = field(default_factory=dict)
    other: set[Place] = field(default_factory=set)  # moved back to what is no struct
    whole: dict[Place, set[int]] = field(default_factory=dict)  # pointers to void: structs that they are taken for

    def found(self) -> Mapping[Place, Part]:
        """The places that are one part of one struct, wherever they go."""
        while True:
            before = sum(map(len, self.seen.values()))
            for place, others in self.goes_to.items():
                coming = {part for each in others for part in self.seen.get(each, ())}
                if more := {part for part in coming if self._takes(place, part)}:
                    self.seen.setdefault(place, set()).update(more)
            self._share()
            if sum(map(len, self.seen.values())) == before:
                break
        single = ((place, next(iter(found))) for place, found in self.seen.items() if len(found) == 1)
        return {place: part for place, part in single if place not in self.other and self._is_alone(place, part)}

    def _is_alone(self, place: Place, part: Part) -> bool:
        """Whether a pointer to void is taken for nothing that does not lie there: what is behind a header may be a
        struct of its own, and then it is that."""
        return all(each == part.struct or self._fits(part, each) for each in self.whole.get(place, ()))

    def _takes(self, place: Place, part: Part) -> bool:
        """Whether a pointer of this place may lead to that part; one to void leads to any beginning, too."""
        declared = self._declared(place)
        return self._fits(part, declared) or (declared == NO_NODE and part.offset == 0)

    def _share(self) -> None:
        """The links of a struct, `next` and `prev`, lead to the same."""
        for place, found in list(self.seen.items()):
            if place.kind is not PlaceKind.FIELD or place.owner not in self.structs:
                continue
            own = self.structs[place.owner]
            for other in self._links(place.owner):
                if led_to(self.debug, member_type(self.debug, self.structs, place)) == own:
                    self.seen.setdefault(other, set()).update(found)

    def _links(self, struct: str) -> Iterator[Place]:
        """The members of a struct that are pointers to such structs."""
        node = self.structs[struct]
        for number in self.debug.node(self.debug.node(node).reference("elements")).references:
            member = self.debug.node(number)
            if member.tag == "DW_TAG_member" and led_to(self.debug, member.reference("baseType")) == node:
                yield field_place(struct, member.number("offset") // 8)

    def read(self, function: Origins) -> None:
        """What one function shows."""
        for instruction in function.body.instructions():
            if instruction.opcode == "getelementptr":
                self._moved(function, instruction)
            elif instruction.opcode == "store":
                self._stored(function, *(each.value for each in instruction.operands))
            elif (called := call(instruction)) is not None:
                given = self.parameters.get(called.function, ())
                for (name, type_), value in zip(given, called.arguments, strict=False):
                    self._becomes(function, value, type_)
                    self._goes(function, value, parameter_place(called.function, name))

    def _moved(self, function: Origins, made: Instruction) -> None:
        """A pointer that is moved back by a constant, or taken for one to a struct."""
        base, index = made.operands[0].value, made.operands[1].value
        struct = STRUCT.match(made.detail)
        if index == "0" and struct is not None and struct[1] in self.structs:
            self._is(function, base, self.structs[struct[1]])
        elif index == "0" and made.detail == "i8":
            for node in self._uses(function, made.result):
                self._is(function, base, node)
        if not is_constant(index) or int(index) >= 0 or not (places := list(places_of(function, base))):
            return
        found: set[Part] = set()
        if struct is not None and struct[1] in self.structs:
            node = self.structs[struct[1]]
            found.add(Part(node, -int(index) * self.debug.node(node).number("size") // 8))
        elif made.detail == "i8" and len(made.operands) == 2:
            found |= {Part(node, -int(index)) for node in self._uses(function, made.result)}
        for place in places:
            fitting = {each for each in found if self._fits(each, self._declared(place))}
            if len(fitting) == 1:
                self.seen.setdefault(place, set()).update(fitting)
            else:
                self.other.add(place)

    def _stored(self, function: Origins, value: str, address: str) -> None:
        if value not in function.body.made:
            return
        declared = function.body.locals.get(address, self.variables.get(address))
        if declared is not None:
            self._becomes(function, value, declared)
        for target in function.targets(address):
            if isinstance(target, Place):
                self._becomes(function, value, member_type(self.debug, self.structs, target))
                self._goes(function, value, target)

    def _goes(self, function: Origins, value: str, to: Place) -> None:
        """A pointer is kept, or given, as it is: not one to a part of what it leads to."""
        if not function.made(value, "alloca", "getelementptr"):
            for place in places_of(function, value):
                if place != to:
                    self.goes_to.setdefault(place, set()).add(to)

    def _becomes(self, function: Origins, value: str, type_: int) -> None:
        """A pointer becomes one of this type."""
        self._is(function, value, led_to(self.debug, type_))

    def _is(self, function: Origins, value: str, node: int) -> None:
        """A pointer is taken for one to this struct, which may begin with what it leads to."""
        if not is_composite(self.debug, node) or function.made(value, "alloca", "getelementptr"):
            return
        for place in places_of(function, value):
            declared = self._declared(place)
            if declared == NO_NODE:
                self.whole.setdefault(place, set()).add(node)
            elif declared != node and is_composite(self.debug, declared) and self._fits(Part(node, 0), declared):
                self.seen.setdefault(place, set()).add(Part(node, 0))

    def _uses(self, function: Origins, value: str) -> set[int]:
        """The structs that a pointer is taken for, by way of variables without a type, too."""
        found: set[int] = set()
        waiting, seen = [value], set[str]()
        while waiting and len(seen) < _MOST_STEPS:
            value = waiting.pop()
            seen.add(value)
            for instruction in function.body.instructions():
                values = [each.value for each in instruction.operands]
                if instruction.opcode == "store" and values[0] == value:
                    type_ = function.body.locals.get(values[1], NO_NODE)
                    for target in function.targets(values[1]):
                        if isinstance(target, Place):
                            type_ = member_type(self.debug, self.structs, target)
                    found.add(led_to(self.debug, type_))
                    if type_ == NO_NODE:
                        loads = function.body.instructions()
                        waiting += [
                            each.result for each in loads if _loads(each, values[1]) and each.result not in seen
                        ]
                elif instruction.opcode == "getelementptr" and values[0] == value:
                    struct = STRUCT.match(instruction.detail)
                    found.add(self.structs.get(struct[1], NO_NODE) if struct is not None else NO_NODE)
                elif value in alternatives(instruction) and instruction.result not in seen:
                    waiting.append(instruction.result)
                elif instruction.opcode == "ret" and value in values:
                    found.add(led_to(self.debug, self.results.get(function.name, NO_NODE)))
                elif (called := call(instruction)) is not None and value in called.arguments:
                    given = self.parameters.get(called.function, ())
                    types = [type_ for (_, type_), each in zip(given, called.arguments, strict=False) if each == value]
                    found |= {led_to(self.debug, type_) for type_ in types}
        return {each for each in found if is_composite(self.debug, each)}

    def _declared(self, place: Place) -> int:
        """What the pointers of a place lead to by their type."""
        if place.kind is PlaceKind.FIELD:
            return led_to(self.debug, member_type(self.debug, self.structs, place))
        if place.kind is PlaceKind.RESULT:
            return led_to(self.debug, self.results.get(place.owner, NO_NODE))
        types = [type_ for name, type_ in self.parameters.get(place.owner, ()) if name == place.member]
        return led_to(self.debug, types[0]) if types else NO_NODE

    def _fits(self, part: Part, declared: int) -> bool:
        """Whether what a pointer leads to by its type lies there: the member, or what is behind a header."""
        node = self.debug.node(part.struct)
        is_fixed = node.tag == "DW_TAG_structure_type" and flexible_member(self.debug, node) is None
        if not is_fixed or part.struct == declared:
            return False
        is_plain = declared == NO_NODE or is_character(self.debug, declared)
        if part.offset == node.number("size") // 8:
            return is_plain
        return self._lies(part.struct, 8 * part.offset, NO_NODE if is_plain and part.offset else declared)

    def _lies(self, struct: int, bits: int, wanted: int) -> bool:
        """Whether a member of this type (NO_NODE: of any) begins there; in a member that is a struct, too."""
        for number in self.debug.node(self.debug.node(struct).reference("elements")).references:
            member = self.debug.node(number)
            first = member.number("offset")
            if member.tag != "DW_TAG_member" or not first <= bits < first + member.number("size"):
                continue
            own = self.debug.strip(member.reference("baseType"))
            if self.debug.node(own).tag == "DW_TAG_array_type":
                own = self.debug.strip(self.debug.node(own).reference("baseType"))
            if first == bits and wanted in (own, NO_NODE):
                return True
            return is_composite(self.debug, own) and self._lies(own, bits - first, wanted)
        return False


def _loads(instruction: Instruction, address: str) -> bool:
    return instruction.opcode == "load" and instruction.operands[0].value == address
