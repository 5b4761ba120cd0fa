"""How many workers one coordinator feeds: python bench/cluster_model.py [--ray] [NAME=SIZE].

First what a letter, a commit, and a part that is given away cost the coordinator, the courier and a searcher, measured
on a search of this machine. Then a simulation by these costs: one coordinator and one courier, each of which does one
thing at a time; work, in seconds of one worker, that is dealt out unevenly, and divided at a random place when one has
nothing to do.
"""

from __future__ import annotations

import argparse
import heapq
import math
import os
import random
import statistics
import time
from pathlib import Path
from typing import Any

from common import SUBJECTS, Printer
from msgspec import Struct

from veer.frontends.c import build as front_end
from veer.model.buildoptions import BuildOptions
from veer.model.searchoptions import SearchOptions
from veer.model.values import replace
from veer.search.cluster.commits import final, half_of, sent
from veer.search.cluster.dispatch import PROCESSES, RAY, Dispatch
from veer.search.cluster.letters import (
    Commit,
    Look,
    Told,
    findings_in,
    found_of,
    packed,
    read,
    unpacked,
    written,
)
from veer.search.cluster.transport import LOCAL
from veer.search.compaction import tree_memory
from veer.search.explorer import Pause
from veer.search.memory import BoundedSearch, deepest_first
from veer.search.parallel.encoding import PlainPart, restored_findings, restored_part
from veer.search.parallel.merge import merge
from veer.search.parallel.part import give, waiting
from veer.search.settings import configure
from veer.search.tools import local_scene
from veer.toolchain import compiler
from veer.wire.shared import Shared

_MEMORY, _WAITING = 256 << 20, 12 << 20  # as search/cluster/farworker.py has them


class Costs(Struct, frozen=True):
    """Seconds of a processor. `commit_bytes`: of a commit on the wire."""

    letter: float
    courier: float
    commit: float
    commit_of_searcher: float
    gift: float
    commit_bytes: float


def clock() -> float:
    """Seconds of a processor of this process."""
    return time.process_time()


def measured(name: str, size: int, rounds: int, courier: float) -> Costs:
    """Commits of a search after each half second: what they cost who sends and who takes them."""
    build = BuildOptions(sources=(SUBJECTS / f"{name}.c",), entry="main", define=(f"SIZE={size}",))
    program = front_end.build(build, compiler.find(None))
    options = SearchOptions(budget=600.0, campaign_memory=_MEMORY, waiting_memory=_WAITING, hybrid=False)
    sends, takes, gifts, lengths = [], [], [], []
    with Shared() as main:
        configure(main, program, build, options)
        scene = local_scene(main, program, options)
        search = BoundedSearch(scene)
        search.search(lambda waits: waits >= 64)
        search.close()
        part = give(main, waiting(main), scene.edge_count)
        for _ in range(rounds):
            is_tight = tree_memory(part.shared) > _WAITING
            own = deepest_first(options) if is_tight else options
            search = BoundedSearch(replace(scene, shared=part.shared, options=own))
            kind = search.search(_until(time.monotonic() + 0.5))
            search.close()
            if kind is not None:
                break
            began = clock()
            found, part = final(part, scene.edge_count, all_paths=False)
            told = [found_of(each) for each in found]
            letter = Commit(told, packed(sent(part)), None, None, {}, part.shared.counts.runs, 0, b"")
            data = written(letter)
            sends.append(clock() - began)
            began = clock()
            gift = half_of(part, scene.edge_count)
            if gift is not None:
                halves = written(replace(letter, findings=[], part=packed(sent(gift))))
                gift.shared.close()
                restored_part(unpacked(_part_of(halves), PlainPart)).shared.close()
            gifts.append(clock() - began)
            began = clock()
            taken = read(data)
            assert isinstance(taken, Commit)
            for each in taken.findings:
                merge(main, restored_findings(findings_in(each)))
            takes.append(clock() - began)
            lengths.append(len(data))
        part.shared.close()
    middle = statistics.median
    return Costs(_letter(), courier, middle(takes), middle(sends), middle(gifts), middle(lengths))


def _until(when: float) -> Pause:
    return lambda open_branches: time.monotonic() >= when


def _part_of(data: bytes) -> Any:
    letter = read(data)
    assert isinstance(letter, Commit)
    return letter.part


def _letter() -> float:
    """What a question and its answer cost the coordinator."""
    look, told = written(Look()), written(Told(1, 2, 3, 4))
    began = clock()
    for _ in range(2000):
        written(Look())
        read(told)
        read(look)
    return (clock() - began) / 2000


def courier_of(transport: str, count: int) -> float:
    """What a letter and its answer cost the courier."""
    environment = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": os.urandom(16).hex(), "RAY_USAGE_STATS_ENABLED": "0"}
    dispatch = Dispatch(transport, LOCAL, 1, environment)
    dispatch.require()
    seat, letter, done, before = dispatch.open(), written(Look()), 0, 0.0
    process = dispatch._process.pid
    while done < count:
        for message in dispatch.messages(1.0):
            if message[0] == "opened":
                before = _ran(process)
                dispatch.send(seat, letter)
            elif message[0] == "answer":
                done += bool(message[2])
                dispatch.send(seat, letter if message[2] else b"")
    ran = _ran(process) - before
    dispatch.close()
    return ran / count


def _ran(process: int) -> float:
    tasks = Path(f"/proc/{process}/task").glob("*/schedstat")
    return sum(int(each.read_text().split()[0]) for each in tasks) / 1e9


class Settings(Struct, frozen=True):
    """Seconds between two letters and between two commits of a worker; `levels`: 2 = each 32 have a coordinator."""

    pause: float = 0.1
    commits: float = 2.0
    levels: int = 1


class Simulation:
    """Workers, of which each has work left; a coordinator that does one thing after the other.

    Letters are a constant load of coordinator and courier; commits and parts queue at the coordinator.
    """

    def __init__(self, workers: int, work: float, costs: Costs, settings: Settings, seed: int = 1) -> None:
        """`work`: seconds of one worker, dealt out unevenly."""
        self._costs, self._settings, self._dice = costs, settings, random.Random(seed)
        self._fan = 32 if settings.levels > 1 else 1
        speakers = math.ceil(workers / self._fan)
        self._commits = max(settings.commits, 25 * costs.commit_of_searcher)
        self._letters = costs.letter * speakers / settings.pause  # share of the coordinator's time
        self.courier = costs.courier * speakers * (1 / settings.pause + 1 / self._commits)
        self._own = 1 - costs.commit_of_searcher / self._commits
        self._events: list[tuple[float, int, str, int, int]] = []
        self._number = 0
        self._free_at = self._busy = 0.0
        self._left, self._since = [0.0] * workers, [0.0] * workers
        self._version = [0] * workers
        self._idle, self._asked = set[int](), set[int]()
        shares = [self._dice.expovariate(1.0) for _ in range(workers)]
        for worker, share in enumerate(shares):
            self._begin(worker, work * share / sum(shares), self._served(0.0, costs.gift))

    def run(self) -> float:
        """When all is done, in seconds."""
        last = 0.0
        while self._events:
            now, _, what, worker, version = heapq.heappop(self._events)
            if version != self._version[worker]:
                continue
            if what == "end":
                now = last = self._served(now, self._costs.commit / self._fan)
                self._version[worker] += 1
                self._left[worker] = 0.0
                self._idle.add(worker)
                self._asked.discard(worker)
                self._ask(now)
            elif what == "commit":
                self._served(now, self._costs.commit / self._fan)
                self._put(now + self._commits, "commit", worker)
            else:
                self._give(now, worker)
        return last

    def busy(self, seconds: float) -> float:
        """The coordinator's share of the time."""
        return min(1.0, self._busy / seconds + self._letters)

    def _served(self, now: float, cost: float) -> float:
        slower = 1 / max(1e-3, 1 - self._letters)
        self._free_at = max(now, self._free_at) + cost * slower
        self._busy += cost
        return self._free_at

    def _put(self, when: float, what: str, worker: int) -> None:
        self._number += 1
        heapq.heappush(self._events, (when, self._number, what, worker, self._version[worker]))

    def _begin(self, worker: int, work: float, now: float) -> None:
        self._left[worker], self._since[worker] = work, now
        self._version[worker] += 1
        self._put(now + work / self._own, "end", worker)
        if work > self._commits:
            self._put(now + self._commits * self._dice.uniform(0.5, 1.0), "commit", worker)

    def _remaining(self, worker: int, now: float) -> float:
        return max(0.0, self._left[worker] - max(0.0, now - self._since[worker]) * self._own)

    def _ask(self, now: float) -> None:
        """The one with most left, for each that has nothing, is to give half away; it hears of that with a letter."""
        while len(self._asked) < len(self._idle):
            others = [each for each in range(len(self._left)) if each not in self._idle and each not in self._asked]
            largest = max(others, key=lambda each: self._remaining(each, now), default=-1)
            if largest < 0 or self._remaining(largest, now) < 0.3:
                return
            self._asked.add(largest)
            self._put(now + self._settings.pause + self._costs.commit_of_searcher, "give", largest)

    def _give(self, now: float, worker: int) -> None:
        self._asked.discard(worker)
        left = self._remaining(worker, now)
        if not self._idle or left < 0.1:
            return
        share = left * self._dice.uniform(0.2, 0.8)
        done = self._served(now, self._costs.commit / self._fan + self._costs.gift)
        self._begin(worker, left - share, now)
        self._begin(self._idle.pop(), share, done)
        self._ask(now)


def simulated(workers: int, work: float, costs: Costs, settings: Settings) -> tuple[float, float, float]:
    """Efficiency, and how busy coordinator and courier are."""
    simulation = Simulation(workers, work, costs, settings)
    seconds = simulation.run()
    stretch = max(1.0, simulation.courier)
    return work / (seconds * stretch) / workers, simulation.busy(seconds), min(1.0, simulation.courier)


def main() -> None:
    """Prints both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", nargs="?", default="json=10")
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--ray", action="store_true", help="the courier's cost by Ray; else by processes")
    given = parser.parse_args()
    name, _, size = given.name.partition("=")
    costs = measured(name, int(size), given.rounds, courier_of(RAY if given.ray else PROCESSES, 100))
    print(f"measured on {name} {size}, milliseconds of a processor:")
    print(f"  a letter and its answer: coordinator {1e3 * costs.letter:.3f}, courier {1e3 * costs.courier:.3f}")
    print(f"  a commit of {costs.commit_bytes / 1e3:.0f} kB: searcher {1e3 * costs.commit_of_searcher:.1f}, ", end="")
    print(f"coordinator {1e3 * costs.commit:.2f}; half of a part that is given away: {1e3 * costs.gift:.1f} more")
    variants = (
        ("as it is", Settings()),
        ("letters each 1 s, commits each 20 s", Settings(1.0, 20.0)),
        ("the same, a coordinator for each 32 workers below the first", Settings(1.0, 20.0, 2)),
    )
    for title, settings in variants:
        print(f"\n{title}: simulated, 60 s of work for each worker")
        table = Printer((("workers", 8), ("efficiency", 10), ("coordinator", 11), ("courier", 8)))
        for workers in (1, 2, 8, 32, 100, 200, 500, 1000):
            efficiency, coordinator, courier = simulated(workers, 60.0 * workers, costs, settings)
            table.row((workers, f"{efficiency:.2f}", f"{100 * coordinator:.0f} %", f"{100 * courier:.0f} %"))
    per_worker = costs.letter / 0.1 + costs.commit / max(2.0, 25 * costs.commit_of_searcher)
    print(f"\ncoordinator full at {1 / per_worker:.0f} workers, courier at {1 / (costs.courier / 0.1):.0f}")


if __name__ == "__main__":
    main()
