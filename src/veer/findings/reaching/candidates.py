"""Which bugs are in question: their inputs hold objects of structs that functions of the unit make or change.

struct path { ... };  static void add(struct path *p, ...)    no other source has a `struct path`: add() is given those
int path_of(const char *name) { struct path p = {0}; ... }    that path_of() and the like have made
static int kind(const char *s, int len) { ... *s ... }        an empty `s` is what some caller gives, or none
static int next(const char *s, int len) { ... s[len] ... }    behind `s` is a NUL, where callers give parts of texts
static int mod(int a, int b) { return a % b; }                `b` is what callers in the unit give, and mod() never asks
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set

from msgspec import Struct

from veer.findings.reaching.callees import rests_on_arguments
from veer.findings.reaching.making import Unit
from veer.findings.severity.indifferent import leaving_out
from veer.findings.severity.nulls import null_cause
from veer.findings.severity.witness import member_place
from veer.model.describe import type_at
from veer.model.inputs import Cell, InputMap, Pointer, Scalar
from veer.model.outcome import Outcome
from veer.model.ownstruct import Making
from veer.model.result import Bug, Test
from veer.model.severity import Severity
from veer.model.types import ExtentKind, Type, TypeKind
from veer.model.unitfacts import NAMELESS, Place, struct_name

_OUT_OF_BOUNDS = (Outcome.BOUNDS_READ, Outcome.BOUNDS_WRITE)
_OF_NOTHING = "an object of 0 bytes (input"
"""What the runtime's message says of an access behind an input without elements."""
_OF_A_NUL = re.compile(r"1-byte read, right behind an object of (\d+) bytes \(input")
"""What it says of a character that is read where the NUL behind a text would be."""


class Question(Struct, frozen=True):
    """A bug, and the structs of its input that functions of the unit make or change, as places name them.

    `built`: the one of them, as the source names it, that a caller has from these functions alone, for all that the run
    looked at in it is theirs; "" where callers have a say in each, and of a bug that breaks a contract as it is, with
    NULL that the makers of the object store there. `buffer`: the one with a length that a static function is given, and
    takes for granted to have an element, or a NUL behind its characters; "" for none. `is_empty`: it has no element.
    `callee`: the static entry, where nothing but what its callers give speaks for the bug; "" elsewhere.
    """

    bug: Bug
    structs: tuple[str, ...]
    built: str
    buffer: str = ""
    is_empty: bool = False
    callee: str = ""


def questions(tests: Sequence[Test], bugs: Sequence[Bug], unit: Unit) -> tuple[Question, ...]:
    """The bugs of which it is asked whether calls bring them about; `tests` are their witnesses."""
    inputs = {test.name: test.inputs for test in tests}
    found = []
    for bug in bugs:
        is_contract = bug.severity is Severity.CONTRACT
        if bug.test not in inputs or (is_contract and not _needs_what_makers_store(unit, bug)):
            continue
        input_ = leaving_out(inputs[bug.test], bug.judgement.indifferent, unit.program)
        objects = list(_looked_at(unit, input_))
        structs = tuple(dict.fromkeys(struct_name(type_.name) for type_, _ in objects))
        own = _tested_on_the_way(unit, bug)
        built = next((type_.name for type_, places in objects if _is_built(unit, type_, places, own)), "")
        buffer = _missed(unit, bug, input_)
        callee = "" if is_contract else rests_on_arguments(unit, bug, input_)
        question = Question(bug, structs, "" if is_contract else built, buffer, _OF_NOTHING in bug.message, callee)
        if question.structs or question.buffer or question.callee:
            found.append(question)
    return tuple(found)


def _tested_on_the_way(unit: Unit, bug: Bug) -> frozenset[Place]:
    """The numbers that the functions down to the fault compare by order, as they are: a wrong test is their own.

    It makes no NULL: that a pointer of such an object is none is what those say who fill it.
    """
    if bug.outcome is Outcome.SEGFAULT_NULL:
        return frozenset()
    names = {each.function for each in bug.stack}
    return frozenset(place for name, places in unit.facts.ordered if name in names for place in places)


def _missed(unit: Unit, bug: Bug, inputs: InputMap) -> str:
    """The buffer with a length, of no elements or of characters, right behind which a static function reads or, where
    it is empty, writes; "" for none."""
    program = unit.program
    entry = program.function(program.entry)
    length = _length_missed(bug)
    if length is None or entry is None or not program.is_internal(entry) or entry.name in program.addresses:
        return ""
    ends = {item.number for item in inputs.objects if item.count == length}
    for root in inputs.roots:
        type_ = type_at(program, root.type)
        is_counted = type_ is not None and type_.extent is ExtentKind.LENGTH
        if is_counted and any(_leads_to(each, ends) for each in root.cells):
            return root.name
    return ""


def _length_missed(bug: Bug) -> int | None:
    """How many elements there are before the one that was missed; None: the access was elsewhere."""
    if bug.outcome in _OUT_OF_BOUNDS and _OF_NOTHING in bug.message:
        return 0
    nul = _OF_A_NUL.search(bug.message)
    return int(nul[1]) if nul is not None and bug.outcome is Outcome.BOUNDS_READ else None


def _leads_to(cell: Cell, numbers: Set[int]) -> bool:
    return isinstance(cell.value, Pointer) and cell.value.followed and cell.value.target in numbers


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


def _is_built(unit: Unit, type_: Type, places: frozenset[Place | None], tested: frozenset[Place]) -> bool:
    name = struct_name(type_.name)
    if name != NAMELESS and unit.is_private(name):
        return not places & tested
    made = unit.made(name)
    return made is not None and (made.making is Making.RETURNED or places <= unit.written)
