"""What the code of a unit takes pointers to void for: parameters, members, results of functions.

int on_data(void *ctx) { struct session *s = ctx; ... }         ctx is a struct session
... ((struct session *)ctx)->count++ ...                        so it is here
struct device { void *priv; };  struct uart *u = dev->priv;     device.priv is a struct uart
void attach(struct device *d, void *p) { d->priv = p; }         and so is p
current = ctx; ... return ctx;                                  by the type of a global variable, or of a result
struct item *i = pool_take(sizeof *i);                          what pool_take() returns is a struct item
const int *v = data; ... v[i] ...                               data is a number of int, if something says how many
void push(void **list, struct item *i) { i->next = *list; }     *list is a struct item
... item == i ...                                               and so is item, a pointer to void

Two types, bytes, or another place than the first (`(struct header *)p - 1`): then nothing is said. What is given to a
function of the unit is what that takes it for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct, field

from veer.frontends.c.contracts.functionbody import call, is_constant
from veer.frontends.c.contracts.origins import STRUCT, Origins
from veer.frontends.c.extents import is_composite
from veer.frontends.llvm.debuginfo import NO_NODE, DebugInfo
from veer.instrument.instructions import Instruction
from veer.model.unitfacts import NAMELESS, Place, PlaceKind, behind, field_place, is_behind, parameter_place

_OTHERWISE = NO_NODE
"""Stands for bytes, and for what is not at the beginning of an object; less: as many bits, negative, of a number."""
_MOVES = ("llvm.memset.", "llvm.memcpy.", "llvm.memmove.")
_BITS = {"i16": 16, "i32": 32, "i64": 64, "float": 32, "double": 64, "ptr": 64}
_DIVIDING = ("udiv", "sdiv", "urem", "srem", "lshr", "ashr", "and")
_STEPS = ("add", "sub")


class Taken(Struct, frozen=True):
    """Place → the node of what it leads to, a struct or a number; the places of which elements are taken by an index,
    and the parameters that may count such elements; the places that lead to more than one element."""

    nodes: Mapping[Place, int] = field(default_factory=dict)
    indexed: frozenset[Place] = frozenset()
    counting: frozenset[Place] = frozenset()
    rows: frozenset[Place] = frozenset()


def taken_for(debug: DebugInfo, functions: Sequence[Origins]) -> Taken:
    """What the functions, all of one module, take pointers for."""
    structs = known_structs(debug)
    reader = _Reader(
        debug, structs, frozenset(structs.values()), parameter_types(debug), global_types(debug), result_types(debug)
    )
    for function in functions:
        reader.read(function)
    counting = (parameter_place(each.name, name) for each in functions for name in _counting(each))
    return Taken(reader.found(), frozenset(reader.indexed), frozenset(counting), frozenset(reader.rows()))


def _counting(function: Origins) -> Iterator[str]:
    """The parameters that are nowhere divided, and move by ones alone: a number of bytes is, or does."""
    slots = dict(function.body.parameters)
    for instruction in function.body.instructions():
        values = [each.value for each in instruction.operands]
        by_ones = instruction.opcode in _STEPS and values[1:] in (["1"], ["-1"])
        if instruction.opcode in _DIVIDING or (instruction.opcode in _STEPS and not by_ones):
            slots.pop(function.body.slot(values[0]), None)
    yield from slots.values()


def known_structs(debug: DebugInfo) -> Mapping[str, int]:
    """The structs and unions that are defined, by the names that IR has for them: the tag, or a typedef without one."""
    found: dict[str, int] = {}
    for number, line in debug.lines.items():
        if not line.startswith("DICompositeType("):
            continue
        node = debug.node(number)
        name = node.text("name") or debug.typedef_of.get(number, "")
        if is_composite(debug, number) and name and "DIFlagFwdDecl" not in node.text("flags"):
            found[name] = number if name not in found else _OTHERWISE
    return {name: number for name, number in found.items() if number != _OTHERWISE}


def parameter_types(debug: DebugInfo) -> Mapping[str, Sequence[tuple[str, int]]]:
    """Name and type of each parameter, by function."""
    return {each.name: [(given.name, given.type) for given in each.parameters] for each in debug.functions()}


def result_types(debug: DebugInfo) -> Mapping[str, int]:
    """The type of each function's result."""
    return {each.name: each.returns for each in debug.functions()}


def global_types(debug: DebugInfo) -> Mapping[str, int]:
    """The type of each variable at file scope, by its name in IR."""
    return {f"@{each.name}": each.type for each in debug.globals()}


class _Reader(Struct):
    """Collects what each place is taken for, and which places hold what others do."""

    debug: DebugInfo
    structs: Mapping[str, int]
    nodes: frozenset[int]
    parameters: Mapping[str, Sequence[tuple[str, int]]]
    variables: Mapping[str, int]
    results: Mapping[str, int]
    seen: dict[Place, set[int]] = field(default_factory=dict)
    indexed: set[Place] = field(default_factory=set)
    moved: set[Place] = field(default_factory=set)
    handed: dict[Place, set[Place]] = field(default_factory=dict)
    goes_to: dict[Place, set[Place]] = field(default_factory=dict)

    def found(self) -> Mapping[Place, int]:
        """The places that are taken for one type and for nothing else."""
        waiting = list(self.goes_to)
        coming: dict[Place, set[Place]] = {}
        for place, others in self.goes_to.items():
            for each in others:
                coming.setdefault(each, set()).add(place)
        while waiting:
            place = waiting.pop()
            known = self.seen.setdefault(place, set())
            more = {node for other in self.goes_to.get(place, ()) for node in self.seen.get(other, ())} - known
            if more:
                known |= more
                waiting += coming.get(place, ())
        single = ((place, self._one(nodes)) for place, nodes in self.seen.items())
        return {place: node for place, node in single if node != _OTHERWISE}

    def rows(self) -> set[Place]:
        """The places whose pointers are moved on, or lead to elements by an index, here or where they are handed to."""
        found, waiting = set[Place](), [*self.indexed, *self.moved]
        while waiting:
            place = waiting.pop()
            if place not in found:
                found.add(place)
                waiting += self.handed.get(place, ())
        return found

    def _one(self, nodes: set[int]) -> int:
        """The one type among them, if all fit it; else _OTHERWISE."""
        types = [each for each in nodes if each > _OTHERWISE]
        if len(types) != 1:
            return _OTHERWISE
        bits = self.debug.node(types[0]).number("size")
        is_number = types[0] not in self.nodes
        return types[0] if nodes <= ({types[0], -bits} if is_number else {types[0]}) else _OTHERWISE

    def read(self, function: Origins) -> None:
        """What one function shows."""
        for instruction in function.body.instructions():
            if instruction.opcode == "store":
                stored, at = instruction.operands
                self._take(function, at.value, _number(stored.type))
                self._store(function, stored.value, at.value)
            elif instruction.opcode == "getelementptr":
                base = instruction.operands[0].value
                self._take(function, base, self._of_address(instruction))
                index = instruction.operands[1].value
                if not is_constant(index):
                    self.indexed.update(places_of(function, base))
                elif int(index) > 0:
                    self.moved.update(places_of(function, base))
            elif instruction.opcode == "load":
                self._take(function, instruction.operands[0].value, _number(instruction.type))
            elif instruction.opcode == "ret" and instruction.operands:
                self._give(function, instruction.operands[0].value, self.results.get(function.name, NO_NODE), None)
            elif instruction.opcode == "icmp":
                one, other = (each.value for each in instruction.operands)
                self._compared(function, one, other)
                self._compared(function, other, one)
            elif (called := call(instruction)) is not None:
                for (name, type_), value in zip(
                    self.parameters.get(called.function, ()), called.arguments, strict=False
                ):
                    self._give(function, value, type_, place := parameter_place(called.function, name))
                    for each in places_of(function, value):
                        self.handed.setdefault(place, set()).add(each)
                    self._lend(function, value, type_, behind(place))
                if called.function.startswith(_MOVES) and not is_constant(called.arguments[2]):
                    for value in called.arguments[:2]:
                        self._take(function, value, _OTHERWISE)

    def _store(self, function: Origins, value: str, address: str) -> None:
        if value not in function.body.made:
            return
        declared = function.body.locals.get(address, self.variables.get(address))
        if declared is not None:
            self._give(function, value, declared, None)
            return
        targets = function.targets(address) or map(behind, places_of(function, function.base(address)))
        for target in targets:
            if isinstance(target, Place) and (type_ := self._type(target)) != NO_NODE:
                self._give(function, value, type_, target)

    def _lend(self, function: Origins, value: str, type_: int, to: Place) -> None:
        """A pointer to a pointer to void is handed on: what is kept behind it is what is kept behind `to`."""
        if not self._is_to_void(led_to(self.debug, type_)):
            return
        kept = {each for each in function.targets(value) if isinstance(each, Place)}
        for place in kept or set(map(behind, places_of(function, value))):
            if place != to:
                self.goes_to.setdefault(place, set()).add(to)
                self.goes_to.setdefault(to, set()).add(place)
            if (below := led_to(self.debug, self._type(place))) in self.nodes:
                self.seen.setdefault(place, set()).add(below)

    def _compared(self, function: Origins, value: str, other: str) -> None:
        """A pointer is compared with another: where that leads to a struct, so does it."""
        below = led_to(self.debug, self._declared(function, other))
        if below in self.nodes:
            self._take(function, value, below)

    def _declared(self, function: Origins, value: str) -> int:
        """The type of the variable, the parameter or the member that a value is read from, if it is one alone."""
        address = function.loaded_from(value, "ptr")
        if address in function.body.locals:
            return function.body.locals[address]
        found = {self._type(each) for each in places_of(function, value)} if address else set()
        return found.pop() if len(found) == 1 else NO_NODE

    def _type(self, place: Place) -> int:
        """The type that a place is declared with; NO_NODE where it is not known."""
        if is_behind(place):
            return led_to(self.debug, self._type(Place(place.kind, place.owner, place.member[1:])))
        if place.kind is PlaceKind.PARAMETER:
            return dict(self.parameters.get(place.owner, ())).get(place.member, NO_NODE)
        return member_type(self.debug, self.structs, place)

    def _is_to_void(self, type_: int) -> bool:
        """Whether this is a pointer to void."""
        return self.debug.node(type_).tag == "DW_TAG_pointer_type" and led_to(self.debug, type_) == NO_NODE

    def _give(self, function: Origins, value: str, type_: int, to: Place | None) -> None:
        """A value becomes one of this type, in that place."""
        if self.debug.node(self.debug.strip(type_)).tag != "DW_TAG_pointer_type":
            return
        below = led_to(self.debug, type_)
        if below != NO_NODE:
            self._take(function, value, below if below in self.nodes or self._is_number(below) else _OTHERWISE)
        elif to is not None:
            for place in _all_places_of(function, value):
                self.goes_to.setdefault(place, set()).add(to)

    def _take(self, function: Origins, value: str, node: int) -> None:
        if value in function.body.made and not function.made(value, "alloca", "getelementptr"):
            for place in _all_places_of(function, value):
                self.seen.setdefault(place, set()).add(node)

    def _is_number(self, node: int) -> bool:
        """Whether this is a number of more than a byte."""
        found = self.debug.node(node)
        return found.kind == "DIBasicType" and found.number("size") in _BITS.values()

    def _of_address(self, made: Instruction) -> int:
        """What the pointer is taken for that an address is counted from."""
        struct = STRUCT.match(made.detail)
        first = made.operands[1].value
        is_elsewhere = is_constant(first) and int(first) != 0
        if struct is None:
            return _OTHERWISE if is_elsewhere else _number(made.detail)
        if is_elsewhere or struct[1] == NAMELESS:
            return _OTHERWISE
        return self.structs.get(struct[1], _OTHERWISE)


def _number(type_: str) -> int:
    """A number that is read, written or counted by, of which only IR is known."""
    return -_BITS[type_] if type_ in _BITS else _OTHERWISE


def led_to(debug: DebugInfo, type_: int) -> int:
    """What a pointer of this type leads to; NO_NODE for void, and for what is no pointer."""
    node = debug.node(debug.strip(type_))
    return debug.strip(node.reference("baseType")) if node.tag == "DW_TAG_pointer_type" else NO_NODE


def places_of(function: Origins, value: str) -> Iterator[Place]:
    """Where a value comes from, as far as something can be said of it."""
    yield from (each for each in _all_places_of(function, value) if not is_behind(each))


def _all_places_of(function: Origins, value: str) -> Iterator[Place]:
    """The same, with what pointers to pointers lead to."""
    for place in function.of(value):
        if place.kind is not PlaceKind.FIELD or not place.owner.startswith(NAMELESS):
            yield place


def member_at(debug: DebugInfo, structs: Mapping[str, int], place: Place) -> int:
    """The node of a member; NO_NODE where the struct is not known."""
    if place.kind is not PlaceKind.FIELD or place.owner not in structs:
        return NO_NODE
    elements = debug.node(debug.node(structs[place.owner]).reference("elements")).references
    for number in elements:
        node = debug.node(number)
        is_at = field_place(place.owner, node.number("offset") // 8) == place
        if is_at and node.tag == "DW_TAG_member" and "DIFlagBitField" not in node.text("flags"):
            return number
    return NO_NODE


def member_type(debug: DebugInfo, structs: Mapping[str, int], place: Place) -> int:
    """The type of a member; NO_NODE where the struct is not known."""
    number = member_at(debug, structs, place)
    return debug.node(number).reference("baseType") if number != NO_NODE else NO_NODE
