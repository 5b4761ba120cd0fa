"""The rules of severity on inputs and facts that are made by hand."""

from __future__ import annotations

import pytest
from severity_fixtures import (
    CHAR,
    COUNTED,
    HEAD,
    INT,
    NEXT,
    NODE,
    NULL,
    SOME,
    TEXT,
    TO_NODE,
    TO_RING,
    TYPES,
    fault,
    judged,
    node,
    number_of,
    out_of,
    program,
    ring_with,
    root,
)

from veer.execution.decode import Fault
from veer.findings.severity.assessor import Assessor, Seen
from veer.findings.severity.fields import candidates
from veer.findings.severity.repair import put, repaired
from veer.findings.severity.witness import Witness
from veer.model.inputs import Cell, InputMap, MemoryObject, Pointer, Root, Scalar
from veer.model.outcome import Outcome
from veer.model.program import Function, Program
from veer.model.result import Frame
from veer.model.severity import Severity
from veer.model.state import StateBefore
from veer.model.types import Field, Type, TypeKind
from veer.model.unitfacts import Stored, UnitFacts, field_place, parameter_place
from veer.model.values import replace

# -- NULL ------------------------------------------------------------------------------------------------------------


def test_null_that_nothing_tests_is_a_contract_and_null_that_another_path_tests_is_an_error() -> None:
    inputs = InputMap((root("p", TO_NODE, NULL),), ())
    shown = fault(Outcome.SEGFAULT_NULL)
    assert judged(program(UnitFacts(), p=TO_NODE), shown, inputs) == (
        Severity.CONTRACT,
        ["it needs NULL for `p`, which `f` never tests"],
    )
    tested = UnitFacts(tested=frozenset({parameter_place("f", "p")}))
    assert judged(program(tested, p=TO_NODE), shown, inputs) == (Severity.ERROR, [])


def test_only_pointers_that_were_followed_are_to_blame() -> None:
    passed_on = root("q", TO_NODE, Pointer(None, followed=False))
    inputs = InputMap((root("p", TO_NODE, NULL), passed_on), ())
    tested = UnitFacts(tested=frozenset({parameter_place("f", "p")}))
    assert judged(program(tested, p=TO_NODE, q=TO_NODE), fault(Outcome.SEGFAULT_NULL), inputs)[0] is Severity.ERROR


def test_null_that_was_passed_on_to_what_takes_none_is_a_contract_without_having_been_followed() -> None:
    inputs = InputMap((root("p", TO_NODE, Pointer(None, followed=False)),), ())
    passed, index = fault(Outcome.UNDEFINED, kind=14), fault(Outcome.UNDEFINED, kind=18)
    assert judged(program(UnitFacts(), p=TO_NODE), passed, inputs) == (
        Severity.CONTRACT,
        ["it needs NULL for `p`, which `f` never tests"],
    )
    tested = UnitFacts(tested=frozenset({parameter_place("f", "p")}))
    assert judged(program(tested, p=TO_NODE), passed, inputs)[0] is Severity.ERROR
    assert judged(program(UnitFacts(), p=TO_NODE), index, inputs)[0] is Severity.ERROR


def test_null_that_a_library_takes_for_something_else_is_a_contract_where_it_reads_what_nobody_wrote() -> None:
    """strtok_r(NULL, " ", &rest)."""
    inputs = InputMap((root("p", TO_NODE, NULL),), ())
    assert judged(program(UnitFacts(), p=TO_NODE), fault(Outcome.UNINITIALISED), inputs) == (
        Severity.CONTRACT,
        ["it needs NULL for `p`, which `f` never tests"],
    )
    tested = UnitFacts(tested=frozenset({parameter_place("f", "p")}))
    assert judged(program(tested, p=TO_NODE), fault(Outcome.UNINITIALISED), inputs)[0] is Severity.ERROR


def test_null_of_the_functions_own_is_an_error_and_null_is_not_to_blame_for_other_faults() -> None:
    inputs = InputMap((root("p", TO_NODE, Pointer(1)),), (node(1, "p", Pointer(None, decided=False)),))
    assert judged(program(UnitFacts(), p=TO_NODE), fault(Outcome.SEGFAULT_NULL), inputs)[0] is Severity.ERROR
    nothing = InputMap((root("p", TO_NODE, NULL),), ())
    assert judged(program(UnitFacts(), p=TO_NODE), fault(Outcome.ASSERTION), nothing)[0] is Severity.ERROR


def test_a_field_is_tested_wherever_the_unit_tests_it() -> None:
    inputs = InputMap((root("p", TO_NODE, Pointer(1)),), (node(1, "p", NULL),))
    shown = fault(Outcome.SEGFAULT_NULL)
    assert judged(program(UnitFacts(), p=TO_NODE), shown, inputs)[1] == [
        "it needs NULL for `p->next`, which the code never tests"
    ]
    assert judged(program(UnitFacts(tested=frozenset({NEXT})), p=TO_NODE), shown, inputs)[0] is Severity.ERROR


def test_what_a_pointer_to_a_pointer_leads_to_has_a_place_of_its_own() -> None:
    types = (*TYPES, Type(len(TYPES), TypeKind.POINTER, "node_t **", 8, target=TO_NODE))
    given = replace(program(UnitFacts(), out=len(TYPES)), types=types)
    cell = Root("out", 0, len(TYPES), 8, (Cell(0, "", Pointer(1)),))
    inputs = InputMap((cell,), (MemoryObject(1, "out", TO_NODE, 1, 8, (Cell(0, "", NULL),)),))
    shown = fault(Outcome.SEGFAULT_NULL)
    assert judged(given, shown, inputs)[1] == ["it needs NULL for `*out`, which `f` never tests"]
    tested = replace(given, facts=UnitFacts(tested=frozenset({parameter_place("f", "*out")})))
    assert judged(tested, shown, inputs)[0] is Severity.ERROR


# -- fields ----------------------------------------------------------------------------------------------------------


def test_a_number_that_nobody_stores_is_a_contract_and_plain_data_is_not() -> None:
    facts = UnitFacts(stored=(Stored(HEAD, 0, 7),))
    shown = fault(Outcome.ABORTED)
    assert judged(program(facts, r=TO_RING), shown, ring_with(99)) == (
        Severity.CONTRACT,
        ["it needs `r->head` = 99, and the code stores 0..7 there"],
    )
    assert judged(program(facts, r=TO_RING), shown, ring_with(7))[0] is Severity.ERROR
    assert judged(program(UnitFacts(), r=TO_RING), shown, ring_with(99))[0] is Severity.ERROR


def test_numbers_move_to_what_is_stored_where_the_fault_stays() -> None:
    facts = UnitFacts(stored=(Stored(HEAD, 0, 7),))
    given = program(facts, r=TO_RING)
    assessor = Assessor(given)

    def shows(data: bytes) -> Witness | None:  # r->buf[r->head + 1]
        head = int.from_bytes(data[4:8], "little")
        return assessor.witness(Seen(fault(Outcome.BOUNDS_READ), ring_with(head))) if head >= 7 else None

    before = b"\x01\0\0\0\xff\xff\xff\x7f"
    shown = shows(before)
    assert shown is not None and repaired(before, shown, shows) == b"\x01\0\0\0\x07\0\0\0"
    assert repaired(before, shown, lambda data: None) == before


def test_candidates_are_stored_numbers() -> None:
    assert candidates(Stored(HEAD, 0, 3)) == (3, 0, 2, 1)
    assert len(candidates(Stored(HEAD, 0, 1000))) < 20
    assert put(b"\1", Scalar(0, 16, "signed", at=2), -2) == b"\1\0\xfe\xff"


# -- buffers ---------------------------------------------------------------------------------------------------------


def array(number: int, path: str, count: int) -> MemoryObject:
    cells = tuple(Cell(4 * k, f"[{k}]", number_of(0)) for k in range(count))
    return MemoryObject(number, path, INT, count, 4 * count, cells)


@pytest.mark.parametrize(
    ("facts", "severity"),
    [
        (UnitFacts(), Severity.CONTRACT),
        (UnitFacts(bounded=frozenset({parameter_place("f", "n")})), Severity.ERROR),
        (UnitFacts(declared=frozenset({parameter_place("f", "a")})), Severity.ERROR),
    ],
    ids=["its length is never asked for", "its length is compared", "its length is written"],
)
def test_a_buffer_with_a_length(facts: UnitFacts, severity: Severity) -> None:
    inputs = InputMap((root("a", COUNTED, Pointer(1)), root("n", INT, number_of(2))), (array(1, "a", 2),))
    assert judged(program(facts, a=COUNTED, n=INT), out_of(8), inputs)[0] is severity


def test_a_buffer_whose_length_is_said_nowhere_is_too_short_by_contract() -> None:
    inputs = InputMap((root("a", SOME, Pointer(1)),), (array(1, "a", 2),))
    given = program(UnitFacts(), a=SOME)
    assert judged(given, out_of(8), inputs)[1] == [
        "it needs `a` to lead to only 8 bytes: how long it must be is said nowhere"
    ]
    assert judged(given, out_of(8, "(heap)"), inputs)[0] is Severity.ERROR, "an object of the program's own"


def test_a_text_ends_where_the_code_looks_for_its_end() -> None:
    text = MemoryObject(1, "s", CHAR, 1, 1, (Cell(0, "[0]", Scalar(0, 8, "char")),))
    inputs = InputMap((root("s", TEXT, Pointer(1)),), (text,))
    assert judged(program(UnitFacts(), s=TEXT), out_of(1), inputs)[0] is Severity.CONTRACT
    looked_at = UnitFacts(texts=frozenset({parameter_place("f", "s")}))
    assert judged(program(looked_at, s=TEXT), out_of(1), inputs)[0] is Severity.ERROR


def test_an_array_in_a_struct_has_its_length_and_a_struct_may_be_a_part_of_a_larger_one() -> None:
    given = program(UnitFacts(), r=TO_RING)
    assert judged(given, out_of(12), ring_with(0))[0] is Severity.ERROR
    before = out_of(12, away=-4)
    assert judged(given, before, ring_with(0))[0] is Severity.ERROR, "an index below 0"
    embedded = program(UnitFacts(embedded=frozenset({parameter_place("f", "r")})), r=TO_RING)
    assert "a part of a larger one" in judged(embedded, before, ring_with(0))[1][0]
    freed = fault(Outcome.BAD_FREE)
    assert judged(embedded, freed, ring_with(0))[0] is Severity.CONTRACT, "what is before it was allocated"
    assert judged(given, freed, ring_with(0))[0] is Severity.ERROR


# -- shapes ----------------------------------------------------------------------------------------------------------


def test_a_circle_is_a_contract_unless_the_code_makes_or_expects_one() -> None:
    circle = InputMap((root("h", TO_NODE, Pointer(1)),), (node(1, "h", Pointer(1)),))
    shown = fault(Outcome.HANG)
    assert judged(program(UnitFacts(), h=TO_NODE), shown, circle)[1] == [
        "it needs `h->next` and `h` to lead to one object, which no function of the unit makes"
    ]
    made = UnitFacts(circular=frozenset({NEXT}))
    assert judged(program(made, h=TO_NODE), shown, circle)[0] is Severity.ERROR


def test_that_a_list_may_have_a_node_in_it_is_no_reason_for_a_circle() -> None:
    """`if (p == target)`: a further pointer to a node is made so, one that leads back to the node is not."""
    facts = UnitFacts(same=frozenset({(NEXT, parameter_place("f", "target"))}))
    roots = (root("h", TO_NODE, Pointer(1)), root("target", TO_NODE, Pointer(2)))
    shown = fault(Outcome.HANG)
    ends = InputMap(roots, (node(1, "h", Pointer(2)), node(2, "h->next", NULL)))
    circle = InputMap(roots, (node(1, "h", Pointer(2)), node(2, "h->next", Pointer(2))))
    assert judged(program(facts, h=TO_NODE, target=TO_NODE), shown, ends) == (Severity.ERROR, [])
    assert judged(program(facts, h=TO_NODE, target=TO_NODE), shown, circle)[0] is Severity.CONTRACT


def test_an_object_that_leads_to_itself_is_not_explained_by_two_fields_that_may_lead_to_one() -> None:
    key = replace(TYPES[NODE], fields=(Field("next", 0, TO_NODE), Field("other", 8, TO_NODE)))
    facts = UnitFacts(same=frozenset({(NEXT, field_place("node_t", 8))}))
    given = replace(program(facts, h=TO_NODE), types=(*TYPES[:NODE], key, *TYPES[NODE + 1 :]))
    itself = MemoryObject(2, "h->other", NODE, 1, 16, (Cell(0, ".next", Pointer(2)), Cell(8, ".other", NULL)))
    first = MemoryObject(1, "h", NODE, 1, 16, (Cell(0, ".next", NULL), Cell(8, ".other", Pointer(2))))
    inputs = InputMap((root("h", TO_NODE, Pointer(1)),), (first, itself))
    assert judged(given, fault(Outcome.HANG), inputs)[0] is Severity.CONTRACT


def test_a_list_that_ends_breaks_nothing() -> None:
    chain = InputMap((root("h", TO_NODE, Pointer(1)),), (node(1, "h", Pointer(2)), node(2, "h->next", NULL)))
    assert judged(program(UnitFacts(), h=TO_NODE), fault(Outcome.ABORTED), chain)[0] is Severity.ERROR


def test_a_pointer_that_leads_back_is_one_only_where_the_other_one_leads_there() -> None:
    facts = UnitFacts(back=frozenset({(NEXT, NEXT)}))
    pair = InputMap((root("h", TO_NODE, Pointer(1)),), (node(1, "h", Pointer(2)), node(2, "h->next", Pointer(1))))
    alone = InputMap(
        (root("h", TO_NODE, Pointer(1)),),
        (node(1, "h", Pointer(2)), node(2, "h->next", Pointer(3)), node(3, "h->next->next", Pointer(1))),
    )
    shown = fault(Outcome.HANG)
    assert judged(program(facts, h=TO_NODE), shown, pair)[0] is Severity.ERROR
    assert judged(program(facts, h=TO_NODE), shown, alone)[0] is Severity.CONTRACT


# -- the machine, arithmetic, nothing known --------------------------------------------------------------------------


def test_an_address_that_the_code_names_is_a_register() -> None:
    facts = UnitFacts(addresses=(0x40021000,))
    nothing = InputMap((), ())
    register = fault(Outcome.SEGFAULT_WILD, address=0x40021004)
    assert judged(program(facts), register, nothing)[0] is Severity.CONTRACT
    assert judged(program(facts), fault(Outcome.SEGFAULT_WILD, address=0x1234), nothing)[0] is Severity.ERROR


def test_static_data_as_it_begins_is_to_blame_in_a_static_function_that_the_unit_calls() -> None:
    facts = UnitFacts(state=(("f", ("input", "depth")), ("helper", ("level",))))
    public = program(facts)
    static = replace(public.functions[0], is_static=True)
    caller = Function("g", "unit.c", 9, (), -1, is_static=False, calls=("f",))
    called = replace(public, functions=(static, caller))
    shown = fault(Outcome.SEGFAULT_NULL, stack=(Frame("f", "unit.c", 1),))
    needs = "it needs `depth` and `input` as it begins, and what calls the static `f` may have set it"
    assert judged(called, shown, InputMap((), ())) == (Severity.CONTRACT, [needs])
    assert judged(public, shown, InputMap((), ()))[0] is Severity.ERROR, "whoever calls f first finds it so"
    assert judged(replace(public, functions=(static,)), shown, InputMap((), ()))[0] is Severity.ERROR, "nobody calls it"
    elsewhere = fault(Outcome.SEGFAULT_NULL, stack=(Frame("other", "unit.c", 1),))
    assert judged(called, elsewhere, InputMap((), ()))[0] is Severity.ERROR, "no static data is read there"
    free = InputMap((root("input", INT, number_of(0)), root("depth", INT, number_of(1))), ())
    assert judged(called, shown, free)[0] is Severity.ERROR, "with --globals they are inputs"


@pytest.mark.parametrize(
    ("shown", "severity"),
    [
        (fault(Outcome.DIVISION), Severity.UNDEFINED),
        (fault(Outcome.QUOTIENT), Severity.UNDEFINED),
        (fault(Outcome.UNDEFINED, kind=0), Severity.UNDEFINED),
        (fault(Outcome.UNDEFINED, kind=18), Severity.ERROR),
        (fault(Outcome.LEAK), Severity.ERROR),
    ],
)
def test_arithmetic_is_undefined_and_all_else_is_an_error(shown: Fault, severity: Severity) -> None:
    assert judged(program(UnitFacts()), shown, InputMap((), ()))[0] is severity


def test_where_nothing_is_known_of_the_unit_no_rule_speaks() -> None:
    inputs = InputMap((root("p", TO_NODE, NULL),), ())
    assert judged(program(None, p=TO_NODE), fault(Outcome.SEGFAULT_NULL), inputs)[0] is Severity.ERROR


# -- static data -----------------------------------------------------------------------------------------------------


def with_state(static: bool = False) -> Program:
    given = replace(program(UnitFacts(state=(("f", ("level",)),))), state=StateBefore(("set",), ("level", "n"), ""))
    functions = (replace(given.functions[0], is_static=static), Function("g", "unit.c", 9, (), -1, is_static=False))
    return replace(given, functions=(functions[0], replace(functions[1], calls=("f",))))


def choice(name: str, value: int) -> Root:
    return Root(name, 0, -1, 8, (Cell(0, "", Scalar(value, 64, "choice")),))


def test_values_that_were_set_free_break_a_contract_and_values_by_calls_do_not() -> None:
    shown = fault(Outcome.ABORTED, stack=(Frame("f", "unit.c", 2),))
    free = InputMap((choice("state()", 1), root("level", INT, number_of(9))), ())
    assert judged(with_state(), shown, free) == (
        Severity.CONTRACT,
        ["it needs values in `level` that were set, and no calls are known that bring them there"],
    )
    called = InputMap((choice("before()", 1),), ())
    assert judged(with_state(), shown, called) == (Severity.ERROR, [])


def test_a_static_entry_is_called_by_the_unit_whatever_was_called_before() -> None:
    shown = fault(Outcome.ABORTED, stack=(Frame("f", "unit.c", 2),))
    severity, needs = judged(with_state(static=True), shown, InputMap((choice("before()", 1),), ()))
    assert severity is Severity.CONTRACT
    assert needs == ["it needs `level` as set left it, and what calls the static `f` may have set it"]
