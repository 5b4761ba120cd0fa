"""Small questions to, and changes of, the text of an LLVM module."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

from veer.instrument.definitions import definitions
from veer.instrument.lexer import unquoted
from veer.model.program import USER_MAIN

ASIDE = "veer_own_"
"""Prefix of the symbols of the user's functions that have a name of the C library's."""
_MOST_KEPT = 64
"""Modules whose functions are remembered: builds of many entries of one project ask about the same ones."""
_NAME = r'@("[^"]+"|[\w.$-]+)'
_DEFINE = re.compile(rf"^define [^@\n]*?{_NAME}\(", re.MULTILINE)
_DECLARE = re.compile(rf"^declare ([^@\n]*?){_NAME}\((.*)\).*$", re.MULTILINE)
_DECLARED_WITH = re.compile(rf"^declare [^@\n]*?{_NAME}\(.*\)([^)\n]*)$", re.MULTILINE)
_GROUP = re.compile(r"^attributes (#\d+) = \{(.*)\}", re.MULTILINE)
_DATA = re.compile(
    rf"^{_NAME} = (?:[\w()]+ )*?external (?:[\w()]+ )*?(?:global|constant) (.+?)"
    r"(?:, align \d+.*|, !dbg.*|, section.*)?$",
    re.MULTILINE,
)
_VARIABLE = re.compile(rf"^{_NAME} = (?!.*\bexternal )(?!.*\bextern_weak )", re.MULTILINE)
_THREAD_LOCAL = re.compile(rf"^{_NAME} = .*?\bthread_local\b.*?\bglobal ", re.MULTILINE)
_MAIN = re.compile(r"@main(?![\w.$-])")
_ATTRIBUTES = re.compile(
    r"\b(noundef|zeroext|signext|inreg|noalias|nonnull|dso_local|local_unnamed_addr|hidden|protected|nofpclass\([^)]*\)"
    r"|align \d+|dereferenceable\(\d+\)|dereferenceable_or_null\(\d+\)|range\([^)]*\)|fastcc|ccc|extern_weak)\s*"
)


@lru_cache(maxsize=_MOST_KEPT)
def defined_functions(text: str) -> tuple[str, ...]:
    """Functions with a body, in the order of the text."""
    return tuple(unquoted(match[1]) for match in _DEFINE.finditer(text))


def defined_names(text: str) -> set[str]:
    """Functions with a body and variables (and aliases) of the module, local ones too."""
    return set(defined_functions(text)) | {unquoted(match[1]) for match in _VARIABLE.finditer(text)}


def thread_locals(text: str) -> set[str]:
    """Variables of the module that each thread has its own of."""
    return {unquoted(match[1]) for match in _THREAD_LOCAL.finditer(text)}


def declared_functions(text: str) -> dict[str, tuple[str, str]]:
    """Functions without a body, intrinsics left out → return type without attributes, parameter list."""
    return dict(_declared_functions(text))


@lru_cache(maxsize=_MOST_KEPT)
def _declared_functions(text: str) -> dict[str, tuple[str, str]]:
    found = {}
    for match in _DECLARE.finditer(text):
        name = unquoted(match[2])
        if not name.startswith("llvm."):
            found[name] = (_ATTRIBUTES.sub("", match[1]).strip(), match[3])
    return found


def never_returning(text: str) -> frozenset[str]:
    """Functions without a body that are declared not to return."""
    groups = {match[1] for match in _GROUP.finditer(text) if "noreturn" in match[2].split()}
    found = ((unquoted(match[1]), match[2].split()) for match in _DECLARED_WITH.finditer(text))
    return frozenset(name for name, words in found if "noreturn" in words or not groups.isdisjoint(words))


def declared_data(text: str) -> dict[str, str]:
    """Variables that are declared but not defined → IR type."""
    return {unquoted(match[1]): match[2] for match in _DATA.finditer(text)}


def rename_main(text: str) -> str:
    """The module with its `main` under USER_MAIN: the executable's main is the tracer's."""
    return _MAIN.sub(f"@{USER_MAIN}", text)


def set_aside(text: str, names: Collection[str]) -> str:
    """The module with the user's functions `names` under symbols that the C library does not have.

    Else the runtime, which lies in the same executable, would call the user's `write` or `strlen` for its own work.
    """
    if not names:
        return text
    listed = "|".join(map(re.escape, sorted(names)))
    return re.sub(rf"@({listed})(?![\w.$-])", rf"@{ASIDE}\1", text)


def order_functions(text: str, last: Collection[str]) -> str:
    """The module with its functions in the order of their names, those in `last` at the end.

    Sites are numbered in the order of the text, and clang emits static functions when their first use is met. The same
    source within a harness and within a suite gets the same numbers only in an order that does not depend on its users.
    """
    kept: list[str] = []
    functions: list[tuple[bool, str, list[str]]] = []
    for matched, piece in definitions(text.splitlines(), _DEFINE):
        if matched is None:
            kept += piece
            continue
        name = unquoted(matched[1])
        # A comment above ("; Function Attrs: ...") stays where it is: it means nothing.
        sort_name = "main" if name == USER_MAIN else name
        functions.append((name in last, sort_name, piece))
    functions.sort(key=lambda each: each[:2])
    # Metadata may be used before its definition, and so may functions: they can stand at the end.
    return "\n".join([*kept, *(line for *_, body in functions for line in body)]) + "\n"
