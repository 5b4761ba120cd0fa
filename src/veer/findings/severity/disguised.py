"""A value that the code takes for another thing than what it was filled as.

union { double value; double (*call)(void); } u;    a tag says which member there is: an input whose tag says the one
if (n->type == CALL) return n->u.call();            and whose union holds the other is none that was made
char **at = data;  ... **at                         bytes behind a `void *` that are taken for an address, or NULL
struct info *info = data;  info->path[9]            and that are fewer than the struct that the code takes them for
"""

from __future__ import annotations

from collections.abc import Iterator

from veer.findings.severity.witness import Witness
from veer.model.describe import type_at
from veer.model.inputs import Cell, InputMap, MemoryObject, Pointer, Root, Scalar
from veer.model.outcome import Outcome
from veer.model.program import Program
from veer.model.severity import Broken
from veer.model.types import Type, TypeKind

_ENDINGS = (Outcome.SEGFAULT_NULL, Outcome.SEGFAULT_WILD)
_OUT_OF_BOUNDS = (Outcome.BOUNDS_READ, Outcome.BOUNDS_WRITE)
_ADDRESS, _NEAR, _NEXT_TO = 8, 4096, 16
_NO_ADDRESS, _NOT_SAID = 1 << 47, (1 << 64) - 1
"""From where on a number is no address of the machine, which then does not say what was accessed."""
_A_CALL = "a call of"
"""What the runtime's message of a call of no function begins with."""


def broken(witness: Witness) -> Iterator[Broken]:
    """The unions and bytes that the address of the access came from."""
    if witness.fault.outcome in _OUT_OF_BOUNDS:
        yield from _short(witness)
    if witness.fault.outcome not in _ENDINGS:
        return
    if any(pointer.target is None and pointer.followed and not pointer.function for _, pointer in witness.pointers):
        return
    for whole, path in _wholes(witness.inputs):
        type_ = type_at(witness.program, whole.type)
        for cell in whole.cells if type_ is not None else ():
            if type_ is not None and _may_be(witness, cell) and _has_pointers(witness.program, type_, cell):
                is_member = isinstance(whole, MemoryObject) and cell.path.startswith(".")
                place = f"{path}->{cell.path[1:]}" if is_member else f"{path}{cell.path}"
                yield Broken(
                    f"{place} is the member that its union holds",
                    f"it needs `{place}` in a union of which the code takes another member for a pointer",
                )
        is_raw = _is_raw(witness.program, whole.type)
        if _holds(whole.cells, witness.fault.address, with_null=is_raw):
            yield Broken(
                f"{path} holds an address",
                f"it needs the number {witness.fault.address:#x} in what `{path}` leads to, "
                "which the code takes for a pointer",
            )


def _short(witness: Witness) -> Iterator[Broken]:
    """The bytes behind a `void *` where the access was near no object, so that it may have gone beyond these."""
    fault = witness.fault
    if fault.object_base - _NEXT_TO < fault.address < fault.object_base + fault.object_size + _NEXT_TO:
        return
    for held, pointer in witness.pointers:
        if pointer.followed and _is_raw(witness.program, held.type.target):
            yield Broken(
                f"{held.words} leads to what the code takes it for",
                f"it needs `{held.words}`, a `{held.type.name}`, to lead to less than the code takes it for",
            )


def _is_raw(program: Program, type_: int) -> bool:
    found = type_at(program, type_)
    return found is not None and found.kind is TypeKind.OPAQUE and not found.size


def _wholes(inputs: InputMap) -> Iterator[tuple[Root | MemoryObject, str]]:
    yield from ((root, root.name) for root in inputs.roots)
    yield from ((item, item.path) for item in inputs.objects)


def _may_be(witness: Witness, cell: Cell) -> bool:
    """Whether a value may be what the code followed or called: a number, or, for a call, a pointer to data."""
    if isinstance(cell.value, Scalar):
        return cell.value.used
    return cell.value.target is not None and witness.fault.message.startswith(_A_CALL)


def _has_pointers(program: Program, type_: Type, cell: Cell) -> bool:
    """Whether the cell is in a union that has a pointer besides."""
    offset = cell.offset
    while type_.kind in (TypeKind.STRUCT, TypeKind.UNION, TypeKind.ARRAY):
        if type_.kind is TypeKind.ARRAY:
            type_ = program.types[type_.target]
            offset = offset % type_.size if type_.size else 0
            continue
        if type_.kind is TypeKind.UNION:
            return any(program.types[each.type].kind is TypeKind.POINTER for each in type_.fields)
        member = next((each for each in reversed(type_.fields) if each.offset <= offset), None)
        if member is None:
            break
        type_, offset = program.types[member.type], offset - member.offset
    return False


def _holds(cells: tuple[Cell, ...], address: int, *, with_null: bool) -> bool:
    """Whether numbers of an object make up the address of the access, or one a little before it; NULL if asked for."""
    known: dict[int, int] = {}
    for cell in cells:
        if isinstance(cell.value, Pointer) or not cell.value.used:
            continue
        size = cell.value.width // 8
        known |= {cell.offset + k: cell.value.bits >> 8 * k & 0xFF for k in range(size)}
    for at in known:
        if all(at + k in known for k in range(_ADDRESS)):
            number = sum(known[at + k] << 8 * k for k in range(_ADDRESS))
            is_address = number <= address < number + _NEAR and (number != 0 or with_null)
            if is_address or (address == _NOT_SAID and number >= _NO_ADDRESS):
                return True
    return False
