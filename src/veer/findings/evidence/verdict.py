"""Each error with what speaks for it; a contract where nothing does.

default: die("invalid mode");      another source's, so its stub returns, and `op` is unwritten: by its name it ends the
}                                  program
switch (op) ...
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from veer.findings.evidence.doubts import doubts, is_of_another_source
from veer.findings.reaching.making import Unit
from veer.findings.severity.indifferent import leaving_out
from veer.findings.severity.witness import Held
from veer.model.inputs import Scalar
from veer.model.places import written
from veer.model.program import HarnessKind, Program
from veer.model.result import Bug, Test, in_order
from veer.model.severity import Broken, Judgement, Severity
from veer.model.values import replace

NO_EVIDENCE = "no-evidence"
"""The contract that an input breaks for which nothing speaks."""
_MOST_NAMED = 3
_ENDS = re.compile(
    r"(?:^|_)(?:v?eprintf|x?die|fatal|panic|bail(?:out)?|croak|usage|abort|exit|quit|terminate|unreachable)(?:_|$)",
    re.IGNORECASE,
)
"""The names of functions that end the program."""
_OF_FUNCTIONS = (HarnessKind.FUNCTION, HarnessKind.SEQUENCE)


def with_evidence(program: Program, tests: Sequence[Test], bugs: Sequence[Bug]) -> tuple[Bug, ...]:
    """The bugs, each of severity ERROR with its evidence, or of severity CONTRACT where it has none; numbered anew.

    Of one of severity UNDEFINED only bytes behind a `void *` are asked about, which may be anything but what they are.

    Where nothing is known of the unit, all stay as they are. So they do of a program, but for what undefined functions
    return and write: what it reads is any user's.
    """
    is_asked = program.harness in _OF_FUNCTIONS or (program.harness is HarnessKind.PROGRAM and bool(program.stubs))
    if program.facts is None or not is_asked or program.declarations:
        return tuple(bugs)
    unit, known = Unit(program, program.facts), {test.name: test for test in tests}
    return in_order(_judged(unit, bug, known[bug.test]) if bug.test in known else bug for bug in bugs)


def _judged(unit: Unit, bug: Bug, test: Test) -> Bug:
    inputs = test.inputs
    if bug.severity is not Severity.CONTRACT and (name := _returned_from(test)):
        sentence = f"it needs `{name}` to return, which ends the program by its name"
        return replace(bug, judgement=Judgement(Severity.CONTRACT, (Broken(f"{name} returns", sentence),)))
    if bug.severity is Severity.CONTRACT or (bug.reached_by and bug.severity is not Severity.ERROR):
        return bug
    if bug.reached_by:
        return _shown(bug, "calls of the unit's own functions bring it about")
    inputs = leaving_out(inputs, bug.judgement.indifferent, unit.program)
    found = [each for each in doubts(unit, bug, inputs) if each.is_formless or bug.severity is Severity.ERROR]
    if unit.program.harness is HarnessKind.PROGRAM:
        found = [each for each in found if is_of_another_source(unit, each.held)]
    missing = [each.held for each in found if not each.is_tested]
    if missing:
        cause = f"{NO_EVIDENCE} {missing[0].place.owner if missing[0].place is not None else missing[0].words}"
        language = unit.program.language
        broken = Broken(written(language, cause), written(language, _wanting(unit, missing)))
        return replace(bug, judgement=Judgement(Severity.CONTRACT, (broken,)))
    if bug.severity is not Severity.ERROR:
        return bug
    if found:
        tested = written(unit.program.language, _named(each.held.words for each in found))
        return _shown(bug, f"the code tests {tested} itself on the way")
    return _shown(bug, "any caller can give this input")


def _returned_from(test: Test) -> str:
    """An undefined function that ends the program by its name, and whose stub returned in the run; "" for none."""
    counts = test.called.counts if test.called is not None else ()
    return next((name for name, _ in counts if _ENDS.search(name)), "")


def _shown(bug: Bug, evidence: str) -> Bug:
    return replace(bug, judgement=replace(bug.judgement, evidence=evidence))


def _wanting(unit: Unit, found: Sequence[Held]) -> str:
    values = ", ".join(_value(unit, each) for each in found[:_MOST_NAMED])
    more = f" and {len(found) - _MOST_NAMED} more values" if len(found) > _MOST_NAMED else ""
    return f"it needs {values}{more}, and neither calls of the unit nor a test of the code speak for such an input"


def _value(unit: Unit, held: Held) -> str:
    if isinstance(held.value, Scalar):
        return f"`{held.words}` = {held.value.number}"
    return f"{unit.program.null} for `{held.words}`" if held.value.target is None else f"what `{held.words}` leads to"


def _named(words: Iterable[str]) -> str:
    return " and ".join(f"`{each}`" for each in list(dict.fromkeys(words))[:_MOST_NAMED])
