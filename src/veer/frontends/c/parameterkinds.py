"""What kinds of parameters there are: pointers to data, integers, what comes in numbers."""

from __future__ import annotations

from veer.frontends.c.extents import is_character, why_never
from veer.frontends.c.flexible import flexible_member
from veer.frontends.llvm.debuginfo import NO_NODE, DebugInfo, DebugParameter


def is_integer(debug: DebugInfo, reference: int) -> bool:
    """Whether this is an integer of C's, characters included."""
    node = debug.node(debug.strip(reference))
    encoding = node.fields.get("encoding", "")
    return encoding.startswith(("DW_ATE_signed", "DW_ATE_unsigned")) and node.number("size") in (8, 16, 32, 64)


def is_pointer(debug: DebugInfo, reference: int) -> bool:
    """Whether this is a pointer, whatever it leads to."""
    return debug.node(debug.strip(reference)).tag == "DW_TAG_pointer_type"


def target(debug: DebugInfo, reference: int) -> int:
    """What a pointer leads to."""
    return debug.node(debug.strip(reference)).reference("baseType")


def variable_element(debug: DebugInfo, reference: int) -> int | None:
    """The element of the arrays of variable length that a pointer leads to, as `double a[n][m]` does; None elsewhere.

    Debug info says no number there, and none in `int (*a)[]`.
    """
    below = debug.node(debug.strip(target(debug, reference))) if is_pointer(debug, reference) else None
    if below is None or below.tag != "DW_TAG_array_type":
        return None
    numbers = [debug.node(each).number("count") for each in debug.node(below.reference("elements")).references]
    return below.reference("baseType") if any(number < 0 for number in numbers) else None


def has_extent(debug: DebugInfo, parameter: DebugParameter) -> bool:
    """Whether this is a pointer to something that can come in numbers."""
    if not is_pointer(debug, parameter.type):
        return False
    return not why_never(debug, target(debug, parameter.type))


def comes_in_numbers(debug: DebugInfo, parameter: DebugParameter) -> bool:
    """The same, by custom: a struct with a flexible array member stands alone, whatever number is beside it."""
    if not has_extent(debug, parameter):
        return False
    return flexible_member(debug, debug.node(debug.strip(target(debug, parameter.type)))) is None


def leads_to_strings(debug: DebugInfo, reference: int) -> bool:
    """Whether this is `char **` by any name."""
    strings = target(debug, reference)
    return is_pointer(debug, strings) and is_character(debug, target(debug, strings))


def is_argument_list(debug: DebugInfo, reference: int) -> bool:
    """Whether this is a va_list of x86-64, which as a parameter is a pointer."""
    if not is_pointer(debug, reference):
        return False
    return debug.node(debug.strip(target(debug, reference))).text("name") == "__va_list_tag"


def is_bytes(debug: DebugInfo, reference: int) -> bool:
    """Whether a pointer leads to characters, or to nothing that is known."""
    below = target(debug, reference)
    return debug.strip(below) == NO_NODE or is_character(debug, below)
