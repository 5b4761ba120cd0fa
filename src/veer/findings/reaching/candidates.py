"""Which bugs are in question: their inputs hold objects of structs that functions of the unit make or change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from veer.findings.reaching.making import Unit
from veer.findings.severity.nulls import null_cause
from veer.findings.severity.witness import member_place
from veer.model.describe import type_at
from veer.model.inputs import Cell, InputMap, Scalar
from veer.model.program import Type, TypeKind
from veer.model.result import Bug, Test
from veer.model.sequence import Making
from veer.model.severity import Severity
from veer.model.unitfacts import Place, struct_name


@dataclass(frozen=True, slots=True)
class Question:
    """A bug, and the structs of its input that functions of the unit make or change, as places name them.

    `built`: the one of them, as the source names it, that a caller has from these functions alone, for all that the run
    looked at in it is theirs; "" where callers have a say in each, and of a bug that breaks a contract as it is, with
    NULL that the makers of the object store there.
    """

    bug: Bug
    structs: tuple[str, ...]
    built: str


def questions(tests: Sequence[Test], bugs: Sequence[Bug], unit: Unit) -> tuple[Question, ...]:
    """The bugs of which it is asked whether calls bring them about; `tests` are their witnesses."""
    inputs = {test.name: test.inputs for test in tests}
    found = []
    for bug in bugs:
        is_contract = bug.severity is Severity.CONTRACT
        if bug.test not in inputs or (is_contract and not _needs_what_makers_store(unit, bug)):
            continue
        objects = list(_looked_at(unit, inputs[bug.test]))
        structs = tuple(dict.fromkeys(struct_name(type_.name) for type_, _ in objects))
        built = next((type_.name for type_, places in objects if _is_built(unit, type_, places)), "")
        built = "" if is_contract else built
        if structs:
            found.append(Question(bug, structs, built))
    return tuple(found)


def _needs_what_makers_store(unit: Unit, bug: Bug) -> bool:
    """Whether all that a bug needs is NULL in fields that the functions which make their objects set to NULL."""
    known = {null_cause(place, unit.program.null) for place in unit.null_fields}
    return bool(bug.judgement.broken) and all(each.cause in known for each in bug.judgement.broken)


def has_own(unit: Unit, inputs: InputMap) -> bool:
    """Whether an input holds an object that functions of the unit make or change."""
    return any(True for _ in _looked_at(unit, inputs))


def _looked_at(unit: Unit, inputs: InputMap) -> Iterator[tuple[Type, frozenset[Place | None]]]:
    """The objects of such structs that the run looked at: type, and the fields that it looked at."""
    held = [*((root.type, root.cells) for root in inputs.roots), *((item.type, item.cells) for item in inputs.objects)]
    for identity, cells in held:
        type_ = type_at(unit.program, identity)
        if type_ is None or type_.kind is not TypeKind.STRUCT or not type_.size:
            continue
        offsets = (cell.offset % type_.size for cell in cells if _is_used(cell))
        places = frozenset(member_place(unit.program, type_, offset) for offset in offsets)
        if places and unit.made(struct_name(type_.name)) is not None:
            yield type_, places


def _is_used(cell: Cell) -> bool:
    return cell.value.used if isinstance(cell.value, Scalar) else cell.value.decided


def _is_built(unit: Unit, type_: Type, places: frozenset[Place | None]) -> bool:
    made = unit.made(struct_name(type_.name))
    return made is not None and made.making is not Making.ZEROS and places <= unit.written
