"""OSMOSE's table on its own machines: python bench/osmose.py [--repeat 1] [--machine 8051|powerpc] [NAME...]

The programs of osmose_table.py, compiled for the 8051 by sdcc (small model) and for PowerPC by Zig's clang (-O1, not
inlined), lifted and searched as executables. Structs that are passed by value become variables, which are the inputs.
Searches and comparisons are those of osmose_table.py; the last table has the means of the slides beside ours.
"""

from __future__ import annotations

import argparse
import re
import statistics
import subprocess
import tempfile
from pathlib import Path

from common import SUBJECTS, table
from osmose_table import ENTRIES, WAYS, Outcome, Subject, best, cell, change, compared

from veer.frontends.machine.build import build as lifted
from veer.model.buildoptions import BuildOptions
from veer.model.values import replace
from veer.search.coverage import Items
from veer.toolchain import compiler

PROTOTYPES = {
    "check_pressure": "int check_pressure(int before, int now)",
    "square3": "int square(void); unsigned char cells[9]",
    "square4": "int square(void); unsigned char cells[16]",
    "hysteresis": "int hysteresis(void); signed char samples[4]",
    "merge": "int merge(void); signed char first[3]; signed char second[3]",
    "triangle": "int triangle(int a, int b, int c)",
}
MACHINES = ("8051", "powerpc")
SLIDES = {"BP+LA : BP": -57, "BP+UT+MCD : BP+UT": -72, "BP+SF+LA : BP": -80}
"""Mean changes of the number of paths, in percent."""
_BY_VALUE = re.compile(r"^int (\w+)\((struct [^)]*)\) \{", re.MULTILINE)


def executable_source(name: str) -> str:
    """The program with its structs as variables, and a `main`."""
    folder = SUBJECTS / "osmose"
    text = (folder / f"{name}.c").read_text().replace('#include "square3.c"', (folder / "square3.c").read_text())

    def in_variables(matched: re.Match[str]) -> str:
        variables = "".join(f"{each.strip()};\n" for each in matched[2].split(","))
        return f"{variables}int {matched[1]}(void) {{"

    text = _BY_VALUE.sub(in_variables, text)
    zeros = "" if "void" in PROTOTYPES[name] else ", ".join("0" * PROTOTYPES[name].count(",") + "0")
    return f"{text}\nvoid main(void) {{ {ENTRIES[name]}({zeros}); }}\n"


def compiled(name: str, machine: str, folder: Path) -> BuildOptions:
    """The executable or object, and what veer is told of it."""
    source = folder / f"{name}.c"
    source.write_text(executable_source(name))
    common = {"entry": ENTRIES[name], "prototype": PROTOTYPES[name]}
    if machine == "8051":
        output = folder / f"{name}.ihx"
        words = ["sdcc", "-mmcs51", "--model-small", "--std-sdcc99", source.name, "-o", output.name]
        subprocess.run(words, cwd=folder, check=True, capture_output=True)
        return BuildOptions((output,), arch="8051", **common)
    output = folder / f"{name}.o"
    flags = ("-O1", "-fno-inline", "-fno-sanitize=all", "-fno-stack-protector", "-Wno-main-return-type", "-c")
    zig = compiler.find().command[0]
    subprocess.run([zig, "cc", "-target", "powerpc-linux-musleabi", *flags, source, "-o", output], check=True)
    return BuildOptions((output,), **common)


def means(measured: dict[str, dict[str, Outcome]]) -> str:
    """Mean changes of paths beside the slides'."""
    rows = []
    for pair, slides in SLIDES.items():
        way, against = pair.split(" : ")
        pairs = [(each[way], each[against]) for each in measured.values()]
        kept = [(now, before) for now, before in pairs if now.covered >= before.covered]
        mean = statistics.mean(change(now.runs, before.runs) for now, before in kept) if kept else float("nan")
        rows.append((pair, f"{slides:+d}%", f"{mean:+.0f}%", f"{len(kept)} of {len(pairs)}"))
    return table(("comparison", "slides, paths", "here, paths", "programs without a loss"), rows)


def main() -> None:
    """Prints a table for each machine, and the comparisons over all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=list(ENTRIES), metavar="NAME")
    parser.add_argument("--machine", choices=MACHINES, action="append")
    parser.add_argument("--bound", type=int, default=250)
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--budget", type=float, default=20.0)
    given = parser.parse_args()
    measured: dict[str, dict[str, Outcome]] = {}
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        for machine in given.machine or MACHINES:
            for name in given.names:
                build = compiled(name, machine, Path(scratch))
                program, _ = lifted(build, compiler.find())
                subject = Subject(program, build)
                ways = {way: replace(each, max_branches=given.bound, budget=given.budget) for way, each in WAYS.items()}
                found = {way: best(subject, options, given.repeat) for way, options in ways.items()}
                measured[f"{machine} {name}"] = found
                instructions = sum(each.last >= each.first for each in program.flow.blocks) if program.flow else 0
                full = found["BP"].covered
                cells = [cell(each, found["BP+UT" if "UT" in way else "BP"]) for way, each in found.items()]
                total = Items(program.sites).total
                rows.append((f"{machine} {name}", f"{len(full)}/{total}", len(program.functions), instructions, *cells))
                print(rows[-1], flush=True)
    print(table(("program", "branches", "functions", "blocks", *WAYS), rows), end="\n\n")
    print(compared(measured), end="\n\n")
    print(means(measured))


if __name__ == "__main__":
    main()
