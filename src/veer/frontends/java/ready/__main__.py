"""Writes the jars again: python -m veer.frontends.java.ready, with a JDK 17. Each has the digest of its sources."""

from __future__ import annotations

import sys
from pathlib import Path

from veer.frontends.java.core import READY as CORE
from veer.frontends.java.core import core_classes
from veer.frontends.java.jdk import find_jdk
from veer.frontends.java.ready.sources import core_sources, driver_sources, with_digest
from veer.frontends.java.replay.jvm import READY as DRIVER
from veer.frontends.java.replay.jvm import driver_classes
from veer.toolchain.compiler import find

_RELEASE = 17


def main() -> int:
    """The exit code."""
    jdk, cache = find_jdk(), find().cache
    if jdk.release != _RELEASE or not jdk.has_compiler:
        print(
            f"the jars are made by JDK {_RELEASE}, so that older runtimes can read them: set JAVA_HOME", file=sys.stderr
        )
        return 2
    _write(CORE, core_classes(jdk, cache), core_sources())
    _write(DRIVER, driver_classes(jdk, cache), driver_sources())
    return 0


def _write(to: Path, made: Path, sources: list[Path]) -> None:
    to.write_bytes(with_digest(made, sources))


if __name__ == "__main__":
    sys.exit(main())
