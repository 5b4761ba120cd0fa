"""KLEE on a harness of ours, where `klee` and `clang` are on the PATH."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from veer.model.buildoptions import BuildOptions
from veer.toolchain.runtime import INCLUDE


@dataclass(frozen=True)
class KleeRun:
    """Completed paths and wall seconds, the compiler's aside."""

    paths: int
    seconds: float

    @property
    def speed(self) -> float:
        """Paths a second."""
        return self.paths / max(self.seconds, 1e-6)


def is_here() -> bool:
    """Whether both programs can be started."""
    return bool(shutil.which("klee") and shutil.which("clang"))


def explored(build: BuildOptions, search: str, budget: float) -> KleeRun:
    """KLEE's search of this name, "" = its default.

    Raises:
        RuntimeError: KLEE does not say how many paths it completed.
        CalledProcessError: clang does not compile the harness.
    """
    with tempfile.TemporaryDirectory() as scratch:
        modules = [_module(source, build, Path(scratch)) for source in build.sources]
        flags = [
            f"--max-time={budget:.0f}s",
            f"--output-dir={scratch}/out",
            *([f"--search={search}"] if search else []),
        ]
        links = [f"--link-llvm-lib={module}" for module in modules[1:]]
        command = ["klee", *flags, "--libc=klee", *links, modules[0]]
        start = time.monotonic()
        done = subprocess.run(command, capture_output=True, text=True, timeout=budget + 120, check=False)
        seconds = time.monotonic() - start
    found = re.search(r"completed paths = (\d+)", done.stderr)
    if found is None:
        raise RuntimeError(f"klee ended with {done.returncode} and told no number of paths: {done.stderr[-300:]}")
    return KleeRun(int(found.group(1)), seconds)


def _module(source: Path, build: BuildOptions, scratch: Path) -> str:
    target = str(scratch / f"{source.stem}.bc")
    where = [f"-I{directory}" for directory in (INCLUDE, *build.include)]
    flags = ["-emit-llvm", "-c", "-g", "-O0", "-Xclang", "-disable-O0-optnone", *build.cflags, *where]
    subprocess.run(["clang", *flags, str(source), "-o", target], check=True, capture_output=True, timeout=120)
    return target
