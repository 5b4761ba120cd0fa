"""CUTE's figure 10 on a data-structure library of veer's own: python bench/cute_table.py [--budget SECONDS] [NAME...].

`branches`: sides covered of those that the tested functions lead to; `infeasible`: the others that no input within the
bounds takes, which veer says of them (assertions that hold, tests that are redundant). `native`: the share of the
queries that were answered natively. `OPT 1`: the share that the fast unsatisfiability check answered; `OPT 2&3`: the
share of constraints that the other queries were spared, as repeated or independent; both in a search of their own that
has neither ladder nor dropped events (docs/decisions/0103). `seeds`: how many of the bugs that -DSEEDED puts in were
found. The clean copy must have none.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field

from common import run, table
from structures import STRUCTURES, Structure

from veer.model.outcome import Outcome
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions
from veer.model.values import replace
from veer.wire.layout import RUNGS

HEAD = (
    "structure",
    "seconds",
    "runs",
    "branches",
    "coverage",
    "infeasible",
    "tested",
    "native",
    "OPT 1",
    "OPT 2&3",
    "bugs",
    "seeds",
)


@dataclass(slots=True)
class Sums:
    """All campaigns over one structure together."""

    seconds: float = 0.0
    runs: int = 0
    sides: dict[tuple[str, int, int, str, str], set[str]] = field(default_factory=dict)  # its state in each campaign
    queries: int = 0
    syntactic: int = 0
    native: int = 0
    given: int = 0
    eliminated: int = 0
    bugs: set[tuple[Outcome, str]] = field(default_factory=set)

    def add(self, result: Result) -> None:
        """One more campaign."""
        self.seconds += result.seconds.total - result.seconds.compile
        self.runs += result.runs
        for branch in result.branches:
            place = (branch.file, branch.line, branch.column, branch.text, branch.side)
            self.sides.setdefault(place, set()).add(branch.state)
        self.queries += result.queries.total
        answered = result.queries.answered_by
        self.syntactic += answered.get("syntactic", 0)
        self.native += sum(count for name, count in answered.items() if name in RUNGS)
        constraints = result.queries.constraints
        self.given += constraints.given
        self.eliminated += constraints.repeated + constraints.independent
        self.bugs |= {(bug.outcome, bug.function) for bug in result.bugs}


def summed(structure: Structure, search: SearchOptions, *, seeded: bool) -> Sums:
    """Every campaign over one structure."""
    sums = Sums()
    for build in structure.builds(seeded=seeded):
        result = run(build, search)
        if result is not None:
            sums.add(result)
    return sums


def percentage(part: int, whole: int) -> str:
    """A cell; "-" of nothing."""
    return f"{100 * part / whole:.1f} %" if whole else "-"


def row(structure: Structure, search: SearchOptions) -> tuple[object, ...]:
    """One line of the table."""
    clean, seeded = summed(structure, search, seeded=False), summed(structure, search, seeded=True)
    bare = summed(structure, replace(search, without=("ladder", "events")), seeded=False)
    covered = sum("covered" in states for states in clean.sides.values())
    found = sum(bug in seeded.bugs for bug in structure.seeded)
    return (
        structure.name,
        f"{clean.seconds:.1f}",
        clean.runs,
        covered,
        percentage(covered, len(clean.sides)),
        sum(states == {"infeasible"} for states in clean.sides.values()),
        len(structure.entries) + len({word for word in structure.sequence.replace("{", ",").split(",") if word}),
        percentage(clean.native, clean.queries),
        percentage(bare.syntactic, bare.queries),
        percentage(bare.eliminated, bare.given),
        len(clean.bugs),
        f"{found} of {len(structure.seeded)}",
    )


def main(arguments: Iterable[str]) -> int:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--budget", type=float, default=20.0, metavar="SECONDS")
    parser.add_argument("names", nargs="*", metavar="NAME")
    given = parser.parse_args(list(arguments))
    search = SearchOptions(budget=given.budget, max_steps=100_000)
    chosen = [each for each in STRUCTURES if not given.names or each.name in given.names]
    print(table(HEAD, [row(structure, search) for structure in chosen]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
