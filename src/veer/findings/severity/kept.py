"""A field that is NULL while another one, which the unit always sets with it, says that there is something.

l->head = n; l->len++;                           functions of the unit set head and len together, and what sets
l->head = 0; l->len = 0;                         head to NULL sets len, too: len = 1 without a head is no list of theirs
if (l->len) { l->head = l->head->next; ... }     here `len` is asked, and so `head` need not be
if (l->head) ...                                 what the entry tests itself is its own business

So it is with `len` = 2 where `head` leads to a single node: what follows it is NULL, and `len` says that there is one.
"""

from __future__ import annotations

from collections.abc import Iterator

from veer.findings.severity.witness import Held, Witness
from veer.model.inputs import Pointer, Scalar
from veer.model.outcome import Outcome
from veer.model.severity import Broken

_ENDINGS = (Outcome.SEGFAULT_NULL, Outcome.SEGFAULT_WILD, Outcome.UNDEFINED)


def broken(witness: Witness) -> Iterator[Broken]:
    """Each NULL that the run followed and each field beside it that says otherwise."""
    if witness.fault.outcome not in _ENDINGS:
        return
    checked = witness.checked
    for held, pointer in witness.pointers:
        was_met = pointer.followed or witness.passes_null
        if pointer.target is not None or pointer.function or not was_met or held.place is None or held.place in checked:
            continue
        yield from _counted(witness, held)
        for other in witness.held_by(held.owner):
            is_kept = other.place is not None and (held.place, other.place) in witness.facts.kept
            if is_kept and _says_something(other):
                yield Broken(
                    f"{held.words} and {other.words} are set together",
                    f"it needs {witness.program.null} for `{held.words}` beside `{other.words}`"
                    f"{_value(other)}, and the functions that set the one set the other",
                )


def _counted(witness: Witness, null: Held) -> Iterator[Broken]:
    """The numbers beside a pointer that leads to objects like that of `null`, of which they say that there are more."""
    types = {item.number: item.type for item in witness.inputs.objects}
    own = types.get(null.owner)
    have = sum(item.count for item in witness.inputs.objects if item.type == own)
    for held, pointer in witness.pointers:
        if own is None or types.get(pointer.target or 0) != own or held.owner == null.owner:
            continue
        for number in witness.held_by(held.owner):
            value = number.value
            is_kept = number.place is not None and (held.place, number.place) in witness.facts.kept
            if is_kept and isinstance(value, Scalar) and value.used and value.bits > have:
                yield Broken(
                    f"{number.words} counts what {held.words} leads to",
                    f"it needs `{number.words}` = {value.number}, and `{held.words}` leads to only {have}",
                )


def _says_something(held: Held) -> bool:
    value = held.value
    if isinstance(value, Pointer):
        return value.decided and value.target is not None
    return value.used and value.bits != 0


def _value(held: Held) -> str:
    return f" = {held.value.number}" if isinstance(held.value, Scalar) else ""
