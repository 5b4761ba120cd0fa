"""What rules look at: a fault, and the values of its input, each with the place in the unit's types that holds it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import groupby
from operator import itemgetter

from msgspec import Struct

from veer.execution.decode import Fault
from veer.findings.severity.conditions import NO_CONDITIONS, Conditions
from veer.model.describe import type_at
from veer.model.inputs import InputMap, MemoryObject, Pointer, Root, Scalar
from veer.model.literal import object_leaves
from veer.model.program import Program
from veer.model.sequence import CHOICES, argument_root
from veer.model.types import Type, TypeKind
from veer.model.unitfacts import (
    Place,
    PlaceKind,
    UnitFacts,
    behind,
    field_place,
    parameter_place,
    result_place,
    struct_name,
)
from veer.model.values import replace

_OF_AN_INPUT = "(input"
"""What the runtime's message says of an object that is an input."""
_OF_NO_POINTER = "a number and no pointer"
"""What it says of an address that started from no object."""


class Held(Struct, frozen=True):
    """A value of the input: in words (`r->head`), where it is kept (None: not known), its type.

    `owner`: the number of the object that holds it, 0 for a root. `in_union`: the field that is the union it is in.
    """

    words: str
    place: Place | None
    type: Type
    value: Scalar | Pointer
    owner: int
    in_union: Place | None = None


class Misfit(Struct, frozen=True):
    """A number of the input that no caller gives, as far as the unit shows, and some that one may give, likely ones
    first."""

    held: Held
    value: Scalar
    fitting: tuple[int, ...]


class Witness(Struct, frozen=True, dict=True):
    """A fault and the input that shows it; `facts` of the unit.

    An input may hold thousands of objects: rules look values up by their object.
    `passes_null`: NULL was passed on to a function that takes none, so that nobody followed it; `is_arithmetic`: the
    fault is one of numbers alone, as an overflow is, and a wrong index is not; `is_of_a_cast`: an object was of another
    class than the code takes it for; `asked`: how many different conditions
    of the input a run met that used up its steps; `asks_on`: whether it met new ones in the second half of them;
    `grows_with`: where the numbers stand with which runs grow until they use up their steps;
    `conditions`: of the line that the run ended on; `asked_of`: where in
    the input the numbers stand that the run's conditions depend on (None: nobody looked); `failing_on`: the same of the
    check that it failed (None: not known).
    """

    program: Program
    facts: UnitFacts
    fault: Fault
    inputs: InputMap
    held: tuple[Held, ...]
    passes_null: bool = False
    is_arithmetic: bool = False
    is_of_a_cast: bool = False
    asked: int = 0
    asks_on: bool = False
    grows_with: frozenset[int] = frozenset()
    conditions: Conditions = NO_CONDITIONS
    asked_of: frozenset[int] | None = None
    failing_on: frozenset[int] | None = None

    @property
    def user(self) -> str:
        """The function whose arguments are at stake."""
        return self.program.entry if self.program.sequence is None else "the unit"

    @property
    def is_called_by_the_unit_alone(self) -> bool:
        """Whether the entry is static, the unit calls it, and nobody else can."""
        return is_called_by_the_unit_alone(self.program)

    @property
    def checked(self) -> frozenset[Place]:
        """What the entry, or what it calls however deep, compares."""
        reached = self.reached_from(self.program.starts)
        return frozenset(place for name, places in self.facts.checks if name in reached for place in places)

    def reached_from(self, names: Iterable[str]) -> frozenset[str]:
        """These functions, and what they call however deep."""
        calls = {each.name: each.calls for each in self.program.functions}
        reached = set(names)
        waiting = list(reached)
        while waiting:
            new = set(calls.get(waiting.pop(), ())) - reached
            reached |= new
            waiting += new
        return frozenset(reached)

    @property
    def is_out_of_an_input(self) -> bool:
        """Whether the access missed an object that is an input."""
        return _OF_AN_INPUT in self.fault.message

    @property
    def is_from_a_pointer(self) -> bool:
        """Whether the address of the access may have started from an object."""
        return _OF_NO_POINTER not in self.fault.message

    @property
    def missed(self) -> Iterator[MemoryObject]:
        """The objects of the size that the access missed."""
        return (item for item in self.inputs.objects if item.size == self.fault.object_size)

    @cached_property
    def pointers(self) -> tuple[tuple[Held, Pointer], ...]:
        """The pointers that the run decided."""
        return tuple((each, each.value) for each in self.held if isinstance(each.value, Pointer) and each.value.decided)

    @cached_property
    def numbers(self) -> tuple[tuple[Held, Scalar], ...]:
        """The numbers that the run looked at."""
        return tuple((each, each.value) for each in self.held if isinstance(each.value, Scalar) and each.value.used)

    def leading_to(self, number: int) -> tuple[Held, ...]:
        """The pointers that lead to an object."""
        return self._leading.get(number, ())

    def held_by(self, owner: int) -> tuple[Held, ...]:
        """The values of an object, or of the roots (0)."""
        return self._by_owner.get(owner, ())

    @cached_property
    def _leading(self) -> Mapping[int, tuple[Held, ...]]:
        return _grouped((pointer.target, held) for held, pointer in self.pointers if pointer.target)

    @cached_property
    def _by_owner(self) -> Mapping[int, tuple[Held, ...]]:
        return _grouped((held.owner, held) for held in self.held)


def is_called_by_the_unit_alone(program: Program) -> bool:
    """Whether the entry is static, the unit calls it, and nobody else can: its address goes to no one else."""
    entry = program.function(program.entry)
    if (
        program.sequence is not None
        or entry is None
        or not program.is_internal(entry)
        or entry.name in program.addresses
    ):
        return False
    others = [each for each in program.functions if each.name != entry.name]
    if any(entry.name in each.takes for each in others):
        return program.facts is not None and entry.name in program.facts.handed
    return any(entry.name in each.calls for each in others)


def is_not_for_others(program: Program) -> bool:
    """Whether the entry is static, and the unit calls it or gives its address away: no other source names it."""
    entry = program.function(program.entry)
    if program.sequence is not None or entry is None or not program.is_internal(entry):
        return False
    others = [each for each in program.functions if each.name != entry.name]
    return entry.name in program.addresses or any(entry.name in (*each.calls, *each.takes) for each in others)


def _grouped(pairs: Iterable[tuple[int, Held]]) -> Mapping[int, tuple[Held, ...]]:
    ordered = sorted(pairs, key=itemgetter(0))
    return {key: tuple(held for _, held in group) for key, group in groupby(ordered, itemgetter(0))}


def witness(
    program: Program, facts: UnitFacts, fault: Fault, inputs: InputMap, *, passes_null: bool = False
) -> Witness:
    """The witness of a fault. Which calls a sequence makes is no value that anything holds."""
    inputs = replace(inputs, roots=tuple(each for each in inputs.roots if each.name not in CHOICES))
    return Witness(program, facts, fault, inputs, held_values(program, inputs), passes_null)


def held_values(program: Program, inputs: InputMap) -> tuple[Held, ...]:
    """The values of an input, each with the place that holds it. What is counted from another pointer says nothing more
    than that one does."""
    roots = _parameters(program)
    held = [each for root in inputs.roots for each in _of_root(program, root, roots)]
    places = {each.words: each.place for each in held}
    for item in inputs.objects:  # in the order in which they were reached
        found = list(_of_object(program, item, places.get(item.path)))
        places |= {each.words: each.place for each in found}
        held += found
    return tuple(each for each in held if not isinstance(each.value, Pointer) or each.value.into is None)


def _parameters(program: Program) -> Mapping[str, Place]:
    """Root → the parameter that it is."""
    found: dict[str, Place] = {}
    for name in program.starts:
        function, prefix = program.function(name), f"{name}." if program.sequence is not None else ""
        for parameter in function.parameters if function is not None else ():
            found[f"{prefix}{parameter.name}"] = parameter_place(name, parameter.name)
    for name in program.state.functions if program.state is not None else ():
        function = program.function(name)
        for parameter in function.parameters if function is not None else ():
            found[argument_root(name, parameter.name)] = parameter_place(name, parameter.name)
    return found


def _of_root(program: Program, root: Root, roots: Mapping[str, Place]) -> Iterator[Held]:
    type_ = type_at(program, root.type)
    whole = roots.get(root.name)
    if whole is None and root.name.endswith("()"):
        whole = result_place(root.name.removesuffix("()"))
    if type_ is None:
        return
    kinds = {leaf.offset: leaf.type for leaf in object_leaves(program.types, type_, 1, root.size)}
    for cell in root.cells:
        if cell.offset in kinds:
            place = member_place(program, type_, cell.offset) or whole
            union = member_place(program, type_, cell.offset, within_unions=False)
            yield Held(f"{root.name}{cell.path}", place, kinds[cell.offset], cell.value, 0, union)


def _of_object(program: Program, item: MemoryObject, pointer: Place | None) -> Iterator[Held]:
    """The values of an object; `pointer`: where the pointer to it is kept."""
    type_ = type_at(program, item.type)
    if type_ is None or not type_.size:
        return
    kinds = {leaf.offset: leaf.type for leaf in object_leaves(program.types, type_, item.count, item.size)}
    for cell in item.cells:
        if cell.offset in kinds:
            step = f"->{cell.path[1:]}" if cell.path.startswith(".") else cell.path
            words = f"{item.path}{step}" if step else f"*{item.path}"
            place = member_place(program, type_, cell.offset % type_.size)
            if place is None and pointer is not None:
                place = behind(pointer)
            union = member_place(program, type_, cell.offset % type_.size, within_unions=False)
            yield Held(words, place, kinds[cell.offset], cell.value, item.number, union)


def member_place(program: Program, type_: Type, offset: int, *, within_unions: bool = True) -> Place | None:
    """The field of the innermost struct that holds a byte of the type; None outside of all structs.

    Of a union it is one of its first member's; without `within_unions` the field that the union is.
    """
    found = None
    while type_.kind in (TypeKind.STRUCT, TypeKind.UNION, TypeKind.ARRAY):
        if type_.kind is TypeKind.ARRAY:
            type_ = program.types[type_.target]
            offset = offset % type_.size if type_.size else 0
            continue
        if type_.kind is TypeKind.UNION:
            if not type_.fields or not within_unions:
                break
            type_ = program.types[type_.fields[0].type]
            continue
        member = next((each for each in reversed(type_.fields) if each.offset <= offset), None)
        if member is None:
            break
        found = field_place(struct_name(type_.name), member.offset)
        type_, offset = program.types[member.type], offset - member.offset
    return found


def length_place(place: Place, type_: Type) -> Place:
    """The parameter that says how many elements there are behind another one of the same function.

    Where several functions are called, its root has the function's name before its own.
    """
    return parameter_place(place.owner, type_.length.removeprefix(argument_root(place.owner, "")))


def in_words(witness: Witness, place: Place | None) -> str:
    """Who has the say of a value: the function of a parameter, else the functions of the unit."""
    if place is not None and place.kind is PlaceKind.PARAMETER:
        return f"`{place.owner}`"
    return "the code"
