"""A search on a cluster, measured and disturbed: python bench/cluster.py efficiency|overhead|kills|driver|head [...].

    efficiency    json 10 (40 s of it) and regexp 12 with two workers of `--cluster local` against one: at least 1.7
    overhead      one worker of `--cluster local` against none, on regexp 13: at most 10 %; Ray's start stands apart
    kills         1, 2 and 3 nodes, each in a network namespace of its own: searchers, actors and nodes are killed at
                  random, nodes are cut off; paths, edges, bugs and the counts of all nodes stay the same (root)
    driver        veer itself is killed at random and resumed, on two such nodes (root)
    head          Ray's head is killed in the middle of a search (root)

Searches are the plain one. All but json 10 are exhausted, so that all do the same work.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from cluster_nodes import Nodes
from common import SUBJECTS, Printer
from jobs import Demand
from msgspec import Struct

from veer.frontends.c import build as front_end
from veer.model.buildoptions import BuildOptions
from veer.model.searchoptions import SearchOptions
from veer.model.values import replace
from veer.search.cluster.workers import gather
from veer.search.node_counts import NodeCounts
from veer.search.parallel.findings import new_paths
from veer.search.plain import PLAIN
from veer.search.settings import configure
from veer.search.tools import local_scene
from veer.toolchain import compiler
from veer.wire.layout import State
from veer.wire.shared import Shared

_SECONDS = 40.0


class Outcome(Struct, frozen=True):
    """What a search found, and what it took: seconds, and seconds of all processes."""

    found: str
    kind: str
    paths: int
    runs: int
    seconds: float
    processor: float
    notes: tuple[str, ...]


def searched(name: str, size: int, options: SearchOptions) -> Outcome:
    """One search. What it found is a digest over paths, edges, bugs, and nodes by edge and state."""
    build = BuildOptions(sources=(SUBJECTS / f"{name}.c",), entry="main", define=(f"SIZE={size}",))
    program = front_end.build(build, compiler.find(None))
    with Shared() as shared:
        configure(shared, program, build, options)
        began = time.perf_counter()
        with Demand() as demand:
            one = PLAIN.run(local_scene(shared, program, options))
        seconds = time.perf_counter() - began
        counts = one.counts or NodeCounts.of(shared, 2 * len(program.sites))
        reports = shared.published("reports")
        bugs = sorted(zip(reports["outcome"].tolist(), reports["site"].tolist(), strict=True))
        digest = hashlib.sha256(repr(bugs).encode())
        for part in (shared.published("edge_seen"), counts.table[:, : State.ELSEWHERE]):
            digest.update(part.tobytes())
        if options.criterion == "path":
            digest.update(new_paths(shared).tobytes())
        ran = demand.seconds()[0]
        found = f"{digest.hexdigest()[:12]} {one.paths}"
        return Outcome(found, one.kind.value, one.paths, shared.counts.runs, seconds, ran, one.notes)


def joined(options: SearchOptions) -> float:
    """Seconds until the cluster is there."""
    began = time.perf_counter()
    gather(options)()
    return time.perf_counter() - began


def efficiency(given: argparse.Namespace) -> bool:
    """Two workers against one. On a machine that others use, too, seconds say little: the processor time of a path, of
    all processes with Ray's, says what two workers cost more."""
    columns = (("subject", 10), ("paths", 8), ("start", 6), ("1 worker", 9), ("2 workers", 9), ("ratio", 6))
    table = Printer((*columns, ("CPU us/path", 12)))
    good = True
    for name, _, size in (each.partition("=") for each in given.names or ("json=10", "regexp=12")):
        outcomes, starts = [], []
        for jobs in (1, 2):
            options = SearchOptions(budget=min(given.budget, _SECONDS), jobs=jobs, cluster="local")
            starts.append(joined(options))
            outcomes.append(searched(name, int(size), options))
        one, two = outcomes
        ratio = (two.paths / two.seconds) / (one.paths / one.seconds)
        good &= ratio >= 1.7
        cells = (f"{one.seconds:.1f}", f"{two.seconds:.1f}", f"{ratio:.2f}")
        a_path = " ".join(f"{1e6 * each.processor / each.paths:.2f}" for each in outcomes)
        table.row((f"{name} {size}", one.paths, f"{max(starts):.1f}", *cells, a_path))
        good &= one.kind != two.kind or one.found == two.found or one.kind != "exhausted"
    return good


def overhead(given: argparse.Namespace) -> bool:
    """One worker against a search alone."""
    name, _, size = (given.names or ["regexp=13"])[0].partition("=")
    far = SearchOptions(budget=given.budget, cluster="local")
    start = joined(far)
    ratios = []
    for _ in range(given.count or 1):
        alone = searched(name, int(size), SearchOptions(budget=given.budget, hybrid=False))
        one = searched(name, int(size), far)
        ratios.append((one.seconds / one.paths) / (alone.seconds / alone.paths))
        print(
            f"{name} {size}: alone {alone.seconds:.1f} s ({alone.processor:.1f} of a processor), one worker of a"
            f" cluster {one.seconds:.1f} s ({one.processor:.1f}): {100 * ratios[-1] - 100:+.1f} %;"
            f" Ray's start {start:.1f} s",
            flush=True,
        )
    return min(ratios) <= 1.1


def _slower() -> float:
    """How many times as long a searcher takes to begin as on a free machine: it is to be killed at work, too."""
    return max(1.0, os.getloadavg()[0] / 2 / (os.cpu_count() or 1))


class Killer:
    """Kills something of the nodes again and again while the context lasts."""

    def __init__(self, nodes: Nodes, count: int, most: int, seed: int) -> None:
        self._nodes, self._count, self._most = nodes, count, most
        self._random = random.Random(seed)
        self._over = threading.Event()
        self.killed: dict[str, int] = {"searcher": 0, "actor": 0, "node": 0, "cut": 0}

    @contextlib.contextmanager
    def at_work(self) -> Iterator[None]:
        """Kills while the context lasts."""
        self._over.clear()
        thread = threading.Thread(target=self._work)
        thread.start()
        try:
            yield
        finally:
            self._over.set()
            thread.join()

    @property
    def total(self) -> int:
        """How many there were."""
        return sum(self.killed.values())

    def _work(self) -> None:
        while not self._over.wait(self._random.uniform(0.5, 2.5) * _slower()) and self.total < self._most:
            number = self._random.randint(1, self._count)
            what = self._random.random()
            if what < 0.06 and self._count > 1:
                self._nodes.kill(number)
                self.killed["node"] += 1
                self._nodes.start(number)
            elif what < 0.08 and self._count > 1:
                self._nodes.cut(number)
                self.killed["cut"] += 1
                self._over.wait(30.0)
                self._nodes.kill(number)
                self._nodes.join(number)
                self._nodes.start(number)
            elif victims := self._nodes.searchers(number):
                victim = self._random.choice(victims)
                line = Path(f"/proc/{victim}/cmdline")
                kind = "actor" if line.exists() and line.read_bytes().startswith(b"ray::") else "searcher"
                with contextlib.suppress(ProcessLookupError):
                    os.kill(victim, signal.SIGKILL)
                    self.killed[kind] += 1


def kills(given: argparse.Namespace) -> bool:
    """The same paths and bugs, whatever is killed."""
    name, _, size = (given.names or ["json=8"])[0].partition("=")
    options = SearchOptions(budget=given.budget, criterion="path", campaign_memory=4 << 30)
    alone = searched(name, int(size), options)
    print(f"{name} {size} alone: {alone.found} in {alone.seconds:.1f} s", flush=True)
    good, total = True, 0
    for count in given.nodes:
        with Nodes(count) as nodes:
            far = replace(options, jobs=count, cluster=nodes.address)
            joined(far)
            killer = Killer(nodes, count, (given.count or 100) // len(given.nodes) + 1, given.seed + count)
            searches = 0
            while killer.total < (given.count or 100) // len(given.nodes) + 1:
                with killer.at_work():
                    found = searched(name, int(size), far)
                searches += 1
                same = (found.found, found.kind) == (alone.found, alone.kind)
                good &= same
                print(f"  {count} nodes: {found.found} {found.seconds:.1f} s {killer.killed} {found.notes}", flush=True)
            total += killer.total
            print(f"{count} nodes: {searches} searches, {killer.killed}", flush=True)
    print(f"{total} kills: {'the same each time' if good else 'DIFFERENT'}")
    return good


def command(name: str, size: str, out: Path, *more: str) -> list[str]:
    """The command of a campaign."""
    source = str(SUBJECTS / f"{name}.c")
    words = ("test", source, "--entry", "main", "-D", f"SIZE={size}", "--no-shrink", "--no-grow")
    return [sys.executable, "-m", "veer", *words, "--budget", "300s", "--out", str(out), "--quiet", *more]


def told(out: Path) -> str:
    """What summary.json says of paths, nodes and bugs."""
    found = json.loads((out / "summary.json").read_text())
    bugs = sorted((bug["kind"], bug["line"]) for bug in found["bugs"])
    return repr(
        (found["paths"], found["ending"]["kind"], found["ending"]["claim"], bugs, found["coverage"]["branches"])
    )


def driver(given: argparse.Namespace) -> bool:
    """veer is killed and resumed."""
    name, _, size = (given.names or ["json=8"])[0].partition("=")
    dice = random.Random(given.seed)
    with tempfile.TemporaryDirectory() as scratch, Nodes(2) as nodes:
        subprocess.run(command(name, size, Path(scratch) / "alone"), check=False)
        alone = told(Path(scratch) / "alone")
        print(f"alone: {alone}", flush=True)
        good, killed, number = True, 0, 0
        joining = joined(SearchOptions(jobs=1, cluster=nodes.address))
        first, last = 2 + 2 * joining, 12 + 4 * joining
        while killed < (given.count or 10):
            number += 1
            out = Path(scratch) / f"{number}"
            more: tuple[str, ...] = ("--cluster", nodes.address, "--jobs", "2")
            while True:
                process = subprocess.Popen(command(name, size, out, *more), stderr=subprocess.DEVNULL)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(dice.uniform(first, last))
                if process.poll() is not None:
                    break
                process.kill()
                process.wait()
                killed += 1
                if (out / "campaign" / "campaign.json").exists():
                    out_words = ("test", "--resume", str(out), "--budget", "300s", "--quiet")
                    more_words = ("--cluster", nodes.address, "--jobs", "2")
                    process = subprocess.Popen([sys.executable, "-m", "veer", *out_words, *more_words])
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        process.wait(dice.uniform(first, last))
                    if process.poll() is not None:
                        break
                    process.kill()
                    process.wait()
                    killed += 1
            same = told(out) == alone
            good &= same
            print(f"  campaign {number}: {'the same' if same else told(out)}, {killed} kills so far", flush=True)
    return good


def head(given: argparse.Namespace) -> bool:
    """Ray's head dies."""
    name, _, size = (given.names or ["json=8"])[0].partition("=")
    options = SearchOptions(budget=given.budget, criterion="path", campaign_memory=4 << 30)
    alone = searched(name, int(size), options)
    with Nodes(2) as nodes:
        far = replace(options, jobs=2, cluster=nodes.address)
        joined(far)
        timer = threading.Timer(given.after, nodes.kill_head)
        timer.start()
        found = searched(name, int(size), far)
        timer.cancel()
    print(f"alone {alone.found}; the head killed after {given.after} s: {found.found} in {found.seconds:.1f} s")
    print(f"notes: {found.notes}")
    return found.found == alone.found


def main() -> None:
    """Runs one of them; exit code 1 where its bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("efficiency", "overhead", "kills", "driver", "head"))
    parser.add_argument("names", nargs="*", metavar="NAME=SIZE")
    parser.add_argument("--budget", type=float, default=600.0)
    parser.add_argument("--count", type=int, default=0, help="of kills (100, driver: 10), of repetitions")
    parser.add_argument("--nodes", type=int, nargs="*", default=[1, 2, 3])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--after", type=float, default=3.0)
    given = parser.parse_args()
    good = {"efficiency": efficiency, "overhead": overhead, "kills": kills, "driver": driver, "head": head}[given.what](
        given
    )
    print(f"load {' '.join(f'{each:.1f}' for each in os.getloadavg())}; {'good' if good else 'NOT GOOD'}")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
