"""The solvers that must pass the suite: a name → how to make one. A new back end is a line here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import bitwuzla

from veer.smt.arena import Arena
from veer.smt.back_end import TermPool
from veer.smt.bitwuzla_backend import FALL_BACKS, STANDARD, BitwuzlaSolver, Settings
from veer.smt.chain import chain
from veer.smt.evaluate import ReferenceEvaluator
from veer.smt.protocol import SmtOptions, Solver
from veer.smt.z3_backend import z3_solver

Maker = Callable[[Arena, SmtOptions], Solver]


def _bitwuzla(settings: Settings) -> Maker:
    return lambda arena, options: BitwuzlaSolver(
        arena, TermPool(arena, bitwuzla.TermManager, options.terms_per_manager), settings, options
    )


def _chain(arena: Arena, options: SmtOptions) -> Solver:
    return chain(arena, ReferenceEvaluator(arena), options)


def _chain_with_z3(arena: Arena, options: SmtOptions) -> Solver:
    return chain(arena, ReferenceEvaluator(arena), replace(options, solvers=("z3", "bitwuzla")))


BACK_ENDS: dict[str, Maker] = {
    "chain": _chain,
    "z3": z3_solver,
    "chain with z3": _chain_with_z3,
    **{settings.name: _bitwuzla(settings) for settings in (STANDARD, *FALL_BACKS)},
}
