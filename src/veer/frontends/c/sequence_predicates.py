"""Predicates that hold before the calls of a sequence: --pre, and what the contracts of its functions name.

    veer_h_assume((list_ok)(veer_p_0) != 0);       before each call that is given a list
    list_add(veer_p_0, veer_p_1);

A call that does not satisfy them ends the sequence, which is no test: such calls are not made.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from veer.frontends.c.contracts.clauses import Contract
from veer.frontends.c.preconditions import Precondition, preconditions
from veer.frontends.c.sequences import SequencePlan
from veer.frontends.c.typetable import TypeTable
from veer.frontends.llvm.compiled import Module
from veer.model.errors import UsageError
from veer.model.program import Function


def said_by(contracts: Mapping[str, Contract], given: Sequence[str]) -> Mapping[str, Mapping[str, str]]:
    """Function → the predicates that its own contract names, each with who asks for it; "" → those of --pre."""
    own = {
        name: {predicate: f"{place}: pre {predicate}" for predicate, place in contract.who_asks.items()}
        for name, contract in contracts.items()
    }
    return own | {"": {name: f"--pre {name}" for name in given}}


def asked_before(
    said: Mapping[str, Mapping[str, str]],
    functions: Sequence[Function],
    modules: Sequence[Module],
    module: Module,
    table: TypeTable,
) -> tuple[tuple[Precondition, ...], ...]:
    """What is asked before each call, in the order of `functions`.

    One of --pre is asked of every call that has parameters for it. Raises UsageError for one that no call has
    parameters for, that is not there or cannot be asked.
    """
    found = [list(preconditions(said.get(each.name, {}), modules, module, each, table)) for each in functions]
    for name, words in said.get("", {}).items():
        refused: UsageError | None = None
        is_asked = False
        for place, function in enumerate(functions):
            try:
                found[place] += preconditions({name: words}, modules, module, function, table)
                is_asked = True
            except UsageError as error:
                refused = error
        if refused is not None and not is_asked:
            raise refused
    return tuple(map(tuple, found))


def said_of_calls(sequence: SequencePlan) -> Iterator[tuple[str, str]]:
    """Each function with a predicate that holds before its calls, in words."""
    for function, asked in zip(sequence.functions, sequence.asked, strict=True):
        yield from ((function.name, f"{each.function.name} holds") for each in asked)
