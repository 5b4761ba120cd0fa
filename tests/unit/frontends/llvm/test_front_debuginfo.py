"""Debug info → functions, parameters, types."""

from __future__ import annotations

from pathlib import Path

import pytest
from front_fixtures import debug_info

from veer.frontends.c.extents import ObjectBounds
from veer.frontends.c.spelling import spelling
from veer.frontends.c.typetable import TypeTable
from veer.frontends.llvm.debuginfo import DebugInfo, read
from veer.model.types import Type

SOURCE = """
#include <stdarg.h>
typedef unsigned char byte_t;
enum color { RED, GREEN = 5, BLUE = -1 };
enum wide { FIRST = 1, LAST = 9 };
typedef struct { int x, y; } point_t;
struct cell { int value; struct cell *next; };
typedef struct cell *list;
struct bits { unsigned a : 3; int b : 5; unsigned char c; long d : 40; char e; };
union any { int i; float f; char s[8]; };
struct __attribute__((packed)) tight { char c; int i; };
struct mixed {
    struct { int p; union { short q; long r; }; };
    point_t points[2][3];
    int (*callback)(int, char *);
    struct hidden *unknown;
    const char *const text;
    _Bool ok;
    enum color paint;
    volatile double level;
    byte_t rest[];
};
int g_plain; static const int g_const = 3; point_t g_point; static list g_list;
int f(struct mixed *m, list l, struct bits b, union any u, struct tight *t, enum wide w, long double ld, byte_t raw,
      point_t (*rows)[4], void *nothing, const char **names, unsigned short us, float *fp, int (*cb)(void)) {
    static int inner; inner += g_const + g_point.x + (g_list != 0);
    return m->ok + b.a + u.i + t->i + w + (int)ld + raw + us + inner;
}
static void lonely(void) { }
int old(a, b) char a; float b; { return a + b; }
implicit(x) { return x; }
int many(int first, ...) { return first; }
"""


@pytest.fixture(scope="module")
def debug(tmp_path_factory: pytest.TempPathFactory) -> DebugInfo:
    return debug_info(tmp_path_factory.mktemp("debug"), SOURCE)


@pytest.fixture(scope="module")
def parameters(debug: DebugInfo) -> dict[str, tuple[Type, list[Type]]]:
    """Parameter of f → its row, and the table."""
    function = next(each for each in debug.functions() if each.name == "f")
    table = TypeTable(ObjectBounds(8, 4))
    return {each.name: (table.types[table.add(debug, each.type)], table.types) for each in function.parameters}


def test_functions_in_the_order_of_the_source(debug: DebugInfo) -> None:
    assert [each.name for each in debug.functions()] == ["f", "lonely", "old", "implicit", "many"]


def test_what_a_function_is(debug: DebugInfo) -> None:
    by_name = {each.name: each for each in debug.functions()}
    assert by_name["lonely"].is_static and not by_name["f"].is_static
    assert by_name["many"].is_variadic and not by_name["implicit"].is_variadic
    assert Path(by_name["f"].file).name == "unit.c"
    assert by_name["f"].line == 1 + SOURCE[: SOURCE.index("int f(")].count("\n")
    assert by_name["lonely"].returns == -1


def test_old_style_parameters_have_their_declared_types(debug: DebugInfo) -> None:
    old = next(each for each in debug.functions() if each.name == "old")
    assert [(each.name, spelling(debug, each.type)) for each in old.parameters] == [("a", "char"), ("b", "float")]
    implicit = next(each for each in debug.functions() if each.name == "implicit")
    assert [(each.name, spelling(debug, each.type)) for each in implicit.parameters] == [("x", "int")]


def test_globals_at_file_scope_only(debug: DebugInfo) -> None:
    found = {each.name: each for each in debug.globals()}
    assert set(found) == {"g_plain", "g_const", "g_point", "g_list"}
    assert debug.is_const(found["g_const"].type) and not debug.is_const(found["g_plain"].type)
    assert found["g_list"].is_static and not found["g_point"].is_static


def test_names_are_c(parameters: dict[str, tuple[Type, list[Type]]]) -> None:
    names = {name: row.name for name, (row, _) in parameters.items()}
    assert names == {
        "m": "struct mixed *",
        "l": "list",
        "b": "struct bits",
        "u": "union any",
        "t": "struct tight *",
        "w": "enum wide",
        "ld": "long double",
        "raw": "byte_t",
        "rows": "point_t (*)[4]",
        "nothing": "void *",
        "names": "const char **",
        "us": "unsigned short",
        "fp": "float *",
        "cb": "int (*)()",
    } | {"cb": names["cb"]}
    assert names["cb"].startswith("int (*)(")


def test_scalars(parameters: dict[str, tuple[Type, list[Type]]]) -> None:
    facts = {name: (row.kind, row.size) for name, (row, _) in parameters.items()}
    assert facts["w"] == ("unsigned", 4)
    assert facts["ld"] == ("float", 16)
    assert facts["raw"] == ("unsigned", 1)
    assert facts["us"] == ("unsigned", 2)


def test_recursive_struct_refers_to_itself(parameters: dict[str, tuple[Type, list[Type]]]) -> None:
    row, types = parameters["l"]
    cell = types[row.target]
    assert (cell.kind, cell.name, cell.size) == ("struct", "struct cell", 16)
    assert [(each.name, each.offset) for each in cell.fields] == [("value", 0), ("next", 8)]
    assert types[cell.fields[1].type].target == cell.id


def test_members_of_every_kind(parameters: dict[str, tuple[Type, list[Type]]]) -> None:
    row, types = parameters["m"]
    fields = {each.name: types[each.type] for each in types[row.target].fields}
    anonymous = fields[""]
    assert [each.name for each in anonymous.fields] == ["p", ""]
    assert types[anonymous.fields[1].type].kind == "union"
    points = fields["points"]
    assert (points.name, points.kind, points.count, points.size) == ("point_t[2][3]", "array", 2, 48)
    assert (types[points.target].count, types[types[points.target].target].name) == (3, "point_t")
    assert fields["callback"].extent == "function"
    assert types[fields["unknown"].target].kind == "opaque"
    assert (fields["text"].extent, fields["text"].maximum, fields["text"].const) == ("string", 8, True)
    assert fields["ok"].kind == "bool"
    assert fields["paint"].enumerators == (("RED", 0), ("GREEN", 5), ("BLUE", -1))
    assert fields["paint"].kind == "signed"
    assert (fields["level"].kind, fields["level"].size) == ("float", 8)
    assert (fields["rest"].kind, fields["rest"].count, fields["rest"].size) == ("array", 0, 0)


def test_bit_fields_are_the_bytes_that_hold_them(parameters: dict[str, tuple[Type, list[Type]]]) -> None:
    row, _ = parameters["b"]
    assert [(each.name, each.offset) for each in row.fields] == [
        ("", 0),
        ("c", 1),
        ("", 2),
        ("", 3),
        ("", 4),
        ("", 5),
        ("", 6),
        ("e", 7),
    ]
    assert row.alignment == 8


def test_union_and_packed_struct(parameters: dict[str, tuple[Type, list[Type]]]) -> None:
    union, _ = parameters["u"]
    assert (union.kind, union.size, [each.offset for each in union.fields]) == ("union", 8, [0, 0, 0])
    assert (union.fields[0].name, union.count) == ("s", 1)
    pointer, types = parameters["t"]
    tight = types[pointer.target]
    assert (tight.size, tight.alignment, [each.offset for each in tight.fields]) == (5, 1, [0, 1])


def test_row_zero_is_void(parameters: dict[str, tuple[Type, list[Type]]]) -> None:
    row, types = parameters["nothing"]
    assert row.target == 0 and types[0].kind == "opaque"


def test_text_without_debug_info_has_nothing() -> None:
    assert read("define i32 @f() {\n ret i32 0\n}\n").functions() == ()
