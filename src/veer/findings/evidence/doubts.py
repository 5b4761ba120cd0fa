"""Values of a bug's input that not every caller can give, and whether the code tests them itself.

int at(struct ring *r) { return r->buf[r->head]; }      who leaves `head` = 9? The unit stores to it, so it has to show
int pick(struct order *o) { return price[o->kind]; }    nobody stores to `kind`, and nobody asks what it is
int take(struct order *o) { if (o->kind > 4) ...        it asks itself: that it misses 4 is its own error
int key(struct list *l) { return l->head->key; }        NULL in a field, where none of these functions looks for it
int n = count(); ... price[n]                           what another source's function returns, and nobody asks
start(&state); ... price[state.at]                      or writes to where it is told to
extern int level; ... price[level]                      or keeps in a variable of its own
int sum(int **rows) { return price[rows[0][0]]; }       what is in buffers behind buffers, of no known length
int unpack(const void *src, char *dst, size_t n)        bytes in a form of their own, which `src` does not tell

In a language where callers can make each object (Java) there is none such but in fields that only reflection sets.
static int third(int[] a) { return a[2]; }              any caller can give an array of two numbers
static int key(Node n) { return n.next.key; }           null in a field, where none of these methods looks for it
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set

from msgspec import Struct

from veer.findings.reaching.callees import checked_on_the_way
from veer.findings.reaching.making import Unit
from veer.findings.severity.witness import Held, held_values, length_place
from veer.model.describe import type_at
from veer.model.inputs import InputMap, MemoryObject, Pointer, Scalar
from veer.model.outcome import Outcome
from veer.model.result import Bug
from veer.model.sequence import CHOICES
from veer.model.types import ExtentKind, TypeKind
from veer.model.unitfacts import PlaceKind, struct_name
from veer.model.values import replace

_OF_NULL = (Outcome.SEGFAULT_NULL, Outcome.SEGFAULT_WILD, Outcome.UNDEFINED)
"""What NULL that is followed, moved or given away ends in; elsewhere it is the end of a list."""
_OUT_OF_BOUNDS = (Outcome.BOUNDS_READ, Outcome.BOUNDS_WRITE)
_OF_AN_INPUT = "(input"
"""What the runtime's message says of an object that is an input."""
_OF_THE_CODE = (Outcome.LEAK,)
"""What the code does with memory that it has made itself."""
_PLAIN = (ExtentKind.ONE, ExtentKind.STRING, ExtentKind.FIXED, ExtentKind.FUNCTION, ExtentKind.OPEN)
_HEAD = re.compile(r"\w+")
_KNOWN = (ExtentKind.ONE, ExtentKind.STRING, ExtentKind.FIXED, ExtentKind.LENGTH)
"""A pointer to as many elements as its type, an input or a NUL says."""


class Doubt(Struct, frozen=True):
    """A value that not every caller can give; `is_tested`: by a function on the way to the fault itself; `is_formless`:
    it is a `void *` that leads to bytes of no known length, which the code takes for something else."""

    held: Held
    is_tested: bool = False
    is_formless: bool = False


def doubts(unit: Unit, bug: Bug, inputs: InputMap) -> Iterator[Doubt]:
    """The values that the run looked at and that not every caller can give, in the order of the input.

    That some element of a buffer is tested says nothing of the others.
    """
    if bug.outcome in _OF_THE_CODE:
        return
    inputs = replace(inputs, roots=tuple(each for each in inputs.roots if each.name not in CHOICES))
    held = [each for each in held_values(unit.program, inputs) if _is_looked_at(each)]
    if unit.facts.made_by_calls:
        yield from _of_objects(unit, bug, inputs, held)
        return
    leading = {each.value.target: each for each in held if isinstance(each.value, Pointer) and each.value.target}
    formless = {item.number for item in inputs.objects if _is_formless(unit, bug, item)}
    ends = _ends_of_texts(bug, inputs, leading)
    for each in held:
        if _leads_to_bytes(each, formless):
            yield Doubt(each, is_formless=True)
        elif (
            _is_of_no_known_length(each, leading)
            or _is_one_of_the_units(unit, bug, each)
            or _is_counted_by_name(unit, bug, each, inputs)
        ):
            yield Doubt(each)
        elif _is_doubtful(unit, bug, each) or _is_beside_a_text(each, ends):
            tested = checked_on_the_way(unit, bug, each) | unit.facts.nullable
            yield Doubt(each, is_tested=each.place in tested)


def _of_objects(unit: Unit, bug: Bug, inputs: InputMap, held: Sequence[Held]) -> Iterator[Doubt]:
    """Those of a language where callers make all objects: null that was followed, and what is in fields that no call
    sets, unless a precondition says which of them there are."""
    rows = {item.number: type_at(unit.program, item.type) for item in inputs.objects}
    is_vouched = bool(unit.program.preconditions)
    forced = {number for number, row in rows.items() if row is not None and any(each.binary for each in row.recipes)}
    for each in held:
        if each.owner in forced and not is_vouched:
            yield Doubt(each)
        elif isinstance(each.value, Pointer):
            is_null = each.value.target is None and bug.judgement.is_of_null
            if is_null and not each.value.function:
                yield Doubt(each, is_tested=each.place in checked_on_the_way(unit, bug, each))


def is_of_another_source(unit: Unit, held: Held) -> bool:
    """Whether a number is what an undefined function returns or writes, or what an undefined variable holds: veer lets
    it be anything."""
    function, call, _ = held.words.partition("()")
    is_of_a_stub = bool(call) and function in unit.program.stubs
    variable = _HEAD.match(held.words)
    is_outside = held.owner == 0 and variable is not None and variable[0] in dict(unit.program.zeros)
    return (is_of_a_stub or is_outside) and isinstance(held.value, Scalar)


def _is_looked_at(held: Held) -> bool:
    return held.value.used if isinstance(held.value, Scalar) else held.value.decided


def _is_doubtful(unit: Unit, bug: Bug, held: Held) -> bool:
    place, value = held.place, held.value
    if is_of_another_source(unit, held):
        return True
    is_field = place is not None and place.kind is PlaceKind.FIELD
    if isinstance(value, Pointer):
        if value.target is None:
            is_taken = value.followed or bug.outcome is Outcome.UNDEFINED
            return bug.outcome in _OF_NULL and is_taken and not value.function
        is_ended = bool(held.type.end)  # the code compares it with the member that is its end
        return is_field and _is_kept(unit, held) and held.type.extent not in _PLAIN and not is_ended
    if not is_field:
        return False  # an argument, or what the machine answers: the time, the environment
    is_data = value.bits == 0 and _is_element(held)
    return (_is_kept(unit, held) and not is_data) or (value.bits != 0 and place not in unit.facts.bounded)


def _is_formless(unit: Unit, bug: Bug, item: MemoryObject) -> bool:
    """Whether an object is what a `void *` leads to, and the run looked at more in it than zeros, or went astray."""
    type_ = type_at(unit.program, item.type)
    numbers = (cell.value for cell in item.cells if isinstance(cell.value, Scalar))
    is_taken = bug.outcome is Outcome.SEGFAULT_WILD or any(each.used and each.bits for each in numbers)
    return (type_ is None or not type_.size) and is_taken


def _leads_to_bytes(held: Held, formless: Set[int]) -> bool:
    """Whether a `void *` leads to such bytes, and no parameter says how many there are."""
    is_known = held.type.extent is ExtentKind.LENGTH
    return isinstance(held.value, Pointer) and held.value.target in formless and not is_known


def _ends_of_texts(bug: Bug, inputs: InputMap, leading: Mapping[int, Held]) -> Sequence[int]:
    """The lengths of the texts of the input, where an access went out of an input."""
    if bug.outcome not in _OUT_OF_BOUNDS or _OF_AN_INPUT not in bug.message:
        return ()
    texts = {number for number, each in leading.items() if each.type.extent is ExtentKind.STRING}
    return [item.count for item in inputs.objects if item.number in texts]


def _is_beside_a_text(held: Held, ends: Sequence[int]) -> bool:
    """Whether an argument is a number that no place in these texts has: `stem(word, from, to)`, and from = -2."""
    is_argument = held.owner == 0 and held.place is not None and held.place.kind is PlaceKind.PARAMETER
    if not ends or not is_argument or not isinstance(held.value, Scalar):
        return False
    return not 0 <= held.value.number <= max(ends)


def _is_one_of_the_units(unit: Unit, bug: Bug, held: Held) -> bool:
    """Whether an access went out of objects that functions of the unit make, one at a time: a number beside a pointer
    to one is no number of objects, whatever it is called."""
    if bug.outcome not in _OUT_OF_BOUNDS or _OF_AN_INPUT not in bug.message or not isinstance(held.value, Pointer):
        return False
    type_ = type_at(unit.program, held.type.target)
    is_struct = type_ is not None and type_.kind is TypeKind.STRUCT and unit.made(struct_name(type_.name)) is not None
    return is_struct and held.type.extent is ExtentKind.LENGTH


def _is_counted_by_name(unit: Unit, bug: Bug, held: Held, inputs: InputMap) -> bool:
    """Whether an access went out of a buffer whose length is so by its name alone: `name(char *out, int n)`, where the
    code compares `n` with no index and with no number of elements; nor with 0, where it only reads the buffer, looks
    for no 0 there, and `n` has no sign or is called so: `decode(const uint8_t *s, size_t n)`."""
    if bug.outcome not in _OUT_OF_BOUNDS or _OF_AN_INPUT not in bug.message or held.place is None:
        return False
    is_counted = isinstance(held.value, Pointer) and held.type.extent is ExtentKind.LENGTH
    if not is_counted or held.place.kind is not PlaceKind.PARAMETER or held.place in unit.facts.declared:
        return False
    length = length_place(held.place, held.type)
    is_read = bug.outcome is Outcome.BOUNDS_READ and held.type.const and held.place not in unit.facts.ended
    if is_read and length in unit.facts.bounded:
        rows = (type_at(unit.program, each.type) for each in inputs.roots if each.name == held.type.length)
        if length in unit.facts.counts or any(row is not None and row.kind is TypeKind.UNSIGNED for row in rows):
            return False
    return length not in unit.facts.sizes and dict(unit.facts.tops).get(length, 0) <= 0


def _is_kept(unit: Unit, held: Held) -> bool:
    """Whether functions of the unit have a say in a field: they store to it, or make its objects."""
    return held.place is not None and (held.place in unit.written or unit.made(held.place.owner) is not None)


def _is_element(held: Held) -> bool:
    """Whether a value is one of an array in a struct, or in one of its elements."""
    return "[" in held.words.rpartition("->")[2]


def _is_of_no_known_length(held: Held, leading: Mapping[int, Held]) -> bool:
    """Whether a number other than 0 is in a buffer behind a buffer, or in one of which neither a NUL nor a number says
    how long it is: bytes in a form of their own."""
    pointer = leading.get(held.owner)
    is_field = held.place is not None and held.place.kind is PlaceKind.FIELD
    if pointer is None or is_field or isinstance(held.value, Pointer) or not held.value.bits:
        return False
    is_behind_one = pointer.owner != 0 and pointer.type.extent not in (ExtentKind.STRING, ExtentKind.LENGTH)
    return pointer.type.extent not in _KNOWN or is_behind_one
