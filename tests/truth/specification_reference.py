"""What specifications mean, word by word, over whole traces; and the traces of a program for given inputs.

Neither shares anything with veer but the parser's values: formulas are evaluated at each place of the trace by their
definitions, regular expressions by derivatives (Brzozowski 1964), and events are printed by wrappers in C that the
pinned compiler compiles without veer.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from brute_force import program

from veer.specs.language import (
    And,
    Condition,
    Either,
    Historically,
    Holds,
    Kind,
    Letter,
    Moment,
    Not,
    Nothing,
    Once,
    Or,
    Pattern,
    Previously,
    Repeated,
    Since,
    Specification,
    Then,
    Truth,
)


@dataclass(frozen=True)
class Event:
    """One event of a run, with the values of the program's own expressions then."""

    moment: str
    function: str
    arguments: tuple[int, ...]
    result: int | None
    names: dict[str, int]


@dataclass(frozen=True)
class Run:
    """All events of a run; `end`: the values of the expressions when the entry has returned, None if it did not."""

    events: tuple[Event, ...]
    end: dict[str, int] | None


# -- meaning -------------------------------------------------------------------------------------------------------


def first_violation(specification: Specification, run: Run) -> int | None:
    """The event at which the run violates it (the number of events: at the end), or None."""
    values: list[object] = [object()]  # a value that no event has
    if specification.shared:
        values += sorted({value for event in run.events for value in _values_of(specification, event)})
    found = [_first_of(specification, run, value) for value in values]
    return min((each for each in found if each is not None), default=None)


def _values_of(specification: Specification, event: Event) -> set[int]:
    return {
        bound[specification.shared]
        for pattern in specification.patterns
        if pattern.event == (event.moment, event.function) and specification.shared in (bound := _bound(pattern, event))
    }


def _first_of(specification: Specification, run: Run, value: object) -> int | None:
    seen = [
        (number, event)
        for number, event in enumerate(run.events)
        if any(_fits(specification, pattern, event, value) for pattern in specification.patterns)
    ]
    trace = [_holding(specification, event, value) for _, event in seen]
    if specification.kind is Kind.ALWAYS:
        for place in range(len(trace)):
            if not _holds(specification.body, trace, place):
                return seen[place][0]
        return None
    if specification.kind is Kind.AT_END:
        if run.end is None:
            return None
        last = frozenset(
            n
            for n, atom in enumerate(specification.atoms)
            if isinstance(atom, Condition) and _evaluated(atom.text, run.end)
        )
        return None if _holds(specification.body, [*trace, last], len(trace)) else len(run.events)
    rest = specification.body
    for place, letter in enumerate(trace):
        rest = _derivative(rest, letter)
        if rest is None:
            return seen[place][0]
    if specification.kind is Kind.COMPLETE and run.end is not None and not _may_be_empty(rest):
        return len(run.events)
    return None


def _holding(specification: Specification, event: Event, value: object) -> frozenset[int]:
    return frozenset(
        n
        for n, atom in enumerate(specification.atoms)
        if (
            _evaluated(atom.text, event.names)
            if isinstance(atom, Condition)
            else _fits(specification, atom, event, value)
        )
    )


def _bound(pattern: Pattern, event: Event) -> dict[str, int]:
    names = {each.name: event.arguments[place] for place, each in enumerate(pattern.arguments) if each.name}
    if pattern.result and event.result is not None:
        names[pattern.result] = event.result
    return names


def _fits(specification: Specification, pattern: Pattern, event: Event, value: object) -> bool:
    if pattern.event != (event.moment, event.function):
        return False
    bound = _bound(pattern, event)
    if specification.shared in bound and bound[specification.shared] != value:
        return False
    known = {**event.names, **bound, "result": event.result or 0}
    for place, each in enumerate(pattern.arguments):
        if each.equals is not None and event.arguments[place] != _evaluated(each.equals.text, known):
            return False
    if pattern.operand is not None:
        left, right = event.result, _evaluated(pattern.operand.text, known)
        if not eval(f"left {pattern.relation} right", {"left": left, "right": right}):
            return False
    return pattern.where is None or bool(_evaluated(pattern.where.text, known))


def _evaluated(text: str, names: dict[str, int]) -> int:
    for mark, word in (("&&", " and "), ("||", " or ")):
        text = text.replace(mark, word)
    return int(eval(re.sub(r"!(?!=)", " not ", text), {}, dict(names)))


def _holds(formula: object, trace: Sequence[frozenset[int]], place: int) -> bool:
    """The formula at this place, by its definition."""
    match formula:
        case Truth(holds=holds):
            return holds
        case Holds(atom=atom):
            return atom in trace[place]
        case Not(operand=operand):
            return not _holds(operand, trace, place)
        case And(left=left, right=right):
            return _holds(left, trace, place) and _holds(right, trace, place)
        case Or(left=left, right=right):
            return _holds(left, trace, place) or _holds(right, trace, place)
        case Previously(operand=operand, is_weak=is_weak):
            return is_weak if place == 0 else _holds(operand, trace, place - 1)
        case Once(operand=operand):
            return any(_holds(operand, trace, at) for at in range(place + 1))
        case Historically(operand=operand):
            return all(_holds(operand, trace, at) for at in range(place + 1))
        case Since(left=left, right=right, is_weak=is_weak):
            always = is_weak and all(_holds(left, trace, at) for at in range(place + 1))
            return always or any(
                _holds(right, trace, at) and all(_holds(left, trace, then) for then in range(at + 1, place + 1))
                for at in range(place + 1)
            )
    raise AssertionError(formula)


def _may_be_empty(regex: object) -> bool:
    match regex:
        case Nothing() | Repeated():
            return True
        case Letter():
            return False
        case Either(left=left, right=right):
            return _may_be_empty(left) or _may_be_empty(right)
        case Then(first=first, second=second):
            return _may_be_empty(first) and _may_be_empty(second)
    raise AssertionError(regex)


def _derivative(regex: object, letter: frozenset[int]) -> object | None:
    """What may follow behind this letter; None: nothing, not even the end."""
    match regex:
        case Nothing():
            return None
        case Letter(atom=atom):
            return Nothing() if atom < 0 or atom in letter else None
        case Repeated(operand=operand):
            rest = _derivative(operand, letter)
            return None if rest is None else Then(rest, regex)
        case Either(left=left, right=right):
            return _either(_derivative(left, letter), _derivative(right, letter))
        case Then(first=first, second=second):
            rest = _derivative(first, letter)
            begun = None if rest is None else Then(rest, second)
            return _either(begun, _derivative(second, letter)) if _may_be_empty(first) else begun
    raise AssertionError(regex)


def _either(left: object | None, right: object | None) -> object | None:
    return right if left is None else left if right is None else Either(left, right)


# -- traces --------------------------------------------------------------------------------------------------------

_DEFINITION = re.compile(r"^(static )?(\w+(?: \*)?) ?(\w+)\(([^)]*)\) \{", re.MULTILINE)
_DRIVER = """
#include <stdio.h>
#include <unistd.h>
#include <sys/wait.h>
int main(void) {
    int a, b;
    while (scanf("%d %d", &a, &b) == 2) {
        printf("@ %d %d\\n", a, b);
        fflush(stdout);
        if (fork() == 0) {
            ENTRY(a, b);
            printf("end");
            SHOW
            fflush(stdout);
            _exit(0);
        }
        wait(0);
    }
}
"""


class Traced:
    """A program whose functions print their calls and returns. `entry` takes two numbers; `shown`: its expressions."""

    def __init__(self, source: str, entry: str, shown: Sequence[str], folder: Path) -> None:
        self._file = folder / f"traced_{entry}.c"
        self._shown = shown
        show = "".join(f' printf(" {each}=%d", (int)({each}));' for each in shown) + ' printf("\\n");'
        functions = list(_DEFINITION.finditer(source))
        ahead = "".join(f"{found[1] or ''}{found[2]} {found[3]}({found[4]});\n" for found in functions)
        raw = _DEFINITION.sub(lambda f: f"{f[1] or ''}{f[2]} raw_{f[3]}({f[4]}) {{", source)
        first = min(found.start() for found in functions)
        text = raw[:first] + ahead + raw[first:] + "\n#include <stdio.h>\n"
        text += "".join(_wrapper(found, show) for found in functions)
        text += _DRIVER.replace("ENTRY", entry).replace("SHOW", show)
        self._file.write_text(text)
        self._program = self._file.with_suffix("")
        program(self._file, self._program, "-O0", "-w")

    def runs(self, inputs: Sequence[tuple[int, int]]) -> dict[tuple[int, int], Run]:
        """The run of each input."""
        given = "".join(f"{a} {b}\n" for a, b in inputs)
        done = subprocess.run([self._program], input=given, capture_output=True, text=True, check=True, timeout=120)
        found: dict[tuple[int, int], Run] = {}
        for part in done.stdout.split("@ ")[1:]:
            head, *lines = part.splitlines()
            a, b = map(int, head.split())
            events = tuple(event(line) for line in lines if not line.startswith("end"))
            ends = [names_of(line.split()[1:]) for line in lines if line.startswith("end")]
            found[a, b] = Run(events, ends[0] if ends else None)
        return found


def _wrapper(found: re.Match[str], show: str) -> str:
    static, result, name, parameters = found[1] or "", found[2], found[3], found[4]
    names = [each.split()[-1].lstrip("*") for each in parameters.split(",")] if parameters != "void" else []
    printed = "".join(f' printf(",%ld", (long){each});' for each in names)
    call = f"raw_{name}({', '.join(names)})"
    back, told = ("", "-") if result == "void" else (f"{result} r = ", "%ld")
    value = "" if result == "void" else ", (long)r"
    return (
        f"{static}{result} {name}({parameters}) {{\n"
        f'    printf("call {name} -"); printf(" a");{printed}{show} fflush(stdout);\n'
        f"    {back}{call};\n"
        f'    printf("return {name} {told}"{value}); printf(" a");{printed}{show} fflush(stdout);\n'
        f"    {'return r;' if value else ''}\n}}\n"
    )


def event(line: str) -> Event:
    """What a wrapper printed of a call or return."""
    moment, function, result, arguments, *names = line.split()
    values = tuple(int(each) for each in arguments.split(",")[1:])
    return Event(Moment(moment), function, values, None if result == "-" else int(result), names_of(names))


def names_of(words: Sequence[str]) -> dict[str, int]:
    """Values by their names."""
    return {name: int(value) for name, value in (word.split("=") for word in words)}
