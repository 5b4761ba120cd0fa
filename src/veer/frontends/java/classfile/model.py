"""A class file as values. Names are internal ones ("java/util/Map$Entry"), types are descriptors."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntFlag

from msgspec import Struct, field

from veer.frontends.java.classfile.code import Instruction
from veer.frontends.java.classfile.constants import ConstantPool, Loadable, MethodHandle


class Access(IntFlag):
    """Access flags. Some numbers mean one thing on a class and another on a member."""

    PUBLIC = 0x0001
    PRIVATE = 0x0002
    PROTECTED = 0x0004
    STATIC = 0x0008
    FINAL = 0x0010
    SYNCHRONIZED = 0x0020  # methods; of classes: SUPER
    BRIDGE = 0x0040  # methods; of fields: VOLATILE
    VARARGS = 0x0080  # methods; of fields: TRANSIENT
    NATIVE = 0x0100
    INTERFACE = 0x0200
    ABSTRACT = 0x0400
    STRICT = 0x0800
    SYNTHETIC = 0x1000
    ANNOTATION = 0x2000
    ENUM = 0x4000
    MODULE = 0x8000


class Handler(Struct, frozen=True):
    """An entry of an exception table: code from `start` to before `end`; `caught`: a class, "" for everything."""

    start: int
    end: int
    target: int
    caught: str


class LocalVariable(Struct, frozen=True):
    """A local variable of the source: it lies at `number` from `start` to before `end`."""

    name: str
    type: str
    number: int
    start: int
    end: int


class Code(Struct, frozen=True):
    """A method's code. `raw`: its bytes as the class file has them; `lines`: (offset, line), by offset; `frames`: the
    bytes of StackMapTable."""

    max_stack: int
    max_locals: int
    raw: bytes
    instructions: tuple[Instruction, ...]
    handlers: tuple[Handler, ...] = ()
    lines: tuple[tuple[int, int], ...] = ()
    variables: tuple[LocalVariable, ...] = ()
    frames: bytes = b""

    def line(self, at: int) -> int:
        """The source line of the instruction at an offset; 0 = not known."""
        found = 0
        for start, line in self.lines:
            if start > at:
                break
            found = line
        return found


class Method(Struct, frozen=True):
    """A method. `declared`: the classes that it says it throws; `parameter_names`: where MethodParameters has them."""

    name: str
    descriptor: str
    access: Access
    code: Code | None = None
    signature: str = ""
    declared: tuple[str, ...] = ()
    parameter_names: tuple[str, ...] = ()

    @property
    def is_static(self) -> bool:
        """Whether it is called without an object."""
        return Access.STATIC in self.access

    @property
    def key(self) -> tuple[str, str]:
        """What it is found by within its class."""
        return self.name, self.descriptor


class FieldInfo(Struct, frozen=True):
    """A field; `constant`: what a static field begins with, before any code runs."""

    name: str
    descriptor: str
    access: Access
    constant: Loadable | None = None
    signature: str = ""

    @property
    def is_static(self) -> bool:
        """Whether it belongs to the class."""
        return Access.STATIC in self.access


class Bootstrap(Struct, frozen=True):
    """An entry of BootstrapMethods: a method, and what it is given beside what the JVM gives it."""

    method: MethodHandle
    arguments: tuple[Loadable, ...]


class Nested(Struct, frozen=True):
    """A row of InnerClasses: how a nested class is declared. `is_member`: it is no local class, and has a name."""

    access: Access
    is_member: bool


class ClassFile(Struct, frozen=True):
    """A class. `version`: of its format, 52 = Java 8; `above`: its superclass, "" for java/lang/Object; `record`: name
    and type of each component, None where it is no record; `permitted`: subclasses of a sealed class."""

    name: str
    version: int
    access: Access
    above: str
    interfaces: tuple[str, ...]
    fields: tuple[FieldInfo, ...]
    methods: tuple[Method, ...]
    pool: ConstantPool
    source: str = ""
    signature: str = ""
    bootstraps: tuple[Bootstrap, ...] = ()
    record: tuple[tuple[str, str], ...] | None = None
    permitted: tuple[str, ...] = ()
    inner: Mapping[str, Nested] = field(default_factory=dict)

    @property
    def is_interface(self) -> bool:
        """Whether it is an interface."""
        return Access.INTERFACE in self.access

    def method(self, name: str, descriptor: str) -> Method | None:
        """The method that it declares itself."""
        return next((each for each in self.methods if each.name == name and each.descriptor == descriptor), None)

    def field(self, name: str, descriptor: str) -> FieldInfo | None:
        """The field that it declares itself."""
        return next((each for each in self.fields if each.name == name and each.descriptor == descriptor), None)
