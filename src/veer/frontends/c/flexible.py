"""Flexible array members, `struct message { int length; char text[]; }`, and the member that says how many elements.

The count is the member's that has a length's name and stands before the array, the nearest first; without one it is an
input of its own, and an access behind the end is no bug, for the end is veer's choice.
"""

from __future__ import annotations

import re

from veer.frontends.llvm.debuginfo import DebugInfo, Node

LENGTH_NAME = re.compile(
    r"n\d?|len|length|size|sz|siz|cnt|count|num|nb|nelem\w*|nmemb|nbytes|bytes|argc|capacity|cap|maxlen|nitems"
    r"|\w*_(len|length|size|sz|cnt|count|num|n|nelems?|bytes|capacity)\d?"
    r"|\w*[a-z0-9](Len|Length|Size|Count|Num|Bytes|Elements)"
    r"|\w+(len|length|size|siz)"
    r"|(num|nr|n)_\w+|(num|n)[A-Z]\w*",
)
"""What lengths are called: parameters and members."""


def flexible_member(debug: DebugInfo, structure: Node) -> Node | None:
    """The array without a size at the end of a struct, `a[]` or `a[0]`."""
    members = _members(debug, structure)
    if structure.tag != "DW_TAG_structure_type" or len(members) < 2:
        return None
    array = debug.node(debug.strip(members[-1].reference("baseType")))
    if array.tag != "DW_TAG_array_type":
        return None
    counts = [debug.node(number).number("count") for number in debug.node(array.reference("elements")).references]
    return members[-1] if len(counts) == 1 and counts[0] <= 0 else None


def counting_member(debug: DebugInfo, structure: Node) -> Node | None:
    """The member that says how many elements the flexible array has, by its name and type."""
    for member in reversed(_members(debug, structure)[:-1]):
        kind = debug.node(debug.strip(member.reference("baseType")))
        is_integer = kind.fields.get("encoding", "") in ("DW_ATE_signed", "DW_ATE_unsigned")
        is_wide = kind.number("size") in (16, 32, 64) and "DIFlagBitField" not in member.text("flags")
        if is_integer and is_wide and LENGTH_NAME.fullmatch(member.text("name")):
            return member
    return None


def _members(debug: DebugInfo, structure: Node) -> list[Node]:
    found = [debug.node(number) for number in debug.node(structure.reference("elements")).references]
    return [node for node in found if node.tag == "DW_TAG_member"]
