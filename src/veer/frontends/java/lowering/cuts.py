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
ENGINE, SPECIFICATIONS = "veer/Engine", "veer/Specifications"
INPUTS = {
    **{"aBoolean": "Z", "aByte": "B", "aChar": "C", "aShort": "S", "anInt": "I", "aLong": "J", "aFloat": "F"},
    **{"aDouble": "D", "aCharacter": "B", "aLength": "I", "aClock": "J", "aRandom": "I"},
    **{"aSizeOfInput": "I", "aByteOfInput": "B"},
}
"""Inputs that a program asks for (core/veer/Engine.java), and their types."""
NOT_GIVEN = ("aClock", "aRandom")
"""Those of them that no test can give to the JVM."""
REFUSE = (ENGINE, "refuse", "(Ljava/lang/String;)V")
IDENTITY = (ENGINE, "identity", "(Ljava/lang/Object;)I")
BOXED = (ENGINE, "boxed", "(Ljava/lang/Object;)Ljava/lang/Object;")
ENUM_CONSTANTS = (ENGINE, "enumConstants", "(Ljava/lang/Class;)[Ljava/lang/Object;")
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
        *("java/lang/Long", "java/lang/Float", "java/lang/Double", "java/lang/Class", "java/lang/Runtime"),
        *("java/lang/String", "java/lang/StringLatin1", "java/lang/StringUTF16", "java/lang/Character"),
        *("java/lang/CharacterData", "java/lang/CharacterDataLatin1", "java/lang/CharacterData00"),
        *("java/lang/CharSequence", "java/lang/Iterable", "java/lang/StringCoding"),
        *("java/lang/StringBuilder", "java/lang/AbstractStringBuilder", "java/lang/StringConcatHelper"),
        *("java/io/OutputStream", "java/io/FilterOutputStream", "java/io/InputStream", "java/io/Reader"),
        *("java/io/StringReader", "java/io/Writer", "java/io/StringWriter", "java/io/PrintWriter"),
        *("java/io/BufferedWriter", "java/io/FilterWriter", "java/io/CharArrayWriter", "java/io/CharArrayReader"),
        *("java/io/FilterReader", "java/io/PushbackReader", "java/io/LineNumberReader", "java/io/FilterInputStream"),
        *("java/io/ByteArrayInputStream", "java/io/ByteArrayOutputStream", "java/io/BufferedInputStream"),
        *("java/io/BufferedOutputStream", "java/io/DataInputStream", "java/io/DataOutputStream"),
        *("java/io/PushbackInputStream", "java/io/SequenceInputStream", "java/text/ParsePosition"),
        *("java/text/FieldPosition", "java/util/concurrent/TimeUnit", "java/util/concurrent/ConcurrentHashMap"),
        *("java/util/concurrent/CopyOnWriteArrayList", "java/util/concurrent/CopyOnWriteArraySet"),
        *("java/lang/StringBuffer", "java/lang/Comparable", "java/lang/Void", "java/lang/FdLibm"),
        *("jdk/internal/util/ArraysSupport", "jdk/internal/util/Preconditions"),
    )
)
"""Classes of the runtime whose code is lowered, with those within them."""
_PACKAGES = frozenset(
    (
        *("java/util", "java/util/function", "java/util/stream", "java/util/regex", "java/math"),
        *("java/util/concurrent/atomic", "jdk/internal/math"),
        *("java/time", "java/time/chrono", "java/time/temporal"),
    )
)
"""Packages of which all classes are."""
_LEFT_OUT = frozenset(
    f"java/util/{name}"
    for name in (
        *("Locale", "ResourceBundle", "Formatter", "ServiceLoader", "Timer", "TimerTask", "Calendar", "Date"),
        *("GregorianCalendar", "TimeZone", "SimpleTimeZone", "Currency", "Properties"),
        *("SplittableRandom", "PropertyPermission", "EventListenerProxy", "JumboEnumSet", "InvalidPropertiesFormat"),
    )
)
"""Those of them that are not."""
_NOT_FOLLOWED = frozenset(
    (
        *("jdk/internal/math/FDBigInteger.toString", "java/math/MutableBigInteger.toString"),
        *("java/lang/Character.getName", "java/lang/Character.codePointOf"),
        *(f"java/lang/Character$Unicode{kind}.{name}" for kind in ("Script", "Block") for name in ("of", "forName")),
    )
)
"""Methods of classes whose others are lowered. Texts of objects that nobody gets; and what makes tables of all of
Unicode when it is first called: half of what a regular expression reaches, and asked for by few (\\p{IsGreek},
\\N{DIGIT ONE})."""
_KNOWN_STATICS = {
    ("java/lang/String", "COMPACT_STRINGS"): 1,
    ("java/util/Arrays$LegacyMergeSort", "userRequested"): 0,
    ("java/lang/StringUTF16", "HI_BYTE_SHIFT"): 0,
    ("java/lang/StringUTF16", "LO_BYTE_SHIFT"): 8,
}
"""Static fields of the runtime whose value its native code finds out, on all machines that veer runs on."""
_UNSAFE = "jdk/internal/misc/Unsafe"
_ONLY_FOR_MISMATCH = (_UNSAFE, "jdk/internal/util/ArraysSupport")
"""Their offsets and scales of arrays reach nothing but vectorizedMismatch, which looks at none."""
OFFSET_OF_FIELD = (_UNSAFE, "objectFieldOffset", "(Ljava/lang/Class;Ljava/lang/String;)J")
KNOWN_TO_RUNTIME = {
    ("java/lang/Runtime", "availableProcessors", "()I"): 1,
    ("jdk/internal/misc/VM", "isBooted", "()Z"): 0,
}
"""What the runtime's own code asks for (ConcurrentHashMap: how work is shared; streams of JDK 25: whether a thread may
be virtual), and its answer where one thread runs. The user's code is refused it."""
_OF_ONE = ("sin", "cos", "tan", "asin", "acos", "atan", "log", "log10", "sinh", "cosh", "tanh", "expm1", "log1p")
BY_LIBM = {
    **{("java/lang/StrictMath", name, "(D)D"): name for name in _OF_ONE},
    ("java/lang/StrictMath", "atan2", "(DD)D"): "atan2",
    ("java/lang/StrictMath", "IEEEremainder", "(DD)D"): "remainder",
}
"""What JDK 17 computes in native code, by the functions of C's library that compute it here (decision 0532)."""
WRITTEN_AT_CALLS, LIBM = "written at its calls", "libm:"
"""How a method is replaced: by what its callers write; by a call of a function of C's library, there as well."""
REPLACED: dict[tuple[str, str, str], str] = {
    ("java/lang/Object", "<init>", "()V"): "nothing",
    ("java/io/ObjectStreamField", "<init>", "(Ljava/lang/String;Ljava/lang/Class;)V"): "nothing",
    ("jdk/internal/misc/CDS", "initializeFromArchive", "(Ljava/lang/Class;)V"): "nothing",
    ("java/lang/Float", "floatToRawIntBits", "(F)I"): "bits",
    ("java/lang/Float", "intBitsToFloat", "(I)F"): "bits",
    ("java/lang/Double", "doubleToRawLongBits", "(D)J"): "bits",
    ("java/lang/Double", "longBitsToDouble", "(J)D"): "bits",
    **{key: f"{LIBM}{name}" for key, name in BY_LIBM.items()},
    ("java/lang/StrictMath", "sqrt", "(D)D"): "llvm.sqrt.f64",
    ("java/lang/Math", "sqrt", "(D)D"): "llvm.sqrt.f64",
    ("java/lang/Math", "floor", "(D)D"): "llvm.floor.f64",
    ("java/lang/Math", "ceil", "(D)D"): "llvm.ceil.f64",
    ("java/lang/Math", "rint", "(D)D"): "llvm.rint.f64",
    ("java/lang/StringIndexOutOfBoundsException", "<init>", "(I)V"): "hidden",  # a text of it would have all digits
    ("java/lang/IndexOutOfBoundsException", "<init>", "(I)V"): "hidden",
    ("java/lang/ArrayIndexOutOfBoundsException", "<init>", "(I)V"): "hidden",
    **{("java/lang/String", name, descriptor): name for name, descriptor in STRING_CHECKS},
    ("java/lang/System", "arraycopy", "(Ljava/lang/Object;ILjava/lang/Object;II)V"): "arraycopy",
    ("java/lang/Object", "clone", "()Ljava/lang/Object;"): "clone",
    (
        "jdk/internal/util/ArraysSupport",
        "vectorizedMismatch",
        "(Ljava/lang/Object;JLjava/lang/Object;JII)I",
    ): "unchecked",  # it leaves all elements to the loop behind its call
    ("java/lang/StringConcatHelper", "newArray", "(J)[B"): "bytes",
    ("java/lang/StringConcatHelper", "newArray", "(I)[B"): "bytes of a length",  # JDK 25
    ("java/lang/Class", "getSuperclass", "()Ljava/lang/Class;"): "superclass",
    ("java/lang/Object", "getClass", "()Ljava/lang/Class;"): "of_object",
    **{(ENGINE, name, f"(){letter}"): f"input:{name}" for name, letter in INPUTS.items()},
    REFUSE: WRITTEN_AT_CALLS,
    OFFSET_OF_FIELD: WRITTEN_AT_CALLS,
    (_UNSAFE, "getUnsafe", f"()L{_UNSAFE};"): "nobody",
    ("jdk/internal/access/SharedSecrets", "getJavaLangAccess", "()Ljdk/internal/access/JavaLangAccess;"): "nobody",
    (_UNSAFE, "arrayBaseOffset", "(Ljava/lang/Class;)I"): "array_base:i32",
    (_UNSAFE, "arrayBaseOffset", "(Ljava/lang/Class;)J"): "array_base:i64",  # JDK 25
    (_UNSAFE, "arrayIndexScale", "(Ljava/lang/Class;)I"): "array_scale",
    (_UNSAFE, "compareAndSetInt", "(Ljava/lang/Object;JII)Z"): "compare_and_set:i32",
    (_UNSAFE, "compareAndSetLong", "(Ljava/lang/Object;JJJ)Z"): "compare_and_set:i64",
    (
        _UNSAFE,
        "compareAndSetReference",
        "(Ljava/lang/Object;JLjava/lang/Object;Ljava/lang/Object;)Z",
    ): "compare_and_set:ptr",
    (_UNSAFE, "getAndAddInt", "(Ljava/lang/Object;JI)I"): "get_and_add",
    (ENGINE, "assume", "(Z)V"): "assume",
    (ENGINE, "exit", "(I)V"): "exit",
    (ENGINE, "reason", "(Ljava/lang/Object;)I"): "reason",
    (SPECIFICATIONS, "event", "(IIJJJJ)V"): "specification:event",
    (SPECIFICATIONS, "check", "(ZILjava/lang/String;)V"): "specification:check",
    (SPECIFICATIONS, "register", "(IIZ)V"): "specification:register",
    (SPECIFICATIONS, "state", "(IZI)V"): "specification:state",
    (SPECIFICATIONS, "full", "()V"): "specification:full",
    BOXED: "boxed",
    (ENGINE, "same", "(Ljava/lang/Object;Ljava/lang/Object;)Z"): "same",
    IDENTITY: "identity",
    ENUM_CONSTANTS: "enum_constants",
    (ENGINE, "isInstance", "(Ljava/lang/Class;Ljava/lang/Object;)Z"): "is_instance",
    (ENGINE, "arrayOf", "(Ljava/lang/Class;I)[Ljava/lang/Object;"): "array_of",
    (ENGINE, "arrayOfComponent", "(Ljava/lang/Class;I)[Ljava/lang/Object;"): "array_of_component",
    (ENGINE, "component", "(Ljava/lang/Class;)Ljava/lang/Class;"): "component",
}
"""Methods with code of veer's own: how it is made (`replaced.py`)."""


def is_lowered(path: ClassPath, name: str) -> bool:
    """Whether the code of a class that is not the user's is followed."""
    outer = name.partition("$")[0]
    package = name.rpartition("/")[0]
    return path.is_core(name) or outer in _LOWERED or (package in _PACKAGES and outer not in _LEFT_OUT)


def why_cut(
    path: ClassPath, superclasses: Callable[[str], Iterator[ClassFile]], owner: ClassFile, method: Method
) -> str:
    """Why a method is not lowered, or empty."""
    name = f"{owner.name.replace('/', '.')}.{method.name}"
    if Access.NATIVE in method.access:
        return f"{name} is native"
    if method.code is None:
        return f"{name} is abstract"
    if path.is_own(owner.name) or (is_lowered(path, owner.name) and f"{owner.name}.{method.name}" not in _NOT_FOLLOWED):
        return ""
    if (method.name == "<init>" or method.is_static) and any(
        each.name == THROWABLE for each in superclasses(owner.name)
    ):
        return ""
    return not_supported(owner.name, method.name)


def not_supported(owner: str, name: str) -> str:
    """The words for a method of the Java runtime that is not followed."""
    return f"{owner.replace('/', '.')}.{name} of the Java runtime is not supported yet"


def has_initialiser(path: ClassPath, owner: ClassFile) -> bool:
    """Whether code runs before the class is first used: of the runtime's own, before a static field is read."""
    is_run = path.is_own(owner.name) or is_lowered(path, owner.name)
    return is_run and owner.method("<clinit>", "()V") is not None


def known_static(owner: str, name: str) -> int | None:
    """The value of a static field of the runtime; None where only its initialiser knows it. The runtime's own
    assertions are off."""
    if owner in _ONLY_FOR_MISMATCH and "ARRAY" in name:
        return 0
    return 1 if name == "$assertionsDisabled" else _KNOWN_STATICS.get((owner, name))
