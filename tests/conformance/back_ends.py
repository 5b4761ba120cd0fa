"""The solvers that must pass the suite: a name → how to make one. A new back end is a line here."""

from __future__ import annotations

from collections.abc import Callable

from veer.smt.arena import Arena
from veer.smt.bitwuzla_backend import FALL_BACKS, STANDARD, BitwuzlaSolver, Settings, TermPool
from veer.smt.chain import chain
from veer.smt.evaluate import ReferenceEvaluator
from veer.smt.protocol import SmtOptions, Solver

Maker = Callable[[Arena, SmtOptions], Solver]


def _bitwuzla(settings: Settings) -> Maker:
    return lambda arena, options: BitwuzlaSolver(arena, TermPool(arena, options.terms_per_manager), settings, options)


def _chain(arena: Arena, options: SmtOptions) -> Solver:
    return chain(arena, ReferenceEvaluator(arena), options)


BACK_ENDS: dict[str, Maker] = {
    "chain": _chain,
    **{settings.name: _bitwuzla(settings) for settings in (STANDARD, *FALL_BACKS)},
}
