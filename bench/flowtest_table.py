"""FlowTest's table 1 again: subjects of its four kinds, searched whole and block by block.

    python bench/flowtest_table.py [--budget 20] [SUBJECT...]

Columns: bytes of input; blocks (and inputs shared by all of them); branches reached, plain and by blocks; paths and
seconds of the search, plain and by blocks; paths that were run again for facts; what a run takes by blocks, those that
were run again among them, and how much longer that is than in a plain search from the same base, of as many runs. A
search that its budget ended has a `>`. Ends with 1 if the search by blocks has not reached what the plain one reached.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from common import SUBJECTS, table

from veer.campaign.session import instrumented
from veer.frontends.c import build as front_end
from veer.model.buildoptions import BuildOptions
from veer.model.ending import EndingKind
from veer.model.program import Program
from veer.model.searchoptions import SearchOptions
from veer.search.coverage import Items
from veer.search.ending import ending
from veer.search.explorer import Explorer
from veer.search.goal import goal_sites
from veer.search.partitioned.division import BlockDivision
from veer.search.partitioned.search import division_of
from veer.search.settings import configure
from veer.search.tools import local_scene
from veer.toolchain import compiler
from veer.wire.shared import Shared

FLOWTEST = SUBJECTS / "flowtest"
ROWS = (
    ("page map", "page_map.c", "page_map", 1024),
    ("protection", "protection.c", "protect", 14),
    ("intrusion", "intrusion.c", "inspect", 22),
    ("telegrams", "telegrams.c", "telegrams", 32),
    ("arp", "printers/arp.c", "arp_print", 28),
    ("icmp", "printers/icmp.c", "icmp_print", 20),
    ("igmp", "printers/igmp.c", "igmp_print", 28),
    ("lease", "printers/lease.c", "lease_print", 15),
    ("name", "printers/name.c", "name_print", 12),
    ("ntp", "printers/ntp.c", "ntp_print", 16),
    ("rip", "printers/rip.c", "rip_table_print", 36),
    ("vrrp", "printers/vrrp.c", "vrrp_print", 20),
)
HEAD = (
    *("subject", "input", "blocks", "branches", "by blocks", "paths", "by blocks", "again"),
    *("time", "by blocks", "a run", "ratio"),
)
_REPEATS = 3  # of searches that are over at once, whose time is that of starting a process


@dataclass(frozen=True)
class Searched:
    """One search. `reached`: the items that it covered, by their places; `seconds` without compilation."""

    seconds: float
    runs: int
    paths: int
    is_over: bool
    claim: str
    reached: frozenset[int]
    total: int
    again: int = 0
    blocks: str = ""
    base: bytes | None = None


def main() -> int:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--budget", type=float, default=20.0, help="seconds of each search")
    parser.add_argument("subjects", nargs="*", help="rows of the table; all if none is named")
    given = parser.parse_args()
    rows, misses = [], []
    for name, file, entry, size in ROWS:
        if given.subjects and name not in given.subjects:
            continue
        plain, found, same = measured(FLOWTEST / file, entry, given.budget)
        rows.append((name, size, *columns(plain, found, same)))
        if not is_as_far(plain, found):
            misses.append(f"{name}: the search by blocks has not reached what the plain one has ({found.claim})")
    print(table(HEAD, rows))
    print("\n".join(misses), file=sys.stderr)
    return int(bool(misses))


def measured(source: Path, entry: str, budget: float) -> tuple[Searched, Searched, Searched]:
    """The plain search, the one by blocks, and a plain one from the same base of as many runs."""
    plain = searched(source, entry, budget)
    found = searched(source, entry, budget, partitioned=True)
    same = searched(source, entry, budget, max_runs=found.runs + found.again, base=found.base)
    for _ in range(_REPEATS if found.seconds < 1 else 0):
        found = min(found, searched(source, entry, budget, partitioned=True), key=_seconds)
        same = min(same, searched(source, entry, budget, max_runs=same.runs, base=found.base), key=_seconds)
    return plain, found, same


def is_as_far(plain: Searched, found: Searched) -> bool:
    """Whether all is reached that the plain search has, and no more if that is all that there is."""
    return found.reached >= plain.reached and (plain.claim != "paths" or found.reached == plain.reached)


def columns(plain: Searched, found: Searched, same: Searched) -> tuple[object, ...]:
    """What the table tells of a subject."""
    a_run = found.seconds / (found.runs + found.again)
    return (
        *(found.blocks, _reached(plain), _reached(found), f"{plain.paths:,}", f"{found.paths:,}", f"{found.again:,}"),
        *(_time(plain), _time(found), f"{a_run * 1e6:.0f}us", f"{a_run / (same.seconds / same.runs):.2f}x"),
    )


def searched(
    source: Path,
    entry: str,
    budget: float,
    *,
    partitioned: bool = False,
    max_runs: int = 0,
    base: bytes | None = None,
) -> Searched:
    """One search; `base`: its first input."""
    build = BuildOptions((source,), entry)
    search = SearchOptions(budget=budget, max_runs=max_runs, search="partitioned" if partitioned else "plain")
    build = instrumented(build, search)
    program = front_end.build(build, compiler.find(None))
    with Shared() as shared:
        configure(shared, program, build, search)
        began = time.perf_counter()
        scene = local_scene(shared, program, search)
        with contextlib.closing(scene.executor()) as executor:
            explorer = Explorer.of(scene, executor, partial(division_of, scene) if partitioned else None)
            if base is not None:
                executor.run(base)
            kind = explorer.search()
        assert kind is not None
        division = explorer.division if isinstance(explorer.division, BlockDivision) else None
        return _told(shared, program, search, kind, time.perf_counter() - began, division)


def _told(
    shared: Shared,
    program: Program,
    search: SearchOptions,
    kind: EndingKind,
    seconds: float,
    division: BlockDivision | None,
) -> Searched:
    items = Items(goal_sites(program, search.goal))
    reached = items.covered(shared.published("edge_seen"))
    claim = ending(kind, shared, program, search).claim
    runs, paths = shared.counts.runs, shared.counts.distinct_paths
    found = (seconds, runs, paths, kind is EndingKind.EXHAUSTED, claim, reached, items.total)
    if division is None:
        return Searched(*found)
    blocks = f"{len(division.searched.blocks())}+{len(division.searched.shared)}"
    base = division.differences.base if division.differences is not None else None
    return Searched(*found, division.reruns, blocks, base)


def _seconds(one: Searched) -> float:
    return one.seconds


def _reached(one: Searched) -> str:
    return f"{len(one.reached)}/{one.total}"


def _time(one: Searched) -> str:
    return f"{'' if one.is_over else '>'}{one.seconds:.2f}s"


if __name__ == "__main__":
    sys.exit(main())
