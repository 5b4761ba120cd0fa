"""Programs, inputs and faults that are made by hand, for the rules of severity."""

from __future__ import annotations

from pathlib import Path

from veer.execution.decode import Fault
from veer.findings.severity.assessor import Assessor, Seen
from veer.model.inputs import Cell, InputMap, MemoryObject, Pointer, Root, Scalar
from veer.model.outcome import Outcome
from veer.model.program import Function, HarnessKind, Parameter, Program
from veer.model.severity import CheckedFor, Severity
from veer.model.types import ExtentKind, Field, Type, TypeKind
from veer.model.unitfacts import UnitFacts, field_place
from veer.model.values import replace

INT, RING, TO_RING, BYTES, CHAR, TEXT, NODE, TO_NODE, COUNTED, SOME = range(1, 11)
TYPES = (
    Type(0, TypeKind.OPAQUE, "void", 0),
    Type(INT, TypeKind.SIGNED, "int", 4),
    Type(RING, TypeKind.STRUCT, "struct ring", 12, fields=(Field("head", 0, INT), Field("buf", 4, BYTES))),
    Type(TO_RING, TypeKind.POINTER, "struct ring *", 8, target=RING),
    Type(BYTES, TypeKind.ARRAY, "char[8]", 8, target=CHAR, count=8),
    Type(CHAR, TypeKind.CHAR, "char", 1),
    Type(TEXT, TypeKind.POINTER, "const char *", 8, target=CHAR, extent=ExtentKind.STRING),
    Type(NODE, TypeKind.STRUCT, "node_t", 16, fields=(Field("next", 0, TO_NODE), Field("key", 8, INT))),
    Type(TO_NODE, TypeKind.POINTER, "node_t *", 8, target=NODE),
    Type(COUNTED, TypeKind.POINTER, "int *", 8, target=INT, extent=ExtentKind.LENGTH, length="n"),
    Type(SOME, TypeKind.POINTER, "int *", 8, target=INT, extent=ExtentKind.COUNT),
)
NULL = Pointer(None)
HEAD, NEXT = field_place("ring", 0), field_place("node_t", 0)


def program(facts: UnitFacts | None, **parameters: int) -> Program:
    """A function `f` with parameters of these types."""
    given = tuple(Parameter(name, type_) for name, type_ in parameters.items())
    return Program(
        entry="f",
        harness=HarnessKind.FUNCTION,
        sources=(Path("unit.c"),),
        executable=Path("none"),
        functions=(Function("f", "unit.c", 1, given, -1, is_static=False),),
        types=TYPES,
        sites=(),
        facts=facts,
        null="NULL",
    )


def root(name: str, type_: int, value: Pointer | Scalar) -> Root:
    return Root(name, 0, type_, TYPES[type_].size, (Cell(0, "", value),))


def node(number: int, path: str, following: Pointer, key: int = 0) -> MemoryObject:
    return MemoryObject(number, path, NODE, 1, 16, (Cell(0, ".next", following), Cell(8, ".key", number_of(key))))


def number_of(value: int) -> Scalar:
    return Scalar(value & 0xFFFF_FFFF, 32, "signed", at=4)


def fault(outcome: Outcome, **known: object) -> Fault:
    return replace(Fault(outcome, None, (), "", 1, 0.0, 0), **known)  # type: ignore[arg-type]


def judged(given: Program, shown: Fault, inputs: InputMap) -> tuple[Severity, list[str]]:
    found = Assessor(given, CheckedFor(frozenset({0}), frozenset({14}))).judgement(Seen(shown, inputs))
    return found.severity, [each.sentence for each in found.broken]


def ring_with(head: int) -> InputMap:
    cells = (Cell(0, ".head", number_of(head)),)
    return InputMap((root("r", TO_RING, Pointer(1)),), (MemoryObject(1, "r", RING, 1, 12, cells),))


def out_of(size: int, message: str = "(input)", away: int = 0) -> Fault:
    """An access behind an object of so many bytes, or so far away from its begin."""
    at = 0x1000 + (away if away else size)
    return fault(Outcome.BOUNDS_READ, message=message, address=at, object_base=0x1000, object_size=size)
