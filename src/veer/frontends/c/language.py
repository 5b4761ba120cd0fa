"""C as a language (frontends/protocol.py): what `veer.languages` registers under `c`."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path

from veer.execution.replay import Limits
from veer.frontends.c import build as builds
from veer.frontends.c.listing import entries
from veer.frontends.c.replay.replayer import c_replayer
from veer.frontends.c.suite_replay import SuiteReplayer
from veer.frontends.c.traps import CHECKED_FOR, TRAPS
from veer.frontends.protocol import Built, Entry, Replayer, WrittenSuite
from veer.model.errors import ToolchainError
from veer.model.options import BuildOptions
from veer.toolchain import compiler
from veer.toolchain.compiler import CXX_SUFFIXES, Compiled, Toolchain, as_cxx, find
from veer.toolchain.runtime import launcher

_COMPILES = re.compile(r"-(?![lLWp])")
"""A flag that is no linker's."""
_HEADER = "is a header; give the C source that defines the function"


@dataclass(frozen=True, slots=True)
class C:
    """C, and entries of C++ that C can call."""

    name: str = "c"
    title: str = "C"
    suffixes: tuple[str, ...] = (*builds.C_SUFFIXES, *CXX_SUFFIXES)
    mistaken: Mapping[str, str] = field(default_factory=lambda: {".h": _HEADER, ".hpp": _HEADER})
    takes: frozenset[str] = frozenset(each.name for each in fields(BuildOptions))

    def entries(self, options: BuildOptions) -> tuple[Entry, ...]:
        """See Language."""
        return entries(options, find(options.cc))

    def build(self, options: BuildOptions) -> Built:
        """See Language."""
        toolchain = find(options.cc)
        program = builds.build(options, toolchain)
        return Built(program, options, builds.files_read(program, toolchain), toolchain.name, TRAPS, CHECKED_FOR)

    def replayer(self, built: Built, seconds: float) -> Replayer:
        """See Language."""
        return c_replayer(built, find(built.options.cc), seconds)

    def suite_replayer(self, suite: WrittenSuite, seconds: float, scratch: Path) -> Replayer:
        """See Language."""
        name, *words = shlex.split(suite.commands[0])[:-2]
        toolchain = as_cxx(find(None)) if name == "g++" else find(None)
        arguments = [str(suite.path) if word == suite.path.name else word for word in words]
        make = _made_at_once if name == "g++" else _made
        executable = scratch / "suite"
        done = make(toolchain, arguments, executable)
        if done.code:
            raise ToolchainError(f"the suite {suite.path} does not compile:\n{compiler.shorten(done.messages)}")
        return SuiteReplayer(executable, Limits(launcher(toolchain), seconds=seconds))


def _made_at_once(toolchain: Toolchain, arguments: Sequence[str], executable: Path) -> Compiled:
    """What a command makes."""
    given = [*compiler.target_flags(toolchain), *compiler.LENIENT, *arguments, "-o", str(executable)]
    return compiler.run(toolchain, given, executable.parent)


def _made(toolchain: Toolchain, arguments: Sequence[str], executable: Path) -> Compiled:
    """The same of a command that compiles C, but linked as all else.

    zig would make libraries of its own for a program without optimisation: half a minute in a new cache.
    """
    sources = [Path(word) for word in arguments if Path(word).suffix in builds.C_SUFFIXES and not word.startswith("-")]
    flags = [word for word in arguments if Path(word) not in sources]
    objects = []
    for number, source in enumerate(sources):
        objects.append(executable.parent / f"{number}.o")
        done = compiler.compile_object(toolchain, source, objects[-1], flags)
        if done.code:
            return done
    return compiler.link(toolchain, objects, executable, [word for word in flags if not _COMPILES.match(word)])


LANGUAGE = C()
