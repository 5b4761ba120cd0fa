"""Bytes of a class file → a ClassFile. Attributes that veer has no use for are stepped over."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

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
    Nested,
)

Value = TypeVar("Value")
Attributes = dict[str, ByteReader]
Decoders = Mapping[str, tuple[str, Callable[[ByteReader, ConstantPool], object]]]
"""Attribute -> the field that holds it, and what reads it."""
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
    known = _known(_attributes(reader, pool), _CLASS_ATTRIBUTES, pool)
    return ClassFile(name, version, access, above, interfaces, fields, methods, pool, **known)


def _known(found: Attributes, decoders: Decoders, pool: ConstantPool) -> dict[str, Any]:
    """What attributes say, by the name of the field that holds it."""
    return {
        field: decode(found[attribute], pool) for attribute, (field, decode) in decoders.items() if attribute in found
    }


def _text(reader: ByteReader, pool: ConstantPool) -> str:
    return pool.utf8(reader.u2())


def _classes(reader: ByteReader, pool: ConstantPool) -> tuple[str, ...]:
    return _many(reader, lambda: pool.class_name(reader.u2()))


def _bootstraps(reader: ByteReader, pool: ConstantPool) -> tuple[Bootstrap, ...]:
    return _many(reader, lambda: _bootstrap(reader, pool))


def _record(reader: ByteReader, pool: ConstantPool) -> tuple[tuple[str, str], ...]:
    return _many(reader, lambda: _component(reader, pool))


def _inner(reader: ByteReader, pool: ConstantPool) -> dict[str, Nested]:
    return dict(_many(reader, lambda: _nested(reader, pool)))


def _nested(reader: ByteReader, pool: ConstantPool) -> tuple[str, Nested]:
    """A class without an outer class, or without a name of its own, is a local one."""
    name, outer, own = pool.class_name(reader.u2()), reader.u2(), reader.u2()
    return name, Nested(Access(reader.u2()), is_member=bool(outer and own))


_CLASS_ATTRIBUTES: Decoders = {
    "SourceFile": ("source", _text),
    "Signature": ("signature", _text),
    "BootstrapMethods": ("bootstraps", _bootstraps),
    "Record": ("record", _record),
    "PermittedSubclasses": ("permitted", _classes),
    "InnerClasses": ("inner", _inner),
}
"""Attributes of classes: the field of ClassFile, and what reads it."""


def _field(reader: ByteReader, pool: ConstantPool) -> FieldInfo:
    access, name, descriptor = Access(reader.u2()), pool.utf8(reader.u2()), pool.utf8(reader.u2())
    known = _known(_attributes(reader, pool), _FIELD_ATTRIBUTES, pool)
    return FieldInfo(name, descriptor, access, **known)


def _constant(reader: ByteReader, pool: ConstantPool) -> Loadable:
    return pool.constant(reader.u2())


_FIELD_ATTRIBUTES: Decoders = {"ConstantValue": ("constant", _constant), "Signature": ("signature", _text)}


def _method(reader: ByteReader, pool: ConstantPool) -> Method:
    access, name, descriptor = Access(reader.u2()), pool.utf8(reader.u2()), pool.utf8(reader.u2())
    method_types(descriptor)  # raises where it is none
    known = _known(_attributes(reader, pool), _METHOD_ATTRIBUTES, pool)
    return Method(name, descriptor, access, **known)


def _parameters(reader: ByteReader, pool: ConstantPool) -> tuple[str, ...]:
    return tuple(_parameter(reader, pool) for _ in range(reader.u1()))


def _parameter(reader: ByteReader, pool: ConstantPool) -> str:
    name = pool.optional_utf8(reader.u2())
    reader.u2()
    return name


def _code(reader: ByteReader, pool: ConstantPool) -> Code:
    max_stack, max_locals = reader.u2(), reader.u2()
    raw = reader.take(reader.u4())
    rows = reader.rows(">4H")
    handlers = tuple(Handler(start, end, to, pool.optional_class(caught)) for start, end, to, caught in rows)
    lines: list[tuple[int, int]] = []
    variables: list[LocalVariable] = []
    frames = b""
    # Lines and variables may stand in several attributes of the same name.
    for name, part in _each_attribute(reader, pool):
        if name == "LineNumberTable":
            lines += part.rows(">2H")  # type: ignore[arg-type]
        elif name == "LocalVariableTable":
            variables += [_variable(row, pool) for row in part.rows(">5H")]
        elif name == "StackMapTable":
            frames = part.take(part.end - part.at)
    lines.sort(key=lambda each: each[0])
    return Code(max_stack, max_locals, raw, decoded(raw), handlers, tuple(lines), tuple(variables), frames)


_METHOD_ATTRIBUTES: Decoders = {
    "Code": ("code", _code),
    "Signature": ("signature", _text),
    "Exceptions": ("declared", _classes),
    "MethodParameters": ("parameter_names", _parameters),
}


def _variable(row: tuple[int, ...], pool: ConstantPool) -> LocalVariable:
    start, length, name, type_, number = row
    return LocalVariable(pool.utf8(name), pool.utf8(type_), number, start, start + length)


def _bootstrap(reader: ByteReader, pool: ConstantPool) -> Bootstrap:
    method = pool.constant(reader.u2())
    if not isinstance(method, MethodHandle):
        raise ClassFormatError("one of its bootstrap methods is no method handle")
    return Bootstrap(method, _many(reader, lambda: pool.constant(reader.u2())))


def _component(reader: ByteReader, pool: ConstantPool) -> tuple[str, str]:
    name, type_ = pool.utf8(reader.u2()), pool.utf8(reader.u2())
    _attributes(reader, pool)
    return name, type_


def _attributes(reader: ByteReader, pool: ConstantPool) -> Attributes:
    return dict(_each_attribute(reader, pool))


def _each_attribute(reader: ByteReader, pool: ConstantPool) -> tuple[tuple[str, ByteReader], ...]:
    return _many(reader, lambda: (pool.utf8(reader.u2()), reader.part(reader.u4())))


def _many(reader: ByteReader, one: Callable[[], Value]) -> tuple[Value, ...]:
    """So many values as two bytes say."""
    return tuple(one() for _ in range(reader.u2()))
