"""The closed world of an entry: the methods that it may reach, the classes that it may make, and what they look like.

Reached is what calls name, and of a virtual call each method that a class of the world has for it (rapid type
analysis). A method that is not lowered (native, or of a part of the JDK that veer does not follow) is a cut: a run that
comes to it ends as unsupported.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct, field

from veer.frontends.java.classfile.code import Instruction
from veer.frontends.java.classfile.constants import ClassRef, MemberRef
from veer.frontends.java.classfile.descriptors import class_of, is_reference
from veer.frontends.java.classfile.model import Access, ClassFile, Code, FieldInfo, Method
from veer.frontends.java.classfile.opcodes import ELEMENT_TYPES
from veer.frontends.java.classpath.path import ClassPath
from veer.frontends.java.core import in_place_of
from veer.frontends.java.lowering import concatenation
from veer.frontends.java.lowering.callsites import CallSite, call_site
from veer.frontends.java.lowering.cuts import (
    BY_LIBM,
    ENUM_CONSTANTS,
    IMPLICIT,
    REPLACED,
    STRING_BOUNDS,
    STRING_CHECKS,
    has_initialiser,
    known_static,
    why_cut,
)
from veer.frontends.java.lowering.living import living
from veer.frontends.java.lowering.names import method_symbol
from veer.frontends.java.lowering.specialised import specialised
from veer.model.errors import UsageError
from veer.model.values import replace

HEADER = 8
"""Bytes before an object's fields: the number of its class, and of the check that made it (exceptions)."""
LENGTH_AT, ELEMENTS_AT = 8, 16
"""Where an array has its length, and its elements."""
SIZES = {"Z": 1, "B": 1, "C": 2, "S": 2, "I": 4, "F": 4, "J": 8, "D": 8}
OBJECT, STRING, ASSERTION = "java/lang/Object", "java/lang/String", "java/lang/AssertionError"
CLASS, ENUM = "java/lang/Class", "java/lang/Enum"
PRIMITIVE = "veer/Primitive$"
PRIMITIVES = {
    **{f"{PRIMITIVE}Z": "boolean", f"{PRIMITIVE}B": "byte", f"{PRIMITIVE}C": "char", f"{PRIMITIVE}S": "short"},
    **{f"{PRIMITIVE}I": "int", f"{PRIMITIVE}J": "long", f"{PRIMITIVE}F": "float", f"{PRIMITIVE}D": "double"},
    f"{PRIMITIVE}V": "void",
}
"""Classes that stand for those of numbers, by what these are called."""
_BOXES = ("Boolean", "Byte", "Character", "Short", "Integer", "Long", "Float", "Double", "Void")
_TYPES = {f"java/lang/{box}": name for box, name in zip(_BOXES, PRIMITIVES, strict=True)}
INPUTS, OBJECTS = "veer/Inputs", "[Ljava/lang/Object;"
ERROR = "java/lang/Error"
FAILED = ("java/lang/ExceptionInInitializerError", "(Ljava/lang/Throwable;)V")
BROKEN = ("java/lang/NoClassDefFoundError", "(Ljava/lang/String;)V")
"""What is thrown where a class of the user's cannot be initialised, and where it could not: constructors."""
_INHERITED = ("java/lang/Object", "java/lang/Cloneable", "java/io/Serializable")


class Reached(Struct, frozen=True):
    """A method of the world. `why_cut`: why it has no code here, or empty; `replacement`: code of veer's own."""

    owner: ClassFile
    method: Method
    symbol: str
    why_cut: str = ""
    replacement: str = ""


def primitive_class(owner: str, found: FieldInfo) -> str:
    """The class that stands for int.class, where this field is Integer.TYPE, or one of its kin; else empty."""
    return _TYPES.get(owner, "") if found.name == "TYPE" and found.descriptor == f"L{CLASS};" else ""


class World(Struct):
    """Grows from an entry; then `numbers` has each class, `methods` each method."""

    path: ClassPath
    methods: dict[tuple[str, str, str], Reached] = field(default_factory=dict)
    made: dict[str, None] = field(default_factory=dict)  # classes and arrays of which there may be objects
    initialised: dict[str, None] = field(default_factory=dict)  # classes with code before their first use
    named: dict[str, None] = field(default_factory=dict)  # classes that something is compared with
    calls: dict[tuple[str, str, str], None] = field(default_factory=dict)  # virtual: (owner, name, descriptor)
    statics: dict[tuple[str, str], FieldInfo] = field(default_factory=dict)
    class_constants: dict[str, None] = field(default_factory=dict)  # what `X.class` names
    spread: dict[str, None] = field(default_factory=dict)  # classes whose fields lie where no other's of these do
    copied: dict[str, None] = field(default_factory=dict)  # enums of whose constants inputs are copies
    has_twins: bool = False  # two objects that are inputs may be one on the JVM: boxes, constants
    _waiting: list[Reached] = field(default_factory=list)
    _above: dict[str, dict[str, None]] = field(default_factory=dict)
    _sites: dict[tuple[str, int], CallSite | None] = field(default_factory=dict)

    def grow(self, owner: ClassFile, entry: Method, inputs: Iterable[str]) -> None:
        """Finds all that an entry may reach. `inputs`: types of which inputs are made."""
        for name in (*IMPLICIT, ASSERTION, STRING, "[B"):
            self.make(name)
        for type_ in inputs:
            if is_reference(type_):
                self.make(class_of(type_))
            if class_of(type_) == STRING:
                self.make("[B")
        self.initialise(owner.name)
        self.reach(owner, entry)
        self.close()

    def close(self) -> None:
        """Finds all that what was added may reach."""
        while self._waiting or self._dispatch():
            if self._waiting:
                self._scan(self._waiting.pop())

    def static(self, owner: ClassFile, found: FieldInfo) -> None:
        """A static field is looked at."""
        self.statics.setdefault((owner.name, found.name), found)
        self.initialise(owner.name, for_field=True)

    def type(self, name: str) -> ClassFile:
        """A class. Raises UsageError when it is not there."""
        found = self.path.find(name)
        if found is None:
            raise UsageError(
                f"the class {name.replace('/', '.')} is not on the class path (--classpath) and not in the Java runtime"
            )
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

    def above_class(self, name: str) -> list[str]:
        """The superclasses of a class or array type, without itself; of interfaces and primitive types none."""
        if name.startswith("["):
            return [OBJECT]
        if name in PRIMITIVES or (len(name) == 1 and self.path.find(name) is None) or self.type(name).is_interface:
            return []
        return [each.name for each in self.superclasses(name)][1:]

    def resolve(self, owner: str, name: str, descriptor: str) -> tuple[ClassFile, Method] | None:
        """The method that a class has by this name: its own, inherited, or an interface's default (JVMS 5.4.3.3)."""
        for each in self.superclasses(owner):
            if (found := each.method(name, descriptor)) is not None:
                return each, found
        candidates: list[tuple[ClassFile, Method]] = []
        for above in self.above(owner):
            if above.startswith("["):
                continue
            each = self.type(above)
            found = each.method(name, descriptor) if each.is_interface else None
            if found is not None and not found.is_static:
                candidates.append((each, found))
        least = [
            one
            for one in candidates
            if not any(other[0] is not one[0] and self.is_subtype(other[0].name, one[0].name) for other in candidates)
        ]
        concrete = [one for one in least if Access.ABSTRACT not in one[1].access]
        return next(iter(concrete or least), None)

    def fixed(self, owner: str, name: str, descriptor: str) -> tuple[ClassFile, Method] | None:
        """The method that a virtual call runs whatever the object is: a private one, a final one, or none such."""
        found = self.resolve(owner, name, descriptor)
        if found is None or Access.ABSTRACT in found[1].access:
            return None
        is_final = (Access.PRIVATE | Access.FINAL) & found[1].access or Access.FINAL in found[0].access
        if is_final or (not owner.startswith("[") and Access.FINAL in self.type(owner).access):
            return found
        return None

    def site(self, owner: ClassFile, number: int) -> CallSite | None:
        """The code of a call site that is no concatenation; None where veer has none."""
        key = owner.name, number
        if key not in self._sites:
            found = self._sites[key] = call_site(owner, number)
            if found is not None:
                self.path.add(found.made, owner.name)
        return self._sites[key]

    def static_field(self, owner: str, name: str, descriptor: str) -> tuple[ClassFile, FieldInfo]:
        """Where a static field is declared. Raises UsageError when it is not there."""
        if self.path.is_core(in_place_of(owner)):
            own = self.type(in_place_of(owner))
            for one in own.fields:
                if one.name == name and one.is_static:
                    return own, one
        for above in self.above(owner):
            each = self.type(above)
            if (found := each.field(name, descriptor)) is not None and found.is_static:
                return each, found
        raise UsageError(f"{owner.replace('/', '.')} has no static field {name}")

    def reach(self, owner: ClassFile, method: Method) -> Reached:
        """Adds a method, or what stands in its place."""
        owner, method = self._in_place(owner, method)
        key = (owner.name, *method.key)
        if key not in self.methods:
            is_replaced = key not in BY_LIBM or Access.NATIVE in method.access
            replacement = REPLACED.get(key, "") if is_replaced else ""
            if (method.name, method.descriptor) in STRING_CHECKS and owner.name == STRING:
                self.make(STRING_BOUNDS)
            why = "" if replacement else why_cut(self.path, self.superclasses, owner, method)
            if method.code is not None and not why and not replacement and not self.path.is_own(owner.name):
                code = living(method.code, owner.pool, known_static)
                method = method if code is method.code else replace(method, code=code)
            self.methods[key] = Reached(owner, method, method_symbol(owner, method), why, replacement)
            if replacement in ("of_object", "component"):
                self.make(CLASS)
            if replacement == "component":
                self.class_constants.update(dict.fromkeys(PRIMITIVES))
            if not why and not replacement:
                self._waiting.append(self.methods[key])
        return self.methods[key]

    def _in_place(self, owner: ClassFile, method: Method) -> tuple[ClassFile, Method]:
        """The method of veer's core that is lowered instead, or itself."""
        name = in_place_of(owner.name)
        if method.name == "<clinit>" or not self.path.is_core(name):
            return owner, method
        descriptor = method.descriptor if method.is_static else f"(L{owner.name};{method.descriptor[1:]}"
        found = self.type(name).method("init" if method.name == "<init>" else method.name, descriptor)
        return (self.type(name), found) if found is not None else (owner, method)

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
                if self.path.is_own(each.name):
                    self._may_fail()

    def _may_fail(self) -> None:
        """An initialiser of the user's may throw."""
        for name, descriptor in (FAILED, BROKEN):
            if name not in self.made:
                self.make(name)
                owner = self.type(name)
                constructor = owner.method("<init>", descriptor)
                assert constructor is not None
                self.reach(owner, constructor)

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
        if ENUM_CONSTANTS in self.methods:
            for name in (*self.class_constants, *self.made):
                self.enum_values(name)
        return len(self.methods) > before

    def enum_values(self, name: str) -> Reached | None:
        """What gives all constants of an enum; None for a class that is none."""
        found = self.type(name) if not name.startswith("[") else None
        if found is None or found.above != ENUM:
            return None
        values = found.method("values", f"()[L{name};")
        if values is None:
            return None
        self.initialise(name)
        return self.reach(found, values)

    def _scan(self, reached: Reached) -> None:
        try:
            self._look_at(reached)
        except UsageError as error:
            if reached.symbol in str(error):
                raise
            raise UsageError(f"{error} ({reached.symbol} in {reached.owner.source} needs it)") from error

    def _look_at(self, reached: Reached) -> None:
        code, pool = reached.method.code, reached.owner.pool
        assert code is not None
        for handler in code.handlers:
            if handler.caught:
                self.named.setdefault(handler.caught)
        for before, each in zip((None, *code.instructions), code.instructions, strict=False):
            if (instead := specialised(before, each, code, pool)) is not None:
                found = self.resolve(instead.owner, instead.name, instead.descriptor)
                assert found is not None
                self.reach(*found)
            elif each.name.startswith("invoke") and each.name != "invokedynamic":
                self._call(each, pool.member(each.number))
            elif each.name == "invokedynamic":
                self._dynamic(each, code, reached.owner)
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

    def _dynamic(self, each: Instruction, code: Code, owner: ClassFile) -> None:
        if concatenation.is_concatenation(owner, each.number):
            self._concatenation(concatenation.members(each, code, owner))
        elif (site := self.site(owner, each.number)) is not None:
            self.make(site.made.name)
            made = site.made.method(site.member.name, site.member.descriptor)
            assert made is not None
            self.reach(site.made, made)

    def _concatenation(self, members: list[MemberRef]) -> None:
        for each in members:
            for name in (concatenation.BUILDER, STRING, "[B"):
                self.make(name)
            found = self.resolve(each.owner, each.name, each.descriptor)
            assert found is not None
            self.reach(*found)

    def _constant(self, constant: object) -> None:
        if isinstance(constant, ClassRef):
            self.class_constants.setdefault(constant.name)
            self.make(CLASS)

    def _static(self, member: MemberRef) -> None:
        owner, found = self.static_field(member.owner, member.name, member.descriptor)
        if primitive := primitive_class(owner.name, found):
            self.class_constants.setdefault(primitive)
            self.make(CLASS)
            return
        if not self.path.is_own(owner.name) and known_static(owner.name, found.name) is not None:
            return
        self.statics.setdefault((owner.name, found.name), found)
        self._constant(found.constant)
        self.initialise(owner.name, for_field=True)

    def _call(self, each: Instruction, member: MemberRef) -> None:
        if each.name in ("invokevirtual", "invokeinterface"):
            fixed = self.fixed(member.owner, member.name, member.descriptor)
            if fixed is not None:
                self.reach(*fixed)
            else:
                self.calls.setdefault((member.owner, member.name, member.descriptor))
            return
        resolved = self.resolve(member.owner, member.name, member.descriptor)
        if resolved is None:
            return  # refused where it is called
        if each.name == "invokestatic":
            self.initialise(resolved[0].name)
        self.reach(*resolved)
