"""The bounds that restrict inputs, in words: a claim holds within them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from veer.frontends.c.devices import bounds_of_registers
from veer.frontends.c.files import bounds_of_files
from veer.frontends.c.harness import Plan
from veer.frontends.c.initialisers import bounds as initialised
from veer.frontends.c.ownbounds import in_words
from veer.frontends.c.unions import leaves_pointers_out
from veer.frontends.c.voids import TAKEN
from veer.frontends.llvm.objectwords import placed
from veer.frontends.llvm.typerows import members, reachable
from veer.model.buildoptions import BuildOptions
from veer.model.literal import offered
from veer.model.program import HarnessKind
from veer.model.types import ARGUMENT_LIST, BoundKind, ExtentKind, Type, TypeKind
from veer.model.variadic import has_rest


def bounds(plan: Plan, options: BuildOptions) -> tuple[str, ...]:
    """The bounds that restrict the inputs of this entry, in words: a claim holds within them."""
    found: dict[str, None] = {}
    if plan.kind is HarnessKind.PROGRAM:
        if plan.arguments:
            found[f"argv-size {options.argv_size}"] = None
            found[f"argc {options.argc}"] = None
    elif plan.kind in (HarnessKind.FUNCTION, HarnessKind.LIBFUZZER):
        for parameter in plan.entry.parameters:
            words = bounds_of(plan, parameter.type, options)
            found |= dict.fromkeys(in_words(parameter.name, words, options.own_bounds, options.graph_depth))
    elif plan.sequence is not None:
        found |= {f"sequences {options.sequence}": None, f"max-calls {plan.sequence.most}": None}
        for function, callee in zip(plan.sequence.functions, plan.sequence.calls.callees, strict=True):
            for parameter, pool in zip(function.parameters, callee.receivers, strict=True):
                found |= dict.fromkeys(bounds_of(plan, parameter.type, options) if pool < 0 else ())
    for _, identity in plan.globals:
        found |= dict.fromkeys(bounds_of(plan, identity, options))
    if plan.kind is HarnessKind.FUNCTION:
        roots = [*(each.type for each in plan.entry.parameters), *(identity for _, identity in plan.globals)]
        found |= dict.fromkeys(initialised(plan.types, reachable(plan.types, roots)))
        found |= dict.fromkeys(placed(plan.types, roots))
    reached = _reached(plan)
    if any(plan.types[identity].is_taken for identity in reached):
        found[TAKEN] = None
    found |= dict.fromkeys(_part_words(plan, reached))
    interrupts = [plan.interrupt.words] if plan.interrupt is not None else []
    return (*found, *interrupts, *bounds_of_registers(plan), *bounds_of_files(plan, options))


def _reached(plan: Plan) -> list[int]:
    """The types of all inputs."""
    called = plan.sequence.functions if plan.sequence is not None else (plan.entry,)
    roots = [each.type for function in called for each in function.parameters]
    roots += [identity for _, identity in plan.globals]
    return sorted(reachable(plan.types, roots))


def _part_words(plan: Plan, reached: Sequence[int]) -> Iterator[str]:
    """Which pointers lead to parts of larger objects."""
    for row in (plan.types[identity] for identity in reached):
        if row.declared >= 0:
            yield f"{row.name} leads into {plan.types[row.target].name} where the code takes it for a part of one"


def end_words(types: Sequence[Type], row: Type) -> list[str]:
    """What members of a struct are the ends of others, or lead into them."""
    rows = [(each.name, types[each.type]) for each in row.fields if row.kind is TypeKind.STRUCT and each.type >= 0]
    ends = [(name, each) for name, each in rows if each.kind is TypeKind.POINTER and each.extent is ExtentKind.END]
    return [
        f"{row.name}: {name} leads into {each.length} (the code)"
        if each.end
        else f"{row.name}: {each.length} has {name} - {each.length} elements (the code)"
        for name, each in ends
    ]


def bounds_of(plan: Plan, identity: int, options: BuildOptions, seen: set[int] | None = None) -> list[str]:
    """Those of inputs of this type, and of what it leads to; `seen`: the types that are done."""
    seen = set() if seen is None else seen
    if identity < 0 or identity in seen:
        return []
    seen.add(identity)
    row = plan.types[identity]
    found: list[str] = []
    if row.kind == TypeKind.POINTER:
        target = plan.types[row.target]
        if row.extent == ExtentKind.NULL:
            return ["pointers to files, and to functions whose results cannot be made, are NULL"]
        if row.extent == ExtentKind.OPEN:
            return []
        if row.name == ARGUMENT_LIST:
            is_rest = has_rest(plan.entry, plan.types) and identity == plan.entry.parameters[-1].type
            found.append(f"{row.maximum} arguments {'behind ...' if is_rest else 'of a va_list'}")
        if row.extent == ExtentKind.FUNCTION:
            return ["pointers to functions are NULL or one stub", *bounds_of(plan, row.returns, options, seen)]
        if (
            row.extent == ExtentKind.STRING
            or target.kind == TypeKind.OPAQUE
            or (row.extent == ExtentKind.LENGTH and target.size == 1)
        ):
            of_blocks = " of blocks" if row.extent == ExtentKind.FIXED else ""
            found.append(f"max-length {options.max_length}{of_blocks}")
        elif row.extent == ExtentKind.FLEXIBLE:
            is_text = row.bound is BoundKind.LENGTH if row.bound else row.maximum != options.max_array
            found.append(f"max-length {options.max_length}" if is_text else f"max-array {options.max_array}")
        elif row.extent in (ExtentKind.LENGTH, ExtentKind.COUNT):
            found.append(f"max-array {options.max_array}")
        elif row.extent == ExtentKind.ONE:
            found.append("one object behind a pointer")
        if target.kind in (TypeKind.STRUCT, TypeKind.UNION) or target.kind == TypeKind.POINTER:
            found.append(f"graph-depth {options.graph_depth}")
    found += end_words(plan.types, row)
    others = offered(plan.types, row)
    if others:
        found.append(f"{row.name if ' ' in row.name else 'a union'} holds the member that is read first")
    if row.kind == TypeKind.UNION and leaves_pointers_out(plan.types, row):
        found.append(f"{row.name or 'a union'} holds its member {row.fields[0].name}")
    for below in (row.target, *(each.type for each in members(row)), *(each.type.id for each in others)):
        found += bounds_of(plan, below, options, seen)
    return found
