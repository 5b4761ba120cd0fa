"""Preconditions: predicates of the user's that hold for every input worth testing (repOK, CUTE section 3.6).

    int list_ok(const struct list *l);     --pre list_ok     void veer_main(void) {
    int list_add(struct list *l, int v);                         ... make l, v ...
                                                                 veer_h_assume((list_ok)(l) != 0);
                                                                 (list_add)(l, v);

The predicate runs on symbolic inputs as the entry does: solving its path constraints is what finds the valid ones.
It takes the entry's parameters, or those of them that have its parameters' names, or one of them: then it is asked of
each parameter of that type.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from veer.frontends.c.analysis import find_entry, module_shapes, unknown_entry
from veer.frontends.c.calltext import variable
from veer.frontends.c.typetable import TypeTable
from veer.frontends.llvm.compiled import Module
from veer.model.errors import UsageError
from veer.model.program import Function
from veer.model.types import Type, TypeKind

_TRUTHS = (TypeKind.SIGNED, TypeKind.UNSIGNED, TypeKind.BOOL, TypeKind.CHAR, TypeKind.POINTER)


class Precondition(Struct, frozen=True):
    """One predicate, and for each time that it is asked which of the entry's parameters it is given (by place).

    `is_apart`: another source than the entry's defines it, so the harness has to declare it; `said`: who asks for it.
    """

    function: Function
    asked: tuple[tuple[int, ...], ...]
    is_apart: bool = False
    said: str = ""


def preconditions(
    asked: Mapping[str, str], modules: Sequence[Module], entered: Module, entry: Function, table: TypeTable
) -> tuple[Precondition, ...]:
    """The preconditions of an entry. `asked`: the predicates, each with who asks for it (`veer.toml:2: pre ok`).

    Raises UsageError for one that is not there or cannot be asked.
    """
    return tuple(_precondition(name, said, modules, entered, entry, table) for name, said in asked.items())


def assumed(asked: Sequence[Precondition], arguments: Sequence[str], types: Sequence[Type]) -> Iterator[str]:
    """The lines of C that ask before a call with these arguments, one predicate after the other; those of other sources
    have names of their own."""
    for index, precondition in enumerate(asked):
        function, called = precondition.function, f"({precondition.function.name})"
        if precondition.is_apart:
            called = f"veer_pre_{index}"
            parameters = ", ".join(variable(types[each.type]) for each in function.parameters)
            returned = variable(types[function.returns])
            yield f'    extern {returned} {called}({parameters}) __asm__("{function.name}");'
        for places in precondition.asked:
            yield f"    veer_h_assume({called}({', '.join(arguments[place] for place in places)}) != 0);"


def _precondition(
    name: str, said: str, modules: Sequence[Module], entered: Module, entry: Function, table: TypeTable
) -> Precondition:
    module = find_entry(modules, name)
    if module is None:
        raise UsageError(f"{said}: {unknown_entry(modules, name)}")
    is_apart = module.source != entered.source
    unit = 0 if module is entered else -1 - modules.index(module)
    shapes = module_shapes(module, table, unit)
    function = next(each.function for each in shapes if each.function.name == name)
    if name == entry.name:
        raise UsageError(f"{said}: that is the entry itself; name a predicate over its inputs")
    if function.returns < 0 or table.types[function.returns].kind not in _TRUTHS:
        raise UsageError(f"{said}: it returns no truth value; let it return int, 0 for inputs that are not valid")
    if is_apart and function.is_static:
        raise UsageError(f"{said}: it is static in another source than {entry.name}; take its static away")
    return Precondition(function, _asked(function, said, entry, table.types), is_apart, said)


def _asked(function: Function, said: str, entry: Function, types: Sequence[Type]) -> tuple[tuple[int, ...], ...]:
    """The entry's parameters for each call of the predicate."""
    wanted = [_bare(types, parameter.type) for parameter in function.parameters]
    given = [_bare(types, parameter.type) for parameter in entry.parameters]
    if wanted == given and wanted:
        return (tuple(range(len(wanted))),)
    by_name = {parameter.name: place for place, parameter in enumerate(entry.parameters)}
    named = [by_name.get(parameter.name, -1) for parameter in function.parameters]
    if wanted and all(place >= 0 and given[place] == type_ for place, type_ in zip(named, wanted, strict=True)):
        return (tuple(named),)
    if len(wanted) == 1 and wanted[0] in given:
        return tuple((place,) for place, type_ in enumerate(given) if type_ == wanted[0])
    shown = ", ".join(re.sub(r"\bconst ", "", types[each.type].name) for each in entry.parameters if each.type >= 0)
    raise UsageError(
        f"{said}: {entry.name} has no parameters for it; let it take the same ones, some of the same "
        f"names and types, or one ({shown or 'the entry has none'})"
    )


def _bare(types: Sequence[Type], identity: int) -> str:
    """A type's spelling without const, which makes no difference to a caller."""
    name = types[identity].name if identity >= 0 else "?"
    return re.sub(r"\s+", "", re.sub(r"\bconst\b", "", name))
