"""Programs that mean the same: other names, another order of functions, dead code, a helper split off or inlined.

Each change keeps the branches and their order within each function, so that `answers` of a program and of its variant
can be compared as they are.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable

from scale.generator import ENTRY, Program
from scale.marked import Node, line, lines_of, marks
from scale.searched import Said
from scale.writer import Function
from veer.model.values import replace

_IDENTIFIER = re.compile(r"\b[a-z]\w*\b")
_KEPT = frozenset({"if", "else", "for", "while", "do", "return", "sizeof", "int", "char", "fault", "unit", "call"})
"""Words that no name of the generator's may be taken for."""


def renamed(program: Program, chance: random.Random) -> Program:
    """Every helper, variable of a helper's or the entry's body, and label has another name."""
    own = sorted(_own_names(program))
    chance.shuffle(own)
    names = {name: f"{chance.choice('ktuvw')}_{number}" for number, name in enumerate(own)}

    def text(line_: str) -> str:
        return _IDENTIFIER.sub(lambda word: names.get(word[0], word[0]), line_)

    return _rewritten(program, text)


def _own_names(program: Program) -> set[str]:
    """What the program declares, but for its entry, parameters, members and the variables that a test may name."""
    found = {function.name for function in program.functions}
    text = "\n".join(part for function in program.functions for node in function.body for part in lines_of(node))
    text += "\n".join(part for node in program.entry.body for part in lines_of(node))
    found |= set(re.findall(r"\b(?:int|char|double|float|short|long|unsigned) \**([a-z]+\d+)\b", text))
    found |= set(re.findall(r"\bgoto (\w+);", text))
    members = set(re.findall(r"(?:\.|->)(\w+)", text))
    given = {name for each in program.parameters for name in each.names}
    return found - members - given - _KEPT - {ENTRY} - {name for name, _ in program.observed}


def reordered(program: Program, chance: random.Random) -> Program:
    """The helpers are declared first, and defined in another order."""
    functions = list(program.functions)
    chance.shuffle(functions)
    declared = tuple(line(f"{function.head};") for function in program.functions)
    return replace(program, globals=(*declared, *program.globals), functions=tuple(functions))


def with_dead_code(program: Program, chance: random.Random) -> Program:
    """A function that nothing calls, and statements that no run reaches or that nothing reads."""
    body = list(program.entry.body)
    names = iter(range(100))
    first = next(k for k, node in enumerate(body) if node.parts == ("int r = 0;",)) + 1
    for _ in range(3):
        dead = chance.choice(
            ("if (0) { r = 5; }", f"int unused{next(names)} = 3;", "while (0) r++;", "(void)sizeof(r + 1);")
        )
        body.insert(chance.randint(first, len(body)), line(dead))
    unused = Function("static int never(int v)", (line("return v ? 1 : 2;"),))
    return replace(program, functions=(*program.functions, unused), entry=replace(program.entry, body=tuple(body)))


def split(program: Program, chance: random.Random) -> Program:
    """The entry's body becomes a helper, which the entry calls."""
    del chance
    arguments = ", ".join(name for each in program.parameters for name in each.names)
    word = "" if program.returns == "void" else "return "
    helper = Function(program.entry.head.replace(f" {ENTRY}(", " inner(", 1), program.entry.body)
    helper = replace(helper, head=f"static {helper.head}")
    entry = replace(program.entry, body=(line(f"{word}inner({arguments});"),))
    return replace(program, functions=(*program.functions, helper), entry=entry)


def inlined(program: Program, chance: random.Random) -> Program:
    """Helpers that are one return of an expression without a branch are macros, so that each call is their text."""
    del chance
    simple = [each for each in program.functions if len(each.body) == 1 and _returned(each) is not None]
    macros = []
    for each in simple:
        names = re.findall(r"(\w+)\s*(?:,|\))", each.head.partition("(")[2])
        expression = _returned(each) or ""
        for name in names:
            expression = re.sub(rf"\b{name}\b", f"({name})", expression)
        macros.append(line(f"#define {each.name}({', '.join(names)}) ({expression})"))
    text = "\n".join(program.lines)
    used = [k for k, each in enumerate(simple) if not re.search(rf"\b{each.name}\b(?!\()", text)]
    kept = {simple[k].name for k in used}
    return replace(
        program,
        globals=(*program.globals, *(macros[k] for k in used)),
        functions=tuple(each for each in program.functions if each.name not in kept),
    )


def _returned(function: Function) -> str | None:
    match = re.fullmatch(r"return (.*);", "\n".join(lines_of(function.body[0])), re.DOTALL)
    return match[1] if match and "‹" not in match[1] and function.name not in match[1] else None


CHANGES: dict[str, Callable[[Program, random.Random], Program]] = {
    "renamed": renamed,
    "reordered": reordered,
    "with dead code": with_dead_code,
    "split": split,
    "inlined": inlined,
}


def _rewritten(program: Program, text: Callable[[str], str]) -> Program:
    def node(each: Node) -> Node:
        parts = (text(part) if isinstance(part, str) else tuple(map(node, part)) for part in each.parts)
        return replace(each, parts=tuple(parts))

    def function(each: Function) -> Function:
        return Function(text(each.head), tuple(map(node, each.body)))

    return replace(
        program,
        globals=tuple(map(node, program.globals)),
        functions=tuple(map(function, program.functions)),
        entry=replace(program.entry, body=tuple(map(node, program.entry.body))),
    )


def answers(program: Program, said: Said) -> dict[str, object]:
    """What no change may alter: the claim, the paths, each kind of bug, how many sides are in each state."""
    states = Counter(said.branches.get((mark.line, side)) for mark in marks(program.lines) for side in mark.sides)
    return {
        "claim": said.claim,
        "paths": said.result.paths,
        "bugs": sorted(outcome for outcome, _ in said.bugs),
        "states": {str(state): count for state, count in sorted(states.items(), key=str)},
    }
