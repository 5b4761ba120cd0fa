"""What a coordinator and a process that searches for it say to each other, through a pipe."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from veer.model.ending import EndingKind
from veer.search.parallel.protocol import Write

PAUSE, GO = "pause", "go"


@dataclass(frozen=True, slots=True)
class Save:
    """The part is to be written; `write` does it, and tells what is to be known of the file."""

    write: Write


@dataclass(frozen=True, slots=True)
class Paused:
    """The process waits for GO."""

    state: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Saved:
    """The part is written; `file`: what `Save.write` told of it."""

    file: Any
    state: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Done:
    """The search is over."""

    kind: EndingKind
    state: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Failed:
    """Something broke."""

    why: str
