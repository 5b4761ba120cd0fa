"""Modules as a firmware engineer writes them (issue 17): python bench/embedded.py [FOLDER] [--jobs N] [--out DIR].

Tests all functions of FOLDER/*.c in one command without an option, in an empty cache, as a stranger would. Prints for
each module how many branches are covered, which are not and why, and each report of severity error or undefined.
FOLDER: ../shared/cases/embedded. Exit code 1 if a bug that is known is not reported, or one is that is none.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from common import Printer

FOLDER = Path(__file__).parent.parent.parent / "shared" / "cases" / "embedded"
VEER = [sys.executable, "-c", "import sys; from veer.cli.app import main; sys.exit(main())"]
COLUMNS = (("module", 14), ("functions", 9), ("branches", 10), ("error", 5), ("undefined", 9), ("contract", 8))
WANTED = {"misc.c": {"avg", "read_reg", "leak", "uninit", "wrap", "shl"}, "ann.c": {"a_pct"}}
"""Functions of a module whose bugs are to be reported, and no others but `scale`, whose cast is explicit."""
SPARED = frozenset({"scale"})
SEVERITIES = ("error", "undefined", "contract")


def summaries(out: Path) -> Iterator[dict[str, list[dict[str, str]]]]:
    """The summary of each function."""
    for path in sorted(out.glob("*/summary.json")) + sorted(out.glob("*/*/summary.json")):
        yield json.loads(path.read_text())


def told(bug: Mapping[str, str]) -> str:
    return f"{Path(bug['file']).name}:{bug['line']} {bug['function']}: {bug['message']}"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=FOLDER)
    parser.add_argument("--jobs", default="")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as scratch:
        out = given.out or Path(scratch) / "out"
        sources = sorted(map(str, given.folder.glob("*.c")))
        words = ["test", *sources, "--all", "--fresh", "--out", str(out)]
        words += ["--jobs", given.jobs] if given.jobs else []
        cache = os.environ.get("VEER_CACHE", str(Path(scratch) / "cache"))
        start = time.monotonic()
        done = subprocess.run([*VEER, *words], env={**os.environ, "VEER_CACHE": cache}, check=False)
        if done.returncode not in (0, 1, 3):
            return done.returncode
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return report(out, time.monotonic() - start, used.ru_utime + used.ru_stime)


def report(out: Path, wall: float, cpu: float) -> int:
    """Prints what was found, and the time; 1 if a verdict is wrong."""
    sides: dict[str, dict[tuple[str, str, str], dict[str, str]]] = defaultdict(dict)
    bugs: dict[str, list[dict[str, str]]] = defaultdict(list)
    whole = json.loads((out / "summary.json").read_text())
    functions = Counter(each["place"].partition(":")[0] for each in whole["functions"])
    for summary in summaries(out):
        for each in summary["branches"]:
            module = Path(each["file"]).name
            key = (str(each["line"]), str(each["column"]), each["side"])
            if sides[module].get(key, {}).get("state") != "covered":
                sides[module][key] = each
        for bug in summary["bugs"]:
            bugs[Path(bug["file"]).name].append(bug)
    printer = Printer(COLUMNS)
    for module in sorted(sides | bugs):
        covered = sum(each["state"] == "covered" for each in sides[module].values())
        counts = [len({told(bug) for bug in bugs[module] if bug["severity"] == name}) for name in SEVERITIES]
        printer.row([module, functions[module] or "", f"{covered}/{len(sides[module])}", *counts])
    for module in sorted(sides):
        for key, each in sorted(sides[module].items(), key=lambda item: int(item[0][0])):
            if each["state"] != "covered":
                print(f"open     {module}:{key[0]} `{each['text']}` is {each['side']}: {each['reason']}")
    for module in sorted(bugs):
        for line in sorted(
            {f"{bug['severity']:9} {told(bug)}" for bug in bugs[module] if bug["severity"] != "contract"}
        ):
            print(line)
    wrong = list(misjudged(bugs))
    print(*wrong, sep="\n")
    print(f"{wall:.0f} s on the wall (bar 60, calm), {cpu:.0f} s of the processor; load {os.getloadavg()[0]:.1f}")
    return int(bool(wrong))


def misjudged(bugs: Mapping[str, Sequence[Mapping[str, str]]]) -> Iterator[str]:
    """What is known of two modules, and was not found so."""
    for module, wanted in WANTED.items():
        found = {bug["function"] for bug in bugs.get(module, ()) if bug["severity"] != "contract"}
        yield from (f"WRONG    {module}: the bug of {name} is not reported" for name in sorted(wanted - found))
        yield from (f"WRONG    {module}: {name} has no bug" for name in sorted(found - wanted - SPARED))


if __name__ == "__main__":
    sys.exit(main())
