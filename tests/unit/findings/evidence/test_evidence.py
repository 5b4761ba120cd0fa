"""What speaks for an error: calls, a test of the code's own, or values that callers can give; else it is a contract."""

from __future__ import annotations

import pytest
from severity_fixtures import (
    COUNTED,
    HEAD,
    INT,
    NEXT,
    NULL,
    RING,
    SOME,
    TEXT,
    TO_NODE,
    TO_RING,
    TYPES,
    node,
    number_of,
    program,
    ring_with,
    root,
)

from veer.findings.evidence.verdict import NO_EVIDENCE, with_evidence
from veer.model.inputs import Cell, InputMap, MemoryObject, Pointer, Root, Scalar
from veer.model.outcome import Outcome
from veer.model.program import Function, HarnessKind, Program
from veer.model.result import Bug, Confirmation, Frame, Test
from veer.model.severity import Broken, Judgement, Severity
from veer.model.stubcalls import Called
from veer.model.types import ExtentKind, Type, TypeKind
from veer.model.unitfacts import Place, UnitFacts, field_place, parameter_place, result_place
from veer.model.values import replace

STORED = (("g", frozenset({HEAD})),)
"""Another function stores to `ring.head`."""
STORES = UnitFacts(writes=STORED)
SETTER = Function("g", "unit.c", 9, (), -1, is_static=False)


def told(given: Program, outcome: Outcome, inputs: InputMap, called: Called | None = None, **known: object) -> Bug:
    """The bug of `f` that this input shows, behind a look at what speaks for it."""
    frames = (Frame("f", "unit.c", 2),)
    bug = Bug(1, outcome, "unit.c", 2, 1, "f", "", "test_001", frames, Confirmation.PLAIN, 1, 0.0)
    test = Test("test_001", inputs, outcome, None, None, (), "same", called=called)
    (found,) = with_evidence(given, [test], [replace(bug, **known)])  # type: ignore[arg-type]
    return found


def asked_by_f(*places: Place) -> UnitFacts:
    return UnitFacts(
        checks=(("f", frozenset(places)),),
        ordered=(("f", frozenset(places)),),
        bounded=frozenset(places),
        writes=STORED,
    )


def test_what_the_unit_stores_needs_calls_or_a_test_of_the_code() -> None:
    unknown, ring = program(UnitFacts(writes=STORED), r=TO_RING), ring_with(7)
    bug = told(unknown, Outcome.BOUNDS_READ, ring)
    assert bug.severity is Severity.CONTRACT and bug.judgement.broken[0].cause == f"{NO_EVIDENCE} ring"
    assert bug.needs[0].startswith("it needs `r->head` = 7, and neither calls of the unit")
    by_calls = told(unknown, Outcome.BOUNDS_READ, ring, reached_by=("ring_init(r)", "f(r)"))
    assert (by_calls.severity, by_calls.judgement.evidence[:5]) == (Severity.ERROR, "calls")
    own = told(program(asked_by_f(HEAD), r=TO_RING), Outcome.BOUNDS_READ, ring)
    assert (own.severity, own.judgement.evidence) == (Severity.ERROR, "the code tests `r->head` itself on the way")


def test_places_are_written_as_in_the_programs_language() -> None:
    unknown, own = (replace(program(facts, r=TO_RING), language="java") for facts in (STORES, asked_by_f(HEAD)))
    assert told(unknown, Outcome.BOUNDS_READ, ring_with(7)).needs[0].startswith("it needs `r.head` = 7, and")
    tested = told(own, Outcome.BOUNDS_READ, ring_with(7)).judgement
    assert tested.evidence == "the code tests `r.head` itself on the way"


def test_another_functions_test_says_nothing() -> None:
    facts = replace(asked_by_f(HEAD), ordered=(("g", frozenset({HEAD})),))
    assert told(program(facts, r=TO_RING), Outcome.BOUNDS_READ, ring_with(7)).severity is Severity.CONTRACT


@pytest.mark.parametrize(("head", "severity"), [(0, Severity.ERROR), (7, Severity.CONTRACT)])
def test_a_field_that_callers_fill_and_nobody_asks_may_be_zero(head: int, severity: Severity) -> None:
    assert told(program(UnitFacts(), r=TO_RING), Outcome.BOUNDS_READ, ring_with(head)).severity is severity


def test_a_field_that_callers_fill_and_the_code_compares_is_theirs_to_say() -> None:
    facts = UnitFacts(bounded=frozenset({HEAD}))
    assert told(program(facts, r=TO_RING), Outcome.BOUNDS_READ, ring_with(7)).severity is Severity.ERROR


def test_elements_of_the_units_own_arrays_may_be_zero() -> None:
    buffer = field_place("ring", 4)
    facts = replace(asked_by_f(HEAD), writes=(("g", frozenset({HEAD, buffer})),))
    for bits, severity in ((0, Severity.ERROR), (3, Severity.CONTRACT)):
        cells = (Cell(0, ".head", number_of(8)), Cell(4, ".buf[0]", Scalar(bits, 8, "char")))
        inputs = InputMap((root("r", TO_RING, Pointer(1)),), (MemoryObject(1, "r", 2, 1, 12, cells),))
        assert told(program(facts, r=TO_RING), Outcome.BOUNDS_WRITE, inputs).severity is severity


def test_null_in_a_field_needs_a_test_on_the_way() -> None:
    chain = InputMap((root("p", TO_NODE, Pointer(1)),), (node(1, "p", NULL),))
    elsewhere = UnitFacts(tested=frozenset({NEXT}), checks=(("g", frozenset({NEXT})),))
    assert told(program(elsewhere, p=TO_NODE), Outcome.SEGFAULT_NULL, chain).severity is Severity.CONTRACT
    assert told(program(elsewhere, p=TO_NODE), Outcome.HANG, chain).severity is Severity.ERROR, "the end of a list"
    own = UnitFacts(tested=frozenset({NEXT}), checks=(("f", frozenset({NEXT})),))
    assert told(program(own, p=TO_NODE), Outcome.SEGFAULT_NULL, chain).severity is Severity.ERROR


def test_null_for_a_parameter_needs_a_test_on_the_way_or_a_contract() -> None:
    place, nothing = parameter_place("f", "p"), InputMap((root("p", TO_NODE, NULL),), ())
    handed_on = program(UnitFacts(tested=frozenset({place})), p=TO_NODE)
    assert told(handed_on, Outcome.SEGFAULT_NULL, nothing).severity is Severity.CONTRACT
    own = UnitFacts(tested=frozenset({place}), checks=(("f", frozenset({place})),))
    said = UnitFacts(tested=frozenset({place}), nullable=frozenset({place}))
    for facts in (own, said):
        assert told(program(facts, p=TO_NODE), Outcome.SEGFAULT_NULL, nothing).severity is Severity.ERROR
    passed_on = InputMap((root("p", TO_NODE, Pointer(None, followed=False)),), ())
    assert told(handed_on, Outcome.SEGFAULT_NULL, passed_on).severity is Severity.ERROR, "another NULL was followed"


def test_what_another_source_returns_needs_a_test() -> None:
    inputs = InputMap((root("count()", INT, number_of(9)),), ())
    unasked, asked = (
        replace(program(facts, n=INT), stubs=("count",)) for facts in (UnitFacts(), asked_by_f(result_place("count")))
    )
    assert told(unasked, Outcome.BOUNDS_READ, inputs).severity is Severity.CONTRACT
    assert told(asked, Outcome.BOUNDS_READ, inputs).severity is Severity.ERROR


def test_what_the_machine_answers_needs_none() -> None:
    """`levels[level]` behind `time()`: that the clock says 0 is no caller's doing, and not what went wrong."""
    inputs = InputMap((root("time()", INT, number_of(0)), root("n", INT, number_of(9))), ())
    assert told(program(UnitFacts(), n=INT), Outcome.BOUNDS_READ, inputs).severity is Severity.ERROR


@pytest.mark.parametrize("harness", [HarnessKind.FUNCTION, HarnessKind.PROGRAM])
def test_what_another_source_writes_needs_a_test(harness: HarnessKind) -> None:
    """`start(&ring)` of another source: zeros are no evidence either."""
    given = replace(program(UnitFacts(), n=INT), harness=harness, stubs=("start",))
    inputs = InputMap((root("start() argument 1", RING, number_of(0)),), ())
    assert told(given, Outcome.BOUNDS_READ, inputs).severity is Severity.CONTRACT
    read = InputMap((root("stdin", INT, number_of(9)),), ())
    assert told(given, Outcome.BOUNDS_READ, read).severity is Severity.ERROR
    assert told(replace(given, stubs=()), Outcome.BOUNDS_READ, read).severity is Severity.ERROR


def test_what_is_in_a_buffer_of_no_known_length_is_in_a_form_of_its_own() -> None:
    filled = MemoryObject(1, "a", INT, 1, 4, (Cell(0, "[0]", number_of(9)),))
    inputs = InputMap((root("a", SOME, Pointer(1)),), (filled,))
    assert told(program(UnitFacts(), a=SOME), Outcome.BOUNDS_WRITE, inputs).severity is Severity.CONTRACT
    assert told(program(UnitFacts(), a=SOME), Outcome.LEAK, inputs).severity is Severity.ERROR, "of its own memory"


def test_a_number_beside_an_object_of_the_units_own_is_no_number_of_objects() -> None:
    rings = Type(len(TYPES), TypeKind.POINTER, "struct ring *", 8, target=RING, extent=ExtentKind.LENGTH, length="n")
    pointer = Root("r", 0, rings.id, 8, (Cell(0, "", Pointer(1)),))
    inputs = InputMap((pointer, root("n", INT, number_of(0))), (MemoryObject(1, "r", RING, 0, 0, ()),))
    facts = UnitFacts(writes=STORED, sizes=frozenset({parameter_place("f", "n")}))
    given = replace(program(facts, r=rings.id, n=INT), types=(*TYPES, rings))
    message = "4-byte read, right behind an object of 0 bytes (input)"
    for setting, severity in (((), Severity.ERROR), ((SETTER,), Severity.CONTRACT)):
        whole = replace(given, functions=(*given.functions, *setting))
        assert told(whole, Outcome.BOUNDS_READ, inputs, message=message).severity is severity


@pytest.mark.parametrize(
    ("facts", "severity"),
    [
        (UnitFacts(), Severity.CONTRACT),
        (UnitFacts(sizes=frozenset({parameter_place("f", "n")})), Severity.ERROR),
        (UnitFacts(tops=((parameter_place("f", "n"), 3),)), Severity.ERROR),
        (UnitFacts(tops=((parameter_place("f", "n"), 0),)), Severity.CONTRACT),
        (UnitFacts(declared=frozenset({parameter_place("f", "a")})), Severity.ERROR),
    ],
)
def test_a_length_by_its_name_alone_speaks_for_nothing(facts: UnitFacts, severity: Severity) -> None:
    roots = (root("a", COUNTED, Pointer(1)), root("n", INT, number_of(0)))
    inputs = InputMap(roots, (MemoryObject(1, "a", INT, 0, 0, ()),))
    message = "4-byte write, right behind an object of 0 bytes (input)"
    given = program(facts, a=COUNTED, n=INT)
    assert told(given, Outcome.BOUNDS_WRITE, inputs, message=message).severity is severity


@pytest.mark.parametrize("is_const", [True, False])
@pytest.mark.parametrize("is_compared", [True, False])
@pytest.mark.parametrize("kind", [TypeKind.UNSIGNED, TypeKind.SIGNED])
def test_a_size_beside_bytes_that_are_read_is_theirs_if_the_code_asks_it(
    is_const: bool, is_compared: bool, kind: TypeKind
) -> None:
    bytes_ = replace(TYPES[COUNTED], id=len(TYPES), const=is_const)
    size = Type(len(TYPES) + 1, kind, "size_t", 8)
    values = (("a", bytes_.id, Pointer(1)), ("n", size.id, number_of(1)))
    roots = tuple(Root(name, 0, type_, 8, (Cell(0, "", value),)) for name, type_, value in values)
    inputs = InputMap(roots, (MemoryObject(1, "a", INT, 1, 4, ()),))
    facts = UnitFacts(bounded=frozenset({parameter_place("f", "n")} if is_compared else ()))
    given = replace(program(facts, a=bytes_.id, n=size.id), types=(*TYPES, bytes_, size))
    message = "4-byte read, right behind an object of 4 bytes (input)"
    called = replace(facts, counts=frozenset({parameter_place("f", "n")}))

    def is_error(facts: UnitFacts) -> bool:
        found = told(replace(given, facts=facts), Outcome.BOUNDS_READ, inputs, message=message)
        return found.severity is Severity.ERROR

    assert is_error(facts) == (is_const and is_compared and kind is TypeKind.UNSIGNED)
    assert is_error(called) == (is_const and is_compared)
    assert not is_error(replace(called, ended=frozenset({parameter_place("f", "a")}))), "it is a text"


def test_numbers_and_texts_are_any_callers() -> None:
    text = MemoryObject(1, "s", 5, 2, 2, (Cell(0, "[0]", Scalar(97, 8, "char")), Cell(1, "[1]", Scalar(0, 8, "char"))))
    inputs = InputMap((root("s", TEXT, Pointer(1)), root("n", INT, number_of(9))), (text,))
    bug = told(program(UnitFacts(), s=TEXT, n=INT), Outcome.BOUNDS_READ, inputs)
    assert (bug.severity, bug.judgement.evidence) == (Severity.ERROR, "any caller can give this input")


def test_a_place_that_a_text_does_not_have_is_an_argument_to_blame() -> None:
    text = MemoryObject(1, "s", 5, 2, 2, (Cell(0, "[0]", Scalar(97, 8, "char")), Cell(1, "[1]", Scalar(0, 8, "char"))))
    message = "1-byte read, 2 bytes before an object of 2 bytes (input)"
    for at, severity in ((-2, Severity.CONTRACT), (9, Severity.CONTRACT), (1, Severity.ERROR)):
        inputs = InputMap((root("s", TEXT, Pointer(1)), root("n", INT, number_of(at))), (text,))
        assert (
            told(program(UnitFacts(), s=TEXT, n=INT), Outcome.BOUNDS_READ, inputs, message=message).severity is severity
        )
    inputs = InputMap((root("s", TEXT, Pointer(1)), root("n", INT, number_of(-2))), (text,))
    assert (
        told(program(UnitFacts(), s=TEXT, n=INT), Outcome.BOUNDS_READ, inputs, message="(heap)").severity
        is Severity.ERROR
    )
    asked = UnitFacts(
        ordered=(("f", frozenset({parameter_place("f", "n")})),), floors=frozenset({parameter_place("f", "n")})
    )
    assert told(program(asked, s=TEXT, n=INT), Outcome.BOUNDS_READ, inputs, message=message).severity is Severity.ERROR


def test_only_errors_are_asked_and_only_of_functions() -> None:
    given, ring = program(UnitFacts(writes=STORED), r=TO_RING), ring_with(7)
    for judgement in (Judgement(Severity.UNDEFINED), Judgement(Severity.CONTRACT, (Broken("c", "it needs c"),))):
        assert told(given, Outcome.DIVISION, ring, judgement=judgement).judgement == judgement
    whole = replace(given, harness=HarnessKind.PROGRAM)
    assert told(whole, Outcome.BOUNDS_READ, ring).severity is Severity.ERROR
    assert told(program(None, r=TO_RING), Outcome.BOUNDS_READ, ring).severity is Severity.ERROR


def test_bytes_behind_a_void_pointer_speak_for_no_arithmetic_either() -> None:
    anything = Type(len(TYPES), TypeKind.POINTER, "void *", 8, target=0, extent=ExtentKind.FIXED)
    given = replace(program(UnitFacts(), p=anything.id), types=(*TYPES, anything))
    for bits, severity in ((0, Severity.UNDEFINED), (7, Severity.CONTRACT)):
        filled = MemoryObject(1, "p", 0, 8, 8, (Cell(0, "[0]", Scalar(bits, 8, "unsigned")),))
        inputs = InputMap((Root("p", 0, anything.id, 8, (Cell(0, "", Pointer(1)),)),), (filled,))
        assert told(given, Outcome.DIVISION, inputs, judgement=Judgement(Severity.UNDEFINED)).severity is severity


@pytest.mark.parametrize(
    ("name", "severity"),
    [
        ("die", Severity.CONTRACT),
        ("fatal_error", Severity.CONTRACT),
        ("Sys_Quit", Severity.CONTRACT),
        ("eprintf", Severity.CONTRACT),
        ("diet", Severity.ERROR),
        ("weprintf", Severity.ERROR),
        ("log_error", Severity.ERROR),
    ],
)
def test_behind_a_stub_of_what_ends_the_program_there_is_no_error(name: str, severity: Severity) -> None:
    found = told(program(UnitFacts()), Outcome.DIVISION, InputMap((), ()), Called(((name, 1),)))
    assert found.severity is severity
    if severity is Severity.CONTRACT:
        assert found.needs == (f"it needs `{name}` to return, which ends the program by its name",)
