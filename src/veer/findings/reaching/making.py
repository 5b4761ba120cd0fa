"""How the objects of a unit's structs come to be: returned by a function, set up by one, or by callers.

struct heap *heap_new(unsigned cap)            returns new ones: it writes to them, or allocates, and is given none
int deque_new(struct deque **out)              so does this one, by way of its parameter
void ring_init(struct ring *r)                 sets up what its caller has memory for
struct node *push(struct node *top, int v)     is given the value so far, NULL at first, and returns the next one
void vec_push(struct vec *v, int x)            only changes them: they begin as zeros
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from functools import cached_property

from msgspec import Struct

from veer.model.ownstruct import Making, OwnStruct
from veer.model.program import Fact, Function, Program
from veer.model.types import ExtentKind, TypeKind, struct_behind, struct_delivered
from veer.model.unitfacts import Place, PlaceKind, UnitFacts, parameter_place, struct_name

_SETS_UP = re.compile(r"init|setup|create|construct|new|alloc|open|make|begin|start", re.IGNORECASE)
"""What a function is called that sets objects up: where one is called so, others that write first are none."""


class Unit(Struct, frozen=True, dict=True):
    """The functions of the entry's source, and the structs that they work on."""

    program: Program
    facts: UnitFacts

    @cached_property
    def functions(self) -> dict[str, Function]:
        """Those of the entry's file, by name."""
        entry = self.program.function(self.program.entry)
        file = entry.file if entry is not None else ""
        return {each.name: each for each in self.program.functions if each.file == file and each.name != "main"}

    @cached_property
    def callable(self) -> dict[str, Function]:
        """Those that other sources can call with inputs: not static, of a fixed number of arguments that veer makes."""
        found = {name: each for name, each in self.functions.items() if not self._is_own(each) and not each.variadic}
        return {name: each for name, each in found.items() if self._takes_what_there_is(each)}

    def _is_own(self, function: Function) -> bool:
        return self.program.is_internal(function)

    def _takes_what_there_is(self, function: Function) -> bool:
        """Whether veer makes all that a function takes; what its first parameter leads to may come of another one."""
        types = self.program.types
        returned = {types[each.returns].target for each in self.functions.values()}
        first = [types[each.type] for each in function.parameters[:1]]
        objects = {
            each.target for each in first if each.kind is TypeKind.POINTER and each.extent is not ExtentKind.FUNCTION
        }
        is_made = not any(types[each].kind is TypeKind.OPAQUE for each in objects - returned)
        return is_made and not any(each.unsupported for each in function.parameters)

    def pointed_to(self, type_: int) -> str:
        """The name of the struct that a pointer of this type leads to; "" for none."""
        return struct_behind(self.program.types, type_)

    def given(self, function: Function) -> Iterator[str]:
        """The structs that a function is given pointers to, one for each such parameter."""
        yield from filter(None, (self.pointed_to(each.type) for each in function.parameters))

    def structs_written(self, function: str) -> Set[str]:
        """The structs that a function, or what it calls, stores to fields of."""
        return {place.owner for each in self.reached(function) for place in self._writes.get(each, ())}

    @cached_property
    def written(self) -> frozenset[Place]:
        """The fields that functions of the unit store to."""
        return frozenset(place for _, places in self.facts.writes for place in places)

    @cached_property
    def _writes(self) -> dict[str, frozenset[Place]]:
        return dict(self.facts.writes)

    def reached(self, function: str) -> Set[str]:
        """The function, and what it calls however deep."""
        calls = {each.name: each.calls for each in self.program.functions}
        found, waiting = {function}, [function]
        while waiting:
            new = set(calls.get(waiting.pop(), ())) - found
            found |= new
            waiting += new
        return found

    def made(self, struct: str) -> OwnStruct | None:
        """How objects of this struct come to be; None where no function of the unit makes or changes them."""
        fresh = [(name, "") for name in self._returning(struct, is_given_one=False)]
        if fresh := fresh + self._delivering(struct):
            return OwnStruct(struct, Making.RETURNED, tuple(fresh))
        if begun := self._setting_up(struct):
            return OwnStruct(struct, Making.INITIALISED, tuple(begun))
        if updating := self._returning(struct, is_given_one=True):
            return OwnStruct(struct, Making.VALUE, tuple((name, "") for name in updating))
        if any(struct in self.structs_written(name) for name in self.callable):
            return OwnStruct(struct, Making.ZEROS, ())
        return None

    def is_private(self, struct: str) -> bool:
        """Whether no function for other sources is given or returns anything that leads to such a struct, nor has a
        variable that others see one.

        All objects of it are the unit's own: variables of its functions, and what these give to static ones.
        """
        return struct not in self._shown

    @cached_property
    def _shown(self) -> frozenset[str]:
        """The structs that callers see."""
        types = self.program.types
        others = [each for each in self.program.functions if not self._is_own(each)]
        waiting = [type_ for each in others for type_ in (each.returns, *(given.type for given in each.parameters))]
        waiting += [each.id for each in types if struct_name(each.name) in self.facts.shared]
        seen: set[int] = set()
        while waiting:
            number = waiting.pop()
            if number in seen or not 0 <= number < len(types):
                continue
            seen.add(number)
            waiting += [types[number].target, *(field.type for field in types[number].fields)]
        return frozenset(struct_name(types[each].name) for each in seen if types[each].kind is TypeKind.STRUCT)

    @cached_property
    def null_fields(self) -> frozenset[Place]:
        """The fields that the functions which make their objects set to NULL."""
        return frozenset(place for struct in {each.owner for each in self.written} for place in self._nulls(struct))

    def _nulls(self, struct: str) -> frozenset[Place]:
        made = self.made(struct)
        makers = made.makers if made is not None else ()
        clears = dict(self.facts.clears)
        found: set[Place] = set()
        for each in {name for maker, _ in makers for name in self.reached(maker)}:
            for place in clears.get(each, ()):
                is_zeroed = place.kind is PlaceKind.PARAMETER and self._leads_to(place, struct)
                found |= {one for one in self.written if one.owner == struct} if is_zeroed else {place}
        return frozenset(found)

    def _leads_to(self, place: Place, struct: str) -> bool:
        """Whether a parameter leads to an object of this struct."""
        function = self.program.function(place.owner)
        types = [each.type for each in function.parameters if each.name == place.member] if function is not None else []
        return any(self.pointed_to(each) == struct for each in types)

    def _returning(self, struct: str, *, is_given_one: bool) -> list[str]:
        """The functions that return a new object."""
        allocating = self.program.known_to(Fact.ALLOCATES)
        return [
            name
            for name, each in self.callable.items()
            if self.pointed_to(each.returns) == struct
            and (struct in self.given(each)) is is_given_one
            and (struct in self.structs_written(name) or allocating & self.reached(name))
        ]

    def _delivering(self, struct: str) -> list[tuple[str, str]]:
        """The functions that store a pointer to a new object behind a parameter, each with that parameter."""
        return [
            (name, parameter.name)
            for name, each in self.callable.items()
            for parameter in each.parameters
            if struct_delivered(self.program.types, parameter.type) == struct
            and parameter_place(name, parameter.name) in self.facts.delivers
            and struct not in self.given(each)
            and self.pointed_to(each.returns) != struct
            and struct in self.structs_written(name)
        ]

    def _setting_up(self, struct: str) -> list[tuple[str, str]]:
        """The functions that set up what a parameter leads to, each with that parameter.

        One that writes fewer fields than another one only clears, so that it is none.
        """
        found = [
            (name, parameter.name)
            for name, each in self.callable.items()
            for parameter in each.parameters
            if self.pointed_to(parameter.type) == struct and parameter_place(name, parameter.name) in self.facts.begins
        ]
        found = [each for each in found if _SETS_UP.search(each[0])] or found
        return [each for each in found if not any(self._sets_less(each[0], other, struct) for other, _ in found)]

    def _sets_less(self, function: str, other: str, struct: str) -> bool:
        return self._sets(function, struct) < self._sets(other, struct)

    def _sets(self, function: str, struct: str) -> frozenset[str]:
        """The fields of a struct that a function sets, or what it calls."""
        places = (place for each in self.reached(function) for place in self._writes.get(each, ()))
        return frozenset(place.member for place in places if place.owner == struct)
