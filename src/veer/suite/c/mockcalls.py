"""What a test expects of the calls of mocks (suite/c/mocks.py): how many there are, the arguments of the first ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from veer.model.inputs import MemoryObject
from veer.model.literal import image, string
from veer.model.outcome import Outcome
from veer.model.program import Program
from veer.model.result import Output, Test
from veer.model.stubcalls import Argument, Behind, Called, Mocks, Passed
from veer.model.types import Type, TypeKind
from veer.model.values import replace
from veer.suite.c.expectations import Expectation, Kind, expected_value
from veer.suite.c.mocks import MOST_KEPT, Look, Parameter, counted_bytes, mock_name
from veer.suite.c.outputs import Variables, expected_members

_MOST_ONE_BY_ONE = 8
"""Numbers of a row that are compared one by one; of more the bytes are."""
_Mocks = Mapping[str, Sequence[Parameter]]
_Objects = Mapping[int, MemoryObject]


class _Kept(Struct, frozen=True):
    """An argument of a call: where a mock keeps it, what it was, what follows it."""

    place: str
    argument: Argument
    parameter: Parameter
    following: Argument | None


def expected_mock_calls(names: Variables, test: Test, mocks: _Mocks) -> tuple[Expectation, ...]:
    """The expectations of a test that returned; none where the plain build does not make the same calls."""
    called = test.called
    if called is None or not called.is_confirmed or test.outcome is not Outcome.RETURNED or not mocks:
        return ()
    objects = {item.number: item for item in test.inputs.objects}
    found = [_count("calls of functions that are defined nowhere", "veer_call_count", called.total)]
    for name, count in called.counts:
        found.append(_count(f"calls of {name}", f"{mock_name(name)}.count", count))
        found += _calls(names, called, name, mocks[name], objects)
    return tuple(found)


def _count(what: str, place: str, count: int) -> Expectation:
    return Expectation(Kind.UNSIGNED, place, str(count), 64, what)


def _calls(
    names: Variables, called: Called, name: str, parameters: Sequence[Parameter], objects: _Objects
) -> Iterator[Expectation]:
    """The first calls of one function."""
    is_ordered = names.program.mocks is Mocks.ORDER and len(called.counts) > 1
    own = [(place, call.arguments) for place, call in enumerate(called.first, 1) if call.function == name]
    for index, (place, arguments) in enumerate(own):
        kept, what = f"{mock_name(name)}.call[{index}]", f"call {index + 1} of {name}"
        if is_ordered:
            yield _count(f"the place of {what} among all calls", f"{kept}.place", place)
        for number, (argument, parameter) in enumerate(zip(arguments, parameters, strict=False), 1):
            following = arguments[number] if len(arguments) > number else None
            each = _Kept(f"{kept}.arg_{number}", argument, parameter, following)
            for one in _argument(names, each, objects):
                yield replace(one, what=f"argument {number} of {what}{one.what}")


def _argument(names: Variables, kept: _Kept, objects: _Objects) -> Iterator[Expectation]:
    """Expectations whose `what` is what follows the words for the argument."""
    argument, passed = kept.argument, kept.parameter.passed
    if not argument.is_settled:
        return
    if not passed.is_pointer:
        expected = expected_value(kept.place, _number_type(names.program, passed), argument.value)
        if expected is not None:
            yield expected
        return
    if not any(argument.value):
        yield Expectation(Kind.NULL, kept.place, "")
        return
    place = _place(names, argument)
    if place:
        yield Expectation(Kind.SAME, kept.place, place)
    behind = [] if _is_as_given(argument, objects) else [*_behind(names, kept)]
    yield from behind
    if not place and not behind:
        yield Expectation(Kind.NOT_NULL, kept.place, "")


def _place(names: Variables, argument: Argument) -> str:
    """Where the pointer leads, as an expression; empty for what has no name in a test."""
    if not argument.leads_to and not argument.variable:
        return ""
    start = names.variable(argument.leads_to) if argument.leads_to else f"(const void *)&{argument.variable}"
    return f"(const char *){start} + {argument.offset}" if argument.offset else start


def _is_as_given(argument: Argument, objects: _Objects) -> bool:
    """Whether it leads to an input object that still is as the test made it."""
    item = objects.get(argument.leads_to)
    if item is None or argument.behind is None:
        return False
    given = image(item.cells, item.size)[argument.offset :][: len(argument.behind.data)]
    words = {byte for at, _ in argument.behind.pointers for byte in range(at, at + 8)}
    return all(byte == given[at] for at, byte in enumerate(argument.behind.data[: len(given)]) if at not in words)


def _behind(names: Variables, kept: _Kept) -> Iterator[Expectation]:
    """What lies behind the pointer."""
    behind, held, look = kept.argument.behind, kept.parameter.held, kept.parameter.look
    if behind is None or held is None:
        return
    if look is Look.TEXT:
        yield from _text(f"{kept.place}_text", behind)
    elif look is Look.COUNTED and kept.following is not None and kept.following.is_settled:
        yield from _row(f"{kept.place}_holds", behind, held, counted_bytes(held, kept.following))
    elif look is Look.ONE:
        data = behind.data[: held.size]
        output = Output(0, "", held.id, b"", data, behind.pointers, behind.unwritten)
        for one in expected_members(names, f"{kept.place}_is", held, output):
            member = one.place.removeprefix(f"{kept.place}_is").removeprefix(".")
            yield replace(one, what=f", {member or 'the number there'}")


def _text(place: str, behind: Behind) -> Iterator[Expectation]:
    size = behind.data[:MOST_KEPT].find(0)
    if size >= 0 and _is_whole(behind, size + 1):
        yield Expectation(Kind.TEXT, place, string(behind.data[:size]))


def _row(place: str, behind: Behind, held: Type, size: int) -> Iterator[Expectation]:
    """Numbers one by one where they are few; bytes, and many numbers, as a whole."""
    data = behind.data[: size - size % held.size]
    if not data or not _is_whole(behind, len(data)):
        return
    if held.size == 1 or len(data) > _MOST_ONE_BY_ONE * held.size:
        yield Expectation(Kind.BYTES, place, string(data), len(data), f", {len(data)} bytes")
        return
    for index in range(len(data) // held.size):
        expected = expected_value(f"{place}[{index}]", held, data[index * held.size :])
        if expected is not None:
            yield replace(expected, what=f", number {index + 1}")


def _is_whole(behind: Behind, size: int) -> bool:
    """Whether so many bytes were written, and hold no address."""
    return not any(at < size for at in (*behind.unwritten, *(at for at, _ in behind.pointers)))


def _number_type(program: Program, passed: Passed) -> Type:
    """The type of a number, as C has it or as the registers say."""
    if 0 <= passed.type < len(program.types):
        return program.types[passed.type]
    words = passed.c_type.split()
    kinds = {"float": TypeKind.FLOAT, "double": TypeKind.FLOAT, "_Bool": TypeKind.BOOL, "unsigned": TypeKind.UNSIGNED}
    sizes = {"char": 1, "_Bool": 1, "short": 2, "int": 4, "float": 4}
    return Type(-1, kinds.get(words[0], TypeKind.SIGNED), passed.c_type, sizes.get(words[-1], 8))
