"""The table of OSMOSE's slides: python bench/osmose_table.py [--repeat 3] [NAME...]

The programs are six of ours, in the spirit and of the size of those on the slides (branches, functions, call depth).

BP is depth-first search without rules, LA look-ahead, UT the goal "the entry's own branches", MCD max-call-depth 0, SF
solve-first. Each search stops as soon as its goal is covered, has the bound k on decisions and hands out one branch at
a time. `paths` are runs; seconds are those of the search, the best of the repetitions. A star: coverage was lost; the
comparison leaves such searches out. The last table runs to the very end: LA's paths must be among BP's and cover the
same; and what LA costs where it is asked but never listened to: the time in it against the time of all the rest.
"""

from __future__ import annotations

import argparse
import contextlib
import statistics
import time
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from common import SUBJECTS, table

from veer.frontends.c import build as front_end
from veer.model.buildoptions import BuildOptions
from veer.model.program import Program
from veer.model.searchoptions import SearchOptions
from veer.model.values import replace
from veer.search.coverage import Items
from veer.search.explorer import Explorer
from veer.search.goal import goal_sites
from veer.search.pruning.pruned import Pruned
from veer.search.pruning.rules import LookAhead
from veer.search.settings import configure
from veer.search.tools import local_scene
from veer.search.tree import Tree
from veer.toolchain import compiler
from veer.wire.shared import Shared

ENTRIES = {
    "check_pressure": "check_pressure",
    "square3": "square",
    "square4": "square",
    "hysteresis": "hysteresis",
    "merge": "merge",
    "triangle": "triangle",
}
BP = SearchOptions(strategy="dfs", batch=1, keep_going=False, restarts=0, budget=60.0)
WAYS = {
    "BP": BP,
    "BP+LA": replace(BP, look_ahead=True),
    "BP+UT": replace(BP, goal="entry"),
    "BP+UT+MCD": replace(BP, goal="entry", max_call_depth=0),
    "BP+SF": replace(BP, solve_first=True),
    "BP+SF+LA": replace(BP, solve_first=True, look_ahead=True),
}
COMPARISONS = (("BP+LA", "BP"), ("BP+UT+MCD", "BP+UT"), ("BP+SF", "BP"), ("BP+SF+LA", "BP"))

_LONG = 3.0


class Unheard:
    """Look-ahead that is asked, and whose answer is "not useless" whatever it says; `seconds`: what that took."""

    def __init__(self, rule: LookAhead) -> None:
        self._rule = rule
        self.seconds = 0.0

    def prunes(self, tree: Tree, ids: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """See Rule."""
        start = time.perf_counter()
        answer = np.zeros_like(self._rule.prunes(tree, ids))
        self.seconds += time.perf_counter() - start
        return answer


@dataclass(frozen=True)
class Outcome:
    """One search: runs, seconds, covered items of the goal, the identities of its paths, its claim.

    `in_vain`: seconds of look-ahead that was not heard.
    """

    runs: int
    seconds: float
    covered: frozenset[int]
    paths: frozenset[int]
    claim: str
    in_vain: float = 0.0


@dataclass(frozen=True)
class Subject:
    """A built program."""

    program: Program
    build: BuildOptions

    def search(self, options: SearchOptions, *, is_heard: bool = True) -> Outcome:
        """One search, from nothing; with `is_heard` false look-ahead works in vain."""
        program = self.program
        with Shared() as shared:
            scene = local_scene(shared, program, options)
            configure(shared, program, self.build, options)
            with contextlib.closing(scene.executor()) as executor:
                explorer = Explorer.of(scene, executor)
                unheard = [] if is_heard else made_unheard(explorer)
                start = time.perf_counter()
                ending = explorer.explore()
                seconds = time.perf_counter() - start
            covered = Items(goal_sites(program, options.goal)).covered(shared.published("edge_seen"))
            paths = frozenset(shared.published("paths")["hash"].tolist())
            in_vain = sum(rule.seconds for rule in unheard)
            return Outcome(shared.counts.runs, seconds, covered, paths, ending.claim, in_vain)


def made_unheard(explorer: Explorer) -> list[Unheard]:
    """Puts an Unheard in the place of each rule of a search."""
    made: list[Unheard] = []
    for picker in (explorer._open, explorer.queries._waiting):
        if isinstance(picker, Pruned):
            picker._rules = [Unheard(rule) for rule in picker._rules]
            made += picker._rules
    return made


def best(subject: Subject, options: SearchOptions, repeat: int, *, is_heard: bool = True) -> Outcome:
    """The fastest of some searches that do the same; one that takes long is not repeated."""
    found = [subject.search(options, is_heard=is_heard)]
    while len(found) < repeat and found[0].seconds < _LONG:
        found.append(subject.search(options, is_heard=is_heard))
    return min(found, key=lambda outcome: outcome.seconds)


def change(now: float, before: float) -> float:
    """In percent; negative = gain."""
    return 100.0 * (now - before) / before


def cell(outcome: Outcome, full: Outcome) -> str:
    """Runs and time; a star where less was covered than by the same goal without rules."""
    star = "" if outcome.covered >= full.covered else "*"
    return f"{outcome.runs}{star} {1000 * outcome.seconds:.0f}ms"


def compared(measured: dict[str, dict[str, Outcome]]) -> str:
    """Wins, draws and losses, mean and extreme changes, of paths and of time, where coverage was not lost."""
    rows = []
    for way, against in COMPARISONS:
        for what in ("paths", "time"):
            pairs = [(m[way], m[against]) for m in measured.values() if m[way].covered >= m[against].covered]
            if not pairs:
                continue
            values = [change(a.runs, b.runs) if what == "paths" else change(a.seconds, b.seconds) for a, b in pairs]
            slack = 0.0 if what == "paths" else 5.0  # percent of time that are no difference
            wins, losses = sum(v < -slack for v in values), sum(v > slack for v in values)
            tally = f"{wins}/{len(values) - wins - losses}/{losses}"
            mean = f"{statistics.mean(values):+.0f}%"
            rows.append((f"{way} : {against}", what, tally, mean, f"{min(values):+.0f}%", f"{max(values):+.0f}%"))
    return table(("comparison", "of", "win/draw/loss", "mean", "best", "worst"), rows)


def main() -> None:
    """Prints three tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=list(ENTRIES), metavar="NAME")
    parser.add_argument("--bound", type=int, default=250, help="k: decisions of a path that are negated")
    parser.add_argument("--repeat", type=int, default=3)
    given = parser.parse_args()
    toolchain, rows, checks = compiler.find(None), [], []
    measured: dict[str, dict[str, Outcome]] = {}
    for name in given.names:
        build = BuildOptions(sources=(SUBJECTS / "osmose" / f"{name}.c",), entry=ENTRIES[name])
        subject = Subject(front_end.build(build, toolchain), build)
        ways = {way: replace(options, max_branches=given.bound) for way, options in WAYS.items()}
        found = measured[name] = {way: best(subject, options, given.repeat) for way, options in ways.items()}
        total = Items(subject.program.sites).total
        cells = [cell(outcome, found["BP+UT" if "UT" in way else "BP"]) for way, outcome in found.items()]
        rows.append((name, total, len(subject.program.functions), *cells))
        checks.append((name, *check(subject, ways["BP"], given.repeat)))
    print(table(("paths, time", "branches", "functions", *WAYS), rows), end="\n\n")
    print(compared(measured), end="\n\n")
    head = ("exhaustive", "BP", "BP+LA", "claim of BP", "covered", "LA within BP", "cost of LA unheard")
    print(table(head, checks))


def check(subject: Subject, options: SearchOptions, repeat: int) -> tuple[object, ...]:
    """BP and LA to the very end: runs, whether LA's are among BP's and cover the same; LA's cost when not heard."""
    options = replace(options, keep_going=True)
    plain, ahead = best(subject, options, repeat), best(subject, replace(options, look_ahead=True), 1)
    unheard = best(subject, replace(options, look_ahead=True), repeat, is_heard=False)
    same = "the same" if plain.covered == ahead.covered else "DIFFERENT"
    cost = f"+{100 * unheard.in_vain / (unheard.seconds - unheard.in_vain):.1f}%"
    return plain.runs, ahead.runs, plain.claim, same, "yes" if ahead.paths <= plain.paths else "NO", cost


if __name__ == "__main__":
    main()
