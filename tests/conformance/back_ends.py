"""What must pass the suite: every registered solver, every way to run it, and the chain. A new solver adds itself.

A solver that is not installed is skipped; `pip install -e '.[dev]'` installs all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import pytest

from veer import plugins
from veer.model.errors import UsageError
from veer.model.values import replace
from veer.smt.arena import Arena
from veer.smt.back_end import BackEnd
from veer.smt.chain import chain
from veer.smt.evaluate import ReferenceEvaluator
from veer.smt.formulas import SharedFormulas
from veer.smt.protocol import SmtOptions, Solver
from veer.smt.registry import SOLVERS, solvers
from veer.smt.term_solver import TermSolver

Maker = Callable[[Arena, SmtOptions], Solver]

REGISTERED = plugins.names(SOLVERS)


def _why_not(name: str) -> str:
    """Why a solver cannot be asked, empty if it can."""
    try:
        plugins.find(SOLVERS, name)
    except UsageError as error:
        return str(error)
    return ""


INSTALLED = tuple(name for name in REGISTERED if not _why_not(name))


@cache
def _solvers(name: str, options: SmtOptions) -> Sequence[TermSolver]:
    """The ways to run a solver; they serve one table of terms after the other."""
    return solvers(name, options)


def _way(name: str, number: int) -> Maker:
    """A way to run a solver, alone."""
    return lambda arena, options: BackEnd(
        arena, SharedFormulas(arena, options.terms_per_table), _solvers(name, options)[number], options
    )


def _chain(*names: str) -> Maker:
    return lambda arena, options: chain(arena, ReferenceEvaluator(arena), replace(options, solvers=names))


BACK_ENDS: dict[str, Maker] = {
    **{name: _way(name, 0) for name in INSTALLED},
    **{
        way.name: _way(name, number)
        for name in INSTALLED
        for number, way in enumerate(_solvers(name, SmtOptions()))
        if number
    },
    "chain": _chain("bitwuzla"),
    **{f"chain with {name}": _chain(name, "bitwuzla") for name in INSTALLED if name != "bitwuzla"},
}


def _parameter(name: str) -> object:
    reason = _why_not(name) if name in REGISTERED else ""
    return pytest.param(name, marks=pytest.mark.skipif(bool(reason), reason=reason), id=name)


every_solver = pytest.mark.parametrize("name", [_parameter(name) for name in REGISTERED])
every_back_end = pytest.mark.parametrize(
    "name", [_parameter(name) for name in dict.fromkeys((*REGISTERED, *BACK_ENDS))]
)
