"""What the functions of events are given and return, in words of C: as their definitions or the compiler say."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from veer.frontends.c.results import probed
from veer.frontends.c.specifications.conditions import Signature
from veer.frontends.c.spelling import COMPOSITES, spelling
from veer.frontends.llvm.compiled import Module
from veer.frontends.llvm.debuginfo import NO_NODE, DebugInfo
from veer.frontends.llvm.irtext import declared_functions
from veer.model.buildoptions import BuildOptions
from veer.toolchain.compiler import Toolchain

_INTEGERS = {1: "signed char", 2: "short", 4: "int", 8: "long"}
_WHOLE = ("DW_ATE_signed", "DW_ATE_unsigned", "DW_ATE_signed_char", "DW_ATE_unsigned_char", "DW_ATE_boolean")


def signatures(
    names: Collection[str], modules: Sequence[Module], entry: Module, options: BuildOptions, toolchain: Toolchain
) -> dict[str, Signature]:
    """Those of the functions that a module defines or calls; others' own types are `void *`."""
    found: dict[str, Signature] = {}
    for name in names:
        for module in modules:
            function = module.function(name)
            if function is not None:
                types = [each.type for each in function.parameters]
                has_names = module.source == entry.source
                found[name] = _signature(
                    module.debug, function.returns, types, has_names=has_names, is_variadic=function.is_variadic
                )
                break
    for module in modules:
        asked = sorted((set(names) & set(declared_functions(module.ir))) - set(found))
        for name, (debug, function_type) in probed(module, asked, options, toolchain).items():
            references = list(debug.node(debug.node(function_type).reference("types")).references)
            returns, given = (references[0], references[1:]) if references else (NO_NODE, [])
            is_variadic = bool(given) and given[-1] == NO_NODE
            given = given[:-1] if is_variadic else given
            has_names = module.source == entry.source
            found[name] = _signature(debug, returns, given, has_names=has_names, is_variadic=is_variadic)
    return found


def _signature(
    debug: DebugInfo, returns: int, types: Sequence[int], *, has_names: bool, is_variadic: bool
) -> Signature:
    parameters: list[str] = []
    for reference in types:
        text = _c_type(debug, reference, has_names=has_names)
        if not text:
            break
        parameters.append(text)
    result = _c_type(debug, returns, has_names=has_names) if returns != NO_NODE else ""
    numbers = [_is_whole(debug, each) for each in types[: len(parameters)]]
    if result:
        numbers.append(_is_whole(debug, returns))
    return Signature(tuple(parameters), result, tuple(numbers), len(types), is_variadic, has_value=returns != NO_NODE)


def _c_type(debug: DebugInfo, reference: int, *, has_names: bool) -> str:
    """A type that comes in one register of its own; empty for others."""
    node = debug.node(debug.strip(reference))
    if node.tag == "DW_TAG_pointer_type":
        return _pointer(debug, reference, has_names=has_names)
    if node.tag == "DW_TAG_array_type":  # of a parameter: a pointer
        return "void *"
    if node.tag == "DW_TAG_enumeration_type":
        return _INTEGERS.get(node.number("size") // 8, "")
    if node.kind != "DIBasicType" or node.number("size") > 64 or node.text("encoding") == "DW_ATE_complex_float":
        return ""
    return node.text("name")


def _pointer(debug: DebugInfo, reference: int, *, has_names: bool) -> str:
    """With the names of the entry's source; `void *` where it has none for what lies there."""
    target = debug.node(debug.strip(debug.node(debug.strip(reference)).reference("baseType")))
    is_simple = target.kind == "DIBasicType" or target.tag in COMPOSITES
    if not is_simple or (target.tag in COMPOSITES and not has_names):
        return "void *"
    is_named = bool(target.text("name")) or target.kind == "DIBasicType"
    return spelling(debug, debug.unqualified(reference)) if has_names or is_named else "void *"


def _is_whole(debug: DebugInfo, reference: int) -> bool:
    node = debug.node(debug.strip(reference))
    return node.tag == "DW_TAG_enumeration_type" or node.text("encoding") in _WHOLE
