"""How a run ends: a closed enumeration whose members carry the sentence that the user reads."""

from __future__ import annotations

from enum import Enum


class Outcome(Enum):
    """The value is (key in summary.json, sentence, is it a bug). The wire's numbers are mapped in `wire`."""

    RETURNED = ("returned", "returned", False)
    EXITED = ("exited", "called exit", False)
    ABORTED = ("abort", "abort() was called", True)
    ASSERTION = ("assertion", "an assertion failed", True)
    VIOLATED = ("specification", "a specification is violated", True)
    SEGFAULT_NULL = ("null-dereference", "a null pointer was dereferenced", True)
    SEGFAULT_WILD = ("wild-pointer", "a pointer to no object was dereferenced", True)
    STACK_OVERFLOW = ("stack-overflow", "the stack overflowed", True)
    DIVISION = ("division", "an integer was divided by zero, or the quotient overflowed", True)
    QUOTIENT = ("quotient-overflow", "the quotient of the least integer and -1 overflows", True)
    BOUNDS_READ = ("out-of-bounds-read", "memory outside of the object was read", True)
    BOUNDS_WRITE = ("out-of-bounds-write", "memory outside of the object was written", True)
    USE_AFTER_FREE = ("use-after-free", "freed or expired memory was accessed", True)
    DOUBLE_FREE = ("double-free", "an object was freed twice", True)
    BAD_FREE = ("bad-free", "free() was given a pointer that malloc did not return", True)
    UNDEFINED = ("undefined", "undefined behaviour", True)
    UNINITIALISED = ("uninitialised", "what was never written is used", True)
    LEAK = ("leak", "allocated memory was not freed", True)
    HANG = ("hang", "the budget of steps ran out (an endless loop?)", True)
    ILLEGAL = ("illegal-instruction", "an illegal instruction was executed", True)
    UNREACHABLE = ("unreachable", "code that the program says is unreachable was reached", True)
    KILLED = ("killed", "the process was killed", True)
    MEMORY_LIMIT = ("memory-limit", "the memory limit was reached", False)
    OUTPUT_LIMIT = ("output-limit", "the output limit was reached", False)
    FAULTED = ("oracle", "an oracle finds the result wrong", True)
    DIFFERS = ("differs", "the two versions differ", True)
    ASSUMPTION = ("assumption", "a precondition was violated", False)
    CAPACITY = ("capacity", "a table of veer's was full", False)
    UNSUPPORTED = ("unsupported", "something that veer does not support was met", False)

    @property
    def key(self) -> str:
        """Name in summary.json."""
        return self.value[0]

    @property
    def sentence(self) -> str:
        """What the user reads."""
        return self.value[1]

    @property
    def is_bug(self) -> bool:
        """Whether a run that ends so is evidence of a bug."""
        return self.value[2]

    @property
    def is_limit(self) -> bool:
        """Whether a run that ends so was cut off by veer: it is no test, though what it covered counts."""
        return self in _LIMITS

    @property
    def needs_replay(self) -> bool:
        """Whether a run may end so by a bound of veer's alone, of steps or of calls within calls: no bug unless the
        language's own truth shows it."""
        return self in _BOUNDED

    @property
    def needs_check(self) -> bool:
        """Whether the plain build may well not show it (bounds and the like): confirmed by the checked build."""
        return self in _CHECKED


_CHECKED = {
    Outcome.SEGFAULT_WILD,
    Outcome.BOUNDS_READ,
    Outcome.BOUNDS_WRITE,
    Outcome.USE_AFTER_FREE,
    Outcome.DOUBLE_FREE,
    Outcome.BAD_FREE,
    Outcome.UNDEFINED,
    Outcome.UNINITIALISED,
    Outcome.LEAK,
    Outcome.UNREACHABLE,
}
_BOUNDED = {Outcome.HANG, Outcome.STACK_OVERFLOW}
AT_LIMITS = frozenset((*_BOUNDED, Outcome.KILLED))
"""How runs end that a limit ended, which another build may have elsewhere."""
_LIMITS = {Outcome.MEMORY_LIMIT, Outcome.OUTPUT_LIMIT, Outcome.UNSUPPORTED}


def outcome_of(key: str) -> Outcome:
    """The outcome with this key; raises KeyError."""
    for outcome in Outcome:
        if outcome.key == key:
            return outcome
    raise KeyError(key)
