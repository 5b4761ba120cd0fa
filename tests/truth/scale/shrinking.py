"""A failing program made small: functions, declarations and statements go as long as the failure stays."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from scale.brute import SANITISERS, UNWRITTEN, Brute, CompilerError, has_sanitisers
from scale.generator import Program
from scale.marked import Node
from scale.writer import Function
from veer.model.values import replace

Fails = Callable[[Program], bool]


def is_sound(program: Program) -> bool:
    """Whether it compiles, and leaves nothing undefined but what its marks say, nor reads what it has not written."""
    try:
        if has_sanitisers():
            Brute(program, *SANITISERS).all()
        rows = [Brute(program, *flags).all().rows for flags in UNWRITTEN]
    except (CompilerError, RuntimeError):
        return False
    return all([row.answer for row in each.values()] == [row.answer for row in rows[0].values()] for each in rows)


def shrunk(program: Program, fails: Fails, attempts: int, sound: Fails = is_sound) -> Program:
    """The smallest program found in so many attempts for which `fails` holds, as it does for the given one."""
    tried: set[str] = set()
    before = None
    while before != program:
        before = program
        for smaller in _WAYS:
            candidate = next(_failing(smaller, program, fails, sound, tried, attempts), None)
            while candidate is not None:
                program = candidate
                candidate = next(_failing(smaller, program, fails, sound, tried, attempts), None)
    return program


def _failing(
    smaller: Callable[[Program], Iterator[Program]],
    program: Program,
    fails: Fails,
    sound: Fails,
    tried: set[str],
    attempts: int,
) -> Iterator[Program]:
    """Smaller programs that still fail, of those that were not tried."""
    for candidate in smaller(program):
        text = "\n".join(candidate.lines)
        if text not in tried and len(tried) < attempts:
            tried.add(text)
            if sound(candidate) and fails(candidate):
                yield candidate


def _fewer_statements(program: Program) -> Iterator[Program]:
    for count in _halves(len(program.entry.body)):
        for body in _without_run(program.entry.body, count):
            yield _with_body(program, body)


def _fewer_functions(program: Program) -> Iterator[Program]:
    for k in range(len(program.functions)):
        yield replace(program, functions=program.functions[:k] + program.functions[k + 1 :])


def _fewer_parameters(program: Program) -> Iterator[Program]:
    for k in range(len(program.parameters)):
        fewer = program.parameters[:k] + program.parameters[k + 1 :]
        head = f"{program.returns} {program.entry.name}({', '.join(each.declaration for each in fewer) or 'void'})"
        yield replace(program, parameters=fewer, entry=Function(head, program.entry.body))


def _simpler_statements(program: Program) -> Iterator[Program]:
    for body in _simpler(program.entry.body):
        yield _with_body(program, body)
    for k, function in enumerate(program.functions):
        for body in _simpler(function.body):
            changed = replace(function, body=body)
            yield replace(program, functions=(*program.functions[:k], changed, *program.functions[k + 1 :]))


def _fewer_declarations(program: Program) -> Iterator[Program]:
    for part in ("globals", "types", "includes", "checks", "observed"):
        whole = getattr(program, part)
        for k in range(len(whole)):
            yield replace(program, **{part: whole[:k] + whole[k + 1 :]})


_WAYS = (_fewer_statements, _fewer_functions, _fewer_parameters, _simpler_statements, _fewer_declarations)


def _with_body(program: Program, body: tuple[Node, ...]) -> Program:
    return replace(program, entry=replace(program.entry, body=body))


def _halves(count: int) -> Iterator[int]:
    """Sizes of what is left out at once: half of all, a quarter, ... but not one."""
    count //= 2
    while count > 1:
        yield count
        count //= 2


def _without_run(body: tuple[Node, ...], count: int) -> Iterator[tuple[Node, ...]]:
    """The statements without so many that follow each other; what is fixed stays."""
    for first in range(0, len(body), count):
        kept = tuple(node for node in body[first : first + count] if node.is_fixed)
        if len(kept) < len(body[first : first + count]):
            yield body[:first] + kept + body[first + count :]


def _simpler(body: tuple[Node, ...]) -> Iterator[tuple[Node, ...]]:
    """The statements with one of them gone, replaced by what it holds, or simpler inside."""
    for k, node in enumerate(body):
        before, after = body[:k], body[k + 1 :]
        if not node.is_fixed:
            yield before + after
            for part in node.parts:
                if isinstance(part, tuple):
                    yield before + part + after
        for number, part in enumerate(node.parts):
            for inner in _simpler(part) if isinstance(part, tuple) else ():
                parts = (*node.parts[:number], inner, *node.parts[number + 1 :])
                yield (*before, replace(node, parts=parts), *after)
        if len(node.parts) > 3 and node.parts[-3] == "} else {":
            yield (*before, replace(node, parts=(*node.parts[:-3], "}")), *after)
