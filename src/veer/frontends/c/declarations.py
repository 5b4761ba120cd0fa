"""What C needs to know of an entry in C++: its prototype and the structs of its parameters, written as C.

    struct cell { int v; struct cell *next; };
    typedef struct cell cell;
    extern int length(const struct cell *p);

A harness or a suite in C cannot include a source in C++; it holds these lines instead and is linked with it (decision
0051). Only what C can say is taken: scalars, pointers and plain structs, by names that are C's as well.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from veer.frontends.c.scalars import SCALAR_NAMES
from veer.model.errors import UnsupportedInputError
from veer.model.program import Function
from veer.model.types import ExtentKind, Type, TypeKind

_NAME = re.compile(r"(?:const )?struct ([A-Za-z_]\w*)")


def declarations(entry: Function, types: Sequence[Type]) -> str:
    """The C text for an entry in C++. Raises UnsupportedInputError, which names what C cannot say."""
    writer = _Writer(entry, types)
    parameters = ", ".join(writer.named(each.type, "") for each in entry.parameters) or "void"
    head = writer.named(entry.returns, f"{entry.name}({parameters})") if entry.returns >= 0 else ""
    prototype = f"extern {head or f'void {entry.name}({parameters})'};"
    forward = [f"struct {name};\ntypedef struct {name} {name};" for name in writer.forward]
    return "\n".join([*forward, *writer.structs.values(), prototype])


class _Writer:
    """Collects the structs that declarations name; those that others hold by value come first."""

    def __init__(self, entry: Function, types: Sequence[Type]) -> None:
        self._entry = entry
        self._types = types
        self.forward: list[str] = []
        self.structs: dict[str, str] = {}

    def named(self, identity: int, name: str) -> str:
        """A declaration of `name`, or the type alone when it is empty."""
        row = self._types[identity]
        if row.kind == TypeKind.ARRAY:
            return self.named(row.target, f"{name}[{row.count}]")
        if row.kind == TypeKind.POINTER and row.extent != ExtentKind.FUNCTION:
            below = self._types[row.target] if row.target >= 0 else None
            const = "const " if row.const else ""
            if below is None or below.kind == TypeKind.OPAQUE:
                return f"{const}void *{name}"
            if below.kind == TypeKind.POINTER:
                return self.named(below.id, f"*{const}{name}")
            return const + self.named(below.id, f"*{name}")
        if row.extent is ExtentKind.END:
            return f"const void *{name}"
        if row.kind == TypeKind.STRUCT:
            return f"struct {self._struct(row)} {name}".rstrip()
        scalar = SCALAR_NAMES.get((row.kind, row.size))
        if scalar is None or row.enumerators:
            raise self._unsupported(row)
        return f"{scalar} {name}".rstrip()

    def _struct(self, row: Type) -> str:
        found = _NAME.fullmatch(row.name)
        if found is None or row.bits or not self._is_plain(row):
            raise self._unsupported(row)
        name = found[1]
        if name not in self.forward:
            self.forward.append(name)
            members = " ".join(f"{self.named(each.type, each.name)};" for each in row.fields)
            self.structs[name] = f"struct {name} {{ {members} }};"
        return name

    def _is_plain(self, row: Type) -> bool:
        """Whether the members that are known fill the struct as C would lay them out: no bases, no table of methods."""
        place = 0
        for each in row.fields:
            below = self._types[each.type]
            place = -(-place // below.alignment) * below.alignment
            if not each.name.isidentifier() or each.offset != place:
                return False
            place += below.size
        return bool(row.fields) and row.size == -(-place // row.alignment) * row.alignment

    def _unsupported(self, row: Type) -> UnsupportedInputError:
        return UnsupportedInputError(
            f"{self._entry.name} is C++ and its parameter types must be C's as well, which {row.name} is not: "
            'name an extern "C" function that takes scalars, pointers and plain structs'
        )
