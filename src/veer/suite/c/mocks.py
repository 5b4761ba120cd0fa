"""Functions that are defined nowhere as mocks: they keep what they are given, and tests compare it after the call.

    static struct {
        unsigned long count;
        struct { unsigned char arg_1; } call[21];        the last one is for calls that nobody looks at
    } veer_mock_uart_write;

    veer_expect_unsigned("calls of uart_write", veer_mock_uart_write.count, 2);
    veer_expect_unsigned("argument 1 of call 1 of uart_write", veer_mock_uart_write.call[0].arg_1, 72);

What lies behind a pointer is copied when the function is called, for it may change until the test ends. How much of it
is decided for all tests together: no more than each recorded call was given (Look).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum, auto
from pathlib import Path

from msgspec import Struct

from veer.model.program import Program
from veer.model.result import Test
from veer.model.stubcalls import Argument, Mocks, Passed
from veer.model.types import Type, TypeKind
from veer.suite.c.callbacktypes import used_callbacks
from veer.suite.c.declarators import element_name, is_nameable
from veer.suite.c.spelling import SCALAR_NAMES
from veer.suite.c.template_files import compiled

MOST_KEPT = 64
"""Bytes of a text or of a row of numbers."""
_NUMBERS = (TypeKind.SIGNED, TypeKind.UNSIGNED, TypeKind.CHAR, TypeKind.BOOL)


class Look(Enum):
    """How much of what lies behind a pointer is kept."""

    NOTHING = auto()
    TEXT = auto()
    """A string, up to its end."""
    COUNTED = auto()
    """As many numbers as the next argument says."""
    ONE = auto()
    """One object."""


class Parameter(Struct, frozen=True):
    """A parameter of a mock; `held`: the type of what lies behind it."""

    passed: Passed
    look: Look
    held: Type | None = None


def mocked(program: Program, tests: Sequence[Test]) -> dict[str, tuple[Parameter, ...]]:
    """The mocks of a suite with their parameters; none where tests expect no calls."""
    if program.mocks is Mocks.NONE:
        return {}
    names = (*program.stubs, *used_callbacks(program, tests))
    given: dict[str, list[tuple[Argument, ...]]] = {name: [] for name in names}
    for test in tests:
        for call in test.called.first if test.called is not None else ():
            given.setdefault(call.function, []).append(call.arguments)
    return {name: tuple(_parameters(program, name, given[name])) for name in names}


def _is_of_entry(program: Program, stub: str) -> bool:
    """Whether the suite, which includes the entry's source alone, knows the structs that a stub is given."""
    if program.declarations:  # of an entry in C++
        return False
    included = (program.include or Path()).resolve()
    return all(
        Path(each.file).resolve() == included for each in program.functions if stub in (*each.calls, *each.takes)
    )


def _parameters(program: Program, stub: str, given: Sequence[Sequence[Argument]]) -> Iterator[Parameter]:
    for number, each in enumerate(program.passed_to(stub)):
        held = program.types[each.held] if 0 <= each.held < len(program.types) else None
        calls = [arguments[number:] for arguments in given if len(arguments) > number and any(arguments[number].value)]
        is_known = held is not None and (held.kind in _NUMBERS or _is_of_entry(program, stub))
        if held is None or held.size == 0 or not calls or not each.is_pointer or not is_known:
            yield Parameter(each, Look.NOTHING)
        else:
            yield Parameter(each, _look(each, held, calls), held)


def _look(passed: Passed, held: Type, calls: Sequence[Sequence[Argument]]) -> Look:
    """The first way that no recorded call rules out. `calls`: the pointer and what follows it, of each call."""
    rooms = [given[0].behind.data if given[0].behind is not None else b"" for given in calls]
    if held.kind is TypeKind.CHAR and all(0 in room[:MOST_KEPT] for room in rooms):
        return Look.TEXT
    if passed.is_counted and held.kind in _NUMBERS:
        wanted = [counted_bytes(held, given[1]) if len(given) > 1 else MOST_KEPT for given in calls]
        if all(size <= len(room) for size, room in zip(wanted, rooms, strict=True)):
            return Look.COUNTED
    is_written = held.kind in _NUMBERS or (held.kind in (TypeKind.STRUCT, TypeKind.UNION) and is_nameable(held))
    return Look.ONE if is_written and all(held.size <= len(room) for room in rooms) else Look.NOTHING


def counted_bytes(held: Type, count: Argument) -> int:
    """How many bytes are kept of so many numbers."""
    number = int.from_bytes(count.value, "little", signed=True)
    return min(max(number, 0) * held.size, MOST_KEPT)


def mock_name(function: str) -> str:
    """The variable that holds the calls."""
    return f"veer_mock_{function}"


def support(program: Program, mocks: Mapping[str, Sequence[Parameter]]) -> str:
    """The variable of each mock; empty without mocks."""
    if not mocks:
        return ""
    is_ordered = program.mocks is Mocks.ORDER
    rows = {mock_name(name): [*_fields(program, given, is_ordered=is_ordered)] for name, given in mocks.items()}
    return compiled("mock_calls.c").render(mocks=rows, is_forgetting=program.state is not None)


def _fields(program: Program, parameters: Sequence[Parameter], *, is_ordered: bool) -> Iterator[str]:
    if is_ordered:
        yield "unsigned long place"
    for number, each in enumerate(parameters, 1):
        yield f"const void *arg_{number}" if each.passed.is_pointer else f"{each.passed.c_type} arg_{number}"
        if each.look is Look.TEXT:
            yield f"char arg_{number}_text[{MOST_KEPT}]"
        elif each.look is Look.COUNTED and each.held is not None:
            yield f"{_element(each.held)} arg_{number}_holds[{MOST_KEPT // each.held.size}]"
        elif each.look is Look.ONE and each.held is not None:
            yield f"{_element(each.held)} arg_{number}_is"


def _element(held: Type) -> str:
    """A number by the compiler's own names: the entry's source need not know a typedef of another one."""
    return SCALAR_NAMES[held.kind, held.size] if held.kind in _NUMBERS else element_name(held)


def keeping(program: Program, name: str, parameters: Sequence[Parameter]) -> str:
    """The statements of a mock's function, each on a line."""
    mock = mock_name(name)
    if not parameters and program.mocks is not Mocks.ORDER:
        return f"    veer_next_call(&{mock}.count);\n"
    lines = [f"    unsigned long n = veer_next_call(&{mock}.count);\n"]
    if program.mocks is Mocks.ORDER:
        lines.append(f"    {mock}.call[n].place = veer_call_count;\n")
    for number, each in enumerate(parameters, 1):
        field, given = f"{mock}.call[n].arg_{number}", f"p{number - 1}"
        lines.append(f"    {field} = {given};\n")
        if each.look is Look.TEXT:
            lines.append(f"    veer_keep_text(n, {field}_text, {given});\n")
        elif each.look is Look.COUNTED:
            count = f"(long long)p{number}"
            lines.append(f"    veer_keep(n, {field}_holds, {given}, {count}, sizeof {field}_holds[0]);\n")
        elif each.look is Look.ONE:
            lines.append(f"    veer_keep(n, &{field}_is, {given}, 1, sizeof {field}_is);\n")
    return "".join(lines)
