"""Bounds that are given for one parameter: `--max-length NAME=N`, `--max-array NAME=N`, `--graph-depth NAME=N`.

The first two bound the string, buffer or array that the parameter itself leads to, the last every chain of pointers
that begins at it. What lies deeper keeps the general bounds, for its types have one row however they are reached.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from veer.frontends.c.extents import ObjectBounds, is_character, usual_extent
from veer.frontends.c.flexible import flexible_member
from veer.frontends.llvm.debuginfo import NO_NODE, DebugFunction, DebugInfo
from veer.model.buildoptions import OwnBound
from veer.model.errors import UsageError
from veer.model.types import ExtentKind

GRAPH_DEPTH = "graph-depth"
_LENGTH, _ARRAY = "max-length", "max-array"


def check_names(debug: DebugInfo, function: DebugFunction, given: Sequence[OwnBound]) -> None:
    """Raises UsageError for a bound of something that is no pointer parameter of the function."""
    types = {parameter.name: parameter.type for parameter in function.parameters}
    for option, name, number in given:
        asked = f"--{option} {name}={number}"
        if name not in types:
            names = ", ".join(types) or "none"
            raise UsageError(f"{asked}: {function.name} has no parameter {name!r} (it has {names})")
        if debug.node(debug.strip(types[name])).tag != "DW_TAG_pointer_type":
            raise UsageError(f"{asked}: the parameter {name} of {function.name} is no pointer; leave it out")


def most_elements(
    debug: DebugInfo,
    function: DebugFunction,
    given: Sequence[OwnBound],
    lengths: Mapping[str, str],
    written: Collection[str],
) -> dict[str, int]:
    """Parameter → the most elements behind it, where that is given.

    `lengths`: parameters whose number another one holds; `written`: those with a size in the source. Raises UsageError
    when the option does not fit what the parameter leads to.
    """
    types = {parameter.name: parameter.type for parameter in function.parameters}
    found: dict[str, int] = {}
    for option, name, number in given:
        if option == GRAPH_DEPTH:
            continue
        asked, what = f"--{option} {name}={number}", f"the parameter {name} of {function.name}"
        if name in written:
            raise UsageError(f"{asked}: {what} has its size in the source; leave it out")
        pointer = debug.node(debug.strip(types[name]))
        extent = usual_extent(debug, pointer, ObjectBounds(2, 2)).kind
        if extent in (ExtentKind.FUNCTION, ExtentKind.NULL) or (extent is ExtentKind.ONE and name not in lengths):
            raise UsageError(
                f"{asked}: {what} leads to no array; --graph-depth bounds chains, --size-of names a length"
            )
        fitting = _LENGTH if _is_text(debug, pointer.reference("baseType")) else _ARRAY
        if option != fitting:
            raise UsageError(f"{asked}: for {what} write --{fitting} {name}={number}")
        found[name] = number
    return found


def _is_text(debug: DebugInfo, target: int) -> bool:
    """Whether --max-length counts what lies there: characters and bytes."""
    node = debug.node(debug.strip(target))
    if (member := flexible_member(debug, node)) is not None:
        return is_character(debug, debug.node(debug.strip(member.reference("baseType"))).reference("baseType"))
    is_opaque = debug.strip(target) == NO_NODE or "DIFlagFwdDecl" in node.text("flags")
    return is_opaque or is_character(debug, target)


def depths(given: Sequence[OwnBound]) -> dict[str, int]:
    """Parameter → the longest chain of pointers that begins at it, where that is given."""
    return {name: number for option, name, number in given if option == GRAPH_DEPTH}


def in_words(name: str, words: Sequence[str], given: Sequence[OwnBound], graph_depth: int) -> list[str]:
    """The bounds of one parameter, as a claim names them: its own in the place of the general ones.

    The first word that begins with `max-` is of what the parameter itself leads to.
    """
    own = {option: f"{option} {number} of {each}" for option, each, number in given if each == name}
    found = list(words)
    for place, word in enumerate(found[:1]):
        if elements := own.get(_LENGTH) or own.get(_ARRAY):
            found[place] = elements if word.startswith("max-") else word
    if GRAPH_DEPTH in own:
        found = [own[GRAPH_DEPTH] if word == f"{GRAPH_DEPTH} {graph_depth}" else word for word in found]
    return found
