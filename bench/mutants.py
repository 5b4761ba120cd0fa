"""How many mutants veer's default suites notice: python bench/mutants.py [--budget 5] [--most N] [SOURCE.c ...].

Each function of a source gets its suite, as `veer test SOURCE` writes it. Then the source is changed in one place
(relations, arithmetic, constants, statements that are removed), and the suites of the source are built with that and
run. A mutant that none of them notices is compared with the original by `veer compare`. Equivalent is one that no input
tells apart on any path, or only inputs on which the original fails; of `checked` only a sanitizer would show the
difference. Both count for nothing. What is missed is shown with the smallest input, and what is not known counts as
missed.

Without sources: ../shared/cases/embedded and the subjects of tests/framework.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT / "tests" / "framework"))

from mutation import Mutant, mutants  # noqa: E402

from veer import plugins  # noqa: E402
from veer.campaign import run as campaign  # noqa: E402
from veer.campaign.compare import compare  # noqa: E402
from veer.campaign.languages import language_of  # noqa: E402
from veer.frontends.protocol import Entry  # noqa: E402
from veer.model.buildoptions import BuildOptions  # noqa: E402
from veer.model.comparison import Difference, Kind  # noqa: E402
from veer.model.errors import VeerError  # noqa: E402
from veer.model.result import Confirmation  # noqa: E402
from veer.model.searchoptions import SearchOptions  # noqa: E402

USUAL = (
    *sorted((ROOT.parent / "shared/cases/embedded").glob("*.c")),
    *sorted(ROOT.glob("tests/framework/subjects/*.c")),
)
AT_ONCE = 2
_SECONDS = 10
_NOTICED, _EQUIVALENT, _UNKNOWN, _MISSED, _INVALID = "noticed", "equivalent", "unknown", "missed", "invalid"
_CHECKED = "checked"  # only a sanitizer shows it


@dataclass(frozen=True)
class Suite:
    """The suite of one function: its text, the files beside it, the flags that build it."""

    entry: str
    name: str
    files: dict[str, bytes]
    flags: tuple[str, ...]


@dataclass(frozen=True)
class Verdict:
    """What became of a mutant; `shown`: of one that was missed, what differs on which input."""

    mutant: Mutant
    entry: str
    kind: str
    shown: str = ""


class Columns:
    """The table."""

    def row(self, name: str, counted: Counter[str]) -> None:
        valid = sum(counted.values()) - counted[_INVALID]
        told = valid - counted[_EQUIVALENT] - counted[_CHECKED]
        share = f"{100 * counted[_NOTICED] / told:.0f} %" if told else "-"
        numbers = (
            valid,
            counted[_NOTICED],
            counted[_EQUIVALENT],
            counted[_CHECKED],
            counted[_MISSED],
            counted[_UNKNOWN],
        )
        print(f"{name:<24}" + "".join(f"{number:>11}" for number in numbers) + f"{share:>9}", flush=True)


def suites_of(source: Path, entries: Sequence[Entry], budget: float) -> Iterator[Suite]:
    """The suites of the functions that can be tested, and that pass with the source as it is."""
    for entry in entries:
        try:
            build = BuildOptions((source,), entry.name)
            result = campaign.run(build, SearchOptions(budget=budget))
            files = plugins.find("veer.suites", "plain").files(result)
        except VeerError as error:
            print(f"  {source.name} {entry.name}: {str(error).splitlines()[0]}", file=sys.stderr)
            continue
        suite = Suite(entry.name, f"test_{entry.name}.c", files, result.program.compile_flags)
        with tempfile.TemporaryDirectory() as scratch:
            if passes(suite, source, source, Path(scratch)):
                yield suite
            else:
                print(f"  {source.name} {entry.name}: its suite does not pass", file=sys.stderr)


def passes(suite: Suite, source: Path, changed: Path, folder: Path) -> bool | None:
    """Whether the suite passes with the changed source in place of its own; None: it does not compile."""
    folder.mkdir(exist_ok=True)
    for name, data in suite.files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data.replace(str(source).encode(), str(changed).encode()))
    made = folder / "suite"
    command = ["gcc", "-std=gnu11", "-w", "-I", str(source.parent), *suite.flags, suite.name, "-o", str(made), "-lm"]
    if subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode:
        return None
    try:
        done = subprocess.run([str(made)], cwd=folder, capture_output=True, timeout=_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def judged(mutant: Mutant, entry: str, suites: Sequence[Suite], source: Path) -> Verdict:
    """Whether a suite notices the mutant, that of its own function first."""
    with tempfile.TemporaryDirectory() as scratch:
        changed = Path(scratch) / "mutant" / source.name
        changed.parent.mkdir()
        changed.write_text(mutant.text)
        for number, suite in enumerate(sorted(suites, key=lambda suite: suite.entry != entry)):
            seen = passes(suite, source, changed, Path(scratch) / str(number))
            if seen is None:
                return Verdict(mutant, entry, _INVALID)
            if not seen:
                return Verdict(mutant, entry, _NOTICED)
    return Verdict(mutant, entry, _UNKNOWN)


def looked_at(verdict: Verdict, source: Path, budget: float) -> Verdict:
    """A mutant that nothing noticed, compared with the original."""
    with tempfile.TemporaryDirectory() as scratch:
        changed = Path(scratch) / source.name
        changed.write_text(verdict.mutant.text)
        for header in source.parent.glob("*.h"):
            shutil.copy(header, scratch)
        build = BuildOptions((source,), verdict.entry, against=(changed,))
        try:
            found = compare(build, SearchOptions(budget=budget), ("original", "mutant"))
        except VeerError as error:
            return Verdict(verdict.mutant, verdict.entry, _UNKNOWN, str(error).splitlines()[0])
    told = [each for each in found.differences if each.kind in (Kind.CHANGED, Kind.BROKEN)]
    plain = [each for each in told if each.confirmed is Confirmation.PLAIN]
    if told:  # else they differ at most where the original fails
        return Verdict(verdict.mutant, verdict.entry, _MISSED if plain else _CHECKED, sentence((plain or told)[0]))
    kind = _EQUIVALENT if found.ending.claim == "paths" else _UNKNOWN
    return Verdict(verdict.mutant, verdict.entry, kind, ", ".join(found.ending.lost_by)[:100])


def sentence(difference: Difference) -> str:
    """A difference in a line."""
    inputs = ", ".join(f"{name} = {value}" for name, value in difference.test.shown)
    return f"{difference.told.what}: {difference.told.old} → {difference.told.new} for {inputs}"


def mutants_of(source: Path, entries: Sequence[Entry]) -> Iterator[tuple[Mutant, str]]:
    """The mutants of each function, with its name."""
    text = source.read_text()
    starts = sorted((entry.line, entry.name) for entry in entries if Path(entry.file) == source)
    for mutant in mutants(text, starts[0][0] if starts else 1):
        line = int(mutant.about.split()[1].rstrip(":"))
        name = next((name for start, name in reversed(starts) if start <= line), "")
        if name:
            yield mutant, name


def table_of(source: Path, budget: float, most: int, columns: Columns) -> Counter[str]:
    """Tests a source, judges its mutants, prints its line and what was missed."""
    entries = [each for each in language_of((source,)).entries(BuildOptions((source,), "")) if not each.why_not]
    suites = list(suites_of(source, entries, budget))
    able = {suite.entry for suite in suites}
    chosen = [(mutant, entry) for mutant, entry in mutants_of(source, entries) if entry in able]
    chosen = chosen[:: max(1, -(-len(chosen) // most))]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        verdicts = list(pool.map(lambda each: judged(each[0], each[1], suites, source), chosen))
    final = [looked_at(each, source, budget) if each.kind == _UNKNOWN else each for each in verdicts]
    counted = Counter(each.kind for each in final)
    columns.row(source.name, counted)
    for each in final:
        if each.kind in (_MISSED, _UNKNOWN, _CHECKED):
            print(f"    {each.kind}: {each.entry} {each.mutant.about}   {each.shown}", flush=True)
    return counted


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", nargs="*", type=lambda each: Path(each).resolve())
    parser.add_argument("--budget", type=float, default=5.0, help="seconds of each search")
    parser.add_argument("--most", type=int, default=75, help="most mutants of a source")
    given = parser.parse_args()
    columns = Columns()
    names = ("mutants", _NOTICED, _EQUIVALENT, _CHECKED, _MISSED, _UNKNOWN)
    print(f"{'':<24}" + "".join(f"{name:>11}" for name in names) + f"{'share':>9}")
    total: Counter[str] = Counter()
    for source in given.sources or USUAL:
        total += table_of(source.absolute(), given.budget, given.most, columns)
    columns.row("all", total)


if __name__ == "__main__":
    main()
