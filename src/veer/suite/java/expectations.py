"""What a test calls and expects: the result or the exception, and the arrays that the call changed."""

from __future__ import annotations

from collections.abc import Iterator

from veer.model.program import Program, Type
from veer.model.result import Test
from veer.suite.java.values import Values, element_literals, enumerator, literal, part

VALUE, THROWN = "value", "thrown"
"""The members of a result (frontends/java/lowered.py)."""


def body(program: Program, test: Test, call: str) -> Iterator[str]:
    """The statements of a test that returns, or throws on its arguments."""
    values = Values(program, test.inputs)
    for number, type_, text in values.objects():
        yield f"{type_} object_{number} = {text};"
    called = values.called(call)
    thrown, expected = _result(program, test)
    if thrown:
        yield f"throwsA({thrown}.class, () -> {called});"
    elif expected:
        yield f"equal({expected}, {called});"
    else:
        yield f"{called};"
    items = {item.number: item for item in test.inputs.objects}
    for output in test.outputs:
        item = items.get(output.number)
        element = values.element(item) if item is not None else None
        if element is not None and output.before != output.after:
            array = f"new {element.name}[] {{{element_literals(element, output.after)}}}"
            changed = f"object_{output.number}"
            yield f'same(java.util.Arrays.equals({array}, {changed}), "{changed} is otherwise");'


def _result(program: Program, test: Test) -> tuple[str, str]:
    """The class that is thrown, the value that is returned; either may be empty."""
    entry = program.function(program.entry)
    if entry is None or entry.returns < 0 or test.returned is None:
        return "", ""
    fields = {each.name: each for each in program.types[entry.returns].fields}
    thrown = program.types[fields[THROWN].type]
    number = part(test.returned, fields[THROWN].offset, thrown.size)
    if number:
        return enumerator({value: name for name, value in thrown.enumerators}, number), ""
    if VALUE not in fields:
        return "", ""
    type_: Type = program.types[fields[VALUE].type]
    return "", literal(type_, part(test.returned, fields[VALUE].offset, type_.size))
