"""What a unit asks of the machine beside its inputs: a claim holds for the answers that the runs got.

Without --symbolic-file a file is there or is not, and without --inputs time and environment variables are no inputs.
Then "every path" is true of the inputs alone, and a branch on what fopen returns is not dead on another machine: the
claim names it.
"""

from __future__ import annotations

from veer.model.program import Program
from veer.search.reachable import reachable_functions

_FILES = frozenset(
    (
        "access",
        "fopen",
        "fopen64",
        "freopen",
        "fstat",
        "lstat",
        "mkstemp",
        "open",
        "open64",
        "opendir",
        "stat",
        "tmpfile",
    )
)
_TIME = frozenset(("clock", "clock_gettime", "gettimeofday", "time"))
_PROCESS = frozenset(("getcwd", "gethostname", "getpid", "getppid", "getuid", "isatty", "popen", "system"))
_SETTINGS = frozenset(("getenv", "secure_getenv", "setlocale", "sysconf", "uname"))
_ENVIRONMENT = _FILES | _TIME | _PROCESS | _SETTINGS


def environment_bounds(program: Program) -> tuple[str, ...]:
    """The bound on the environment, with the functions that ask for it, if the entry may call any."""
    asked = sorted(_asked(program, _ENVIRONMENT))
    return (f"the environment as it was ({', '.join(asked)})",) if asked else ()


def is_the_same_tomorrow(program: Program) -> bool:
    """Whether what it prints may be expected of it again: it asks for no time and nothing about its process."""
    return not _asked(program, _TIME | _PROCESS | _SETTINGS)


def _asked(program: Program, names: frozenset[str]) -> set[str]:
    """Those of the functions that the entry may call and that are no inputs."""
    reached = reachable_functions(program)
    defined = {function.name for function in program.functions}
    called = {name for function in program.functions if function.name in reached for name in function.calls}
    # Under -D_FILE_OFFSET_BITS=64 headers rename fopen; the user wrote fopen.
    return {name.removesuffix("64") for name in called & names - defined - {*program.asked}}
