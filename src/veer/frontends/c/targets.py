"""What a `void *` parameter leads to, when the user says it: `--void PARAM=TYPE`, or `--void PARAM=void` for bytes.

The parameter is seen as a `TYPE *`; lengths, extents, memory graphs and tests then are what they are for that type.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from veer.frontends.c.voids import is_void_pointer
from veer.frontends.llvm.debuginfo import NO_NODE, DebugFunction, DebugInfo
from veer.model.errors import UsageError
from veer.model.values import replace

_NAMED = ("DIBasicType(", "DICompositeType(", "DIDerivedType(tag: DW_TAG_typedef")
_KEYWORDS = {
    "DW_TAG_structure_type": "struct ",
    "DW_TAG_union_type": "union ",
    "DW_TAG_enumeration_type": "enum ",
}
_BASIC = {
    "char": (8, "DW_ATE_signed_char"),
    "signed char": (8, "DW_ATE_signed_char"),
    "unsigned char": (8, "DW_ATE_unsigned_char"),
    "short": (16, "DW_ATE_signed"),
    "unsigned short": (16, "DW_ATE_unsigned"),
    "int": (32, "DW_ATE_signed"),
    "unsigned int": (32, "DW_ATE_unsigned"),
    "long": (64, "DW_ATE_signed"),
    "unsigned long": (64, "DW_ATE_unsigned"),
    "long long": (64, "DW_ATE_signed"),
    "unsigned long long": (64, "DW_ATE_unsigned"),
    "float": (32, "DW_ATE_float"),
    "double": (64, "DW_ATE_float"),
}
"""C's own types, which need not stand in the debug info of a source that does not use them."""
_IGNORED = ("const", "volatile", "restrict")


def with_targets(debug: DebugInfo, function: DebugFunction, hints: Sequence[str]) -> DebugFunction:
    """The function with its `void *` parameters as pointers to the types of the hints ("PARAM=TYPE").

    Raises UsageError for a parameter that is not there or no `void *`, and for a type that the source does not know.
    """
    parameters = list(function.parameters)
    for hint in hints:
        name, _, type_ = (part.strip() for part in hint.partition("="))
        place = next((index for index, each in enumerate(parameters) if each.name == name), None)
        if place is None or not type_:
            names = ", ".join(each.name for each in parameters) or "none"
            raise UsageError(
                f"--void {hint}: write --void PARAMETER=TYPE with a parameter of {function.name} (it has {names})"
            )
        if not is_void_pointer(debug, function.parameters[place].type):
            raise UsageError(f"--void {hint}: the parameter {name} of {function.name} is no void *; leave it out")
        if type_ == "void":  # bytes, whatever the code takes them for
            continue
        target = _type_named(debug, type_, hint)
        parameters[place] = replace(parameters[place], type=debug.pointer_to(target))
    return replace(function, parameters=tuple(parameters))


def _type_named(debug: DebugInfo, text: str, hint: str) -> int:
    """The node of the type that is written so; each `*` behind it is one pointer more."""
    stars = text.count("*")
    written = " ".join(word for word in text.replace("*", " ").split() if word not in _IGNORED)
    known = _types(debug)
    found = known.get(_canonical(written), NO_NODE)
    if found == NO_NODE and _canonical(written) in _BASIC:
        size, encoding = _BASIC[_canonical(written)]
        fields = {"name": f'"{_canonical(written)}"', "size": str(size), "encoding": encoding}
        found = debug.made("DIBasicType", fields)
    if found == NO_NODE:
        by_word = {name.rpartition(" ")[2]: name for name in known}
        near = [by_word[word] for word in difflib.get_close_matches(written.rpartition(" ")[2], by_word, 3)]
        more = f"did you mean {' or '.join(near)}?" if near else "include the header that defines it"
        raise UsageError(f"--void {hint}: the source of this function knows no type {written!r}: {more}")
    for _ in range(stars):
        found = debug.pointer_to(found)
    return found


def _types(debug: DebugInfo) -> dict[str, int]:
    """All types with a name: `int`, `node_t`, `struct node`; a definition before a declaration."""
    found: dict[str, int] = {}
    for number, line in debug.lines.items():
        if not line.startswith(_NAMED):
            continue
        node = debug.node(number)
        if not node.text("name"):
            continue
        name = _KEYWORDS.get(node.tag, "") + node.text("name")
        if name not in found or "DIFlagFwdDecl" in debug.node(found[name]).text("flags"):
            found[name] = number
    return found


def _canonical(written: str) -> str:
    """A basic type as the compiler names it: `unsigned` is `unsigned int`, `long int` is `long`."""
    words = written.split()
    if any(word not in ("unsigned", "signed", "short", "long", "int", "char") for word in words):
        return written
    if "char" in words:
        return written
    sizes = [word for word in words if word in ("short", "long")]
    sign = ["unsigned"] if "unsigned" in words else []
    return " ".join([*sign, *(sizes or ["int"])])
