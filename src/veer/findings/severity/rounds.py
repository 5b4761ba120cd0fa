"""A number that asks for more rounds than a run has steps.

void delay(unsigned n) { while (n--) ; }    n = 4294967295 ends after some seconds: long, not endless
for (unsigned char i = 0; i < n; i++)       n = 300 is as endless as n = 2147483647: no number is to blame
if (n > 1000000) for (;;) ;                 endless, and nothing in the loop asks about n: no number is to blame

scanf("%d", &n); for (i = 0; i < n; i++) ...    "262145" is long, and so are 41001 rounds of 41001

The plain build tells none from the other, for it waits a second or so. A loop that counts asks something new of the
input in each round; one without end asks the same again, or nothing. So a number is to blame where the run met new
conditions for as long as it ran (`asks_on`), and no smaller number shows a hang in that loop.

return n < 2 ? n : fib(n - 1) + fib(n - 2);         n = 45 asks the same few questions again and again, and ends

There, runs with smaller numbers tell: each takes so many times the steps of the one before (`grows_with`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from msgspec import Struct

from veer.findings.severity.witness import Held, Misfit, Witness
from veer.model.inputs import Cell, Scalar
from veer.model.outcome import Outcome
from veer.model.severity import Broken
from veer.model.types import Type, TypeKind

MOST_ROUNDS = 1000
"""A number up to that is to blame for nothing: as many rounds end within a moment, and so do loops in loops of them."""
MANY_CONDITIONS = 1000
"""Of the input that one run met: a loop that counts, and is not endless."""
_COUNTS = frozenset((TypeKind.SIGNED, TypeKind.UNSIGNED, TypeKind.CHAR))
_SMALLER = (300, 70_000, -300, 1)
"""Beyond what one byte, and two, count to; below zero; and nearly nothing."""
_SMALLER_IN_TEXTS = (300, 9, 1)
_MOST_DIGITS = 20
"""Of a number in a text: with more it is as large."""
_MINUS = ord("-")
_NUMERAL = frozenset((_MINUS, *range(ord("0"), ord("9") + 1)))
_DIGIT = Type(-1, TypeKind.CHAR, "char", 1)


class Count(Struct, frozen=True):
    """A number of the input that a run looked at: with its value in words; the value; where it is.

    `written`: of a number in a text, the form of another one in its place.
    """

    given: str
    number: int
    misfit: Misfit
    written: Callable[[int], int] | None = None

    @property
    def is_large(self) -> bool:
        """Whether it may ask for more rounds than end within a moment: one of a text below 0 may be read as a large
        one."""
        least = -MOST_ROUNDS if self.written is None else 0
        return not least <= self.number <= MOST_ROUNDS


def broken(witness: Witness) -> Iterator[Broken]:
    """Each number that asks a run that used up its steps for more of them."""
    for each in (*_large(witness), *_growing(witness)):
        why = f"it needs {each.given}, and with smaller numbers no run is as long"
        yield Broken(f"{each.misfit.held.words} asks for few rounds", why)


def outside(witness: Witness) -> Iterator[Misfit]:
    """The large numbers, each with some that ask for few rounds."""
    for each in _large(witness):
        yield each.misfit


def _large(witness: Witness) -> Iterator[Count]:
    """Those that may ask for as many rounds as a run asked on for."""
    if witness.asks_on:
        yield from (each for each in counts(witness) if each.is_large)


def _growing(witness: Witness) -> Iterator[Count]:
    """Those with which runs grow so that this one cannot end within its steps."""
    if not witness.asks_on:
        yield from (each for each in counts(witness) if each.misfit.value.at in witness.grows_with)


def counts(witness: Witness) -> Iterator[Count]:
    """The numbers that a run looked at which used up its steps, those of texts among them."""
    if witness.fault.outcome is Outcome.HANG:
        yield from _numbers(witness)
        yield from _texts(witness)


def _numbers(witness: Witness) -> Iterator[Count]:
    for held, value in witness.numbers:
        if held.type.kind in _COUNTS:
            signs = (each for each in _SMALLER if each > 0 or held.type.kind is not TypeKind.UNSIGNED)
            smaller = tuple(each for each in signs if abs(each) < abs(value.number))
            yield Count(f"`{held.words}` = {value.number}", value.number, Misfit(held, value, smaller))


def _texts(witness: Witness) -> Iterator[Count]:
    """Decimal numbers in texts: of files, of standard input, of arguments. Smaller ones have as many characters.

    One below zero is as large as can be where it is read as an unsigned one.
    """
    roots, objects = witness.inputs.roots, witness.inputs.objects
    texts = [*((each.name, each.cells) for each in roots), *((each.path, each.cells) for each in objects)]
    for name, digits in ((name, digits) for name, cells in texts for digits in _numerals(cells)):
        text = bytes(each.bits for each in digits)
        number = int(text[:_MOST_DIGITS])
        write = partial(_as_text, len(text))
        smaller = (each for each in _SMALLER_IN_TEXTS if each < number or number <= 0)
        fitting = tuple(write(each) for each in smaller if len(str(each)) <= len(text))
        whole = Scalar(_as_one(text), 8 * len(text), "unsigned", at=digits[0].at)
        misfit = Misfit(Held(name, None, _DIGIT, whole, 0), whole, fitting)
        yield Count(f"{text.decode()} in `{name}`", number, misfit, write)


def _as_text(length: int, number: int) -> int:
    """A decimal number of so many characters, as `_as_one` has it."""
    return _as_one(b"%0*d" % (length, number))


def _as_one(text: bytes) -> int:
    """The characters as one number of the engine's form of an input."""
    return int.from_bytes(text, "little")


def _numerals(cells: Sequence[Cell]) -> Iterator[list[Scalar]]:
    """Digits that stand side by side, in the text and in the engine's form of it, with a minus that is before them."""
    run: list[Scalar] = []
    for value in (*(cell.value for cell in cells), None):
        shown = value if isinstance(value, Scalar) and value.width == 8 and value.used else None
        shown = shown if shown is not None and shown.bits in _NUMERAL else None
        if run and (shown is None or shown.bits == _MINUS or shown.at != run[-1].at + 1):
            if run[-1].bits != _MINUS:
                yield run
            run = []
        if shown is not None:
            run.append(shown)
