"""A unit of 20,000 lines: how long it takes to compile, instrument and generate, and the memory that each step needs.

python bench/large_unit.py [--lines 20000] [--seed 1] [--keep FILE]
"""

from __future__ import annotations

import argparse
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from common import table

from veer.instrument.codegen import emit_object, prepare
from veer.instrument.instrument import UnitOptions, instrument
from veer.toolchain.compiler import compile_ir, find

HEAD = """#include <stdlib.h>
#include <string.h>
struct record {
    int kind, count;
    unsigned flags;
    char name[16];
    struct record *next;
};
static int total;
static unsigned table[64];
"""
STEPS = ("clang", "prepare", "instrument", "generate at level 1", "generate at level 0")


def statement(pick: random.Random, depth: int, known: Sequence[str]) -> list[str]:
    """One statement of the kind that C programs are made of, with what is nested in it."""
    pad = "    " * depth
    number = pick.randrange(1, 200)
    kind = pick.randrange(9 if depth < 3 else 5)
    if kind == 0:
        return [f"{pad}sum += r->count * {number} - (int)(r->flags >> {number % 31});"]
    if kind == 1:
        return [f"{pad}table[(unsigned)(sum + {number}) % 64] ^= (unsigned)r->kind << {number % 8};"]
    if kind == 2:
        return [f"{pad}r->name[(unsigned)n % sizeof r->name] = (char)(text[0] + {number});"]
    if kind == 3 and known:
        return [f"{pad}sum += {pick.choice(known)}(r, text, n - {number});"]
    if kind in (3, 4):
        return [f"{pad}r->flags |= {number}u;", f"{pad}total += sum & {number};"]
    inner = [line for _ in range(pick.randrange(1, 4)) for line in statement(pick, depth + 1, known)]
    if kind == 5:
        return [f"{pad}for (int i = 0; i < n && i < {number}; i++) {{", *inner, f"{pad}}}"]
    if kind == 6:
        return [f"{pad}while (r->next && r->kind != {number}) {{", f"{pad}    r = r->next;", *inner, f"{pad}}}"]
    if kind == 7:
        cases = [f"{pad}case {number + k}: sum += {k}; break;" for k in range(pick.randrange(3, 9))]
        return [f"{pad}switch (r->kind) {{", *cases, f"{pad}default: sum--;", f"{pad}}}"]
    other = statement(pick, depth + 1, known)
    return [f"{pad}if (r->kind > {number} || text[0] == 'a') {{", *inner, f"{pad}}} else {{", *other, f"{pad}}}"]


def source(lines: int, seed: int) -> str:
    """C of about that many lines; functions of 10 to 120 lines that call earlier ones."""
    pick = random.Random(seed)
    text = HEAD.splitlines()
    names: list[str] = []
    while len(text) < lines:
        name = f"part_{len(names)}"
        body: list[str] = []
        for _ in range(pick.randrange(4, 30)):
            body += statement(pick, 1, names[-20:])
        text += [f"int {name}(struct record *r, const char *text, int n)", "{", "    int sum = 0;", *body]
        text += ["    return sum;", "}", ""]
        names.append(name)
    return "\n".join(text) + "\n"


def step(name: str, folder: Path) -> None:
    """One step, in a process of its own, so that its peak memory can be told."""
    plain, prepared, instrumented = folder / "unit.ll", folder / "prepared.ll", folder / "instrumented.ll"
    start = time.monotonic()
    if name == "clang":
        compile_ir(find(), folder / "unit.c", plain, ("-w",))
    elif name == "prepare":
        prepared.write_text(prepare(plain.read_text()))
    elif name == "instrument":
        instrumented.write_text(instrument(prepared.read_text(), UnitOptions("ab12")).text)
    else:
        (folder / "unit.o").write_bytes(emit_object(instrumented.read_text(), int(name[-1])))
    seconds = time.monotonic() - start
    who = resource.RUSAGE_CHILDREN if name == "clang" else resource.RUSAGE_SELF
    written = {"clang": plain, "prepare": prepared, "instrument": instrumented}.get(name, folder / "unit.o")
    size = f"{written.stat().st_size / 1e6:.1f} MB"
    print(f"{seconds:.1f} s|{resource.getrusage(who).ru_maxrss // 1024} MiB|{size}")


def main() -> None:
    """Generates the unit, prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="write the unit here, too")
    parser.add_argument("--step", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.step:
        step(given.step[0], Path(given.step[1]))
        return
    with tempfile.TemporaryDirectory() as scratch:
        text = source(given.lines, given.seed)
        (Path(scratch) / "unit.c").write_text(text)
        if given.keep:
            given.keep.write_text(text)
        rows = []
        for name in STEPS:
            command = [sys.executable, __file__, "--step", name, scratch]
            done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=600)
            rows.append((name, *done.stdout.strip().splitlines()[-1].split("|")))
        print(f"{len(text.splitlines())} lines, {text.count('int part_')} functions")
        print(table(("step", "time", "peak memory", "written"), rows))


if __name__ == "__main__":
    main()
