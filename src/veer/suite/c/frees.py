"""What the unit allocates and frees: its allocator is the suite's, which notes the blocks and calls the C library.

    void free(void *) __asm__("veer_frees");       ahead of the unit, whose calls have that symbol from then on
    #include "list.c"
    ...
    veer_expect_freed("head", head);
    veer_expect_signed("blocks allocated less those freed", veer_blocks, 2);

So it is only known of calls in the source that the suite includes, and of the C library's own functions.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from veer.model.outcome import Outcome
from veer.model.program import Fact, HarnessKind, Program
from veer.model.result import Test
from veer.suite.c.expectations import Expectation, Kind

_ALLOCATE = ("malloc", "calloc", "realloc", "strdup", "strndup")
_FREE = ("free", "realloc")
_OWN = frozenset((*_ALLOCATE, *_FREE))
_HEAD = "/* The tests look at what the unit allocates and frees: it calls functions of veer_support.h for that. */\n"
_STANDARD = {
    "free": 'void free(void *) __asm__("veer_frees");\n',
    "realloc": 'void *realloc(void *, __SIZE_TYPE__) __asm__("veer_moves");\n',
    "malloc": 'void *malloc(__SIZE_TYPE__) __asm__("veer_allocates");\n',
    "calloc": 'void *calloc(__SIZE_TYPE__, __SIZE_TYPE__) __asm__("veer_clears");\n',
}
_POSIX = {
    "strdup": 'char *strdup(const char *) __asm__("veer_copies");\n',
    "strndup": 'char *strndup(const char *, __SIZE_TYPE__) __asm__("veer_copies_some");\n',
}
_NAME = re.compile(r"[A-Za-z_]\w*")


def freed(program: Program, test: Test) -> tuple[int, ...]:
    """The numbers of the input objects of which the test can see that they are freed."""
    if not test.left.is_confirmed or not _is_seen(program):
        return ()
    return tuple(number for number, site in test.left.freed if _is_in_source(program, site))


def blocks(program: Program, test: Test) -> tuple[Expectation, ...]:
    """How many more blocks the unit allocates than it frees; nothing where it frees none, or a test cannot tell."""
    left = test.left
    is_known = left.is_confirmed and left.allocated is not None and left.released is not None
    if test.outcome is not Outcome.RETURNED or not is_known or not _is_seen(program) or not _frees(program):
        return ()
    allocated = _count(program, left.allocated or (), _ALLOCATE)
    released = _count(program, left.released or (), _FREE)
    if allocated is None or released is None or not (allocated or released):
        return ()
    words = "blocks allocated less those freed"
    return (Expectation(Kind.SIGNED, "veer_blocks", str(allocated - released), 32, words),)


def sees_frees(program: Program, tests: Sequence[Test]) -> bool:
    """Whether a test expects something of what is freed."""
    return any(freed(program, test) or blocks(program, test) for test in tests)


def head(program: Program, tests: Sequence[Test]) -> str:
    """What stands ahead of the unit. What may fail has another name already (failures.py)."""
    called = {name for each in program.functions for name in (*each.calls, *each.takes)}
    lines = _STANDARD | {name: line for name, line in _POSIX.items() if name in called}
    text = "".join(line for name, line in lines.items() if name not in program.failing)
    return _HEAD + text if sees_frees(program, tests) else ""


def _count(program: Program, sites: Sequence[tuple[int, int]], names: Sequence[str]) -> int | None:
    """The blocks of those sites where one of these functions is called; None: a test sees others."""
    others = program.known_to(Fact.ALLOCATES) - _OWN
    found = 0
    for number, count in sites:
        site = program.sites[number] if 0 <= number < len(program.sites) else None
        if site is None or _is_harness(site.function):
            continue
        is_named = _NAME.fullmatch(site.text) is not None
        if is_named and site.text not in names:
            continue  # in the C library
        if not (is_named or not others) or not (len(program.sources) == 1 or _is_in_source(program, number)):
            return None
        found += count
    return found


def _is_harness(function: str) -> bool:
    return function.startswith(("veer_main", "veer_call_"))


def _frees(program: Program) -> bool:
    return any(name in each.calls or name in each.takes for each in program.functions for name in _FREE)


def _is_seen(program: Program) -> bool:
    """Whether the names are the C library's, and nobody else's."""
    defined = {function.name for function in program.functions} | {*program.stubs}
    own = _OWN - {*program.failing}
    is_renamed = any(word.startswith((f"-D{name}=", f"-D{name}(")) for word in program.compile_flags for name in own)
    is_called = program.harness.passes_arguments or program.harness is HarnessKind.SEQUENCE
    return is_called and not (program.declarations or is_renamed or defined & _OWN)


def _is_in_source(program: Program, site: int) -> bool:
    of = program.sites[site].file if 0 <= site < len(program.sites) else ""
    return program.include is not None and of == str(program.include)
