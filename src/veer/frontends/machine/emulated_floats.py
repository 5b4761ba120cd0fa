"""Functions of a floating-point number on the emulator, whose result C defines to the last bit."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable

_INTEGRAL_FROM = 2.0**52


def exact(name: str, bits: int) -> int:
    """The bits of the result. `name`: that of C; with an `f` at its end it is of 32 bits."""
    code, size = ("<f", 4) if name.endswith("f") else ("<d", 8)
    (number,) = struct.unpack(code, bits.to_bytes(size, "little"))
    return int.from_bytes(struct.pack(code, _FUNCTIONS[name.removesuffix("f")](number)), "little")


def _root(number: float) -> float:
    return math.sqrt(number) if number >= 0 else math.nan


def _integral(rule: Callable[[float], float]) -> Callable[[float], float]:
    """With the sign of the number; what is so large, infinite or none is itself."""

    def of(number: float) -> float:
        return math.copysign(rule(number), number) if abs(number) < _INTEGRAL_FROM else number

    return of


def _half_away(number: float) -> float:
    below = math.floor(abs(number))
    return below + (abs(number) - below >= 0.5)


_FUNCTIONS: dict[str, Callable[[float], float]] = {
    "sqrt": _root,
    "fabs": lambda number: math.copysign(number, 1.0),
    "floor": _integral(math.floor),
    "ceil": _integral(math.ceil),
    "trunc": _integral(math.trunc),
    "round": _integral(_half_away),
    "rint": _integral(round),
    "nearbyint": _integral(round),
}
