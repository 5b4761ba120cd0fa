"""The calls of stubs that the plain build makes, too: nothing else is expected by tests.

What is not the same there is not settled: an address that was cast to a number, a read of what nobody has written, what
depends on the build.
"""

from __future__ import annotations

from collections.abc import Sequence

from veer.execution.stubcalls import called
from veer.frontends.llvm.replay.data import Ran
from veer.model.outcome import Outcome
from veer.model.program import Program
from veer.model.result import Test
from veer.model.stubcalls import Argument, Behind, Called, Passed, StubCall
from veer.model.values import replace


def confirmed(program: Program, test: Test, ran: Ran) -> Called | None:
    """The recorded calls, if the run made the same: what differs in their arguments is not settled any more."""
    if test.called is None or test.outcome is not Outcome.RETURNED:
        return None
    sizes = {item.number: item.size for item in test.inputs.objects}
    seen = called(ran.records, program, sizes, has_flags=False)
    if seen is None or not _are_same(test.called, seen):
        return None
    first = [
        _call(program.passed_to(pair[0].function), *pair) for pair in zip(test.called.first, seen.first, strict=True)
    ]
    return replace(test.called, first=tuple(first), is_confirmed=True)


def _are_same(recorded: Called, seen: Called) -> bool:
    """Whether the same functions were called as often, and in the same order."""
    names = [[call.function for call in each.first] for each in (recorded, seen)]
    return recorded.counts == seen.counts and names[0] == names[1]


def _call(passed: Sequence[Passed], recorded: StubCall, seen: StubCall) -> StubCall:
    if len(recorded.arguments) != len(seen.arguments):
        return replace(recorded, arguments=())
    both = zip(passed, recorded.arguments, seen.arguments, strict=False)
    return replace(recorded, arguments=tuple(_argument(a, b, is_pointer=each.is_pointer) for each, a, b in both))


def _argument(recorded: Argument, seen: Argument, *, is_pointer: bool) -> Argument:
    """A number is the same or not; a pointer is where it leads to the same place, or to one without a name in both."""
    if not is_pointer:
        return replace(recorded, is_settled=recorded.is_settled and recorded.value == seen.value)
    place = (recorded.leads_to, recorded.variable, recorded.offset)
    if place != (seen.leads_to, seen.variable, seen.offset) or any(recorded.value) != any(seen.value):
        return replace(recorded, is_settled=False, behind=None)
    return replace(recorded, behind=_behind(recorded.behind, seen.behind))


def _behind(recorded: Behind | None, seen: Behind | None) -> Behind | None:
    """Bytes that differ are as good as unwritten, but those of the same pointers."""
    if recorded is None or seen is None:
        return None
    pointers = {at for at, number in recorded.pointers if (at, number) in seen.pointers or not number}
    known = {byte for at in pointers for byte in range(at, at + 8)}
    differ = (
        at
        for at, byte in enumerate(recorded.data)
        if at not in known and (at >= len(seen.data) or seen.data[at] != byte)
    )
    return replace(recorded, unwritten=tuple(sorted({*recorded.unwritten, *differ})))
