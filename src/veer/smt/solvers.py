"""The solvers by the names that `--solver` takes. Those that are optional are imported when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec

import bitwuzla

from veer.model.errors import UsageError
from veer.smt.arena import Arena
from veer.smt.back_end import TermPool
from veer.smt.bitwuzla_backend import FALL_BACKS, STANDARD, BitwuzlaSolver
from veer.smt.protocol import SmtOptions, Solver

Make = Callable[[Arena, SmtOptions], tuple[Solver, ...]]


def _bitwuzla(arena: Arena, options: SmtOptions) -> tuple[Solver, ...]:
    pool = TermPool(arena, bitwuzla.TermManager, options.terms_per_manager)
    fall_backs = (each for each in FALL_BACKS if each.name.removeprefix("bitwuzla-") not in options.without)
    settings = (STANDARD, *fall_backs)
    return tuple(BitwuzlaSolver(arena, pool, each, options) for each in settings)


def _z3(arena: Arena, options: SmtOptions) -> tuple[Solver, ...]:
    # Not at the top: the wheel is as large as all others but the compiler together, so it is an extra (decision 0070).
    solver: Solver = import_module("veer.smt.z3_backend").z3_solver(arena, options)
    return (solver,)


SOLVERS: dict[str, Make] = {"bitwuzla": _bitwuzla, "z3": _z3}
_MODULES = {"bitwuzla": "bitwuzla", "z3": "z3"}


def chosen(text: str) -> tuple[str, ...]:
    """The names in a list like "bitwuzla,z3", each once, in the order in which they are asked.

    Raises:
        UsageError: there is no such solver, or it is not installed.
    """
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",")))
    check(names)
    return names


def check(names: Sequence[str]) -> None:
    """Raises UsageError for the first solver that there is not, or that is not installed."""
    for name in names:
        if name not in SOLVERS:
            raise UsageError(f"there is no solver `{name}`; known are {', '.join(SOLVERS)}, or several with commas")
        if find_spec(_MODULES[name]) is None:
            raise UsageError(f"the solver {name} is not installed: run `pip install 'veer[{name}]'`")


def back_ends_of(name: str, arena: Arena, options: SmtOptions) -> tuple[Solver, ...]:
    """A solver's back ends, in the order in which they are asked. Raises UsageError as `check` does."""
    check((name,))
    return SOLVERS[name](arena, options)
