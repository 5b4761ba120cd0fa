"""Type layout against LLVM's own, addresses of getelementptr, leaves of small aggregates."""

from __future__ import annotations

import llvmlite.binding as llvm
import pytest

from veer.instrument.instructions import parse_instruction
from veer.instrument.symbolic import address_terms
from veer.instrument.typelayout import Layout, UnknownTypeError

NAMED = {"%s": "{ i8, i32, i16 }", "%p": "<{ i8, i32, i16 }>", "%n": "{ %s, [3 x %p], ptr }", "%o": "opaque"}
TYPES = (
    *("i1", "i8", "i16", "i24", "i32", "i33", "i48", "i64", "i65", "i96", "i128", "ptr", "float", "double", "half"),
    *("x86_fp80", "fp128", "[7 x i24]", "[0 x i32]", "{ i8, i128 }", "{ i8, x86_fp80 }", "<2 x float>", "<3 x i32>"),
    *("<4 x i32>", "{ i8, <2 x i64> }", "{}", "{ i1, i1 }", "<{ i8, i64, i1 }>", "{ i32, { i8, [3 x i16] }, i8 }"),
    *("%s", "%p", "%n", "[2 x %n]", "{ %s, i8 }", "{ i8, [0 x i64] }", "<16 x i8>", "{ [5 x i8], i24 }"),
)


@pytest.mark.parametrize("type_", TYPES)
def test_size_and_alignment_are_llvms(type_: str) -> None:
    named = "\n".join(f"{name} = type {body}" for name, body in NAMED.items())
    used = ", ".join(NAMED)
    text = f"{named}\n@use = external global {{ {used.replace(', %o', '')} }}\n@g = external global {type_}\n"
    module = llvm.parse_assembly(
        'target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"\n'
        + text,
        llvm.create_context(),
    )
    target = llvm.create_target_data(module.data_layout)
    known = module.get_global_variable("g").global_value_type
    layout = Layout(NAMED)
    assert layout.size(type_) == target.get_abi_size(known)
    assert layout.alignment(type_) == target.get_abi_alignment(known)


def test_a_type_without_a_size_is_refused() -> None:
    with pytest.raises(UnknownTypeError):
        Layout(NAMED).size("%o")


@pytest.mark.parametrize(
    ("type_", "leaves"),
    [
        ("i24", [(0, 24)]),
        ("ptr", [(0, 64)]),
        ("{ i64, i32 }", [(0, 64), (8, 32)]),
        ("<2 x float>", [(0, 32), (4, 32)]),
        ("%s", [(0, 8), (4, 32), (8, 16)]),
        ("%p", [(0, 8), (1, 32), (5, 16)]),
        ("i128", [(0, 64), (8, 64)]),
        ("i100", [(0, 64), (8, 36)]),
        ("i129", []),
        ("{ i8, x86_fp80 }", []),
        ("[100 x i8]", []),
    ],
)
def test_leaves(type_: str, leaves: list[tuple[int, int]]) -> None:
    assert [(leaf.offset, leaf.width) for leaf in Layout(NAMED).leaves(type_)] == leaves


@pytest.mark.parametrize(
    ("text", "offset", "terms"),
    [
        ("%r = getelementptr inbounds nuw %s, ptr %x, i32 0, i32 2", 8, []),
        ("%r = getelementptr inbounds %n, ptr %x, i64 1, i32 1, i64 %i, i32 1", 48 + 12 + 1, [("%i", 7)]),
        ("%r = getelementptr i8, ptr %x, i64 -3", (1 << 64) - 3, []),
        ("%r = getelementptr [4 x i32], ptr %x, i64 %i, i64 %j", 0, [("%i", 16), ("%j", 4)]),
        ("%r = getelementptr {}, ptr %x, i64 %i", 0, []),
    ],
)
def test_addresses(text: str, offset: int, terms: list[tuple[str, int]]) -> None:
    found, parts = address_terms(Layout(NAMED), parse_instruction("  " + text))
    assert (found, [(index.value, size) for index, size in parts]) == (offset, terms)


@pytest.mark.parametrize(("type_", "element"), [("i32", 4), ("[8 x i8]", 1), ("%s", 1), ("{ i16, [3 x i16] }", 2)])
def test_the_element_of_a_symbolic_object(type_: str, element: int) -> None:
    assert Layout(NAMED).uniform_element(type_) == element
