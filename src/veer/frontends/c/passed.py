"""The parameters of functions that stubs stand for: how they come, and what a stub writes behind them.

    int read_frame(uint8_t *frame, int n);      frame: bytes; n: no pointer
    int open_port(struct port **port);          port: a pointer, to an object that is made
    void show(const char *text);                text: nothing, for it is const

A stub writes only what nobody has written (runtime/tracer/stubs.c), and tells what it is given before it does
(runtime/tracer/stub_calls.c).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest

from veer.frontends.llvm.debuginfo import NO_NODE, DebugInfo, Node
from veer.model.stubcalls import Passed
from veer.model.types import Type, TypeKind
from veer.model.values import replace

POINTER = "void *"
MOST_KEPT, MOST_ONE = 64, 256
"""Bytes of a text or of a row of numbers, and of one object, that tests look at."""
_INTEGERS = {1: "char", 2: "short", 4: "int", 8: "long"}
_UNSIGNED = ("DW_ATE_unsigned", "DW_ATE_unsigned_char", "DW_ATE_UTF")
_BYTE = 1
_HELD = ("DW_TAG_structure_type", "DW_TAG_union_type", "DW_TAG_array_type")


def passed(
    debug: DebugInfo, function: int, made: Callable[[int], int], known: Callable[[int], int]
) -> tuple[Passed, ...]:
    """The parameters of this function type, up to one that comes in no register of its own, or is one of `...`.

    `made`: the type id of what is behind a pointer, or -1 where nothing can be made for it; `known`: that of a number,
    or of what tests may look at, which void has, too.
    """
    _, *references = debug.node(debug.node(function).reference("types")).references or (NO_NODE,)
    found: list[Passed] = []
    voids: list[int] = []  # pointers to bytes, if the next parameter says how many
    for reference in references:
        c_type = _c_type(debug, debug.node(debug.strip(reference))) if reference != NO_NODE else ""
        if not c_type:
            break
        if c_type == POINTER:
            target = debug.node(debug.strip(reference)).reference("baseType")
            found.append(replace(_pointer(debug, target, made), held=_held(debug, target, known)))
            voids += [len(found) - 1] * (debug.strip(target) == NO_NODE)
        else:
            found.append(Passed(c_type, type=known(reference)))
    counted = [replace(each, is_counted=_counts(behind)) for each, behind in zip_longest(found, found[1:])]
    without = {number for number in voids if not counted[number].is_counted}
    return tuple(replace(each, held=-1) if number in without else each for number, each in enumerate(counted))


def _counts(parameter: Passed | None) -> bool:
    """Whether the parameter may say how many objects lie behind the pointer before it."""
    return parameter is not None and parameter.c_type.startswith(("signed ", "unsigned "))


def _held(debug: DebugInfo, target: int, known: Callable[[int], int]) -> int:
    """What tests look at behind a pointer: numbers, structs, bytes; no pointers and no functions."""
    node = debug.node(debug.strip(target))
    is_held = debug.strip(target) == NO_NODE or node.tag in _HELD or (_c_type(debug, node) not in ("", POINTER))
    return known(target) if is_held else -1


def parameters(given: Sequence[Passed]) -> str:
    """As a stub declares them."""
    return ", ".join(f"{each.c_type} p{number}" for number, each in enumerate(given))


def writes(given: Sequence[Passed]) -> bool:
    """Whether the stub writes anything."""
    return any(each.is_written for each in given)


def handling(given: Sequence[Passed], name: str, *, keeps_const: bool) -> list[str]:
    """The statements of a stub for what it is given: blocks may be freed or kept by the function that it stands for,
    those that it only reads if it `keeps_const`; and it writes what nobody has written. `calls` counts its calls."""
    pointers = [number for number, each in enumerate(given) if each.c_type == POINTER]
    giving = [f"veer_h_give(p{number});" for number in pointers if keeps_const or not given[number].is_const]
    return ["static unsigned calls;", *giving, *_writing(given, name), "calls++;"] if writes(given) else giving


def _writing(given: Sequence[Passed], name: str) -> Iterator[str]:
    for number, each in enumerate(given):
        if each.is_written:
            type_ = f"&veer_t_{each.target}" if each.target >= 0 else "0"
            yield f'veer_h_write(p{number}, {each.element}u, {type_}, "{name}()", {number + 1}u, calls);'


def telling(given: Sequence[Passed], types: Sequence[Type], stub: int) -> Iterator[str]:
    """The statements by which a stub of this number tells that it is called, and with what."""
    rows = [f"{{&p{number}, sizeof p{number}, {_looked_at(each, types)}}}" for number, each in enumerate(given)]
    if rows:
        yield f"const struct veer_h_argument veer_a[] = {{{', '.join(rows)}}};"
    yield f"veer_h_called({stub}u, {'veer_a' if rows else '0'}, {len(rows)}u);"


def _looked_at(parameter: Passed, types: Sequence[Type]) -> str:
    """How many bytes behind it are kept, and whether they are a text (VEER_IS_TEXT)."""
    is_text = parameter.held >= 0 and types[parameter.held].kind is TypeKind.CHAR
    return f"{_most(parameter, types) | is_text << 31}u"


def _most(parameter: Passed, types: Sequence[Type]) -> int:
    """How many bytes behind it are kept."""
    if parameter.held < 0:
        return 0
    row = types[parameter.held]
    return MOST_KEPT if row.kind is TypeKind.CHAR or parameter.is_counted else row.size if row.size <= MOST_ONE else 0


def _c_type(debug: DebugInfo, node: Node) -> str:
    """Empty for what comes in several registers, or in memory."""
    size = node.number("size") // 8
    if node.tag == "DW_TAG_pointer_type":
        return POINTER
    if node.tag == "DW_TAG_enumeration_type":
        return _INTEGERS.get(size, "")
    if node.kind != "DIBasicType":  # a struct comes in one register, or in several, or in those of floats
        return ""
    encoding = node.text("encoding")
    if encoding == "DW_ATE_float":
        return {4: "float", 8: "double"}.get(size, "")
    if encoding == "DW_ATE_boolean":
        return "_Bool"
    return f"{'unsigned' if encoding in _UNSIGNED else 'signed'} {_INTEGERS[size]}" if size in _INTEGERS else ""


def _pointer(debug: DebugInfo, target: int, made: Callable[[int], int]) -> Passed:
    node = debug.node(debug.strip(target))
    if debug.is_const(target) or node.kind == "DISubroutineType":
        return Passed(POINTER, is_const=debug.is_const(target))
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
