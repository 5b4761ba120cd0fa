"""Specifications as text: what is understood, and what is said of mistakes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from veer.model.errors import UsageError
from veer.specs.automaton import automaton_of
from veer.specs.language import Kind, Specification
from veer.specs.machine import machine_of
from veer.specs.reading import of_file, of_source, read

FILE = Path("unit.spec")


def one(text: str) -> Specification:
    (found,) = of_file(FILE, text)
    return found


def test_a_file_of_several() -> None:
    text = "# first\nlocking: calls (lock unlock)*  # both\n\nisr: always (return isr()\n   implies FLAG == 0)\n"
    locking, isr = of_file(FILE, text)
    assert (locking.name, locking.kind, [each.function for each in locking.patterns]) == (
        "locking",
        Kind.CALLS,
        ["lock", "unlock"],
    )
    assert (isr.kind, isr.place.line, isr.text) == (Kind.ALWAYS, 4, "always (return isr() implies FLAG == 0)")


def test_comments_of_sources() -> None:
    text = "int x; /* a\n * veer-spec: one: calls f*\n * veer-spec: two: never\n *   call g() */\n"
    text += "// veer-spec: three: calls h\n"
    found = list(of_source(Path("unit.c"), text))
    assert [(each.name, each.place.line, each.place.column) for each in found] == [
        ("one", 2, 15),
        ("two", 3, 15),
        ("three", 5, 15),
    ]


def test_a_name_in_two_events_is_shared() -> None:
    assert one("a: always (call read(fd) implies once return open() == fd)").shared == "fd"
    assert one("a: always (call f(x) where (x > 0) implies once call g(y))").shared == ""


def test_keywords_are_members_of_structs() -> None:
    found = one("a: always (call f(p) where (p->call > s.not) implies s.once == 1)")
    assert [getattr(each, "text", "") for each in found.atoms] == ["call f(p) where (p->call > s.not)", "s.once == 1"]


def test_a_bracket_behind_a_blank_groups() -> None:
    assert len(one("a: calls open (read | write)* close").patterns) == 4
    assert one("a: calls open(m) close").patterns[0].names == ("m",)


MISTAKES = {
    "a: foo": "1:4: `foo` begins no property",
    "a: always (call f(": "1:19: the end stands within arguments",
    "a: calls (lock unlock": "1:22: the end stands where `)` must",
    "a: always x > 3": "1:1: it names no event",
    "a: always (call f(x) implies x > 3)": "1:30: `x` is a value of `call f(x)`",
    "a: calls f{3,1}": "1:11: {3,1} is no range",
    " a: calls f": "1:1: a specification begins at the left edge",
    "a: always call f() == 3": "1:20: a call has no result yet",
    "a: always call f() x": "1:20: `x` stands behind the end",
    "lock unlock": "1:1: a specification begins with its name and a colon",
    "a: calls f $": "1:12: '$' begins no word",
    "a: always (call f(x, x))": "1:17: `x` names two values of one event",
    "a: always (call f(x) and call f(_, x))": "1:31: `x` is another value of f than before",
    "a: always (call f(x, y) and call g(x, y))": "1:34: `x` and `y` stand in several events",
    "a: calls ((f{60}){60})": "1:18: written out, this is longer than 64",
    "a: always result == 1 and call f()": "1:11: `result` is known where a function returns",
    "": "1:1: there is no specification",
}


@pytest.mark.parametrize("text", MISTAKES)
def test_mistakes_are_pointed_at(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        list(of_file(FILE, text))
    assert str(caught.value).startswith(f"unit.spec:{MISTAKES[text]}"), str(caught.value)


def test_names_differ(tmp_path: Path) -> None:
    for name in ("a.spec", "b.spec"):
        (tmp_path / name).write_text("it: calls f*\n")
    with pytest.raises(UsageError, match=r"b\.spec:1:1: `it` is the name of the specification at .*a\.spec:1:1, too"):
        read([tmp_path / "a.spec", tmp_path / "b.spec"], [])
    with pytest.raises(UsageError, match="it cannot be read"):
        read([tmp_path / "none.spec"], [])


@pytest.mark.parametrize(
    ("text", "states", "distances"),
    [
        ("a: calls (f g)*", 3, (1, 1, 1)),
        ("a: never (call f() and previously once (call f() and previously once call f()))", 3, (3, 2, 1)),
        ("a: complete f f f", 4, (1, 1, 1, 1)),
        ("a: always (call f() implies true)", 1, (254,)),
        ("a: calls f{3}", 4, (4, 3, 2, 1)),
    ],
)
def test_automata(text: str, states: int, distances: tuple[int, ...]) -> None:
    found = one(text)
    automaton = automaton_of(found, machine_of(found))
    assert automaton is not None
    assert len(automaton.states) == states
    assert tuple(sorted(automaton.distances)) == tuple(sorted(distances))


def test_the_examples_of_the_documentation_are_understood() -> None:
    text = (Path(__file__).parents[3] / "docs" / "specifications.md").read_text()
    kinds = "|".join(kind.value for kind in Kind)
    found = re.findall(rf"`((?:[a-z_]+: )?(?:{kinds}|never) [^`]*[^`A-Z])`", text.replace("\\|", "|"))
    assert len(found) >= 20
    for example in found:
        one(example if re.match(r"[a-z_]+: ", example) else f"it: {example}")
