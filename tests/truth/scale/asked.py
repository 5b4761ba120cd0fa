"""The options that programs are searched with beside the plain search, and which two of them a seed draws."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from itertools import combinations
from typing import Any

from veer import plugins
from veer.model.searchoptions import WITHOUT

PLAIN: tuple[str, ...] = ()
RESUME = "resume"
_NOT_DRAWN = ("coverage", "specification")
"""The usual strategy, and the one that needs a specification."""
_STRATEGIES: dict[str, dict[str, Any]] = {
    **{name: {"strategy": name} for name in plugins.own_names("veer.strategies") if name not in _NOT_DRAWN},
    "solve-first": {"strategy": "dfs", "solve_first": True},
}
_SOLVERS: dict[str, dict[str, Any]] = {
    **{name: {"solver": name} for name in ("z3", "cvc5")},
    "bitwuzla and z3": {"solver": "bitwuzla,z3"},
}
OPTIONS: dict[str, dict[str, Any]] = {
    "compositional": {"compositional": True},
    "partitioned": {"partitioned": True},
    "look-ahead": {"look_ahead": True},
    "call depth": {"max_call_depth": 1},
    "jobs": {"jobs": 2},
    RESUME: {},
    "eager": {"eager": True},
    "mcdc": {"criterion": "mcdc"},
    "without": {},
    **_STRATEGIES,
    **_SOLVERS,
}
_EXCLUDING = (
    {*_STRATEGIES},
    {*_SOLVERS},
    {"compositional", "jobs"},
    {"partitioned", "jobs"},
    {"compositional", "partitioned"},
    {"compositional", "mcdc"},
    {"compositional", "look-ahead"},
    {"compositional", "call depth"},
    {"compositional", "solve-first"},
    {"look-ahead", "mcdc"},
    {"compositional", RESUME},
)
"""No two of one set are asked together."""
NO_PATHS = frozenset({"compositional", "look-ahead", "mcdc"})
"""With these, not every path can be asked for as a test."""


def _may(one: str, other: str) -> bool:
    return not any(one in each and other in each for each in _EXCLUDING)


@cache
def _pairs(turn: int) -> tuple[tuple[str, str], ...]:
    """As many pairs as there are options, in which each option is twice."""
    chance = random.Random(turn)
    possible = [pair for pair in combinations(OPTIONS, 2) if _may(*pair)]
    while True:
        chance.shuffle(possible)
        counts: Counter[str] = Counter()
        chosen = []
        for pair in possible:
            if counts[pair[0]] < 2 and counts[pair[1]] < 2:
                counts.update(pair)
                chosen.append(pair)
        if len(chosen) == len(OPTIONS):
            return tuple(chosen)


def drawn(seed: int) -> tuple[str, str]:
    """The two options that the program of a seed is searched with."""
    turn, place = divmod(seed, len(OPTIONS))
    return _pairs(turn)[place]


def arguments(names: tuple[str, ...], seed: int) -> dict[str, Any]:
    """The options as veer.test takes them."""
    given: dict[str, Any] = {}
    for name in names:
        given.update(OPTIONS[name])
    if "without" in names:
        chance = random.Random(seed)
        given["without"] = chance.sample(WITHOUT, chance.choice((1, 2, 3)))
    return given
