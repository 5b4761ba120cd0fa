"""SMART's examples (sections 3.1 and 4) by four searches: python bench/smart_locate.py [--budget 60]

plain              every feasible path
until covered      the plain search, which stops once all branches are covered (--criterion branch without --keep-going)
branch-driven      the baseline of section 4, "Discussion": only sides of branches are negated that were never executed
summaries          --compositional --without loops
closed loops       --compositional

For each: runs, and the sides of branches that are covered; for the last two the distinct terms of the largest query.
"""

from __future__ import annotations

import argparse
import contextlib
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from common import table

from veer.execution.executor import PersistentExecutor
from veer.frontends.c import build as front_end
from veer.model.buildoptions import BuildOptions
from veer.model.ending import EndingKind
from veer.model.searchoptions import SearchOptions
from veer.model.values import replace
from veer.search.compositional.search import COMPOSITIONAL
from veer.search.coverage import Items
from veer.search.goal import goal_sites
from veer.search.plain import PLAIN
from veer.search.protocol import Refusal, Searched
from veer.search.scene import Scene
from veer.search.settings import configure
from veer.search.tools import local_scene
from veer.smt.arena import Arena
from veer.smt.chain import chain
from veer.smt.evaluate import ReferenceEvaluator
from veer.smt.protocol import Query, Sat
from veer.toolchain import compiler
from veer.toolchain.runtime import engine_library
from veer.wire.layout import Kind
from veer.wire.shared import Shared

HERE = Path(__file__).parent
POSITIVE = """#include <veer.h>
static int is_positive(int x) {
  if (x > 0) return 1;
  return 0;
}
int top(void) {
  int numbers[SIZE], sum = 0;
  veer_input(numbers, sizeof numbers, "numbers");
  for (int i = 0; i < SIZE; i++) sum += is_positive(numbers[i]);
  return sum == SIZE;
}
"""
LATE = """#include <veer.h>
static int kind(int c) {
  if (c == 'a') return 1;
  if (c == 'b') return 2;
  return 0;
}
int top(void) {
  char text[SIZE];
  int sum = 0;
  veer_input(text, sizeof text, "text");
  for (int i = 0; i < SIZE; i++) sum = 3 * sum + kind(text[i]);
  if (sum == 7) return 1;
  return 0;
}
"""


@dataclass(frozen=True)
class Case:
    """One program at one size."""

    name: str
    source: Path
    entry: str
    size: int


@dataclass(frozen=True)
class Row:
    """What one search took; `query`: terms of the largest one, 0 where nobody counts."""

    runs: int
    sides: int
    is_done: bool
    query: int = 0

    def __str__(self) -> str:
        return f"{'' if self.is_done else '> '}{self.runs:,} ({self.sides})"


def branch_driven(shared: Shared, executor: PersistentExecutor, deadline: float) -> bool:
    """Runs what negates a side that was never executed, the last one of each run first; whether it came to its end."""
    solver = chain(Arena.of(shared), ReferenceEvaluator(Arena.of(shared)))
    seen: set[tuple[int, int]] = set()
    inputs, tried = [b""], set()
    while inputs:
        input = inputs.pop()
        if time.monotonic() > deadline:
            return False
        executor.run(input)
        trace = shared.published("trace")
        steps = [(int(e["kind"]), int(e["literal"]), int(e["site"]), int(e["alternative"])) for e in trace]
        seen |= {(site, alternative) for kind, _, site, alternative in steps if kind == Kind.BRANCH}
        path = tuple((literal, alternative == 1) for _, literal, _, alternative in steps)
        for position in reversed(range(len(steps))):
            kind, literal, site, alternative = steps[position]
            side = (site, 1 - alternative)
            if (
                kind != Kind.BRANCH
                or side in seen
                or (query := (*path[:position], (literal, alternative == 0))) in tried
            ):
                continue
            tried.add(query)
            answer = solver.solve(Query(query, input, deadline))
            if isinstance(answer, Sat):
                inputs += [input, answer.input]  # then the others of this run
                break
    return True


def measured(case: Case, budget: float, search: Callable[[Scene], bool], **options: bool) -> Row:
    """One search of a case."""
    build = BuildOptions((case.source,), case.entry, define=(f"SIZE={case.size}",), **options)
    toolchain = compiler.find(None)
    program = front_end.build(build, toolchain)
    settings = SearchOptions(budget=budget)
    with Shared() as shared, contextlib.ExitStack() as resources, ThreadPoolExecutor(1) as beside:
        library = beside.submit(engine_library, toolchain)
        scene = local_scene(shared, program, settings, library.result, resources)
        configure(shared, program, build, settings)
        searched: list[Searched] = []
        is_done = search(scene) if not options else _by_summaries(scene, searched)
        sides = len(Items(goal_sites(program, settings.goal)).covered(shared.published("edge_seen")))
        summaries = searched[0].summaries if searched else None
        query = summaries.largest_query if summaries is not None else 0
        return Row(shared.counts.runs, sides, is_done, query)


def _plainly(scene: Scene) -> bool:
    return PLAIN.run(scene).kind is EndingKind.EXHAUSTED


def _until_covered(scene: Scene) -> bool:
    options = replace(scene.options, keep_going=False, batch=1)
    return PLAIN.run(replace(scene, options=options)).kind is not EndingKind.BUDGET


def _branch_driven(scene: Scene) -> bool:
    with contextlib.closing(scene.executor()) as executor:
        return branch_driven(scene.shared, executor, time.monotonic() + scene.options.budget)


def _by_summaries(scene: Scene, found: list[Searched]) -> bool:
    searched = COMPOSITIONAL.run(scene)
    if isinstance(searched, Refusal):
        return False
    found.append(searched)
    return searched.kind is EndingKind.EXHAUSTED


def cases(folder: Path) -> Iterator[Case]:
    """The paper's examples, and two more."""
    for name, text in (("positive", POSITIVE), ("late", LATE)):
        (folder / f"{name}.c").write_text(text)
    for size in (10, 20, 40, 80, 160):
        yield Case("locate", HERE / "subjects" / "locate.c", "main", size)
    for size in (2, 8, 20):
        yield Case("is_positive", folder / "positive.c", "top", size)
    for size in (4, 8, 12):
        yield Case("late", folder / "late.c", "top", size)
    yield Case("sip", HERE / "smart" / "sip.c", "packet", 8)


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--budget", type=float, default=20.0)
    given = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for case in cases(Path(folder)):
            plain = [measured(case, given.budget, each) for each in (_plainly, _until_covered, _branch_driven)]
            summaries, closed = (
                measured(case, given.budget, _plainly, compositional=True, loops=loops) for loops in (False, True)
            )
            rows.append(
                [case.name, case.size, *map(str, (*plain, summaries)), summaries.query, str(closed), closed.query]
            )
            print(".", end="", flush=True)
    print("\nruns (sides of branches covered)")
    print(
        table(["", "n", "plain", "until covered", "branch-driven", "summaries", "terms", "closed loops", "terms"], rows)
    )


if __name__ == "__main__":
    main()
