"""A number that says more than there is: of a buffer in the same struct, or among the same parameters.

struct view { const char *text; size_t length, offset; };
if (v->offset + 1 < v->length) ... v->text[v->offset]      a view with length = 9 and 4 bytes behind `text` is none
                                                           that a caller makes: the code believes what it is told
put(const char *buf, size_t *n) { ... buf[*n - 1] }        so it is with what a parameter leads to, and with
                                                           `text` = NULL, which has no characters

int last(int *buf, size_t size) { at = size; while (at > 0) if (buf[at--]) ... }
                                                           that `size` is taken for an index is the fault itself: a
                                                           length by its name is as many as there are, and fits

decode(const char *in, size_t len, char *out, size_t cap)  `len` counts what `in` leads to, and is no length of `out`:
                                                           that the code does not ask `cap` is the fault itself
at(const int *v, size_t n, int i) { if (i < 9) ... v[i]    so it is where the code asks another number than `n`

Whether the code is wrong for numbers that fit, too, is tried before a number is blamed (repair.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from veer.findings.severity.witness import Held, Misfit, Witness, length_place
from veer.model.describe import type_at
from veer.model.outcome import Outcome
from veer.model.severity import Broken
from veer.model.types import ExtentKind, TypeKind
from veer.model.unitfacts import Place, PlaceKind, is_behind

_ENDINGS = (Outcome.BOUNDS_READ, Outcome.BOUNDS_WRITE)


def broken(witness: Witness) -> Iterator[Broken]:
    """Each number that says more than the buffer has which the access went out of."""
    for pointer, size, misfit in _too_large(witness):
        has = f"leads to only {size}" if size else f"is {witness.program.null}"
        yield Broken(
            f"{misfit.held.words} fits {pointer.words}",
            f"it needs `{misfit.held.words}` = {misfit.value.number}, and `{pointer.words}` {has}",
        )


def outside(witness: Witness) -> Iterator[Misfit]:
    """The same numbers, each with some that fit: all that there is, one less, none."""
    yield from {misfit.held.words: misfit for _, _, misfit in _too_large(witness)}.values()


def _too_large(witness: Witness) -> Iterator[tuple[Held, int, Misfit]]:
    """A pointer to the buffer, how many elements there are, and the number; an index is below that."""
    owners = dict[int, int]()
    for held, led in witness.pointers:
        if led.target:
            owners.setdefault(led.target, held.owner)
    found = [(number, value) for number, value in witness.numbers if number.place in witness.facts.sizes]
    sizes = [
        (number, value) for number, value in found if number.type.extent is not ExtentKind.END
    ]  # of its own buffer
    for pointer, count in _buffers(witness):
        for number, value in sizes:
            most = count - (number.place in witness.facts.indices and not _is_count_of(witness, number, pointer))
            is_over = not 0 <= value.number <= max(most, 0) and _is_beside(number, pointer, owners)
            if is_over and not _is_to_be_asked(witness, number, pointer):
                fitting = tuple(dict.fromkeys(max(each, 0) for each in (most, most - 1, 0)))
                yield pointer, count, Misfit(number, value, fitting)


def _is_to_be_asked(witness: Witness, number: Held, pointer: Held) -> bool:
    """Whether a buffer has another parameter for its length, and a number is that of another buffer, or is compared by
    order with constants: then it is the code that has to compare it with the length."""
    own = _length_of(pointer)
    if own is None or number.place is None or number.place == own:
        return False
    return number.place in map(_length_of, dict(witness.pointers)) or dict(witness.facts.tops).get(number.place, 0) > 0


def _length_of(pointer: Held) -> Place | None:
    """The parameter that says how many elements there are behind another one."""
    place = pointer.place
    is_counted = place is not None and place.kind is PlaceKind.PARAMETER and pointer.type.extent is ExtentKind.LENGTH
    return length_place(place, pointer.type) if place is not None and is_counted else None


def _is_count_of(witness: Witness, number: Held, pointer: Held) -> bool:
    """Whether a number is the length of the buffer by its name, so that it is no index, whatever the code does with it.

    What is read behind so many characters may be the NUL of a text, and what is written behind so many elements may be
    a new one: there only names of all that there is room for tell.
    """
    place, element = pointer.place, type_at(witness.program, pointer.type.target)
    if place is None or pointer.type.extent is not ExtentKind.LENGTH or element is None:
        return False
    if number.place != length_place(place, pointer.type):
        return False
    if witness.fault.outcome is Outcome.BOUNDS_READ and element.kind is not TypeKind.CHAR:
        return number.place in witness.facts.counts
    return number.place in witness.facts.capacities and element.size == 1


def _buffers(witness: Witness) -> Iterator[tuple[Held, int]]:
    """The pointers to what the access may have gone out of, each with the number of elements."""
    if witness.fault.outcome in _ENDINGS and witness.is_out_of_an_input:
        for item in witness.missed:
            yield from ((pointer, item.count) for pointer in witness.leading_to(item.number))
    elif witness.fault.outcome in (Outcome.SEGFAULT_NULL, Outcome.SEGFAULT_WILD, *_ENDINGS):
        nulls = [held for held, pointer in witness.pointers if pointer.target is None and pointer.followed]
        many = [held for held in nulls if held.type.extent not in (ExtentKind.ONE, ExtentKind.FUNCTION)]
        yield from ((held, 0) for held in many)
        is_far = witness.fault.outcome is Outcome.SEGFAULT_WILD and witness.is_from_a_pointer
        if is_far and not nulls:  # so far behind that nobody knows behind what
            yield from _all(witness)
    elif witness.fault.outcome is Outcome.ASSERTION or _is_moved_to_null(witness):
        yield from _all(witness)


def _all(witness: Witness) -> Iterator[tuple[Held, int]]:
    for item in witness.inputs.objects:
        yield from ((pointer, item.count) for pointer in witness.leading_to(item.number))


def _is_moved_to_null(witness: Witness) -> bool:
    """Whether NULL was passed on that is none of the input's: an address that a number has moved there."""
    return witness.passes_null and all(to.target is not None or to.function for _, to in witness.pointers)


def _is_beside(number: Held, pointer: Held, owners: Mapping[int, int]) -> bool:
    """Whether a number may count what a pointer leads to; `owners`: object → the one that holds a pointer to it.

    It is in the struct of the pointer, or in one by which the pointer was reached. Of a parameter it is another one,
    what one leads to, or a field behind one: `toks[parser->next]`.
    """
    if number.place is None or pointer.place is None:
        return False
    if pointer.place.kind is PlaceKind.PARAMETER and not is_behind(pointer.place):
        if number.place.kind is PlaceKind.PARAMETER:
            return number.place.owner == pointer.place.owner
        is_many = pointer.type.extent is not ExtentKind.ONE and number.owner != 0
        return is_many and owners.get(number.owner) == 0 and not number.words.startswith(pointer.words)
    at, met = pointer.owner, set[int]()
    while at and at != number.owner and at not in met:  # objects may lead to each other
        met.add(at)
        at = owners.get(at, 0)
    is_in_a_root = pointer.owner == 0 and number.words.partition(".")[0] == pointer.words.partition(".")[0]
    return number.owner == at and (at != 0 or is_in_a_root)
