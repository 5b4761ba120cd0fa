"""A bug as campaigns with other harnesses show it, too."""

from __future__ import annotations

from dataclasses import dataclass

from veer.model.outcome import Outcome


@dataclass(frozen=True, slots=True)
class Sought:
    """Its kind, the function and the line that it shows in."""

    outcome: Outcome
    function: str
    line: int


NOWHERE = Sought(Outcome.RETURNED, "", 0)
"""Of a fault of which nobody knows where it shows."""
