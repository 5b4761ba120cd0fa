"""Which bugs of static functions rest on what their callers give."""

from __future__ import annotations

import pytest
from severity_fixtures import COUNTED, INT, NULL, TO_NODE, number_of, program, root

from veer.findings.reaching.callees import rests_on_arguments
from veer.findings.reaching.making import Unit
from veer.model.inputs import InputMap, Pointer, Root
from veer.model.outcome import Outcome
from veer.model.program import Function, Program
from veer.model.result import Bug, Confirmation, Frame
from veer.model.unitfacts import Place, UnitFacts, parameter_place
from veer.model.values import replace

NUMBER, NODE_POINTER = parameter_place("f", "n"), parameter_place("f", "p")
CALLER = Function("g", "unit.c", 9, (), -1, is_static=False, calls=("f",))
BEHIND = "1-byte read, right behind an object of 4 bytes (input)"


def helper(facts: UnitFacts, caller: Function = CALLER, **parameters: int) -> Program:
    """The function `f`, static, with one caller."""
    given = program(facts, **parameters)
    return replace(given, functions=(replace(given.functions[0], is_static=True), caller))


def bug(outcome: Outcome, message: str = "") -> Bug:
    frames = (Frame("f", "unit.c", 2),)
    return Bug(1, outcome, "unit.c", 2, 1, "f", message, "test_001", frames, Confirmation.PLAIN, 1, 0.0)


def asked(given: Program, shown: Bug, *roots: Root) -> str:
    assert given.facts is not None
    return rests_on_arguments(Unit(given, given.facts), shown, InputMap(roots, ()))


def checks(*places: Place) -> UnitFacts:
    return UnitFacts(checks=(("f", frozenset(places)),), ordered=(("f", frozenset(places)),))


@pytest.mark.parametrize(
    ("facts", "name"),
    [(UnitFacts(), "f"), (checks(NUMBER), ""), (UnitFacts(ordered=(("g", frozenset({NUMBER})),)), "f")],
)
def test_a_number_that_only_its_callers_choose(facts: UnitFacts, name: str) -> None:
    assert asked(helper(facts, n=INT), bug(Outcome.DIVISION), root("n", INT, number_of(0))) == name


@pytest.mark.parametrize(("facts", "name"), [(UnitFacts(), "f"), (checks(NODE_POINTER), "")])
def test_null_that_the_function_tests_on_another_path_is_its_own_error(facts: UnitFacts, name: str) -> None:
    assert asked(helper(facts, p=TO_NODE), bug(Outcome.SEGFAULT_NULL), root("p", TO_NODE, NULL)) == name


def test_what_is_behind_a_buffer_is_what_its_callers_say_whatever_the_function_asks() -> None:
    roots = (root("b", COUNTED, Pointer(1)), root("n", INT, number_of(1)))
    given = helper(checks(NUMBER), b=COUNTED, n=INT)
    assert asked(given, bug(Outcome.BOUNDS_READ, BEHIND), *roots) == "f"
    assert asked(given, bug(Outcome.BOUNDS_READ, BEHIND.replace("input", "heap")), *roots) == ""


def test_whoever_others_can_call_is_asked_nothing_and_neither_is_a_leak() -> None:
    zero = root("n", INT, number_of(0))
    given = helper(UnitFacts(), n=INT)
    exported = replace(given, functions=(replace(given.functions[0], is_static=False), CALLER))
    assert asked(exported, bug(Outcome.DIVISION), zero) == ""
    assert asked(replace(given, addresses=("f",)), bug(Outcome.DIVISION), zero) == "f", (
        "a callback has its callers, too"
    )
    assert asked(given, bug(Outcome.LEAK), zero) == ""
    assert asked(given, bug(Outcome.DIVISION)) == "", "nothing is given"
