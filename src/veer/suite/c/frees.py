"""Input objects that the unit frees: its free and realloc are the suite's, which note the blocks.

    void free(void *) __asm__("veer_frees");       ahead of the unit, whose calls have that symbol from then on
    #include "list.c"
    ...
    veer_expect_freed("head", head);

So it is only known of calls in the source that the suite includes, and of the C library's own free.
"""

from __future__ import annotations

from collections.abc import Sequence

from veer.model.program import Program
from veer.model.result import Test

_OWN = frozenset(("free", "realloc"))
_HEAD = """\
/* The tests look at what the unit frees: its free and realloc are those of veer_support.h. */
void free(void *) __asm__("veer_frees");
void *realloc(void *, __SIZE_TYPE__) __asm__("veer_moves");
"""


def freed(program: Program, test: Test) -> tuple[int, ...]:
    """The numbers of the input objects of which the test can see that they are freed."""
    if not test.left.is_confirmed or not _is_seen(program):
        return ()
    return tuple(number for number, site in test.left.freed if _is_in_source(program, site))


def sees_frees(program: Program, tests: Sequence[Test]) -> bool:
    """Whether a test expects that something is freed."""
    return any(freed(program, test) for test in tests)


def head(program: Program, tests: Sequence[Test]) -> str:
    """What stands ahead of the unit."""
    return _HEAD if sees_frees(program, tests) else ""


def _is_seen(program: Program) -> bool:
    """Whether the names are the C library's, and nobody else's."""
    defined = {function.name for function in program.functions} | {*program.stubs, *program.failing}
    is_renamed = any(word.startswith((f"-D{name}=", f"-D{name}(")) for word in program.compile_flags for name in _OWN)
    return program.harness.passes_arguments and not (program.declarations or is_renamed or defined & _OWN)


def _is_in_source(program: Program, site: int) -> bool:
    of = program.sites[site].file if 0 <= site < len(program.sites) else ""
    return program.include is not None and of == str(program.include)
