"""What ./check runs of many cases, and what it leaves to `./check --long` (VEER_LONG=1)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import TypeVar

IS_LONG = bool(os.environ.get("VEER_LONG"))
_Case = TypeVar("_Case")


def sampled(cases: Iterable[_Case], is_kept: Callable[[_Case], bool]) -> list[_Case]:
    """The cases that stand for all of them; all of them in a long check."""
    return [case for case in cases if IS_LONG or is_kept(case)]


def first(few: int, many: int) -> range:
    """So many seeds; in a long check the larger number."""
    return range(many if IS_LONG else few)
