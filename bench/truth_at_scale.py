"""Generated programs against brute force: python bench/truth_at_scale.py [--first 0] [--count 100] [--options both]

Each program of tests/truth/scale is searched plainly, with two options that its seed draws, or both, and judged by
all of its inputs on gcc's build. With --csmith the programs are Csmith's (Debian's csmith and libcsmith-dev) with
inputs put into them, compared with gcc at -O0 and -O2; with --changes each program is compared with one that means
the same. What is wrong is told at once; with --shrink N, the first program of each kind is made small in N attempts
and written to --out. The table counts campaigns by option. The exit code is 1 if anything was wrong.
"""

from __future__ import annotations

import argparse
import random
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
from scale.trial import Trial, serious, small, trial


@dataclass
class Counts:
    """What campaigns with one option came to."""

    campaigns: int = 0
    runs: int = 0
    claims: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0


def programs(given: argparse.Namespace) -> Iterator[Program]:
    """The programs that are asked for; Csmith's without those that C leaves undefined."""
    for seed in range(given.first, given.first + given.count):
        if not given.csmith:
            yield generate(seed)
        elif (program := csmith.program(seed)) is not None and csmith.truth(program) is not None:
            yield program


def asked(options: str, seed: int) -> tuple[tuple[str, ...], ...]:
    """With which options a program is searched."""
    return {"plain": (PLAIN,), "drawn": (drawn(seed),), "both": (PLAIN, drawn(seed))}[options]


def tell(found: Trial, given: argparse.Namespace, known: set[tuple[str, str]]) -> None:
    """Prints what is wrong, and makes the first program of its kind small."""
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


def main() -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--options", choices=("plain", "drawn", "both"), default="both")
    parser.add_argument("--csmith", action="store_true")
    parser.add_argument("--changes", action="store_true")
    parser.add_argument("--shrink", type=int, default=0, metavar="N")
    parser.add_argument("--out", type=Path, default=Path("veer-wrong"))
    given = parser.parse_args()
    if given.csmith and not csmith.is_here():
        print("csmith is not here: apt-get install csmith libcsmith-dev")
        return 2
    counts: dict[str, Counts] = {}
    known: set[tuple[str, str]] = set()
    told_apart = failed = 0
    judged: set[int] = set()
    for program in programs(given):
        if given.changes:
            told_apart += tell_changes(program)
            continue
        for names in asked(given.options, program.seed):
            began = time.monotonic()
            try:
                found = trial(program, names)
            except Exception as error:  # the others are judged all the same
                failed += 1
                print(f"seed {program.seed} with {', '.join(names) or 'no option'} ended with {error!r}", flush=True)
                continue
            judged.add(program.seed)
            for name in names or ("none",):
                each = counts.setdefault(name, Counts())
                each.campaigns += 1
                each.runs += found.said.result.runs
                each.claims[found.said.claim] += 1
                each.wrong.update({wrong.kind for wrong in found.wrongs})
                each.seconds += time.monotonic() - began
            if serious(found.wrongs):
                tell(found, given, known)
    kinds = [kind for kind in GRAVITY if any(each.wrong[kind] for each in counts.values())]
    header = ["option", "campaigns", "runs", "paths", "locations", "criterion", "none", *kinds, "s"]
    claims = ("paths", "locations", "criterion", "none")
    rows = [
        [name, each.campaigns, each.runs, *(each.claims[claim] for claim in claims)]
        + [each.wrong[kind] for kind in kinds]
        + [f"{each.seconds:.0f}"]
        for name, each in sorted(counts.items())
    ]
    print(table(header, rows) if counts else f"{told_apart} of {given.count} told apart")
    print(f"{len(judged)} programs judged, {failed} campaigns ended with an error")
    return 1 if told_apart or failed or any(kind != "weak" for kind in kinds) else 0


if __name__ == "__main__":
    sys.exit(main())
