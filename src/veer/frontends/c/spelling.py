"""Types of debug info as C source, around a declarator: `int *`, `int[4]`, `int (**)(char *)`."""

from __future__ import annotations

from veer.frontends.llvm.debuginfo import NO_NODE, DebugInfo, Node

COMPOSITES = {
    "DW_TAG_structure_type": "struct",
    "DW_TAG_union_type": "union",
    "DW_TAG_enumeration_type": "enum",
}
"""Types with members or enumerators, by the word that C has for them."""
_OTHER_QUALIFIERS = ("DW_TAG_volatile_type", "DW_TAG_restrict_type", "DW_TAG_atomic_type")


def spelling(debug: DebugInfo, reference: int, declarator: str = "") -> str:
    """A type as C source around a declarator: `int *`, `int[4]`, `int (**)(char *)`; its name alone when empty."""
    if reference == NO_NODE:
        return _joined("void", declarator)
    node = debug.node(reference)
    inner = node.reference("baseType")
    if node.tag == "DW_TAG_typedef":
        return _joined(node.text("name"), declarator)
    if node.tag == "DW_TAG_const_type":
        if _is_pointer(debug, inner):
            return spelling(debug, inner, _joined("const", declarator))
        return f"const {spelling(debug, inner, declarator)}"
    if node.tag in _OTHER_QUALIFIERS:
        return spelling(debug, inner, declarator)
    if node.tag == "DW_TAG_pointer_type":
        target = debug.node(inner)
        is_inside = target.tag == "DW_TAG_array_type" or target.kind == "DISubroutineType"
        return spelling(debug, inner, f"(*{declarator})" if is_inside else f"*{declarator}")
    if node.tag == "DW_TAG_array_type":
        counts = [count(debug, number) for number in debug.node(node.reference("elements")).references]
        return spelling(debug, inner, declarator + "".join(f"[{count}]" for count in counts))
    if node.kind == "DISubroutineType":
        result, parameters = _signature(debug, node)
        return spelling(debug, result, f"{declarator}({parameters})")
    if node.tag in COMPOSITES:
        name = node.text("name")
        tag = COMPOSITES[node.tag]
        return _joined(f"{tag} {name}" if name else debug.typedef_of.get(reference, tag), declarator)
    return _joined(node.text("name") or "void", declarator)


def _joined(name: str, declarator: str) -> str:
    return f"{name} {declarator}" if declarator and not declarator.startswith(("[", ")")) else name + declarator


def _is_pointer(debug: DebugInfo, reference: int) -> bool:
    """Whether a type is written with a star, behind which its qualifiers stand."""
    node = debug.node(reference)
    while node.tag in _OTHER_QUALIFIERS:
        node = debug.node(node.reference("baseType"))
    return node.tag == "DW_TAG_pointer_type"


def _signature(debug: DebugInfo, node: Node) -> tuple[int, str]:
    """A function type's result, and its parameters in words of C."""
    types = debug.node(node.reference("types")).references
    # A trailing null is `...`, or a function without a prototype.
    parameters = [spelling(debug, each) if each != NO_NODE else "..." for each in types[1:]]
    listed = ", ".join(parameters) if parameters != ["..."] else ""
    return types[0] if types else NO_NODE, listed or ("void" if not parameters else "")


def count(debug: DebugInfo, number: int) -> int:
    """The elements of a dimension of an array; 0 where the type does not say."""
    return max(debug.node(number).number("count"), 0)
