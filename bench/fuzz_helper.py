"""AFL++ and `veer fuzz-helper` beside AFL++ twice: python bench/fuzz_helper.py [--seconds 300] [--repeat 1] [NAME...].

Both sides have two processes, the same time, the same fuzz target (subjects/targets) on the same sources (Debian's,
into --work), and begin with one input of eight zeros. Each tool's build is made before its time begins. Branches are
those that gcov counts where all inputs of all instances are run again, crashes too; with --repeat the medians, the
sides in turn.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from common import Printer
from fuzzers import OF_AFL, TARGETS, branches_by_gcov, built_for_afl
from real_code import SUBJECTS_BY_NAME, WORK, options

from veer.model.buildoptions import BuildOptions
from veer.model.errors import VeerError
from veer.model.values import replace

NAMES = ("cjson", "expat", "http_parser", "libyaml", "yajl", "zlib")
_MOST_BYTES = 4096
_SLACK = 60.0  # seconds that a fuzzer may take to end
_ENVIRONMENT = OF_AFL | {"AFL_SYNC_TIME": "1"}  # minutes, of which the main instance waits a half
_QUEUES = ("queue", "crashes", "hangs")


def target(name: str, work: Path) -> BuildOptions:
    """The fuzz target of a subject and its sources, fetched. Raises VeerError, CalledProcessError."""
    build = options(name, SUBJECTS_BY_NAME[name], work)
    return replace(build, sources=(TARGETS / f"{name}.c", *build.sources[1:]), entry="LLVMFuzzerTestOneInput")


def fuzzed(build: BuildOptions, seconds: float, seed: int, *, with_veer: bool, log: Path) -> tuple[int, int, int]:
    """Branches covered, branches, and what veer gave."""
    with tempfile.TemporaryDirectory(prefix="veer-helper-") as folder:
        scratch = Path(folder)
        program, seeds, out = built_for_afl(build, scratch), scratch / "seeds", scratch / "out"
        seeds.mkdir()
        (seeds / "zeros").write_bytes(bytes(8))
        if with_veer:
            _build(build, scratch, log)
        began = time.monotonic()
        running = [_afl(program, seeds, out, seconds, "-M", "main", seed)]
        while not (out / "main" / "queue").exists() and time.monotonic() < began + seconds:
            time.sleep(0.1)
        left = began + seconds - time.monotonic()
        second = _veer(build, out, left, log) if with_veer else _afl(program, seeds, out, left, "-S", "other", seed + 1)
        running.append(second)
        for each in running:
            try:
                each.wait(max(1.0, began + seconds + _SLACK - time.monotonic()))
            except subprocess.TimeoutExpired:
                each.send_signal(signal.SIGINT)
                each.wait(_SLACK)
        if with_veer and second.returncode:
            raise VeerError(f"veer fuzz-helper ended with {second.returncode}: see {log}")
        files = [file for kind in _QUEUES for file in sorted(out.glob(f"*/{kind}/id*"))]
        taken, total = branches_by_gcov(build, [file.read_bytes() for file in files])
        return taken, total, len(list(out.glob("veer/queue/id*")))


def _afl(program: Path, seeds: Path, out: Path, seconds: float, *instance: object) -> subprocess.Popen[bytes]:
    role, name, seed = map(str, instance)
    command = ["afl-fuzz", "-i", str(seeds), "-o", str(out), "-V", f"{max(1.0, seconds):.0f}", "-G", str(_MOST_BYTES)]
    command += [role, name, "-s", seed, "--", str(program)]
    nothing = subprocess.DEVNULL
    return subprocess.Popen(command, stdout=nothing, stderr=nothing, env=os.environ | _ENVIRONMENT)


def _build(build: BuildOptions, scratch: Path, log: Path) -> None:
    """veer's build, which the run finds in the cache: the same bounds, and one run."""
    corpus = scratch / "nothing"
    corpus.mkdir()
    words = ["--libfuzzer", str(corpus), "--crashes", str(scratch / "none"), "--max-runs", "1", "--once"]
    with log.open("wb") as stream:
        done = subprocess.run(_command(build, *words), stdout=stream, stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        raise VeerError(f"veer's build ended with {done.returncode}: see {log}")


def _veer(build: BuildOptions, out: Path, seconds: float, log: Path) -> subprocess.Popen[bytes]:
    command = _command(build, "--afl", str(out), "--budget", f"{max(1.0, seconds):.0f}s")
    with log.open("wb") as stream:
        return subprocess.Popen(command, stdout=stream, stderr=subprocess.STDOUT)


def _command(build: BuildOptions, *more: str) -> list[str]:
    words = [str(file) for file in build.sources]
    words += [word for folder in build.include for word in ("-I", folder)]
    words += [word for flag in build.cflags for word in ("--cflag", flag)]
    return [sys.executable, "-m", "veer", "fuzz-helper", *words, *more]


def main() -> None:
    """Prints the table line by line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=list(NAMES), metavar="NAME")
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--work", type=Path, default=WORK)
    given = parser.parse_args()
    printer = Printer((("code", 14), ("AFL++ twice", 12), ("AFL++ and veer", 15), ("given", 7), ("of", 6)))
    for name in given.names:
        try:
            build = target(name, given.work)
            rows = [
                [
                    fuzzed(build, given.seconds, 1 + 2 * turn, with_veer=with_veer, log=given.work / f"{name}.log")
                    for with_veer in (False, True)
                ]
                for turn in range(given.repeat)
            ]
        except subprocess.CalledProcessError as error:
            lines = (error.stderr or b"").decode(errors="replace").strip().splitlines()
            print(f"{name}: {' '.join(lines[-1:])}", file=sys.stderr)
            continue
        except VeerError as error:
            print(f"{name}: {error}", file=sys.stderr)
            continue
        twice, beside = ([row[side] for row in rows] for side in (0, 1))
        medians = [f"{median(taken for taken, _, _ in side):.0f}" for side in (twice, beside)]
        printer.row([name, *medians, f"{median(count for _, _, count in beside):.0f}", twice[0][1]])


if __name__ == "__main__":
    main()
