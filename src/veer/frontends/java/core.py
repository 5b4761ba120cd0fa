"""veer's own code in the place of the runtime's: Java sources (`core/`), compiled once for each JDK.

core/java/lang/Throwable.java            the whole class
core/java/lang/Veer_Integer.java         methods and static fields of java.lang.Integer; `init`: a constructor;
                                         those of objects take the object first
core/veer/Engine.java                    what the lowering has IR for
"""

from __future__ import annotations

from pathlib import Path

from veer.frontends.java.jdk import Jdk, jar, run_java
from veer.toolchain.cache import Cache, digest

FOLDER = Path(__file__).with_name("core")
"""The sources."""
ENGINE = "veer/Engine"
READY = Path(__file__).with_name("ready") / "core.jar"
"""The same as a JDK 17 compiles it (ready/), for a Java runtime without a compiler."""
_IN_PLACE = "Veer_"


def core_classes(jdk: Jdk, cache: Cache) -> Path:
    """The jar with the compiled core. Raises UsageError, ToolchainError."""
    if not jdk.has_compiler:
        return READY
    sources = sorted(FOLDER.rglob("*.java"))
    key = digest("java core", jdk.identity, *(text for each in sources for text in (each.name, each.read_bytes())))
    found = cache.find("program", key, ".jar")
    if found is not None:
        return found
    with cache.scratch() as scratch:
        flags = ("-g", "-nowarn", "-encoding", "UTF-8", "--patch-module", f"java.base={FOLDER}", "-d", str(scratch))
        run_java((str(jdk.javac), "-J-Xshare:auto", *flags, *map(str, sources)), "veer's core classes do not compile")
        made = {str(file.relative_to(scratch)): file.read_bytes() for file in scratch.rglob("*.class")}
        return cache.write(jar(made), "program", key, ".jar")


def in_place_of(name: str) -> str:
    """The class whose members stand in the place of another one's."""
    package, _, own = name.rpartition("/")
    return f"{package}/{_IN_PLACE}{own}" if package else ""
