"""Verification tasks in Java: python bench/java_tasks.py FOLDER... [--budget 60] [--every 1] [--first 0] [--count 0]

A task is a program whose verdict is known: `Sat*.java` (no violation) and `Unsat*.java` (a violation), each with a
`main` of its own, or SV-COMP's `*.yml` (`input_files`, `expected_verdict` of the property `assert_java`). A violation
is an assertion that fails, or (not for SV-COMP's) an exception that leaves `main`. Such programs mean any number by
`java.util.Random`, with a seed or without: a class of that name stands in its place, which asks for inputs.

    proved    all paths were run within what the claim names, and none violates
    found     a violation was run on the JVM
    unknown   neither
    wrong     a violation of a program that has none, or a proof of one that has

Labels may mean something else than the JVM does: integers without bounds, a stack that never ends, `Sat` of a program
whose assertions hold but which throws. So look at what is told as wrong before you believe it.

The table has a line for each folder; wrong verdicts and what is unknown stand below. Exit code 1 if any is wrong.
"""

from __future__ import annotations

import argparse
import re
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from common import run, table
from msgspec import Struct

from veer.campaign.sources import source_files
from veer.model.buildoptions import BuildOptions
from veer.model.ending import Claim
from veer.model.outcome import Outcome
from veer.model.result import Bug, Confirmation, Result
from veer.model.searchoptions import SearchOptions

_PROPERTY = re.compile(r"property_file:.*assert_java\.prp\s*\n\s*expected_verdict:\s*(true|false)")
_INPUTS = re.compile(r"input_files:\s*\n((?:\s*-.*\n)+)")
_MAIN = re.compile(r"\bvoid\s+main\s*\(")
_CLASS = re.compile(r"^\s*(?:public\s+|final\s+|abstract\s+)*class\s+(\w+)", re.MULTILINE)
_PACKAGE = re.compile(r"^\s*package\s+([\w.]+)\s*;", re.MULTILINE)


_RANDOM = """\
import org.sosy_lab.sv_benchmarks.Verifier;
public class Random {
    public Random() {}
    public Random(long seed) {}
    public int nextInt() { return Verifier.nondetInt(); }
    public long nextLong() { return Verifier.nondetLong(); }
    public boolean nextBoolean() { return Verifier.nondetBoolean(); }
    public double nextDouble() { return within(Verifier.nondetDouble()); }
    public float nextFloat() { return (float) within(Verifier.nondetFloat()); }
    public int nextInt(int bound) {
        if (bound <= 0) throw new IllegalArgumentException();
        int found = Verifier.nondetInt();
        Verifier.assume(found >= 0 && found < bound);
        return found;
    }
    private static double within(double found) {
        Verifier.assume(found >= 0 && found < 1);
        return found;
    }
}
"""


class Task(Struct, frozen=True):
    """One program. `asserts`: only failing assertions are violations."""

    folder: str
    name: str
    sources: tuple[Path, ...]
    entry: str
    is_safe: bool
    asserts: bool = False


def tasks(folder: Path, scratch: Path) -> Iterator[Task]:
    """Those of one folder."""
    for each in sorted(folder.glob("*.java")):
        text = each.read_text(errors="replace")
        if each.name.startswith(("Sat", "Unsat")) and _MAIN.search(text):
            source = _written(each, text, scratch / folder.name / each.stem)
            yield Task(folder.name, each.stem, (source,), f"{_main_class(text)}.main", each.name.startswith("Sat"))
    for each in sorted(folder.glob("*.yml")):
        text = each.read_text(errors="replace")
        verdict, listed = _PROPERTY.search(text), _INPUTS.search(text)
        if verdict is None or listed is None:
            continue
        paths = [folder / line.strip().lstrip("- ").strip("\"'") for line in listed[1].splitlines()]
        own = tuple(path for path in paths if path.is_dir() and path.name != "common")
        yield Task(folder.name, each.stem, own, "Main.main", verdict[1] == "true", asserts=True)


def _written(source: Path, text: str, home: Path) -> Path:
    """The program in a directory of its own, with the class that gives it numbers."""
    home.mkdir(parents=True)
    (home / "Random.java").write_text(_RANDOM)
    text = re.sub(r"^\s*import\s+java\.util\.Random\s*;", "", text, flags=re.MULTILINE) if "Random" in text else text
    path = home / source.name
    path.write_text(text.replace("java.util.Random", "Random"))
    return path


def _main_class(text: str) -> str:
    before = text[: _MAIN.search(text).start()]  # type: ignore[union-attr]
    return _CLASS.findall(before)[-1]


def verdict(task: Task, result: Result) -> str:
    """How a search judges a task."""
    found = any(_is_violation(bug, asserts=task.asserts) for bug in result.bugs)
    if not task.asserts:
        found |= any(_throws(result, test.returned) for test in result.tests if test.replayed == "same")
    if found:
        return "wrong" if task.is_safe else "found"
    if result.ending.claim is Claim.PATHS:
        return "proved" if task.is_safe else "wrong"
    return "unknown"


def _is_violation(bug: Bug, *, asserts: bool) -> bool:
    outcome = bug.outcome
    if bug.confirmed is not Confirmation.PLAIN:  # the JVM has not shown it
        return False
    return outcome is Outcome.ASSERTION or (not asserts and outcome is not Outcome.HANG)


def _throws(result: Result, returned: bytes | None) -> bool:
    """Whether an exception leaves `main`: its class stands in the result."""
    entry = result.program.function(result.program.entry)
    if entry is None or not returned:
        return False
    at = next(each.offset for each in result.program.types[entry.returns].fields if each.name == "thrown")
    return any(returned[at : at + 4])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--budget", type=float, default=60.0)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=0, help="0: all")
    parser.add_argument("--every", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        return _all(options, Path(scratch))


def _all(options: argparse.Namespace, scratch: Path) -> int:
    listed = [task for folder in options.folders for task in tasks(folder.absolute(), scratch)]
    chosen = listed[options.first :: options.every]
    chosen = chosen[: options.count] if options.count else chosen
    counts: dict[str, Counter[str]] = {}
    notes: list[str] = []
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        for task in chosen:
            began = time.monotonic()
            result = run(BuildOptions(source_files(task.sources), task.entry), SearchOptions(budget=options.budget))
            said = "unknown" if result is None else verdict(task, result)
            counts.setdefault(task.folder, Counter())[said] += 1
            lost = "not built" if result is None else "; ".join(result.ending.lost_by)
            line = f"{said:8} {task.folder}/{task.name} {time.monotonic() - began:.1f} s {lost}"
            print(line, file=sys.stderr, flush=True)
            if said in ("wrong", "unknown"):
                notes.append(line)
    except KeyboardInterrupt:  # what there is by then
        pass
    words = ("proved", "found", "unknown", "wrong")
    print(table(("set", *words), [(name, *(count[word] for word in words)) for name, count in counts.items()]))
    print(*notes, sep="\n")
    return 1 if any(count["wrong"] for count in counts.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
