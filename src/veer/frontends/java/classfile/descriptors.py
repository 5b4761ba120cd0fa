"""Descriptors (JVMS 4.3): the types of fields and methods as class files write them.

(I[JLjava/lang/String;)V        parameters ("I", "[J", "Ljava/lang/String;"), result "V"
"""

from __future__ import annotations

import re
from functools import cache

from veer.frontends.java.classfile.bytereader import ClassFormatError

_TYPE = re.compile(r"\[*(?:[BCDFIJSZ]|L[^;\[]+;)")
_METHOD = re.compile(r"\(((?:\[*(?:[BCDFIJSZ]|L[^;\[]+;))*)\)(V|\[*(?:[BCDFIJSZ]|L[^;\[]+;))")
_WORDS = {
    "B": "byte",
    "C": "char",
    "D": "double",
    "F": "float",
    "I": "int",
    "J": "long",
    "S": "short",
    "Z": "boolean",
    "V": "void",
}
LETTERS = {name: letter for letter, name in _WORDS.items()}
"""Descriptors of primitive types by their names."""


@cache
def method_types(descriptor: str) -> tuple[tuple[str, ...], str]:
    """Parameters and result of a method's descriptor. Raises ClassFormatError."""
    matched = _METHOD.fullmatch(descriptor)
    if matched is None:
        raise ClassFormatError(f"{descriptor} is no descriptor of a method")
    return tuple(_TYPE.findall(matched[1])), matched[2]


def class_of(type_: str) -> str:
    """The internal name of a reference type, as class entries have it: "Ljava/lang/Object;" is "java/lang/Object"."""
    return type_[1:-1] if type_.startswith("L") else type_


def type_of(name: str) -> str:
    """The descriptor of a class or array type by its internal name."""
    return name if name.startswith("[") else f"L{name};"


def is_reference(type_: str) -> bool:
    """Whether values of this type are references."""
    return type_.startswith(("L", "["))


def words(type_: str) -> str:
    """A type as Java writes it, classes without their package: `int[]`, `String`."""
    dimensions = len(type_) - len(type_.lstrip("["))
    base = type_[dimensions:]
    name = _WORDS.get(base) or class_of(base).rpartition("/")[2].replace("$", ".")
    return name + "[]" * dimensions


def full_words(type_: str) -> str:
    """A type as Java writes it, with packages; nested classes by dots."""
    dimensions = len(type_) - len(type_.lstrip("["))
    base = type_[dimensions:]
    name = _WORDS.get(base) or dotted(class_of(base)).replace("$", ".")
    return name + "[]" * dimensions


def dotted(name: str) -> str:
    """An internal name as `Class.getName` has it: "java.util.Map$Entry"."""
    return name.replace("/", ".")
