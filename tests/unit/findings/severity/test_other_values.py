"""Rules of severity on values that are taken for something else: members of unions, streams, formats, fields that are
set together, and what an earlier call or another source has left."""

from __future__ import annotations

import pytest
from severity_fixtures import CHAR, INT, NEXT, NULL, TEXT, TO_NODE, TYPES, fault, judged, node, out_of, program, root

from veer.execution.decode import Fault
from veer.model.inputs import Cell, InputMap, MemoryObject, Pointer, Root, Scalar
from veer.model.outcome import Outcome
from veer.model.program import Function, Program
from veer.model.result import Frame
from veer.model.severity import Severity
from veer.model.state import StateBefore
from veer.model.types import Field, Type, TypeKind
from veer.model.unitfacts import Demand, HandedOn, UnitFacts, field_place, parameter_place
from veer.model.values import replace

EITHER, VALUE, TO_VALUE, LIST, TO_LIST = range(len(TYPES), len(TYPES) + 5)
MORE_TYPES = (
    *TYPES,
    Type(EITHER, TypeKind.UNION, "union either", 8, fields=(Field("number", 0, INT), Field("text", 0, TEXT))),
    Type(VALUE, TypeKind.STRUCT, "struct value", 16, fields=(Field("tag", 0, INT), Field("u", 8, EITHER))),
    Type(TO_VALUE, TypeKind.POINTER, "struct value *", 8, target=VALUE),
    Type(LIST, TypeKind.STRUCT, "struct list", 16, fields=(Field("head", 0, TO_NODE), Field("len", 8, INT))),
    Type(TO_LIST, TypeKind.POINTER, "struct list *", 8, target=LIST),
)
HEAD, LEN = field_place("list", 0), field_place("list", 8)


def with_types(facts: UnitFacts, **parameters: int) -> Program:
    return replace(program(facts, p=INT), types=MORE_TYPES, functions=program(facts, **parameters).functions)


def led_to(type_: int, *cells: Cell) -> InputMap:
    """A parameter `p` that leads to an object of 16 bytes; a second object is a node of one character."""
    pointer = Root("p", 0, TO_VALUE if type_ == VALUE else TO_LIST, 8, (Cell(0, "", Pointer(1)),))
    text = MemoryObject(2, "p->u.text", CHAR, 1, 1, (Cell(0, "[0]", Scalar(0, 8, "char")),))
    return InputMap((pointer,), (MemoryObject(1, "p", type_, 1, 16, cells), text))


def number(bits: int, width: int = 32) -> Scalar:
    return Scalar(bits, width, "unsigned")


# -- members of unions, numbers as addresses -------------------------------------------------------------------------


def test_a_number_in_a_union_with_a_pointer_is_to_blame_where_an_address_is_followed() -> None:
    given, filled = with_types(UnitFacts(), p=TO_VALUE), Cell(8, ".u.number", number(0))
    needs = "it needs `p->u.number` in a union of which the code takes another member for a pointer"
    shown = fault(Outcome.SEGFAULT_NULL)
    assert judged(given, shown, led_to(VALUE, filled)) == (Severity.CONTRACT, [needs])
    assert judged(given, fault(Outcome.ABORTED), led_to(VALUE, filled))[0] is Severity.ERROR
    outside = Cell(0, ".tag", number(0))
    assert judged(given, shown, led_to(VALUE, outside))[0] is Severity.ERROR, "a tag beside the union"


def test_a_pointer_to_data_in_a_union_is_to_blame_for_a_call_alone() -> None:
    given, filled = with_types(UnitFacts(), p=TO_VALUE), Cell(8, ".u.text", Pointer(2))
    called = fault(Outcome.SEGFAULT_WILD, message="a call of 0x20000050, where no function is", address=0x20000050)
    assert judged(given, called, led_to(VALUE, filled))[0] is Severity.CONTRACT
    read = replace(called, message="1-byte read at 0x20000050")
    assert judged(given, read, led_to(VALUE, filled))[0] is Severity.ERROR


@pytest.mark.parametrize(("address", "severity"), [(0x6161, Severity.CONTRACT), (0x9999_0000, Severity.ERROR)])
def test_bytes_that_make_up_the_address_are_to_blame(address: int, severity: Severity) -> None:
    """`void *p` with the bytes "aa", of which the code takes eight for a pointer."""
    cells = tuple(Cell(k, f"[{k}]", Scalar(0x61 if k < 2 else 0, 8, "char")) for k in range(8))
    inputs = InputMap((root("p", TEXT, Pointer(1)),), (MemoryObject(1, "p", CHAR, 8, 8, cells),))
    shown = fault(Outcome.SEGFAULT_WILD, address=address)
    assert judged(program(UnitFacts(), p=TEXT), shown, inputs)[0] is severity


def test_a_void_pointer_leads_to_what_its_caller_says() -> None:
    """`struct info *info = data; *info->at ... info->path[9]`: bytes are no such struct."""
    types = (*TYPES, Type(len(TYPES), TypeKind.POINTER, "void *", 8, target=0))
    given = replace(program(UnitFacts(), p=len(TYPES)), types=types)
    cells = tuple(Cell(k, f"[{k}]", number(0, 8)) for k in range(8))
    pointer = Root("p", 0, len(TYPES), 8, (Cell(0, "", Pointer(1, followed=True)),))
    raw = InputMap((pointer,), (MemoryObject(1, "p", 0, 8, 8, cells),))
    assert judged(given, fault(Outcome.SEGFAULT_NULL), raw)[0] is Severity.CONTRACT, "eight zeros are taken for NULL"
    assert judged(given, out_of(1, away=168), raw)[0] is Severity.CONTRACT, "of no object that is near"
    assert judged(given, out_of(1), raw)[0] is Severity.ERROR, "right behind another object"
    text = InputMap((root("p", TEXT, Pointer(1)),), (replace(raw.objects[0], type=CHAR),))
    assert judged(program(UnitFacts(), p=TEXT), fault(Outcome.SEGFAULT_NULL), text)[0] is Severity.ERROR


# -- the library -----------------------------------------------------------------------------------------------------


def test_what_is_given_to_the_library_as_a_stream_is_an_open_file() -> None:
    inputs = InputMap((root("p", TEXT, NULL),), ())
    shown = fault(Outcome.ABORTED)
    streams = UnitFacts(streams=frozenset({parameter_place("f", "p")}))
    assert judged(program(streams, p=TEXT), shown, inputs) == (Severity.CONTRACT, ["it needs `p` to be no open file"])
    assert judged(program(UnitFacts(), p=TEXT), shown, inputs)[0] is Severity.ERROR


def test_another_member_of_a_union_is_no_stream_where_the_run_may_take_it_for_one() -> None:
    """`union { struct { char *text; } buf; FILE *file; } u;` of which f, and not g, gives u.file to the library."""
    buffer, either = len(MORE_TYPES), len(MORE_TYPES) + 1
    types = (
        *(replace(each, fields=(Field("u", 8, either),)) if each.id == VALUE else each for each in MORE_TYPES),
        Type(buffer, TypeKind.STRUCT, "struct buffer", 8, fields=(Field("text", 0, TEXT),)),
        Type(either, TypeKind.UNION, "union other", 8, fields=(Field("buf", 0, buffer), Field("file", 0, TEXT))),
    )
    taken, made = frozenset({field_place("value", 8)}), led_to(VALUE, Cell(8, ".u.buf.text", Pointer(2)))
    filled = replace(made, objects=(made.objects[0], replace(made.objects[1], path="p->u.buf.text")))
    for name, severity in (("f", Severity.CONTRACT), ("g", Severity.ERROR)):
        given = with_types(UnitFacts(streams=taken, gives=((name, taken),)), p=TO_VALUE)
        assert judged(replace(given, types=types), fault(Outcome.ABORTED), filled)[0] is severity


def test_arguments_that_veer_does_not_pass_are_to_blame() -> None:
    """`int sum(int n, ...)`: the first that va_arg() takes is in no register that was set, the seventh nowhere."""
    given = program(UnitFacts(), p=INT)
    with_more = replace(given, functions=(replace(given.functions[0], variadic=True),))
    inputs = InputMap((root("p", INT, number(1)),), ())
    wild, registers = fault(Outcome.SEGFAULT_WILD, address=0x9999_0000), out_of(176, "(local)")
    for shown in (wild, registers):
        assert judged(with_more, shown, inputs)[0] is Severity.CONTRACT
        assert judged(given, shown, inputs)[0] is Severity.ERROR
    assert judged(with_more, out_of(64, "(local)"), inputs)[0] is Severity.ERROR, "an array of its own"
    near_null = replace(fault(Outcome.SEGFAULT_NULL, address=8), stack=(Frame("f", "f.c", 1),))
    assert judged(with_more, near_null, inputs)[0] is Severity.CONTRACT
    assert judged(given, near_null, inputs)[0] is Severity.ERROR
    in_another = replace(near_null, stack=(Frame("g", "f.c", 1), Frame("f", "f.c", 1)))
    assert judged(with_more, in_another, inputs)[0] is Severity.CONTRACT, "it was handed on"


@pytest.mark.parametrize(("text", "severity"), [("%n", Severity.CONTRACT), ("an", Severity.ERROR)])
def test_a_format_asks_for_the_arguments_of_its_caller(text: str, severity: Severity) -> None:
    cells = tuple(Cell(k, f"[{k}]", Scalar(ord(each), 8, "char")) for k, each in enumerate(text))
    inputs = InputMap((root("p", TEXT, Pointer(1)),), (MemoryObject(1, "p", CHAR, 2, 2, cells),))
    facts = UnitFacts(formats=frozenset({parameter_place("f", "p")}))
    assert judged(program(facts, p=TEXT), fault(Outcome.SEGFAULT_WILD), inputs)[0] is severity
    assert judged(program(facts, p=TEXT), fault(Outcome.LEAK), inputs)[0] is Severity.ERROR


# -- fields that are set together ------------------------------------------------------------------------------------


def listed(length: int) -> InputMap:
    return led_to(LIST, Cell(0, ".head", NULL), Cell(8, ".len", number(length)))


def test_null_beside_a_field_that_says_otherwise_is_a_contract() -> None:
    facts = UnitFacts(tested=frozenset({HEAD}), kept=frozenset({(HEAD, LEN)}))
    given, shown = with_types(facts, p=TO_LIST), fault(Outcome.SEGFAULT_NULL)
    needs = "it needs NULL for `p->head` beside `p->len` = 1, and the functions that set the one set the other"
    assert judged(given, shown, listed(1)) == (Severity.CONTRACT, [needs])
    assert judged(given, shown, listed(0))[0] is Severity.ERROR, "an empty list"
    own = replace(facts, checks=(("f", frozenset({HEAD})),))
    assert judged(with_types(own, p=TO_LIST), shown, listed(1))[0] is Severity.ERROR, "f tests it on another path"
    apart = replace(facts, kept=frozenset())
    assert judged(with_types(apart, p=TO_LIST), shown, listed(1))[0] is Severity.ERROR


@pytest.mark.parametrize(("length", "severity"), [(2, Severity.CONTRACT), (1, Severity.ERROR)])
def test_a_count_above_the_nodes_that_there_are_is_a_contract(length: int, severity: Severity) -> None:
    """One node, whose `next` is NULL."""
    facts = UnitFacts(tested=frozenset({NEXT}), kept=frozenset({(HEAD, LEN)}))
    cells = (Cell(0, ".head", Pointer(2)), Cell(8, ".len", number(length)))
    objects = (MemoryObject(1, "p", LIST, 1, 16, cells), node(2, "p->head", NULL))
    inputs = InputMap((Root("p", 0, TO_LIST, 8, (Cell(0, "", Pointer(1)),)),), objects)
    assert judged(with_types(facts, p=TO_LIST), fault(Outcome.SEGFAULT_NULL), inputs)[0] is severity


@pytest.mark.parametrize(
    ("value", "severity"),
    [
        (289, Severity.CONTRACT),
        (2, Severity.ERROR),
        (6, Severity.ERROR),
        (8, Severity.CONTRACT),
        (3, Severity.CONTRACT),
    ],
)
def test_a_number_of_an_enumeration_is_an_enumerator_or_of_flags_some(value: int, severity: Severity) -> None:
    names = (("A", 0), ("B", 2), ("C", 4))
    kind = Type(len(TYPES), TypeKind.SIGNED, "enum e", 4, enumerators=names)
    given = replace(program(UnitFacts(), k=kind.id), types=(*TYPES, kind))
    inputs = InputMap((Root("k", 0, kind.id, 4, (Cell(0, "", number(value)),)),), ())
    assert judged(given, fault(Outcome.ABORTED), inputs)[0] is severity


@pytest.mark.parametrize(
    ("outcome", "message", "severity"),
    [
        (Outcome.ILLEGAL, "a trap was executed", Severity.CONTRACT),
        (Outcome.SEGFAULT_NULL, "a null pointer was dereferenced: 4-byte write at 0", Severity.CONTRACT),
        (Outcome.SEGFAULT_NULL, "a null pointer was dereferenced: 4-byte read at 0", Severity.ERROR),
        (Outcome.SEGFAULT_NULL, "a null pointer was dereferenced: 4-byte write at 0x8", Severity.ERROR),
    ],
)
def test_what_asserts_may_trap_or_write_at_null(outcome: Outcome, message: str, severity: Severity) -> None:
    """A read is one that the assertion itself makes: `CHECK(p->next->n > 0)`."""
    facts = UnitFacts(asserted=(("f", (3,)),))
    failed = replace(fault(outcome, stack=(Frame("f", "unit.c", 3),)), message=message)
    assert judged(program(facts), failed, InputMap((), ()))[0] is severity


def test_an_assertion_at_the_head_of_the_entry_says_what_it_takes() -> None:
    facts = UnitFacts(asserted=(("f", (3,)), ("g", (7,))))
    nothing = InputMap((), ())

    def failed(*frames: tuple[str, int]) -> Fault:
        return fault(Outcome.ASSERTION, stack=tuple(Frame(name, "unit.c", line) for name, line in frames))

    needs = ["`f` begins with an assertion that says otherwise"]
    assert judged(program(facts), failed(("f", 3)), nothing) == (Severity.CONTRACT, needs)
    assert judged(program(facts), failed(("f", 5)), nothing)[0] is Severity.ERROR, "behind the head"
    assert judged(program(facts), failed(("g", 7), ("f", 4)), nothing)[0] is Severity.ERROR, "f calls g so"


HANDED = (HandedOn("f", 4, "g", (("n", "k"), ("p", "q"))), HandedOn("e", 2, "f", (("k", "m"),), is_first=True))


@pytest.mark.parametrize(
    ("demand", "calls", "severity"),
    [
        (Demand("g", 7, frozenset({"n"})), (("g", 7), ("f", 4)), Severity.CONTRACT),
        (Demand("g", 7, frozenset({"n", "p"})), (("g", 7), ("f", 4)), Severity.CONTRACT),
        (Demand("g", 7, frozenset({"n", "other"})), (("g", 7), ("f", 4)), Severity.ERROR),  # one is no parameter of f
        (
            Demand("g", 7, frozenset({"n"}), reads_memory=True),
            (("g", 7), ("f", 4)),
            Severity.ERROR,
        ),  # f did more
        (Demand("g", 7, frozenset()), (("g", 7), ("f", 4)), Severity.ERROR),  # it is about no parameter
        (Demand("g", 7, frozenset({"n"})), (("g", 7), ("f", 5)), Severity.ERROR),  # another call
        (Demand("g", 7, frozenset({"n"})), (("g", 7), ("h", 1), ("f", 4)), Severity.ERROR),  # by way of h
        (Demand("g", 8, frozenset({"n"})), (("g", 7), ("f", 4)), Severity.ERROR),  # another assertion
    ],
)
def test_an_assertion_of_a_function_that_is_handed_the_arguments_says_what_it_takes(
    demand: Demand, calls: tuple[tuple[str, int], ...], severity: Severity
) -> None:
    facts = UnitFacts(asserted=(("g", (7,)),), demands=(demand,), handed_on=HANDED)
    failed = fault(Outcome.ASSERTION, stack=tuple(Frame(name, "unit.c", line) for name, line in calls))
    assert judged(program(facts), failed, InputMap((), ()))[0] is severity


def test_what_is_right_before_null_is_null() -> None:
    """`((struct header *)s)[-1]` of NULL is no wild pointer of the code's."""
    inputs = InputMap((root("p", TEXT, Pointer(None, followed=False)),), ())
    before = fault(Outcome.SEGFAULT_WILD, address=(1 << 64) - 1)
    assert judged(program(UnitFacts(), p=TEXT), before, inputs)[0] is Severity.CONTRACT
    elsewhere = fault(Outcome.SEGFAULT_WILD, address=0x7777_0000)
    assert judged(program(UnitFacts(), p=TEXT), elsewhere, inputs)[0] is Severity.ERROR


# -- what was left before --------------------------------------------------------------------------------------------


def called_again(now: int, before: int | None) -> tuple[Severity, list[str]]:
    """f(text 1 or 2), behind a call of f with a text or NULL."""
    paths = {now: "p", before: "f.p"}
    texts = [MemoryObject(k, paths.get(k, ""), CHAR, k, k, (Cell(0, "[0]", Scalar(0, 8, "char")),)) for k in (1, 2)]
    choice = Root("before()", 0, -1, 8, (Cell(0, "", Scalar(1, 64, "choice")),))
    roots = (choice, root("f.p", TEXT, Pointer(before)), root("p", TEXT, Pointer(now)))
    place = parameter_place("f", "p")
    facts = UnitFacts(texts=frozenset({place}), same=frozenset({(place, place)}))
    given = replace(program(facts, p=TEXT), state=StateBefore(("f",), (), ""))
    return judged(given, out_of(now), InputMap(roots, tuple(texts)))


def test_an_argument_that_changes_between_calls_is_to_blame_where_static_data_is_of_the_one_before() -> None:
    severity, needs = called_again(now=1, before=2)
    assert severity is Severity.CONTRACT
    assert "it needs another `p` than in the call of `f` before, of which the static data still is" in needs
    assert called_again(now=1, before=1)[0] is Severity.ERROR
    assert called_again(now=1, before=None)[0] is Severity.ERROR, "NULL says that it begins anew"


@pytest.mark.parametrize(("where", "severity"), [("allocate", Severity.CONTRACT), ("f", Severity.ERROR)])
def test_what_a_call_before_returned_leaks_for_that_veer_drops_it(where: str, severity: Severity) -> None:
    choice = Root("before()", 0, -1, 8, (Cell(0, "", Scalar(1, 64, "choice")),))
    given = replace(program(UnitFacts()), state=StateBefore(("make",), (), ""))
    make = Function("make", "unit.c", 9, (), -1, is_static=False, calls=("allocate",))
    given = replace(given, functions=(*given.functions, make))
    leak = fault(Outcome.LEAK, stack=(Frame(where, "unit.c", 1),))
    assert judged(given, leak, InputMap((choice,), ()))[0] is severity
    assert judged(given, leak, InputMap((), ()))[0] is Severity.ERROR, "without a call before"


def followed_at(line: int) -> Fault:
    return fault(Outcome.SEGFAULT_NULL, stack=(Frame("f", "unit.c", line),))


def test_a_variable_that_only_another_source_sets_is_set_before_the_entry_is_called() -> None:
    facts = UnitFacts(unset=(("f", 8, "progress"),))
    needs = "it needs `progress` as it begins: no function of these sources sets it, so another source does"
    nothing = InputMap((), ())
    assert judged(program(facts), followed_at(8), nothing) == (Severity.CONTRACT, [needs])
    assert judged(program(facts), followed_at(9), nothing)[0] is Severity.ERROR, "another line"
    free = InputMap((Root("progress", 0, INT, 4, (Cell(0, "", number(0)),)),), ())
    assert judged(program(facts), followed_at(8), free)[0] is Severity.ERROR, "with --globals it is an input"
    tested = replace(facts, tested=frozenset({parameter_place("f", "p")}))
    by_argument = InputMap((root("p", TO_NODE, NULL),), ())
    assert judged(program(tested, p=TO_NODE), followed_at(8), by_argument)[0] is Severity.ERROR, "NULL of an argument"


def test_a_pointer_that_another_function_allocates_is_set_before_the_entry_is_called() -> None:
    facts = UnitFacts(awaited=(("f", 8, "fields", ("init", "reset")),))
    needs = "it needs `fields` as it begins, and `init` or `reset` is to set it before"
    nothing = InputMap((), ())
    assert judged(program(facts), followed_at(8), nothing) == (Severity.CONTRACT, [needs])
    assert judged(program(facts), followed_at(9), nothing)[0] is Severity.ERROR, "another line"
    own = UnitFacts(awaited=(("f", 8, "fields", ("f", "init")),))
    assert judged(program(own), followed_at(8), nothing)[0] is Severity.ERROR, "it sets it itself on another path"
    division = replace(followed_at(8), outcome=Outcome.DIVISION)
    assert judged(program(facts), division, nothing)[0] is not Severity.CONTRACT, "no pointer was followed"
