"""What an emulator says of one test."""

from __future__ import annotations

from msgspec import Struct


class Answer(Struct, frozen=True):
    """How one test ended there: "returned", "exited", "fault" or "limit"; `result`: of its registers; `memory`: of each
    object; `ran`: addresses of instructions."""

    ended: str
    why: str
    result: int
    memory: tuple[str, ...]
    ran: tuple[int, ...]
