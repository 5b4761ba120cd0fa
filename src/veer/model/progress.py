"""What a running campaign tells whoever asked: a value, some times a second."""

from __future__ import annotations

from msgspec import Struct


class Progress(Struct, frozen=True):
    """A snapshot. `phase`: compile, explore, replay, write, test. `done` of `total` functions: of a whole project.

    `short`: what the note says, in fewer words, for a narrow terminal.
    """

    phase: str
    seconds: float
    runs: int = 0
    paths: int = 0
    open_branches: int = 0
    branches_covered: int = 0
    branches_total: int = 0
    bugs: int = 0
    note: str = ""
    done: int = 0
    total: int = 0
    short: str = ""
