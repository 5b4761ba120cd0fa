"""What of the Java runtime's own code is lowered, what is replaced, and what is cut."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from veer.frontends.java.classfile.model import Access, ClassFile, Method
from veer.frontends.java.classpath.path import ClassPath

THROWABLE = "java/lang/Throwable"
IMPLICIT = (
    "java/lang/NullPointerException",
    "java/lang/ArithmeticException",
    "java/lang/ArrayIndexOutOfBoundsException",
    "java/lang/ClassCastException",
    "java/lang/NegativeArraySizeException",
    "java/lang/ArrayStoreException",
)
"""The exceptions that instructions throw, in the order of their numbers (traps.py)."""
STRING_BOUNDS = "java/lang/StringIndexOutOfBoundsException"
STRING_CHECKS = (
    ("checkIndex", "(II)V"),
    ("checkOffset", "(II)V"),
    ("checkBoundsOffCount", "(III)V"),
    ("checkBoundsBeginEnd", "(III)V"),
)
"""Checks of String that throw STRING_BOUNDS, with a message that takes half of its class to write."""
_LOWERED = frozenset(
    (
        *("java/lang/Object", "java/lang/Math", "java/lang/StrictMath", "java/lang/Number", "java/lang/Enum"),
        *("java/lang/Record", "java/lang/Boolean", "java/lang/Byte", "java/lang/Short", "java/lang/Integer"),
        *("java/lang/Long", "java/lang/Float", "java/lang/Double", "java/util/Objects", "java/util/Arrays"),
        *("java/lang/String", "java/lang/StringLatin1", "java/lang/StringUTF16", "java/lang/Character"),
        *("java/lang/CharacterData", "java/lang/CharacterDataLatin1"),
        *("java/lang/StringBuilder", "java/lang/AbstractStringBuilder", "java/lang/StringConcatHelper"),
        "jdk/internal/util/ArraysSupport",
    )
)
"""Classes of the runtime whose code is lowered, beside constructors and static methods of exceptions."""
_INITIALISED = frozenset(("java/lang/Integer", "java/lang/Long", "java/lang/CharacterDataLatin1"))
"""Those whose static fields are tables, which their own initialiser makes when one is first read."""
_KNOWN_STATICS = {
    ("java/lang/String", "COMPACT_STRINGS"): 1,
    ("java/lang/StringUTF16", "HI_BYTE_SHIFT"): 0,
    ("java/lang/StringUTF16", "LO_BYTE_SHIFT"): 8,
}
"""Static fields of the runtime whose value its native code finds out, on all machines that veer runs on."""
_ONLY_FOR_MISMATCH = ("jdk/internal/misc/Unsafe", "jdk/internal/util/ArraysSupport")
"""Their offsets and scales of arrays reach nothing but vectorizedMismatch, which looks at none."""
REPLACED: dict[tuple[str, str, str], str] = {
    ("java/lang/Object", "<init>", "()V"): "nothing",
    (THROWABLE, "<init>", "()V"): "nothing",
    ("java/lang/AssertionError", "<init>", "(Ljava/lang/Object;)V"): "nothing",  # nobody can read its message
    (THROWABLE, "<init>", "(Ljava/lang/String;)V"): "message",
    (THROWABLE, "<init>", "(Ljava/lang/String;Ljava/lang/Throwable;)V"): "message",
    (THROWABLE, "<init>", "(Ljava/lang/String;Ljava/lang/Throwable;ZZ)V"): "message",
    (THROWABLE, "fillInStackTrace", "()Ljava/lang/Throwable;"): "itself",
    ("java/lang/Float", "floatToRawIntBits", "(F)I"): "bits",
    ("java/lang/Float", "intBitsToFloat", "(I)F"): "bits",
    ("java/lang/Double", "doubleToRawLongBits", "(D)J"): "bits",
    ("java/lang/Double", "longBitsToDouble", "(J)D"): "bits",
    ("java/lang/StrictMath", "sqrt", "(D)D"): "llvm.sqrt.f64",
    ("java/lang/Math", "sqrt", "(D)D"): "llvm.sqrt.f64",
    ("java/lang/Math", "floor", "(D)D"): "llvm.floor.f64",
    ("java/lang/Math", "ceil", "(D)D"): "llvm.ceil.f64",
    ("java/lang/Math", "rint", "(D)D"): "llvm.rint.f64",
    ("java/lang/StringIndexOutOfBoundsException", "<init>", "(I)V"): "nothing",  # nor can anybody read these messages
    ("java/lang/IndexOutOfBoundsException", "<init>", "(I)V"): "nothing",
    ("java/lang/ArrayIndexOutOfBoundsException", "<init>", "(I)V"): "nothing",
    **{("java/lang/String", name, descriptor): name for name, descriptor in STRING_CHECKS},
    ("java/lang/System", "arraycopy", "(Ljava/lang/Object;ILjava/lang/Object;II)V"): "arraycopy",
    ("java/lang/Object", "clone", "()Ljava/lang/Object;"): "clone",
    (
        "jdk/internal/util/ArraysSupport",
        "vectorizedMismatch",
        "(Ljava/lang/Object;JLjava/lang/Object;JII)I",
    ): "unchecked",  # it leaves all elements to the loop behind its call
    ("java/lang/StringConcatHelper", "newArray", "(J)[B"): "bytes",
    ("java/lang/Class", "getPrimitiveClass", "(Ljava/lang/String;)Ljava/lang/Class;"): "class",
}
"""Methods with code of veer's own: how it is made (`replaced.py`)."""


def why_cut(
    path: ClassPath, superclasses: Callable[[str], Iterator[ClassFile]], owner: ClassFile, method: Method
) -> str:
    """Why a method is not lowered, or empty."""
    name = f"{owner.name.replace('/', '.')}.{method.name}"
    if Access.NATIVE in method.access:
        return f"{name} is native"
    if method.code is None:
        return f"{name} is abstract"
    if path.is_own(owner.name) or owner.name in _LOWERED:
        return ""
    if (method.name == "<init>" or method.is_static) and any(
        each.name == THROWABLE for each in superclasses(owner.name)
    ):
        return ""
    return f"{name} of the Java runtime is not supported yet"


def has_initialiser(path: ClassPath, owner: ClassFile) -> bool:
    """Whether code runs before the class is first used. Of the runtime's own, tables are all that is made so."""
    is_run = path.is_own(owner.name) or owner.name in _INITIALISED
    return is_run and owner.method("<clinit>", "()V") is not None


def known_static(owner: str, name: str) -> int | None:
    """The value of a static field of the runtime; None where only its initialiser knows it. The runtime's own
    assertions are off."""
    if owner in _ONLY_FOR_MISMATCH and "ARRAY" in name:
        return 0
    return 1 if name == "$assertionsDisabled" else _KNOWN_STATICS.get((owner, name))
