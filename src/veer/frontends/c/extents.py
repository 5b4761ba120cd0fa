"""What a fresh object behind a pointer is, as far as the pointer's type says: its extent."""

from __future__ import annotations

from msgspec import Struct

from veer.frontends.c.flexible import counting_member, flexible_member
from veer.frontends.llvm.debuginfo import NO_NODE, DebugInfo, Node
from veer.model.types import BoundKind, ExtentKind

ALWAYS_NULL = ExtentKind.NULL
"""Extent of a pointer for which no object can be made: to a FILE, a va_list, a function whose result cannot be made."""
FLEXIBLE = ExtentKind.FLEXIBLE
"""Extent of a pointer to a struct with a flexible array member."""
FUNCTION = ExtentKind.FUNCTION
"""Extent of a pointer to a function: a stub that returns a fresh input at each call."""
LIBRARY_STRUCTURES = {"_IO_FILE": "FILE", "__va_list_tag": "va_list", "__dirstream": "DIR"}
_IN_NUMBERS = ("DW_TAG_pointer_type", "DW_TAG_enumeration_type", "DW_TAG_array_type")
"""A pointer to one of these usually leads to several: a pointer to an array is the rows of `int m[][4]`."""


class ObjectBounds(Struct, frozen=True):
    """Most elements of what pointers lead to: characters or bytes, and other elements.

    `word`: bytes of long on the program's machine; where it has fewer than here, no input is larger than it holds.
    """

    max_length: int
    max_array: int
    word: int = 8


class Extent(Struct, frozen=True):
    """What a fresh object behind a pointer is: an element, a string, so many elements, or nothing."""

    kind: ExtentKind
    maximum: int = 0
    length: str = ""
    bound: BoundKind | None = None  # what decides `maximum`, if it may be another
    is_guess: bool = False  # nobody wrote down that it is `length`


def usual_extent(debug: DebugInfo, pointer: Node, limits: ObjectBounds) -> Extent:
    """The extent of a pointer of which nothing but its type is known."""
    target = pointer.reference("baseType")
    node = debug.node(debug.strip(target))
    if node.kind == "DISubroutineType":
        return Extent(FUNCTION)
    if why_never(debug, target):
        return Extent(ALWAYS_NULL)
    if is_character(debug, target):
        return Extent(ExtentKind.STRING, limits.max_length, bound=BoundKind.LENGTH)
    if debug.strip(target) == NO_NODE or "DIFlagFwdDecl" in node.text("flags"):
        return Extent(ExtentKind.FIXED, limits.max_length)
    if (member := flexible_member(debug, node)) is not None:
        element = debug.node(debug.strip(member.reference("baseType"))).reference("baseType")
        counter = counting_member(debug, node)
        bound = BoundKind.LENGTH if is_character(debug, element) else BoundKind.ARRAY
        most = limits.max_length if bound is BoundKind.LENGTH else limits.max_array
        return Extent(FLEXIBLE, most, counter.text("name") if counter is not None else "", bound)
    comes_in_numbers = node.kind == "DIBasicType" or node.tag in _IN_NUMBERS
    if comes_in_numbers and limits.max_array > 1:
        return Extent(ExtentKind.COUNT, limits.max_array, bound=BoundKind.ARRAY)
    return Extent(ExtentKind.ONE, 1)


def several(debug: DebugInfo, reference: int, limits: ObjectBounds) -> Extent | None:
    """The extent of a pointer to structs of which the code takes several; None where it leads to something else."""
    pointer = debug.node(debug.strip(reference))
    below = debug.strip(pointer.reference("baseType"))
    if pointer.tag != "DW_TAG_pointer_type" or not is_composite(debug, below) or limits.max_array < 2:
        return None
    is_one = usual_extent(debug, pointer, limits).kind is ExtentKind.ONE
    return Extent(ExtentKind.COUNT, limits.max_array, bound=BoundKind.ARRAY) if is_one else None


def is_composite(debug: DebugInfo, node: int) -> bool:
    """Whether this is a struct or a union."""
    return debug.node(node).tag in ("DW_TAG_structure_type", "DW_TAG_union_type")


def why_never(debug: DebugInfo, target: int) -> str:
    """Why no object of this type can be made behind a pointer; "" if one can."""
    node = debug.node(debug.strip(target))
    if node.kind == "DISubroutineType":
        return "a function"
    if known := LIBRARY_STRUCTURES.get(node.text("name")):
        return f"a {known}"
    return ""


def is_character(debug: DebugInfo, reference: int) -> bool:
    """Whether this is char, signed char or unsigned char, by whatever name."""
    node = debug.node(debug.strip(reference))
    return node.kind == "DIBasicType" and node.fields.get("encoding", "") in (
        "DW_ATE_signed_char",
        "DW_ATE_unsigned_char",
    )
