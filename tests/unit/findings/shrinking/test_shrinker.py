"""The loop and its passes on toy programs, which read their input as a run does: in order, and 0 behind the last."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pytest

from veer.findings.shrinking.bugs import PASSES
from veer.findings.shrinking.choices import Choice
from veer.findings.shrinking.deleting import delete
from veer.findings.shrinking.shrinker import Seen, Shown, Shrinking, shrunk
from veer.model.plainness import Size, plainness
from veer.wire.layout import LeafKind


class Reader:
    """What a toy program reads its input with; it lists what it was asked for."""

    def __init__(self, values: Sequence[int]) -> None:
        self._values: Iterator[int] = iter(values)
        self.choices: list[Choice] = []

    def number(self, low: int = -(1 << 31), high: int = (1 << 31) - 1) -> int:
        """A number of 32 bits."""
        return self._read(LeafKind.SIGNED, 32, low, high).number

    def letter(self) -> int:
        """A character; 0 ends a text."""
        return self._read(LeafKind.CHAR, 8, -128, 127).number

    def is_there(self) -> bool:
        """Whether a pointer leads to an object."""
        return self._read(LeafKind.CHOICE, 64, 0, 1).bits == 1

    def _read(self, kind: LeafKind, width: int, low: int, high: int) -> Choice:
        raw = Choice(next(self._values, 0) & ((1 << width) - 1), width, kind, low, high)
        number = min(max(raw.number, low), high)
        self.choices.append(Choice(raw.bits_of(number), width, kind, low, high))
        return self.choices[-1]


def list_of(reader: Reader) -> list[int]:
    found = []
    while len(found) < 20 and reader.is_there():
        found.append(reader.number())
    return found


def text_of(reader: Reader) -> str:
    found = ""
    while len(found) < 20 and (code := reader.letter()) != 0:
        found += chr(code & 0xFF)
    return found


def array_of(reader: Reader) -> list[int]:
    return [reader.number() for _ in range(reader.number(0, 20))]


def two_of(reader: Reader) -> tuple[int, int]:
    return reader.number(), reader.number()


def list_values(*numbers: int) -> list[int]:
    return [each for number in numbers for each in (1, number & 0xFFFF_FFFF)]


def smallest(read: Callable[[Reader], object], shows: Callable[..., bool], start: Sequence[int]) -> object:
    """What is read of the input that shrinking ends at."""

    def show(values: Sequence[int]) -> Seen | None:
        reader = Reader(values)
        if not shows(read(reader)):
            return None
        choices = tuple(reader.choices)
        plain = tuple(plainness(each.bits, each.width, each.name) for each in choices)
        return Seen(choices, lambda: Shown(b"", choices, Size(0, 0, 0, len(plain), plain)))

    seen = show(start)
    first = seen.looked_at() if seen is not None else None
    assert first is not None
    best = shrunk(Shrinking(show, first, 5000), PASSES)
    assert best.size <= first.size
    return read(Reader(best.values))


@pytest.mark.parametrize(
    ("read", "shows", "start", "expected"),
    [
        (list_of, lambda found: 5 in found, list_values(9, 8, 5, 7), [5]),
        (list_of, lambda found: len(found) > 2, list_values(9, 8, 5, 7, -3, 6), [0, 0, 0]),
        (list_of, lambda found: sum(found) == 30, list_values(12, 10, 8), [30]),
        (list_of, lambda found: found != sorted(found), list_values(1, 900, 20, 30), [0, -1]),
        (text_of, lambda text: any(each.isdigit() for each in text), [*b"x7y"], "0"),
        (text_of, lambda text: len(text) > 2 and text == text[::-1], [*b"xyzyx"], "aaa"),
        (text_of, lambda text: "<" in text and ">" in text[text.find("<") :], [*b"1<23>4"], "<>"),
        (array_of, lambda found: 7 in found[1:], [5, 1, 2, 7, 3, 7], [0, 7]),
        (array_of, lambda found: bool(found) and min(found) < -100, [4, 1, (-5000) & 0xFFFF_FFFF, 2, 3], [-101]),
        (two_of, lambda pair: pair[0] + pair[1] == 1000, [700, 300], (0, 1000)),
        (two_of, lambda pair: pair[0] == pair[1] > 50, [70_000, 70_000], (51, 51)),
        (two_of, lambda pair: pair[0] * 3 + pair[1] == 30, [10, 0], (0, 30)),
        (two_of, lambda pair: pair[0] - pair[1] > 1 << 20, [1 << 30, -(1 << 30) & 0xFFFF_FFFF], (0, -(1 << 20) - 1)),
        (two_of, lambda pair: pair[0] > 0 and pair[0] & 0x4040 == 0x4040, [0x7FFF_FFFF, 77], (0x4040, 0)),
    ],
)
def test_it_ends_at_the_smallest(
    read: Callable[[Reader], object], shows: Callable[..., bool], start: list[int], expected: object
) -> None:
    assert smallest(read, shows, start) == expected


def counting(left: int, patience: int = 800) -> tuple[Shrinking, list[tuple[int, ...]]]:
    """An input that shows nothing when it is changed, and the values that were run."""
    ran: list[tuple[int, ...]] = []

    def show(values: Sequence[int]) -> Seen | None:
        ran.append(tuple(values))
        return None

    choices = tuple(Choice(1000 + each, 32, LeafKind.SIGNED, -(1 << 31), (1 << 31) - 1) for each in range(12))
    plain = tuple(plainness(each.bits, each.width, each.name) for each in choices)
    return Shrinking(show, Shown(b"", choices, Size(0, 0, 0, 12, plain)), left, patience), ran


def test_no_more_runs_are_made_than_it_may() -> None:
    shrinking, ran = counting(left=37)
    before = shrinking.best
    assert shrunk(shrinking, PASSES) is before
    assert len(ran) == 37
    shrinking, ran = counting(left=5000, patience=90)
    shrunk(shrinking, PASSES)
    assert len(ran) == 91


def test_nothing_is_run_twice() -> None:
    shrinking, ran = counting(left=5000, patience=5000)
    shrunk(shrinking, PASSES)
    assert len(ran) == len(set(ran)) > 500


def test_what_is_larger_is_not_taken() -> None:
    shrinking, _ = counting(left=10)
    larger = Shown(b"", shrinking.best.choices, shrinking.best.size._replace(objects=1))
    shrinking.show = lambda values: Seen(larger.choices, lambda: larger)
    before = shrinking.best
    delete(shrinking)
    assert shrinking.best is before
