"""The types of inputs and results, in rows that name each other by number."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from msgspec import Struct

from veer.model.stubcalls import Passed
from veer.model.unitfacts import NAMELESS, struct_name


class Field(Struct, frozen=True):
    """A member of a struct or union: byte offset, type id; `const`: it keeps what it begins with."""

    name: str
    offset: int
    type: int
    const: bool = False


class BitField(Struct, frozen=True):
    """A bit-field of a struct: its first bit counted from the struct's start, its width in bits, the id of its type.

    Inputs are made of the bytes that hold it, which are fields without a name.
    """

    name: str
    position: int
    width: int
    type: int
    const: bool = False


class TypeKind(StrEnum):
    """What a type is made of."""

    UNSIGNED = "unsigned"
    SIGNED = "signed"
    BOOL = "bool"
    CHAR = "char"
    FLOAT = "float"
    POINTER = "pointer"
    STRUCT = "struct"
    UNION = "union"
    ARRAY = "array"
    OPAQUE = "opaque"


class ExtentKind(StrEnum):
    """What a pointer leads to."""

    ONE = "one"  # element
    STRING = "string"
    FIXED = "fixed"  # always as many elements as its maximum says
    LENGTH = "length"  # as many as an input says that is its length
    COUNT = "count"  # as many as an input of its own says
    FLEXIBLE = "flexible"  # a struct with a flexible array member
    FUNCTION = "function"
    NULL = "null"  # always
    END = "end"  # of a number in the place of a pointer: how far behind what `length` leads to, in elements
    OPEN = "open file"  # a stream; of an integer: a descriptor; `nullable`: or NULL, or -1


class BoundKind(StrEnum):
    """A bound of the inputs that veer sets, by the option that sets it otherwise."""

    LENGTH = "max-length"
    ARRAY = "max-array"
    DEPTH = "graph-depth"
    ARGUMENT = "argv-size"
    ARGUMENTS = "argc"
    INPUT = "stdin-size"
    FILE = "file-size"
    FILES = "input-files"
    READS = "register-reads"
    CALLS = "calls-before"  # none at first, then 1, 2, 4, ... (model/state.py)
    STATE = "free-state"  # not at first
    INTERRUPTS = "interrupt-calls"
    CLOCKS = "clocks"  # that tell times of their own at first, then any (docs/decisions/0434)
    LONGER = "longer-buffers"  # than a length says that nobody wrote down; not at first (docs/decisions/0436)


LENGTH, ELEMENTS, CLASS_MEMBER, ORDINAL = "length", "elements", "class", "ordinal"
"""Members of the rows of a language of objects: of arrays and collections; the number of the recipe that an object of
one of several classes is made by; of an enum's constant."""


class Recipe(Struct, frozen=True):
    """How tests make an object of a class, in a language of objects: a call that takes members of its row, then others
    that are set one by one.

    `type`: what a variable of it is declared as; `call`: before the arguments ("new Node"); none: the object of the
    class `binary` is made without a constructor. `sets`: (member, how): "next", an assignment; "setNext()", a call;
    "pkg.Node#next", by reflection. `later`: those of `given` that can be set as well, where the object has to be made
    before what they hold. `throws_at_null`: what nobody looked at of `given` is an empty text or array.
    `reads`: the call looks into what it is given, so that arrays and collections are filled before. `refuses`: it may
    throw where each number of `given` is 0 and each reference null.
    """

    type: str
    call: str = ""
    binary: str = ""
    given: tuple[str, ...] = ()
    sets: tuple[tuple[str, str], ...] = ()
    later: tuple[tuple[str, str], ...] = ()
    throws_at_null: bool = False
    reads: bool = False
    refuses: bool = False


class Type(Struct, frozen=True):
    """A type by id; `size` in bytes."""

    id: int
    kind: TypeKind
    name: str  # as the source writes it, e.g. "struct cell *"
    size: int
    alignment: int = 1
    target: int = -1  # pointer, array
    # array: elements; union: how many of `fields` become inputs, the others share their bytes;
    # pointer with extent length: NULL elements behind those that the length counts (argv[argc])
    count: int = 0
    fields: tuple[Field, ...] = ()
    enumerators: tuple[tuple[str, int], ...] = ()
    extent: ExtentKind = ExtentKind.ONE  # pointer
    maximum: int = 0  # pointer: most elements (string: characters before the NUL)
    length: str = ""  # pointer with extent length: the root that holds the count; flexible: the member, or none;
    # extent end: the parameter that it is counted from
    nullable: bool = True
    const: bool = False  # pointer: the target is const
    callback: str = ""  # pointer with extent function: what the function is called that stands for all
    returns: int = -1  # pointer with extent function: type id of its result, -1 = void
    passed: tuple[Passed, ...] = ()  # the same: its parameters, up to one that comes in no register of its own
    minimum: int = 0  # integer that is a length or has a range: its least value, with `maximum`
    is_ranged: bool = False  # integer: minimum .. maximum holds even where both are 0
    bits: tuple[BitField, ...] = ()  # struct: its bit-fields that have a name
    initialiser: str = ""  # struct: the user's function that is called for each new input object of this type
    bound: BoundKind | None = None  # what decides `maximum`; None: the source does, or a bound of one parameter's own
    is_partial: bool = False  # struct, array: of what there is already; `fields` lack those that are const
    is_guess: bool = False  # pointer with extent length: nobody wrote the length down, so there may be more elements
    is_taken: bool = False  # pointer: declared as one to void, and the code takes it for one to this
    # pointer to a part of a larger object, which `target` is: so many bytes from its beginning; the type id of what
    # it is declared to lead to, -1 for all others
    inside: int = 0
    declared: int = -1
    is_value: bool = False  # pointer: what it leads to never changes, and callers may give one such object twice
    # pointer with extent end: how many bytes from it the pointer lies that it is counted from; the same and length:
    # where the member lies that says how many elements there are, 0 = itself, or none is a member
    start: int = 0
    end: int = 0
    recipes: tuple[
        Recipe, ...
    ] = ()  # struct: how objects are made, by the value of its member `class` where there is one


ARGUMENT = "union veer_argument"
"""The name of the type of what a va_list leads to: an argument, in eight bytes (docs/decisions/0447)."""
ARGUMENT_LIST = f"{ARGUMENT} *"
"""The name of the type of such a parameter: a pointer to the arguments, in the place of the list."""
ANY_POINTER = "void *"
"""The name of the type of a pointer to arrays of variable length: `int (*a)[m]` can be written where `m` is known."""
SCALAR_KINDS = frozenset((TypeKind.SIGNED, TypeKind.UNSIGNED, TypeKind.BOOL, TypeKind.CHAR, TypeKind.FLOAT))
"""The kinds of numbers."""


def struct_behind(types: Sequence[Type], identity: int) -> str:
    """The name of the struct that a pointer of this type leads to, as it is declared; "" for none, and for one that is
    always NULL."""
    row = types[identity] if 0 <= identity < len(types) else None
    if row is None or row.kind is not TypeKind.POINTER or row.target < 0 or row.extent is ExtentKind.NULL:
        return ""
    target = types[row.declared if row.declared >= 0 else row.target]
    name = struct_name(target.name) if target.kind in (TypeKind.STRUCT, TypeKind.OPAQUE) else NAMELESS
    return "" if name == NAMELESS else name


def struct_delivered(types: Sequence[Type], identity: int) -> str:
    """The name of the struct whose pointer can be stored behind a pointer of this type: `T` of `T **`; "" for none."""
    row = types[identity] if 0 <= identity < len(types) else None
    if row is None or row.kind is not TypeKind.POINTER or row.extent is ExtentKind.NULL:
        return ""
    return struct_behind(types, row.target)
