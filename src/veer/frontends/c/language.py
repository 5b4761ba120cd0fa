"""C as a language (frontends/protocol.py): what `veer.languages` registers under `c`."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from importlib import import_module
from pathlib import Path

from msgspec import Struct, field

from veer.execution.replay import ReplayLimits
from veer.frontends.c import boardlook
from veer.frontends.c import build as builds_of
from veer.frontends.c.boardlook import BoardSuite
from veer.frontends.c.replay.replayer import c_replayer
from veer.frontends.c.suite_replay import SuiteReplayer
from veer.frontends.c.traps import CHECKED_FOR, TRAPS
from veer.frontends.protocol import Built, Entry, Replayer, WrittenSuite
from veer.model.boards import BoardLook
from veer.model.buildoptions import BuildOptions
from veer.model.codekeys import CodeKeys
from veer.model.errors import ToolchainError
from veer.toolchain import compiler
from veer.toolchain.compiler import CXX_SUFFIXES, Compiled, Toolchain, as_cxx, find
from veer.toolchain.compiling import compile_object
from veer.toolchain.cxx import link_cxx
from veer.toolchain.linking import link
from veer.toolchain.runtime import launcher

_SOURCES = (*builds_of.C_SUFFIXES, *CXX_SUFFIXES)
_LISTING = "veer.frontends.c.listing"
_SAYS_LANGUAGE = ("-x", "c", "none")
"""What a command says of a source's language, which its suffix tells as well."""
_HEADERS = (".h", ".hpp", ".hh", ".hxx", ".inc", ".inl", ".def", ".tpl")
_HEADER = "is a header; give the C source that defines the function"


class C(Struct, frozen=True):
    """C, and entries of C++ that C can call."""

    name: str = "c"
    title: str = "C"
    suffixes: tuple[str, ...] = _SOURCES
    mistaken: Mapping[str, str] = field(default_factory=lambda: dict.fromkeys(_HEADERS, _HEADER))
    begins: tuple[bytes, ...] = ()
    walks: bool = False
    takes: frozenset[str] = frozenset(each.name for each in fields(BuildOptions)) - {
        "prototype",
        "jump_targets",
        "arch",
        "base",
        "ram",
        "class_path",
    }

    def entries(self, options: BuildOptions) -> tuple[Entry, ...]:
        """See Language."""
        # It reads sources, which who tests one entry that is built need not: a tenth of what loading takes.
        entries: Callable[[BuildOptions, Toolchain], tuple[Entry, ...]] = import_module(_LISTING).entries
        return entries(options, find(options.cc))

    def build(self, options: BuildOptions) -> Built:
        """See Language."""
        toolchain = find(options.cc)
        program = builds_of.build(options, toolchain, prepares_replay=not options.own_structs)
        return Built(program, options, builds_of.files_read(program, toolchain), toolchain.name, TRAPS, CHECKED_FOR)

    def keys(self, builds: Sequence[BuildOptions]) -> CodeKeys | None:
        """See Keyed."""
        return builds_of.keys(builds, find(builds[0].cc)) if builds else None

    def replayer(self, built: Built, seconds: float) -> Replayer:
        """See Language."""
        return c_replayer(built, find(built.options.cc), seconds)

    def suite_replayer(self, suite: WrittenSuite, seconds: float, scratch: Path) -> Replayer:
        """See Language."""
        name, *words = shlex.split(suite.commands[0])[:-2]
        toolchain, executable = find(None), scratch / "suite"
        done = _compiled(toolchain, words, suite.path, executable, is_cxx=name == "g++")
        if done.code:
            raise ToolchainError(f"the suite {suite.path} does not compile:\n{compiler.shorten(done.messages)}")
        limits = ReplayLimits(launcher(toolchain), seconds=seconds, confinement=suite.confinement)
        return SuiteReplayer(executable, limits, suite.allocates)

    def board_looks(
        self, suite: WrittenSuite, tests: Sequence[str], seconds: float, scratch: Path
    ) -> tuple[BoardLook, ...]:
        """See LooksAtBoards."""
        toolchain = find(None)
        words = shlex.split(suite.commands[0])[1:-2]
        at = words.index(suite.path.name)
        limits = ReplayLimits(launcher(toolchain), seconds=seconds, confinement=suite.confinement)

        def build(executable: Path, flags: Sequence[str]) -> Compiled:
            return _compiled(toolchain, (*words[:at], *flags, *words[at:]), suite.path, executable, is_cxx=False)

        return boardlook.looks(BoardSuite(suite.path, words, tuple(tests)), toolchain, limits, scratch, build)


def _compiled(toolchain: Toolchain, words: Sequence[str], suite: Path, executable: Path, *, is_cxx: bool) -> Compiled:
    """What a suite's command makes (FLAGS SUITE SOURCES LIBRARIES), linked as all else, but at other addresses: other
    compilers do so, and a test that an address decides is none.

    zig would make libraries of its own for a program that one command compiles and links without optimisation: half a
    minute in a new cache.
    """
    at = words.index(suite.name)
    flags, others = [word for word in words[:at] if word not in _SAYS_LANGUAGE], words[at + 1 :]
    sources = [suite, *(Path(word) for word in others if Path(word).suffix in _SOURCES)]
    objects = []
    for number, source in enumerate(sources):
        objects.append(executable.parent / f"{number}.o")
        done = compile_object(toolchain, source, objects[-1], flags)
        if done.code:
            return done
    libraries = [word for word in others if Path(word) not in sources and word not in _SAYS_LANGUAGE]
    linked = link_cxx if is_cxx else link
    return linked(as_cxx(toolchain) if is_cxx else toolchain, objects, executable, libraries, is_apart=True)


LANGUAGE = C()
