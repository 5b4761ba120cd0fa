"""Generated programs against brute force: python bench/truth_at_scale.py [--first 0] [--count 100] [--options both]

Each program of tests/truth/scale is searched plainly, with two options that its seed draws, or both, and judged by
all of its inputs on gcc's build. With --csmith the programs are Csmith's (Debian's csmith and libcsmith-dev) with
inputs put into them, compared with gcc at -O0 and -O2; with --changes each program is compared with one that means
the same. With --bundle, eight programs share a build, and the two options are drawn for all of them, as in
tests/truth/test_scale.py. What is wrong is told at once; with --shrink N, the first program of each kind is made small
in N attempts and written to --out. The table counts campaigns and programs by option; Ctrl-C prints what there is. The
exit code is 1 if anything was wrong.
"""

from __future__ import annotations

import argparse
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from common import table

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "truth"))

from scale import csmith
from scale.asked import PLAIN, drawn
from scale.brute import Brute
from scale.generator import Program, generate
from scale.judge import GRAVITY
from scale.metamorphic import CHANGES, answers
from scale.searched import search
from scale.trial import Trial, alone, serious, small, together, trial

BUNDLE = 8
"""So many programs share a build with --bundle."""
TABLE_SECONDS = 600
"""The table is printed so often on the way: a signal that comes within a campaign ends only that one."""


@dataclass
class Counts:
    """What campaigns with one option came to."""

    campaigns: int = 0
    programs: int = 0
    runs: int = 0
    claims: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Task:
    """What is searched at once: one program, or those of several seeds as one. `draw`: what draws its options."""

    program: Program
    seeds: range
    programs: int
    draw: int


def tasks(given: argparse.Namespace) -> Iterator[Task]:
    """The programs that are asked for; Csmith's without those that C leaves undefined."""
    last = given.first + given.count
    if given.bundle:
        for first in range(given.first, last, BUNDLE):
            seeds = range(first, first + BUNDLE)
            first_one, *others = together(seeds)
            yield Task(first_one, seeds, BUNDLE - len(others), first // BUNDLE)
            yield from (Task(each, range(each.seed, each.seed + 1), 1, first // BUNDLE) for each in others)
        return
    for seed in range(given.first, last):
        if not given.csmith:
            yield Task(generate(seed), range(seed, seed + 1), 1, seed)
        elif (found := by_csmith(seed)) is not None:
            yield Task(found, range(seed, seed + 1), 1, seed)


def by_csmith(seed: int) -> Program | None:
    """A program of Csmith's; None where C leaves it undefined, or where gcc is not done in time."""
    try:
        program = csmith.program(seed)
        return program if program is not None and csmith.truth(program) is not None else None
    except subprocess.TimeoutExpired:
        print(f"seed {seed}: gcc or the program was not done in time; left out", flush=True)
        return None


def asked(options: str, draw: int) -> tuple[tuple[str, ...], ...]:
    """With which options a program is searched."""
    return {"plain": (PLAIN,), "drawn": (drawn(draw),), "both": (PLAIN, drawn(draw))}[options]


def tell(found: Trial, task: Task, given: argparse.Namespace, known: set[tuple[str, str]]) -> None:
    """Prints what is wrong, and makes the first program of its kind small."""
    if task.programs > 1:
        found = alone(found, task.seeds)
    wrongs = serious(found.wrongs)
    print(f"seed {found.program.seed} with {', '.join(found.names) or 'no option'}")
    print(*(f"    {wrong}" for wrong in wrongs), sep="\n", flush=True)
    shape = wrongs[0].kind, wrongs[0].shape
    if given.shrink and shape not in known:
        known.add(shape)
        name = f"{wrongs[0].kind.replace(' ', '_')}_{found.program.seed}.c"
        given.out.mkdir(parents=True, exist_ok=True)
        head = "".join(f"// {wrong}\n" for wrong in wrongs) + f"// options: {', '.join(found.names) or 'none'}\n"
        (given.out / name).write_text(head + small(found, given.shrink).text)


def tell_changes(program: Program) -> bool:
    """Searches a program and one that means the same; prints and returns whether they are told apart."""
    name = list(CHANGES)[program.seed % len(CHANGES)]
    other = CHANGES[name](program, random.Random(program.seed))
    paths = len(Brute(program).all().endings)
    with tempfile.TemporaryDirectory(prefix="veer-scale-") as folder:
        before, after = (answers(each, search(each, PLAIN, Path(folder), paths)) for each in (program, other))
    if before != after:
        print(f"seed {program.seed}, {name}: {before}\n    {after}", flush=True)
    return before != after


@dataclass
class Figures:
    """All that was counted."""

    counts: dict[str, Counts] = field(default_factory=dict)
    judged: set[int] = field(default_factory=set)
    told_apart: int = 0
    failed: int = 0

    def add(self, found: Trial, task: Task, seconds: float) -> None:
        """One campaign."""
        self.judged.update(task.seeds if task.programs > 1 else {task.program.seed})
        for name in found.names or ("none",):
            each = self.counts.setdefault(name, Counts())
            each.campaigns += 1
            each.programs += task.programs
            each.runs += found.said.result.runs
            each.claims[found.said.claim] += 1
            each.wrong.update({wrong.kind for wrong in found.wrongs})
            each.seconds += seconds

    def kinds(self) -> list[str]:
        """What was wrong, the gravest first."""
        return [kind for kind in GRAVITY if any(each.wrong[kind] for each in self.counts.values())]

    def table(self) -> str:
        """By option."""
        claims = ("paths", "locations", "criterion", "none")
        header = ["option", "campaigns", "programs", "runs", *claims, *self.kinds(), "s"]
        rows = [
            [name, each.campaigns, each.programs, each.runs, *(each.claims[claim] for claim in claims)]
            + [each.wrong[kind] for kind in self.kinds()]
            + [f"{each.seconds:.0f}"]
            for name, each in sorted(self.counts.items())
        ]
        return table(header, rows)


def measure(given: argparse.Namespace, figures: Figures) -> None:
    """Judges all that is asked for."""
    known: set[tuple[str, str]] = set()
    told = time.monotonic()
    for task in tasks(given):
        if given.changes:
            figures.told_apart += tell_changes(task.program)
            figures.judged.add(task.program.seed)
            continue
        for names in asked(given.options, task.draw):
            began = time.monotonic()
            try:
                found = trial(task.program, names)
            except Exception as error:  # the others are judged all the same
                figures.failed += 1
                print(
                    f"seed {task.program.seed} with {', '.join(names) or 'no option'} ended with {error!r}", flush=True
                )
                continue
            figures.add(found, task, time.monotonic() - began)
            if serious(found.wrongs):
                tell(found, task, given, known)
        print(f"behind seed {task.seeds[-1]}: {len(figures.judged)} programs judged", flush=True)
        if figures.counts and time.monotonic() > told + TABLE_SECONDS:
            told = time.monotonic()
            print(figures.table(), flush=True)


def interrupted(*_: object) -> None:
    """An end that is asked for by `kill` prints what there is, too."""
    raise KeyboardInterrupt


def main() -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--options", choices=("plain", "drawn", "both"), default="both")
    parser.add_argument("--bundle", action="store_true")
    parser.add_argument("--csmith", action="store_true")
    parser.add_argument("--changes", action="store_true")
    parser.add_argument("--shrink", type=int, default=0, metavar="N")
    parser.add_argument("--out", type=Path, default=Path("veer-wrong"))
    given = parser.parse_args()
    if given.csmith and not csmith.is_here():
        print("csmith is not here: apt-get install csmith libcsmith-dev")
        return 2
    if given.bundle and (given.csmith or given.changes):
        print("--bundle is for generated programs, without --changes")
        return 2
    signal.signal(signal.SIGTERM, interrupted)
    figures = Figures()
    try:
        measure(given, figures)
    except KeyboardInterrupt:
        print("ended before its end")
    if given.changes:
        print(f"{figures.told_apart} of {len(figures.judged)} told apart")
    elif figures.counts:
        print(figures.table())
    print(f"{len(figures.judged)} programs judged, {figures.failed} campaigns ended with an error")
    return 1 if figures.told_apart or figures.failed or any(kind != "weak" for kind in figures.kinds()) else 0


if __name__ == "__main__":
    sys.exit(main())
