"""What a unit asks of the machine beside its inputs: a claim holds for the answers that the runs got.

Without --inputs, time and environment variables are no inputs. Then "every path" is true of the inputs alone. Files are
those that the run makes, those of --symbolic-file, and those that it asks for (--input-files), which are regular files:
what a directory or a file without permission would answer is not seen.
Memory is there for whoever asks for it, but where --fail says otherwise: `if (!p)` behind a malloc is not dead. In the
same way `fclose` does what it is asked, and standard input is a regular file: the claim names the calls that the entry
may make and whose results are used.
A function of --uninstrumented, or of a library that veer knows nothing of, answers what it answers: with other data of
its own, or on another machine, it might answer otherwise. The claim names them all.
"""

from __future__ import annotations

from veer.model.program import Fact, Program
from veer.search.reachable import reachable_functions
from veer.search.remembered import remembered

_REGULAR = "each file is missing, or a regular one that may be read and written"
_STANDARD = "standard input and output are regular files"
_PASSING = (Fact.ASKS_TIME, Fact.ASKS_PROCESS, Fact.ASKS_SETTINGS)


def environment_bounds(program: Program) -> tuple[str, ...]:
    """The bounds on the environment and on files, with the functions that ask for them, if the entry may call any."""
    asked, files = sorted(_asked(program, *_PASSING)), _asked(program, Fact.ASKS_FILES)
    kinds = _asked(program, Fact.SEES_KIND, heeded=True)
    refused = sorted(_asked(program, Fact.REFUSED, heeded=True) - {*program.failing})
    allocating = sorted(allocators(program))
    unseen = sorted(({*program.uninstrumented} & _called(program)) | _asked(program, Fact.UNSEEN))
    before = sorted(_asked(program, Fact.SET_BEFORE, heeded=True))
    drawn = sorted(_asked(program, Fact.DRAWS))
    regular = _REGULAR if program.input_files else "no files but the run's own"
    found = (
        (unseen, "uninstrumented functions as they ran"),
        (asked, "the environment as it was"),
        (before, "data of the library as at the start of a program"),
        (drawn, "random numbers as from the start of a program"),
        (allocating, "every allocation succeeds"),
        (refused, "calls that the machine may refuse succeed"),
        (sorted(files | kinds), regular if files else _STANDARD),
    )
    return tuple(f"{words} ({', '.join(names)})" for names, words in found if names)


def allocators(program: Program) -> frozenset[str]:
    """The functions that allocate and never fail, if the entry may call any."""
    return frozenset(_asked(program, Fact.ALLOCATES) - {*program.failing})


def is_the_same_tomorrow(program: Program) -> bool:
    """Whether what it prints may be expected of it again: it asks for no time, nothing about its process, and calls no
    function that veer knows nothing of."""
    return not _asked(program, *_PASSING, Fact.UNSEEN)


def _asked(program: Program, *facts: Fact, heeded: bool = False) -> set[str]:
    """Those of the functions that the entry may call and that are no inputs; `heeded`: and whose results are used."""
    defined = {function.name for function in program.functions}
    called = _called(program, heeded=heeded)
    # Under -D_FILE_OFFSET_BITS=64 headers rename fopen; the user wrote fopen.
    return {name.removesuffix("64") for name in called & program.known_to(*facts) - defined - {*program.asked}}


@remembered
def _called(program: Program, *, heeded: bool = False) -> frozenset[str]:
    """The functions that are called, or may be by their addresses, by functions that the entry may call."""
    reached = reachable_functions(program)
    return frozenset(
        name
        for function in program.functions
        if function.name in reached
        for name in (*(function.heeds if heeded else function.calls), *function.takes)
    )
