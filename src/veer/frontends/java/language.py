"""Java as a language (frontends/protocol.py): what `veer.languages` registers under `java`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct, field

from veer.frontends.java import build as building
from veer.frontends.java import entries as listing
from veer.frontends.java.jdk import Jdk, find_jdk
from veer.frontends.java.suite_replay import SuiteReplayer, compiled_suite
from veer.frontends.java.traps import CHECKED_FOR, TRAPS
from veer.frontends.java.units import CLASS, JAR, SOURCE
from veer.frontends.protocol import Built, Entry, Replayer, WrittenSuite
from veer.model.buildoptions import BuildOptions
from veer.model.errors import MissingExtraError, UsageError
from veer.toolchain.compiler import find

_TAKES = (
    "max_array",
    "max_length",
    "stdin_size",
    "graph_depth",
    "has_fast_path",
    "uninstrumented",
    "preconditions",
    "specifications",
    "class_path",
)


class Java(Struct, frozen=True):
    """Static methods of Java sources and class files."""

    name: str = "java"
    title: str = "Java"
    suffixes: tuple[str, ...] = (SOURCE, CLASS, JAR)
    mistaken: Mapping[str, str] = field(default_factory=dict)
    begins: tuple[bytes, ...] = ()
    walks: bool = True
    takes: frozenset[str] = frozenset(_TAKES)
    kept: building.Kept = field(default_factory=building.Kept)

    def entries(self, options: BuildOptions) -> tuple[Entry, ...]:
        """See Language."""
        return listing.entries(options, _jdk(options.sources), find().cache)

    def build(self, options: BuildOptions) -> Built:
        """See Language."""
        jdk = _jdk(options.sources)
        program, files = building.build(options, jdk, find(), self.kept)
        made_by = f"{'javac' if jdk.has_compiler else 'Java'} {jdk.release}"
        return Built(program, options, files, made_by, TRAPS, CHECKED_FOR)

    def replayer(self, built: Built, seconds: float) -> Replayer:
        """See Language."""
        return building.replayer(built, find_jdk(), find(), seconds, self.kept)

    def suite_replayer(self, suite: WrittenSuite, seconds: float, scratch: Path) -> Replayer:
        """See Language."""
        jdk = find_jdk()
        return SuiteReplayer(compiled_suite(suite, jdk, scratch), jdk, seconds, suite.confinement)


def _jdk(sources: Sequence[Path]) -> Jdk:
    """The Java of the machine. Raises MissingExtraError where there is none and a runtime alone would do; of sources,
    which need a compiler, UsageError."""
    try:
        return find_jdk()
    except MissingExtraError as error:
        if any(each.suffix == SOURCE or next(each.rglob(f"*{SOURCE}"), None) is not None for each in sources):
            raise UsageError(str(error)) from error
        raise


JAVA = Java()
