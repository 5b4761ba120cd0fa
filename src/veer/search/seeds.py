"""Inputs that a search begins with, of another search over the same program."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Seed:
    """An input, and when it was run first: by which run of the campaign, and after so many nanoseconds."""

    input: bytes
    run: int
    nanoseconds: int
