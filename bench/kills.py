"""Searches that are killed at random moments and resumed: python bench/kills.py [--kills 1000] [--jobs 1,3] [--seed 0]
[--kinds plain,partitioned,compositional] [--others]

Each search ends by itself, with every path run. One that nobody disturbs says what is to be found; then others are
killed again and again (veer itself; with --others also an executor, a worker, a builder or a compiler of its) and go on
with `--resume`, until one comes to its end. The end must be the same, and no process and no scratch folder may be left.
The seconds between kills are random. Only the plain search has workers; a compositional search cannot be resumed, and
is begun again. Of tests the outcomes are compared: which are kept depends on what was first.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

SUBJECT = (Path(__file__).parent / "subjects/mixed.c").read_text()
_OFTEN = """
import sys
from veer.store import saver
saver._SHORTEST_INTERVAL = 0.1
saver._SHARE = 3
from veer.cli.app import main
sys.exit(main())
"""
"""It saves more often than it would by itself, for most kills are to find something saved."""
_PATIENCE = 20.0
_KINDS = {"plain": (), "partitioned": ("--partitioned",), "compositional": ("--compositional",)}


def found(out: Path) -> dict[str, Any]:
    """What must be the same however often a search was killed."""
    summary = json.loads((out / "summary.json").read_text())
    return {
        "ending": summary["ending"],
        "paths": summary["paths"],
        "coverage": summary["coverage"],
        "bugs": sorted((bug["kind"], bug["line"], bug["confirmed"]) for bug in summary["bugs"]),
        "tests": sorted({test["outcome"] for test in summary["tests"]}),
        "branches": [(branch["id"], branch["state"]) for branch in summary["branches"]],
    }


def processes(text: str) -> dict[int, str]:
    """Those whose words or environment have this text."""
    there = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            words, environment = (folder / "cmdline").read_bytes(), (folder / "environ").read_bytes()
            if text.encode() in words + environment and int(folder.name) != os.getpid():
                there[int(folder.name)] = words.replace(b"\0", b" ").decode(errors="replace")
    return there


class Disturbed:
    """One search under kills, in a folder of its own."""

    def __init__(self, folder: Path, jobs: int, options: Sequence[str], dice: random.Random, *, others: bool) -> None:
        self._folder, self._jobs, self._options, self._dice, self._others = folder, jobs, options, dice, others
        self.kills: Counter[str] = Counter()
        self.left: list[str] = []

    def run(self) -> dict[str, Any]:
        """Kills and resumes it until it ends; what it found then."""
        out = self._folder / "out"
        while True:
            is_saved = (out / "campaign" / "campaign.json").exists()
            words = ["--resume", out] if is_saved else [self._folder / "mixed.c", *self._options, "--out", out]
            if not self._session([*map(str, words), "--quiet", "--jobs", str(self._jobs)]):
                return found(out)

    def _session(self, words: Sequence[str]) -> bool:
        """One session; whether it was killed."""
        scratch = self._folder / "scratch"
        scratch.mkdir(exist_ok=True)
        environment = dict(os.environ, TMPDIR=str(scratch))
        command = subprocess.Popen(
            [sys.executable, "-c", _OFTEN, "test", *words], env=environment, cwd=self._folder, start_new_session=True,
            stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        wait = self._dice.choice((0.5, 1.5, 3.0, 6.0)) * self._dice.random()
        until, killed = time.monotonic() + wait, False
        while command.poll() is None:
            if time.monotonic() >= until:
                killed = self._kill(command.pid, str(scratch))
                until = time.monotonic() + (wait or 0.1)
            with contextlib.suppress(subprocess.TimeoutExpired):
                command.wait(0.02)
        said = command.communicate()[1]
        if command.returncode not in (0, 1, -signal.SIGKILL):
            raise SystemExit(f"code {command.returncode}: {said}")
        self._require_nothing_left(scratch)
        return killed and command.returncode == -signal.SIGKILL

    def _kill(self, process: int, mark: str) -> bool:
        """Kills veer, or something of its; whether it was veer."""
        chosen, name = process, "veer"
        if self._others and self._dice.random() < 0.5:
            below = {
                each: words for each, words in processes(mark).items() if each != process and "keeper" not in words
            }
            below |= dict.fromkeys(executors(process), "executor")
            if below:
                chosen = self._dice.choice(sorted(below))
                name = below[chosen].split()[0].rpartition("/")[2] if below[chosen] else "?"
        with contextlib.suppress(ProcessLookupError):
            os.kill(chosen, signal.SIGKILL)
            self.kills["veer" if chosen == process else name[:12]] += 1
        return chosen == process

    def _require_nothing_left(self, scratch: Path) -> None:
        until = time.monotonic() + _PATIENCE
        while (there := processes(str(scratch))) or list(scratch.iterdir()):
            if time.monotonic() > until:
                self.left += [*there.values(), *map(str, scratch.iterdir())]
                shutil.rmtree(scratch, ignore_errors=True)
                scratch.mkdir()
                return
            time.sleep(0.02)


def executors(process: int) -> list[int]:
    """The executors below a process: they run what the cache has under `executable`."""
    found, waiting = [], [process]
    while waiting:
        with contextlib.suppress(OSError):
            for thread in Path(f"/proc/{waiting.pop()}/task").iterdir():
                children = [int(each) for each in (thread / "children").read_text().split()]
                waiting += children
                found += [each for each in children if b"/executable/" in Path(f"/proc/{each}/cmdline").read_bytes()]
    return found


def main() -> None:
    """Until there were so many kills; then a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--jobs", default="1,3")
    parser.add_argument("--kinds", default="plain,partitioned,compositional")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--length", default="7")
    parser.add_argument("--others", action="store_true")
    given = parser.parse_args()
    jobs_of = {"plain": tuple(map(int, given.jobs.split(",")))}
    cases = [(kind, jobs) for kind in given.kinds.split(",") for jobs in jobs_of.get(kind, (1,))]
    options = {
        kind: ("--entry", "mixed", "--max-length", given.length, *_KINDS[kind]) for kind in given.kinds.split(",")
    }
    kills: Counter[str] = Counter()
    searches = different = 0
    left: list[str] = []
    with tempfile.TemporaryDirectory(prefix="kills-") as place:
        undisturbed = {
            (kind, jobs): _search(Path(place) / f"calm-{kind}{jobs}", jobs, options[kind]) for kind, jobs in cases
        }
        while kills.total() < given.kills:
            kind, jobs = cases[(given.seed + searches) % len(cases)]
            dice = random.Random(f"{given.seed}-{searches}")
            folder = _folder(Path(place) / "disturbed")
            one = Disturbed(folder, jobs, options[kind], dice, others=given.others)
            ended = one.run()
            searches, kills = searches + 1, kills + one.kills
            left += one.left
            if ended != undisturbed[kind, jobs]:
                different += 1
                print(f"search {searches}, {kind}, {jobs} jobs: {ended}", flush=True)
                print(f"undisturbed: {undisturbed[kind, jobs]}", flush=True)
            shutil.rmtree(folder)
            print(
                f"{searches} searches, the last {kind} {jobs}, {kills.total()} kills {dict(kills)},"
                f" {different} different, left: {left}",
                flush=True,
            )
    sys.exit(1 if different or left else 0)


def _folder(place: Path) -> Path:
    place.mkdir()
    (place / "mixed.c").write_text(SUBJECT)
    return place


def _search(place: Path, jobs: int, options: Sequence[str]) -> dict[str, Any]:
    folder = _folder(place)
    words = ["test", "mixed.c", *options, "--out", "out", "--quiet", "--jobs", str(jobs)]
    subprocess.run([sys.executable, "-m", "veer", *words], cwd=folder, check=False, stderr=subprocess.DEVNULL)
    return found(folder / "out")


if __name__ == "__main__":
    main()
