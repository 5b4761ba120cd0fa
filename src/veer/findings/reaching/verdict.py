"""What is told of a bug behind the search for calls that bring it about."""

from __future__ import annotations

from collections.abc import Sequence

from veer.findings.reaching.candidates import Question, has_own
from veer.findings.reaching.making import Unit
from veer.findings.reaching.plan import takes_list
from veer.model.describe import told
from veer.model.ending import EndingKind
from veer.model.ownstruct import Making
from veer.model.result import Bug, Result, Test
from veer.model.severity import Broken, Judgement, Severity
from veer.model.sought import Sought
from veer.model.values import replace

NOT_BUILT = "not-built"
"""The contract that an input breaks whose objects no calls were found to make."""
_NAMED = 4


def as_sought(bug: Bug) -> Sought:
    """What is looked for where the bug is to be shown again."""
    return Sought(bug.outcome.key, bug.function, bug.line)


def settled(question: Question, functions: Sequence[str], found: Result, unit: Unit) -> Bug:
    """The bug, with the calls that bring it about where a search over sequences of the `functions` `found` them.

    Then no NULL is to blame that the makers of the object store. Where it did not find any, the bug is one of severity
    CONTRACT, unless callers have a say in what its input holds.
    """
    bug = question.bug
    inputs = {test.name: test for test in found.tests}
    for other in found.bugs:
        shown = inputs.get(other.test)
        if shown is None or other.severity is Severity.CONTRACT or as_sought(other) != as_sought(bug):
            continue
        if not _is_of_the_entry(question, other, shown, unit):
            continue
        if not has_own(replace(unit, program=found.program), shown.inputs):
            lines = tuple(_lines(told(found.program, shown)))
            judgement = bug.judgement if bug.severity is not Severity.CONTRACT else Judgement(other.severity)
            return replace(bug, reached_by=lines, judgement=judgement)
    if not question.built and not question.buffer and not question.callee:
        return bug
    sentence = f"no calls of {_named(functions)} were found{_how_far(found)} that {_wanted(question, unit)}"
    cause = f"{NOT_BUILT} {question.built or question.buffer or question.callee}"
    return replace(bug, judgement=Judgement(Severity.CONTRACT, (Broken(cause, sentence),)))


def _is_of_the_entry(question: Question, other: Bug, shown: Test, unit: Unit) -> bool:
    """Whether the entry is under way where calls bring the bug about, and some call has made what it works on.

    An object that begins as zeros, since no function makes such objects, is its caller's until one has changed it.
    """
    made = (unit.made(each) for each in question.structs)
    begins_as_zeros = any(each is not None and each.making is Making.ZEROS for each in made)
    is_under_way = any(frame.function == unit.program.entry for frame in other.stack)
    return is_under_way and (len(shown.inputs.calls) > 1 or not begins_as_zeros)


def never_called(question: Question, unit: Unit) -> Bug:
    """The bug where no calls can be made: of a static function for which only its callers speak, a contract."""
    if question.built and takes_list(unit.program):
        sentence = (
            f"veer calls nothing with a va_list in sequences, and who makes such a `{question.built}` is not known"
        )
        return _contract(question.bug, question.built, sentence)
    if not question.callee:
        return question.bug
    linkage = unit.program.linkage(question.callee)
    sentence = f"the {linkage} `{question.callee}` never asks, and veer cannot call the functions that call it"
    return _contract(question.bug, question.callee, sentence)


def _contract(bug: Bug, what: str, sentence: str) -> Bug:
    return replace(bug, judgement=Judgement(Severity.CONTRACT, (Broken(f"{NOT_BUILT} {what}", sentence),)))


def _wanted(question: Question, unit: Unit) -> str:
    if question.built:
        return f"make such a `{question.built}`"
    if not question.buffer:
        return f"make such a call of the {unit.program.linkage(question.callee)} `{question.callee}`"
    is_text = not question.is_empty
    return (
        f"give it a `{question.buffer}` with no NUL behind it" if is_text else f"give it an empty `{question.buffer}`"
    )


def _how_far(found: Result) -> str:
    """Where the search ended for want of time: how far it came, for more time may find more."""
    if found.ending.kind is not EndingKind.BUDGET:
        return ""
    return f" in {found.seconds.total:.0f} s, when the time was up,"


def _lines(shown: dict[str, str]) -> list[str]:
    """The calls, and then what their arguments lead to."""
    calls, *rest = shown.items()
    return [*calls[1].split("; "), *(f"{name} = {value}" for name, value in rest)]


def _named(functions: Sequence[str]) -> str:
    """`a`; `a` and `b`; `a`, `b`, `c`, `d` and 3 more."""
    shown = [f"`{each}`" for each in functions[:_NAMED]]
    more = len(functions) - len(shown)
    first, last = (shown, f"{more} more") if more else (shown[:-1], shown[-1])
    return f"{', '.join(first)} and {last}" if first else last
