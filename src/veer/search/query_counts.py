"""What became of the queries that were left to smt: how many, who answered, how long it took, why nobody knew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field
from msgspec.structs import asdict

from veer.smt.protocol import Eliminated, Sat, Unknown, Unsat


class QueryCounts(Struct):
    """Counts of one search. `seconds` of solving; `answered_by` the name of a solver; `reasons` in its words.

    `eliminated`: where the solver counts the constraints that it spared its back ends.
    """

    eliminated: Eliminated = field(default_factory=Eliminated)
    sat: int = 0
    unsat: int = 0
    unknown: int = 0
    seconds: float = 0.0
    answered_by: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)

    def note(self, answer: Sat | Unsat) -> None:
        """Counts a query that a solver decided."""
        if isinstance(answer, Sat):
            self.sat += 1
        else:
            self.unsat += 1
        self.answered_by[answer.by] += 1

    def note_unknown(self, answer: Unknown) -> None:
        """Counts a query that is given up."""
        self.unknown += 1
        self.reasons[answer.reason] += 1

    def state(self) -> dict[str, Any]:
        """As JSON knows it, for a campaign that is saved."""
        return {
            "sat": self.sat,
            "unsat": self.unsat,
            "unknown": self.unknown,
            "seconds": self.seconds,
            "answered_by": dict(self.answered_by),
            "eliminated": asdict(self.eliminated),
            "reasons": dict(self.reasons),
        }

    def add_state(self, state: Mapping[str, Any]) -> None:
        """Adds the counts of an earlier session, or of a worker."""
        self.sat += state.get("sat", 0)
        self.unsat += state.get("unsat", 0)
        self.unknown += state.get("unknown", 0)
        self.seconds += state.get("seconds", 0.0)
        self.answered_by.update(state.get("answered_by", {}))
        self.eliminated.add(Eliminated(**state.get("eliminated", {})))
        self.reasons.update(state.get("reasons", {}))
