"""Inputs that a search begins with, of another search over the same program."""

from __future__ import annotations

from msgspec import Struct


class Seed(Struct, frozen=True):
    """An input, and when it was run first: by which run of the campaign, and after so many nanoseconds."""

    input: bytes
    run: int
    nanoseconds: int
