"""Rules of severity on numbers that say more than there is, on pointers that are ends of something else, and on what
static functions are given."""

from __future__ import annotations

import pytest
from severity_fixtures import (
    CHAR,
    COUNTED,
    INT,
    NULL,
    TEXT,
    TO_NODE,
    TYPES,
    fault,
    judged,
    number_of,
    out_of,
    program,
    root,
)

from veer.findings.severity.assessor import Assessor, Seen
from veer.findings.severity.repair import repaired
from veer.findings.severity.witness import Witness
from veer.model.inputs import Cell, InputMap, MemoryObject, Pointer, Root, Scalar
from veer.model.outcome import Outcome
from veer.model.program import Function, Program
from veer.model.severity import Severity
from veer.model.types import Field, Type, TypeKind
from veer.model.unitfacts import Place, Stored, UnitFacts, field_place, parameter_place
from veer.model.values import replace

VIEW, TO_VIEW = len(TYPES), len(TYPES) + 1
VIEW_TYPES = (
    *TYPES,
    Type(VIEW, TypeKind.STRUCT, "struct view", 16, fields=(Field("text", 0, TEXT), Field("length", 8, INT))),
    Type(TO_VIEW, TypeKind.POINTER, "struct view *", 8, target=VIEW),
)
TEXT_OF, LENGTH_OF = field_place("view", 0), field_place("view", 8)
SAYS = UnitFacts(texts=frozenset({TEXT_OF}), sizes=frozenset({LENGTH_OF}))


def text(number: int, path: str, size: int) -> MemoryObject:
    cells = tuple(Cell(k, f"[{k}]", Scalar(0, 8, "char")) for k in range(size))
    return MemoryObject(number, path, CHAR, size, size, cells)


def with_view(facts: UnitFacts) -> Program:
    return replace(program(facts, v=TO_VIEW), types=VIEW_TYPES)


def view(length: int, size: int = 2) -> InputMap:
    """A view of so many bytes that says that it has `length`; of none where it is NULL."""
    cells = (Cell(0, ".text", Pointer(2 if size else None)), Cell(8, ".length", number_of(length)))
    behind = (text(2, "v->text", size),) if size else ()
    return InputMap(
        (Root("v", 0, TO_VIEW, 8, (Cell(0, "", Pointer(1)),)),), (MemoryObject(1, "v", VIEW, 1, 16, cells), *behind)
    )


# -- lengths ---------------------------------------------------------------------------------------------------------


def test_a_length_beside_a_buffer_is_to_blame_where_it_says_more_than_there_is() -> None:
    assert judged(with_view(SAYS), out_of(2), view(9)) == (
        Severity.CONTRACT,
        ["it needs `v->length` = 9, and `v->text` leads to only 2"],
    )
    assert judged(with_view(SAYS), out_of(2), view(2))[0] is Severity.ERROR, "the code goes beyond what it is told"
    assert judged(with_view(SAYS), fault(Outcome.SEGFAULT_WILD), view(514_230))[1] == [
        "it needs `v->length` = 514230, and `v->text` leads to only 2"
    ], "so far behind that nobody knows behind what"
    assert judged(with_view(SAYS), fault(Outcome.SEGFAULT_WILD), view(2))[0] is Severity.ERROR
    assert judged(with_view(UnitFacts(texts=frozenset({TEXT_OF}))), out_of(2), view(9))[0] is Severity.ERROR, "no size"
    assert judged(with_view(SAYS), out_of(2, "(heap)"), view(9))[0] is Severity.ERROR, "an object of the program's own"


def test_a_length_by_its_name_is_no_index_because_the_code_takes_it_for_one() -> None:
    """`at = n; while (at > 0) if (buf[at--]) ...` reads behind the end whatever n is: no other n would do."""
    count = parameter_place("f", "n")
    index = UnitFacts(bounded=frozenset({count}), sizes=frozenset({count}), indices=frozenset({count}))
    named = replace(index, counts=frozenset({count}))
    item = MemoryObject(1, "buf", INT, 2, 8, (Cell(0, "[0]", number_of(0)), Cell(4, "[1]", number_of(0))))

    def severity(facts: UnitFacts, said: int, outcome: Outcome = Outcome.BOUNDS_READ) -> Severity:
        inputs = InputMap((root("buf", COUNTED, Pointer(1)), root("n", INT, number_of(said))), (item,))
        return judged(program(facts, buf=COUNTED, n=INT), replace(out_of(8), outcome=outcome), inputs)[0]

    assert severity(index, 2) is Severity.CONTRACT, "`n` may say which element is meant"
    assert severity(named, 2) is Severity.ERROR
    assert severity(named, 3) is Severity.CONTRACT, "more than there are"
    assert severity(named, 2, Outcome.BOUNDS_WRITE) is Severity.CONTRACT, "one is added behind those that there are"


def test_a_length_of_another_buffer_is_not_to_blame_where_this_one_has_its_own() -> None:
    """decode(in, len, out, n): `len` = 9 is no reason to write behind `out`, which has n elements."""
    other = replace(TYPES[COUNTED], id=len(TYPES), length="len")
    given = replace(program(UnitFacts(), out=COUNTED, **{"in": other.id}, len=INT, n=INT), types=(*TYPES, other))
    places = {name: parameter_place("f", name) for name in ("len", "n", "i")}
    items = (MemoryObject(1, "out", INT, 2, 8, ()), MemoryObject(2, "in", INT, 9, 36, ()))

    def severity(facts: UnitFacts, said: int, *, has_in: bool = True) -> Severity:
        numbers = (root("len", INT, number_of(9)), root("n", INT, number_of(said)))
        led = Root("in", 0, other.id, 8, (Cell(0, "", Pointer(2)),))
        inputs = InputMap((root("out", COUNTED, Pointer(1)), *((led,) if has_in else ()), *numbers), items)
        shown = replace(out_of(8), outcome=Outcome.BOUNDS_WRITE)
        return judged(replace(given, facts=facts), shown, inputs)[0]

    facts = UnitFacts(bounded=frozenset(places.values()), sizes=frozenset(places.values()))
    assert severity(facts, 2) is Severity.ERROR
    assert severity(facts, 3) is Severity.CONTRACT, "more than there are"
    assert severity(facts, 2, has_in=False) is Severity.CONTRACT, "`len` is of no other buffer"
    asked = replace(facts, tops=((places["len"], 100),))
    assert severity(asked, 2, has_in=False) is Severity.ERROR, "the code asks it, but not for `n`"


def test_null_has_no_elements() -> None:
    facts = replace(SAYS, tested=frozenset({TEXT_OF}))
    shown = fault(Outcome.SEGFAULT_NULL)
    assert judged(with_view(facts), shown, view(3, size=0))[1] == ["it needs `v->length` = 3, and `v->text` is NULL"]
    assert judged(with_view(facts), shown, view(0, size=0))[0] is Severity.ERROR


def test_objects_that_lead_to_themselves_end_the_search_for_a_length_beside_them() -> None:
    """Which objects hold a text may go round for ever: `v->next` is `v`."""
    types = (
        *VIEW_TYPES[:VIEW],
        replace(VIEW_TYPES[VIEW], fields=(VIEW_TYPES[VIEW].fields[0], Field("next", 8, TO_VIEW))),
    )
    count = parameter_place("f", "n")
    facts = replace(SAYS, sizes=frozenset({count}), circular=frozenset({field_place("view", 8)}))
    given = replace(program(facts, v=TO_VIEW, n=INT), types=(*types, VIEW_TYPES[TO_VIEW]))
    cells = (Cell(0, ".text", Pointer(2)), Cell(8, ".next", Pointer(1)))
    inputs = InputMap(
        (Root("v", 0, TO_VIEW, 8, (Cell(0, "", Pointer(1)),)), Root("n", 0, INT, 4, (Cell(0, "", number_of(9)),))),
        (MemoryObject(1, "v", VIEW, 1, 16, cells), text(2, "v->text", 2)),
    )
    assert judged(given, out_of(2), inputs)[0] is Severity.ERROR, "n is no size of what v->text leads to"


def test_a_pointer_to_a_single_object_has_no_length() -> None:
    """`if (out) ...` on another path: `n` is no length of what `out` leads to."""
    out, count = parameter_place("f", "out"), parameter_place("f", "n")
    roots = (root("out", TO_NODE, NULL), Root("n", 0, INT, 4, (Cell(0, "", number_of(3)),)))
    facts = UnitFacts(tested=frozenset({out}), sizes=frozenset({count}))
    shown = fault(Outcome.SEGFAULT_NULL)
    assert judged(program(facts, out=TO_NODE, n=INT), shown, InputMap(roots, ()))[0] is Severity.ERROR


def test_an_address_that_a_number_moves_to_null_is_out_of_the_buffer() -> None:
    passed = fault(Outcome.UNDEFINED, kind=14)
    assert judged(with_view(SAYS), passed, view(-0x2000_0000))[1] == [
        "it needs `v->length` = -536870912, and `v->text` leads to only 2"
    ]
    assert judged(with_view(SAYS), passed, view(1))[0] is Severity.ERROR
    assert judged(with_view(SAYS), fault(Outcome.UNDEFINED, kind=18), view(9))[0] is Severity.ERROR, "no NULL at all"


def test_a_length_that_need_not_be_wrong_is_not_to_blame() -> None:
    """The code goes one beyond the length: it does so with a length that fits, too."""
    given = with_view(SAYS)

    def shows(data: bytes) -> Witness | None:
        length = int.from_bytes(data[4:8], "little", signed=True)
        return Assessor(given).witness(Seen(out_of(2), view(length))) if length >= 2 else None

    before = b"\1\0\0\0\x09\0\0\0"
    shown = shows(before)
    assert shown is not None and repaired(before, shown, shows) == b"\1\0\0\0\x02\0\0\0"


def test_two_numbers_that_are_wrong_are_moved_together() -> None:
    """`text[offset]` with offset < length: none of the two alone shows the fault with a number that fits."""
    with_offset = replace(
        VIEW_TYPES[VIEW],
        size=24,
        fields=(*VIEW_TYPES[VIEW].fields, Field("offset", 12, INT)),
    )
    facts = replace(SAYS, sizes=frozenset({LENGTH_OF, field_place("view", 12)}))
    given = replace(program(facts, v=TO_VIEW), types=(*TYPES, with_offset, VIEW_TYPES[TO_VIEW]))

    def shows(data: bytes) -> Witness | None:
        length, offset = (int.from_bytes(data[at : at + 4], "little", signed=True) for at in (0, 4))
        numbers = (Scalar(length, 32, "signed", at=0), Scalar(offset, 32, "signed", at=4))
        cells = (Cell(0, ".text", Pointer(2)), Cell(8, ".length", numbers[0]), Cell(12, ".offset", numbers[1]))
        objects = (MemoryObject(1, "v", VIEW, 1, 24, cells), text(2, "v->text", 2))
        inputs = InputMap((Root("v", 0, TO_VIEW, 8, (Cell(0, "", Pointer(1)),)),), objects)
        return Assessor(given).witness(Seen(out_of(2), inputs)) if length - offset in (1, 2) and offset >= 0 else None

    before = b"\x0a\0\0\0\x09\0\0\0"
    shown = shows(before)
    assert shown is not None and repaired(before, shown, shows) == b"\x02\0\0\0\x01\0\0\0"


def test_an_index_is_below_the_number_of_elements() -> None:
    indices = replace(SAYS, indices=frozenset({LENGTH_OF}))
    assert judged(with_view(indices), out_of(2), view(2))[0] is Severity.CONTRACT
    assert judged(with_view(indices), out_of(2), view(1))[0] is Severity.ERROR


def test_a_field_behind_one_parameter_may_count_what_another_one_leads_to() -> None:
    """`toks[parser->next]`: of the array, not of the struct that the number is in."""
    behind = MemoryObject(1, "v", VIEW, 1, 16, (Cell(8, ".length", number_of(5)),))
    roots = (Root("v", 0, TO_VIEW, 8, (Cell(0, "", Pointer(1)),)), root("s", TEXT, Pointer(2)))
    inputs = InputMap(roots, (behind, text(2, "s", 3)))
    facts = replace(SAYS, texts=frozenset({parameter_place("f", "s")}))
    given = replace(program(facts, v=TO_VIEW), types=VIEW_TYPES, functions=program(facts, v=0, s=TEXT).functions)
    assert judged(given, out_of(3), inputs)[1] == ["it needs `v->length` = 5, and `s` leads to only 3"]
    own = replace(facts, texts=frozenset())
    assert "v->length" not in "".join(judged(replace(given, facts=own), out_of(16), inputs)[1]), "the struct itself"


# -- ends ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("outcome", [Outcome.BOUNDS_READ, Outcome.ASSERTION])
def test_two_ends_of_one_object_lead_to_one_object(outcome: Outcome) -> None:
    begin, end = parameter_place("f", "p"), parameter_place("f", "end")
    roots = (root("p", TEXT, Pointer(1)), root("end", TEXT, Pointer(2)))
    two = InputMap(roots, (text(1, "p", 2), text(2, "end", 3)))
    one = InputMap((roots[0], root("end", TEXT, Pointer(1))), (text(1, "p", 2),))
    facts = UnitFacts(texts=frozenset({begin, end}), spans=frozenset({(begin, end)}), same=frozenset({(begin, end)}))
    given, shown = program(facts, p=TEXT, end=TEXT), replace(out_of(2), outcome=outcome)
    needs = "it needs `p` and `end` to lead to two objects, and the code takes them for two ends of one"
    assert judged(given, shown, two) == (Severity.CONTRACT, [needs])
    assert judged(given, shown, one)[0] is Severity.ERROR
    apart = program(replace(facts, spans=frozenset()), p=TEXT, end=TEXT)
    assert judged(apart, shown, two)[0] is Severity.ERROR, "two texts that nothing relates"


def test_an_assertion_of_ends_that_are_null_says_nothing() -> None:
    begin, end = parameter_place("f", "p"), parameter_place("f", "end")
    inputs = InputMap((root("p", TEXT, NULL), root("end", TEXT, NULL)), ())
    facts = UnitFacts(spans=frozenset({(begin, end)}))
    failed = fault(Outcome.ASSERTION)
    assert judged(program(facts, p=TEXT, end=TEXT), failed, inputs)[0] is Severity.CONTRACT
    tested = replace(facts, tested=frozenset({begin, end}))
    assert judged(program(tested, p=TEXT, end=TEXT), failed, inputs)[0] is Severity.ERROR
    assert judged(program(facts, p=TEXT, end=TEXT), fault(Outcome.ABORTED), inputs)[0] is Severity.ERROR


def test_an_assertion_about_a_length_that_does_not_fit_is_a_contract() -> None:
    assert judged(with_view(SAYS), fault(Outcome.ASSERTION), view(9))[0] is Severity.CONTRACT
    assert judged(with_view(SAYS), fault(Outcome.ASSERTION), view(1))[0] is Severity.ERROR


# -- static functions ------------------------------------------------------------------------------------------------


def static(facts: UnitFacts, *addresses: str) -> Program:
    """The static function f, which g calls."""
    given = program(facts, i=INT)
    caller = Function("g", "unit.c", 9, (), -1, is_static=False, calls=("f",))
    functions = (replace(given.functions[0], is_static=True, calls=("h",)), caller)
    return replace(given, functions=functions, addresses=frozenset(addresses))


def index(value: int) -> InputMap:
    return InputMap((Root("i", 0, INT, 4, (Cell(0, "", number_of(value)),)),), ())


INDEX: Place = parameter_place("f", "i")
AN_INDEX = UnitFacts(sizes=frozenset({INDEX}))


def test_what_a_static_function_never_checks_its_callers_say() -> None:
    shown = out_of(8, "(global)")
    needs = "it needs `i` = 7, which the static `f` never checks: its callers say what it is"
    assert judged(static(AN_INDEX), shown, index(7)) == (Severity.CONTRACT, [needs])
    anybody = "it needs `i` = 7, which nothing checks: callers say which elements there are"
    assert judged(program(AN_INDEX, i=INT), shown, index(7)) == (Severity.CONTRACT, [anybody])
    assert judged(static(AN_INDEX, "f"), shown, index(7)) == (Severity.CONTRACT, [anybody]), (
        "its address goes elsewhere"
    )
    bounded = replace(AN_INDEX, bounded=frozenset({INDEX}))
    assert judged(program(bounded, i=INT), shown, index(7))[0] is Severity.ERROR, "it is compared, and not as it should"


def test_what_a_static_function_or_one_that_it_calls_checks_is_its_own_business() -> None:
    shown = out_of(8, "(global)")
    for function in ("f", "h"):
        checked = replace(AN_INDEX, checks=((function, frozenset({INDEX})),))
        assert judged(static(checked), shown, index(8))[0] is Severity.ERROR
    elsewhere = replace(AN_INDEX, checks=(("g", frozenset({INDEX})),))
    assert judged(static(elsewhere), shown, index(8))[0] is Severity.CONTRACT


def test_what_no_caller_passes_is_a_contract_also_where_a_static_function_checks_it() -> None:
    shown = out_of(8, "(global)")
    checked = replace(AN_INDEX, checks=(("f", frozenset({INDEX})),), passed=(Stored(INDEX, 3, 7),))
    needs = "it needs `i` = 8, and the callers of the static `f` pass 3..7"
    assert judged(static(checked), shown, index(8)) == (Severity.CONTRACT, [needs])
    for passed in (3, 5, 7):
        assert judged(static(checked), shown, index(passed))[0] is Severity.ERROR
    assert judged(program(checked, i=INT), shown, index(8))[0] is Severity.ERROR, "anybody may call it"
    assert judged(static(checked, "f"), shown, index(8))[0] is Severity.ERROR, "its address goes elsewhere"


def test_for_an_index_outside_of_an_array_only_numbers_that_find_elements_are_to_blame() -> None:
    """`if (s->top <= 16) s->item[s->top++] = v`: what is in s->item says nothing of it."""
    array, overflow = fault(Outcome.UNDEFINED, kind=18), fault(Outcome.UNDEFINED, kind=0)
    assert judged(static(UnitFacts()), array, index(16))[0] is Severity.ERROR
    assert judged(static(AN_INDEX), array, index(16))[0] is Severity.CONTRACT
    assert judged(static(UnitFacts()), overflow, index(16))[0] is Severity.CONTRACT, "any number may overflow"


def test_a_number_that_a_static_function_dispatches_on_is_not_to_blame() -> None:
    assert judged(static(UnitFacts()), out_of(8, "(global)"), index(3))[0] is Severity.ERROR
    division = fault(Outcome.DIVISION)
    assert judged(static(UnitFacts()), division, index(0))[0] is Severity.CONTRACT
    compared = UnitFacts(bounded=frozenset({INDEX}))
    assert judged(static(compared), division, index(3))[0] is Severity.UNDEFINED


def test_a_step_of_zero_that_nothing_checks_is_its_callers() -> None:
    hang = fault(Outcome.HANG)
    assert judged(program(AN_INDEX, i=INT), hang, index(0))[0] is Severity.CONTRACT
    assert judged(program(AN_INDEX, i=INT), hang, index(7))[0] is Severity.ERROR
    bounded = replace(AN_INDEX, bounded=frozenset({INDEX}))
    assert judged(program(bounded, i=INT), hang, index(0))[0] is Severity.ERROR
    assert judged(program(UnitFacts(), i=INT), hang, index(0))[0] is Severity.ERROR, "it is no step"
