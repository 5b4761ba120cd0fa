"""Names and declarations in generated C: how a variable of a type is declared, and which names are free."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from veer.model.program import Program
from veer.model.types import Type, TypeKind
from veer.suite.c.spelling import SCALAR_NAMES

_KEYWORDS = re.compile(r"[A-Za-z_]+").findall(
    """auto break case char const continue default do double else enum extern float for goto if inline int long
    register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
    _Bool _Complex _Atomic asm typeof NULL main result"""
)
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")

_INSIDE = re.compile(r"(\(\*+\s*(const)?)\)")
"""The innermost declarator of a pointer to a function or an array: where its name goes."""


def is_nameable(type_: Type) -> bool:
    """Whether the type's name can be written in C (an anonymous struct without a typedef has none)."""
    bare = unqualified(type_.name)
    return bool(_IDENTIFIER.search(bare)) and bare not in ("struct", "union", "enum") and "<" not in bare


def unqualified(name: str) -> str:
    """The type's name without const at its own level: `const struct cell` → `struct cell`, `char *const` → `char *`."""
    if "*" not in name:
        name = re.sub(r"\bconst\b", " ", name)
    name = re.sub(r"\*\s*(const|restrict|volatile|\s)+$", "*", name)
    return " ".join(name.split())


def element_name(type_: Type | None) -> str:
    """How the elements of a block are called: the type's name, or `void` when there is none."""
    if type_ is None or type_.kind == TypeKind.OPAQUE:
        return "void"
    if is_nameable(type_) and type_.kind != TypeKind.BOOL:
        return unqualified(type_.name)
    return SCALAR_NAMES.get((type_.kind, type_.size), "void")


def declare(types: Sequence[Type], type_: Type, name: str) -> str:
    """A declaration without its semicolon: `int *x`, `int x[4]`, `int (*x)(int)`."""
    if type_.kind == TypeKind.ARRAY and 0 <= type_.target < len(types):
        return declare(types, types[type_.target], f"{name}[{type_.count}]")
    written = element_name(type_) if type_.kind != TypeKind.POINTER else unqualified(type_.name)
    if _INSIDE.search(written):
        return _named(written, name)
    return written + name if written.endswith("*") else f"{written} {name}"


def declare_unseen(types: Sequence[Type], type_: Type, name: str) -> str:
    """The declaration of a volatile variable for a result that nobody looks at: a compiler may drop the call else."""
    if not is_nameable(type_):
        return f"volatile __auto_type {name}"
    if type_.kind == TypeKind.POINTER:
        return declare(types, type_, f"volatile {name}")
    return f"volatile {declare(types, type_, name)}"


def declare_pointer(types: Sequence[Type], type_: Type, name: str) -> str:
    """The declaration of a pointer to objects of the type: `int *x`, `int (*x)[3]`, `int (**x)(int)`."""
    if type_.kind == TypeKind.ARRAY and "[" in type_.name:
        return declare(types, type_, f"(*{name})")
    element = element_name(type_)
    if _INSIDE.search(element):
        return _named(element, f"*{name}")
    return f"{element}*{name}" if element.endswith("*") else f"{element} *{name}"


def _named(written: str, name: str) -> str:
    """A type whose declarator stands inside of it, around a name: `int (*)(int)` → `int (*x)(int)`."""
    return _INSIDE.sub(lambda found: f"{found[1]} {name})" if found[2] else f"{found[1]}{name})", written, count=1)


def result_name(program: Program) -> str:
    """The variable of a test that holds what the entry returned: `result`, with underscores where the unit has that."""
    names = {function.name for function in program.functions} | {each.name for each in program.outputs}
    names |= {name for type_ in program.types for name, _ in type_.enumerators} | {*program.stubs}
    name = "result"
    while name in names:
        name += "_"
    return name


class Names:
    """Hands out variable names that clash neither with C, nor the program's functions and types, nor each other."""

    def __init__(self, program: Program) -> None:
        self._taken = (
            {*_KEYWORDS} | {function.name for function in program.functions} | {*program.stubs, *program.asked}
        ) | {result_name(program)}
        for type_ in program.types:
            self._taken.update(_IDENTIFIER.findall(type_.name))
            self._taken.update(name for name, _ in type_.enumerators)

    def reserve(self, names: Iterable[str]) -> None:
        """These names mean something else already (globals)."""
        self._taken.update(names)

    def free(self, wanted: str) -> str:
        """`wanted` as an identifier, with underscores behind it until it is free."""
        name = re.sub(r"\W", "_", wanted) or "value"
        if name[0].isdigit():
            name = "_" + name
        while name in self._taken:
            name += "_"
        self._taken.add(name)
        return name
