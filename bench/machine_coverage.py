"""Programs as machine code: what the binary's tests cover of the source, beside the source's own search.

    python bench/machine_coverage.py [--arch NAME] [--level -O2] [--rotate] [--first N] [--most N] [PROGRAM...]

Each program of tests/programs whose entry takes numbers and pointers to them, and random functions (machine_brute.py),
are compiled by `zig cc -target`, as a stripped shared library. Tests of both searches run on gcc's build for gcov
(branches, -O0), each in a process of its own. A line for each program, machine and level: branches that the source's
search covers, how many of these the binary's do, what is missing; computed jumps with the targets that were found and
those that the compiler's assembly has. At the end means by level. The exit code is 1 where -O0 misses a branch, a mean
of another level is below 95 %, or a complete set of jump targets is not the compiler's.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from machine_brute import TARGETS, function
from msgspec import Struct

from veer.campaign import run as campaign
from veer.frontends.machine.architectures import X86_64
from veer.frontends.machine.prototype import parsed
from veer.model.buildoptions import BuildOptions
from veer.model.errors import VeerError
from veer.model.flow import FlowKind
from veer.model.inputs import Pointer, Scalar
from veer.model.literal import image as image_of
from veer.model.result import Result, Test
from veer.model.searchoptions import SearchOptions
from veer.report.flow import completeness
from veer.toolchain.compiler import find

PROGRAMS = Path(__file__).parent.parent / "tests" / "programs"
RANDOM = 30
"""Functions of machine_brute.py that stand beside them."""
LEVELS = ("-O0", "-O2", "-Os")
BAR = 0.95
_FLAGS = ("-fno-sanitize=all", "-fno-stack-protector", "-w", "-UNDEBUG")
_HEADER = re.compile(r"^// (entry|option): (.*)$", re.MULTILINE)
_SIZES = re.compile(r"\b(long|size_t|ssize_t|ptrdiff_t|u?intptr_t)\b.*\*")
_TABLE = re.compile(r"^\.LJTI\d+_\d+:\n((?:\s+\.\w+\s.*\n)+)", re.MULTILINE)
_MAIN = """\
#include "{source}"
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
extern void __gcov_dump(void);
static void ends(int s) {{ (void)s; __gcov_dump(); _exit(0); }}
{objects}
int main(int argc, char **argv) {{
    int all[] = {{SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGBUS, SIGALRM}};
    for (unsigned k = 0; k < sizeof all / sizeof *all; k++) signal(all[k], ends);
    alarm(2);
    switch (argc > 1 ? atoi(argv[1]) : -1) {{
{calls}
    }}
    return 0;
}}
"""


class Subject(Struct, frozen=True):
    """A program: its source, its entry, how C declares that, and the options of both searches."""

    source: Path
    entry: str
    prototype: str
    max_length: int = 8


class Shown(Struct, frozen=True):
    """What a search showed: branches (line, number of the branch) that its tests take, on the build for gcov."""

    branches: frozenset[tuple[int, int]]
    tests: int


def subjects(folder: Path) -> Iterator[Subject]:
    """All of them."""
    for source in sorted(PROGRAMS.glob("*.c")):
        text = source.read_text()
        head = dict(_HEADER.findall(text))
        entry = head.get("entry", "")
        found = (
            re.search(rf"^([\w][\w\s*]*?\b{re.escape(entry)}\([^()]*\))\s*\{{", text, re.MULTILINE) if entry else None
        )
        length = re.search(r"max_length=(\d+)", head.get("option", ""))
        if (
            found is not None
            and _is_plain(found[1], entry)
            and head.get("option", "").count("=") == (length is not None)
        ):
            yield Subject(source, entry, " ".join(found[1].split()), int(length[1]) if length else 8)
    for seed in range(RANDOM):
        source = folder / f"random{seed}.c"
        source.write_text(function(seed))
        yield Subject(source, "f", "int f(uint8_t a, uint8_t b)")


def _is_plain(prototype: str, entry: str) -> bool:
    if _SIZES.search(prototype) or "static" in prototype or "..." in prototype:
        return False
    try:
        found = parsed(prototype, X86_64, BuildOptions((Path(entry),), entry))
    except VeerError:
        return False
    return bool(found.parameters) and not any(row.kind.value == "float" for row in found.types)


def searched(subject: Subject, path: Path, budget: float, prototype: str = "") -> Result:
    """The search of the source, or of machine code."""
    build = BuildOptions((path,), subject.entry, prototype=prototype, max_length=subject.max_length)
    return campaign.run(build, SearchOptions(budget=budget, shrink=False))


def compiled(subject: Subject, arch: str, level: str, folder: Path) -> tuple[Path, str]:
    """A stripped shared library, or an object where the linker makes none, and the compiler's assembly."""
    zig, stem = find().command[0], folder / f"{subject.source.stem}-{arch}{level}"
    words = (zig, "cc", "-target", TARGETS[arch], level, *_FLAGS, str(subject.source))
    said = subprocess.run((*words, "-S", "-o", f"{stem}.s"), capture_output=True, check=False)
    assembly = Path(f"{stem}.s").read_text() if not said.returncode else ""
    shared, single = Path(f"{stem}.so"), Path(f"{stem}.o")
    linked = (*words, "-shared", "-fPIC", "-nostdlib", "-s", "-o", str(shared))
    if subprocess.run(linked, capture_output=True, check=False).returncode == 0:
        return shared, assembly
    subprocess.run((*words, "-c", "-o", str(single)), check=True, capture_output=True)
    return single, assembly


def shown(subject: Subject, tests: Sequence[Test], folder: Path) -> Shown:
    """The branches that these tests take, each run alone."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.gcda"):
        old.unlink()
    objects, calls = [], []
    parameters = parsed(subject.prototype, X86_64, BuildOptions((subject.source,), subject.entry)).parameters
    declared = _words(subject.prototype)
    for number, test in enumerate(tests):
        names = {}
        for item in test.inputs.objects:
            name = names[item.number] = f"object_{number}_{item.number}"
            data = ", ".join(map(str, image_of(item.cells, item.size))) or "0"
            objects.append(f"static _Alignas(16) unsigned char {name}[] = {{{data}}};")
        roots = {root.name: root.cells[0].value for root in test.inputs.roots if root.cells}
        words = ", ".join(_argument(roots.get(each.name), names, declared[k]) for k, each in enumerate(parameters))
        calls.append(f"    case {number}: {subject.entry}({words}); break;")
    text = _MAIN.format(source=subject.source, objects="\n".join(objects), calls="\n".join(calls))
    (folder / "main.c").write_text(text)
    subprocess.run(
        ("gcc", "--coverage", "-O0", "-w", "-o", "main", "main.c", "-lm"), cwd=folder, check=True, capture_output=True
    )
    for number in range(len(tests)):
        subprocess.run(("./main", str(number)), cwd=folder, capture_output=True, check=False, timeout=10)
    told = subprocess.run(
        ("gcov", "--json-format", "--stdout", "-b", "main.gcda"), cwd=folder, capture_output=True, check=False
    )
    files = json.loads(told.stdout)["files"] if told.stdout.strip() else []
    lines = [row for each in files if Path(each["file"]).name == subject.source.name for row in each["lines"]]
    taken = {
        (row["line_number"], k)
        for row in lines
        for k, branch in enumerate(row.get("branches", ()))
        if branch["count"] and not branch["throw"]
    }
    return Shown(frozenset(taken), len(tests))


def _words(prototype: str) -> list[str]:
    """The types of the parameters, as they are written."""
    inner = prototype[prototype.index("(") + 1 : prototype.rindex(")")]
    return [re.sub(r"\b\w+\s*(\[\d*\])?\s*$", lambda m: "*" if m[1] else "", each.strip()) for each in inner.split(",")]


def _argument(value: Scalar | Pointer | None, names: dict[int, str], type_: str) -> str:
    if isinstance(value, Scalar):
        return f"({type_}){value.number}ull"
    if isinstance(value, Pointer) and value.target in names:
        return f"(void *){names[value.target]}"
    return "0"


def jumps(result: Result, assembly: str) -> tuple[list[int], list[int], bool]:
    """How many targets each computed jump of the entry's has, those of the compiler's tables, and whether all were
    found to be complete."""
    tables = [set(re.findall(r"\.LBB\d+_\d+", body)) for body in _TABLE.findall(assembly)]
    flow = result.program.flow
    if flow is None:
        return [], sorted(map(len, tables)), True
    targets = defaultdict(set)
    for edge in flow.edges:
        if edge.kind is FlowKind.JUMP:
            targets[edge.at].add(edge.target)
    found = [each for each in flow.indirect if each.at in targets and not each.is_computed]
    is_complete = all(completeness(result, flow, each).is_complete for each in found)
    return sorted(len(targets[each.at]) for each in found), sorted(map(len, tables)), is_complete


def main() -> int:
    """Prints the lines."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="PROGRAM")
    parser.add_argument("--arch", action="append", choices=list(TARGETS))
    parser.add_argument("--level", action="append", choices=LEVELS)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--most", type=int, default=1 << 30)
    parser.add_argument("--budget", type=float, default=8.0)
    parser.add_argument("--rotate", action="store_true", help="of the levels one for each program and machine, in turn")
    given = parser.parse_args()
    shares: dict[str, list[float]] = defaultdict(list)
    without: dict[str, list[float]] = defaultdict(list)  # those of which no run ended at what veer does not support
    is_wrong = False
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        every = [each for each in subjects(folder) if not given.names or each.source.stem in given.names]
        for place, subject in [*enumerate(every)][given.first : given.first + given.most]:
            own = shown(subject, searched(subject, subject.source, given.budget).tests, folder / "source")
            if not own.branches:
                print(f"{subject.source.stem}: its search covers no branch, it does not count", flush=True)
                continue
            for turn, arch in enumerate(given.arch or TARGETS):
                levels = given.level or LEVELS
                for level in [levels[(place + turn) % len(levels)]] if given.rotate else levels:
                    share, text, is_other = one(subject, arch, level, own, folder, given.budget)
                    if share is not None:
                        shares[level].append(share)
                        if "does not support" not in text and "REFUSED" not in text:
                            without[level].append(share)
                        is_wrong |= is_other or (level == "-O0" and share < 1)
                    print(f"{subject.source.stem} {arch} {level}: {text}", flush=True)
    for level, found in sorted(shares.items()):
        full = sum(each == 1 for each in found)
        rest = f"; {statistics.mean(without[level]):.1%} of the {len(without[level])} that are supported" * bool(
            without[level]
        )
        print(f"{level}: mean {statistics.mean(found):.1%} of {len(found)}, {full} in full{rest}", flush=True)
        is_wrong |= statistics.mean(found) < BAR
    return int(is_wrong)


def one(
    subject: Subject, arch: str, level: str, own: Shown, folder: Path, budget: float
) -> tuple[float | None, str, bool]:
    """The share of the source's branches, the line, and whether jumps differ from the compiler's."""
    try:
        path, assembly = compiled(subject, arch, level, folder)
    except subprocess.CalledProcessError:
        return None, "does not compile for it", False
    try:
        result = searched(subject, path, budget, subject.prototype)
    except VeerError as error:
        return 0.0, f"REFUSED: {error}", False
    there = shown(subject, result.tests, folder / "binary")
    lost = sorted(own.branches - there.branches)
    share = 1 - len(lost) / len(own.branches)
    more = len(there.branches - own.branches)
    ends = "; ".join((result.ending.kind.value, *result.ending.lost_by))
    other = [test.name for test in result.tests if test.replayed != "same"]
    text = f"{len(own.branches) - len(lost)} of {len(own.branches)}, {len(result.tests)} tests ({own.tests})"
    text += f", {more} more" * bool(more) + f", MISSES {lost} ({ends})" * bool(lost)
    text += f", {len(other)} tests are otherwise on the emulator" * bool(other)
    found, tables, is_complete = jumps(result, assembly)
    is_other = bool(found and is_complete and tables) and found != tables
    if found or tables:
        text += f", jumps {found} of {tables}{'' if is_complete else ' (open)'}" + ", OTHER" * is_other
    return share, text, is_other


if __name__ == "__main__":
    sys.exit(main())
