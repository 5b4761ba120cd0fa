"""The compiler's print of its syntax tree (-ast-print): declarations as C, with every macro, sizeof and constant done.

    int adc_to_millivolt(int adc[16], int gain) __attribute__((nonnull(1)));

The dumps of the tree (-ast-dump, as text or JSON) do not have the sizes of array parameters, for those are pointers by
then, and are ten times as long (decision 0300).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from msgspec import Struct

_CALLED = re.compile(r"\b([A-Za-z_]\w*)\(")
_QUOTED = r"\"(?:[^\"\\]|\\.)*\""
_ATTRIBUTE = re.compile(rf"__attribute__\(\(((?:[^()\"]|{_QUOTED}|\((?:[^()\"]|{_QUOTED})*\))*)\)\)")
_ARRAY = re.compile(r"([A-Za-z_]\w*)\s*((?:\[[^\]]*\])+)$")
_NAME = re.compile(r"([A-Za-z_]\w*)$")
_ALIAS = re.compile(r"^\s*typedef .*?\b(\w+)((?:\[\d*\])+);$", re.MULTILINE)
_QUALIFIERS = re.compile(r"\b(const|volatile|restrict|static|register|__restrict|_Atomic)\b")
_WORDS_BEFORE = frozenset({"return", "else", "sizeof"})


class PrintedParameter(Struct, frozen=True):
    """A parameter as it is declared: its name ("" where it has none), what stands in its first brackets, attributes.

    `size`: "16", a parameter's name, "" for empty brackets; None where there are no brackets.
    """

    name: str
    size: str | None
    is_static: bool  # [static 4]
    attributes: tuple[str, ...]
    nullability: str = ""  # _Nonnull, _Nullable


class Declaration(Struct, frozen=True):
    """One declaration of a function: its text up to the body, its parameters, attributes as `nonnull(1, 2)`."""

    function: str
    text: str
    parameters: tuple[PrintedParameter, ...]
    attributes: tuple[str, ...]


def declarations(text: str, names: Collection[str]) -> dict[str, tuple[Declaration, ...]]:
    """The declarations of these functions, in their order."""
    wanted = frozenset(names)
    aliases = {match[1]: match[2] for match in _ALIAS.finditer(text)}
    found: dict[str, list[Declaration]] = {}
    for matched in _CALLED.finditer(text):
        if matched[1] not in wanted:
            continue
        declared = _declaration(text, matched, aliases)
        if declared is not None:
            found.setdefault(declared.function, []).append(declared)
    return {name: tuple(every) for name, every in found.items()}


def _declaration(text: str, name: re.Match[str], aliases: Mapping[str, str]) -> Declaration | None:
    """The declaration around a name with a parenthesis behind it; None where that is none."""
    start = text.rfind("\n", 0, name.start()) + 1
    before = text[start : name.start()]
    words = re.findall(r"\w+", before)
    if not before.strip() or set(words[:1]) & _WORDS_BEFORE or "=" in _ATTRIBUTE.sub("", before):
        return None
    close = closing(text, name.end() - 1)
    end = min((place for each in ";{" if (place := text.find(each, close)) >= 0), default=len(text))
    inside, behind = text[name.end() : close], text[close + 1 : end]
    parameters = tuple(_parameter(each, aliases) for each in separated(inside)) if inside.strip() != "void" else ()
    return Declaration(name[1], text[start:end].strip(), parameters, (*_attributes(before), *_attributes(behind)))


def closing(text: str, opening: int) -> int:
    """Where the parenthesis at `opening` is closed."""
    depth = 0
    for place in range(opening, len(text)):
        depth += (text[place] == "(") - (text[place] == ")")
        if depth == 0:
            return place
    return len(text)


def separated(text: str) -> Iterator[str]:
    """The parts between commas that stand in no brackets."""
    depth, begin = 0, 0
    for place, character in enumerate(text):
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            yield text[begin:place].strip()
            begin = place + 1
    if text[begin:].strip():
        yield text[begin:].strip()


def _attributes(text: str) -> tuple[str, ...]:
    return tuple(part for match in _ATTRIBUTE.finditer(text) for part in separated(match[1]))


def _parameter(text: str, aliases: Mapping[str, str]) -> PrintedParameter:
    bare = _ATTRIBUTE.sub(" ", text).strip()
    nullability = next((word for word in ("_Nonnull", "_Nullable") if re.search(rf"\b{word}\b", bare)), "")
    bare = re.sub(r"\s*\b_N\w+\b\s*", " ", bare).strip()
    attributes = _attributes(text)
    if matched := _ARRAY.search(bare):
        within = matched[2][1 : matched[2].index("]")]
        size = _QUALIFIERS.sub("", within).strip()
        return PrintedParameter(matched[1], size, "static" in within.split(), attributes, nullability)
    named = _NAME.search(bare)
    name = named[1] if named else ""
    words = _QUALIFIERS.sub("", bare).split()
    # `typedef int four[4]; int f(four a)`: the print keeps the name of the type.
    alias = aliases[words[0]].strip("[").partition("]")[0] if len(words) == 2 and words[0] in aliases else None
    return PrintedParameter(name, alias, is_static=False, attributes=attributes, nullability=nullability)
