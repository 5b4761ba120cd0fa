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
_LOWERED = frozenset(
    (
        *("java/lang/Object", "java/lang/Math", "java/lang/StrictMath", "java/lang/Number", "java/lang/Enum"),
        *("java/lang/Record", "java/lang/Boolean", "java/lang/Byte", "java/lang/Short", "java/lang/Integer"),
        *("java/lang/Long", "java/lang/Float", "java/lang/Double", "java/util/Objects"),
    )
)
"""Classes of the runtime whose code is lowered, beside those of exceptions."""
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
    if method.name == "<init>" and any(each.name == THROWABLE for each in superclasses(owner.name)):
        return ""
    return f"{name} of the Java runtime is not supported yet"


def has_initialiser(path: ClassPath, owner: ClassFile) -> bool:
    """Whether code runs before the class is first used. Of the runtime's own, constants are all that is known."""
    return path.is_own(owner.name) and owner.method("<clinit>", "()V") is not None
