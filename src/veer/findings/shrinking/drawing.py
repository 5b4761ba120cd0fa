"""Runs by choices: the executor takes values in the order in which the run asks for them, and says what it asked."""

from __future__ import annotations

from collections.abc import Sequence

from veer.execution.protocol import Executor
from veer.findings.probes import bounds_of, last_input
from veer.findings.shrinking.choices import Choice
from veer.wire.layout import LeafKind
from veer.wire.shared import Shared


def choices_of_last_run(shared: Shared, data: bytes) -> tuple[Choice, ...]:
    """What the recorded run that just ended asked for, in that order; `data` was its input."""
    records = shared.published("leaves")[shared.published("drawn")]
    return tuple(
        _choice(data, LeafKind(kind), width, offset, minimum, maximum)
        for kind, width, offset, minimum, maximum in zip(
            *(records[name].tolist() for name in ("kind", "width", "input_offset", "minimum", "maximum")), strict=True
        )
    )


def _choice(data: bytes, kind: LeafKind, width: int, offset: int, minimum: int, maximum: int) -> Choice:
    bits = int.from_bytes(data[offset : offset + width // 8], "little")
    return Choice(bits, width, kind, *bounds_of(kind, width, minimum, maximum))


def drawn(executor: Executor, shared: Shared, values: Sequence[int]) -> tuple[bytes, tuple[Choice, ...]] | None:
    """Runs the input that has these values in order, and 0 behind them, as a probe: the input and its choices.

    None: the process did not survive it.
    """
    if not executor.draw(values):
        return None
    data = last_input(shared)
    return data, choices_of_last_run(shared, data)
