"""What an input of a reference type is made of, as values.

String          TEXT                characters
Integer         BOX                 a number
enum Color      CONSTANT            one of its constants
int[], Node[]   ARRAY               elements
ArrayList       LIST                elements, as the class keeps them
TreeMap         COLLECTION          elements, put in by its own operations
Node            OBJECT              one of the candidates: classes that fit
"""

from __future__ import annotations

from enum import Enum, auto

from msgspec import Struct, field

from veer.frontends.java.classfile.model import Method
from veer.frontends.java.shapes.generics import Generic
from veer.model.types import Recipe


class Kind(Enum):
    """What a shape is."""

    TEXT = auto()
    BOX = auto()
    CONSTANT = auto()
    ARRAY = auto()
    LIST = auto()
    COLLECTION = auto()
    OBJECT = auto()


class Slot(Struct, frozen=True):
    """An input within an object: a field, by the class that declares it, or what a constructor takes."""

    name: str
    type: Generic
    owner: str = ""
    is_made: bool = True  # False: veer makes no values of its type; it is null


class Candidate(Struct, frozen=True):
    """A class that objects may be of. `constructor`: what makes them of the slots, or a static method that returns one;
    None: the slots are fields."""

    name: str
    slots: tuple[Slot, ...]
    recipe: Recipe
    constructor: Method | None = None
    letter: str = ""  # of a box: the type of its number
    sees_statics: bool = False  # the constructor looks at static fields, or sets them: when it runs matters
    stub: str = ""  # of an interface with results of its own: its name, and letters for its methods (stubs.py)


class Shape(Struct, frozen=True):
    """An input of a reference type.

    `element`: of ARRAY, LIST and COLLECTION; `second`: the values of a map; `constants`: names of an enum's;
    `owner`: the class of CONSTANT, LIST, COLLECTION; `bounds`: what is left out, in words.
    """

    kind: Kind
    type: Generic
    element: Generic | None = None
    second: Generic | None = None
    owner: str = ""
    constants: tuple[str, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    bounds: tuple[str, ...] = ()
    recipe: Recipe | None = None


class Shared(Struct):
    """What is the same for all classes of a package, whose entries are listed together: what hangs neither on the
    entry's class nor on types that were being looked at meanwhile, and taken to be made."""

    shapes: dict[str, Shape] = field(default_factory=dict)
    candidates: dict[tuple[str, ...], Candidate] = field(default_factory=dict)
