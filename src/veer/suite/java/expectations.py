"""What a test calls and expects: the result or the exception, and the arrays that the call changed."""

from __future__ import annotations

from collections.abc import Iterator

from veer.model.program import SCALAR_KINDS, Program, Type
from veer.model.result import Test
from veer.suite.java.frameworks import Framework
from veer.suite.java.values import Values, element_literals, enumerator, literal, part

VALUE, THROWN = "value", "thrown"
"""The members of a result (frontends/java/lowered.py)."""


def body(program: Program, test: Test, call: str, framework: Framework) -> Iterator[str]:
    """The statements of a test that returns, or throws on its arguments."""
    values = Values(program, test.inputs)
    yield from declared(values)
    called = values.called(call)
    thrown, type_, expected = _result(program, test)
    if thrown:
        yield framework.throws(thrown, called)
    elif type_ is not None:
        yield framework.equal(type_, expected, called)
    else:
        yield f"{called};"
    items = {item.number: item for item in test.inputs.objects}
    for output in test.outputs:
        item = items.get(output.number)
        if item is None or values.is_string(item):
            continue
        element = values.element(item)
        if element is not None and element.kind in SCALAR_KINDS and output.before != output.after:
            array = f"new {element.name}[] {{{element_literals(element, output.after)}}}"
            changed = f"object_{output.number}"
            yield framework.same_elements(element, array, changed)


def declared(values: Values) -> Iterator[str]:
    """What stands before the call: objects, and what the program will ask for."""
    objects = values.objects()
    for each in objects:
        yield f"{each.type} {each.name} = {each.text};"
    yield from (f"{line};" for each in objects for line in each.more)
    for name, bits in values.asked():
        yield f'veer.Given.add("{name}", {", ".join(f"0x{each:x}L" for each in bits)});'


def _result(program: Program, test: Test) -> tuple[str, Type | None, str]:
    """The class that is thrown, or empty; the type and value that are returned, where they are compared."""
    entry = program.function(program.entry)
    if entry is None or entry.returns < 0 or test.returned is None:
        return "", None, ""
    fields = {each.name: each for each in program.types[entry.returns].fields}
    thrown = program.types[fields[THROWN].type]
    number = part(test.returned, fields[THROWN].offset, thrown.size)
    if number:
        return enumerator({value: name for name, value in thrown.enumerators}, number), None, ""
    if VALUE not in fields:
        return "", None, ""
    type_ = program.types[fields[VALUE].type]
    return "", type_, literal(type_, part(test.returned, fields[VALUE].offset, type_.size))
