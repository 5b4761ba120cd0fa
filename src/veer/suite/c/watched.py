"""The monitors of specifications in a suite: what they need beside the tests.

    test_f.c          behind the unit the monitors, where VEER_WATCH is defined
    test_f_watch.h    which calls they hear of
    veer_watch.c      puts these calls into preprocessed C; the same for all suites

Compiled as any other file, a suite has no monitors, and says so when it runs.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence

from veer.model.program import Program
from veer.model.specification import InSuite
from veer.suite.c.template_files import compiled, template

SWITCH = "VEER_WATCH"
WEAVER = "veer_watch.c"
_PARTS = ("watch_words.c", "watch_events.c", "watch_definitions.c", "watch_calls.c", "watch_file.c")
"""Templates that are this one file: a user compiles it with one command."""
END = "veer_watch_end();"
_PROGRAM = "veer_watch"


def has_monitors(program: Program) -> bool:
    """Whether a suite of it checks any specification."""
    return program.watching is not None and program.watching.in_suite.is_any


def is_woven(program: Program) -> bool:
    """Whether what builds the suite can put in the calls that its monitors hear of: not into C++."""
    return has_monitors(program) and not program.declarations


def header_name(suite: str) -> str:
    """The file that says what monitors hear of. `suite`: the C file of the tests."""
    return f"{suite.removesuffix('.c')}_watch.h"


def beside(program: Program, *suites: str) -> dict[str, bytes]:
    """The files that these suites need for their monitors."""
    if not has_monitors(program):
        return {}
    own = {header_name(suite): _header(program).encode() for suite in suites}
    return own | {WEAVER: "".join(map(template, _PARTS)).encode()}


def _header(program: Program) -> str:
    return compiled("watch.h").render(events=_made(program).events.rstrip())


def _made(program: Program) -> InSuite:
    assert program.watching is not None
    return program.watching.in_suite


def around(program: Program, suite: str, unit: str) -> str:
    """The lines that include the unit, with what stands before and behind them for the monitors."""
    if program.watching is None or not (has_monitors(program) or program.watching.has_end):
        return unit
    made = _made(program)
    values = {"header": header_name(suite), "unit": unit, "monitor": made.monitor.rstrip(), "left_out": made.left_out}
    has_end = program.watching.has_end
    return compiled("watched.c").render(values, is_any=made.is_any, has_end=has_end)


def at_end(program: Program) -> tuple[str, ...]:
    """The statement behind the last call of a test."""
    return (END,) if program.watching is not None and program.watching.has_end else ()


def commands(program: Program, suite: str, words: Sequence[str], others: Sequence[str]) -> tuple[str, ...]:
    """What builds and runs a suite with its monitors. `words`: of the command without; `others`: its other sources."""
    if not has_monitors(program):
        return ()
    compiler, flags = words[0], words[1 : words.index(suite)]
    stem = f"{suite.removesuffix('.c')}_watched"
    made: Mapping[str, str] = {each: f"{stem}_{number}.c" for number, each in enumerate(others, 1)}
    lines = [shlex.join((compiler, WEAVER, "-o", _PROGRAM))]
    own = f"{stem}.c"
    lines.append(f"{shlex.join((compiler, *flags, f'-D{SWITCH}', '-E', '-C', suite))} | ./{_PROGRAM} > {own}")
    for source, watched in made.items():
        given = (compiler, *flags, f"-D{SWITCH}", "-include", header_name(suite), "-E", "-C", source)
        lines.append(f"{shlex.join(given)} | ./{_PROGRAM} > {watched}")
    behind = [made.get(word, word) for word in words[words.index(suite) + 1 : -1]]
    lines.append(shlex.join((compiler, *flags, own, *behind, own.removesuffix(".c"))))
    return (*lines, f"./{own.removesuffix('.c')}")
