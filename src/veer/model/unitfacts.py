"""What the code of a whole unit shows of the values that it keeps: what it tests for NULL, what it stores where.

ring_t.head     stored: 0 .. 15         r->head = (r->head + 1u) % 16;
node.next       tested                  while (n) { ... n = n->next; }
list_find.head  a parameter             tested: while (head && ...)
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class PlaceKind(StrEnum):
    """What holds a value."""

    FIELD = "field"
    PARAMETER = "parameter"
    RESULT = "result"


class Place(Struct, frozen=True, order=True):
    """Where values are kept, whatever the object.

    FIELD      `owner`: the struct's name without `struct`; `member`: the field's byte offset in it, as a number
    PARAMETER  `owner`: the function; `member`: its name
    RESULT     `owner`: a function that is called
    """

    kind: PlaceKind
    owner: str
    member: str = ""


NAMELESS = "anon"
"""What LLVM calls a struct without a name."""
_NO_NAMES = ("struct", "union")
"""What the source calls one."""


def struct_name(name: str) -> str:
    """The name of a struct type, as places have it."""
    bare = name.removeprefix("struct ")
    is_named = all(each.isidentifier() for each in bare.split("."))  # a class has its package before it
    return bare if is_named and bare not in _NO_NAMES else NAMELESS


def field_place(struct: str, offset: int) -> Place:
    """A field of a struct or union; `struct` may be written as in C."""
    return Place(PlaceKind.FIELD, struct.removeprefix("struct ").removeprefix("union "), str(offset))


def parameter_place(function: str, name: str) -> Place:
    """A parameter."""
    return Place(PlaceKind.PARAMETER, function, name)


def result_place(function: str) -> Place:
    """What a function returns."""
    return Place(PlaceKind.RESULT, function)


def behind(place: Place) -> Place:
    """What a pointer leads to where that is no struct: `*out`."""
    return Place(place.kind, place.owner, f"*{place.member}")


def is_behind(place: Place) -> bool:
    """Whether a place is what a pointer leads to: `*out`."""
    return place.member.startswith("*")


class Stored(Struct, frozen=True):
    """The numbers that the unit's functions store in a field, or pass for a parameter, if only these: low .. high."""

    place: Place
    low: int
    high: int


class Demand(Struct, frozen=True):
    """Assertions on one line of a function's head: the parameters that they are about.

    `reads_memory`: and what they lead to, or other things than parameters; `has_sums`: it asks of sums or products.
    """

    function: str
    line: int
    parameters: frozenset[str]
    reads_memory: bool = False
    has_sums: bool = False


class HandedOn(Struct, frozen=True):
    """A call on one line: the function's parameters that are the caller's as they came, which it never looks at.

    `parameters`: the function's, each with the caller's; `is_first`: the caller does nothing before but assert.
    """

    caller: str
    line: int
    function: str
    parameters: tuple[tuple[str, str], ...]
    is_first: bool = False


class UnitFacts(Struct, frozen=True):
    """What the unit's code shows. A pointer that stands nowhere is never tested, a number that does is plain data.

    tested      pointers that some function compares with NULL, or that may be NULL by a contract
    nullable    those of them that may be NULL by a contract
    declared    pointers whose length stands in the source or is the user's word
    bounded     numbers that a function compares with something
    texts       pointers to characters that a function looks at one by one, or gives to the library as a text
    ended       those of them behind which a 0 is looked for
    stored      what numbers a field holds
    passed      what numbers all calls in the unit pass for a parameter, if they are constants
    same        pairs of pointers that the code compares with each other, or sets to one object
    back        pairs of fields of which the second one leads back: `a->next = b; b->prev = a`
    embedded    pointers that the code moves back by a constant, as to the object that theirs is a part of, and fields
                that it only sets to addresses of elements
    circular    fields that the code sets to their own object, or walks along until it is where it began
    sizes       numbers that the code compares with other numbers than constants, counts elements by, or gives as sizes
    indices     those of them that count elements: below the number of these, where others reach it
    counts      parameters that are the length of a buffer and called so, or have no sign and are compared: how many
                elements it has, and not which one
    capacities  those of them whose names count the room for a NUL, too: `size`, but not `length`
    spans       pairs of pointers that the code compares with each other or subtracts, whatever is added to them
    touched     members that hold pointers at which the code reads or writes, or behind which, as they are
    checks      functions, each with the numbers that it compares itself, but for equality with a constant, and the
                pointers that it compares with NULL
    ordered     functions, each with the numbers that it compares by order as they are: `n < 16`, not `8 + n < 16`
    floors      numbers that the code tells from those below 0
    tops        numbers that the code compares by order with constants alone, each with the greatest of these
    ranged      numbers of which the code takes a remainder or some bits, so that it expects any of them
    kept        pairs of a pointer and a field of its struct that is set wherever the pointer becomes NULL
    streams     pointers that are given to the library as open files
    gives       functions, each with those of them that it gives to the library itself
    formats     texts that are given to the library as formats of arguments that callers pass
    asserted    functions, each with the lines of the assertions that it begins with
    assertions  functions, each with the lines of all its assertions, wherever they stand
    demands     what these assertions are about
    handed_on   calls that are given the caller's parameters as they came
    handed      functions whose address goes nowhere but to functions of the unit, which call them and do not keep them
    addresses   numbers that the code takes as addresses
    unset       function, line and the global variable that is followed there, which only another source can set
    awaited     function, line, the variable whose pointer is followed there, and the functions that set it: it is NULL
                until one of them was called, and only then
    state       functions, each with the static and global variables that it reads and that others may have written
    writes      functions, each with the fields that it stores to itself
    clears      functions, each with the fields that it sets to NULL, and its parameters that it fills with zeros
    shared      structs of variables that other sources can set, as places name them
    begins      parameters that lead to a struct that the function writes to before it reads any of it
    ends        functions behind which the object that they are given is no more
    states      numbers behind parameters that a function reads and sets
    steps       parameters that the code goes along in blocks of so many
    internal    functions that are not static and that no header of the project names, although it names others
    delivers    parameters behind which the function stores a pointer, and never reads one: `T **out`
    made_by_calls: whether callers can make each object of the inputs, by calls and assignments, in a language where
                every object knows its length
    alike       types of inputs whose objects are all of one class in a call: the bounds of type variables
    """

    tested: frozenset[Place] = frozenset()
    nullable: frozenset[Place] = frozenset()
    declared: frozenset[Place] = frozenset()
    bounded: frozenset[Place] = frozenset()
    texts: frozenset[Place] = frozenset()
    ended: frozenset[Place] = frozenset()
    stored: tuple[Stored, ...] = ()
    passed: tuple[Stored, ...] = ()
    same: frozenset[tuple[Place, Place]] = frozenset()
    back: frozenset[tuple[Place, Place]] = frozenset()
    embedded: frozenset[Place] = frozenset()
    circular: frozenset[Place] = frozenset()
    sizes: frozenset[Place] = frozenset()
    indices: frozenset[Place] = frozenset()
    counts: frozenset[Place] = frozenset()
    capacities: frozenset[Place] = frozenset()
    spans: frozenset[tuple[Place, Place]] = frozenset()
    touched: frozenset[Place] = frozenset()
    checks: tuple[tuple[str, frozenset[Place]], ...] = ()
    ordered: tuple[tuple[str, frozenset[Place]], ...] = ()
    floors: frozenset[Place] = frozenset()
    tops: tuple[tuple[Place, int], ...] = ()
    ranged: frozenset[Place] = frozenset()
    kept: frozenset[tuple[Place, Place]] = frozenset()
    streams: frozenset[Place] = frozenset()
    gives: tuple[tuple[str, frozenset[Place]], ...] = ()
    formats: frozenset[Place] = frozenset()
    asserted: tuple[tuple[str, tuple[int, ...]], ...] = ()
    assertions: tuple[tuple[str, tuple[int, ...]], ...] = ()
    demands: tuple[Demand, ...] = ()
    handed_on: tuple[HandedOn, ...] = ()
    handed: frozenset[str] = frozenset()
    addresses: tuple[int, ...] = ()
    unset: tuple[tuple[str, int, str], ...] = ()
    awaited: tuple[tuple[str, int, str, tuple[str, ...]], ...] = ()
    state: tuple[tuple[str, tuple[str, ...]], ...] = ()
    writes: tuple[tuple[str, frozenset[Place]], ...] = ()
    clears: tuple[tuple[str, frozenset[Place]], ...] = ()
    shared: frozenset[str] = frozenset()
    begins: frozenset[Place] = frozenset()
    delivers: frozenset[Place] = frozenset()
    internal: frozenset[str] = frozenset()
    ends: frozenset[str] = frozenset()
    states: frozenset[Place] = frozenset()
    steps: tuple[tuple[Place, int], ...] = ()
    made_by_calls: bool = False
    alike: frozenset[str] = frozenset()

    def are_same(self, one: Place, other: Place) -> bool:
        """Whether the code lets both lead to one object."""
        return (one, other) in self.same or (other, one) in self.same

    def are_span(self, one: Place, other: Place) -> bool:
        """Whether the code takes one of them for the end of what the other leads to."""
        return (one, other) in self.spans or (other, one) in self.spans
