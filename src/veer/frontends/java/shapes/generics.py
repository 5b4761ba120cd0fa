"""Generic types (JVMS 4.7.9.1): what type arguments say of elements and fields.

Ljava/util/List<Ljava/lang/Integer;>;   Generic("java/util/List", (Generic("java/lang/Integer"),))
[I                                      Generic("[", (Generic("I", is_primitive=True),))
LI;                                     Generic("I"), a class that is called I
TT;                                     what T stands for; its bound where nobody says it
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from msgspec import Struct

from veer.frontends.java.classfile.descriptors import words
from veer.frontends.java.classfile.model import ClassFile

OBJECT = "java/lang/Object"
_DEEPEST = 3
"""Arguments of arguments beyond this are left out: a class may name itself with ever longer ones."""


class Generic(Struct, frozen=True):
    """A type: a primitive one by its letter ("V": nothing), "[" with its element, or a class by its internal name, with
    what it is given for its variables."""

    name: str
    given: tuple[Generic, ...] = ()
    is_primitive: bool = False

    @property
    def descriptor(self) -> str:
        """The same without type arguments."""
        if self.name == "[":
            return f"[{self.given[0].descriptor}"
        return self.name if self.is_primitive else f"L{self.name};"

    @property
    def key(self) -> str:
        """A text for each type."""
        if self.is_primitive:
            return words(self.name)
        return f"{self.name}<{','.join(each.key for each in self.given)}>" if self.given else self.name

    @property
    def words(self) -> str:
        """As Java writes it, without packages."""
        return words(self.descriptor)


Environment = Mapping[str, Generic]
"""What type variables stand for."""


def of_descriptor(type_: str) -> Generic:
    """A type that says nothing of its arguments."""
    return _Reader(type_, {}).type(0)


def of_signature(signature: str, descriptor: str, known: Environment) -> Generic:
    """The type of a field or parameter: its signature where there is one that means the same."""
    if not signature:
        return of_descriptor(descriptor)
    found = _trimmed(_Reader(signature, known).type(0), _DEEPEST)
    return found if found.descriptor == descriptor else _narrowed(found, descriptor, signature)


def _narrowed(found: Generic, descriptor: str, signature: str) -> Generic:
    """A type variable that stands for something fits wherever its bound does."""
    return found if signature.lstrip("[").startswith("T") else of_descriptor(descriptor)


def parameter_types(signature: str, descriptors: tuple[str, ...], known: Environment) -> tuple[Generic, ...]:
    """The types of a method's parameters. Those that the compiler adds are in descriptors alone."""
    if not signature:
        return tuple(map(of_descriptor, descriptors))
    reader = _Reader(signature, known)
    reader.formals()
    found = reader.parameters()
    if len(found) != len(descriptors):
        return tuple(map(of_descriptor, descriptors))
    return tuple(_trimmed(each, _DEEPEST) for each in found)


def taken_for(signature: str, descriptors: tuple[str, ...], given: tuple[Generic, ...]) -> tuple[Generic, ...]:
    """The types of the parameters of a static method that returns an object with these arguments: `<T> Box<T> of(T)`
    takes a String for a Box<String>."""
    if not signature:
        return tuple(map(of_descriptor, descriptors))
    reader = _Reader(signature, {})
    reader.formals()
    marks = {name: Generic(name) for name in reader.known}
    result = _Reader(signature.partition(")")[2], marks).type(0).given
    reader.known.update((one.name, other) for one, other in zip(result, given, strict=False) if one.name in marks)
    found = reader.parameters()
    if len(found) != len(descriptors):
        return tuple(map(of_descriptor, descriptors))
    return tuple(_trimmed(each, _DEEPEST) for each in found)


def environment(signature: str, given: tuple[Generic, ...]) -> dict[str, Generic]:
    """What the type variables of a class stand for when it is given these arguments; their bounds without."""
    reader = _Reader(signature, {})
    reader.formals()
    names = list(reader.known)
    own = dict(reader.known)
    if len(given) == len(names):
        own.update(zip(names, given, strict=True))
    return own


def above(signature: str, known: Environment) -> tuple[Generic, ...]:
    """The superclass and the interfaces of a class with their arguments; nothing for one without a signature."""
    if not signature:
        return ()
    reader = _Reader(signature, known)
    reader.formals(keep=known)
    found = []
    while reader.at < len(reader.text):
        found.append(_trimmed(reader.type(0), _DEEPEST))
    return tuple(found)


def environments(chain: Sequence[ClassFile], known: Environment) -> dict[str, Environment]:
    """What type variables stand for in a class, and in those above it: each stands before its superclass."""
    found = {chain[0].name: known}
    for one, two in pairwise(chain):
        listed = above(one.signature, found[one.name])
        given = next((each.given for each in listed if each.name == two.name), ())
        found[two.name] = environment(two.signature, given)
    return found


def _trimmed(type_: Generic, depth: int, around: tuple[str, ...] = ()) -> Generic:
    """The type with arguments of arguments to a depth, and none of a class within itself (but of the runtime: a list of
    lists). Types that lead to each other are so many and no more: `class Chain<T> { Chain<List<T>> next; }`."""
    if not type_.given:
        return type_
    if type_.name == "[":
        return Generic("[", tuple(_trimmed(each, depth, around) for each in type_.given))
    is_own = not type_.name.startswith("java/")
    left = depth - 1 - is_own
    if left < 0 or type_.name in around:
        return Generic(type_.name)
    inner = (*around, type_.name) if is_own else around
    return Generic(type_.name, tuple(_trimmed(each, left, inner) for each in type_.given))


class _Reader:
    """Reads one signature. `known`: what variables stand for; `formals` adds those that it declares."""

    def __init__(self, text: str, known: Environment) -> None:
        self.text = text
        self.at = 0
        self.known = dict(known)

    def formals(self, keep: Environment | None = None) -> None:
        """`<T:Ljava/lang/Object;K::Ljava/lang/Comparable<TK;>;>`: each stands for its first bound."""
        if not self.text.startswith("<"):
            return
        self.at = 1
        while self.text[self.at] != ">":
            end = self.text.index(":", self.at)
            name = self.text[self.at : end]
            self.at = end
            self.known.setdefault(name, Generic(OBJECT))
            bounds = []
            while self.text[self.at] == ":":
                self.at += 1
                if self.text[self.at] not in ":>" and self.text[self.at] in "L[T":
                    bounds.append(self.type(1))
            if bounds and not (keep and name in keep):
                self.known[name] = Generic(bounds[0].name) if bounds[0].name != "[" else bounds[0]
        self.at += 1

    def parameters(self) -> list[Generic]:
        """`(TT;I)V`."""
        found = []
        self.at += 1
        while self.text[self.at] != ")":
            found.append(self.type(0))
        return found

    def type(self, depth: int) -> Generic:
        """The type that comes next."""
        letter = self.text[self.at]
        self.at += 1
        if letter == "[":
            return Generic("[", (self.type(depth),))
        if letter == "T":
            end = self.text.index(";", self.at)
            name, self.at = self.text[self.at : end], end + 1
            return self.known.get(name, Generic(OBJECT))
        return self._class(depth) if letter == "L" else Generic(letter, is_primitive=True)

    def _class(self, depth: int) -> Generic:
        name, given = "", list[Generic]()
        while True:
            letter = self.text[self.at]
            self.at += 1
            if letter == ";":
                return Generic(name, tuple(given) if depth < _DEEPEST else ())
            if letter == "<":
                given = self._arguments(depth)
            elif letter == ".":  # a class within a generic one
                name, given = f"{name}$", []
            else:
                name += letter

    def _arguments(self, depth: int) -> list[Generic]:
        found = []
        while self.text[self.at] != ">":
            letter = self.text[self.at]
            if letter in "*+-":
                self.at += 1
            found.append(Generic(OBJECT) if letter == "*" else self.type(depth + 1))
        self.at += 1
        return found
