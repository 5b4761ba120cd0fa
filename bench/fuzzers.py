"""Fuzzers on a harness of ours, and gcov's count of the branches that inputs take in it: the same for every tool.

The harness gets the bytes of an input one klee_make_symbolic after the other (subjects/fuzz_main.c), or is a fuzz
target itself (subjects/targets). Nobody has a sanitizer: branches are compared. libFuzzer wants clang with libclang-rt,
AFL++ wants afl-clang-fast (Debian has both).
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from veer.model.buildoptions import BuildOptions
from veer.toolchain.runtime import INCLUDE

SHIM = Path(__file__).parent / "subjects" / "fuzz_main.c"
TARGETS = Path(__file__).parent / "subjects" / "targets"
CLANGS = ("clang", *(f"clang-{number}" for number in range(22, 13, -1)))
_SLACK = 60.0  # seconds that a fuzzer may take to end
_INPUTS_A_CALL = 2000


@dataclass(frozen=True)
class Inputs:
    """What a tool left behind. `runs`: as it says itself, 0 = it does not."""

    inputs: tuple[bytes, ...]
    runs: int = 0


OF_AFL = {
    "AFL_SKIP_CPUFREQ": "1",
    "AFL_NO_UI": "1",
    "AFL_NO_AFFINITY": "1",
    "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES": "1",
    "AFL_QUIET": "1",
}
"""The environment that afl-fuzz wants on a machine that is not set up for it, and without a screen."""

Fuzz = Callable[[BuildOptions, float, int, Path], Inputs]
"""(harness and parser, seconds, most bytes, a scratch directory) → what was found."""


def fuzzers() -> dict[str, Fuzz]:
    """Those that are on the PATH."""
    found: dict[str, Fuzz] = {}
    if _clang():
        found["libFuzzer"] = libfuzzer
    if shutil.which("afl-clang-fast") and shutil.which("afl-fuzz"):
        found["AFL++"] = aflplusplus
    return found


def libfuzzer(build: BuildOptions, seconds: float, size: int, scratch: Path) -> Inputs:
    """libFuzzer as its manual begins: -O1, no dictionary, no seeds."""
    program = _built(build, [str(_clang()), "-g", "-O1", "-fsanitize=fuzzer"], scratch / "libfuzzer")
    corpus = scratch / "corpus"
    corpus.mkdir()
    runs, end = 0, time.monotonic() + seconds
    while (left := end - time.monotonic()) > 1:  # it ends with the first crash
        command = [str(program), f"-max_len={size}", f"-max_total_time={left:.0f}", "-print_final_stats=1"]
        command += [f"-seed={1 + runs}", f"-artifact_prefix={scratch}/found-", str(corpus)]
        done = subprocess.run(command, capture_output=True, timeout=left + _SLACK, cwd=scratch, check=False)
        text = done.stderr.decode(errors="replace")
        told = [line.split()[-1] for line in text.splitlines() if line.startswith("stat::number_of_executed_units")]
        runs += int(told[0]) if told else 0
    files = [*sorted(corpus.iterdir()), *sorted(scratch.glob("found-*"))]
    return Inputs(tuple(file.read_bytes() for file in files), runs)


def aflplusplus(build: BuildOptions, seconds: float, size: int, scratch: Path) -> Inputs:
    """afl-fuzz in persistent mode, from one seed of zeros."""
    program, seeds, out = built_for_afl(build, scratch), scratch / "seeds", scratch / "out"
    seeds.mkdir()
    (seeds / "zeros").write_bytes(bytes(min(size, 8)))
    command = ["afl-fuzz", "-i", str(seeds), "-o", str(out), "-V", f"{seconds:.0f}", "-G", str(size), "-s", "1"]
    command += ["--", str(program)]
    subprocess.run(command, capture_output=True, timeout=seconds + _SLACK, env=os.environ | OF_AFL, check=False)
    files = [*out.glob("default/queue/id*"), *out.glob("default/crashes/id*"), *out.glob("default/hangs/id*")]
    stats = out / "default" / "fuzzer_stats"
    told = (
        [line.split()[-1] for line in stats.read_text().splitlines() if line.startswith("execs_done")]
        if stats.exists()
        else []
    )
    return Inputs(tuple(file.read_bytes() for file in sorted(files)), int(told[0]) if told else 0)


def built_for_afl(build: BuildOptions, scratch: Path) -> Path:
    """The program that afl-fuzz runs, in persistent mode."""
    command = ["afl-clang-fast", "-g", "-O1", "-fsanitize=fuzzer"]
    return _built(build, command, scratch / "afl", os.environ | OF_AFL)


def branches_by_gcov(build: BuildOptions, inputs: Sequence[bytes]) -> tuple[int, int]:
    """How many branches of the parser, not the harness, these inputs take, and how many there are.

    Raises CalledProcessError when gcc or gcov fails.
    """
    with tempfile.TemporaryDirectory(prefix="veer-gcov-") as folder:
        scratch = Path(folder)
        objects = []
        for number, source in enumerate(build.sources[1:]):
            target = scratch / f"{number}-{source.stem}.o"
            command = ["gcc", "-g", "-O0", "--coverage", *_flags(build), "-c", str(source), "-o", str(target)]
            subprocess.run(command, check=True, capture_output=True, timeout=300, cwd=scratch)
            objects.append(str(target))
        program = scratch / "replay"
        command = ["gcc", "-g", "-O0", "-DREPLAYS=1", *_harness(build), *_flags(build), str(SHIM), *objects]
        command += ["--coverage", "-o", str(program), "-lm"]
        subprocess.run(command, check=True, capture_output=True, timeout=300, cwd=scratch)
        names = []
        for number, data in enumerate(inputs):
            (scratch / f"input-{number}").write_bytes(data)
            names.append(f"input-{number}")
        for first in range(0, len(names), _INPUTS_A_CALL):
            subprocess.run(
                [str(program), *names[first : first + _INPUTS_A_CALL]],
                cwd=scratch,
                timeout=600,
                check=False,
                capture_output=True,
            )
        return _counted(scratch, objects)


def _counted(scratch: Path, objects: Sequence[str]) -> tuple[int, int]:
    taken: dict[tuple[str, int, int, int], bool] = {}
    for target in objects:
        done = subprocess.run(
            ["gcov", "-b", "-c", "--json-format", "--stdout", target],
            cwd=scratch,
            capture_output=True,
            timeout=300,
            check=True,
        )
        for text in filter(None, done.stdout.decode().splitlines()):
            for file in json.loads(text)["files"]:
                for line in file["lines"]:
                    for number, branch in enumerate(line["branches"]):
                        key = (target, file["file"], line["line_number"], number)
                        taken[key] = taken.get(key, False) or branch["count"] > 0
    return sum(taken.values()), len(taken)


def _built(
    build: BuildOptions, compiler: Sequence[str], target: Path, environment: dict[str, str] | None = None
) -> Path:
    sources = [str(SHIM), *map(str, build.sources[1:])]
    command = [*compiler, *_harness(build), *_flags(build), *sources, "-o", str(target), "-lm"]
    subprocess.run(command, check=True, capture_output=True, timeout=300, env=environment)
    return target


def _harness(build: BuildOptions) -> list[str]:
    kind = "TARGET" if build.sources[0].parent == TARGETS else "HARNESS"
    return [f'-D{kind}="{build.sources[0]}"']


def _flags(build: BuildOptions) -> list[str]:
    return ["-w", *(f"-I{directory}" for directory in (*build.include, INCLUDE)), *build.cflags]


def _clang() -> str | None:
    """A clang that has libFuzzer."""
    for name in CLANGS:
        path = shutil.which(name)
        if path is None:
            continue
        said = subprocess.run([path, "-print-runtime-dir"], capture_output=True, text=True, timeout=60, check=False)
        if list(Path(said.stdout.strip()).glob("libclang_rt.fuzzer*")):
            return path
    return None
