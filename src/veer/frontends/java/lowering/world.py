"""The closed world of an entry: the methods that it may reach, the classes that it may make, and what they look like.

Reached is what calls name, and of a virtual call each method that a class of the world has for it (rapid type
analysis). A method that is not lowered (native, or of a part of the JDK that veer does not follow) is a cut: a run that
comes to it ends as unsupported.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct, field

from veer.frontends.java.classfile.code import Instruction
from veer.frontends.java.classfile.constants import MemberRef, StringConstant
from veer.frontends.java.classfile.descriptors import class_of, is_reference
from veer.frontends.java.classfile.model import Access, ClassFile, FieldInfo, Method
from veer.frontends.java.classfile.opcodes import ELEMENT_TYPES
from veer.frontends.java.classpath.path import ClassPath
from veer.frontends.java.lowering import concatenation
from veer.frontends.java.lowering.cuts import (
    IMPLICIT,
    REPLACED,
    STRING_BOUNDS,
    STRING_CHECKS,
    has_initialiser,
    known_static,
    why_cut,
)
from veer.frontends.java.lowering.names import method_symbol
from veer.model.errors import UsageError

HEADER = 8
"""Bytes before an object's fields: the number of its class, and of the check that made it (exceptions)."""
LENGTH_AT, ELEMENTS_AT = 8, 16
"""Where an array has its length, and its elements."""
SIZES = {"Z": 1, "B": 1, "C": 2, "S": 2, "I": 4, "F": 4, "J": 8, "D": 8}
OBJECT, STRING, ASSERTION = "java/lang/Object", "java/lang/String", "java/lang/AssertionError"
_INHERITED = ("java/lang/Object", "java/lang/Cloneable", "java/io/Serializable")


class Reached(Struct, frozen=True):
    """A method of the world. `why_cut`: why it has no code here, or empty; `replacement`: code of veer's own."""

    owner: ClassFile
    method: Method
    symbol: str
    why_cut: str = ""
    replacement: str = ""


class World(Struct):
    """Grows from an entry; then `numbers` has each class, `methods` each method."""

    path: ClassPath
    methods: dict[tuple[str, str, str], Reached] = field(default_factory=dict)
    made: dict[str, None] = field(default_factory=dict)  # classes and arrays of which there may be objects
    initialised: dict[str, None] = field(default_factory=dict)  # classes with code before their first use
    named: dict[str, None] = field(default_factory=dict)  # classes that something is compared with
    calls: dict[tuple[str, str, str], None] = field(default_factory=dict)  # virtual: (owner, name, descriptor)
    statics: dict[tuple[str, str], FieldInfo] = field(default_factory=dict)
    _waiting: list[Reached] = field(default_factory=list)
    _above: dict[str, dict[str, None]] = field(default_factory=dict)

    def grow(self, owner: ClassFile, entry: Method, inputs: Iterable[str]) -> None:
        """Finds all that an entry may reach. `inputs`: types of which inputs are made."""
        for name in (*IMPLICIT, ASSERTION):
            self.make(name)
        for type_ in inputs:
            if is_reference(type_):
                self.make(class_of(type_))
            if class_of(type_) == STRING:
                self.make("[B")
        self.initialise(owner.name)
        self.reach(owner, entry)
        while self._waiting or self._dispatch():
            if self._waiting:
                self._scan(self._waiting.pop())

    def type(self, name: str) -> ClassFile:
        """A class. Raises UsageError when it is not there."""
        found = self.path.find(name)
        if found is None:
            raise UsageError(f"the class {name.replace('/', '.')} is neither on the class path nor in the Java runtime")
        return found

    def above(self, name: str) -> Iterable[str]:
        """A class or array type, and all that it is a subtype of; each once."""
        if name not in self._above:
            seen: dict[str, None] = {}
            waiting = [name]
            while waiting:
                one = waiting.pop()
                if one not in seen:
                    seen[one] = None
                    waiting += self._directly_above(one)
            self._above[name] = seen
        return self._above[name]

    def _directly_above(self, name: str) -> list[str]:
        if name.startswith("["):
            element = name[1:]
            if element.startswith("["):
                return [*(f"[{each}" for each in self._directly_above(element)), *_INHERITED]
            if element.startswith("L"):
                return [*(f"[L{each};" for each in self._directly_above(class_of(element))), *_INHERITED]
            return [*_INHERITED]
        found = self.type(name)
        return [*([found.above] if found.above else [OBJECT] if found.is_interface else []), *found.interfaces]

    def is_subtype(self, name: str, other: str) -> bool:
        """Whether objects of a class or array type may be cast to another one."""
        return other in self.above(name)

    def superclasses(self, name: str) -> Iterator[ClassFile]:
        """The class itself first; arrays are objects."""
        name = OBJECT if name.startswith("[") else name
        while name:
            found = self.type(name)
            yield found
            name = found.above

    def resolve(self, owner: str, name: str, descriptor: str) -> tuple[ClassFile, Method] | None:
        """The method that a class has by this name: its own, inherited, or an interface's default (JVMS 5.4.3.3)."""
        for each in self.superclasses(owner):
            if (found := each.method(name, descriptor)) is not None:
                return each, found
        fallback = None
        for above in self.above(owner):
            if above.startswith("["):
                continue
            each = self.type(above)
            found = each.method(name, descriptor) if each.is_interface else None
            if found is not None and not found.is_static:
                if Access.ABSTRACT not in found.access:
                    return each, found
                fallback = each, found
        return fallback

    def static_field(self, owner: str, name: str, descriptor: str) -> tuple[ClassFile, FieldInfo]:
        """Where a static field is declared. Raises UsageError when it is not there."""
        for above in self.above(owner):
            each = self.type(above)
            if (found := each.field(name, descriptor)) is not None and found.is_static:
                return each, found
        raise UsageError(f"{owner.replace('/', '.')} has no static field {name}")

    def reach(self, owner: ClassFile, method: Method) -> Reached:
        """Adds a method."""
        key = (owner.name, *method.key)
        if key not in self.methods:
            replacement = REPLACED.get(key, "")
            if (method.name, method.descriptor) in STRING_CHECKS and owner.name == STRING:
                self.make(STRING_BOUNDS)
            if replacement == "bytes":
                self.make("[B")
            why = "" if replacement else why_cut(self.path, self.superclasses, owner, method)
            self.methods[key] = Reached(owner, method, method_symbol(owner, method), why, replacement)
            if not why and not replacement:
                self._waiting.append(self.methods[key])
        return self.methods[key]

    def make(self, name: str) -> None:
        """There may be objects of this class or array type."""
        self.made.setdefault(name)

    def initialise(self, name: str, *, for_field: bool = False) -> None:
        """A class is used, so that its initialiser and those above it run before: of the runtime, where a static field
        is read."""
        if not for_field and not self.path.is_own(name):
            return
        for each in self.superclasses(name):
            if has_initialiser(self.path, each) and each.name not in self.initialised:
                self.initialised[each.name] = None
                initialiser = each.method("<clinit>", "()V")
                assert initialiser is not None
                self.reach(each, initialiser)

    def targets(self, owner: str, name: str, descriptor: str) -> dict[str, Reached]:
        """What a virtual call may run, by the class of the object."""
        found = {}
        for made in self.made:
            if self.is_subtype(made, owner):
                resolved = self.resolve(made, name, descriptor)
                if resolved is not None and Access.ABSTRACT not in resolved[1].access:
                    found[made] = self.reach(*resolved)
        return found

    def _dispatch(self) -> bool:
        """Adds what virtual calls may run by now; whether there was something new."""
        before = len(self.methods)
        for call in list(self.calls):
            self.targets(*call)
        return len(self.methods) > before

    def _scan(self, reached: Reached) -> None:
        code, pool = reached.method.code, reached.owner.pool
        assert code is not None
        for handler in code.handlers:
            if handler.caught:
                self.named.setdefault(handler.caught)
        for each in code.instructions:
            if each.name.startswith("invoke") and each.name != "invokedynamic":
                self._call(each, pool.member(each.number))
            elif each.name == "invokedynamic":
                self._concatenation(concatenation.members(reached.owner, each.number))
            elif each.name.startswith("ldc"):
                self._constant(pool.constant(each.number))
            elif each.name in ("getstatic", "putstatic"):
                self._static(pool.member(each.number))
            elif each.name == "newarray":
                self.make(f"[{ELEMENT_TYPES[each.number]}")
            elif each.name in ("new", "anewarray", "multianewarray", "checkcast", "instanceof"):
                self._use(each, pool.class_name(each.number))

    def _use(self, each: Instruction, name: str) -> None:
        if each.name in ("checkcast", "instanceof"):
            self.named.setdefault(name)
        elif each.name == "new":
            self.make(name)
            self.initialise(name)
        elif each.name == "anewarray":
            self.make(f"[{name}" if name.startswith("[") else f"[L{name};")
        else:
            for start in range(each.second):
                self.make(name[start:])

    def _concatenation(self, members: list[MemberRef]) -> None:
        for each in members:
            for name in (concatenation.BUILDER, STRING, "[B"):
                self.make(name)
            found = self.resolve(each.owner, each.name, each.descriptor)
            assert found is not None
            self.reach(*found)

    def _constant(self, constant: object) -> None:
        if isinstance(constant, StringConstant):
            self.make(STRING)
            self.make("[B")

    def _static(self, member: MemberRef) -> None:
        owner, found = self.static_field(member.owner, member.name, member.descriptor)
        if not self.path.is_own(owner.name) and known_static(owner.name, found.name) is not None:
            return
        self.statics.setdefault((owner.name, found.name), found)
        self._constant(found.constant)
        self.initialise(owner.name, for_field=True)

    def _call(self, each: Instruction, member: MemberRef) -> None:
        if each.name in ("invokevirtual", "invokeinterface"):
            self.calls.setdefault((member.owner, member.name, member.descriptor))
            return
        resolved = self.resolve(member.owner, member.name, member.descriptor)
        if resolved is None:
            raise UsageError(f"{member.owner.replace('/', '.')} has no method {member.name}{member.descriptor}")
        if each.name == "invokestatic":
            self.initialise(resolved[0].name)
        self.reach(*resolved)
