"""The JVM that runs tests again: one process for all of them, and another one behind a hang or an exit."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct, field

from veer.execution.confinement import not_started, tool
from veer.frontends.java.jdk import Jdk, jar, run_java
from veer.model.confinement import OFF, Confinement
from veer.model.errors import ExecutorError
from veer.toolchain.cache import Cache, digest
from veer.toolchain.runtime import ROOT
from veer.toolchain.session import scratch_root

DRIVER = Path(__file__).with_name("driver")
READY = Path(__file__).parents[1] / "ready" / "driver.jar"
"""The driver as a JDK 17 compiles it, for a Java runtime without a compiler."""
INPUTS = ROOT / "suite" / "java" / "inputs"
"""What gives programs their inputs: suites have it, too."""
_FLAGS = ("-Xshare:auto", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx512m", "-XX:-UsePerfData")
_OPENED = ("--add-opens", "java.base/java.util=ALL-UNNAMED")
"""What the driver looks into."""
_START_SECONDS = 60
_WAITS = 6
"""Times its seconds, of a test that waits (VeerReplay.java)."""
_SETTINGS = (Path("/etc/java"), *Path("/etc").glob("java-*"), Path("/sys/fs/cgroup"), Path("/proc/cgroups"))
"""What a JVM reads of a machine's settings."""


class Ran(Struct, frozen=True):
    """What the JVM said of one test.

    `state`: "end", "hang", "exited" (System.exit), "gone" (the process ended otherwise), "failed" (it could not be
    called); `result`: the bits of a number, or empty; `thrown`: a class, or empty; `objects`: bits of the elements of
    the arrays after the call, by object number; `hits`: the counters; `graph`: what the call left behind (graphs.py);
    `varies`: whether it did something else when it was run again.
    """

    state: str
    result: str = ""
    thrown: str = ""
    objects: dict[int, list[int]] = field(default_factory=dict)
    hits: frozenset[int] = frozenset()
    graph: str = ""
    varies: bool = False


def driver_classes(jdk: Jdk, cache: Cache) -> Path:
    """The folder, or jar, with the compiled driver. Raises UsageError, ToolchainError."""
    if not jdk.has_compiler:
        return READY
    sources = sorted((*DRIVER.rglob("*.java"), *INPUTS.rglob("*.java")))
    key = digest("java driver", jdk.identity, *(text for each in sources for text in (each.name, each.read_bytes())))
    found = cache.find("program", key, ".jar")
    if found is not None:
        return found
    with cache.scratch() as scratch:
        run_java((str(jdk.javac), "-nowarn", "-d", str(scratch), *map(str, sources)), "veer's driver does not compile")
        made = {str(file.relative_to(scratch)): file.read_bytes() for file in scratch.rglob("*.class")}
        return cache.write(jar(made), "program", key, ".jar")


def run_all(
    jdk: Jdk,
    driver: Path,
    path: Sequence[Path],
    commands: Sequence[str],
    seconds: float,
    is_stopped: Callable[[], bool] = lambda: False,
    confinement: Confinement = OFF,
    again: int = 0,
) -> dict[str, Ran]:
    """All of these tests, each for at most `seconds`, and `again` so often unless it varies; by name.

    Raises ExecutorError when no JVM can be started.
    """
    found: dict[str, Ran] = {}
    waiting = list(commands)
    while waiting and not is_stopped():
        said = _run(jdk, driver, path, waiting, seconds, confinement, again)
        found |= said
        left = [each for each in waiting if each.partition("\t")[0] not in said]
        if len(left) == len(waiting):
            raise ExecutorError(f"{jdk.java} ended before it ran a test")
        waiting = left
    return found


def _run(
    jdk: Jdk,
    driver: Path,
    path: Sequence[Path],
    commands: Sequence[str],
    seconds: float,
    confinement: Confinement,
    again: int,
) -> dict[str, Ran]:
    words = (
        *_FLAGS,
        *_OPENED,
        f"-Dveer.again={again}",
        "-cp",
        str(driver),
        "VeerReplay",
        str(int(seconds * 1000)),
        *map(str, path),
    )
    limit = _START_SECONDS + _WAITS * seconds * len(commands) * (1 + again)
    try:
        done = run_confined(jdk, words, (driver, *path), limit, confinement, "\n".join(commands) + "\n")
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ExecutorError(f"{jdk.java} cannot be run: {error}") from error
    if why := not_started(done.returncode, done.stderr):
        raise ExecutorError(f"{jdk.java} cannot be started: {why}")
    return _read(done.stdout)


def run_confined(
    jdk: Jdk, words: Sequence[str], readable: Sequence[Path], seconds: float, confinement: Confinement, given: str = ""
) -> subprocess.CompletedProcess[str]:
    """Runs a JVM with these words, which may read these files and write to a folder that goes with it.

    Raises OSError and TimeoutExpired.
    """
    with tempfile.TemporaryDirectory(prefix="veer-jvm-", dir=scratch_root(), ignore_cleanup_errors=True) as scratch:
        command = (str(jdk.java), f"-Djava.io.tmpdir={scratch}", f"-XX:ErrorFile={scratch}/error", *words)
        home = jdk.java.resolve().parents[1]
        started = tool(confinement, command, (home, home.parent, *_SETTINGS, *readable), Path(scratch))
        return subprocess.run(
            started,
            input=given,
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
            start_new_session=True,
        )


def _read(text: str) -> dict[str, Ran]:
    found: dict[str, Ran] = {}
    for line in text.splitlines():
        word, _, rest = line.partition(" ")
        name, *columns = rest.split("\t")
        if word == "begin":
            found[name] = Ran("gone")
        elif word == "exit":
            found[name] = Ran("exited", hits=_hits(columns[0]))
        elif word == "hang":
            found[name] = Ran("hang", hits=_hits(columns[0]))
        elif word == "end":
            found[name] = _ended(*columns)
    return found


def _ended(result: str, thrown: str, objects: str, graph: str, hits: str, varies: str) -> Ran:
    if thrown.startswith("failed "):
        return Ran("failed", thrown=thrown.removeprefix("failed "))
    pairs = (each.partition("=") for each in objects.split())
    kept = {int(number): [int(bits, 16) for bits in values.split(",") if bits] for number, _, values in pairs}
    return Ran("end", result, "" if thrown == "-" else thrown, kept, _hits(hits), graph, bool(varies))


def _hits(text: str) -> frozenset[int]:
    found = set()
    for each in text.split():
        word, _, bits = each.partition("=")
        found |= {64 * int(word) + bit for bit in range(64) if int(bits, 16) >> bit & 1}
    return frozenset(found)
