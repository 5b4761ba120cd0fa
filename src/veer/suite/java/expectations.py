"""What a test calls and expects: the result or the exception, and what the call leaves in objects."""

from __future__ import annotations

from collections.abc import Iterator

from veer.model.callresult import REFERENCE, VALUE, classes, members, thrown, told_behind
from veer.model.objectgraph import ObjectGraph, read
from veer.model.program import Program
from veer.model.result import Test
from veer.model.types import Type
from veer.suite.java.frameworks import Framework
from veer.suite.java.left import FOUND, SELF, Expectations
from veer.suite.java.values import Values, enumerator, literal, part


def body(program: Program, test: Test, call: str, framework: Framework, package: str) -> Iterator[str]:
    """The statements of a test that returns, or throws on its arguments."""
    values = Values(program, test.inputs)
    expected = Expectations(program, test.inputs, _graph(program, test), framework)
    of_self = expected.of_self() if values.is_made() else []
    lines, called = arranged(values, call, package, has_self=bool(of_self))
    yield from lines
    class_, type_, text = _result(program, test)
    of_result = expected.of_result() if not class_ and type_ is None else []
    if class_:
        yield framework.throws(class_, called)
    elif type_ is not None:
        yield framework.equal(type_, text, called)
    elif of_result and _gives_object(program):
        yield f"Object {FOUND} = {called};"
        yield from of_result
    else:
        yield f"{called};"
    yield from of_self
    yield from expected.of_inputs()


def arranged(values: Values, call: str, package: str, *, has_self: bool = False) -> tuple[list[str], str]:
    """What stands before the call of the entry, and that call. `has_self`: its object is looked at then."""
    lines, before = list(declared(values)), list(values.before(package, SELF))
    has_self |= values.is_made() and any(each.startswith(f"{SELF}.") for each in before)
    if has_self:
        lines.append(f"{values.self_type()} {SELF} = {values.object()};")
    return [*lines, *(f"{each};" for each in before)], values.called(call, SELF if has_self else "")


def declared(values: Values) -> Iterator[str]:
    """What stands before the call: objects, and what the program will ask for."""
    objects = values.objects()
    waiting = {each.number: each.more for each in objects}
    for each in objects:
        for number in sorted(each.whole):
            yield from (f"{line};" for line in waiting.pop(number, ()))
        yield f"{each.type} {each.name} = {each.text};"
    yield from (f"{line};" for each in objects for line in waiting.get(each.number, ()))
    if (text := values.standard_input()) is not None:
        yield f'System.setIn(new java.io.ByteArrayInputStream("{text}".getBytes()));'
    for name, bits in values.asked():
        yield f'veer.Given.add("{name}", {", ".join(f"0x{each:x}L" for each in bits)});'


def _gives_object(program: Program) -> bool:
    return REFERENCE in members(program)


def _graph(program: Program, test: Test) -> ObjectGraph:
    """What the call left behind: the text behind the members of its result."""
    return read(told_behind(program, test.returned or b"").splitlines())


def _result(program: Program, test: Test) -> tuple[str, Type | None, str]:
    """The class that is thrown, or empty; the type and value that are returned, where they are a number."""
    fields = members(program)
    if number := thrown(program, test.returned):
        return enumerator(classes(program), number), None, ""
    if VALUE not in fields or test.returned is None:
        return "", None, ""
    type_ = program.types[fields[VALUE].type]
    return "", type_, literal(type_, part(test.returned, fields[VALUE].offset, type_.size))
