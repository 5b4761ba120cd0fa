"""The numbers of numpy's PCG64: the same seed gives the same ones everywhere.

M. E. O'Neill, PCG (HMC-CS-2014-0905): a linear congruential generator of 128 bits, of which XSL-RR makes 64; the state
comes of the seed as numpy's SeedSequence makes it. A small search draws a few hundred numbers; to load numpy.random
takes longer than all of them (decision 0428), so that it is loaded for who draws more.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

_OWN = 4096
"""Numbers that are made here."""
_MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645
_WORD, _LONG, _STATE = (1 << 32) - 1, (1 << 64) - 1, (1 << 128) - 1
_POOL = 4
"""Words in which SeedSequence collects what there is of the seed."""


class Pcg64:
    """The stream of a seed, which is at least 0."""

    def __init__(self, seed: int) -> None:
        self._seed, self._drawn = seed, 0
        self._numpys: Any = None
        high, low, first, second = _seeded(seed)
        self._step = ((first << 64 | second) << 1 | 1) & _STATE
        self._state = 0
        self._advance()
        self._state = (self._state + (high << 64 | low)) & _STATE
        self._advance()

    def raw(self, count: int) -> npt.NDArray[np.uint64]:
        """The next numbers of 64 bits."""
        if self._numpys is None and self._drawn + count <= _OWN:
            self._drawn += count
            return np.fromiter((self._next() for _ in range(count)), np.uint64, count)
        if self._numpys is None:
            self._numpys = import_module("numpy.random").PCG64(self._seed).advance(self._drawn)
        found: npt.NDArray[np.uint64] = self._numpys.random_raw(count)
        return found

    def _next(self) -> int:
        self._advance()
        folded, turns = (self._state >> 64 ^ self._state) & _LONG, self._state >> 122
        return (folded >> turns | folded << (64 - turns)) & _LONG

    def _advance(self) -> None:
        self._state = (self._state * _MULTIPLIER + self._step) & _STATE


def _seeded(seed: int) -> tuple[int, ...]:
    """Four numbers of 64 bits, as numpy's SeedSequence(seed).generate_state(4, uint64) makes them."""
    words = [seed >> at & _WORD for at in range(0, max(1, seed.bit_length()), 32)]
    hashed = _Hash(0x43B0D7E5, 0x931E8875)
    pool = [hashed.of(words[at] if at < len(words) else 0) for at in range(_POOL)]
    for source in range(_POOL):
        for target in range(_POOL):
            if source != target:
                pool[target] = _mixed(pool[target], hashed.of(pool[source]))
    for word in words[_POOL:]:
        for target in range(_POOL):
            pool[target] = _mixed(pool[target], hashed.of(word))
    hashed = _Hash(0x8B51F9DD, 0x58F38DED)
    halves = [hashed.of(pool[at % _POOL]) for at in range(8)]
    return tuple(low | high << 32 for low, high in zip(halves[::2], halves[1::2], strict=True))


class _Hash:
    """A hash whose constant goes on with each word."""

    def __init__(self, first: int, multiplier: int) -> None:
        self._constant, self._multiplier = first, multiplier

    def of(self, word: int) -> int:
        """Of a word of 32 bits."""
        word ^= self._constant
        self._constant = self._constant * self._multiplier & _WORD
        word = word * self._constant & _WORD
        return word ^ word >> 16


def _mixed(one: int, other: int) -> int:
    mixed = (0xCA01F9DD * one - 0x4973F715 * other) & _WORD
    return mixed ^ mixed >> 16
