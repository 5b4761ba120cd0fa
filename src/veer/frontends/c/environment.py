"""--inputs time,getenv,... and --fail malloc,io: functions of the C library whose answers are inputs, as those of
undefined functions are; of those that fail, whether they do. getenv is one without being named; clocks become some
where that covers more (docs/decisions/0434), and sleeping is a matter of clocks.

The unit's calls of `time` go to `veer_input_time` (runtime/environment/environment.c), which makes the root input
`time()`; only the unit's, for the tracer asks the machine for the time, too.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from veer.frontends.c.exchange import WrittenText
from veer.frontends.c.harness import PRELUDE, apart
from veer.frontends.c.harness_types import type_tables
from veer.frontends.c.typetable import TypeTable
from veer.frontends.llvm.unit import MadeUnit
from veer.model.buildoptions import FAIL, MEMORY, BuildOptions
from veer.model.errors import UsageError
from veer.model.growth import CLOCKS_OF_ANY_TIME, CLOCKS_OF_THEIR_OWN
from veer.model.program import FAILING_PREFIX
from veer.model.types import BoundKind, Field, Type, TypeKind
from veer.toolchain.cache import digest
from veer.toolchain.compiler import Toolchain
from veer.toolchain.runtime import RUNTIME

PREFIX = "veer_input_"
_VARIABLES = "getenv"
_NONE = "none"
_ALSO = {"getenv": ("secure_getenv", "setenv", "putenv", "unsetenv", "clearenv")}
"""Functions that ask for the same, or set it."""
_LAST_SECOND = 253_402_300_799
"""Of the year 9999: behind it no calendar has an answer, and sums overflow as on no machine."""
_CLOCKS = ("time", "gettimeofday", "clock_gettime", "clock")
_SLEEPS = ("sleep", "usleep", "nanosleep")
_ALWAYS = (_VARIABLES, *_CLOCKS, *_SLEEPS)
"""Functions whose answers are veer's without being named."""
_STRINGS = 8
"""Environment variables that are no aliases of each other in one run."""


def input_redirections(options: BuildOptions, defined: Collection[str]) -> tuple[tuple[str, str], ...]:
    """Which of the unit's calls go to inputs. `defined`: the names of the user's functions. Raises UsageError."""
    if own := next((name for name in options.inputs if name in defined), None):
        raise UsageError(f"--inputs {own}: the sources define {own} themselves; leave it out")
    names = [each for name in _answered(options) for each in (name, *_ALSO.get(name, ()))]
    names += may_fail(options)
    return tuple((name, PREFIX + name) for name in names if name not in defined)


def _answered(options: BuildOptions) -> tuple[str, ...]:
    """The functions whose answers are inputs where they are called."""
    return () if _NONE in options.inputs else tuple(dict.fromkeys((*options.inputs, *_ALWAYS)))


def may_fail(options: BuildOptions) -> tuple[str, ...]:
    """The functions whose calls may fail."""
    return tuple(name for what in _failing_kinds(options) for name in FAIL[what])


def _failing_kinds(options: BuildOptions) -> tuple[str, ...]:
    """What may fail: what --fail names, and allocations where a branch was open without."""
    also = (MEMORY,) if options.unasked_failures else ()
    return tuple(what for what in FAIL if what in (*options.fail, *also))


def suite_names(failing: Sequence[str]) -> tuple[str, ...]:
    """The flags by which the calls of a suite's sources go to functions that may fail (suite/c/failures.py); the C
    library's own calls of malloc never do."""
    return tuple(f"-D{name}={FAILING_PREFIX}{name}" for name in failing)


def called_inputs(units: Sequence[MadeUnit]) -> tuple[str, ...]:
    """The functions that the user's units call and whose answers are inputs, or that set them."""
    called = {name.removeprefix(PREFIX) for unit in units for name in unit.declared if name.startswith(PREFIX)}
    return tuple(sorted(called))


def input_bounds(called: Sequence[str], options: BuildOptions) -> tuple[str, ...]:
    """The bounds of these inputs, in words."""
    clocks = {*called} & {*_CLOCKS}
    words = [CLOCKS_OF_ANY_TIME] if clocks & {*options.inputs} else []
    words += [CLOCKS_OF_THEIR_OWN] if clocks - {*options.inputs} else []
    words += [f"max-length {options.max_length}"] if {*called} & {_VARIABLES, *_ALSO[_VARIABLES]} else []
    return tuple(words)


def input_notes(called: Sequence[str], options: BuildOptions) -> tuple[str, ...]:
    """What was asked for in vain."""
    idle = [name for name in options.inputs if name != _NONE and not {name, *_ALSO.get(name, ())} & set(called)]
    never = [what for what in FAIL if what in options.fail and not set(FAIL[what]) & set(called)]
    return (
        *(f"--inputs {name}: nothing in these sources calls {name}" for name in idle),
        *(f"--fail {what}: nothing in these sources calls {' or '.join(FAIL[what])}" for what in never),
    )


def environment_text(table: TypeTable, options: BuildOptions, toolchain: Toolchain) -> WrittenText:
    """The file of these functions; adds rows to the table."""
    answers = _answers(table, options.inputs) if _answered(options) else []
    text = "\n".join([PRELUDE, *answers, *(_failures(table, options) if _failing_kinds(options) else [])])
    path = toolchain.cache.write(text.encode(), "harness", digest(text), ".c")
    return WrittenText("the functions of --inputs and --fail", path, ("-std=gnu11", "-fno-builtin"))


def _failures(table: TypeTable, options: BuildOptions) -> list[str]:
    """The functions that may fail."""
    row = _bounded(table, "failure", 1, 4)
    names = ["failures.c", *(f"{what}_failures.c" for what in _failing_kinds(options))]
    return [
        *type_tables(table.types, [row]),
        f"#define VEER_F_ASK(value, input) veer_h_make(value, &veer_t_{row}, input)",
        "#define VEER_F_FUNCTION",
        *(_functions(name) for name in names),
    ]


def _functions(name: str) -> str:
    return (RUNTIME / "environment" / name).read_text()


def _answers(table: TypeTable, given: Collection[str]) -> list[str]:
    rows = {
        "SECONDS": _bounded(table, "time_t", _LAST_SECOND),
        "MICROSECONDS": _moment(table, "timeval", 999_999),
        "NANOSECONDS": _moment(table, "timespec", 999_999_999),
        "CLOCK": _bounded(table, "clock_t", _LAST_SECOND * 1_000_000),
        "RAND": _bounded(table, "int of rand", 0x7FFFFFFF, 4),
        "RANDOM": _bounded(table, "long of random", 0x7FFFFFFF),
    }
    strings = [
        table.argument_pointer(table.limits.max_length, BoundKind.LENGTH, nullable=True) for _ in range(_STRINGS)
    ]
    names = [f"#define VEER_E_{name} veer_t_{identity}" for name, identity in rows.items()]
    names += [f"#define VEER_E_IS_NAMED_{name} {int(name in given)}" for name in _CLOCKS]
    listed = ", ".join(f"&veer_t_{identity}" for identity in strings)
    array = [
        f"enum {{ VEER_E_TYPES = {_STRINGS} }};",
        f"static const struct veer_h_type *const VEER_E_STRINGS[] = {{ {listed} }};",
    ]
    tables = type_tables(apart(table.types, strings), [*rows.values(), *strings])
    return [*tables, *names, *array, _functions("environment.c")]


def _bounded(table: TypeTable, name: str, maximum: int, size: int = 8) -> int:
    return table.plain(Type(0, TypeKind.SIGNED, name, size, size, maximum=maximum))


def _moment(table: TypeTable, name: str, maximum: int) -> int:
    """struct timeval or timespec: seconds, and how many parts of one."""
    seconds = Field("tv_sec", 0, _bounded(table, "time_t", _LAST_SECOND))
    parts = Field("tv_usec" if name == "timeval" else "tv_nsec", 8, _bounded(table, f"long of {name}", maximum))
    return table.plain(Type(0, TypeKind.STRUCT, f"struct {name}", 16, 8, fields=(seconds, parts)))
