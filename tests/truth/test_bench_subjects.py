"""The subjects of bench/throughput.py at small sizes: as many paths as brute force finds.

The large sizes cannot be run through; there, counts are compared with formulas of the size (bench/rows.py), and these
formulas must hold here.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import factorial
from pathlib import Path

import brute_force
import brute_header
import measuring
import pytest
from common import SUBJECTS
from sampling import sampled
from veer_side import BUDGET, build_options, explore

from veer.model.buildoptions import BuildOptions
from veer.model.searchoptions import SearchOptions

JSON = " ".join(str(ord(c)) for c in '{}[]":,truefalsn\\-.+E \n\t0x\0')


@dataclass(frozen=True)
class Small:
    """A subject, its size (0: it has none), the domains of its inputs, and its paths where a formula says them."""

    subject: str
    size: int
    inputs: tuple[str, ...]
    paths: int | None = None


def each(declaration: str, count: int, domain: str) -> str:
    """The header's line for an array whose elements have one domain."""
    return f"{declaration}[{count}]: " + "; ".join(f"[{k}]={domain}" for k in range(count))


CASES = (
    Small("locate", 4, (each("char text", 4, "0 'a' ':' 'b'"),), 3 * 4),
    Small("splat", 5, (each("int a", 5, "0 1"),), 2**5),
    Small("ifs", 5, (each("unsigned char x", 5, "100 101"),), 2**5),
    Small("bubble", 4, (each("int v", 4, "-1..2"),), factorial(4)),
    Small("bubble", 5, (each("int v", 5, "-2..2"),), factorial(5)),
    Small("triangle", 0, (each("int side", 3, "0..13 1000 1001"),), 17),
    Small("json", 3, (each("char text", 3, JSON),)),
    Small("regexp", 4, (each("char pattern", 4, "0 '^' '$' '.' '*' 'h' 'e' 'l' 'o' 'x'"),)),
    Small("records", 4, (each("unsigned char packet", 4, "0..6 255"),)),
    Small("testme", 0, ("int x: -1 0 1 2", "int v: 0 3 5", each("unsigned char shape", 2, "0 1 2"))),
    Small("atoi", 5, (each("char text", 5, "0 32 '-' '+' '0' '1' '4' '7' 'x'"),)),
)


KEPT = ("triangle", "json", "regexp")  # whose counts no formula says


@pytest.mark.parametrize(
    "case", sampled(CASES, lambda case: case.subject in KEPT), ids=lambda case: f"{case.subject}-{case.size}"
)
def test_a_subject_has_the_paths_that_brute_force_finds(case: Small, tmp_path: Path) -> None:
    program = tmp_path / f"{case.subject}_{case.size}.c"
    head = [
        "// entry: main",
        "// harness: yes",
        "// outcomes: returned",
        *(f"// input: {line}" for line in case.inputs),
    ]
    size = [f"#define SIZE {case.size}"] if case.size else []
    program.write_text("\n".join([*head, *size, (SUBJECTS / f"{case.subject}.c").read_text()]))
    expectation = brute_header.read(program)
    rows = brute_force.feasible(brute_force.build(expectation))
    result = explore(build_options(expectation), SearchOptions(budget=BUDGET))
    assert result.ending.claim == "paths"
    assert result.paths == len({row.path for row in rows})
    assert case.paths in (None, result.paths)


def test_the_bench_watches_the_search(tmp_path: Path) -> None:
    """It takes a function's place by name: once that had another one, nothing was measured, and nobody saw it."""
    source = tmp_path / "unit.c"
    source.write_text("int f(int x) { return x > 7 ? 1 : x < -3; }")
    _, found = measuring.measure(BuildOptions((source,), "f"), SearchOptions(budget=BUDGET))
    assert found.cpu > 1e-4 and found.microseconds["run"] > 0
