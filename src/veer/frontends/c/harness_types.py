"""The types of the inputs as a harness has them: tables in C, and the bodies of callbacks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from veer.frontends.c.calltext import escape, variable
from veer.frontends.c.extents import ALWAYS_NULL, FUNCTION
from veer.frontends.c.passed import handling, parameters, telling
from veer.frontends.llvm.typerows import TypeRow, type_rows
from veer.model.stubcalls import FIRST_CALLBACK
from veer.model.types import Type, TypeKind


def type_tables(types: Sequence[Type], roots: Iterable[int], *, tells: bool = False) -> Iterator[str]:
    """Definitions of `veer_t_N` for the types that the roots reach. `tells`: callbacks tell of their calls."""
    rows = type_rows(types, roots)
    callbacks = [types[row.id] for row in rows if types[row.id].extent == FUNCTION]
    for row in rows:
        yield f"static const struct veer_h_type veer_t_{row.id};"
    for each in callbacks:
        yield f"static {_result(types, each)} {each.callback}({parameters(each.passed)});"
    for row in rows:
        if row.fields:
            items = ", ".join(f"{{{each.offset}u, {each.name}u, {_type(each.type)}}}" for each in row.fields)
            yield f"static const struct veer_h_field veer_f_{row.id}[] = {{{items}}};"
        yield f"static const struct veer_h_type veer_t_{row.id} = {{{', '.join(_row(row))}}};"
    for each in callbacks:
        head = f"static {_result(types, each)} {each.callback}({parameters(each.passed)})"
        yield f"{head} {{ {_callback_body(types, each, tells=tells)} }}"


def _type(identity: int) -> str:
    return f"&veer_t_{identity}" if identity >= 0 else "0"


def _result(types: Sequence[Type], row: Type) -> str:
    return variable(types[row.returns]) if row.returns >= 0 else "void"


def _callback_body(types: Sequence[Type], row: Type, *, tells: bool) -> str:
    """A stub's statements: each call returns a fresh input, of the root `veer_callback_1()`.

    `(*free_func)(p)` is no leak; who takes it as const, as comparisons do, only reads it.
    """
    written = handling(row.passed, row.callback, keeps_const=False)
    if tells:
        number = FIRST_CALLBACK + int(row.callback.removeprefix("veer_callback_"))
        written = [*telling(row.passed, types, number), *written]
    if row.returns < 0:
        return " ".join(written)
    returned = types[row.returns]
    zero = "{0}" if returned.kind in (TypeKind.STRUCT, TypeKind.UNION) else "0"
    if returned.extent == ALWAYS_NULL:
        return " ".join([*written, "return 0;"])
    making = f'veer_h_make(&veer_r, &veer_t_{returned.id}, "{row.callback}()");'
    return " ".join([*written, f"{variable(returned)} veer_r = {zero}; {making} return veer_r;"])


def _row(row: TypeRow) -> tuple[str, ...]:
    """The initialiser of a veer_type, in the order of runtime/include/veer_harness.h."""
    return (
        f"{row.id}u",
        str(row.kind),
        str(int(row.nullable)),
        str(row.extent),
        str(row.length_unit),
        f"{row.size}u",
        f"{row.count}u",
        f"{row.maximum}u",
        f"{row.alignment}u",
        f"veer_f_{row.id}" if row.fields else "0",
        _type(row.target),
        f'"{escape(row.length)}"' if row.length else "0",
        f"{row.low}u",
        f"{row.high}u",
        f"(const void *){row.function}" if row.function else "0",
        f"{row.bound}u",
        f"{row.longer}u",
    )
