"""One program, searched with some options and judged; a failure is made small and put into words."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from scale.brute import Brute
from scale.bundle import bundle
from scale.generator import Program, generate
from scale.judge import Wrong, judge
from scale.searched import Said, search
from scale.shrinking import shrunk
from veer.model.errors import UsageError

FEW_PATHS = 25
"""Of more paths than these a program is searched alone."""


@dataclass(frozen=True, slots=True)
class Trial:
    """`names`: of the options. `paths`: how many brute force found."""

    program: Program
    names: tuple[str, ...]
    paths: int
    said: Said
    wrongs: tuple[Wrong, ...]


def trial(program: Program, names: tuple[str, ...]) -> Trial:
    """Brute force, one campaign, and what is wrong."""
    brute = Brute(program)
    truth = brute.all()
    with tempfile.TemporaryDirectory(prefix="veer-scale-") as folder:
        said = search(program, names, Path(folder), len(truth.endings))
    return Trial(program, names, len(truth.endings), said, tuple(judge(program, brute, truth, said)))


def serious(wrongs: tuple[Wrong, ...]) -> tuple[Wrong, ...]:
    """Without what is only weak."""
    return tuple(wrong for wrong in wrongs if wrong.kind != "weak")


def small(found: Trial, attempts: int = 60) -> Program:
    """The smallest program found that fails as the gravest difference of this trial does."""
    gravest = serious(found.wrongs)[0]

    def fails(program: Program) -> bool:
        try:
            again = trial(program, found.names).wrongs
        except UsageError:  # a header is gone that brute force's harness includes
            return False
        return any((wrong.kind, wrong.shape) == (gravest.kind, gravest.shape) for wrong in again)

    return shrunk(found.program, fails, attempts)


def together(seeds: Iterable[int]) -> list[Program]:
    """The programs of these seeds: one bundle, and those with too many paths alone."""
    programs = [generate(seed) for seed in seeds]
    few = [each for each in programs if len(Brute(each).all().endings) <= FEW_PATHS]
    return [*([bundle(few)] if few else []), *(each for each in programs if each not in few)]


def alone(found: Trial, seeds: Iterable[int]) -> Trial:
    """The first program of a bundle that fails by itself, with the same options; the bundle's trial if none does."""
    for seed in seeds:
        again = trial(generate(seed), found.names)
        if serious(again.wrongs):
            return again
    return found


def explain(found: Trial) -> str:
    """The differences, the options, and the smallest program that shows the gravest of them."""
    wrongs = "\n".join(map(str, found.wrongs))
    options = ", ".join(found.names) or "no option"
    return f"seed {found.program.seed} with {options}:\n{wrongs}\n\n{small(found).text}"
