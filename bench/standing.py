"""What stands after a change, beside a run from nothing: python bench/standing.py SOURCE.c ... [--changes 10].

A copy of the sources is tested. Then it is changed in one place, drawn by lot (the mutants of tests/framework), tested
again where it was, and from nothing in another directory. Each file of the product must be the same, without times; a
function whose search ended with its time may differ, and is told: on a busy machine so may any, for what makes tests
better has its time, too. A row for each change: how many functions were tested
again, how many stood, and which files differ.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests" / "framework"), str(ROOT / "tests" / "support")]

from common import Printer  # noqa: E402
from mutation import mutants  # noqa: E402
from products import shown  # noqa: E402

from veer.model.ending import EndingKind  # noqa: E402

VEER = [sys.executable, "-c", "from veer.cli.app import command; command()"]
COLUMNS = (("change", 44), ("again", 6), ("stood", 6), ("in time", 8), ("differ", 7))


def tested(folder: Path, sources: list[str], out: str, more: list[str]) -> None:
    """Raises RuntimeError when veer fails."""
    command = [*VEER, "test", *sources, "--out", out, "--quiet", "--jobs", "2", *more]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=1800)
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr[-500:])


def written(out: Path) -> dict[str, int]:
    """When the campaign of each function was made: what is only written anew keeps the seconds that it took."""
    return {
        file.parent.name: hash(json.dumps(json.loads(file.read_text())["seconds"]))
        for file in out.glob("*/summary.json")
    }


def unfinished(out: Path) -> set[str]:
    """The functions whose search did not come to its end: with other luck it finds other things."""
    kinds = {file.parent.name: json.loads(file.read_text())["ending"]["kind"] for file in out.glob("*/summary.json")}
    return {name for name, kind in kinds.items() if kind != EndingKind.EXHAUSTED.value}


def main() -> None:
    """Changes and compares; exit code 1 where something differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", nargs="+", type=Path)
    parser.add_argument("--changes", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--budget", default="300s")
    given = parser.parse_args()
    draw, wrong = random.Random(given.seed), 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "project"
        shutil.copytree(given.sources[0].parent, folder, ignore=shutil.ignore_patterns("veer-out", ".git", "out*"))
        sources = [each.name for each in given.sources]
        more = ["--budget", given.budget]
        tested(folder, sources, "product-a", more)
        printer = Printer(COLUMNS)
        for _ in range(given.changes):
            file = folder / draw.choice(sources)
            text = file.read_text()
            mutant = draw.choice(list(mutants(text, 1)))
            file.write_text(mutant.text)
            before = written(folder / "product-a")
            try:
                tested(folder, sources, "product-a", more)
            except RuntimeError:  # it does not compile
                file.write_text(text)
                continue
            after = written(folder / "product-a")
            shutil.rmtree(folder / "product-b", ignore_errors=True)
            tested(folder, sources, "product-b", more)
            found, truth = shown(folder / "product-a"), shown(folder / "product-b")
            late = unfinished(folder / "product-a") | unfinished(folder / "product-b")
            differ = [each for each in truth if found.get(each) != truth[each] and each.partition("/")[0] not in late]
            differ = [each for each in differ if "/" in each or not late]
            again = [each for each in after if before.get(each) != after[each]]
            printer.row(
                (f"{file.name}: {mutant.about}"[:44], len(again), len(after) - len(again), len(late), len(differ))
            )
            if differ:
                wrong += 1
                print("   ", *differ[:4], "; again:", *again[:6])
    print(f"{wrong} changes with a difference")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
