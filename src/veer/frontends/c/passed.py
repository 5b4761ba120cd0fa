"""The parameters of functions that stubs stand for: how they come, and what a stub writes behind them.

    int read_frame(uint8_t *frame, int n);      frame: bytes; n: no pointer
    int open_port(struct port **port);          port: a pointer, to an object that is made
    void show(const char *text);                text: nothing, for it is const

A stub writes only what nobody has written (runtime/libc/stubs.c).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from veer.frontends.llvm.debuginfo import NO_NODE, DebugInfo, Node
from veer.model.program import Passed

POINTER = "void *"
_INTEGERS = {1: "char", 2: "short", 4: "int", 8: "long"}
_UNSIGNED = ("DW_ATE_unsigned", "DW_ATE_unsigned_char", "DW_ATE_UTF")
_BYTE = 1


def passed(debug: DebugInfo, function: int, made: Callable[[int], int]) -> tuple[Passed, ...]:
    """The parameters of this function type, up to one that comes in no register of its own, or is one of `...`.

    `made`: the type id of what is behind a pointer, or -1 where nothing can be made for it.
    """
    _, *references = debug.node(debug.node(function).reference("types")).references or (NO_NODE,)
    found: list[Passed] = []
    for reference in references:
        c_type = _c_type(debug, debug.node(debug.strip(reference))) if reference != NO_NODE else ""
        if not c_type:
            break
        found.append(_pointer(debug, reference, made) if c_type == POINTER else Passed(c_type))
    return tuple(found)


def parameters(given: Sequence[Passed]) -> str:
    """As a stub declares them."""
    return ", ".join(f"{each.c_type} p{number}" for number, each in enumerate(given))


def writes(given: Sequence[Passed]) -> bool:
    """Whether the stub writes anything."""
    return any(each.is_written for each in given)


def writing(given: Sequence[Passed], name: str) -> Iterator[str]:
    """The statements of a stub by which it writes what nobody has written; `calls` counts its calls."""
    for number, each in enumerate(given):
        if each.is_written:
            type_ = f"&veer_t_{each.target}" if each.target >= 0 else "0"
            yield f'veer_h_write(p{number}, {each.element}u, {type_}, "{name}()", {number + 1}u, calls);'


def _c_type(debug: DebugInfo, node: Node) -> str:
    """Empty for what comes in several registers, or in memory."""
    size = node.number("size") // 8
    if node.tag == "DW_TAG_pointer_type":
        return POINTER
    if node.tag == "DW_TAG_enumeration_type":
        return _INTEGERS.get(size, "")
    encoding = node.text("encoding")
    if encoding == "DW_ATE_float":
        return {4: "float", 8: "double"}.get(size, "")
    if encoding == "DW_ATE_boolean":
        return "_Bool"
    return f"{'unsigned' if encoding in _UNSIGNED else 'signed'} {_INTEGERS[size]}" if size in _INTEGERS else ""


def _pointer(debug: DebugInfo, reference: int, made: Callable[[int], int]) -> Passed:
    target = debug.node(debug.strip(reference)).reference("baseType")
    node = debug.node(debug.strip(target))
    if debug.is_const(target) or node.kind == "DISubroutineType":
        return Passed(POINTER)
    is_number = bool(_c_type(debug, node)) and node.tag != "DW_TAG_pointer_type"
    element = node.number("size") // 8 if is_number else 0 if _holds_pointer(debug, target) else _BYTE
    return Passed(POINTER, element, made(target))


def _holds_pointer(debug: DebugInfo, reference: int) -> bool:
    """Whether an object of this type holds one: bytes that are made up would lead nowhere."""
    node = debug.node(debug.strip(reference))
    if node.tag == "DW_TAG_array_type":
        return _holds_pointer(debug, node.reference("baseType"))
    members = [debug.node(each) for each in debug.node(node.reference("elements")).references]
    types = [each.reference("baseType") for each in members if each.tag == "DW_TAG_member"]
    return node.tag == "DW_TAG_pointer_type" or any(_holds_pointer(debug, each) for each in types)
