"""Searches of real code that must agree: python bench/agreement.py SOURCE... [--variants 5] [--budget 6] [--seed 0]

Each function of each source (a unit of its own) is searched plainly within small bounds. Where every feasible path is
run, it is searched again in several other ways, drawn by the seed: another strategy, another solver, without some of
the optimisations, with workers, partitioned, compositional. What must be the same is compared: the states of branches,
the places of bugs, and, where every path is run one by one, how many there are. A search that does not end within three
times the budget says nothing. Tests that end otherwise on the plain build are told, too. Exit code 1: a difference.

    python bench/agreement.py ~/checkout/*.c
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import veer
from veer.model.ending import Claim
from veer.model.errors import VeerError
from veer.model.result import Result

USUAL: dict[str, Any] = {"max_length": 3, "max_array": 3, "graph_depth": 2, "grow": False, "hybrid": False}
EXACT: tuple[dict[str, Any], ...] = (
    *({"strategy": name} for name in ("dfs", "random-path", "generational", "bfs", "rarest")),
    *({"solver": name} for name in ("z3", "cvc5")),
    *({"without": list(names)} for names in (("ladder",), ("ranges", "linear", "order"), ("interval", "invert"))),
    *({"without": list(names)} for names in (("copies", "loops"), ("syntactic", "slice", "cores"))),
    {"jobs": 2},
)
"""These run the same paths."""
OTHERS: tuple[dict[str, Any], ...] = ({"partitioned": True}, {"compositional": True}, {"eager": True})
"""These reach the same."""
MOST_PATHS = 1500


@dataclass(frozen=True)
class Said:
    """What a search says that does not depend on how it searches."""

    paths: int
    branches: dict[tuple[str, int, int, str, str], str]
    bugs: frozenset[tuple[str, int]]
    ledger: frozenset[tuple[str, str]]

    @classmethod
    def of(cls, result: Result) -> Said:
        """What a result says."""
        return cls(
            result.paths,
            {(Path(b.file).name, b.line, b.column, b.text, b.side): str(b.state) for b in result.branches},
            frozenset((each.outcome.key, each.line) for each in result.bugs),
            frozenset((each.kind, each.detail) for each in result.ledger),
        )

    def differences(self, other: Said, *, is_exact: bool) -> Iterator[str]:
        """In words: here, there."""
        if is_exact and self.paths != other.paths:
            yield f"{self.paths} paths, {other.paths}"
        for place, state in self.branches.items():
            if other.branches.get(place) != state:
                yield f"{place[0]}:{place[1]} `{place[3]}` is {place[4]}: {state}, {other.branches.get(place)}"
        for name, one, two in (("bugs", self.bugs, other.bugs), ("ledger", self.ledger, other.ledger)):
            if one != two:
                yield f"{name}: here alone {sorted(one - two)}, there alone {sorted(two - one)}"


def functions(source: Path) -> list[str]:
    """Those that can be entries; none, and a line, where the source cannot be read."""
    call = [sys.executable, "-m", "veer", "list", "--json", str(source)]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"{source}: {done.stderr.strip().splitlines()[-1]}", flush=True)
        return []
    return [each["name"] for each in json.loads(done.stdout) if not each["why_not"]]


def searched(source: Path, entry: str, budget: float, options: dict[str, Any]) -> Result | None:
    """The result; None, and a line, where there is none."""
    try:
        return veer.test(source, entry, budget=budget, **USUAL | options)
    except VeerError as error:
        print(f"{source.name} {entry} {options or ''}: {error}", flush=True)
        return None


def disagreements(source: Path, entry: str, given: argparse.Namespace, chance: random.Random) -> int:
    """Searches a function in several ways, and tells what differs: how many searches did."""
    usual = searched(source, entry, given.budget, {})
    if usual is None:
        return 0
    differing = [test.replayed for test in usual.tests if test.replayed.startswith("differs")]
    print(f"{source.name} {entry}: {usual.paths} paths, {usual.ending.claim}", *differing[:1], flush=True)
    if usual.ending.claim is not Claim.PATHS or usual.paths > MOST_PATHS:
        return 0
    wrong = 0
    for options in chance.sample((*EXACT, *OTHERS), given.variants):
        other = searched(source, entry, 3 * given.budget, options)
        if other is None or other.ending.kind != "exhausted":
            continue
        found = list(Said.of(usual).differences(Said.of(other), is_exact=options in EXACT))
        wrong += bool(found)
        print(*(f"    {options}: {each}" for each in found[:6]), sep="\n", end="\n" if found else "", flush=True)
    return wrong


def main() -> int:
    """Searches all functions; 1 where a search disagrees."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", nargs="+", type=Path)
    parser.add_argument("--variants", type=int, default=5, help="other ways for each function")
    parser.add_argument("--budget", type=float, default=6.0, help="seconds of the plain search")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    chance = random.Random(given.seed)
    asked = [(source, entry) for source in given.sources for entry in functions(source) if entry != "main"]
    wrong = [disagreements(source, entry, given, chance) for source, entry in asked]
    print(f"{len(asked)} functions, {sum(wrong)} searches that disagree")
    return 1 if any(wrong) else 0


if __name__ == "__main__":
    sys.exit(main())
