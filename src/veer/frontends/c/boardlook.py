"""Which tests of a suite for boards depend on the machine: they are run where one thing is otherwise.

    all in one process       a test fails behind others, and passes alone     it needs a process of its own
    the other sign of char   it fails                                         it depends on the sign of char
    x86, 32 bits, with musl  it fails                                         it depends on the size of long

What is said is what was seen: another machine may differ in more (the alignment of long long, the order of bytes).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct

from veer.execution.confinement import granted
from veer.execution.replay import ReplayLimits, launched
from veer.model.boards import BoardLook, Trait
from veer.model.errors import ExecutorError
from veer.model.values import replace
from veer.toolchain.compiler import LENIENT, Compiled, Toolchain, run

_PASSED = re.compile(rb"^ok (?P<number>\d+) - (?P<name>\S+)$", re.MULTILINE)
_SMALL = ("-target", "x86-linux-musl", "-mcpu=pentium4", "-static", "-fno-sanitize=all", "-O1")
"""32 bits, which this machine runs; floats in SSE, as on x86-64."""
_CALLS, _NAMESPACES = "calls", "processes"
"""Grants of a confinement: the filter of system calls, which `--sandbox strict` has beside namespaces of processes."""
_UNSIGNED, _SIGNED = "-funsigned-char", "-fsigned-char"


class BoardSuite(Struct, frozen=True):
    """`words`: of the command that builds it; `tests`: the names of those that pass on this machine."""

    path: Path
    words: Sequence[str]
    tests: tuple[str, ...]


def looks(
    suite: BoardSuite,
    toolchain: Toolchain,
    limits: ReplayLimits,
    scratch: Path,
    build: Callable[[Path, Sequence[str]], Compiled],
) -> tuple[BoardLook, ...]:
    """What was seen, a look for each trait. `build`: compiles the suite for this machine, with more flags."""
    own = scratch / "own"
    done = build(own, ())
    if done.code:
        return (BoardLook(Trait.HOST, note=f"The suite for boards does not compile: {_first_error(done.messages)}"),)
    alone = _passing_alone(own, suite.tests, limits, scratch)
    together = _passing_together(own, limits, scratch)
    known = tuple(each for each in suite.tests if each in alone)
    found = [
        BoardLook(Trait.HOST, tuple(each for each in suite.tests if each not in alone)),
        BoardLook(Trait.PROCESS, tuple(each for each in known if each not in together)),
    ]
    other = _SIGNED if _UNSIGNED in suite.words else _UNSIGNED
    steps: tuple[tuple[Trait, Callable[[Path], Compiled], ReplayLimits], ...] = (
        (Trait.CHAR, lambda made: build(made, (other,)), limits),
        (Trait.LONG, lambda made: _built_small(toolchain, suite, made), _without_calls(limits)),
    )
    for trait, compiled, within in steps:
        made = scratch / trait.name.lower()
        done = compiled(made)
        try:
            why = _first_error(done.messages) if done.code else ""
            is_strict = {_CALLS, _NAMESPACES} <= {*limits.confinement.grants}
            why = "--sandbox strict runs no programs of 32 bits" if trait is Trait.LONG and is_strict else why
            passing = frozenset[str]() if why else _passing_alone(made, known, within, scratch)
        except ExecutorError:
            why = "this machine does not run such programs"
        if why:
            found.append(BoardLook(trait, note=f"Whether tests depend on {trait} is not known: {why}."))
        else:
            found.append(BoardLook(trait, tuple(each for each in known if each not in passing)))
    return tuple(found)


def _built_small(toolchain: Toolchain, suite: BoardSuite, made: Path) -> Compiled:
    """With a long and pointers of 32 bits. The first time zig makes its library of C for that, half a minute."""
    at = suite.words.index(suite.path.name)
    words = (*suite.words[:at], str(suite.path), *suite.words[at + 1 :])
    return run(toolchain, (*_SMALL, *LENIENT, "-w", *words, "-o", str(made)), suite.path.parent)


def _without_calls(limits: ReplayLimits) -> ReplayLimits:
    """The filter of system calls knows those of 64 bits alone: namespaces stand in its place, where the kernel grants
    them (docs/security.md)."""
    confinement = limits.confinement
    if confinement.launcher is None or _CALLS not in confinement.grants:
        return limits
    beside = (_NAMESPACES,) if granted(confinement.launcher)[_NAMESPACES] else ()
    grants = (*(each for each in confinement.grants if each != _CALLS), *beside)
    return replace(limits, confinement=replace(limits.confinement, grants=grants))


def _passing_alone(executable: Path, tests: Sequence[str], limits: ReplayLimits, folder: Path) -> frozenset[str]:
    """Those that pass, each in a process of its own."""
    seen = ((name, launched(executable, (name,), limits, folder)) for name in tests)
    return frozenset(name for name, each in seen if each.status == 0 and name in _passed(each.output))


def _passing_together(executable: Path, limits: ReplayLimits, folder: Path) -> frozenset[str]:
    """Those that pass in one process, one behind the other; what comes behind one that crashes does not."""
    return _passed(launched(executable, (), limits, folder).output)


def _passed(output: bytes) -> frozenset[str]:
    return frozenset(each["name"].decode(errors="replace") for each in _PASSED.finditer(output))


def _first_error(messages: str) -> str:
    found = next(
        (line for line in messages.splitlines() if "error:" in line), messages.strip()[-200:] or "no reason given"
    )
    return found.rpartition("error: ")[2]
