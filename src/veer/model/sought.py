"""A bug as campaigns with other harnesses show it, too."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sought:
    """Its kind (`Outcome.key`, for campaigns are saved with what they seek), the function and the line it shows in."""

    kind: str
    function: str
    line: int


NOWHERE = Sought("", "", 0)
"""Of a fault of which nobody knows where it shows."""
