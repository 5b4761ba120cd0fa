"""Another version beside the entry: names of its own, types that must be the same."""

from __future__ import annotations

import pytest

from veer.frontends.c.versions import difference, exported, renamed
from veer.model.types import Field, Type, TypeKind

IR = """\
@.str = private unnamed_addr constant [8 x i8] c"see @f()\\00", align 1
@count = dso_local global i32 3, align 4
@own = internal global i32 0, align 4
@far = external global i32, align 4
@table = dso_local global [2 x ptr] [ptr @f, ptr @g], align 16

define dso_local i32 @f(i32 %0) #0 !dbg !7 {
  %2 = call i32 @g(i32 %0)
  %3 = call i32 @abs(i32 %2)
  store i32 %3, ptr @count, align 4
  ret i32 %3
}

define internal i32 @g(i32 %0) #0 !dbg !8 {
  ret i32 %0
}

declare i32 @abs(i32)
!7 = distinct !DISubprogram(name: "f", scope: !1)
"""
INT, LONG = Type(0, TypeKind.SIGNED, "int", 4, 4), Type(0, TypeKind.SIGNED, "long", 8, 8)


def pair(second: Type, offset: int) -> list[Type]:
    """struct { int a; SECOND b; } behind a pointer of id 3."""
    members = (Field("a", 0, 0), Field("b", offset, 1))
    whole = Type(2, TypeKind.STRUCT, "struct pair", offset + second.size, 8, fields=members)
    return [INT, second, whole, Type(3, TypeKind.POINTER, "struct pair *", 8, 8, target=2)]


def test_what_others_can_name_is_exported() -> None:
    assert sorted(exported(IR)) == ["count", "f", "table"]


def test_names_are_moved_and_texts_are_not() -> None:
    moved = renamed(IR, {"f", "count"})
    assert 'define dso_local i32 @"veer.new.f"(i32 %0)' in moved and 'ptr @"veer.new.count"' in moved
    assert '[ptr @"veer.new.f", ptr @g]' in moved
    assert 'c"see @f()\\00"' in moved and 'name: "f"' in moved and "@abs(i32 %2)" in moved


def test_types_are_compared_by_their_layout() -> None:
    assert difference(pair(LONG, 8), 3, pair(LONG, 8), 3) == ""
    assert difference([INT], -1, [INT], -1) == ""


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (pair(INT, 4), "struct pair of 16 bytes and struct pair of 8 bytes"),
        (pair(INT, 12), "struct pair.b lies elsewhere"),
    ],
)
def test_what_differs_is_said(other: list[Type], said: str) -> None:
    assert said in difference(pair(LONG, 8), 3, other, 3)


def test_bytes_behind_pointers_are_one_type_and_nothing_else_is() -> None:
    def pointer(kind: TypeKind, name: str, size: int = 1) -> list[Type]:
        return [Type(0, kind, name, size, size), Type(1, TypeKind.POINTER, f"{name} *", 8, 8, target=0)]

    text, bytes_ = pointer(TypeKind.CHAR, "char"), pointer(TypeKind.UNSIGNED, "uint8_t")
    assert difference(text, 1, bytes_, 1) == difference(bytes_, 1, text, 1) == ""
    assert difference(text, 0, bytes_, 0) == "char of 1 bytes and uint8_t of 1 bytes"  # passed, it is extended
    assert difference(text, 1, pointer(TypeKind.BOOL, "bool"), 1)
    assert difference(pointer(TypeKind.SIGNED, "int", 4), 1, pointer(TypeKind.UNSIGNED, "unsigned", 4), 1)
