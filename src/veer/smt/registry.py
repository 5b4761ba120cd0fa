"""The solvers by the names that `--solver` takes: plug-ins of the group `veer.solvers` (see term_solver.py)."""

from __future__ import annotations

from collections.abc import Sequence

from veer import plugins
from veer.smt.protocol import SmtOptions
from veer.smt.term_solver import Make, TermSolver

SOLVERS = "veer.solvers"


def chosen(text: str) -> tuple[str, ...]:
    """The names in a list like "bitwuzla,z3", each once, in the order in which they are asked. Loads them.

    Raises:
        UsageError: there is no such solver, or it is not installed.
    """
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",")))
    for name in names:
        plugins.find(SOLVERS, name)
    return names


def solvers(name: str, limits: SmtOptions) -> Sequence[TermSolver]:
    """The ways to run a solver, in the order in which they are asked. Raises UsageError as `chosen` does."""
    make: Make = plugins.find(SOLVERS, name)
    return make(limits)
