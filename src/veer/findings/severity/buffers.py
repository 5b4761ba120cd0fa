"""A buffer that is shorter than the code takes for granted.

int first(int *a) { return a[3]; }                       nothing says how many elements `a` has
int id(const uint8_t *p, size_t n) { return p[3]; }      n says it, but the code never asks for n
a[n + 40], where there are n + 8                         it has more elements than its length says (decision 0436)
int name(const char *s) { return s[0] + s[1]; }          a text, whose end the code never looks for
struct rec *r = (void *)((char *)p - 8);                 p is taken for a part of something larger, which is not said
s[strlen(s) - 1]                                         of a text that is read before its begin where it is empty

Where the length is written in the source, or the code asks for it and goes beyond it all the same, the code is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator

from veer.findings.severity.witness import Held, Witness, length_place
from veer.model.describe import type_at
from veer.model.inputs import MemoryObject, Pointer, Scalar
from veer.model.outcome import Outcome
from veer.model.program import Program
from veer.model.severity import Broken
from veer.model.types import ExtentKind, Type, TypeKind
from veer.model.unitfacts import PlaceKind

ENDINGS = (Outcome.BOUNDS_READ, Outcome.BOUNDS_WRITE)


def broken(witness: Witness) -> Iterator[Broken]:
    """The buffers of the size that the access went out of, each with why it may be too short."""
    fault = witness.fault
    if fault.outcome is Outcome.BAD_FREE:
        yield from (found for held, pointer in witness.pointers if pointer.target for found in _before(witness, held))
    if fault.outcome not in ENDINGS or not witness.is_out_of_an_input:
        return
    before = fault.address < fault.object_base
    found: dict[Broken, None] = {}
    for item in witness.missed:
        for held in witness.leading_to(item.number):
            found |= dict.fromkeys(_before(witness, held) if before else _behind(witness, item, held))
    yield from found


def _before(witness: Witness, held: Held) -> Iterator[Broken]:
    """Why there may be something before an object; nothing where the code has merely computed an index below 0."""
    if held.place in witness.facts.embedded:
        yield Broken(
            f"{held.words} leads into a larger object",
            f"it needs `{held.words}` to lead to an object of its own: the code takes it for a part of a larger one",
        )


def _behind(witness: Witness, item: MemoryObject, held: Held) -> Iterator[Broken]:
    """Why an object may have fewer elements than the code needs; nothing where that is the code's fault."""
    extent, facts = held.type.extent, witness.facts
    if held.place is not None and held.place in facts.declared:
        return
    if extent is ExtentKind.LENGTH and held.type.end:
        if _goes_on(witness, item):
            yield _short(held, item, f"it goes on behind `{held.type.length}`, and the code needs even more")
    elif extent is ExtentKind.LENGTH and held.place is not None and held.place.kind is PlaceKind.PARAMETER:
        length = length_place(held.place, held.type)
        counted = next((value.number for number, value in witness.numbers if number.place == length), item.count)
        if item.count > max(counted, 0):
            yield _short(held, item, f"it has more than `{held.type.length}` elements, and the code needs even more")
        elif length not in facts.bounded:
            yield _short(held, item, f"`{held.type.length}`, its length, is never asked for")
    elif extent is ExtentKind.STRING:
        if held.place not in facts.texts or not _may_end(witness, item):
            yield _short(held, item, "its end is never looked for")
    elif extent is ExtentKind.FLEXIBLE:
        if not held.type.length:
            yield _short(held, item, "how long it must be is said nowhere")
    elif extent is not ExtentKind.ONE or not _has_array(witness.program, type_at(witness.program, item.type)):
        yield _short(held, item, "how long it must be is said nowhere")


def _goes_on(witness: Witness, item: MemoryObject) -> bool:
    """Whether there is more than a member says that is its end."""
    inputs = witness.inputs
    values = [cell.value for root in inputs.roots for cell in root.cells]
    values += [cell.value for each in inputs.objects for cell in each.cells]
    ends = [each.into for each in values if isinstance(each, Pointer) and each.target == item.number and each.into]
    return item.size > max(ends, default=0)


def _may_end(witness: Witness, text: MemoryObject) -> bool:
    """Whether the run asked anything of a character: where its end is it cannot know otherwise."""
    if witness.asked_of is None:
        return True
    return any(isinstance(each.value, Scalar) and each.value.at in witness.asked_of for each in text.cells)


def _short(held: Held, item: MemoryObject, why: str) -> Broken:
    size = f"{item.size} byte{'' if item.size == 1 else 's'}"
    return Broken(f"{held.words} is long enough", f"it needs `{held.words}` to lead to only {size}: {why}")


def _has_array(program: Program, type_: Type | None) -> bool:
    """Whether a struct has arrays, whose length its type says; one of a single element at its end is there for more."""
    if type_ is None or type_.kind not in (TypeKind.STRUCT, TypeKind.UNION):
        return False
    kinds = [program.types[each.type] for each in type_.fields]
    if type_.kind is TypeKind.STRUCT and kinds and kinds[-1].kind is TypeKind.ARRAY and kinds[-1].count <= 1:
        kinds.pop()
    return any(each.kind is TypeKind.ARRAY or _has_array(program, each) for each in kinds)
