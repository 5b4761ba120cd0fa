"""The rows of bench/throughput.py: subjects and their sizes, what is known of them, KLEE's figures from elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from math import factorial
from pathlib import Path

import real_code
from common import SUBJECTS

from veer.model.buildoptions import BuildOptions
from veer.model.values import replace


@dataclass(frozen=True)
class Row:
    """A subject and its size, the macro SIZE of its harness; 0 = it has none.

    `known`: its paths, by a formula or another tool's exhaustion (tests/truth/test_bench_subjects.py compares small
    sizes with brute force). `klee`: paths and seconds of KLEE 3.2's depth-first search on a program of the same kind,
    on another machine in other hours. `target`: how many times KLEE's paths a second veer should have at least.
    """

    subject: str
    size: int = 0
    known: int | None = None
    klee: tuple[int, float] | None = None
    target: int = 5
    seconds: float = 0.0  # at least so much time, whatever --budget says

    @property
    def name(self) -> str:
        return f"{self.subject} {self.size}" if self.size else self.subject

    @property
    def flags(self) -> tuple[str, ...]:
        return (f"-DSIZE={self.size}",) if self.size else ()

    def options(self, work: Path) -> BuildOptions:
        """How it is built; fetches what is not ours."""
        if self.subject in real_code.SUBJECTS_BY_NAME:
            build = real_code.options(self.subject, real_code.SUBJECTS_BY_NAME[self.subject], work)
        else:
            build = BuildOptions(sources=(SUBJECTS / f"{self.subject}.c",), entry="main")
        return replace(build, cflags=(*build.cflags, *self.flags))


_SPLAT = {12: (4_096, 0.6), 16: (65_536, 10.6), 20: (294_355, 60.0)}
ROWS = (
    Row("testme", klee=(10, 0.05)),
    *(Row("locate", size, known=3 * size, klee=(120, 0.34) if size == 40 else None) for size in (10, 20, 40)),
    *(Row("splat", size, known=2**size, klee=_SPLAT.get(size), target=30) for size in (8, 12, 16, 20)),
    Row("ifs", known=2**16, target=30),
    Row("regexp", known=26_972, klee=(25_199, 9.0), target=30),
    Row("json", 10, klee=(548_656, 60.0), target=30),
    Row("triangle", known=17, klee=(13, 1.0)),
    Row("bubble", 5, known=factorial(5), klee=(120, 1.8)),
    Row("bubble", 7, known=factorial(7)),
    Row("hash", known=5, klee=(6, 0.07)),
    Row("quadratic", klee=(1, 0.04)),
    *(Row("atoi", 6), Row("records", 8), Row("cjson", 10)),
)
LONG_ROWS = (Row("ifs", 24, known=2**24, target=30, seconds=280.0),)
"""Asked for by name: this one has more than ten million paths, for the column of memory."""
