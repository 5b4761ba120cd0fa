"""Bytes of a class file → a ClassFile. Attributes that veer has no use for are stepped over."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from msgspec import Struct, field

from veer.frontends.java.classfile.bytereader import ByteReader, ClassFormatError
from veer.frontends.java.classfile.code import decoded
from veer.frontends.java.classfile.constants import ConstantPool, Loadable, MethodHandle
from veer.frontends.java.classfile.descriptors import method_types
from veer.frontends.java.classfile.model import (
    Access,
    Bootstrap,
    ClassFile,
    Code,
    FieldInfo,
    Handler,
    LocalVariable,
    Method,
)

Value = TypeVar("Value")
Attributes = dict[str, ByteReader]
_MAGIC = 0xCAFEBABE
_OLDEST, _NEWEST = 45, 69
"""Versions of the format: those of Java 1.1 and Java 25."""
_JAVA_OF_VERSION = 44


def parsed(data: bytes) -> ClassFile:
    """The class of these bytes. Raises ClassFormatError, whose text begins with "it"."""
    reader = ByteReader(data)
    if len(data) < 4 or reader.u4() != _MAGIC:
        raise ClassFormatError("it does not begin as a class file does")
    reader.u2()
    version = reader.u2()
    if not _OLDEST <= version <= _NEWEST:
        raise ClassFormatError(
            f"it is of version {version} (Java {version - _JAVA_OF_VERSION}); veer reads those up to "
            f"Java {_NEWEST - _JAVA_OF_VERSION}"
        )
    return _class(reader, version, ConstantPool(reader))


def _class(reader: ByteReader, version: int, pool: ConstantPool) -> ClassFile:
    access, name, above = Access(reader.u2()), pool.class_name(reader.u2()), pool.optional_class(reader.u2())
    interfaces = _many(reader, lambda: pool.class_name(reader.u2()))
    fields = _many(reader, lambda: _field(reader, pool))
    methods = _many(reader, lambda: _method(reader, pool))
    rest = _Rest(pool)
    rest.read(_attributes(reader, pool))
    return ClassFile(
        *(name, version, access, above, interfaces, fields, methods, pool, rest.source, rest.signature),
        *(rest.bootstraps, rest.record, rest.permitted, rest.inner),
    )


class _Rest(Struct):
    """What a class's attributes say."""

    pool: ConstantPool
    source: str = ""
    signature: str = ""
    bootstraps: tuple[Bootstrap, ...] = ()
    record: tuple[tuple[str, str], ...] | None = None
    permitted: tuple[str, ...] = ()
    inner: dict[str, Access] = field(default_factory=dict)

    def read(self, found: Attributes) -> None:
        """Takes what is known of them."""
        pool = self.pool
        if (reader := found.get("SourceFile")) is not None:
            self.source = pool.utf8(reader.u2())
        if (reader := found.get("Signature")) is not None:
            self.signature = pool.utf8(reader.u2())
        if (reader := found.get("BootstrapMethods")) is not None:
            self.bootstraps = _many(reader, lambda reader=reader: _bootstrap(reader, pool))  # type: ignore[misc]
        if (reader := found.get("Record")) is not None:
            self.record = _many(reader, lambda reader=reader: _component(reader, pool))  # type: ignore[misc]
        if (reader := found.get("PermittedSubclasses")) is not None:
            self.permitted = _many(reader, lambda reader=reader: pool.class_name(reader.u2()))  # type: ignore[misc]
        if (reader := found.get("InnerClasses")) is not None:
            for _ in range(reader.u2()):
                name = pool.class_name(reader.u2())
                reader.take(4)
                self.inner[name] = Access(reader.u2())


def _field(reader: ByteReader, pool: ConstantPool) -> FieldInfo:
    access, name, descriptor = Access(reader.u2()), pool.utf8(reader.u2()), pool.utf8(reader.u2())
    found = _attributes(reader, pool)
    constant: Loadable | None = None
    if "ConstantValue" in found:
        constant = pool.constant(found["ConstantValue"].u2())
    return FieldInfo(name, descriptor, access, constant, _text(found, "Signature", pool))


def _method(reader: ByteReader, pool: ConstantPool) -> Method:
    access, name, descriptor = Access(reader.u2()), pool.utf8(reader.u2()), pool.utf8(reader.u2())
    method_types(descriptor)  # raises where it is none
    found = _attributes(reader, pool)
    code = _code(found["Code"], pool) if "Code" in found else None
    declared: tuple[str, ...] = ()
    if (thrown := found.get("Exceptions")) is not None:
        declared = _many(thrown, lambda: pool.class_name(thrown.u2()))
    names: tuple[str, ...] = ()
    if (parameters := found.get("MethodParameters")) is not None:
        names = tuple(_parameter(parameters, pool) for _ in range(parameters.u1()))
    return Method(name, descriptor, access, code, _text(found, "Signature", pool), declared, names)


def _parameter(reader: ByteReader, pool: ConstantPool) -> str:
    name = pool.optional_utf8(reader.u2())
    reader.u2()
    return name


def _code(reader: ByteReader, pool: ConstantPool) -> Code:
    max_stack, max_locals = reader.u2(), reader.u2()
    raw = reader.take(reader.u4())
    handlers = _many(reader, lambda: _handler(reader, pool))
    lines: list[tuple[int, int]] = []
    variables: list[LocalVariable] = []
    frames = b""
    # Lines and variables may stand in several attributes of the same name.
    for name, part in _each_attribute(reader, pool):
        if name == "LineNumberTable":
            lines += _many(part, lambda part=part: (part.u2(), part.u2()))  # type: ignore[misc]
        elif name == "LocalVariableTable":
            variables += _many(part, lambda part=part: _variable(part, pool))  # type: ignore[misc]
        elif name == "StackMapTable":
            frames = part.take(part.end - part.at)
    return Code(
        *(max_stack, max_locals, raw, decoded(raw), handlers, tuple(sorted(lines, key=lambda each: each[0]))),
        *(tuple(variables), frames),
    )


def _handler(reader: ByteReader, pool: ConstantPool) -> Handler:
    start, end, target = reader.u2(), reader.u2(), reader.u2()
    return Handler(start, end, target, pool.optional_class(reader.u2()))


def _variable(reader: ByteReader, pool: ConstantPool) -> LocalVariable:
    start, length = reader.u2(), reader.u2()
    name, type_ = pool.utf8(reader.u2()), pool.utf8(reader.u2())
    return LocalVariable(name, type_, reader.u2(), start, start + length)


def _bootstrap(reader: ByteReader, pool: ConstantPool) -> Bootstrap:
    method = pool.constant(reader.u2())
    if not isinstance(method, MethodHandle):
        raise ClassFormatError("one of its bootstrap methods is no method handle")
    return Bootstrap(method, _many(reader, lambda: pool.constant(reader.u2())))


def _component(reader: ByteReader, pool: ConstantPool) -> tuple[str, str]:
    name, type_ = pool.utf8(reader.u2()), pool.utf8(reader.u2())
    _attributes(reader, pool)
    return name, type_


def _text(found: Attributes, name: str, pool: ConstantPool) -> str:
    return pool.utf8(found[name].u2()) if name in found else ""


def _attributes(reader: ByteReader, pool: ConstantPool) -> Attributes:
    return dict(_each_attribute(reader, pool))


def _each_attribute(reader: ByteReader, pool: ConstantPool) -> tuple[tuple[str, ByteReader], ...]:
    return _many(reader, lambda: (pool.utf8(reader.u2()), reader.part(reader.u4())))


def _many(reader: ByteReader, one: Callable[[], Value]) -> tuple[Value, ...]:
    """So many values as two bytes say."""
    return tuple(one() for _ in range(reader.u2()))
