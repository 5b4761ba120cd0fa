"""What a coordinator and a process that searches for it say to each other, through a pipe."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from veer.model.ending import EndingKind
from veer.search.parallel.protocol import Write

PAUSE, GO = "pause", "go"


class Save(Struct, frozen=True):
    """The part is to be written; `write` does it, and tells what is to be known of the file."""

    write: Write


class Paused(Struct, frozen=True):
    """The process waits for GO."""

    state: Mapping[str, Any]


class Saved(Struct, frozen=True):
    """The part is written; `file`: what `Save.write` told of it."""

    file: Any
    state: Mapping[str, Any]


class Done(Struct, frozen=True):
    """The search is over."""

    kind: EndingKind
    state: Mapping[str, Any]


class Failed(Struct, frozen=True):
    """Something broke."""

    why: str
