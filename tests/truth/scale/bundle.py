"""Several programs as one, so that one campaign tries them all: an input says which of them runs.

A campaign costs seconds for its builds, and hardly any for a path. The programs share what they declare alike; their
entries become helpers, and each has parameters of its own in the entry of all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

from scale.generator import ENTRY, Program
from scale.marked import Node, line
from scale.parameters import Parameter, Vector, Whole
from scale.writer import Function

WHICH = "which"


def bundle(programs: Sequence[Program]) -> Program:
    """One program whose runs are those of all of them."""
    cases: list[str | tuple[Node, ...]] = []
    functions: dict[str, Function] = {}
    shared: dict[str, Parameter] = {WHICH: Whole(WHICH, "unsigned char", 256)}
    for program in programs:
        for each in program.parameters:
            shared.setdefault(each.declaration, each.renamed(str(len(shared))))
    vectors = [_placed(shared, len(programs), {})]
    for number, program in enumerate(programs):
        functions.update({each.head: each for each in program.functions})
        name = f"{ENTRY}{number}"
        own = program.entry.head.replace(f" {ENTRY}(", f" {name}(", 1)
        functions[name] = Function(f"static {own}", program.entry.body)
        arguments = [word for each in program.parameters for word in shared[each.declaration].names]
        call = f"{name}({', '.join(arguments)})"
        body = (line(f"{call};"), line("return 0;")) if program.returns == "void" else (line(f"return (long){call};"),)
        cases += [f"case {number}: {{", body, "}"]
        values = product(*(each.vectors() for each in program.parameters))
        names = [each.declaration for each in program.parameters]
        vectors += [_placed(shared, number, dict(zip(names, each, strict=True))) for each in values]
    numbers = " ".join(str(number) for number in range(len(programs)))
    body = (
        Node((f"switch (‹switch {numbers}|{WHICH}›) {{", *cases, "}"), is_fixed=True),
        line("return -1;", fixed=True),
    )
    head = f"long {ENTRY}({', '.join(each.declaration for each in shared.values())})"
    return Program(
        programs[0].seed,
        tuple(sorted({name for each in programs for name in each.includes})),
        tuple(dict.fromkeys(node for each in programs for node in each.types)),
        tuple(dict.fromkeys(node for each in programs for node in each.globals)),
        tuple(functions.values()),
        Function(head, body),
        tuple(shared.values()),
        "long",
        tuple(dict.fromkeys(place for each in programs for place in each.observed)),
        tuple(dict.fromkeys(name for each in programs for name in each.features)),
        tuple(dict.fromkeys(name for each in programs for name in each.faults)),
        tuple(sorted({check for each in programs for check in each.checks})),
        tuple(vectors),
    )


def _placed(shared: Mapping[str, Parameter], which: int, values: Mapping[str, Vector]) -> Vector:
    """The slots of the entry of all for one input of the program with this number."""
    given = {WHICH: (which,), **values}
    return sum((given.get(name, each.vectors()[0]) for name, each in shared.items()), ())
