"""The classes of the runtime that inputs may be of."""

from __future__ import annotations

from veer.frontends.java.shapes.generics import Generic
from veer.frontends.java.shapes.naming import words_of
from veer.frontends.java.shapes.shape import Candidate, Slot
from veer.model.types import Recipe

STRING, ENUM = "java/lang/String", "java/lang/Enum"
BOXES = {
    **{"java/lang/Boolean": "Z", "java/lang/Byte": "B", "java/lang/Character": "C", "java/lang/Short": "S"},
    **{"java/lang/Integer": "I", "java/lang/Long": "J", "java/lang/Float": "F", "java/lang/Double": "D"},
}
INTEGER = "java/lang/Integer"
LISTS = dict.fromkeys(
    ("java/util/ArrayList", "java/util/List", "java/util/Collection", "java/lang/Iterable", "java/util/AbstractList"),
    "java/util/ArrayList",
)
COLLECTIONS = {
    **{f"java/util/{name}": f"java/util/{name}" for name in ("LinkedList", "HashSet", "LinkedHashSet", "TreeSet")},
    **{f"java/util/{name}": f"java/util/{name}" for name in ("ArrayDeque", "PriorityQueue", "Stack", "Vector")},
    **{"java/util/Set": "java/util/HashSet", "java/util/SortedSet": "java/util/TreeSet"},
    **{"java/util/NavigableSet": "java/util/TreeSet", "java/util/Queue": "java/util/LinkedList"},
    **{"java/util/Deque": "java/util/ArrayDeque"},
}
MAPS = {
    **{f"java/util/{name}": f"java/util/{name}" for name in ("HashMap", "LinkedHashMap", "TreeMap")},
    **{"java/util/Map": "java/util/HashMap", "java/util/SortedMap": "java/util/TreeMap"},
    "java/util/NavigableMap": "java/util/TreeMap",
    "java/util/concurrent/ConcurrentHashMap": "java/util/concurrent/ConcurrentHashMap",
    "java/util/concurrent/ConcurrentMap": "java/util/concurrent/ConcurrentHashMap",
}
ANYTHING = ("java/lang/Object", "java/lang/Comparable", "java/lang/Number", "java/io/Serializable")
TEXTS = ("java/lang/String", "java/lang/CharSequence")
_OF_A_TEXT = (
    *("java/lang/StringBuilder", "java/lang/StringBuffer", "java/io/StringReader", "java/util/StringTokenizer"),
    *("java/lang/Throwable", "java/lang/Exception", "java/lang/RuntimeException", "java/lang/Error"),
    *("java/lang/IllegalArgumentException", "java/lang/IllegalStateException", "java/io/IOException"),
    STRING,  # of an Object that the code asks about
)
MADE_BY_CONSTRUCTORS = {
    **dict.fromkeys(_OF_A_TEXT, "(Ljava/lang/String;)V"),
    "java/util/concurrent/atomic/AtomicInteger": "(I)V",
    "java/util/concurrent/atomic/AtomicLong": "(J)V",
    "java/util/concurrent/atomic/AtomicBoolean": "(Z)V",
    "java/util/Random": "(J)V",
    "java/util/UUID": "(JJ)V",
    "java/util/AbstractMap$SimpleEntry": "(Ljava/lang/Object;Ljava/lang/Object;)V",
    "java/util/Date": "(J)V",
    "java/util/Locale": "(Ljava/lang/String;Ljava/lang/String;)V",
    "java/util/concurrent/locks/ReentrantLock": "()V",
    "java/io/StringWriter": "()V",
    "java/io/ByteArrayInputStream": "([B)V",
    "java/io/ByteArrayOutputStream": "()V",
    "java/math/BigInteger": "(I[B)V",
    "java/math/BigDecimal": "(J)V",
}
"""Classes of the runtime whose objects a constructor makes."""
MADE_BY_FACTORIES = {
    "java/util/BitSet": ("valueOf", "([J)Ljava/util/BitSet;"),
    "java/util/Optional": ("ofNullable", "(Ljava/lang/Object;)Ljava/util/Optional;"),
    "java/util/OptionalInt": ("of", "(I)Ljava/util/OptionalInt;"),
    "java/util/OptionalLong": ("of", "(J)Ljava/util/OptionalLong;"),
    "java/util/OptionalDouble": ("of", "(D)Ljava/util/OptionalDouble;"),
    "java/time/LocalDate": ("of", "(III)Ljava/time/LocalDate;"),
    "java/time/LocalTime": ("of", "(III)Ljava/time/LocalTime;"),
    "java/time/LocalDateTime": ("of", "(IIIII)Ljava/time/LocalDateTime;"),
    "java/time/YearMonth": ("of", "(II)Ljava/time/YearMonth;"),
    "java/time/Year": ("of", "(I)Ljava/time/Year;"),
    "java/time/Period": ("of", "(III)Ljava/time/Period;"),
    "java/time/Duration": ("ofSeconds", "(J)Ljava/time/Duration;"),
    "java/time/Instant": ("ofEpochSecond", "(J)Ljava/time/Instant;"),
}
"""Those that a static method of theirs makes. An input may be a copy of what it returns: which object it is, nobody may
ask of classes that stand for values (and of BitSet, it is always a new one)."""
REFUSE_ZEROS = frozenset({"java/time/LocalDate", "java/time/LocalDateTime", "java/time/YearMonth"})
"""Those that throw where each number is 0."""
STAND_FOR = {
    "java/io/Reader": "java/io/StringReader",
    "java/lang/Readable": "java/io/StringReader",
    "java/io/Writer": "java/io/StringWriter",
    "java/lang/Appendable": "java/lang/StringBuilder",
    "java/io/InputStream": "java/io/ByteArrayInputStream",
    "java/io/OutputStream": "java/io/ByteArrayOutputStream",
    "java/util/concurrent/locks/Lock": "java/util/concurrent/locks/ReentrantLock",
    "java/util/Map$Entry": "java/util/AbstractMap$SimpleEntry",
}
"""Which of them stand for others."""


def box(name: str) -> Candidate:
    """The objects of a box."""
    letter = BOXES[name]
    slot = Slot("value", Generic(letter, is_primitive=True), name)
    text = words_of(name)
    return Candidate(name, (slot,), Recipe(text, f"{text}.valueOf", given=("value",)), letter=letter)
