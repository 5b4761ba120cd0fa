"""Small random functions as machine code: what veer claims against every input on the emulator.

    python bench/machine_brute.py [--functions 100] [--first SEED] [--level -O1] [ARCH...]

A function takes two numbers of LARGEST_A and LARGEST_B values. A line for each machine: functions, inputs, how many
claims were complete, and what was wrong: an input that runs other instructions, or in another order, than every test
does where all paths are claimed; a fault that is no bug; a test that the emulator runs otherwise, or that has another
result there. The exit code is 1 when something was wrong. All inputs run on one emulator (kept_emulator.py), and each
EACH_AGAIN-th on a new one as well, which has to give the same.
"""

from __future__ import annotations

import argparse
import itertools
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from kept_emulator import KeptEmulator, Run

from veer.campaign import run as campaign
from veer.frontends.machine.build import named
from veer.frontends.machine.emulator import Case, Machine
from veer.frontends.machine.linked import load
from veer.model.buildoptions import BuildOptions
from veer.model.result import Test
from veer.model.searchoptions import SearchOptions
from veer.toolchain.compiler import find

TARGETS = {
    "arm": "arm-linux-musleabi",
    "thumb": "thumb-linux-musleabi",
    "x86-64": "x86_64-linux-musl",
    "powerpc": "powerpc-linux-musleabi",
    "riscv64": "riscv64-linux-musl",
    "aarch64": "aarch64-linux-musl",
}
LARGEST_A, LARGEST_B = 128, 16
EACH_AGAIN = 256
_FLAGS = ("-fno-sanitize=all", "-fno-stack-protector", "-w", "-c")
_PROTOTYPE = "int f(uint8_t a, uint8_t b)"


def function(seed: int) -> str:
    """The text of one, whose inputs are below LARGEST_A and LARGEST_B."""
    chance = random.Random(seed)

    def number(depth: int) -> str:
        if depth == 0 or chance.random() < 0.25:
            return chance.choice(("a", "b", "x", "y", str(chance.randrange(1, 120)), "t[a & 7]", "t[b & 7]"))
        operation = chance.choice(("+", "-", "*", "^", "&", "|", "<<", ">>", "/", "%"))
        left, right = number(depth - 1), number(depth - 1)
        if operation in ("<<", ">>"):
            right = f"({right} & 7)"
        if operation in ("/", "%") and chance.random() < 0.9:
            right = f"(({right} & 15) + 1)"
        return f"({left} {operation} {right})"

    def condition() -> str:
        compared = chance.choice(("<", ">", "==", "!=", "<=", ">="))
        kind = chance.choice(("", "(unsigned)", "(signed char)", "(unsigned char)", "(short)"))
        return f"{kind}{number(1)} {compared} {kind}{number(1)}"

    values = ", ".join(str(chance.randrange(-40, 90)) for _ in range(8))
    lines = ["#include <stdint.h>", f"static const signed char t[8] = {{{values}}};", "int f(uint8_t a, uint8_t b) {"]
    lines.append(f"    if (a >= {LARGEST_A} || b >= {LARGEST_B}) return -1;")
    lines.append("    int x = a, y = b;")
    for place in range(chance.randrange(3, 6)):
        kind = chance.random()
        if kind < 0.6:
            lines.append(f"    if ({condition()}) x = {number(2)}; else if ({condition()}) return {100 + place};")
        elif kind < 0.8:
            lines.append(f"    for (int i = 0; i < (b & 3); i++) y += {number(1)};")
        else:
            cases = " ".join(f"case {k}: y = {number(1)}; break;" for k in range(5))
            lines.append(f"    switch (a & 7) {{ {cases} default: x = y; }}")
    return "\n".join([*lines, f"    return {number(1)} + x * 3 + y;", "}"]) + "\n"


def compiled(name: str, seed: int, level: str, folder: Path) -> Path:
    """An object for that machine."""
    source, output = folder / f"f{seed}.c", folder / f"f{seed}-{name}.o"
    source.write_text(function(seed))
    words = (find().command[0], "cc", "-target", TARGETS[name], level, *_FLAGS, source, "-o", output)
    subprocess.run(words, check=True, capture_output=True)
    return output


def values(test: Test) -> tuple[int, int]:
    """The two arguments of a test."""
    cells = {root.name: root.cells[0].value.number for root in test.inputs.roots}  # type: ignore[union-attr]
    return cells.get("a", 0), cells.get("b", 0)


def wrong(path: Path, budget: float) -> tuple[list[str], bool]:
    """What is wrong about one function, and whether all of its paths were claimed."""
    result = campaign.run(
        BuildOptions((path,), "f", prototype=_PROTOTYPE),
        SearchOptions(criterion="path", budget=budget, shrink=False, keep_going=True),
    )
    found = [f"{test.name} {values(test)}: {test.replayed}" for test in result.tests if test.replayed != "same"]
    image = load(path, find())
    machine = Machine(image, named(image, "f"), (1, 1))
    inputs = list(itertools.product(range(LARGEST_A), range(LARGEST_B)))
    runs = emulated(machine, inputs)
    found += [f"{each}: otherwise on a new emulator" for each in otherwise(machine, inputs[::EACH_AGAIN], runs)]
    tests = emulated(machine, [values(test) for test in result.tests])
    traces = {run.trace for run in tests.values()}
    for test in result.tests:
        returned = int.from_bytes(test.returned or b"", "little")
        if test.returned is not None and tests[values(test)].result % (1 << 8 * len(test.returned)) != returned:
            found.append(f"{test.name} {values(test)}: {returned} is not the emulator's result")
    is_whole = result.ending.claim == "paths"
    for given, run in runs.items():
        if run.ended != "returned" and is_whole and not result.bugs:
            found.append(f"{given}: {run.ended} on the emulator, and no bug is told")
        elif is_whole and run.trace not in traces:
            found.append(f"{given} runs a path that no test runs, and all are claimed")
    return found, is_whole


def emulated(machine: Machine, inputs: Iterable[tuple[int, int]]) -> dict[tuple[int, int], Run]:
    """Each of these calls."""
    cases = [Case(each, {}) for each in inputs]
    request = machine._request(cases, 5.0)
    emulator = KeptEmulator(request)
    return {case.arguments: emulator.call(test) for case, test in zip(cases, request["tests"], strict=True)}


def otherwise(
    machine: Machine, inputs: Sequence[tuple[int, int]], runs: Mapping[tuple[int, int], Run]
) -> Iterator[tuple[int, int]]:
    """Those of these calls that end otherwise on an emulator of their own."""
    answers = machine.run([Case(each, {}) for each in inputs], 5.0)
    for given, answer in zip(inputs, answers, strict=True):
        run = runs[given]
        if answer is None or (answer.ended, answer.result, {*answer.ran}) != (run.ended, run.result, {*run.trace}):
            yield given


def main() -> int:
    """Prints a line for each machine."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=list(TARGETS), metavar="ARCH")
    parser.add_argument("--functions", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--level", default="-O1")
    parser.add_argument("--budget", type=float, default=20.0)
    given = parser.parse_args()
    code = 0
    for name in given.names:
        start, whole, errors = time.monotonic(), 0, 0
        with tempfile.TemporaryDirectory() as scratch:
            for seed in range(given.first, given.first + given.functions):
                found, is_whole = wrong(compiled(name, seed, given.level, Path(scratch)), given.budget)
                whole, errors = whole + is_whole, errors + bool(found)
                for row in found[:3]:
                    print(f"  WRONG {name} seed {seed}: {row}", flush=True)
        counts = f"{given.functions} functions, {LARGEST_A * LARGEST_B} inputs each, {whole} with all paths claimed"
        print(f"{name}: {counts}, {errors} wrong, {time.monotonic() - start:.0f} s", flush=True)
        code = code or int(errors > 0)
    return code


if __name__ == "__main__":
    sys.exit(main())
