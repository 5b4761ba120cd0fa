"""A fact about this machine, which `veer doctor` tells."""

from __future__ import annotations

from msgspec import Struct


class Fact(Struct, frozen=True):
    """One line of `veer doctor`. `ok` is None for what is only nice to have and missing."""

    what: str
    ok: bool | None
    detail: str
